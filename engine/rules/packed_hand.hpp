// What a hand is, from the numbers of its cards by rank: a nibble per rank, so that all ranks are looked at
// at once. For hands read without Four Fingers and Shortcut.
#pragma once

#include <bit>
#include <cstdint>

#include "core/cards.hpp"

namespace jimbot {

// A hand as hand detection sees it; `scoring` has a bit per card, in the numbering of whoever asked.
struct Read {
    HandType type;
    std::uint16_t contains;  // a bit per hand type
    std::uint32_t scoring;
};

struct PackedHand {
    std::uint64_t ranks;  // the sum of its cards' rank units
    bool full;            // five cards, each with a rank
    bool flush;
};

constexpr std::uint64_t rank_unit(int rank) { return std::uint64_t{1} << (4 * (rank - kMinRank)); }

// Questions about sums of units.
inline int highest_rank(std::uint64_t ranks) { return kMinRank + (63 - std::countl_zero(ranks)) / 4; }
// Five different ranks in a row span exactly five nibbles; the Ace may also stand below the Two.
inline bool five_in_a_row(std::uint64_t ranks) {
    return (ranks >> std::countr_zero(ranks)) == 0x11111 || ranks == 0x1000000001111;
}

// A byte per suit.
constexpr std::uint32_t suit_unit(int suit) { return std::uint32_t{1} << (8 * suit); }
constexpr bool five_of_a_suit(std::uint32_t suits) { return ((suits + 0x7b7b7b7b) & 0x80808080) != 0; }

// Reads a hand. `cards` are all its cards, `cards_of(rank)` those of a rank. Stone cards, which score as
// well, are for the caller to add.
template <typename CardsOf> Read read_packed(const PackedHand& hand, std::uint32_t cards, CardsOf cards_of) {
    constexpr std::uint64_t kOnes = 0x1111111111111;
    constexpr auto flag = [](HandType type) { return 1u << type; };
    const std::uint64_t ranks = hand.ranks;
    const std::uint64_t ones = ranks & kOnes;
    const std::uint64_t twos = (ranks >> 1) & kOnes;
    const std::uint64_t fours = (ranks >> 2) & kOnes;
    const std::uint64_t many = twos | fours;  // ranks held more than once
    const auto lowest = [&](std::uint64_t nibbles) {
        return cards_of(static_cast<unsigned>(kMinRank + std::countr_zero(nibbles) / 4));
    };
    const bool straight = hand.full && many == 0 && five_in_a_row(ranks);
    if (many == 0 && !hand.flush && !straight) {
        const std::uint32_t high = ranks == 0 ? 0 : cards_of(static_cast<unsigned>(highest_rank(ranks)));
        return {hand_high_card, flag(hand_high_card), high};
    }
    unsigned contains = flag(hand_high_card);
    HandType type = hand_high_card;
    std::uint32_t scoring = 0;
    // Hands are found from the weakest to the strongest: the last one found is the hand.
    const auto found = [&](HandType better, std::uint32_t mask) {
        contains |= flag(better);
        type = better;
        scoring = mask;
    };
    const std::uint64_t pairs = twos & ~ones;
    const std::uint64_t big = many & ~pairs;  // the rank of three or more
    if (many != 0) {
        const std::uint64_t low_pair = pairs & (~pairs + 1);
        const std::uint64_t other_pair = pairs ^ low_pair;
        const std::uint32_t top = pairs == 0 ? 0 : lowest(other_pair != 0 ? other_pair : low_pair);
        const std::uint32_t most = big == 0 ? 0 : lowest(big);
        found(hand_pair, pairs != 0 ? top : most);
        if (other_pair != 0) {
            found(hand_two_pair, top | lowest(low_pair));
        }
        if (big != 0) {
            if (pairs != 0) {
                contains |= flag(hand_two_pair);
            }
            found(hand_three_of_a_kind, most);
        }
        if (big != 0 && pairs != 0) {
            found(hand_full_house, most | top);
        }
        if (fours != 0) {
            found(hand_four_of_a_kind, most);
        }
        if ((fours & ones) != 0) {
            found(hand_five_of_a_kind, most);
        }
    }
    if (straight) {
        found(hand_straight, cards);
    }
    if (hand.flush) {
        contains |= flag(hand_flush);
        if (straight) {
            found(hand_straight_flush, cards);
        } else if (type > hand_flush) {
            found(hand_flush, cards);
        }
        if (type == hand_full_house) {
            found(hand_flush_house, scoring);
        } else if (type == hand_five_of_a_kind) {
            found(hand_flush_five, scoring);
        }
    }
    return {type, static_cast<std::uint16_t>(contains), scoring};
}

}  // namespace jimbot
