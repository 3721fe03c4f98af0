// How strong a build is: what a round of ordinary hands would score, compared with the coming targets.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "play/expert_weights.hpp"
#include "play/hand_model.hpp"

namespace jimbot {

inline constexpr int kMaxStrengthSamples = 24;

struct Strength {
    double round_log;               // natural logarithm of a round's score
    double type_share[hand_types];  // how often each hand type was the best play
    double suit_share[suit_count];  // suits of the cards that scored
    double rank_share[kAce + 1];
};

// Strengths already measured. They are a pure function of the build and the sampled hands, so remembering
// them changes nothing but the time it takes.
struct StrengthMemory {
    static constexpr std::size_t kSize = 512;
    std::uint64_t keys[kSize] = {};
    Strength values[kSize];
    HandModel model;  // the last one built
    DeckModels decks;
    // Sampled hands in order, each with all the cards a round shows and with those of one hand.
    struct Hands {
        std::uint64_t key = 0;
        SortedHand all[kMaxStrengthSamples];
        SortedHand plain[kMaxStrengthSamples];
    };
    static constexpr std::size_t kHands = 16;
    Hands hands[kHands];
};

// Hands sampled from the full deck, the same ones for every build that is compared.
struct DeckSamples {
    std::uint64_t key;  // of the deck and the samples
    int samples;
    int length;
    std::uint8_t cards[kMaxStrengthSamples][kMaxModelHand];
    StrengthMemory* memory;  // may be null
    const JokerTraitsTable* traits = &kJokerTraits;
};

// The samples depend on the deck and the round only, so that they stay the same while a shop is visited.
DeckSamples sample_deck(const State& state, const ExpertWeights& weights, StrengthMemory* memory);

// `rounds` is how far scaling jokers are projected.
Strength measure_strength(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                          double rounds);

// Where a run stands between blinds.
struct Standing {
    double strength;     // now
    double margin;       // over the hardest of the coming blinds of the ante, in logarithms
    double weakness;     // 0: at least the margin wanted; 1: none at all
    double horizon;      // rounds to project scaling jokers by
    double rounds_left;  // to the end of ante 8
};

// Strength plus what the jokers are worth beyond it: income, as far as the build can wait for it,
// and their own weights.
double build_worth(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                   const Standing& standing);

Standing assess(const State& state, const ExpertWeights& weights, double strength);

// What spending so many dollars costs now, in strength.
double money_cost(const State& state, const ExpertWeights& weights, const Standing& standing, int dollars);

}  // namespace jimbot
