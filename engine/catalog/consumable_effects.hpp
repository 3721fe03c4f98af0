// What the tables of consumables share: effects, and what the scripted player makes of them. Only they include this.
#pragma once

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"

namespace jimbot {

// The order in which suits are chosen at random by spectral cards.
inline constexpr Suit kChoiceSuits[suit_count] = {suit_spades, suit_hearts, suit_diamonds, suit_clubs};

template <EnhancementId enhancement> void enhance(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        enhance_card(state, state.cards[targets[i]], enhancement);
    }
}

template <Suit suit> void change_suit(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        Card& card = state.cards[targets[i]];
        card.suit = suit;
        refresh_debuff(state, card);
    }
}

template <SealId seal> void put_seal(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        state.cards[targets[i]].seal = seal;
    }
}

template <Pool pool, Stream stream> void create_two(State& state, const std::uint8_t*, int) {
    for (int i = 0; i < 2; ++i) {
        create_consumable(state, pool, stream);
    }
}

template <JokerSource source> void make_a_joker(State& state, const std::uint8_t*, int) { create_joker(state, source); }

// What these cards pay.
inline constexpr int kImmolateDollars = 20;

inline int dollars_of_hermit(const State& state) { return std::clamp(state.money, 0, 20); }

inline int dollars_of_temperance(const State& state) {
    int total = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        total += sell_value(state, state.jokers[i]);
    }
    return std::min(50, total);
}

// Whether there is a card that The Fool would create again.
inline bool has_card_to_repeat(const State& state) { return state.last_consumable != c_none && state.last_consumable != c_fool; }

inline bool slot_is_free(const State&, std::uint32_t, int free_slots) { return free_slots > 0; }
inline bool joker_slot_is_free(const State& state, std::uint32_t, int) { return joker_room(state); }
inline bool two_cards_in_hand(const State& state, std::uint32_t, int) { return state.hand_count >= 2; }

inline bool has_plain_joker(const State& state, std::uint32_t, int) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].edition == e_none) {
            return true;
        }
    }
    return false;
}

inline int draw_plain_joker(State& state, Stream stream) {
    return draw_joker_position(state, stream, [&](int i) { return state.jokers[i].edition == e_none; });
}

inline void destroy_other_jokers(State& state, int kept) {
    std::uint32_t doomed = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if (i != kept && (state.jokers[i].stickers & sticker_eternal) == 0) {
            doomed |= std::uint32_t{1} << i;
        }
    }
    remove_jokers(state, doomed);
}

// Everything but place and creation number is copied, having been played this ante included.
inline void copy_onto(State& state, Card& target, const Card& source) {
    const std::uint32_t created = target.created;
    const unsigned own_flags = target.flags & ~unsigned{card_played_this_ante | card_debuffed_for_good};
    const unsigned copied_flags = source.flags & unsigned{card_played_this_ante | card_debuffed_for_good};
    target = source;
    target.created = created;
    target.flags = static_cast<std::uint8_t>(own_flags | copied_flags);
    refresh_debuff(state, target);
}

inline void destroy_one_and_add(State& state, Stream stream, std::initializer_list<int> ranks, int count) {
    std::uint8_t order[kMaxHand] = {};
    std::copy(state.hand, state.hand + state.hand_count, order);
    std::sort(order, order + state.hand_count);
    const std::uint8_t victim = order[draw(state.streams, Stream::random_destroy, state.ante).index(state.hand_count)];
    destroy_cards(state, &victim, 1, DestroyedBy::other_consumable);
    constexpr EnhancementId kEnhancements[] = {m_bonus, m_mult, m_wild, m_glass, m_steel, m_gold, m_lucky};
    for (int i = 0; i < count; ++i) {
        Card card{};
        int rank = *ranks.begin();
        if (ranks.size() > 1) {
            rank = ranks.begin()[draw(state.streams, stream, state.ante).index(static_cast<int>(ranks.size()))];
        }
        card.rank = static_cast<std::uint8_t>(rank);
        card.suit = kChoiceSuits[draw(state.streams, stream, state.ante).index(suit_count)];
        card.enhancement = kEnhancements[draw(state.streams, Stream::spectral_enhancement, state.ante).index(static_cast<int>(std::size(kEnhancements)))];
        gain_card(state, card, CardPlace::hand);
    }
}

// --- cards that the scripted player uses a consumable on

inline bool is_plain(const Card& card) { return card.enhancement == m_none; }
inline bool has_no_seal(const Card& card) { return card.seal == s_none; }
inline bool has_no_edition(const Card& card) { return card.edition == e_none; }
inline bool is_plain_and_unsealed(const Card& card) { return is_plain(card) && has_no_seal(card); }
inline bool can_rise(const Card& card) { return card.rank != kAce && card.enhancement != m_stone; }

// --- what a use is worth to the scripted player

inline double worth_of_hermit(const State& state, double weight, double dollar) { return dollar * dollars_of_hermit(state) - (state.money < 10 ? 0.15 : 0.0) + weight; }

inline double worth_of_temperance(const State& state, double weight, double dollar) { return dollar * dollars_of_temperance(state) - 0.1 + weight; }

inline double worth_of_sparing_one_joker(const State& state, double weight, double) { return state.joker_count == 1 ? weight + 0.5 : weight - 2.0; }

inline double worth_of_wraith(const State& state, double weight, double dollar) { return weight - dollar * std::max(0, state.money); }

inline double worth_of_immolate(const State&, double weight, double dollar) { return weight + dollar * kImmolateDollars; }

inline double worth_of_ectoplasm(const State& state, double weight, double) { return weight - 0.2 * state.ectoplasms; }

inline double worth_of_fool(const State& state, double weight, double) { return has_card_to_repeat(state) ? weight : 0.0; }

}  // namespace jimbot
