// What a play would score, without playing it.
#pragma once

#include "core/state.hpp"
#include "rules/poker.hpp"
#include "rules/scoring.hpp"

namespace jimbot {

struct Preview {
    PokerHand hand;
    bool blocked;  // the boss refuses the hand: it scores nothing
    bool exact;    // no luck decides the score: worst, mean and best are one number
    double chips;  // with the worst luck
    double mult;
    double worst;
    double mean;  // with every chance at its mean
    double best;
    int money;  // change of money with the worst luck
};

// Plays the hand positions of `mask` on scoring.state as far as the score; the caller hands over a copy.
void score_on_copy(Scoring& scoring, std::uint32_t mask);

// Scores the hand positions of `mask` on a copy. The Hook's discards are not foreseen: then `exact` is false.
Preview preview_play(const State& state, std::uint32_t mask);

}  // namespace jimbot
