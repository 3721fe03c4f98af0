// Changing a run by hand: for tests, puzzles and calculators.

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "bindings/parse.hpp"
#include "core/snapshot.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/owned.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"

namespace jimbot::bindings {

namespace {

void set_jokers(State& state, nb::handle value) {
    while (state.joker_count > 0) {
        remove_joker(state, state.joker_count - 1);
    }
    for (const std::string& text : strings(value, "jokers")) {
        const Joker joker = parse_joker(state, text);
        if (!add_joker(state, joker)) {
            fail("at most " + std::to_string(kMaxJokers) + " jokers fit");
        }
    }
}

void set_consumables(State& state, nb::handle value) {
    while (state.consumable_count > 0) {
        remove_consumable(state, state.consumable_count - 1);
    }
    for (const std::string& text : strings(value, "consumables")) {
        const Item item = parse_item(state, text);
        if (item.kind != ItemKind::consumable) {
            fail("'" + text + "' is not a consumable");
        }
        if (!add_consumable(state, {item.card.created, 0, item.id, item.edition})) {
            fail("at most " + std::to_string(kMaxConsumables) + " consumables fit");
        }
    }
}

// Removes every card at a place and adds new ones there, in the given order.
void set_cards(State& state, CardPlace place, const std::vector<std::string>& texts) {
    for (int i = state.card_count - 1; i >= 0; --i) {
        if (state.cards[i].place() == place) {
            const auto index = static_cast<std::uint8_t>(i);
            const std::uint8_t saved_jokers = state.joker_count;
            state.joker_count = 0;  // an edit is no event: no joker reacts
            destroy_cards(state, &index, 1, DestroyedBy::other_consumable);
            state.joker_count = saved_jokers;
        }
    }
    for (const std::string& text : texts) {
        Card card = parse_card(text);
        if (state.card_count >= kMaxCards || (place == CardPlace::hand && state.hand_count >= kMaxHand)) {
            fail("too many cards: the deck holds " + std::to_string(kMaxCards) + " and the hand " +
                 std::to_string(kMaxHand));
        }
        card.created = state.next_created++;
        card.move_to(place);
        const std::uint8_t index = state.card_count++;
        state.cards[index] = card;
        if (place == CardPlace::hand) {
            state.hand[state.hand_count++] = index;
        } else if (place == CardPlace::draw_pile) {
            state.draw_pile[state.draw_count++] = index;
        }
    }
    if (place == CardPlace::draw_pile) {
        std::reverse(state.draw_pile, state.draw_pile + state.draw_count);  // the first listed is drawn first
    }
}

void set_shelf(State& state, Item* shelf, int capacity, std::uint8_t* count, nb::handle value,
               const char* field, ItemKind only) {
    const std::vector<std::string> texts = strings(value, field);
    if (static_cast<int>(texts.size()) > capacity) {
        fail(std::string(field) + ": at most " + std::to_string(capacity) + " entries fit");
    }
    for (int i = 0; i < capacity; ++i) {
        release_item(state, shelf[i]);
        shelf[i] = {};
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        shelf[i] = parse_item(state, texts[i]);
        const bool fits = only == ItemKind::none
                              ? shelf[i].kind != ItemKind::voucher && shelf[i].kind != ItemKind::pack
                              : shelf[i].kind == only;
        if (!fits) {
            fail(std::string(field) + ": '" + texts[i] + "' does not belong there");
        }
        if (shelf[i].kind == ItemKind::joker) {
            mark_joker(state, shelf[i].id);
        } else if (shelf[i].kind == ItemKind::consumable) {
            mark_consumable(state, shelf[i].id);
        }
    }
    if (count != nullptr) {
        *count = static_cast<std::uint8_t>(texts.size());
    }
}

void set_tags(State& state, nb::handle value) {
    state.tag_count = 0;
    for (const std::string& text : strings(value, "tags")) {
        if (state.tag_count >= kMaxTags) {
            fail("at most " + std::to_string(kMaxTags) + " tags fit");
        }
        state.tags[state.tag_count++] = {id_of(kTagEntries, text, "tag"), hand_high_card};
    }
}

template <typename Apply> void each_hand(nb::handle value, Apply apply) {
    for (const auto& [name, number] : nb::cast<nb::dict>(value)) {
        apply(hand_of(nb::cast<std::string>(name)), nb::cast<int>(number));
    }
}

void set_targets(State& state, nb::handle value) {
    for (const auto& [name_handle, target_handle] : nb::cast<nb::dict>(value)) {
        const auto name = nb::cast<std::string>(name_handle);
        const auto target = nb::cast<std::string>(target_handle);
        const auto suit_of = [&] {
            if (target == "none") {
                return std::uint8_t{suit_count};
            }
            for (std::uint8_t suit = 0; suit < suit_count; ++suit) {
                if (target == kSuitNames[suit]) {
                    return suit;
                }
            }
            fail("unknown suit '" + target + "'; expected Clubs, Diamonds, Hearts or Spades");
        };
        if (name == "idol" && target == "none") {
            state.targets.idol_rank = 0;
        } else if (name == "idol") {
            const Card card = parse_card(target);
            state.targets.idol_rank = card.rank;
            state.targets.idol_suit = card.suit;
        } else if (name == "mail") {
            state.targets.mail_rank = parse_card("S_" + target).rank;
        } else if (name == "castle") {
            state.targets.castle_suit = suit_of();
        } else if (name == "ancient") {
            state.targets.ancient_suit = suit_of();
        } else {
            fail("unknown target '" + name + "'; expected idol, mail, castle or ancient");
        }
    }
}

template <typename Number> bool set_number(Number& field, nb::handle value) {
    field = static_cast<Number>(nb::cast<std::int64_t>(value));
    return true;
}

bool edit_numbers(State& state, const std::string& name, nb::handle value) {
    Round& round = state.round;
    if (name == "money") {
        return set_number(state.money, value);
    }
    if (name == "ante") {
        return set_number(state.ante, value);
    }
    if (name == "hands_left") {
        return set_number(round.hands_left, value);
    }
    if (name == "discards_left") {
        return set_number(round.discards_left, value);
    }
    if (name == "hands_played_round") {
        return set_number(round.hands_played, value);
    }
    if (name == "discards_used") {
        return set_number(round.discards_used, value);
    }
    if (name == "hands_played") {
        return set_number(state.hands_played, value);
    }
    if (name == "tarots_used") {
        return set_number(state.tarots_used, value);
    }
    if (name == "skips") {
        return set_number(state.skips, value);
    }
    if (name == "unused_discards") {
        return set_number(state.unused_discards, value);
    }
    if (name == "joker_slots") {
        return set_number(state.base_joker_slots, value);
    }
    if (name == "consumable_slots") {
        return set_number(state.base_consumable_slots, value);
    }
    if (name == "hand_size") {
        return set_number(state.base_hand_size, value);
    }
    if (name == "starting_cards") {
        return set_number(state.starting_cards, value);
    }
    if (name == "stake") {
        return set_number(state.stake, value);
    }
    if (name == "gros_michel_extinct") {
        return set_number(state.gros_michel_extinct, value);
    }
    if (name == "score") {
        round.score = nb::cast<double>(value);
        return true;
    }
    if (name == "target") {
        round.target = nb::cast<double>(value);
        return true;
    }
    return false;
}

bool edit_choices(State& state, const std::string& name, nb::handle value) {
    Round& round = state.round;
    if (name == "boss") {
        state.boss = id_of(kBlinds, nb::cast<std::string>(value), "blind");
        if (state.boss <= bl_big) {
            fail("the boss must be a boss blind");
        }
        return true;
    }
    if (name == "blind") {
        // The blind being played, without its set-up; debuffs follow `refresh_debuffs`.
        round.blind = id_of(kBlinds, nb::cast<std::string>(value), "blind");
        return true;
    }
    if (name == "blind_disabled") {
        return set_number(round.boss_disabled, value);
    }
    if (name == "refresh_debuffs") {
        return true;  // done last, when all cards are in place
    }
    if (name == "only_hand") {
        round.only_hand = hand_of(nb::cast<std::string>(value));
        return true;
    }
    if (name == "hands_seen") {
        round.hand_types_seen = 0;
        for (const std::string& hand : strings(value, "hands_seen")) {
            round.hand_types_seen = static_cast<std::uint16_t>(round.hand_types_seen | (1u << hand_of(hand)));
        }
        return true;
    }
    if (name == "ox_hand") {
        state.ox_hand = hand_of(nb::cast<std::string>(value));
        return true;
    }
    if (name == "next_blind") {
        const auto blind = nb::cast<std::string>(value);
        state.blind_on_deck = blind == "small" ? 0 : blind == "big" ? 1 : 2;
        return true;
    }
    if (name == "skip_tags") {
        const std::vector<std::string> tags = strings(value, "skip_tags");
        if (tags.size() != 2) {
            fail("skip_tags must name two tags");
        }
        state.blind_tags[0] = id_of(kTagEntries, tags[0], "tag");
        state.blind_tags[1] = id_of(kTagEntries, tags[1], "tag");
        return true;
    }
    if (name == "orbital_hands") {
        const std::vector<std::string> hands = strings(value, "orbital_hands");
        if (hands.size() != std::size(state.orbital_hands)) {
            fail("orbital_hands must name three poker hands");
        }
        std::transform(hands.begin(), hands.end(), state.orbital_hands, hand_of);
        return true;
    }
    if (name == "last_consumable") {
        state.last_consumable = id_of(kConsumables, nb::cast<std::string>(value), "consumable");
        return true;
    }
    if (name == "ante_voucher") {
        state.voucher = id_of(kVouchers, nb::cast<std::string>(value), "voucher");
        return true;
    }
    if (name == "challenge") {
        state.challenge = id_of(kChallenges, nb::cast<std::string>(value), "challenge");
        state.challenge_rules = kChallenges[state.challenge].rules;
        return true;
    }
    if (name == "deck") {
        state.deck = deck_from_key(nb::cast<std::string>(value));
        return true;
    }
    return false;
}

bool edit_lists(State& state, const std::string& name, nb::handle value) {
    if (name == "jokers") {
        set_jokers(state, value);
        return true;
    }
    if (name == "consumables") {
        set_consumables(state, value);
        return true;
    }
    if (name == "hand") {
        set_cards(state, CardPlace::hand, strings(value, "hand"));
        return true;
    }
    if (name == "draw_pile") {
        set_cards(state, CardPlace::draw_pile, strings(value, "draw_pile"));
        return true;
    }
    if (name == "discard_pile") {
        set_cards(state, CardPlace::discard_pile, strings(value, "discard_pile"));
        return true;
    }
    if (name == "tags") {
        set_tags(state, value);
        return true;
    }
    if (name == "targets") {
        set_targets(state, value);
        return true;
    }
    if (name == "levels") {
        each_hand(value, [&](std::uint8_t hand, int n) { state.hands[hand].level = n; });
        return true;
    }
    if (name == "plays") {
        each_hand(value, [&](std::uint8_t hand, int n) {
            state.hands[hand].played = static_cast<std::uint16_t>(n);
            state.hands[hand].visible = state.hands[hand].visible != 0 || n > 0 ? 1 : 0;
        });
        return true;
    }
    if (name == "plays_round") {
        each_hand(value, [&](std::uint8_t hand, int n) {
            state.hands[hand].played_this_round = static_cast<std::uint8_t>(n);
        });
        return true;
    }
    if (name == "vouchers") {
        state.vouchers = 0;
        for (const std::string& key : strings(value, "vouchers")) {
            state.vouchers |= bit(voucher_from_key(key));
        }
        return true;
    }
    if (name == "shop_slots") {
        set_shelf(state, state.shop.slots, kMaxShopSlots, &state.shop.slot_count, value, "shop_slots",
                  ItemKind::none);
        return true;
    }
    if (name == "shop_vouchers") {
        set_shelf(state, state.shop.vouchers, kMaxShopVouchers, &state.shop.voucher_count, value,
                  "shop_vouchers", ItemKind::voucher);
        return true;
    }
    if (name == "shop_packs") {
        set_shelf(state, state.shop.packs, kShopPacks, nullptr, value, "shop_packs", ItemKind::pack);
        return true;
    }
    if (name == "pack_cards") {
        set_shelf(state, state.pack.cards, kMaxPackCards, &state.pack.count, value, "pack_cards",
                  ItemKind::none);
        return true;
    }
    return false;
}

}  // namespace

void edit_state(State& state, const nb::dict& changes) {
    State edited = state;
    for (const auto& [name_handle, value] : changes) {
        const auto name = nb::cast<std::string>(name_handle);
        bool known = false;
        try {
            known = edit_numbers(edited, name, value) || edit_choices(edited, name, value) ||
                    edit_lists(edited, name, value);
        } catch (const std::bad_cast&) {
            fail(name + ": cannot take " + nb::cast<std::string>(nb::repr(value)) +
                 "; numbers are given as such, names by their keys, cards in one-line form");
        }
        if (!known) {
            fail("cannot edit '" + name + "': no such part of a run");
        }
    }
    if (changes.contains("refresh_debuffs") && nb::cast<bool>(changes["refresh_debuffs"])) {
        refresh_debuffs(edited);
    }
    if (!possible_state(edited)) {
        fail("the edited run is impossible: some value is out of its bounds");
    }
    state = edited;
}

}  // namespace jimbot::bindings
