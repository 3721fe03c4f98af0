// Challenge rules that other rules ask about.
#pragma once

#include "core/state.hpp"

namespace jimbot {

enum ChallengeRule : std::uint16_t {
    rule_no_reward = 1 << 0,      // no blind pays
    rule_no_hand_money = 1 << 1,  // remaining hands pay nothing
    rule_no_interest = 1 << 2,
    rule_chips_capped_by_money = 1 << 3,
    rule_face_down_one_in_four = 1 << 4,
    rule_hand_size_by_money = 1 << 5,
    rule_all_eternal = 1 << 6,
    rule_scored_cards_debuffed = 1 << 7,
    rule_typecast = 1 << 8,  // after the ante-4 boss: eternal jokers, no slots
    rule_inflation = 1 << 9,
    rule_no_shop_jokers = 1 << 10,
    rule_discard_costs = 1 << 11,
    rule_small_big_no_reward = 1 << 12,
};

inline bool has_rule(const State& state, ChallengeRule rule) { return (state.challenge_rules & rule) != 0; }

}  // namespace jimbot
