// Playing cards, jokers and consumables as effects handle them: gained, changed, destroyed, chosen at random.
#pragma once

#include <algorithm>

#include "catalog/catalog.hpp"
#include "core/state.hpp"
#include "rules/generate.hpp"
#include "rules/owned.hpp"

namespace jimbot {

// A card's rank for effects; Stone cards have none.
inline int rank_of(const Card& card) { return is_blank(card) ? 0 : card.rank; }

// Whether jokers see a face card outside of scoring.
bool is_face_card(const State& state, const Card& card);

Card front_card(int front);
int count_enhanced(const State& state, EnhancementId enhancement);

// Whether a listed chance of 1 in `one_in` comes off, by the run's streams.
bool comes_off(State& state, Stream stream, int one_in);

// Adds a new card to the deck and puts it into the hand or on top of the draw pile; jokers are told. Its
// creation number is new. False if the deck is full.
bool gain_card(State& state, Card card, CardPlace place);
// As gain_card for a card that was made earlier (shelf, pack) and keeps its creation number.
bool gain_made_card(State& state, const Card& card, CardPlace place);

// Changes a card and sets or lifts the blind's debuff anew.
void enhance_card(State& state, Card& card, EnhancementId enhancement);

// Removes cards from the game and tells the jokers. Indices of other cards change.
void destroy_cards(State& state, const std::uint8_t* indices, int count, DestroyedBy by);

// Tells the jokers that cards were destroyed.
void announce_destroyed(State& state, const Card* cards, int count, DestroyedBy by);

// The index of the card with this creation number; there must be one.
int index_of_card(const State& state, std::uint32_t created);

// Takes a card out of the hand without moving it elsewhere.
void remove_from_hand(State& state, int index);

// Sorts the hand by the player's sort mode.
void sort_hand(State& state);

// Destroys and creates the jokers that a moment has come to; mostly there are none.
void replace_jokers(State& state, const Moment& moment);
inline void carry_out(State& state, const Moment& moment) {
    if (moment.doomed != 0 || moment.ordered != 0) {
        replace_jokers(state, moment);
    }
}
// A joker creates up to `most` others when all jokers have answered; until then only their slots are taken.
void order_jokers(Turn& turn, JokerSource source, int most);

// Calls visit(hooks, turn) for every ability present at the start, left to right. What
// they decide is carried out afterwards.
template <typename Visit> void each_joker(State& state, Visit visit) {
    Moment moment;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        if (((moment.doomed >> i) & 1) != 0) {
            continue;
        }
        const int target = ability_of(state, i);
        if (target < 0) {
            continue;
        }
        Turn turn{state, state.jokers[target], i, target != i, moment};
        visit(kJokers[state.jokers[target].id].hooks, turn);
    }
    carry_out(state, moment);
}

// A joker position drawn among those `eligible` allows, in creation order; -1 (and no draw) if none is.
template <typename Eligible> int draw_joker_position(State& state, Stream stream, Eligible eligible) {
    std::uint8_t order[kMaxJokers] = {};
    int count = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if (eligible(i)) {
            order[count++] = static_cast<std::uint8_t>(i);
        }
    }
    if (count == 0) {
        return -1;
    }
    std::sort(order, order + count, [&](std::uint8_t a, std::uint8_t b) {
        return state.jokers[a].created < state.jokers[b].created;
    });
    return order[draw(state.streams, stream, state.ante).index(count)];
}

// Makes a joker and adds it. The caller has checked that a slot is free.
void create_joker(State& state, JokerSource source);
// Adds a copy of a joker; Negative is dropped.
void duplicate_joker(State& state, int position);
// Adds a Negative copy of a random consumable (Perkeo).
void duplicate_random_consumable(State& state);

}  // namespace jimbot
