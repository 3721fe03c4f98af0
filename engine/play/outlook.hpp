// What the rest of a blind may bring: draws sampled from the cards that can still come, and how likely the
// blind is cleared from there.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "play/expert_weights.hpp"
#include "play/hand_model.hpp"

namespace jimbot {

inline constexpr int kMaxSamples = 32;
inline constexpr int kMaxDraws = 24;

struct Outlook {
    HandModel model;
    const ExpertWeights& weights;
    int hand_size;
    int hands_left;
    int discards_left;
    double needed;  // to the target
    std::uint8_t pool[kMaxCards];
    int pool_count;
    int quick_samples;                           // for every way to play
    int samples;                                 // for the most promising ones
    std::uint8_t draws[kMaxSamples][kMaxDraws];  // card indices in the order they would come
    // What a hand yet to be drawn scores: without any discard, with the share of discards each hand has now,
    // and how far it varies.
    double fresh_plain;
    double fresh_mean;
    double fresh_spread;

    explicit Outlook(const ExpertWeights& chosen) : weights(chosen) {}
};

// `state` comes from public_state and is in a blind.
void look_out(Outlook& outlook, const State& state, std::uint64_t random);

// Lets later hands be of these types only, as The Eye and The Mouth will; measures them anew.
void restrict_types(Outlook& outlook, std::uint16_t allowed);

// What a player holds after an action, before drawing.
struct Holding {
    std::uint8_t cards[kMaxHand];  // visible ones, as card indices
    int count;
    int unknown;  // face-down ones
    int drawn;    // cards that will be drawn
    double needed;
    int hands_left;
    int discards_left;
};

// The chance of clearing the blind from there, plus a little for hands left over: the mean over the samples
// from `first` up to, not including, `last`.
double chance_of_clearing(const Outlook& outlook, const Holding& holding, int first, int last);

// The same, with the discards still to come played out one by one instead of counted as cards seen.
double chance_step_by_step(const Outlook& outlook, const Holding& holding, int first, int last);

}  // namespace jimbot
