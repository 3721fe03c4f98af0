// The policy of the battery's games: random, with weights so that every kind of action occurs.
#pragma once

#include <vector>

#include "fuzz/conformance.hpp"

namespace jimbot::fuzz {

// A small and fast generator; equal seeds give equal games on every machine.
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

// The next action of a game: a legal kind, by weight, then a position, then a selection of cards.
Action choose_action(const State& state, const std::vector<Action>& legal, const GamePlan& plan,
                     Random& random);

// An action that may or may not be legal: a legal one with one part changed, or random parts.
Action any_action(const State& state, const std::vector<Action>& legal, Random& random);

// Chooses a change by hand for a boosted game; false if nothing is to be changed now.
bool choose_boost(const State& state, const GamePlan& plan, Random& random, Event& event);
void apply_boost(State& state, const Event& event);

}  // namespace jimbot::fuzz
