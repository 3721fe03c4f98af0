// What to play or discard in a blind.
#pragma once

#include <cstdint>

#include "core/actions.hpp"
#include "core/state.hpp"
#include "play/expert_weights.hpp"

namespace jimbot {

// The play or discard that makes clearing the blind most likely; if it can be cleared at once, the play that
// leaves most behind. `state` comes from public_state and is in a blind with a hand to play.
Action choose_hand(const State& state, const ExpertWeights& weights, std::uint64_t random);

}  // namespace jimbot
