// The course of a run as far as generation goes: its start, its antes, its shops.
#pragma once

#include <string_view>

#include "core/state.hpp"

namespace jimbot {

enum class Profile : std::uint8_t { everything_unlocked, fresh };

struct RunOptions {
    std::string_view seed;  // 1 to 8 valid characters
    DeckId deck = kUsualDeck;
    int stake = 1;
    int challenge = 0;  // 1..20, or 0 for none; a challenge brings its own deck
    Profile profile = Profile::everything_unlocked;
    bool endless = false;
    std::uint64_t fast_start = 0;  // not 0: draws come from a fast generator started here, not from the seed
};

// Starts a run: deck effects, boss, voucher, tags, deck, round targets.
void start_run(State& state, const RunOptions& options);

// As start_run, but draws nothing and builds no deck: what shops, packs, bosses and tags start from.
void start_generation(State& state, std::string_view seed, DeckId deck, int stake);

// Redeems a voucher. Standing effects are read off the redeemed set; only what happens at once is done here.
void redeem_voucher(State& state, VoucherId voucher);

// A boss was beaten: the next ante begins and its voucher is drawn.
void begin_next_ante(State& state);

// After a beaten boss's cash-out: the tags, the boss and the Orbital hands of the ante that has begun.
void draw_ante_choices(State& state);

// Main card slots of a shop.
int shop_slots(const State& state);

// Stocks the shop: card slots, voucher, packs. The shop must be closed.
void stock_shop(State& state);

// Puts a voucher on its shelf, if there is a place left.
void shelve_voucher(State& state, VoucherId voucher);

// Fills the row of card slots: those that a voucher has just added and those that were bought empty.
void fill_new_slots(State& state);

// Replaces the card slots.
void restock_slots(State& state);

// Leaves the shop: unsold cards leave existence.
void clear_shop(State& state);

}  // namespace jimbot
