// The parts of an observation that are written by files of their own. Each keeps its part of the record up to
// date and leaves alone what has not changed since the cache was last used.
#pragma once

#include <cstring>

#include "view/observation.hpp"

namespace jimbot {

// Writes the hand. Returns whether a card of it lies face down.
bool observe_hand(const State& state, ObservationCache& cache, Observation& out);

// Writes the counts of unseen cards. `hidden`: a card of the hand lies face down; `same_cards`: no card was
// made or destroyed since.
void observe_deck(const State& state, bool hidden, bool same_cards, ObservationCache& cache,
                  Observation& out);
void observe_enhancements(const State& state, bool same_cards, ObservationCache& cache, Observation& out);

// `prices`: something has changed that prices and sell values depend on.
void observe_jokers(const State& state, bool prices, ObservationCache& cache, Observation& out);
void observe_consumables(const State& state, bool prices, ObservationCache& cache, Observation& out);

// Writes the shop and the open pack.
void observe_shelves(const State& state, ObservationCache& cache, Observation& out);

// Sets the column of an id, 1 to `count`; 0 sets none.
inline void one_hot(float* out, int id, int count) {
    if (id > 0 && id <= count) {
        out[id - 1] = 1.0f;
    }
}

template <typename Row> void clear(Row& row) { std::memset(static_cast<void*>(&row), 0, sizeof row); }

}  // namespace jimbot
