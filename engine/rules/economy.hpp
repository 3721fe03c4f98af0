// Money: what things cost, what they sell for, and what the end of a round pays. One function per formula.
#pragma once

#include "core/state.hpp"

namespace jimbot {

inline constexpr int kBossRerollPrice = 10;
inline constexpr int kInterestStep = 5;  // dollars that earn one unit of interest

// The price of a shelf item now, and the sell value of an owned card.
int price_of(const State& state, const Item& item);
int sell_value(const State& state, const Joker& joker);
int sell_value(const State& state, const Consumable& consumable);

int reroll_price(const State& state);
// How far money may fall when spending: 0, or below it by the debts that jokers allow.
int money_floor(const State& state);
bool can_pay(const State& state, int price);

// Whether this run pays interest at all: Green Deck and some challenges do not.
bool pays_interest(const State& state);
// Dollars beyond which money earns no more interest; 0 if the run pays none.
int interest_cap(const State& state);
// What the end of a round would pay for this much money.
int interest_on(const State& state, int money);

// What the blind being played pays when it is beaten.
int blind_reward(const State& state);

// Changes money, within its bounds. Hand sizes that depend on money need nothing more: they are computed.
void earn(State& state, int dollars);

}  // namespace jimbot
