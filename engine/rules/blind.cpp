#include "rules/blind.hpp"

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

void set_debuff(const State& state, Card& card, const PokerRules& rules) {
    const auto debuffs = active_blind(state).hooks.debuffs;
    const bool debuffed =
        (card.flags & card_debuffed_for_good) != 0 || (debuffs != nullptr && debuffs(state, card, rules));
    card.flags =
        static_cast<std::uint8_t>(debuffed ? card.flags | card_debuffed : card.flags & ~card_debuffed);
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

double ante_target(const State& state) {
    return ante_base(state.ante, state.stake) * kDecks[state.deck].target_factor;
}

double blind_target(const State& state, BlindId blind) {
    return ante_base(state.ante, state.stake) * kBlinds[blind].score_multiplier *
           kDecks[state.deck].target_factor;
}

BlindId next_blind(const State& state) {
    return state.blind_on_deck == 0   ? bl_small
           : state.blind_on_deck == 1 ? bl_big
                                      : static_cast<BlindId>(state.boss);
}

double next_target(const State& state) {
    return state.round.blind != bl_none ? state.round.target : blind_target(state, next_blind(state));
}

bool is_face_to_blind(const Card& card, const PokerRules& rules) {
    return rules.pareidolia || (face_rank(card) && card.enhancement != m_stone);
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
    if (!is_boss(state.round.blind)) {
        return;
    }
    const BlindEntry& blind = kBlinds[state.round.blind];
    if (blind.hooks.selected != nullptr) {
        blind.hooks.selected(state);
    }
    refresh_debuffs(state);
}

void disable_boss(State& state) {
    Round& round = state.round;
    if (!is_boss(round.blind) || round.boss_disabled != 0) {
        return;
    }
    const BlindEntry& blind = kBlinds[round.blind];
    round.boss_disabled = 1;
    if (blind.hooks.disabled != nullptr) {
        blind.hooks.disabled(state);
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
    if (blind.hand_size < 0 && state.phase == Phase::playing && state.hand_count > 0) {
        draw_more_cards(state, -blind.hand_size);
    }
}

bool blind_blocks(const State& state, HandType type, int played_count) {
    const BlindHooks& hooks = active_blind(state).hooks;
    return hooks.blocks != nullptr && hooks.blocks(state, type, played_count);
}

bool blind_reads_hand(State& state, HandType type, int played_count) {
    Round& round = state.round;
    const BlindEntry& blind = active_blind(state);
    const bool blocked = blind_blocks(state, type, played_count);
    round.boss_triggered = blocked ? 1 : 0;
    if (blind.lowers_level && state.hands[type].level > 1) {
        round.boss_triggered = 1;
        level_up(state, type, -1);
    }
    if (blind.hooks.hand_read != nullptr) {
        blind.hooks.hand_read(state, type, blocked);
    }
    return blocked;
}

bool drawn_face_down(State& state, const Card& card) {
    if (has_rule(state, rule_face_down_one_in_four) &&
        draw(state.streams, Stream::flipped_card, state.ante).real() < 0.25) {
        return true;
    }
    const BlindHooks& hooks = active_blind(state).hooks;
    return hooks.face_down != nullptr && hooks.face_down(state, card);
}

}  // namespace jimbot
