#include "rules/blind.hpp"

#include <algorithm>
#include <cmath>

#include "rules/challenge.hpp"
#include "rules/owned.hpp"
#include "rules/poker.hpp"
#include "rules/round.hpp"

namespace jimbot {

namespace {

// Required base chips for antes 1 to 8 by scaling.
constexpr double kAnteBase[3][8] = {
    {300, 800, 2000, 5000, 11000, 20000, 35000, 50000},
    {300, 900, 2600, 8000, 20000, 36000, 60000, 100000},
    {300, 1000, 3200, 9000, 25000, 60000, 110000, 200000},
};

bool boss_hits_suit(const Card& card, int suit, bool smeared) {
    return card.enhancement == m_wild ||
           (card.enhancement != m_stone && smeared_match(card.suit, suit, smeared));
}

// The blind's standing debuff, ignoring whether it is already set.
bool blind_debuffs(const State& state, const Card& card, const PokerRules& rules) {
    if (state.round.boss_disabled != 0) {
        return false;
    }
    switch (state.round.blind) {
    case bl_club:
        return boss_hits_suit(card, suit_clubs, rules.smeared);
    case bl_goad:
        return boss_hits_suit(card, suit_spades, rules.smeared);
    case bl_head:
        return boss_hits_suit(card, suit_hearts, rules.smeared);
    case bl_window:
        return boss_hits_suit(card, suit_diamonds, rules.smeared);
    case bl_plant:
        return rules.pareidolia || (face_rank(card) && card.enhancement != m_stone);
    case bl_pillar:
        return (card.flags & card_played_this_ante) != 0;
    case bl_final_leaf:
        return state.round.leaf_lifted == 0;
    default:
        return false;
    }
}

void set_debuff(const State& state, Card& card, const PokerRules& rules) {
    const bool debuffed = (card.flags & card_debuffed_for_good) != 0 || blind_debuffs(state, card, rules);
    card.flags =
        static_cast<std::uint8_t>(debuffed ? card.flags | card_debuffed : card.flags & ~card_debuffed);
}

void pick_heart_joker(State& state) {
    if (state.joker_count == 0) {
        return;
    }
    // Candidates in creation order: all but the one hit now, unless it is alone.
    std::uint8_t order[kMaxJokers] = {};
    int count = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.joker_count == 1 || (state.jokers[i].flags & joker_hit_by_boss) == 0) {
            order[count++] = static_cast<std::uint8_t>(i);
        }
    }
    std::sort(order, order + count, [&](std::uint8_t a, std::uint8_t b) {
        return state.jokers[a].created < state.jokers[b].created;
    });
    const int chosen = order[draw(state.streams, Stream::crimson_heart, state.ante).index(count)];
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        const unsigned flags = i == chosen ? joker.flags | unsigned{joker_hit_by_boss}
                                           : joker.flags & ~unsigned{joker_hit_by_boss};
        set_joker_flags(state, joker, static_cast<std::uint8_t>(flags));
    }
}

void force_one_card(State& state) {
    if (state.hand_count == 0) {
        return;
    }
    std::uint8_t order[kMaxHand] = {};
    for (int i = 0; i < state.hand_count; ++i) {
        Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_forced) != 0) {
            return;
        }
        order[i] = state.hand[i];
    }
    std::sort(order, order + state.hand_count);  // index order is creation order
    const int chosen = order[draw(state.streams, Stream::cerulean_bell, state.ante).index(state.hand_count)];
    state.cards[chosen].flags |= card_forced;
}

}  // namespace

double ante_base(int ante, int stake) {
    const double* table = kAnteBase[stake >= 6 ? 2 : stake >= 3 ? 1 : 0];
    if (ante < 1) {
        return 100;
    }
    if (ante <= 8) {
        return table[ante - 1];
    }
    const double c = ante - 8;
    const double value = std::floor(table[7] * std::pow(1.6 + std::pow(0.75 * c, 1.0 + 0.2 * c), c));
    if (!(value < 1e300)) {
        return value;
    }
    return value - std::fmod(value, std::pow(10.0, std::floor(std::log10(value) - 1.0)));
}

double blind_target(const State& state, BlindId blind) {
    return ante_base(state.ante, state.stake) * kBlinds[blind].score_multiplier *
           (state.deck == b_plasma ? 2.0 : 1.0);
}

bool smeared_match(int suit, int wanted, bool smeared) {
    if (suit == wanted) {
        return true;
    }
    const auto red = [](int s) { return s == suit_hearts || s == suit_diamonds; };
    return smeared && red(suit) == red(wanted);
}

