// What a set of cards is made of: groups of ranks, suits, straights, and the plays a player would see in it.
#pragma once

#include <array>
#include <cstdint>

#include "core/state.hpp"
#include "rules/poker.hpp"

namespace jimbot {

// Cards by position. Face-down and Stone cards have no rank and no suit here.
// Filled by read_shape; the arrays by position hold something up to `count` only.
struct HandShape {
    int count;
    std::uint32_t forced;
    std::uint32_t hidden;
    std::uint64_t ranks;  // a nibble per rank
    std::uint32_t suits;  // a byte per suit
    std::uint32_t by_rank[kAce + 1];
    std::uint32_t by_suit[suit_count];
    std::uint64_t rank_unit[kMaxHand];  // what a card adds to `ranks` and `suits`
    std::uint32_t suit_unit[kMaxHand];
    std::uint8_t rank[kMaxHand];   // 0: none
    std::uint8_t value[kMaxHand];  // what keeping the card is worth, roughly: its rank and what is on it
    std::uint8_t order[kMaxHand];  // positions, least worth keeping first

    std::uint32_t all() const { return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1; }
};

void read_shape(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules,
                HandShape& shape);

// The largest number of cards of one suit, of one rank, and of a straight among cards with these sums.
int most_of_a_suit(std::uint32_t suits);
int most_of_a_rank(std::uint64_t ranks);
int most_of_a_straight(std::uint64_t ranks);
int most_of_a_straight_of(unsigned bits);  // by rank_bits
// The straights that lack two ranks at most: a bit per lowest rank, the Ace first.
unsigned near_straights(unsigned bits);
// The ranks of a straight, the Ace also below the Two, as in rank_bits.
constexpr unsigned straight_from(int lowest) {  // 1 (Ace) to 10
    return lowest == 1 ? 0x100fu : 0x1fu << (lowest - kMinRank);
}
// A bit per rank that occurs, the Two lowest.
unsigned rank_bits(std::uint64_t ranks);

// Up to `most` positions of `mask`, the most or the least worth keeping.
std::uint32_t best_of(const HandShape& shape, std::uint32_t mask, int most);
std::uint32_t worst_of(const HandShape& shape, std::uint32_t mask, int most);

inline constexpr int kMaxNaturalPlays = 24;

// Groups of a rank and their combinations, flushes, straights, the highest card: no play twice, every forced
// card in every play. Returns how many; `types` say what each was meant to be.
int natural_plays(const HandShape& shape, const PokerRules& rules, std::uint32_t* masks, HandType* types);

// Cards that are one short or more of a straight: one of each rank of the run of five ranks of which most are
// there. 0 if fewer than three are.
std::uint32_t straight_draw(const HandShape& shape);

}  // namespace jimbot
