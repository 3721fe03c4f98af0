// Undoes what scoring a hand does to a copy of a run, which is cheaper than copying the whole run again.
#pragma once

#include <algorithm>

#include "core/state.hpp"

namespace jimbot {

// Jokers and money: all that single cards and the joker stage change, unless something is created.
inline void put_back_jokers(State& copy, const State& original) {
    std::copy(original.jokers, original.jokers + original.joker_count, copy.jokers);
    copy.joker_count = original.joker_count;
    copy.money = original.money;
}

// All that a hand played from the original's hand changes: its cards, jokers, counters, money and the round.
// If something was created or taken away, everything is put back.
inline void put_back_play(State& copy, const State& original) {
    if (copy.next_created != original.next_created || copy.joker_count != original.joker_count ||
        copy.card_count != original.card_count || copy.consumable_count != original.consumable_count) {
        copy = original;
        return;
    }
    for (int i = 0; i < original.hand_count; ++i) {
        copy.cards[original.hand[i]] = original.cards[original.hand[i]];
    }
    std::copy(original.hand, original.hand + original.hand_count, copy.hand);
    std::copy(original.hands, original.hands + hand_types, copy.hands);
    copy.hand_count = original.hand_count;
    copy.round = original.round;
    put_back_jokers(copy, original);
}

}  // namespace jimbot
