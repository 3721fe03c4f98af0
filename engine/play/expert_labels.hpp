// The scripted player's choice as indices of an environment's action space: the labels of demonstrations.
//
// With the fixed actions a choice may take several indices: cards beyond the window are brought to the front
// first, a consumable is chosen before its targets, a joker moves one place at a time. With candidates it is
// the one that does the same; where none does, the nearest of its kind stands for it.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "play/build_strength.hpp"
#include "play/expert_weights.hpp"
#include "view/candidates.hpp"
#include "view/slots.hpp"

namespace jimbot {

// What to do, step by step.
struct ExpertIndices {
    static constexpr int kMost = 32;

    std::int32_t list[kMost];
    int count = 0;      // 0: the action space has nothing for the choice
    bool exact = true;  // whether the indices do just what was chosen

    // Does nothing beyond kMost, which no choice needs.
    void add(int index) {
        if (count < kMost) {
            list[count++] = index;
        }
    }
};

// Both ask the scripted player what it would do; the run must not be over.
ExpertIndices expert_slots(const State& state, const Pending& pending, const ExpertWeights& weights,
                           StrengthMemory* memory);
ExpertIndices expert_candidate(const State& state, const Candidate* candidates, int count,
                               const ExpertWeights& weights, StrengthMemory* memory);

}  // namespace jimbot
