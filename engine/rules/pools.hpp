// Drawing keys from pools: what is available, redraws, and the rule that a card in existence blocks its key.
#pragma once

#include "catalog/catalog.hpp"
#include "core/state.hpp"

namespace jimbot {

// Draws one key of a pool from a stream of the current ante and returns its joker or consumable id. The key
// is not marked as existing: the caller does that for the card it makes.
int draw_from_pool(State& state, Pool pool, Stream stream);

// Draws the voucher of the current ante (Stream::voucher) or of a Voucher Tag (Stream::voucher_from_tag).
VoucherId draw_voucher(State& state, Stream stream);

// Draws one tag of the current ante.
TagId draw_tag(State& state);

// Draws the boss of the current ante and counts its use.
BlindId draw_boss(State& state);

// Draws a visible poker hand for Orbital Tags and To Do Lists, leaving out `except` (hand_types: none).
HandType draw_visible_hand(State& state, Stream stream, int except);

// What first draws give that were made together at the start of a run. `third` is the first value of the
// stream of third draws.
BlindId settle_boss(State& state, Draw draw);
VoucherId settle_voucher(State& state, Draw first, double third);
TagId settle_tag(State& state, Draw first, double third);
void settle_orbital_hands(State& state, const double* reals);

// A card object of this key now exists.
void mark_joker(State& state, int id);
void mark_consumable(State& state, int id);
// A card object of this key is gone; the key stays blocked while another copy is owned.
void release_joker(State& state, int id);
void release_consumable(State& state, int id);

// Whether the key is blocked because it exists (passive_duplicates lifts that).
bool consumable_blocked(const State& state, int id);

}  // namespace jimbot
