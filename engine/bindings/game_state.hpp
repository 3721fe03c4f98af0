// The run as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include "core/state.hpp"

namespace jimbot::bindings {

struct GameState {
    State state;
};

// Everything about a run as plain dicts and lists; `public_only` leaves out what a player may not know.
nanobind::dict describe_state(const State& state, bool public_only);

// Changes parts of a run for tests, puzzles and calculators; unknown or impossible values raise ValueError.
void edit_state(State& state, const nanobind::dict& changes);

}  // namespace jimbot::bindings
