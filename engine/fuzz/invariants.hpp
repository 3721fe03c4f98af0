// What must hold in every state of a run, and between two states that follow one another.
#pragma once

#include <string>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot::fuzz {

// The first broken rule of a state, as "name: detail"; empty if all hold.
std::string broken_invariant(const State& state);

// The first broken rule of a step from `before` to `after` by an action.
std::string broken_step(const State& before, const Action& action, const State& after);

// A hash of everything a player may know: the draw pile as a set, face-down cards and jokers without their
// faces, the random streams not at all.
std::uint64_t public_digest(const State& state);

}  // namespace jimbot::fuzz
