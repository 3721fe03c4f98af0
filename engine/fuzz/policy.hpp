// How the games of the battery are played: random, but balanced so that every kind of action occurs.
#pragma once

#include <vector>

#include "fuzz/conformance.hpp"

namespace jimbot::fuzz {

// Small and fast; equal seeds give equal games everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return next_fast(state_); }
    int below(int count) {
        return count > 0 ? static_cast<int>(next() % static_cast<std::uint64_t>(count)) : 0;
    }
    bool one_in(int count) { return below(count) == 0; }

private:
    std::uint64_t state_;
};

std::vector<Action> legal_list(const State& state);

// The next action of a game: a kind by weight among those that are legal, then a position, then a selection.
Action choose_action(const State& state, const std::vector<Action>& legal, const GamePlan& plan,
                     Random& random);

// An action that may or may not be legal: near misses and nonsense.
Action any_action(const State& state, const std::vector<Action>& legal, Random& random);

// A change by hand for a boosted game, if it is time for one; false if nothing is changed.
bool choose_boost(const State& state, const GamePlan& plan, Random& random, Event& event);
void apply_boost(State& state, const Event& event);

}  // namespace jimbot::fuzz
