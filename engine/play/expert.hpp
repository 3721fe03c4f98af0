// The scripted player: previews and sampled draws in blinds, strength of the build in shops. It decides from
// public information only and keeps nothing between decisions. Its main trade-offs are weights
// (expert_weights.hpp), which can be tuned; what it expects of single jokers (growth, income, side effects)
// are traits of their catalog entries, and smaller factors are constants where they are used.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"
#include "play/build_strength.hpp"
#include "play/expert_weights.hpp"

namespace jimbot {

// A legal action; the run must not be over. With a memory, what was measured before is not measured again;
// the choice is the same. A memory belongs to one vector of weights.
Action expert_action(const State& state, const ExpertWeights& weights, StrengthMemory* memory = nullptr);

}  // namespace jimbot
