// The hand: its order, and what it is, against slow and plain ways to tell.

#include <algorithm>
#include <bit>

#include "rules/cards.hpp"
#include "rules/poker.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

// A run whose deck has cards of all kinds and of a few ranks, many of them equal.
State mixed_deck(unsigned ranks) {
    State state;
    start_run(state, {.seed = "7LB2WVPK"});
    std::uint64_t random = 1;
    for (int i = 0; i < state.card_count; ++i) {
        Card& card = state.cards[i];
        card.rank = static_cast<std::uint8_t>(kMinRank + next_fast(random) % ranks);
        card.enhancement =
            static_cast<std::uint8_t>(next_fast(random) % 4 == 0 ? next_fast(random) % m_end : 0);
        card.flags = static_cast<std::uint8_t>(next_fast(random) % 8 == 0 ? card_debuffed : 0);
    }
    return state;
}

// Puts `count` different cards of the deck into the hand.
void deal(State& state, std::uint64_t& random, int count) {
    std::uint8_t indices[kFronts];
    for (int i = 0; i < kFronts; ++i) {
        indices[i] = static_cast<std::uint8_t>(i);
    }
    for (int i = 0; i < count; ++i) {
        std::swap(indices[i],
                  indices[i + static_cast<int>(next_fast(random) % static_cast<unsigned>(kFronts - i))]);
        state.hand[i] = indices[i];
    }
    state.hand_count = static_cast<std::uint8_t>(count);
}

}  // namespace

TEST(hands_are_sorted_by_rank_and_by_suit) {
    constexpr int kSuitValue[suit_count] = {2, 1, 3, 4};
    State state = mixed_deck(5);
    std::uint64_t random = 2;
    for (int round = 0; round < 2000; ++round) {
        const int count = round % (kMaxHand + 1);
        deal(state, random, count);
        state.sort_mode = static_cast<std::uint8_t>(round / (kMaxHand + 1) % 2);
        std::uint8_t expected[kMaxHand];
        std::copy(state.hand, state.hand + count, expected);
        const auto suit_of = [&](const Card& card) {
            return state.sort_mode != 0 && card.enhancement != m_stone ? kSuitValue[card.suit] : 0;
        };
        std::sort(expected, expected + count, [&](std::uint8_t a, std::uint8_t b) {
            const Card& left = state.cards[a];
            const Card& right = state.cards[b];
            return suit_of(left) != suit_of(right) ? suit_of(left) > suit_of(right)
                                                   : sort_key(left) > sort_key(right);
        });
        sort_hand(state);
        CHECK(std::equal(expected, expected + count, state.hand));
    }
}

TEST(hands_read_quickly_are_read_right) {
    State decks[] = {mixed_deck(5), mixed_deck(2)};  // straights, and many of a kind
    std::uint64_t random = 3;
    int seen = 0;
    for (int round = 0; round < 200000; ++round) {
        const int count = 1 + round % kMaxPlayed;
        State& state = decks[round / kMaxPlayed % 2];
        deal(state, random, count);
        PokerRules rules{};
        rules.smeared = next_fast(random) % 4 == 0;
        rules.splash = next_fast(random) % 8 == 0;
        const PokerHand quick = read_hand(state, state.hand, count, rules);
        // The slow reader takes any rules. Shortcut adds straights with gaps and nothing else, so the two may
        // differ only in hands that have such a straight.
        rules.shortcut = true;
        const PokerHand slow = read_hand(state, state.hand, count, rules);
        constexpr unsigned kStraights = 1u << hand_straight | 1u << hand_straight_flush;
        CHECK_EQ(quick.contains & ~kStraights, slow.contains & ~kStraights);
        if ((slow.contains & kStraights) == (quick.contains & kStraights)) {
            CHECK_EQ(quick.type, slow.type);
            CHECK_EQ(quick.scoring, slow.scoring);
        }
        seen |= quick.contains;
    }
    constexpr int kAll = (1 << hand_types) - 1;
    CHECK_EQ(std::popcount(static_cast<unsigned>(kAll & ~seen)), 0);
}
