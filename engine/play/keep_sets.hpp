// Which cards of a hand are worth keeping together: the sensible ways to discard.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "play/hand_model.hpp"

namespace jimbot {

inline constexpr int kMaxKeepSets = 16;

struct KeepSets {
    std::uint32_t masks[kMaxKeepSets];  // hand positions kept
    int count = 0;

    void add(std::uint32_t mask);
};

// Flush and straight draws, groups, high cards and combinations of them. Cards that do good while held are in
// every set, face-down cards in none.
KeepSets find_keep_sets(const HandModel& model, const State& state, std::uint32_t best_scoring);

// The cards to give up if `kept` are kept: at most `most`, those worth least, and always forced cards.
std::uint32_t cards_to_give(const HandModel& model, const State& state, std::uint32_t kept, int most);

}  // namespace jimbot
