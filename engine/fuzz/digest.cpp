// What a player may know, as one number.
#include <cstring>

#include "core/snapshot.hpp"
#include "fuzz/invariants.hpp"
#include "view/visibility.hpp"

namespace jimbot::fuzz {

namespace {

template <typename Part> std::uint64_t hash_of(const Part& part, std::uint64_t start) {
    static_assert(sizeof(Part) % 4 == 0);
    std::uint64_t hash = start;
    for (std::size_t at = 0; at < sizeof part; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, reinterpret_cast<const unsigned char*>(&part) + at, 4);
        hash += word;
        hash = next_fast(hash);
    }
    return hash;
}

// A card without the number of its creation, and with these flags only.
Card faceless(Card card, unsigned flags) {
    card.created = 0;
    card.flags = static_cast<std::uint8_t>(card.flags & flags);
    return card;
}

}  // namespace

std::uint64_t public_digest(const State& state) {
    State seen = state;
    hide_unseen_choices(seen);
    std::memset(static_cast<void*>(&seen.streams), 0, sizeof seen.streams);
    std::memset(static_cast<void*>(seen.cards), 0, sizeof seen.cards);
    std::memset(seen.hand, 0, sizeof seen.hand);
    std::memset(seen.draw_pile, 0, sizeof seen.draw_pile);
    // Cards that cannot be told apart by place, the pile and the face-down cards of the hand, count as a set;
    // so do those of the discard pile. The others are seen where they are.
    std::uint64_t digest = 0;
    bool unseen[kMaxCards] = {};
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        const bool hidden = (card.flags & card_face_down) != 0;
        unseen[state.hand[i]] = hidden;
        seen.hand[i] = hidden ? static_cast<std::uint8_t>(card.flags & (card_face_down | card_forced)) : 1;
        seen.cards[i] = hidden ? Card{} : faceless(card, 0xff);
    }
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        if (card.place() == CardPlace::draw_pile || unseen[i]) {
            digest +=
                hash_of(faceless(card, card_debuffed | card_played_this_ante | card_debuffed_for_good), 1);
        } else if (card.place() == CardPlace::discard_pile) {
            digest += hash_of(faceless(card, 0xff), 2);
        }
    }
    for (int i = 0; i < seen.joker_count; ++i) {
        if ((seen.jokers[i].flags & joker_face_down) != 0) {
            digest += hash_of(seen.jokers[i], 3);
            seen.jokers[i] = {};
        }
    }
    return digest ^ state_hash(seen);
}

}  // namespace jimbot::fuzz
