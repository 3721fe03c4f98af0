// Fairness to players: what they may not know is drawn anew.
#pragma once

#include <cstdint>

#include "core/state.hpp"

namespace jimbot {

// Makes the state a twin of itself: everything a player can see stays, everything hidden is fresh. The draw
// pile and the face-down cards of the hand exchange places at random (as far as what is known about them
// allows), face-down jokers change order, and all future luck and generation comes from a fast generator
// started by `seed`.
void resample_hidden(State& state, std::uint64_t seed);

}  // namespace jimbot
