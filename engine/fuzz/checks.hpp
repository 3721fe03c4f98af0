// The checks at a decision: legal actions, refusals, previews, snapshots, resampled copies.
#pragma once

#include <string>
#include <vector>

#include "fuzz/conformance.hpp"
#include "fuzz/policy.hpp"
#include "view/preview.hpp"

namespace jimbot::fuzz {

// A failed check; `check` is empty if none failed. After a leak of hidden information (`goes_on`) the game
// can be continued, because its state is still valid.
struct Broken {
    std::string check;
    std::string detail;
    bool goes_on = false;

    explicit operator bool() const { return !check.empty(); }
};

// Whether two states are equal byte by byte.
bool same(const State& a, const State& b);

std::string action_text(const Action& action);

// Takes one action of every legal kind on a copy, which must lead to a valid state; `culprit` is the action
// that does not.
Broken check_samples(const State& state, const std::vector<Action>& legal, Random& random, Report& report,
                     Action& culprit);

// Tries random actions. A refused one must change nothing. An accepted one must be listed once the parts that
// its kind does not read are cleared, and must do the same with and without them.
Broken check_any_actions(const State& state, const std::vector<Action>& legal, Random& random,
                         Report& report);

// Compares the list of legal actions with the whole action space, selections of cards included for hands of
// up to eleven cards.
Broken check_all_actions(const State& state, const std::vector<Action>& legal);

// Previews must not change the state, and must be numbers with worst <= best.
Broken check_previews(const State& state, const std::vector<Action>& legal, Random& random, Report& report);

// The preview of all plays at once must equal the preview of each play.
Broken check_all_previews(const State& state, const std::vector<Action>& legal);

// Compares what a play scored with its preview.
Broken check_play(const State& before, const Preview& preview, const State& after, Report& report);

// A snapshot must restore the state; a damaged one must be refused.
Broken check_snapshot(const State& state, Random& random);

// A resampled copy (a determinization, view/hidden.hpp) must look the same to a player, have the same legal
// actions and the same previews. Only what comes next may differ.
Broken check_resampled(const State& state, const std::vector<Action>& legal, Random& random, Report& report);

}  // namespace jimbot::fuzz
