#include "view/structure.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/bits.hpp"
#include "rules/blind.hpp"

namespace jimbot {

namespace {

constexpr int kStraight = 5;

// By the ranks that are there: cards of the longest straight, and the straights that lack two ranks at most
// (a bit per lowest rank, the Ace first).
struct Straights {
    std::array<std::uint8_t, 1 << kRanks> most{};
    std::array<std::uint16_t, 1 << kRanks> near{};
};

Straights list_straights() noexcept {
    Straights straights;
    for (std::size_t bits = 0; bits < straights.most.size(); ++bits) {
        for (int lowest = 1; lowest <= 10; ++lowest) {
            const int here = count_bits(static_cast<std::uint32_t>(bits) & straight_from(lowest));
            straights.most[bits] = std::max(straights.most[bits], static_cast<std::uint8_t>(here));
            straights.near[bits] =
                static_cast<std::uint16_t>(straights.near[bits] | (here >= 3 ? 1u << (lowest - 1) : 0u));
        }
    }
    return straights;
}

const Straights kStraights = list_straights();

std::uint8_t worth(const Card& card) {
    if ((card.flags & card_face_down) != 0) {
        return 7;
    }
    if ((card.flags & card_debuffed) != 0) {
        return 0;
    }
    const int extras = (card.enhancement != m_none ? 6 : 0) + (card.edition != e_none ? 6 : 0) +
                       (card.seal != s_none ? 4 : 0);
    return static_cast<std::uint8_t>((card.enhancement == m_stone ? 5 : card.rank) + extras);
}

class Plays {
public:
    Plays(const HandShape& shape, std::uint32_t* masks, HandType* types)
        : shape_(shape), masks_(masks), types_(types) {}

    void add(std::uint32_t mask, HandType type) {
        if (mask == 0) {
            return;
        }
        mask |= shape_.forced;
        if (count_bits(mask) > kMaxPlayed || count == kMaxNaturalPlays ||
            std::find(masks_, masks_ + count, mask) != masks_ + count) {
            return;
        }
        types_[count] = type;
        masks_[count++] = mask;
    }

