// Poker hands: what a set of played cards is, what it contains, and which cards score.
#pragma once

#include <algorithm>

#include "catalog/catalog.hpp"
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
// The same from PassiveRule bits.
PokerRules poker_rules(unsigned passive);

struct PokerHand {
    HandType type;
    std::uint16_t contains;  // a bit per hand type
    std::uint8_t scoring;    // a bit per played position
};

// `indices` are up to five card indices, left to right.
PokerHand read_hand(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules);

// Chips and mult of a hand type before cards and jokers.
struct HandBase {
    double chips;
    double mult;
};

// At a level, whatever the blind; rules/blind.hpp knows what blinds make of it.
inline HandBase hand_base(HandType type, int level) {
    const PokerHandEntry& entry = kPokerHands[type];
    const double steps = static_cast<double>(level - 1);
    return {std::max(0.0, entry.chips + steps * entry.level_chips),
            std::max(1.0, entry.mult + steps * entry.level_mult)};
}

// The order of the default sort: higher first.
std::uint32_t sort_key(const Card& card);

inline int rank_chips(int rank) { return rank == kAce ? 11 : rank >= 10 ? 10 : rank; }

}  // namespace jimbot
