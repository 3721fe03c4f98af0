#include "fuzz/invariants.hpp"

#include <cmath>

#include "catalog/catalog.hpp"
#include "core/snapshot.hpp"
#include "fuzz/keys.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "rules/shop.hpp"

namespace jimbot::fuzz {

namespace {

std::string number(double value) { return std::to_string(value); }

// --- cards ---

std::string broken_cards(const State& state) {
    int places[4] = {};
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        ++places[static_cast<int>(card.place())];
        if (i > 0 && card.created <= state.cards[i - 1].created) {
            return named("creation order",
                         "cards are not in order of creation at index " + std::to_string(i));
        }
        if (card.created >= state.next_created) {
            return named("creation order", "a card is younger than the next creation number");
        }
        if ((card.flags & card_debuffed_for_good) != 0 && (card.flags & card_debuffed) == 0) {
            return named("debuff", "a card debuffed for good is not debuffed");
        }
        if (card.place() != CardPlace::hand && (card.flags & (card_face_down | card_forced)) != 0) {
            return named("card flags", "a card outside the hand is face down or forced");
        }
    }
    if (places[static_cast<int>(CardPlace::table)] != 0) {
        return named("card conservation", "a card is still on the table between actions");
    }
    if (places[static_cast<int>(CardPlace::hand)] != state.hand_count ||
        places[static_cast<int>(CardPlace::draw_pile)] != state.draw_count) {
        return named("card conservation", "counts of hand and draw pile do not fit the places of the cards");
    }
    bool seen[kMaxCards] = {};
    const auto once = [&](const std::uint8_t* list, int count, CardPlace place) {
        for (int i = 0; i < count; ++i) {
            if (list[i] >= state.card_count || seen[list[i]] || state.cards[list[i]].place() != place) {
                return false;
            }
            seen[list[i]] = true;
        }
        return true;
    };
    if (!once(state.hand, state.hand_count, CardPlace::hand) ||
        !once(state.draw_pile, state.draw_count, CardPlace::draw_pile)) {
        return named("card conservation", "a card is in two places, or listed where it is not");
    }
    if (state.round.blind == bl_none && state.phase != Phase::pack && state.hand_count != 0) {
        return named("card conservation", "cards in hand outside a round and a pack");
    }
    if (state.round.blind == bl_none && places[static_cast<int>(CardPlace::discard_pile)] != 0) {
        return named("card conservation", "cards in the discard pile outside a round");
    }
    return {};
}

// --- keys that exist ---

std::string broken_keys(const State& state) {
    const Keys keys = keys_of(state);
    for (std::size_t pool = 0; pool < kPools; ++pool) {
        if ((keys.owned[pool] & ~state.existing[pool]) != 0) {
            return named("existing keys",
                         "an owned card's key is not marked in pool " + std::to_string(pool));
        }
        if ((state.existing[pool] & ~(keys.owned[pool] | keys.shown[pool])) != 0) {
            return named("existing keys",
                         "a key of pool " + std::to_string(pool) + " is marked although no card has it");
        }
    }
    return {};
}

std::string broken_vouchers(const State& state) {
    std::uint32_t shown = 0;
    for (int i = 0; i < state.shop.voucher_count; ++i) {
        const Item& item = state.shop.vouchers[i];
        if (item.kind == ItemKind::none || item.id == v_blank) {
            continue;
        }
        const VoucherId needed = kVouchers[item.id].requires_voucher;
        if (redeemed(state, static_cast<VoucherId>(item.id)) || (shown & bit(item.id)) != 0 ||
            (state.locked_vouchers & bit(item.id)) != 0 || (needed != v_none && !redeemed(state, needed))) {
            return named("voucher shelf", std::string(kVouchers[item.id].key) + " may not be for sale");
        }
        shown |= bit(item.id);
    }
    return {};
}

// --- numbers ---

std::string broken_numbers(const State& state) {
    const Round& round = state.round;
    if (std::isnan(round.score) || std::isnan(round.target) || round.score < 0 || round.target < 0) {
        return named("score", "score " + number(round.score) + ", target " + number(round.target));
    }
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if (!std::isfinite(joker.value) || joker.value < 0) {
            return named("joker value", std::string(kJokers[joker.id].key) + " holds " + number(joker.value));
        }
        if ((joker.stickers & sticker_perishable) != 0 && joker.rounds_left > 5) {
            return named("perishable", "more than five rounds are left");
        }
        if ((joker.stickers & sticker_eternal) != 0 && (joker.stickers & sticker_perishable) != 0) {
            return named("stickers", "a joker is eternal and perishable");
        }
    }
    if (round.hands_left < 0 || round.discards_left < 0) {
        return named("counters", "negative hands or discards left");
    }
    if (state.phase == Phase::playing && (round.hands_left == 0 || state.hand_count == 0)) {
        return named("counters", "a round goes on without hands or without cards");
    }
    for (const HandStats& hand : state.hands) {
        if (hand.level < 1 || hand.played_this_round > hand.played ||
            (hand.played > 0 && hand.visible == 0)) {
            return named("hand levels", "level " + std::to_string(hand.level));
        }
    }
    if (state.free_rerolls < 0 || state.reroll_growth < 0 || reroll_price(state) < 0) {
        return named("counters", "negative reroll price");
    }
    if (state.shop.slot_count > 0 && state.shop.slot_count != shop_slots(state)) {
        return named("shop", "the shop shows another number of cards than it has slots");
    }
    if (state.ante < -1 || state.blind_on_deck > 2 || !is_boss(state.boss)) {
        return named("counters", "ante, blind or boss out of range");
    }
    if ((state.phase == Phase::shop ||
         (state.phase == Phase::pack && state.pack_returns_to == Phase::shop)) != (state.shop.open != 0)) {
        return named("phase", "the shop is open in another phase, or closed in its own");
    }
    if (state.phase == Phase::pack && (state.pack.choices_left == 0 || state.pack.count == 0)) {
        return named("phase", "a pack stays open with nothing to choose");
    }
    return {};
}

}  // namespace

std::string broken_invariant(const State& state) {
    for (const auto rule : {broken_cards, broken_keys, broken_vouchers, broken_numbers}) {
        if (std::string broken = rule(state); !broken.empty()) {
            return broken;
        }
    }
    return possible_state(state) ? std::string()
                                 : named("possible", "possible_state() refuses a state of play");
}

}  // namespace jimbot::fuzz
