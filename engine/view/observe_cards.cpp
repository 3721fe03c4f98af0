// The hand and the deck of an observation.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "rules/poker.hpp"
#include "view/observe_parts.hpp"
#include "view/scales.hpp"

namespace jimbot {

namespace {

bool face_down(const Card& card) { return (card.flags & card_face_down) != 0; }

void observe_card(const Card& card, float* out) {
    out[HandColumn::present] = 1.0f;
    out[HandColumn::face_down] = face_down(card) ? 1.0f : 0.0f;
    out[HandColumn::forced] = (card.flags & card_forced) != 0 ? 1.0f : 0.0f;
    if (face_down(card)) {
        return;
    }
    out[HandColumn::debuffed] = (card.flags & card_debuffed) != 0 ? 1.0f : 0.0f;
    out[HandColumn::played_this_ante] = (card.flags & card_played_this_ante) != 0 ? 1.0f : 0.0f;
    out[HandColumn::rank] = static_cast<float>(card.rank) / 14.0f;
    out[HandColumn::chips] = static_cast<float>(rank_chips(card.rank)) / 11.0f;
    out[HandColumn::suit + card.suit] = 1.0f;
    one_hot(out + HandColumn::enhancement, card.enhancement, m_end - 1);
    one_hot(out + HandColumn::edition, card.edition, e_end - 1);
    one_hot(out + HandColumn::seal, card.seal, s_end - 1);
    out[HandColumn::bonus] = dollars(card.bonus);
}

using CardRow = std::array<float, kCardFeatures>;

// The rows of plain cards by front: nearly all cards are plain, and a row is copied faster than written.
std::array<CardRow, kFronts> plain_rows() noexcept {
    std::array<CardRow, kFronts> rows{};
    for (int front = 0; front < kFronts; ++front) {
        Card card{};
        card.rank = static_cast<std::uint8_t>(front_rank(front));
        card.suit = front_suit(front);
        observe_card(card, rows[static_cast<std::size_t>(front)].data());
    }
    return rows;
}

const std::array<CardRow, kFronts> kPlainRows = plain_rows();

// Everything a card shows, as one number: all of it but its creation number.
std::uint64_t card_key(const Card& card) {
    static_assert(offsetof(Card, bonus) == 4 && sizeof(Card) == 12);
    std::uint64_t key = 0;
    std::memcpy(&key, reinterpret_cast<const unsigned char*>(&card) + offsetof(Card, bonus), sizeof key);
    return key;
}

bool is_plain(const Card& card) {
    constexpr unsigned kSeenFlags = card_debuffed | card_face_down | card_played_this_ante | card_forced;
    return card.bonus == 0 && (card.enhancement | card.edition | card.seal | (card.flags & kSeenFlags)) == 0;
}

void write_count(int front, const ObservationCache& cache, Observation& out) {
    out.deck[front] = std::min(2.0f, 0.25f * static_cast<float>(cache.counts[front]));
}

}  // namespace

bool observe_hand(const State& state, ObservationCache& cache, Observation& out) {
    bool hidden = false;
    for (int i = kSeenHand; i < state.hand_count; ++i) {
        hidden = hidden || face_down(state.cards[state.hand[i]]);
    }
    const int rows = std::min<int>(state.hand_count, kSeenHand);
    for (int i = 0; i < rows; ++i) {
        const Card& card = state.cards[state.hand[row_position(state, i)]];
        hidden = hidden || face_down(card);
        const std::uint64_t key = card_key(card);
        if (i < cache.hand_rows && cache.cards[i] == key) {
            continue;
        }
        cache.cards[i] = key;
        const int front = front_of(card);
        out.hand_ids[i] = static_cast<std::int16_t>(face_down(card) ? kFronts + 1 : 1 + front);
        if (is_plain(card)) {
            std::memcpy(out.hand[i], kPlainRows[static_cast<std::size_t>(front)].data(), sizeof out.hand[i]);
        } else {
            clear(out.hand[i]);
            observe_card(card, out.hand[i]);
        }
    }
    for (int i = rows; i < cache.hand_rows; ++i) {
        clear(out.hand[i]);
        out.hand_ids[i] = 0;
    }
    cache.hand_rows = static_cast<std::uint8_t>(rows);
    return hidden;
}

// Unseen cards per front. Cards enter the draw pile at the start of a round or by being made; in between it
// only gets shorter, and only what was drawn is taken off the counts.
void observe_deck(const State& state, bool hidden, bool same_cards, ObservationCache& cache,
                  Observation& out) {
    const bool only_drawn = same_cards && !hidden && !cache.hidden && state.draw_count <= cache.draw_count &&
                            std::memcmp(state.draw_pile, cache.draw_pile, state.draw_count) == 0;
    if (only_drawn) {
        for (int i = state.draw_count; i < cache.draw_count; ++i) {
            const int front = front_of(state.cards[cache.draw_pile[i]]);
            --cache.counts[front];
            write_count(front, cache, out);
        }
    } else {
        std::memset(cache.counts, 0, sizeof cache.counts);
        for (int i = 0; i < state.draw_count; ++i) {
            ++cache.counts[front_of(state.cards[state.draw_pile[i]])];
        }
        for (int i = 0; hidden && i < state.hand_count; ++i) {
            const Card& card = state.cards[state.hand[i]];
            cache.counts[front_of(card)] =
                static_cast<std::uint8_t>(cache.counts[front_of(card)] + (face_down(card) ? 1 : 0));
        }
        for (int front = 0; front < kFronts; ++front) {
            write_count(front, cache, out);
        }
        std::memcpy(cache.draw_pile, state.draw_pile, state.draw_count);
    }
    cache.hidden = hidden;
    cache.draw_count = state.draw_count;
    cache.card_count = state.card_count;
    cache.next_created = state.next_created;
}

// Enhancements come and go with cards, by tarots and by jokers. A count of tarots at its largest number stays
// there, and no longer tells whether one was used.
void observe_enhancements(const State& state, bool same_cards, ObservationCache& cache, Observation& out) {
    const bool same_tarots = state.tarots_used == cache.tarots_used && state.tarots_used < UINT16_MAX;
    if (same_cards && state.joker_count == 0 && same_tarots) {
        return;
    }
    cache.tarots_used = state.tarots_used;
    unsigned any = 0;
    for (int i = 0; i < state.card_count; ++i) {
        any |= state.cards[i].enhancement;
    }
    if (any == 0 && !cache.enhanced) {
        return;
    }
    int enhanced[m_end] = {};
    for (int i = 0; i < state.card_count; ++i) {
        ++enhanced[state.cards[i].enhancement];
    }
    for (int i = 1; i < m_end; ++i) {
        out.deck_enhancements[i - 1] = bounded<26>(enhanced[i]);
    }
    cache.enhanced = any != 0;
}

}  // namespace jimbot
