// The deck: building it, shuffling it, drawing from it.
#pragma once

#include "core/state.hpp"

namespace jimbot {

// Creates the starting cards of state.deck in the game's order of creation (Erratic draws its fronts). All of
// them lie in the draw pile, which must be shuffled to have an order.
void build_deck(State& state);

// Puts every card back and shuffles the whole deck with a stream. Cards are drawn from the end of draw_pile.
void shuffle_deck(State& state, Stream stream);

// Redraws the targets of The Idol, Mail-In Rebate, Ancient Joker and Castle for the current ante.
void draw_round_targets(State& state);
// The same from draws made before, of The Idol, Mail-In Rebate, Ancient Joker and Castle; `stones` counts the
// Stone cards of the deck, which must not be all of it.
inline constexpr int kTargetDraws = 4;
void settle_round_targets(State& state, const double* reals, int stones);

// Gives the card a creation number and adds it to the deck; false if the deck is full.
bool add_card(State& state, Card card);

}  // namespace jimbot
