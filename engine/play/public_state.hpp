// The run as a player sees it: everything hidden is put into one fixed order before anything is decided, so
// that runs that look alike are alike, and whatever is decided from the result uses public information only.
#pragma once

#include <cstdint>

#include "core/state.hpp"

namespace jimbot {

// A copy in which the draw pile is in creation order, face-down cards and jokers are in creation order too,
// unseen choices (view/visibility.hpp) have fixed values, and the streams are a fixed generator. The identity
// of a face-down card of the hand in it means nothing.
State public_state(const State& state);

// A starting point for a player's own random numbers: a hash of what can be seen.
std::uint64_t public_seed(const State& state);

// Card indices of everything that may be drawn next: the draw pile and the face-down cards of the hand, in
// creation order. `state` comes from public_state. Returns how many.
int unseen_cards(const State& state, std::uint8_t (&out)[kMaxCards]);

inline bool is_face_down(const State& state, int position) {
    return (state.cards[state.hand[position]].flags & card_face_down) != 0;
}

// A number below `count` from the fast generator.
inline int random_below(std::uint64_t& random, int count) {
    return static_cast<int>(((next_fast(random) >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

}  // namespace jimbot
