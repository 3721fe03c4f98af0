// What the player does in a shop, and selling anywhere.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"
#include "rules/economy.hpp"

namespace jimbot {

void buy_card(State& state, int slot);
void buy_and_use(State& state, int slot, std::uint32_t mask);
void buy_voucher(State& state, int position);
void buy_pack(State& state, int position);
void reroll_shop(State& state);
void leave_shop(State& state);
void sell_joker(State& state, int position);
void sell_consumable(State& state, int position);

}  // namespace jimbot
