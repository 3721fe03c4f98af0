// What every possible play would score, all at once.
#pragma once

#include <cstdint>

#include "catalog/joker_traits.hpp"
#include "core/state.hpp"

namespace jimbot {

struct PlayPreview {
    double score;        // with every chance at its worst
    std::uint32_t mask;  // hand positions
    HandType type;
    bool blocked;  // the boss refuses the hand
    bool exact;    // no chance outcome and nothing hidden decides the score
};

// Number of plays of up to five cards from a hand of this size.
constexpr int count_plays(int hand) {
    int total = 0;
    int combinations = 1;
    for (int size = 1; size <= 5 && size <= hand; ++size) {
        combinations = combinations * (hand - size + 1) / size;
        total += combinations;
    }
    return total;
}

inline constexpr int kMaxPlays = count_plays(kMaxHand);

// Previews every legal play, in no particular order; returns how many. `out` holds at least
// count_plays(state.hand_count) entries. Equal to preview_play for each, but far cheaper: a card's effect on
// the score is the same in every play it scores in, so it is computed once and composed. Jokers for which
// that does not hold say so in their `traits`; plays are then previewed one by one.
int preview_all(const State& state, PlayPreview* out, const JokerTraitsTable& traits = kJokerTraits);

// Which plays to preview one by one: all, or those in which every card scores (forced cards aside).
enum class PlaysWanted : std::uint8_t { all, scoring };

// The same without composition, one preview after the other: for tests and for builds that do not compose.
int preview_each(const State& state, PlayPreview* out, PlaysWanted wanted = PlaysWanted::all);

// As preview_all, but with builds that do not compose only plays in which every card scores, if any.
int preview_most(const State& state, PlayPreview* out);

// One play.
PlayPreview preview_one(const State& state, std::uint32_t mask);

}  // namespace jimbot
