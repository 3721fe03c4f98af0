// States that play does not lead to, but that snapshots and edits may hold: whatever possible_state accepts
// must be playable, by everything that plays.
#pragma once

#include <string>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/policy.hpp"

namespace jimbot::fuzz {

// Changes a state by hand, as an edit or a snapshot from elsewhere might: numbers at their bounds, everything
// locked, cards and jokers changed, or single bytes of any value. False if the result is not possible.
bool mutate(State& state, Random& random);

// Plays some random steps from a possible state. At each of them the actions are listed, the scripted player
// chooses, plays are previewed, the records of both action modes are written, and a resampled copy is made;
// the step must be taken and leave a possible state. `before` and `culprit` are the last step.
Broken check_playable(State state, int steps, Random& random, Report& report, State& before, Action& culprit);

// Environments that start from these states: at every step the records kept up to date must be the records
// written from nothing, after resets and restores too.
Broken check_records(const std::vector<State>& starts, Random& random, Report& report);

}  // namespace jimbot::fuzz
