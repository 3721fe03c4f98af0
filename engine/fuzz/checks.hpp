// What is examined at a decision: the list of actions, refusals, previews, snapshots, twins.
#pragma once

#include <string>
#include <vector>

#include "fuzz/conformance.hpp"
#include "fuzz/policy.hpp"
#include "view/preview.hpp"

namespace jimbot::fuzz {

// A broken promise; `check` is empty if none is. After a fault of fairness
// (`goes_on`) the game itself is still sound.
struct Broken {
    std::string check;
    std::string detail;
    bool goes_on = false;

    explicit operator bool() const { return !check.empty(); }
};

// Whether two runs are equal to the last byte.
bool same(const State& a, const State& b);

std::string action_text(const Action& action);

// One action of every legal kind is taken on a copy and must leave a sound state;
// `culprit` is the one that does not.
Broken check_samples(const State& state, const std::vector<Action>& legal, Random& random, Report& report,
                     Action& culprit);

// Actions at random: refused ones change nothing; accepted ones are listed, or listed once the parts that
// their kind does not read are cleared, and then do the same.
Broken check_any_actions(const State& state, const std::vector<Action>& legal, Random& random,
                         Report& report);

// The whole space of actions against the list; selections in full for hands of up to eleven cards.
Broken check_all_actions(const State& state, const std::vector<Action>& legal);

// Previews leave the state alone and are numbers in order.
Broken check_previews(const State& state, const std::vector<Action>& legal, Random& random, Report& report);

// The preview of all plays at once is the preview of each.
Broken check_all_previews(const State& state, const std::vector<Action>& legal);

// What a play scored against what was foreseen.
Broken check_play(const State& before, const Preview& preview, const State& after, Report& report);

// A snapshot gives the state back; a damaged one is refused.
Broken check_snapshot(const State& state, Random& random);

// A twin looks the same and can do the same; previews agree; what comes next may differ.
Broken check_twin(const State& state, const std::vector<Action>& legal, Random& random, Report& report);

}  // namespace jimbot::fuzz
