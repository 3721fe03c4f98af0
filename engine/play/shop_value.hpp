// What the things of shops and packs are worth to a build, and what to do there.
#pragma once

#include "core/actions.hpp"
#include "core/state.hpp"
#include "play/consumable_choice.hpp"

namespace jimbot {

// Gaining a joker: what it adds, and which joker would have to go for it (-1: none).
struct JokerGain {
    double gain;
    int replaces;
};

// A joker that cannot gain more than `wanted` is not looked at closely.
JokerGain joker_gain(const BuildView& view, const Item& item, double wanted = -1e300);

// What the dearest joker would be sold for; 0 if there is none.
int highest_sell_value(const State& state);

// The position of the joker that would be missed least; -1 if none can go.
int least_joker(const BuildView& view);

// A playing card on a shelf or in a pack.
double playing_card_gain(const BuildView& view, const Card& card);

// What a pack may be expected to bring.
double pack_gain(const BuildView& view, PackId pack);

// The next thing to do in a shop, and in an open pack.
Action choose_in_shop(const BuildView& view);
Action choose_in_pack(const BuildView& view);

}  // namespace jimbot