    int count = 0;

private:
    const HandShape& shape_;
    std::uint32_t* masks_;
    HandType* types_;
};

void add_groups(const HandShape& shape, Plays& plays) {
    std::uint32_t first = 0;  // the largest group, and the next: higher ranks before lower ones
    std::uint32_t second = 0;
    for (int rank = kAce; rank >= kMinRank; --rank) {
        const std::uint32_t group = shape.by_rank[rank];
        const int size = count_bits(group);
        if (size < 2) {
            continue;
        }
        plays.add(best_of(shape, group, kMaxPlayed), size == 2   ? hand_pair
                                                     : size == 3 ? hand_three_of_a_kind
                                                     : size == 4 ? hand_four_of_a_kind
                                                                 : hand_five_of_a_kind);
        if (size > count_bits(first)) {
            second = first;
            first = group;
        } else if (size > count_bits(second)) {
            second = group;
        }
    }
    if (second != 0) {
        const int most = std::min(3, count_bits(first));
        plays.add(best_of(shape, first, most) | best_of(shape, second, 2),
                  most == 3 ? hand_full_house : hand_two_pair);
    }
}

// One card of each rank of a straight that ends with `highest`, from the cards of `mask`; 0 if there is none.
std::uint32_t straight_below(const HandShape& shape, std::uint32_t mask, int highest, int length, int gap) {
    std::uint32_t cards = 0;
    int missing = 0;
    for (int rank = highest; rank >= 1 && length > 0; --rank) {
        const std::uint32_t here = shape.by_rank[rank == 1 ? kAce : rank] & mask;
        if (here != 0) {
            cards |= best_of(shape, here, 1);
            missing = 0;
            --length;
        } else if (cards == 0 || ++missing > gap) {
            return 0;
        }
    }
    return length == 0 ? cards : 0;
}

std::uint32_t best_straight(const HandShape& shape, std::uint32_t mask, const PokerRules& rules) {
    const int length = rules.four_fingers ? 4 : kStraight;
    for (int highest = kAce; highest >= length; --highest) {
        const std::uint32_t cards = straight_below(shape, mask, highest, length, rules.shortcut ? 1 : 0);
        if (cards != 0) {
            return cards;
        }
    }
    return 0;
}

}  // namespace

void read_shape(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules,
                HandShape& shape) {
    shape.count = count;
    shape.forced = shape.hidden = shape.suits = 0;
    shape.ranks = 0;
    std::fill(std::begin(shape.by_rank), std::end(shape.by_rank), 0u);
    std::fill(std::begin(shape.by_suit), std::end(shape.by_suit), 0u);
    for (int i = 0; i < count; ++i) {
        const Card& card = state.cards[indices[i]];
        const std::uint32_t here = std::uint32_t{1} << i;
        const bool hidden = (card.flags & card_face_down) != 0;
        shape.forced |= (card.flags & card_forced) != 0 ? here : 0;
        shape.hidden |= hidden ? here : 0;
        shape.rank[i] = 0;
        shape.rank_unit[i] = 0;
        shape.suit_unit[i] = 0;
        shape.value[i] = worth(card);
        if (!hidden && !is_blank(card)) {
            const int nibble = 4 * (card.rank - kMinRank);
            shape.rank[i] = card.rank;
            shape.rank_unit[i] = ((shape.ranks >> nibble) & 15) < 15 ? std::uint64_t{1} << nibble : 0;
            shape.by_rank[card.rank] |= here;
            if (card.enhancement != m_wild && !rules.smeared) {
                shape.suit_unit[i] = std::uint32_t{1} << (8 * card.suit);
                shape.by_suit[card.suit] |= here;
            } else {
                for (int suit = 0; suit < suit_count; ++suit) {
                    if (flush_suit(card, suit, rules.smeared)) {
                        shape.suit_unit[i] += std::uint32_t{1} << (8 * suit);
                        shape.by_suit[suit] |= here;
                    }
                }
            }
            shape.ranks += shape.rank_unit[i];
            shape.suits += shape.suit_unit[i];
        }
        int at = i;
        for (; at > 0 && shape.value[shape.order[at - 1]] > shape.value[i]; --at) {
            shape.order[at] = shape.order[at - 1];
        }
        shape.order[at] = static_cast<std::uint8_t>(i);
    }
}

int most_of_a_suit(std::uint32_t suits) {
    return static_cast<int>(
        std::max(std::max(suits & 255, (suits >> 8) & 255), std::max((suits >> 16) & 255, suits >> 24)));
}

int most_of_a_rank(std::uint64_t ranks) {
    constexpr std::uint64_t kOnes = 0x1111111111111;
    if (ranks == 0) {
        return 0;
    }
    if ((ranks & (kOnes * 12)) == 0) {  // at most three
        const std::uint64_t twos = (ranks >> 1) & kOnes;
        return twos == 0 ? 1 : (twos & ranks) != 0 ? 3 : 2;
    }
    int most = 0;
    for (std::uint64_t left = ranks; left != 0; left >>= 4) {
        most = std::max(most, static_cast<int>(left & 15));
    }
    return most;
}

unsigned rank_bits(std::uint64_t ranks) {
    constexpr std::uint64_t kOnes = 0x1111111111111;
    std::uint64_t bits = (ranks | (ranks >> 1) | (ranks >> 2) | (ranks >> 3)) & kOnes;
    // Thirteen nibbles of 0 or 1 become thirteen bits.
    bits = (bits | (bits >> 3)) & 0x0303030303030303;
    bits = (bits | (bits >> 6)) & 0x000f000f000f000f;
    bits = (bits | (bits >> 12)) & 0x000000ff000000ff;
    return static_cast<unsigned>((bits | (bits >> 24)) & 0x1fff);
}

int most_of_a_straight_of(unsigned bits) { return kStraights.most[bits]; }

unsigned near_straights(unsigned bits) { return kStraights.near[bits]; }

int most_of_a_straight(std::uint64_t ranks) { return most_of_a_straight_of(rank_bits(ranks)); }

std::uint32_t best_of(const HandShape& shape, std::uint32_t mask, int most) {
    std::uint32_t chosen = 0;
    if (count_bits(mask) <= most) {
        return mask;
    }
    for (int i = shape.count - 1; i >= 0 && most > 0; --i) {
        const std::uint32_t here = std::uint32_t{1} << shape.order[i];
        if ((mask & here) != 0) {
            chosen |= here;
            --most;
        }
    }
    return chosen;
}

std::uint32_t worst_of(const HandShape& shape, std::uint32_t mask, int most) {
    std::uint32_t chosen = 0;
    if (count_bits(mask) <= most) {
        return mask;
    }
    for (int i = 0; i < shape.count && most > 0; ++i) {
        const std::uint32_t here = std::uint32_t{1} << shape.order[i];
        if ((mask & here) != 0) {
            chosen |= here;
            --most;
        }
    }
    return chosen;
}

int natural_plays(const HandShape& shape, const PokerRules& rules, std::uint32_t* masks, HandType* types) {
    Plays plays(shape, masks, types);
    add_groups(shape, plays);
    const int needed = rules.four_fingers ? 4 : 5;
    for (const std::uint32_t suited : shape.by_suit) {
        if (count_bits(suited) >= needed) {
            plays.add(best_straight(shape, suited, rules), hand_straight_flush);
            plays.add(best_of(shape, suited, kMaxPlayed), hand_flush);
        }
    }
    if (rules.four_fingers || rules.shortcut || most_of_a_straight(shape.ranks) == kStraight) {
        plays.add(best_straight(shape, shape.all(), rules), hand_straight);
    }
    plays.add(best_of(shape, shape.all(), 1), hand_high_card);
    return plays.count;
}

std::uint32_t straight_draw(const HandShape& shape) {
    const unsigned there = rank_bits(shape.ranks);
    if (kStraights.most[there] < 3) {
        return 0;
    }
    for (int lowest = 10; lowest >= 1; --lowest) {
        if (count_bits(there & straight_from(lowest)) != kStraights.most[there]) {
            continue;
        }
        std::uint32_t cards = 0;
        for (int rank = lowest; rank < lowest + kStraight; ++rank) {
            const std::uint32_t here = shape.by_rank[rank == 1 ? kAce : rank];
            cards |= here != 0 ? best_of(shape, here, 1) : 0;
        }
        return cards;
    }
    return 0;
}

}  // namespace jimbot
