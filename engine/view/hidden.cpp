#include "view/hidden.hpp"

#include <utility>

#include "rules/blind.hpp"
#include "rules/cards.hpp"

namespace jimbot {

namespace {

// The Mark turns exactly the face cards down, so a face-down card is known to be one and the pile's are not
// told apart; every other blind says nothing about what it hides.
bool known_class(const State& state, const Card& card) {
    return boss_active(state, bl_mark) && is_face_card(state, card);
}

}  // namespace

void resample_hidden(State& state, std::uint64_t seed) {
    std::uint64_t random = seed ^ 0x6a09e667f3bcc908;
    const auto below = [&](int count) {
        return static_cast<int>(next_fast(random) % static_cast<std::uint64_t>(count));
    };
    for (int i = state.draw_count - 1; i > 0; --i) {
        std::swap(state.draw_pile[i], state.draw_pile[below(i + 1)]);
    }
    // A face-down card of the hand may be any card of the pile or any other face-down card: exchange indices,
    // which keeps creation order intact.
    std::uint8_t hidden[kMaxHand + kMaxCards];
    std::uint8_t* slots[kMaxHand + kMaxCards];
    int count = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        if ((state.cards[state.hand[i]].flags & card_face_down) != 0) {
            slots[count] = &state.hand[i];
            hidden[count++] = state.hand[i];
        }
    }
    const int face_down = count;
    for (int i = 0; i < state.draw_count && face_down > 0; ++i) {
        slots[count] = &state.draw_pile[i];
        hidden[count++] = state.draw_pile[i];
    }
    for (int i = 0; i < face_down; ++i) {
        const int j = i + below(count - i);
        const Card& mine = state.cards[hidden[i]];
        const Card& other = state.cards[hidden[j]];
        if (i == j || known_class(state, mine) != known_class(state, other)) {
            continue;
        }
        Card& a = state.cards[hidden[i]];
        Card& b = state.cards[hidden[j]];
        const auto situation = static_cast<std::uint8_t>(0xc0 | card_face_down | card_forced);
        const std::uint8_t flags_a = a.flags & situation;
        const std::uint8_t flags_b = b.flags & situation;
        a.flags = static_cast<std::uint8_t>((a.flags & ~situation) | flags_b);
        b.flags = static_cast<std::uint8_t>((b.flags & ~situation) | flags_a);
        std::swap(*slots[i], *slots[j]);
        std::swap(hidden[i], hidden[j]);
    }
    for (int i = state.joker_count - 1; i > 0; --i) {
        const int j = below(i + 1);
        if ((state.jokers[i].flags & joker_face_down) != 0 &&
            (state.jokers[j].flags & joker_face_down) != 0) {
            std::swap(state.jokers[i], state.jokers[j]);
        }
    }
    use_fast_streams(state.streams, next_fast(random));
}

}  // namespace jimbot
