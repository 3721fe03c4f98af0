// Using consumables.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot {

// Whether a consumable of this id could be used now on the hand positions of `mask`; `free_slots` are the
// consumable slots that are free once the card itself is gone.
Refusal can_use(const State& state, int id, std::uint32_t mask, int free_slots);

// Runs its effect. The card is no longer on a shelf or among the owned ones; its key is freed afterwards.
void use_consumable(State& state, int id, std::uint32_t mask);

}  // namespace jimbot