bool counts_as_suit(const Card& card, int suit, bool smeared) {
    if ((card.flags & card_debuffed) != 0 || is_blank(card)) {
        return false;
    }
    return card.enhancement == m_wild || smeared_match(card.suit, suit, smeared);
}

bool flush_suit(const Card& card, int suit, bool smeared) {
    if (is_blank(card)) {
        return false;
    }
    if (card.enhancement == m_wild && (card.flags & card_debuffed) == 0) {
        return true;
    }
    return smeared_match(card.suit, suit, smeared);
}

void refresh_debuff(State& state, Card& card) { set_debuff(state, card, poker_rules(state)); }

void refresh_debuffs(State& state) {
    const PokerRules rules = poker_rules(state);
    for (int i = 0; i < state.card_count; ++i) {
        set_debuff(state, state.cards[i], rules);
    }
}

void set_boss(State& state) {
    Round& round = state.round;
    if (round.blind <= bl_big) {
        return;
    }
    switch (round.blind) {
    case bl_water:
        round.discards_removed = round.discards_left;
        round.discards_left = 0;
        break;
    case bl_needle:
        round.hands_removed = static_cast<std::int16_t>(round.hands_left - 1);
        round.hands_left = 1;
        break;
    case bl_final_heart:
        round.heart_ready = 1;
        break;
    case bl_final_acorn:
        for (int i = 0; i < state.joker_count; ++i) {
            state.jokers[i].flags |= joker_face_down;
        }
        if (state.joker_count > 1) {
            for (int times = 0; times < 3; ++times) {
                std::sort(state.jokers, state.jokers + state.joker_count,
                          [](const Joker& a, const Joker& b) { return a.created < b.created; });
                const LuaRandom random = draw_generator(state.streams, Stream::amber_acorn, state.ante);
                shuffle(random, state.jokers, state.joker_count);
            }
            pin_jokers(state);
        }
        break;
    default:
        break;
    }
    refresh_debuffs(state);
}

void disable_boss(State& state) {
    Round& round = state.round;
    if (round.blind <= bl_big || round.boss_disabled != 0) {
        return;
    }
    const bool manacle = round.blind == bl_manacle;
    round.boss_disabled = 1;
    switch (round.blind) {
    case bl_water:
        round.discards_left = bounded_count(round.discards_left + round.discards_removed);
        break;
    case bl_needle:
        round.hands_left = bounded_count(round.hands_left + round.hands_removed);
        break;
    case bl_wall:
        round.target /= 2.0;
        break;
    case bl_final_vessel:
        round.target /= 3.0;
        break;
    default:
        break;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        set_joker_flags(state, joker, static_cast<std::uint8_t>(joker.flags & joker_perished));
    }
    for (int i = 0; i < state.card_count; ++i) {
        state.cards[i].flags =
            static_cast<std::uint8_t>(state.cards[i].flags & ~(card_forced | card_face_down));
    }
    refresh_debuffs(state);
    if (manacle && state.phase == Phase::playing && state.hand_count > 0) {
        draw_more_cards(state, 1);
    }
}

void boss_press_play(State& state, int played_count) {
    Round& round = state.round;
    if (round.boss_disabled != 0) {
        return;
    }
    switch (round.blind) {
    case bl_hook: {
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
        break;
    }
    case bl_tooth:
        earn(state, -played_count);
        break;
    case bl_fish:
        round.fish_ready = 1;
        break;
    case bl_final_heart:
        round.heart_ready = 1;
        break;
    default:
        break;
    }
}

void boss_after_draw(State& state) {
    if (boss_active(state, bl_final_bell)) {
        force_one_card(state);
    }
    if (boss_active(state, bl_final_heart) && state.round.heart_ready != 0) {
        state.round.heart_ready = 0;
        pick_heart_joker(state);
    }
}

bool drawn_face_down(State& state, const Card& card) {
    const Round& round = state.round;
    if (has_rule(state, rule_face_down_one_in_four) &&
        draw(state.streams, Stream::flipped_card, state.ante).real() < 0.25) {
        return true;
    }
    if (round.boss_disabled != 0) {
        return false;
    }
    switch (round.blind) {
    case bl_house:
        return round.hands_played == 0 && round.discards_used == 0;
    case bl_wheel:
        return draw(state.streams, Stream::wheel, state.ante).real() <
               static_cast<double>(odds_factor(state)) / 7.0;
    case bl_fish:
        return round.fish_ready != 0;
    case bl_mark:
        return owns_active_joker(state, j_pareidolia) || (face_rank(card) && card.enhancement != m_stone);
    default:
        return false;
    }
}

}  // namespace jimbot
