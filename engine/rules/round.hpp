// One blind from selection to cash-out.
#pragma once

#include "core/state.hpp"

namespace jimbot {

void select_blind(State& state);
void skip_blind(State& state);

// Plays or discards the hand positions of `mask`; legality has been checked.
void play_hand(State& state, std::uint32_t mask);
void discard_hand(State& state, std::uint32_t mask);

// Discards cards with their effects; `by_boss` for The Hook. Nothing is drawn.
void discard_cards(State& state, const std::uint8_t* indices, int count, bool by_boss);

// Ends the round if the target is reached or nothing can be played any more.
void check_round_end(State& state);

// Draws cards beyond the usual draw, at once: the hand has grown while it is being played.
void draw_more_cards(State& state, int count);
// Refills an emptied hand in mid-round.
void draw_if_hand_empty(State& state);

// Ends the blind: jokers and held cards act, the cash-out screen is filled in, everything goes back to the
// deck. The run is over if it is lost, or won and not endless.
void end_round(State& state);
// Pays what the cash-out screen shows and opens the shop.
// What the lines of the cash-out screen add up to, at most kMaxMoney.
int cash_out_total(const CashOut& rows);
void cash_out(State& state);

// Keeps pinned jokers leftmost.
void pin_jokers(State& state);

}  // namespace jimbot
