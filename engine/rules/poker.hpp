// Poker hands: what a set of played cards is, what it contains, and which cards score.
#pragma once

#include "core/state.hpp"

namespace jimbot {

inline constexpr int kMaxPlayed = 5;

// Jokers that change how hands are read.
struct PokerRules {
    bool four_fingers;
    bool shortcut;
    bool smeared;
    bool splash;
    bool pareidolia;
};

PokerRules poker_rules(const State& state);

struct PokerHand {
    HandType type;
    std::uint16_t contains;  // a bit per hand type
    std::uint8_t scoring;    // a bit per played position
};

// `indices` are up to five card indices, left to right.
PokerHand read_hand(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules);

// The order of the default sort: higher first.
std::uint32_t sort_key(const Card& card);

inline int rank_chips(int rank) { return rank == kAce ? 11 : rank >= 10 ? 10 : rank; }

}  // namespace jimbot
