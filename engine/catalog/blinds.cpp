// The blinds: numbers and effects side by side.
#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/poker.hpp"
#include "rules/round.hpp"

namespace jimbot {

namespace {

// --- cards that do not count

template <Suit suit> bool debuffs_suit(const State&, const Card& card, const PokerRules& rules) {
    return card.enhancement == m_wild || (card.enhancement != m_stone && smeared_match(card.suit, suit, rules.smeared));
}

void lift_leaf(State& state) {
    if (state.round.leaf_lifted == 0) {
        state.round.leaf_lifted = 1;
        refresh_debuffs(state);
    }
}

// --- fewer hands and discards, larger targets

void take_discards(State& state) {
    Round& round = state.round;
    round.discards_removed = round.discards_left;
    round.discards_left = 0;
}

void return_discards(State& state) {
    Round& round = state.round;
    round.discards_left = bounded_count(round.discards_left + round.discards_removed);
}

void take_hands(State& state) {
    Round& round = state.round;
    round.hands_removed = static_cast<std::int16_t>(round.hands_left - 1);
    round.hands_left = 1;
}

void return_hands(State& state) {
    Round& round = state.round;
    round.hands_left = bounded_count(round.hands_left + round.hands_removed);
}

template <int factor> void divide_target(State& state) { state.round.target /= factor; }

// --- what is played

void discard_two_cards(State& state, int) {
    std::uint8_t chosen[2];
    int count = 0;
    std::uint8_t order[kMaxHand] = {};
    std::copy(state.hand, state.hand + state.hand_count, order);
    int left = state.hand_count;
    std::sort(order, order + left);
    for (; count < 2 && left > 0; ++count) {
        const int at = draw(state.streams, Stream::hook, state.ante).index(left);
        chosen[count] = order[at];
        std::copy(order + at + 1, order + left, order + at);
        --left;
    }
    discard_cards(state, chosen, count, true);
}

void take_money_for_favorite(State& state, HandType type, bool) {
    if (type == state.ox_hand) {
        state.round.boss_triggered = 1;
        state.money = 0;
    }
}

bool was_played_before(const State& state, HandType type, int) { return ((state.round.hand_types_seen >> type) & 1) != 0; }

void remember_type(State& state, HandType type, bool) { state.round.hand_types_seen = static_cast<std::uint16_t>(state.round.hand_types_seen | (1u << type)); }

bool is_another_type(const State& state, HandType type, int) { return state.round.only_hand != hand_types && state.round.only_hand != type; }

void remember_only_type(State& state, HandType type, bool blocked) {
    if (!blocked) {
        state.round.only_hand = type;
    }
}

// --- cards that lie face down

bool is_marked(const State& state, const Card& card) { return is_face_to_blind(card, poker_rules(state)); }

// --- showdowns

void hide_and_shuffle_jokers(State& state) {
    for (int i = 0; i < state.joker_count; ++i) {
        state.jokers[i].flags |= joker_face_down;
    }
    if (state.joker_count <= 1) {
        return;
    }
    for (int times = 0; times < 3; ++times) {
        std::sort(state.jokers, state.jokers + state.joker_count, [](const Joker& a, const Joker& b) { return a.created < b.created; });
        const LuaRandom random = draw_generator(state.streams, Stream::amber_acorn, state.ante);
        shuffle(random, state.jokers, state.joker_count);
    }
    pin_jokers(state);
}

// All jokers but the one hit now may be next, unless it is alone.
void debuff_one_joker(State& state) {
    if (state.round.heart_ready == 0) {
        return;
    }
    state.round.heart_ready = 0;
    const int chosen = draw_joker_position(state, Stream::crimson_heart, [&](int i) { return state.joker_count == 1 || (state.jokers[i].flags & joker_hit_by_boss) == 0; });
    if (chosen < 0) {
        return;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        const unsigned flags = i == chosen ? joker.flags | unsigned{joker_hit_by_boss} : joker.flags & ~unsigned{joker_hit_by_boss};
        set_joker_flags(state, joker, static_cast<std::uint8_t>(flags));
    }
}

void force_one_card(State& state) {
    if (state.hand_count == 0) {
        return;
    }
    std::uint8_t order[kMaxHand] = {};
    for (int i = 0; i < state.hand_count; ++i) {
        if ((state.cards[state.hand[i]].flags & card_forced) != 0) {
            return;
        }
        order[i] = state.hand[i];
    }
    std::sort(order, order + state.hand_count);  // index order is creation order
    const int chosen = order[draw(state.streams, Stream::cerulean_bell, state.ante).index(state.hand_count)];
    state.cards[chosen].flags |= card_forced;
}

}  // namespace

constexpr std::array<BlindEntry, bl_end> kBlinds = {{
    {.key = "", .name = ""},
    {.key = "bl_small", .name = "Small Blind", .kind = BlindKind::small, .score_multiplier = 1, .reward = 3},
    {.key = "bl_big", .name = "Big Blind", .kind = BlindKind::big, .score_multiplier = 1.5, .reward = 4},
    {.key = "bl_hook",
     .name = "The Hook",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.hand_played = discard_two_cards},
     .traits = {.difficulty = 0.25, .play_effect = PlayEffect::held_cards}},
    {.key = "bl_ox",
     .name = "The Ox",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 6,
     .hooks = {.hand_read = take_money_for_favorite},
     .traits = {.difficulty = 0.05}},
    {.key = "bl_house",
     .name = "The House",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.face_down = [](State& state, const Card&) { return state.round.hands_played == 0 && state.round.discards_used == 0; }},
     .traits = {.difficulty = 0.1}},
    {.key = "bl_wall", .name = "The Wall", .kind = BlindKind::boss, .score_multiplier = 4, .reward = 5, .min_ante = 2, .hooks = {.disabled = divide_target<2>}},
    {.key = "bl_wheel",
     .name = "The Wheel",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.face_down = [](State& state, const Card&) { return comes_off(state, Stream::wheel, 7); }},
     .traits = {.difficulty = 0.1}},
    {.key = "bl_arm", .name = "The Arm", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2, .lowers_level = true, .traits = {.difficulty = 0.15}},
    {.key = "bl_club",
     .name = "The Club",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.debuffs = debuffs_suit<suit_clubs>},
     .traits = {.difficulty = 0.2}},
    {.key = "bl_fish",
     .name = "The Fish",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.hand_played = [](State& state, int) { state.round.fish_ready = 1; }, .face_down = [](State& state, const Card&) { return state.round.fish_ready != 0; }},
     .traits = {.difficulty = 0.2, .play_effect = PlayEffect::later, .hides_draws_after_play = true}},
    {.key = "bl_psychic",
     .name = "The Psychic",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.blocks = [](const State&, HandType, int played_count) { return played_count < 5; }},
     .traits = {.difficulty = 0.05}},
    {.key = "bl_goad",
     .name = "The Goad",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.debuffs = debuffs_suit<suit_spades>},
     .traits = {.difficulty = 0.2}},
    {.key = "bl_water",
     .name = "The Water",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.selected = take_discards, .disabled = return_discards},
     .traits = {.difficulty = 0.35}},
    {.key = "bl_window",
     .name = "The Window",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.debuffs = debuffs_suit<suit_diamonds>},
     .traits = {.difficulty = 0.2}},
    {.key = "bl_manacle", .name = "The Manacle", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1, .hand_size = -1, .traits = {.difficulty = 0.15}},
    {.key = "bl_eye",
     .name = "The Eye",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 3,
     .hooks = {.blocks = was_played_before, .hand_read = remember_type},
     .traits = {.difficulty = 0.4}},
    {.key = "bl_mouth",
     .name = "The Mouth",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.blocks = is_another_type, .hand_read = remember_only_type},
     .traits = {.difficulty = 0.25}},
    {.key = "bl_plant",
     .name = "The Plant",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 4,
     .hooks = {.debuffs = [](const State&, const Card& card, const PokerRules& rules) { return is_face_to_blind(card, rules); }},
     .traits = {.difficulty = 0.3}},
    {.key = "bl_serpent", .name = "The Serpent", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 5, .draws = 3, .traits = {.difficulty = 0.1}},
    {.key = "bl_pillar",
     .name = "The Pillar",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.debuffs = [](const State&, const Card& card, const PokerRules&) { return (card.flags & card_played_this_ante) != 0; }},
     .traits = {.difficulty = 0.25}},
    {.key = "bl_needle",
     .name = "The Needle",
     .kind = BlindKind::boss,
     .score_multiplier = 1,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.selected = take_hands, .disabled = return_hands},
     .traits = {.difficulty = 0.7}},
    {.key = "bl_head",
     .name = "The Head",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 1,
     .hooks = {.debuffs = debuffs_suit<suit_hearts>},
     .traits = {.difficulty = 0.2}},
    {.key = "bl_tooth",
     .name = "The Tooth",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 3,
     .hooks = {.hand_played = [](State& state, int played_count) { earn(state, -played_count); }},
     .traits = {.difficulty = 0.05, .play_effect = PlayEffect::money}},
    {.key = "bl_flint", .name = "The Flint", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2, .halves_base = true, .traits = {.difficulty = 0.6}},
    {.key = "bl_mark",
     .name = "The Mark",
     .kind = BlindKind::boss,
     .score_multiplier = 2,
     .reward = 5,
     .min_ante = 2,
     .hooks = {.face_down = [](State& state, const Card& card) { return is_marked(state, card); }},
     .traits = {.difficulty = 0.2, .hides = is_marked}},
    {.key = "bl_final_acorn",
     .name = "Amber Acorn",
     .kind = BlindKind::showdown,
     .score_multiplier = 2,
     .reward = 8,
     .min_ante = 8,
     .hooks = {.selected = hide_and_shuffle_jokers},
     .traits = {.difficulty = 0.2}},
    {.key = "bl_final_leaf",
     .name = "Verdant Leaf",
     .kind = BlindKind::showdown,
     .score_multiplier = 2,
     .reward = 8,
     .min_ante = 8,
     .hooks = {.debuffs = [](const State& state, const Card&, const PokerRules&) { return state.round.leaf_lifted == 0; }, .joker_sold = lift_leaf},
     .traits = {.difficulty = 0.5, .lifted_by_sale = [](const State& state) { return state.round.leaf_lifted == 0; }}},
    {.key = "bl_final_vessel", .name = "Violet Vessel", .kind = BlindKind::showdown, .score_multiplier = 6, .reward = 8, .min_ante = 8, .hooks = {.disabled = divide_target<3>}},
    {.key = "bl_final_heart",
     .name = "Crimson Heart",
     .kind = BlindKind::showdown,
     .score_multiplier = 2,
     .reward = 8,
     .min_ante = 8,
     .hooks = {
         .selected = [](State& state) { state.round.heart_ready = 1; }, .hand_played = [](State& state, int) { state.round.heart_ready = 1; }, .cards_drawn = debuff_one_joker},
     .traits = {.difficulty = 0.5, .play_effect = PlayEffect::later}},
    {.key = "bl_final_bell",
     .name = "Cerulean Bell",
     .kind = BlindKind::showdown,
     .score_multiplier = 2,
     .reward = 8,
     .min_ante = 8,
     .forces_card = true,
     .hooks = {.cards_drawn = force_one_card},
     .traits = {.difficulty = 0.2}},
}};
static_assert(keys_match(kBlinds, kBlindKeys), "the blinds stand in the order of core/ids.hpp");

}  // namespace jimbot
