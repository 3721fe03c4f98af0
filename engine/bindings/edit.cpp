// Changing a run by hand: for tests, puzzles and calculators.

#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "bindings/parse.hpp"
#include "bindings/values.hpp"
#include "core/snapshot.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/owned.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"

namespace jimbot::bindings {

namespace {

// --- lists ---

void set_jokers(State& state, nb::handle value) {
    while (state.joker_count > 0) {
        remove_joker(state, state.joker_count - 1);
    }
    for (const std::string& text : texts_of(value)) {
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
    for (const std::string& text : texts_of(value)) {
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
template <CardPlace place> void set_cards(State& state, nb::handle value) {
    const std::vector<std::string> texts = texts_of(value);
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

// Replaces what is on a shelf, or in a pack, by as many items as fit; they must be of one kind, or cards of
// any kind. `count` is where their number is kept, if it is.
void set_shelf(State& state, Item* shelf, int capacity, std::uint8_t* count, nb::handle value,
               ItemKind only) {
    const std::vector<std::string> texts = texts_of(value);
    if (static_cast<int>(texts.size()) > capacity) {
        fail("at most " + std::to_string(capacity) + " entries fit, got " + std::to_string(texts.size()));
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
            fail("'" + texts[i] + "' does not belong there");
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
    for (const std::string& text : texts_of(value)) {
        if (state.tag_count >= kMaxTags) {
            fail("at most " + std::to_string(kMaxTags) + " tags fit");
        }
        state.tags[state.tag_count++] = {id_of(kTagEntries, text, "tag"), hand_high_card};
    }
}

void set_skip_tags(State& state, nb::handle value) {
    const std::vector<std::string> tags = texts_of(value);
    if (tags.size() != 2) {
        fail("expected two tags, of the small and the big blind; got " + std::to_string(tags.size()));
    }
    state.blind_tags[0] = id_of(kTagEntries, tags[0], "tag");
    state.blind_tags[1] = id_of(kTagEntries, tags[1], "tag");
}

void set_orbital_hands(State& state, nb::handle value) {
    const std::vector<std::string> hands = texts_of(value);
    if (hands.size() != std::size(state.orbital_hands)) {
        fail("expected three poker hands, of the small, the big and the boss blind; got " +
             std::to_string(hands.size()));
    }
    std::transform(hands.begin(), hands.end(), state.orbital_hands, hand_of);
}

void set_vouchers(State& state, nb::handle value) {
    state.vouchers = 0;
    for (const std::string& key : texts_of(value)) {
        state.vouchers |= bit(id_of(kVouchers, key, "voucher"));
    }
}

void set_hands_seen(State& state, nb::handle value) {
    state.round.hand_types_seen = 0;
    for (const std::string& hand : texts_of(value)) {
        state.round.hand_types_seen =
            static_cast<std::uint16_t>(state.round.hand_types_seen | (1u << hand_of(hand)));
    }
}

// --- dicts ---

nb::dict dict_of(nb::handle value, const char* example) {
    if (!nb::isinstance<nb::dict>(value)) {
        fail(std::string("expected a dict such as ") + example + ", got " + shown(value));
    }
    return nb::cast<nb::dict>(value);
}

// Numbers by poker hand, within bounds.
template <typename Apply> void each_hand(nb::handle value, int high, Apply apply) {
    for (const auto& [name_handle, number] : dict_of(value, "{'Pair': 3}")) {
        const std::string name = text_of(name_handle);
        const std::uint8_t hand = hand_of(name);
        try {
            apply(hand, static_cast<int>(whole_number(number, 0, high)));
        } catch (const Refused& refused) {
            fail(name + ": " + refused.what());
        }
    }
}

void set_levels(State& state, nb::handle value) {
    each_hand(value, kMaxLevel, [&](std::uint8_t hand, int level) { state.hands[hand].level = level; });
}

void set_plays(State& state, nb::handle value) {
    each_hand(value, UINT16_MAX, [&](std::uint8_t hand, int plays) {
        state.hands[hand].played = static_cast<std::uint16_t>(plays);
        state.hands[hand].visible = state.hands[hand].visible != 0 || plays > 0 ? 1 : 0;
    });
}

void set_plays_round(State& state, nb::handle value) {
    each_hand(value, UINT8_MAX, [&](std::uint8_t hand, int plays) {
        state.hands[hand].played_this_round = static_cast<std::uint8_t>(plays);
    });
}

void set_targets(State& state, nb::handle value) {
    RoundTargets& targets = state.targets;
    for (const auto& [name_handle, target_handle] :
         dict_of(value, "{'idol': 'H_7', 'mail': '9', 'castle': 'Hearts', 'ancient': 'Clubs'}")) {
        const std::string name = text_of(name_handle);
        const std::string target = text_of(target_handle);
        if (name == "idol" && target == "none") {
            targets.idol_rank = 0;
        } else if (name == "idol") {
            const Card card = parse_card(target);
            targets.idol_rank = card.rank;
            targets.idol_suit = card.suit;
        } else if (name == "mail") {
            targets.mail_rank = parse_rank(target);
        } else if (name == "castle") {
            targets.castle_suit = parse_suit(target);
        } else if (name == "ancient") {
            targets.ancient_suit = target == "none" ? std::uint8_t{suit_count} : parse_suit(target);
        } else {
            fail("unknown target '" + name + "'; expected idol, mail, castle or ancient");
        }
    }
}

// --- single values ---

void set_boss(State& state, nb::handle value) {
    state.boss = id_of(kBlinds, text_of(value), "blind");
    if (!is_boss(state.boss)) {
        fail("the boss must be a boss blind, got " + shown(value));
    }
}

void set_next_blind(State& state, nb::handle value) {
    constexpr std::string_view kNames[] = {"small", "big", "boss"};
    const std::string name = text_of(value);
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames)) {
        fail("expected small, big or boss; got " + shown(value));
    }
    state.blind_on_deck = static_cast<std::uint8_t>(found - kNames);
}

void set_challenge(State& state, nb::handle value) {
    state.challenge = id_of(kChallenges, text_of(value), "challenge");
    state.challenge_rules = kChallenges[state.challenge].rules;
}

// A whole number of a state, with its bounds.
struct NumberField {
    std::string_view name;
    int low;
    int high;
    void (*set)(State& state, int value);
};

template <auto member> void set_number(State& state, int value) {
    auto& field = state.*member;
    field = static_cast<std::remove_reference_t<decltype(field)>>(value);
}
template <auto member> void set_round_number(State& state, int value) {
    auto& field = state.round.*member;
    field = static_cast<std::remove_reference_t<decltype(field)>>(value);
}

constexpr NumberField kNumbers[] = {
    {"money", -kMaxMoney, kMaxMoney, set_number<&State::money>},
    {"ante", kMinAnte, kMaxAnte, set_number<&State::ante>},
    {"stake", 1, 8, set_number<&State::stake>},
    {"hands_left", 0, kMaxCount, set_round_number<&Round::hands_left>},
    {"discards_left", 0, kMaxCount, set_round_number<&Round::discards_left>},
    {"hands_played_round", 0, UINT16_MAX, set_round_number<&Round::hands_played>},
    {"discards_used", 0, UINT16_MAX, set_round_number<&Round::discards_used>},
    {"hands_played", 0, UINT16_MAX, set_number<&State::hands_played>},
    {"tarots_used", 0, UINT16_MAX, set_number<&State::tarots_used>},
    {"skips", 0, UINT16_MAX, set_number<&State::skips>},
    {"unused_discards", 0, UINT16_MAX, set_number<&State::unused_discards>},
    {"joker_slots", -kMaxCount, kMaxCount, set_number<&State::base_joker_slots>},
    {"consumable_slots", -kMaxCount, kMaxCount, set_number<&State::base_consumable_slots>},
    {"hand_size", -kMaxCount, kMaxCount, set_number<&State::base_hand_size>},
    {"starting_cards", 0, UINT8_MAX, set_number<&State::starting_cards>},
};

// Any other part of a state.
struct ValueField {
    std::string_view name;
    void (*set)(State& state, nb::handle value);
};

constexpr double kMostChips = std::numeric_limits<double>::max();

constexpr ValueField kValues[] = {
    {"score", [](State& state, nb::handle value) { state.round.score = real_number(value, 0, kMostChips); }},
    {"target",
     [](State& state, nb::handle value) { state.round.target = real_number(value, 0, kMostChips); }},
    {"gros_michel_extinct",
     [](State& state, nb::handle value) { state.gros_michel_extinct = flag(value) ? 1 : 0; }},
    {"blind_disabled",
     [](State& state, nb::handle value) { state.round.boss_disabled = flag(value) ? 1 : 0; }},
    {"refresh_debuffs", [](State&, nb::handle value) { flag(value); }},  // done last, with all cards in place
    {"boss", set_boss},
    // The blind being played, without its set-up; debuffs follow `refresh_debuffs`.
    {"blind",
     [](State& state, nb::handle value) { state.round.blind = id_of(kBlinds, text_of(value), "blind"); }},
    {"next_blind", set_next_blind},
    {"only_hand", [](State& state, nb::handle value) { state.round.only_hand = hand_of(text_of(value)); }},
    {"ox_hand", [](State& state, nb::handle value) { state.ox_hand = hand_of(text_of(value)); }},
    {"hands_seen", set_hands_seen},
    {"skip_tags", set_skip_tags},
    {"orbital_hands", set_orbital_hands},
    {"last_consumable",
     [](State& state, nb::handle value) {
         state.last_consumable = id_of(kConsumables, text_of(value), "consumable");
     }},
    {"ante_voucher",
     [](State& state, nb::handle value) { state.voucher = id_of(kVouchers, text_of(value), "voucher"); }},
    {"challenge", set_challenge},
    {"deck", [](State& state, nb::handle value) { state.deck = id_of(kDecks, text_of(value), "deck"); }},
    {"jokers", set_jokers},
    {"consumables", set_consumables},
    {"hand", set_cards<CardPlace::hand>},
    {"draw_pile", set_cards<CardPlace::draw_pile>},
    {"discard_pile", set_cards<CardPlace::discard_pile>},
    {"tags", set_tags},
    {"targets", set_targets},
    {"levels", set_levels},
    {"plays", set_plays},
    {"plays_round", set_plays_round},
    {"vouchers", set_vouchers},
    {"shop_slots",
     [](State& state, nb::handle value) {
         set_shelf(state, state.shop.slots, kMaxShopSlots, &state.shop.slot_count, value, ItemKind::none);
     }},
    {"shop_vouchers",
     [](State& state, nb::handle value) {
         set_shelf(state, state.shop.vouchers, kMaxShopVouchers, &state.shop.voucher_count, value,
                   ItemKind::voucher);
     }},
    {"shop_packs",
     [](State& state, nb::handle value) {
         set_shelf(state, state.shop.packs, kShopPacks, nullptr, value, ItemKind::pack);
     }},
    {"pack_cards",
     [](State& state, nb::handle value) {
         set_shelf(state, state.pack.cards, kMaxPackCards, &state.pack.count, value, ItemKind::none);
     }},
};

void edit_field(State& state, const std::string& name, nb::handle value) {
    for (const NumberField& field : kNumbers) {
        if (field.name == name) {
            field.set(state, static_cast<int>(whole_number(value, field.low, field.high)));
            return;
        }
    }
    for (const ValueField& field : kValues) {
        if (field.name == name) {
            field.set(state, value);
            return;
        }
    }
    std::vector<std::string_view> names;
    for (const NumberField& field : kNumbers) {
        names.push_back(field.name);
    }
    for (const ValueField& field : kValues) {
        names.push_back(field.name);
    }
    fail("no such part of a run" + suggestion(name, names));
}

}  // namespace

// All changes are made to a copy, so an edit that is refused changes nothing.
void edit_state(State& state, const nb::dict& changes) {
    State edited = state;
    for (const auto& [name_handle, value] : changes) {
        const std::string name = text_of(name_handle);
        try {
            edit_field(edited, name, value);
        } catch (const Refused& refused) {
            fail(name + ": " + refused.what());
        }
    }
    if (changes.contains("refresh_debuffs") && flag(changes["refresh_debuffs"])) {
        refresh_debuffs(edited);
    }
    if (const char* part = impossible_part(edited)) {
        fail(std::string("the edited run is impossible: ") + part);
    }
    state = edited;
}

}  // namespace jimbot::bindings
