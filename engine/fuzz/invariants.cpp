#include "fuzz/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "catalog/catalog.hpp"
#include "core/snapshot.hpp"
#include "rules/cards.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "rules/shop.hpp"

namespace jimbot::fuzz {

namespace {

std::string number(double value) { return std::to_string(value); }

std::string named(std::string_view name, std::string_view detail) {
    return std::string(name).append(": ").append(detail);
}

// --- cards
// ----------------------------------------------------------------------------------------------------

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

// --- keys that exist
// --------------------------------------------------------------------------------------------

struct Keys {
    std::uint64_t owned[kPools] = {};
    std::uint64_t shown[kPools] = {};
};

void put(std::uint64_t* pools, PoolPlace place) {
    pools[static_cast<std::size_t>(place.pool)] |= std::uint64_t{1} << place.index;
}

bool key_place(const Item& item, PoolPlace& place) {
    if (item.kind == ItemKind::joker) {
        place = kJokerPlaces[item.id];
        return true;
    }
    if (item.kind == ItemKind::consumable) {
        place = consumable_place(item.id);
        return true;
    }
    return false;
}

Keys keys_of(const State& state) {
    Keys keys;
    for (int i = 0; i < state.joker_count; ++i) {
        put(keys.owned, kJokerPlaces[state.jokers[i].id]);
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        put(keys.owned, consumable_place(state.consumables[i].id));
    }
    PoolPlace place{};
    for (const Item& item : state.shop.slots) {
        if (key_place(item, place)) {
            put(keys.shown, place);
        }
    }
    for (const Item& item : state.pack.cards) {
        if (key_place(item, place)) {
            put(keys.shown, place);
        }
    }
    return keys;
}

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

bool is_fallback(const Item& item) {
    return item.kind == ItemKind::joker
               ? item.id == j_joker
               : item.id == c_strength || item.id == c_pluto || item.id == c_incantation;
}

// Items that appeared in this step must be allowed to: their keys not taken (without Showman), not kept out.
std::string broken_display(const State& before, const State& after) {
    const bool showman = owns_active_joker(before, j_ring_master) || owns_active_joker(after, j_ring_master);
    const Keys keys = keys_of(after);
    std::uint64_t once[kPools] = {};
    const auto check = [&](const Item& item, bool given) -> std::string {
        PoolPlace place{};
        if (!key_place(item, place)) {
            return {};
        }
        const auto pool = static_cast<std::size_t>(place.pool);
        const std::uint64_t key = std::uint64_t{1} << place.index;
        const bool twice = (once[pool] & key) != 0;
        once[pool] |= key;
        if (item.card.created < before.next_created || given || is_fallback(item)) {
            return {};
        }
        if (!showman && (twice || (keys.owned[pool] & key) != 0)) {
            return named("shown twice", "a new item on display has a key that is owned or on display");
        }
        if ((after.locked[pool] & key) != 0) {
            return named("shown though locked",
                         "an item on display is kept out by the profile or the challenge");
        }
        return {};
    };
    for (const Item& item : after.shop.slots) {
        if (std::string broken = check(item, false); !broken.empty()) {
            return broken;
        }
        if (item.kind == ItemKind::joker && kJokers[item.id].rarity == Rarity::legendary) {
            return named("shop", "a legendary joker is for sale");
        }
    }
    const bool celestial = after.pack.id != p_none && kPacks[after.pack.id].kind == PackKind::celestial;
    for (int i = 0; i < after.pack.count; ++i) {
        const bool telescope = i == 0 && celestial && redeemed(after, v_telescope);
        if (std::string broken = check(after.pack.cards[i], telescope); !broken.empty()) {
            return broken;
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

// --- numbers
// --------------------------------------------------------------------------------------------------

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
    if (state.consumable_count > consumable_slots(state)) {
        return named("slots", "more consumables than slots");
    }
    if (state.free_rerolls < 0 || state.reroll_growth < 0 || reroll_price(state) < 0) {
        return named("counters", "negative reroll price");
    }
    if (state.shop.slot_count > 0 && state.shop.slot_count != shop_slots(state)) {
        return named("shop", "the number of slots is not the number of slots");
    }
    if (state.ante < -1 || state.blind_on_deck > 2 || state.boss <= bl_big) {
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

int paid(const State& before, const Action& action) {
    switch (action.kind) {
    case ActionKind::buy_card:
        return price_of(before, before.shop.slots[action.a]);
    case ActionKind::redeem_voucher:
        return price_of(before, before.shop.vouchers[action.a]);
    case ActionKind::open_pack:
        return price_of(before, before.shop.packs[action.a]);
    case ActionKind::reroll_shop:
        return reroll_price(before);
    case ActionKind::reroll_boss:
        return 10;
    case ActionKind::sell_joker:
        return -sell_value(before, before.jokers[action.a]);
    case ActionKind::sell_consumable:
        return -sell_value(before, before.consumables[action.a]);
    case ActionKind::cash_out: {
        const CashOut& rows = before.cash_out;
        return -(rows.reward + rows.hands + rows.discards + rows.jokers + rows.tags + rows.interest);
    }
    default:
        return 0;
    }
}

bool has_fixed_price(ActionKind kind) {
    switch (kind) {
    case ActionKind::play_hand:
    case ActionKind::discard:
    case ActionKind::skip_blind:
    case ActionKind::buy_and_use:
    case ActionKind::use_consumable:
    case ActionKind::pick_card:
        return false;
    default:
        return true;
    }
}

std::string broken_money(const State& before, const Action& action, const State& after) {
    // A sale, or a blind chosen with no cards to draw, may end the round, which pays and takes money of its
    // own.
    const bool ended = after.phase == Phase::round_eval || after.phase == Phase::game_over;
    if (!has_fixed_price(action.kind) || (ended && action.kind != ActionKind::cash_out)) {
        return {};
    }
    const int price = paid(before, action);
    if (before.money - after.money != price) {
        return named("money", "$" + std::to_string(before.money - after.money) +
                                  " was paid for a price of $" + std::to_string(price));
    }
    if (price > 0 && after.money < money_floor(before)) {
        return named("money", "spending went below the floor");
    }
    return {};
}

bool owns(const State& state, JokerId id) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].id == id) {
            return true;
        }
    }
    return false;
}

int used_consumable(const State& before, const Action& action) {
    switch (action.kind) {
    case ActionKind::use_consumable:
        return before.consumables[action.a].id;
    case ActionKind::buy_and_use:
        return before.shop.slots[action.a].id;
    case ActionKind::pick_card:
        return before.pack.cards[action.a].kind == ItemKind::consumable ? before.pack.cards[action.a].id : 0;
    default:
        return c_none;
    }
}

// Jokers may come only into free slots. Beyond that: Ankh beside eternal jokers, Riff-Raff in the slot that a
// Negative victim of Ceremonial Dagger or Madness takes with it, and slots that a challenge takes away.
std::string broken_slots(const State& before, const Action& action, const State& after) {
    const int over = after.joker_count - joker_slots(after);
    if (over <= std::max(0, before.joker_count - joker_slots(before)) ||
        after.base_joker_slots < before.base_joker_slots) {
        return {};
    }
    const bool riff_raff =
        action.kind == ActionKind::select_blind &&
        (owns(before, j_riff_raff) || owns(before, j_blueprint) || owns(before, j_brainstorm)) &&
        (owns(before, j_ceremonial) || owns(before, j_madness));
    const bool invisible = action.kind == ActionKind::sell_joker &&
                           before.jokers[action.a].id == j_invisible &&
                           before.jokers[action.a].edition == e_negative;
    if (riff_raff || invisible || used_consumable(before, action) == c_ankh) {
        return {};
    }
    return named("slots", std::to_string(after.joker_count) + " jokers in " +
                              std::to_string(joker_slots(after)) + " slots");
}

std::string broken_counters(const State& before, const Action& action, const State& after) {
    const int antes = after.ante - before.ante;
    const bool back = action.kind == ActionKind::redeem_voucher;
    if (antes != 0 && antes != (back ? -1 : 1)) {
        return named("ante", "moved by " + std::to_string(antes));
    }
    if (after.next_created < before.next_created || after.hands_played < before.hands_played ||
        after.skips < before.skips || (before.won != 0 && after.won == 0)) {
        return named("counters", "a counter of the run went back");
    }
    if ((before.vouchers & ~after.vouchers) != 0) {
        return named("vouchers", "a redeemed voucher was lost");
    }
    if (action.kind == ActionKind::play_hand && after.hands_played != before.hands_played + 1) {
        return named("counters", "a play did not count");
    }
    const bool same_round = before.phase == Phase::playing && after.phase == Phase::playing;
    if (same_round && after.round.score < before.round.score) {
        return named("score", "the score fell");
    }
    if (before.phase == Phase::playing && after.phase == Phase::round_eval && after.saved_by_bones == 0 &&
        !(after.round.score >= after.round.target)) {
        return named("score", "a round was won below its target");
    }
    if (same_round && after.round.score >= after.round.target && before.round.score < before.round.target) {
        return named("score", "a round goes on although its target is reached");
    }
    return {};
}

// Cards come and go only by rules that say so.
std::string broken_deck_size(const State& before, const Action& action, const State& after) {
    const int change = after.card_count - before.card_count;
    switch (action.kind) {
    case ActionKind::play_hand:
        // Up to five played cards shatter; DNA and its copies add one each; The Hook may hand one to Trading
        // Card.
        return change < -6 || change > kMaxJokers ? named("deck size", "changed by " + std::to_string(change))
                                                  : std::string();
    case ActionKind::discard:
        return change < -1 || change > 0 ? named("deck size", "a discard changed it") : std::string();
    case ActionKind::select_blind:  // Marble Joker, Certificate
        return change < 0 ? named("deck size", "a blind took cards") : std::string();
    case ActionKind::buy_card: {
        const int bought = before.shop.slots[action.a].kind == ItemKind::playing_card ? 1 : 0;
        return change != bought && after.card_count < kMaxCards ? named("deck size", "a purchase changed it")
                                                                : std::string();
    }
    case ActionKind::pick_card:
    case ActionKind::use_consumable:
    case ActionKind::buy_and_use:
        return change < -5 || change > 4 ? named("deck size", "changed by " + std::to_string(change))
                                         : std::string();
    default:
        return change != 0 ? named("deck size", "changed by " + std::to_string(change)) : std::string();
    }
}

// --- the public digest
// ------------------------------------------------------------------------------------------

template <typename Part> std::uint64_t hash_of(const Part& part, std::uint64_t start) {
    static_assert(sizeof(Part) % 4 == 0);
    std::uint64_t hash = start;
    for (std::size_t at = 0; at < sizeof part; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, reinterpret_cast<const unsigned char*>(&part) + at, 4);
        hash += word;
        hash = next_fast(hash);
    }
    return hash;
}

// A card without the number of its creation, and with these flags only.
Card faceless(Card card, unsigned flags) {
    card.created = 0;
    card.flags = static_cast<std::uint8_t>(card.flags & flags);
    return card;
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

std::string broken_step(const State& before, const Action& action, const State& after) {
    for (const auto rule : {broken_money, broken_slots, broken_counters, broken_deck_size}) {
        if (std::string broken = rule(before, action, after); !broken.empty()) {
            return broken;
        }
    }
    return broken_display(before, after);
}

std::uint64_t public_digest(const State& state) {
    State seen = state;
    std::memset(static_cast<void*>(&seen.streams), 0, sizeof seen.streams);
    std::memset(static_cast<void*>(seen.cards), 0, sizeof seen.cards);
    std::memset(seen.hand, 0, sizeof seen.hand);
    std::memset(seen.draw_pile, 0, sizeof seen.draw_pile);
    // Cards that cannot be told apart by place, the pile and the face-down cards of the hand, count as a set;
    // so do those of the discard pile. The others are seen where they are.
    std::uint64_t digest = 0;
    bool unseen[kMaxCards] = {};
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        const bool hidden = (card.flags & card_face_down) != 0;
        unseen[state.hand[i]] = hidden;
        seen.hand[i] = hidden ? static_cast<std::uint8_t>(card.flags & (card_face_down | card_forced)) : 1;
        seen.cards[i] = hidden ? Card{} : faceless(card, 0xff);
    }
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        if (card.place() == CardPlace::draw_pile || unseen[i]) {
            digest +=
                hash_of(faceless(card, card_debuffed | card_played_this_ante | card_debuffed_for_good), 1);
        } else if (card.place() == CardPlace::discard_pile) {
            digest += hash_of(faceless(card, 0xff), 2);
        }
    }
    for (int i = 0; i < seen.joker_count; ++i) {
        if ((seen.jokers[i].flags & joker_face_down) != 0) {
            digest += hash_of(seen.jokers[i], 3);
            seen.jokers[i] = {};
        }
    }
    return digest ^ state_hash(seen);
}

}  // namespace jimbot::fuzz
