// Text forms of ids and cards for Python: the game's keys and the item strings of the seed views.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "core/state.hpp"

namespace jimbot::bindings {

namespace nb = nanobind;

inline nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

// "S_A": suit letter, rank letter.
inline std::string front_text(const Card& card) {
    return {kSuitLetters[card.suit], '_', kRankLetters[card.rank]};
}

// A shelf or pack item: its key or front, then enhancement, edition, seal or stickers.
std::string item_text(const Item& item);

// Ids from keys; a wrong key raises ValueError saying what is allowed.
DeckId deck_from_key(std::string_view key);
VoucherId voucher_from_key(std::string_view key);
ConsumableId consumable_from_key(std::string_view key);
int checked_stake(int stake);
// A seed as the engine hashes it, verbatim. A 0 is a character like any other here: that the game turns a
// typed 0 into the letter O is for whoever reads typed seeds (jimbot.balatro.seeds.contents.normalize_seed).
std::string checked_seed(std::string_view seed);

}  // namespace jimbot::bindings
