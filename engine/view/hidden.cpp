#include "view/hidden.hpp"

#include <utility>

#include "rules/blind.hpp"
#include "view/visibility.hpp"

namespace jimbot {

namespace {

int below(std::uint64_t& random, int count) {
    return static_cast<int>(((next_fast(random) >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

// Whether an Aura could be used now: it says of every card whether it has an edition.
bool aura_at_hand(const State& state) {
    for (int i = 0; i < state.consumable_count; ++i) {
        if (state.consumables[i].id == c_aura) {
            return true;
        }
    }
    return false;
}

// What is known about a card although it is face down. The Mark turns exactly the face cards down; every
// other blind says nothing about what it hides.
int known_class(const State& state, const Card& card, bool aura) {
    // As the blind sees it, which ignores debuffs.
    const bool face = boss_active(state, bl_mark) && ((face_rank(card) && card.enhancement != m_stone) ||
                                                      owns_active_joker(state, j_pareidolia));
    return (face ? 1 : 0) + (aura && card.edition != e_none ? 2 : 0);
}

// Exchanges two cards: each takes the other's index, place and situation, which keeps creation order intact.
void exchange(State& state, std::uint8_t& a, std::uint8_t& b) {
    constexpr unsigned kSituation = 0xc0u | card_face_down | card_forced;
    Card& first = state.cards[a];
    Card& second = state.cards[b];
    const unsigned flags_first = first.flags & kSituation;
    const unsigned flags_second = second.flags & kSituation;
    first.flags = static_cast<std::uint8_t>((first.flags & ~kSituation) | flags_second);
    second.flags = static_cast<std::uint8_t>((second.flags & ~kSituation) | flags_first);
    std::swap(a, b);
}

void resample_cards(State& state, std::uint64_t& random) {
    for (int i = state.draw_count - 1; i > 0; --i) {
        std::swap(state.draw_pile[i], state.draw_pile[below(random, i + 1)]);
    }
    // A face-down card of the hand may be any card of the pile or any other face-down card that fits what is
    // known.
    std::uint8_t* hidden[kMaxHand + kMaxCards];
    int count = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        if ((state.cards[state.hand[i]].flags & card_face_down) != 0) {
            hidden[count++] = &state.hand[i];
        }
    }
    const bool aura = aura_at_hand(state);
    const int face_down = count;
    if (face_down == 0) {
        return;
    }
    for (int i = 0; i < state.draw_count; ++i) {
        hidden[count++] = &state.draw_pile[i];
    }
    for (int i = 0; i < face_down; ++i) {
        int fitting[kMaxHand + kMaxCards];
        int choices = 0;
        const int known = known_class(state, state.cards[*hidden[i]], aura);
        for (int j = i; j < count; ++j) {
            if (known_class(state, state.cards[*hidden[j]], aura) == known) {
                fitting[choices++] = j;
            }
        }
        const int chosen = fitting[below(random, choices)];
        if (chosen != i) {
            exchange(state, *hidden[i], *hidden[chosen]);
        }
    }
}

// Face-down jokers change places; whether one may be sold or moved can be seen, so those that may stay among
// themselves.
void resample_jokers(State& state, std::uint64_t& random) {
    constexpr unsigned kSeen = sticker_eternal | sticker_pinned;
    for (int i = state.joker_count - 1; i > 0; --i) {
        if ((state.jokers[i].flags & joker_face_down) == 0) {
            continue;
        }
        int fitting[kMaxJokers];
        int choices = 0;
        for (int j = 0; j <= i; ++j) {
            const Joker& other = state.jokers[j];
            if ((other.flags & joker_face_down) != 0 &&
                (other.stickers & kSeen) == (state.jokers[i].stickers & kSeen)) {
                fitting[choices++] = j;
            }
        }
        std::swap(state.jokers[i], state.jokers[fitting[below(random, choices)]]);
    }
}

}  // namespace

void resample_hidden(State& state, std::uint64_t seed) {
    std::uint64_t random = seed ^ 0x6a09e667f3bcc908;
    resample_cards(state, random);
    resample_jokers(state, random);
    const std::uint64_t future = next_fast(random);
    use_fast_streams(state.streams, ~future);
    redraw_unseen_choices(state);
    use_fast_streams(state.streams, future);
}

}  // namespace jimbot
