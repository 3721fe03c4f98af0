// What the player owns: slots, passive modifiers, and the bookkeeping when a joker, consumable, card or level
// comes or goes.
#pragma once

#include "catalog/catalog.hpp"
#include "core/state.hpp"
#include "rules/economy.hpp"

namespace jimbot {

// Calls visit(joker) for every joker that is not debuffed, left to right.
template <typename Visit> void each_active_joker(const State& state, Visit visit) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (!state.jokers[i].debuffed()) {
            visit(state.jokers[i]);
        }
    }
}

// Calls visit(passive) for what every such joker changes.
template <typename Visit> void each_passive(const State& state, Visit visit) {
    each_active_joker(state, [&](const Joker& joker) { visit(kJokers[joker.id].passive); });
}

// The PassiveRule bits in force, and whether one of them is.
inline unsigned passive_rules(const State& state) {
    unsigned rules = 0;
    each_passive(state, [&](const JokerPassive& passive) { rules |= passive.rules; });
    return rules;
}
inline bool has_passive(const State& state, PassiveRule rule) { return (passive_rules(state) & rule) != 0; }

int joker_slots(const State& state);
int consumable_slots(const State& state);
inline bool joker_room(const State& state) { return state.joker_count < joker_slots(state); }
inline bool consumable_room(const State& state) { return state.consumable_count < consumable_slots(state); }

int hand_size(const State& state);
int hands_per_round(const State& state);
int discards_per_round(const State& state);
// The factor of every listed chance: 2^k for k Oops! All 6s.
int odds_factor(const State& state);

// Adds a joker at the right end with everything its arrival causes. False if the area itself is full.
bool add_joker(State& state, const Joker& joker);
// Turns a shelf item into a joker card.
Joker joker_from_item(const State& state, const Item& item);
// Removes a joker, freeing its key and undoing what it gave at once (free rerolls, discards).
void remove_joker(State& state, int position);
// A joker's flags change; what it gave at once comes or goes with its ability.
void set_joker_flags(State& state, Joker& joker, std::uint8_t flags);
void remove_jokers(State& state, std::uint32_t doomed);

bool add_consumable(State& state, const Consumable& consumable);
void remove_consumable(State& state, int position);
// Makes a consumable from a pool, or one of a known key, if a slot is free.
bool create_consumable(State& state, Pool pool, Stream stream);
bool create_given_consumable(State& state, ConsumableId id);

// Changes a poker hand's level, within its bounds.
void level_up(State& state, HandType hand, int levels);

// The joker whose ability a copier (Blueprint, Brainstorm) at this position has; -1 if none.
int copied_ability(const State& state, int position);
// The joker whose ability a position has: itself, or what it copies; -1 if none.
inline int ability_of(const State& state, int position) {
    const Joker& joker = state.jokers[position];
    if (joker.debuffed()) {
        return -1;
    }
    return kJokers[joker.id].passive.copies == Copies::never ? position : copied_ability(state, position);
}

}  // namespace jimbot
