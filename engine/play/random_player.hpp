// A player that picks a random legal decision: for benches, fuzzing and as the weakest baseline.
#pragma once

#include <cstdint>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot {

// A legal action drawn at random: first a kind among those of the phase, then one of that kind. Reorderings
// (moves and sorts) are left out: they are always possible and would make most of the decisions. The run must
// not be over.
Action random_action(const State& state, std::uint64_t& random);

}  // namespace jimbot
