#include "play/public_state.hpp"

#include <algorithm>

#include "rules/blind.hpp"
#include "view/hidden.hpp"
#include "view/visibility.hpp"

namespace jimbot {

namespace {

// Deals the unseen cards out in creation order: face-down cards of the hand first, as far as what is known
// about them allows, the rest to the draw pile.
void order_cards(State& state) {
    std::sort(state.draw_pile, state.draw_pile + state.draw_count);
    std::uint8_t unseen[kMaxCards];
    int count = 0;
    std::uint8_t hidden[kMaxHand];
    unsigned flags[kMaxHand];
    int hidden_count = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_face_down) != 0) {
            flags[hidden_count] = card.flags & kPlaceFlags;
            hidden[hidden_count++] = static_cast<std::uint8_t>(i);
            unseen[count++] = state.hand[i];
        }
    }
    if (hidden_count == 0) {
        return;
    }
    std::copy(state.draw_pile, state.draw_pile + state.draw_count, unseen + count);
    count += state.draw_count;
    std::sort(unseen, unseen + count);
    const auto hides = active_blind(state).traits.hides;
    for (int i = 0; i < hidden_count; ++i) {
        const auto fits = [&](std::uint8_t index) {
            return hides == nullptr || hides(state, state.cards[index]);
        };
        std::uint8_t* chosen = std::find_if(unseen, unseen + count, fits);
        chosen = chosen == unseen + count ? unseen : chosen;
        const std::uint8_t index = *chosen;
        std::copy(chosen + 1, unseen + count, chosen);
        --count;
        state.hand[hidden[i]] = index;
        set_place_flags(state.cards[index], flags[i]);
    }
    for (int i = 0; i < count; ++i) {
        state.draw_pile[i] = unseen[i];
        set_place_flags(state.cards[unseen[i]], 0);
    }
}

void order_jokers(State& state) {
    Joker hidden[kMaxJokers] = {};
    int count = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            hidden[count++] = state.jokers[i];
        }
    }
    std::sort(hidden, hidden + count, [](const Joker& a, const Joker& b) { return a.created < b.created; });
    for (int i = 0, next = 0; i < state.joker_count; ++i) {
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            state.jokers[i] = hidden[next++];
        }
    }
}

}  // namespace

State public_state(const State& state) {
    State seen = state;
    order_cards(seen);
    order_jokers(seen);
    hide_unseen_choices(seen);
    seen.streams = {};  // the seed too: nothing of it can be read by accident
    use_fast_streams(seen.streams, 1);
    return seen;
}

std::uint64_t public_seed(const State& state) {
    std::uint64_t hash = 0x243f6a8885a308d3;
    const auto mix = [&](std::uint64_t value) { hash = next_fast(hash) ^ (value * 0x9e3779b97f4a7c15); };
    mix(static_cast<std::uint64_t>(state.ante) << 32 | static_cast<std::uint64_t>(state.rounds) << 16 |
        static_cast<std::uint64_t>(state.phase) << 8 | state.blind_on_deck);
    mix(static_cast<std::uint64_t>(static_cast<std::uint32_t>(state.money)) << 32 |
        static_cast<std::uint64_t>(static_cast<std::uint16_t>(state.round.hands_left)) << 16 |
        static_cast<std::uint16_t>(state.round.discards_left));
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_face_down) == 0) {
            mix(static_cast<std::uint64_t>(card.rank) << 8 | card.suit);
        }
    }
    for (int i = 0; i < state.shop.slot_count; ++i) {
        mix(state.shop.slots[i].id);
    }
    mix(static_cast<std::uint64_t>(state.card_count) << 8 | state.joker_count);
    return next_fast(hash);
}

int unseen_cards(const State& state, std::uint8_t (&out)[kMaxCards]) {
    int count = 0;
    for (int i = 0; i < state.draw_count; ++i) {
        out[count++] = state.draw_pile[i];
    }
    for (int i = 0; i < state.hand_count; ++i) {
        if (is_face_down(state, i)) {
            out[count++] = state.hand[i];
        }
    }
    std::sort(out, out + count);
    return count;
}

}  // namespace jimbot
