// Traits that depend on the run or on a play: when a joker is idle, and what the scripted player expects of it.
#pragma once

#include <algorithm>
#include <bit>

#include "catalog/joker_traits.hpp"
#include "rules/economy.hpp"
#include "rules/owned.hpp"

namespace jimbot {

// --- idle -----------------------------------------------------------------------------------------------------------

// With plain odds nothing is certain to come off.
inline bool odds_are_plain(const State& state) { return odds_factor(state) == 1; }

inline bool first_hand_is_over(const State& state) { return state.round.hands_played > 0; }

// --- growth per round -----------------------------------------------------------------------------------------------

// Whether every fourth hand of the run or more was one of these.
inline bool plays_often(const State& state, HandType first, HandType second) { return state.hands[first].played + state.hands[second].played > state.hands_played / 4; }

inline double growth_by_straights(const State& state) { return plays_often(state, hand_straight, hand_straight_flush) ? 25.0 : 4.0; }

inline double growth_by_two_pairs(const State& state) { return plays_often(state, hand_two_pair, hand_full_house) ? 4.0 : 1.2; }

// --- income per round -----------------------------------------------------------------------------------------------

// One boss in three rounds raises the payout by two dollars; it is counted ahead.
inline double rocket_income(const State&, const Joker& joker) { return 2.0 + joker.value; }

inline double nine_income(const State& state, const Joker&) {
    double nines = 0;
    for (int i = 0; i < state.card_count; ++i) {
        nines += state.cards[i].rank == 9 ? 1 : 0;
    }
    return nines;
}

inline double planet_income(const State& state, const Joker&) { return 0.5 + std::popcount(state.planets_used); }

// What a second interest on the money of now would bring.
inline double interest_income(const State& state, const Joker&) { return std::clamp(state.money, 0, interest_cap(state)) / static_cast<double>(kInterestStep); }

// --- growth by a play -----------------------------------------------------------------------------------------------

template <HandType... types> double grows_with(const Joker&, const PlayMade& play) { return ((play.type == types) || ...) ? 1.0 : 0.0; }

template <int cards> double grows_with_cards(const Joker&, const PlayMade& play) { return play.cards == cards ? 1.0 : 0.0; }

inline double grows_with_own_hand(const Joker& joker, const PlayMade& play) { return joker.hand == play.type ? 1.0 : 0.0; }

inline double lost_to_faces(const Joker& joker, const PlayMade& play) { return play.face ? -joker.value : 0.0; }

// --- worth of a discard ---------------------------------------------------------------------------------------------

inline SideWorth first_discard_costs_gold(const DiscardMade& discard) { return {.gold = discard.first ? -2.0 : 0.0}; }

inline SideWorth first_discard_raises_level(const DiscardMade& discard) { return {.growth = discard.first ? 2.0 : 0.0}; }

inline SideWorth three_faces_bring_gold(const DiscardMade& discard) { return {.gold = discard.faces >= 3 ? 1.5 : 0.0}; }

inline SideWorth shrinks_by_a_step(const DiscardMade&) { return {.growth = -1.0}; }

inline SideWorth shrinks_with_cards(const DiscardMade& discard) { return {.growth = -0.3 * discard.cards}; }

inline SideWorth grows_with_discards(const DiscardMade& discard) { return {.growth = 0.3 * discard.cards}; }

}  // namespace jimbot
