// Blinds: targets, debuffs, and the moments at which the blind being played acts.
#pragma once

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "core/state.hpp"
#include "rules/poker.hpp"

namespace jimbot {

// The entry of the blind being played; the empty one between rounds and once it is disabled.
inline const BlindEntry& active_blind(const State& state) {
    return kBlinds[state.round.boss_disabled != 0 ? std::uint8_t{bl_none} : state.round.blind];
}

// Hand positions of the cards that the blind forces, as a mask: every selection must include them.
inline std::uint32_t forced_positions(const State& state) {
    if (!kBlinds[state.round.blind].forces_card) {
        return 0;
    }
    std::uint32_t forced = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        forced |= (state.cards[state.hand[i]].flags & card_forced) != 0 ? std::uint32_t{1} << i : 0;
    }
    return forced;
}

// Required base chips of an ante at a stake, before the blind's multiplier.
double ante_base(int ante, int stake);
// The target of a blind with multiplier 1, and of a blind.
double ante_target(const State& state);
double blind_target(const State& state, BlindId blind);

// The blind that is chosen or played next, and the target to prepare for: of the round being played, or of
// the next blind.
BlindId next_blind(const State& state);
double next_target(const State& state);

// What the blind being played makes of the base of a hand type (The Flint).
inline HandBase base_under_blind(const State& state, HandBase base) {
    if (!active_blind(state).halves_base) {
        return base;
    }
    return {std::max(0.0, std::floor(base.chips * 0.5 + 0.5)),
            std::max(1.0, std::floor(base.mult * 0.5 + 0.5))};
}
// What a hand of this type would start from if it were played now (The Arm and The Flint included).
inline HandBase base_if_played(const State& state, HandType type) {
    const int level = state.hands[type].level;
    const bool lowered = active_blind(state).lowers_level && level > 1;
    return base_under_blind(state, hand_base(type, lowered ? level - 1 : level));
}

// Suit questions about a card. Ordinary: jokers and effects. Flush: hand detection. Boss: suit bosses.
bool smeared_match(int suit, int wanted, bool smeared);
bool counts_as_suit(const Card& card, int suit, bool smeared);
bool flush_suit(const Card& card, int suit, bool smeared);
// The suits a card has for flushes, a bit each.
inline unsigned flush_suits(const Card& card, bool smeared) {
    constexpr unsigned kRed = 1u << suit_hearts | 1u << suit_diamonds;
    constexpr unsigned kBlack = 1u << suit_clubs | 1u << suit_spades;
    if (is_blank(card)) {
        return 0;
    }
    if (card.enhancement == m_wild && (card.flags & card_debuffed) == 0) {
        return kRed | kBlack;
    }
    const unsigned own = 1u << card.suit;
    return !smeared ? own : (own & kRed) != 0 ? kRed : kBlack;
}

inline bool face_rank(const Card& card) { return card.rank >= kJack && card.rank <= kKing; }
// Whether the card is a face card for blinds, which ignore debuffs.
bool is_face_to_blind(const Card& card, const PokerRules& rules);

// Sets or lifts the blind's debuff on one card, or on all.
void refresh_debuff(State& state, Card& card);
void refresh_debuffs(State& state);

// Sets up a boss when its blind is selected.
void set_boss(State& state);
// Ends a boss's effect at once (Chicot, Luchador).
void disable_boss(State& state);
// Whether the blind makes a hand of this type score nothing.
bool blind_blocks(const State& state, HandType type, int played_count);
// The same for a hand that is being scored, with everything else the blind does when it sees the type.
bool blind_reads_hand(State& state, HandType type, int played_count);
// Whether a card drawn now arrives face down.
bool drawn_face_down(State& state, const Card& card);

}  // namespace jimbot
