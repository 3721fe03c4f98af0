// Invariants: of every state of a run, and of every step from one state to the next.
#pragma once

#include <string>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot::fuzz {

// The first invariant that a state violates, as "name: detail"; empty if all hold.
std::string broken_invariant(const State& state);

// The first invariant that a step from `before` to `after` violates.
std::string broken_step(const State& before, const Action& action, const State& after);

// A hash of everything a player may know. The draw pile enters as a set, face-down cards and jokers without
// what they are, the random streams not at all.
std::uint64_t public_digest(const State& state);

}  // namespace jimbot::fuzz
