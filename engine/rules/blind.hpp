// Blinds: targets, debuffs, and what bosses do at their moments.
#pragma once

#include "catalog/catalog.hpp"
#include "core/state.hpp"

namespace jimbot {

// Whether this boss is being played and not disabled.
inline bool boss_active(const State& state, BlindId boss) {
    return state.round.blind == boss && state.round.boss_disabled == 0;
}

// Required base chips of an ante at a stake, before the blind's multiplier.
double ante_base(int ante, int stake);
double blind_target(const State& state, BlindId blind);

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

// Whether the card is a face card for jokers, and for bosses (who ignore debuffs).
inline bool face_rank(const Card& card) { return card.rank >= kJack && card.rank <= kKing; }

// Sets or lifts the blind's debuff on one card, or on all.
void refresh_debuff(State& state, Card& card);
void refresh_debuffs(State& state);

// Sets up a boss when its blind is selected.
void set_boss(State& state);
// Ends a boss's effect at once (Chicot, Luchador).
void disable_boss(State& state);
// On play, before scoring: The Hook, The Tooth, and preparations. `played` are card indices no longer in
// hand.
void boss_press_play(State& state, int played_count);
// After cards were drawn: Cerulean Bell, Crimson Heart.
void boss_after_draw(State& state);
// Whether a card drawn now arrives face down.
bool drawn_face_down(State& state, const Card& card);

}  // namespace jimbot
