// The deck: building it, shuffling it, drawing from it.
#pragma once

#include "core/state.hpp"

namespace jimbot {

// Creates the starting cards of state.deck in the game's order of creation (Erratic draws its fronts).
void build_deck(State& state);

// Puts every card back and shuffles the whole deck with a stream. Cards are drawn from the end of draw_pile.
void shuffle_deck(State& state, Stream stream);

// Redraws the targets of The Idol, Mail-In Rebate, Ancient Joker and Castle for the current ante.
void draw_round_targets(State& state);

// Gives the card a creation number and adds it to the deck; false if the deck is full.
bool add_card(State& state, Card card);

}  // namespace jimbot
