// How jokers change with time: what a scaling joker will be worth some rounds from now.
#pragma once

#include "catalog/joker_traits.hpp"
#include "core/state.hpp"

namespace jimbot {

// Grows or shrinks the stored values of the run's jokers as `rounds` more rounds of ordinary play would.
void project_jokers(State& state, double rounds, const JokerTraitsTable& table = kJokerTraits);

// Dollars a joker may be expected to bring per round.
double joker_income(const State& state, const Joker& joker);

}  // namespace jimbot
