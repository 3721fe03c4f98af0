// What a player has seen of the choices that a run makes ahead of time. They lie in the state from the moment
// they are drawn, but the game shows each of them only when something on the screen mentions it.
// docs/guides/game.md lists, for every field of the state, when it is visible.
#pragma once

#include "catalog/joker_passive.hpp"
#include "core/state.hpp"

namespace jimbot {

// Whether the voucher of the ante has been on the shelf: the ante's first shop was entered.
bool ante_voucher_seen(const State& state);

// Whether a joker that names this target is owned (face down as well: its owner knows it), for sale, or in
// the open pack.
bool target_in_sight(const State& state, RoundTarget target);

// Whether the skip tag of a blind (0 small, 1 big, 2 boss) is an Orbital Tag, which tells its poker hand.
bool orbital_hand_seen(const State& state, int blind);

// Overwrites the unseen choices with fixed values, so that runs that differ in nothing else become equal.
void hide_unseen_choices(State& state);

// Draws the unseen choices anew, from the streams of the state.
void redraw_unseen_choices(State& state);

}  // namespace jimbot
