// Open packs: dealing a hand for them, choosing, skipping, closing.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot {

// Opens a pack: jokers react, contents are made, Arcana and Spectral packs get a dealt hand. The phase to
// return to is the current one.
void open_pack(State& state, PackId id);
// Whether the card at a position may be chosen with these targets.
Refusal can_pick(const State& state, int position, std::uint32_t mask);
void pick_card(State& state, int position, std::uint32_t mask);
// Closes the pack with choices left.
void skip_pack(State& state);

}  // namespace jimbot
