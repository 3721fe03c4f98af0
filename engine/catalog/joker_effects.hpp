// Small effects that many jokers share, and the questions their hooks ask. Included by the joker tables only: it
// knows the rules, which the other headers of the catalog do not.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/generate.hpp"
#include "rules/owned.hpp"
#include "rules/poker.hpp"
#include "rules/pools.hpp"
#include "rules/scoring.hpp"
#include "rules/tags.hpp"

namespace jimbot {

// The joker table is written in six files of twenty-five; jokers.cpp joins them.
using JokerPart = std::array<JokerEntry, 25>;

template <Suit suit, int mult> void mult_for_suit(Scoring& s, Turn&, Card& card, int) {
    if (s.is_suit(card, suit)) {
        s.add_mult(mult);
    }
}

template <HandType type, int mult> void mult_if_contains(Scoring& s, Turn&) {
    if (s.contains(type)) {
        s.add_mult(mult);
    }
}

template <HandType type, int chips> void chips_if_contains(Scoring& s, Turn&) {
    if (s.contains(type)) {
        s.add_chips(chips);
    }
}

template <HandType type, int factor> void xmult_if_contains(Scoring& s, Turn&) {
    if (s.contains(type)) {
        s.times_mult(factor);
    }
}

inline void add_stored_mult(Scoring& s, Turn& t) {
    if (t.joker.value > 0) {
        s.add_mult(t.joker.value);
    }
}

inline void add_stored_chips(Scoring& s, Turn& t) {
    if (t.joker.value > 0) {
        s.add_chips(t.joker.value);
    }
}

inline void times_stored(Scoring& s, Turn& t) {
    if (t.joker.value > 1) {
        s.times_mult(t.joker.value);
    }
}

// A new joker counts the hands of the run from now on.
inline void remember_hands_played(const State& state, Joker& joker) { joker.counter = state.hands_played; }

inline void pay_if_boss_triggered(Scoring& s, Turn&) {
    if (s.state.round.boss_triggered != 0) {
        s.pay(8);
    }
}

inline bool rank_in(const Card& card, std::initializer_list<int> ranks) { return std::find(ranks.begin(), ranks.end(), rank_of(card)) != ranks.end(); }

inline std::int16_t saturated(int value) { return static_cast<std::int16_t>(std::min(value, 32767)); }

inline int count_jokers(const State& state, JokerId id) {
    int count = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        count += state.jokers[i].id == id ? 1 : 0;
    }
    return count;
}

// Position of the lowest-ranked held card: Stone cards left out, of equal ranks the rightmost; -1 if none.
inline int lowest_held(const State& state) {
    int lowest = -1;
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if (!is_blank(card) && (lowest < 0 || card.rank <= state.cards[state.hand[lowest]].rank)) {
            lowest = i;
        }
    }
    return lowest;
}

// Whether the scoring cards cover all suits: plain cards first, each filling the first missing suit it matches,
// then every undebuffed Wild card fills one.
inline bool covers_all_suits(const Scoring& s) {
    constexpr Suit kOrder[] = {suit_hearts, suit_diamonds, suit_spades, suit_clubs};
    unsigned filled = 0;
    int wilds = 0;
    for (int i = 0; i < s.played_count; ++i) {
        const Card& card = s.card(i);
        if (!s.scores(i) || is_blank(card)) {
            continue;
        }
        if (card.enhancement == m_wild) {
            wilds += (card.flags & card_debuffed) == 0 ? 1 : 0;
            continue;
        }
        for (const Suit suit : kOrder) {
            if (((filled >> suit) & 1) == 0 && smeared_match(card.suit, suit, s.rules.smeared)) {
                filled |= 1u << suit;
                break;
            }
        }
    }
    return std::popcount(filled) + wilds >= suit_count;
}

// Whether the scoring cards show a Club and another suit: plain undebuffed cards count for every suit they match,
// then every undebuffed Wild card fills one missing suit, Clubs first.
inline bool club_and_other_suit(const Scoring& s) {
    unsigned filled = 0;
    int wilds = 0;
    for (int i = 0; i < s.played_count; ++i) {
        const Card& card = s.card(i);
        if (!s.scores(i) || is_blank(card) || (card.flags & card_debuffed) != 0) {
            continue;
        }
        if (card.enhancement == m_wild) {
            ++wilds;
            continue;
        }
        for (int suit = 0; suit < suit_count; ++suit) {
            filled |= smeared_match(card.suit, suit, s.rules.smeared) ? 1u << suit : 0u;
        }
    }
    for (const Suit suit : {suit_clubs, suit_diamonds, suit_spades, suit_hearts}) {
        if (wilds > 0 && ((filled >> suit) & 1) == 0) {
            filled |= 1u << suit;
            --wilds;
        }
    }
    const unsigned club = 1u << suit_clubs;
    return (filled & club) != 0 && (filled & ~club) != 0;
}

}  // namespace jimbot
