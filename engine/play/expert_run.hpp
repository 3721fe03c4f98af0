// Whole runs of the scripted player, for measuring it.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "play/expert_weights.hpp"

namespace jimbot {

struct ExpertRunOptions {
    DeckId deck = kUsualDeck;
    int stake = 1;
    int max_ante = 8;        // the run is won when this ante's boss is beaten
    int max_steps = 20'000;  // a run that takes longer is cut off
};

struct ExpertRun {
    State state;  // as it ended
    bool won;
    bool cut_off;
    int steps;
    int blinds;                // cleared
    int played;                // blinds played, the lost one included
    std::uint64_t cleared_at;  // a bit per blind of the run (3 per ante, from ante 1), set if it was cleared
    std::uint64_t reached_at;  // the same, set if it was played
    int last_blind;            // the blind the run ended in
    double best_hand;
};

// Plays the run of a seed number to its end.
void play_expert_run(ExpertRun& run, std::uint64_t seed_number, const ExpertRunOptions& options,
                     const ExpertWeights& weights);

}  // namespace jimbot
