// What a play would score, without playing it.
#pragma once

#include <optional>

#include "core/state.hpp"
#include "rules/poker.hpp"
#include "rules/scoring.hpp"

namespace jimbot {

struct Preview {
    PokerHand hand;
    bool blocked;  // the boss refuses the hand: it scores nothing
    bool exact;    // nothing hidden and no chance decides the score: worst, mean and best are one number
    double chips;  // with every chance at its worst
    double mult;
    double worst;
    double mean;  // with every chance at its mean
    double best;
    int money;  // change of money, with every chance at its worst
};

// Plays the hand positions of `mask` on scoring.state as far as the score; the caller hands over a copy.
void score_on_copy(Scoring& scoring, std::uint32_t mask);

// Whether the blind being played does something to a hand that no preview can foresee; what happens to held
// cards matters only if there are any.
bool blind_interferes(const State& state, bool holds_cards);

// Whether a card of the hand or a joker is face down.
bool hides_something(const State& state);

// Plays on one copy again and again: only what scoring touches is put back in between.
class Rehearsal {
public:
    explicit Rehearsal(const State& state) : state_(state), copy_(state) {}

    // Scores the hand positions of `mask`. The scoring is of a copy that lasts until the next one.
    Scoring& score(std::uint32_t mask, Outcomes outcomes);
    const State& after() const { return copy_; }

private:
    const State& state_;
    State copy_;
    bool touched_ = false;
    std::optional<Scoring> scoring_;
};

// Scores the hand positions of `mask` on a copy. What a player cannot know is left out, and `exact` is false
// then: the cards The Hook will discard, and face-down cards, which count as blank (no rank, suit or effect).
Preview preview_play(const State& state, std::uint32_t mask);

}  // namespace jimbot
