// Resampled copies of a run, for players that search.
#pragma once

#include <cstdint>

#include "core/state.hpp"

namespace jimbot {

// Draws everything a player cannot know anew and keeps everything a player can see: the literature's
// determinization. The draw pile and the face-down cards of the hand exchange places at random, as far as
// what is known about them allows; face-down jokers change order; unseen choices (view/visibility.hpp) are
// drawn again; and all random numbers to come are those of a fast generator started by `seed`.
void resample_hidden(State& state, std::uint64_t seed);

// The flags of a card that belong to its place rather than to the card: where it is and how it lies there.
inline constexpr unsigned kPlaceFlags = 0xc0u | card_face_down | card_forced;

inline void set_place_flags(Card& card, unsigned flags) {
    card.flags = static_cast<std::uint8_t>((card.flags & ~kPlaceFlags) | flags);
}

}  // namespace jimbot
