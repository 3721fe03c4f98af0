// Making one card: jokers, consumables, playing cards, booster choices, and the contents of packs.
#pragma once

#include <array>

#include "catalog/hooks.hpp"
#include "core/state.hpp"

namespace jimbot {

// Makes a joker: rarity, key, To Do target, stickers, edition, in this order of draws.
Item make_joker(State& state, JokerSource source);

// Makes a consumable of a pool from a stream of the current ante; `in_pack` allows The Soul and Black Hole.
Item make_consumable(State& state, Pool pool, Stream stream, bool in_pack);

// Makes a consumable of a known key (deck, Telescope, The Fool, Blue Seal).
Item make_given_consumable(State& state, ConsumableId id);

// Weights of what a shop slot shows: a joker, a tarot, a planet, a playing card, a spectral card.
inline constexpr int kShopTypes = 5;
std::array<double, kShopTypes> shop_rates(const State& state);

// Makes what one shop slot shows: its type by weight, then the card.
Item make_shop_card(State& state);

// Chooses the booster of one shop slot. The run's first is a normal Buffoon pack.
PackId draw_booster(State& state);

// Fills state.pack with the contents of a pack. Nothing is released: close_pack does that.
void open_pack_contents(State& state, PackId id);

// Ends an open pack: cards still in it leave existence.
void close_pack(State& state);

// The key of an item leaves existence (joker or consumable; other kinds have no key to free).
void release_item(State& state, const Item& item);

// A front drawn from a stream.
int draw_front(State& state, Stream stream);

// "Guaranteed" edition of Aura and Wheel of Fortune for a roll in [0, 1).
EditionId guaranteed_edition(double roll);

// Seal by the four quarters of a roll.
SealId seal_for(double roll);

}  // namespace jimbot
