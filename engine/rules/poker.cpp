#include "rules/poker.hpp"

#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/packed_hand.hpp"

namespace jimbot {

namespace {

constexpr std::uint16_t flag(HandType type) { return static_cast<std::uint16_t>(1u << type); }

// Cards of the first suit that fills a flush, as a mask of positions; 0 if none does.
unsigned flush_cards(const Card* const* cards, int count, int needed, bool smeared) {
    if (count < needed) {
        return 0;
    }
    constexpr Suit kOrder[] = {suit_spades, suit_hearts, suit_clubs, suit_diamonds};
    for (const Suit suit : kOrder) {
        unsigned mask = 0;
        int matches = 0;
        for (int i = 0; i < count; ++i) {
            if (flush_suit(*cards[i], suit, smeared)) {
                mask |= 1u << i;
                ++matches;
            }
        }
        if (matches >= needed) {
            return mask;
        }
    }
    return 0;
}

// Cards of the straight: every card whose rank takes part in the chain; 0 if there is none.
unsigned straight_cards(const unsigned* by_rank, int needed, bool shortcut) {
    unsigned mask = 0;
    int length = 0;
    bool found = false;
    bool skipped = false;
    for (int step = 1; step <= kAce; ++step) {
        const unsigned here = by_rank[step == 1 ? kAce : step];
        if (here != 0) {
            ++length;
            skipped = false;
            mask |= here;
            found = found || length >= needed;
        } else if (shortcut && !skipped && step != kAce) {
            skipped = true;
        } else {
            if (found) {
                break;
            }
            length = 0;
            skipped = false;
            mask = 0;
        }
    }
    return found ? mask : 0;
}

}  // namespace

PokerRules poker_rules(unsigned passive) {
    return {(passive & passive_four_fingers) != 0, (passive & passive_shortcut) != 0,
            (passive & passive_smeared) != 0, (passive & passive_splash) != 0,
            (passive & passive_all_faces) != 0};
}

PokerRules poker_rules(const State& state) { return poker_rules(passive_rules(state)); }

std::uint32_t sort_key(const Card& card) {
    // Clubs above Diamonds here, although creation order has Clubs first.
    constexpr std::uint32_t kSuitValue[suit_count] = {1, 0, 2, 3};
    const std::uint32_t age =
        0xffffff - (card.created & 0xffffff);  // of equal cards the older one comes first
    const std::uint32_t value = static_cast<std::uint32_t>(card.rank) * 4 + kSuitValue[card.suit];
    // Stone cards come last, the lowest of them first.
    const std::uint32_t placed = card.enhancement == m_stone ? 60 - value : 64 + value;
    return (placed << 24) | age;
}

namespace {

// Reads a hand under any rules.
PokerHand read_any_hand(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules) {
    const Card* cards[kMaxPlayed];
    unsigned by_rank[kAce + 1] = {};
    unsigned stones = 0;
    unsigned unknown = 0;
    unsigned rank_bits = 0;
    for (int i = 0; i < count; ++i) {
        cards[i] = &state.cards[indices[i]];
        if ((cards[i]->flags & card_unknown) != 0) {
            unknown |= 1u << i;
        } else if (cards[i]->enhancement == m_stone) {
            stones |= 1u << i;
        } else {
            by_rank[cards[i]->rank] |= 1u << i;
            rank_bits |= 1u << cards[i]->rank;
        }
    }
    unsigned five = 0;
    unsigned four = 0;
    unsigned three = 0;
    unsigned pairs[2] = {};
    int pair_count = 0;
    int high_rank = 0;
    for (int rank = kAce; rank >= kMinRank; --rank) {
        if (((rank_bits >> rank) & 1) == 0) {
            continue;
        }
        high_rank = high_rank == 0 ? rank : high_rank;
        switch (count_bits(by_rank[rank])) {
        case 5:
            five = by_rank[rank];
            break;
        case 4:
            four = by_rank[rank];
            break;
        case 3:
            three = by_rank[rank];
            break;
        case 2:
            pairs[pair_count++] = by_rank[rank];
            break;
        default:
            break;
        }
    }
    const int needed = rules.four_fingers ? 4 : 5;
    const unsigned flush = flush_cards(cards, count, needed, rules.smeared);
    const unsigned straight = count >= needed ? straight_cards(by_rank, needed, rules.shortcut) : 0;
    const bool full = three != 0 && pair_count > 0;

    PokerHand hand{hand_high_card, flag(hand_high_card), 0};
    unsigned scoring = 0;
    const auto found = [&](HandType type, unsigned mask) {
        hand.contains |= flag(type);
        if (type < hand.type) {
            hand.type = type;
            scoring = mask;
        }
    };
    if (high_rank != 0) {
        int best = -1;
        for (int i = 0; i < count; ++i) {
            if (((by_rank[high_rank] >> i) & 1) != 0 &&
                (best < 0 || sort_key(*cards[i]) > sort_key(*cards[best]))) {
                best = i;
            }
        }
        scoring = 1u << best;
    }
    if (five != 0 && flush != 0) {
        found(hand_flush_five, five);
    }
    if (full && flush != 0) {
        found(hand_flush_house, three | pairs[0]);
    }
    if (five != 0) {
        found(hand_five_of_a_kind, five);
    }
    if (flush != 0 && straight != 0) {
        found(hand_straight_flush, flush | straight);
    }
    if (five != 0 || four != 0) {
        found(hand_four_of_a_kind, five | four);
    }
    if (full) {
        found(hand_full_house, three | pairs[0]);
    }
    if (flush != 0) {
        found(hand_flush, flush);
    }
    if (straight != 0) {
        found(hand_straight, straight);
    }
    if ((five | four | three) != 0) {
        found(hand_three_of_a_kind, five | four | three);
    }
    if (full || pair_count == 2) {
        found(hand_two_pair, three | pairs[0] | pairs[1]);
    }
    if ((five | four | three | pairs[0]) != 0) {
        found(hand_pair, pairs[0] != 0 ? pairs[0] : five | four | three);
    }
    scoring |= stones;
    if (rules.splash) {
        scoring = ((1u << count) - 1) & ~unknown;
    }
    hand.scoring = static_cast<std::uint8_t>(scoring);
    return hand;
}

}  // namespace

PokerHand read_hand(const State& state, const std::uint8_t* indices, int count, const PokerRules& rules) {
    if (rules.four_fingers || rules.shortcut) {
        return read_any_hand(state, indices, count, rules);
    }
    PackedHand packed{};
    unsigned ranks[kMaxPlayed] = {};
    unsigned suits = 0xf;  // those that all cards have
    unsigned stones = 0;
    unsigned unknown = 0;
    for (int i = 0; i < count; ++i) {
        const Card& card = state.cards[indices[i]];
        if (is_blank(card)) {
            const bool hidden = (card.flags & card_unknown) != 0;
            (hidden ? unknown : stones) |= 1u << i;
            suits = 0;
            continue;
        }
        ranks[i] = card.rank;
        packed.ranks += rank_unit(card.rank);
        suits &= flush_suits(card, rules.smeared);
    }
    packed.full = count == kMaxPlayed && (stones | unknown) == 0;
    packed.flush = count == kMaxPlayed && suits != 0;
    const Read read = read_packed(packed, (1u << count) - 1, [&](unsigned rank) {
        unsigned mask = 0;
        for (unsigned i = 0; i < kMaxPlayed; ++i) {
            mask |= (ranks[i] == rank ? 1u : 0u) << i;
        }
        return mask;
    });
    const unsigned scoring = rules.splash ? ((1u << count) - 1) & ~unknown : read.scoring | stones;
    return {read.type, read.contains, static_cast<std::uint8_t>(scoring)};
}

}  // namespace jimbot
