// The order of the jokers: what adds comes before what multiplies, and copiers stand where they copy most.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"
#include "play/build_strength.hpp"
#include "play/expert_weights.hpp"

namespace jimbot {

// Puts the jokers of a state into their best order; the result depends only on which jokers there are. At
// most so many jokers are tried as what copiers copy, those that multiply first.
void arrange_jokers(State& state, const ExpertWeights& weights, const DeckSamples& samples,
                    int most_targets = kMaxJokers);

// The next move towards that order; false if it is reached or cannot be.
bool next_joker_move(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                     Action& action);

bool copies_jokers(int joker_id);

}  // namespace jimbot
