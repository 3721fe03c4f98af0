#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "play/hand_model.hpp"

namespace jimbot {

namespace {

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

// The chance that one more discard completes a flush or a straight of so many cards, by how many are missing.
constexpr double kFlushChance[] = {1.0, 0.6, 0.2, 0.04};
constexpr double kStraightChance[] = {1.0, 0.35, 0.1, 0.02};
constexpr double kBetterGroup = 0.3;  // a pair becomes three, two pair or three a full house

struct Keeping {
    double promise = -1.0;
    std::uint32_t kept = 0;

    void offer(double promised, std::uint32_t mask) {
        if (promised > promise) {
            promise = promised;
            kept = mask;
        }
    }
};

}  // namespace

std::uint32_t promising_cards(const HandModel& model, const std::uint8_t* cards, int count, double needed) {
    std::uint32_t by_suit[suit_count] = {};
    std::uint32_t by_rank[kAce + 1] = {};
    std::uint32_t held = 0;
    std::uint32_t best = 0;
    for (int i = 0; i < count; ++i) {
        const ModelCard& card = model.cards[cards[i]];
        for (unsigned left = card.suits; left != 0; left &= left - 1) {
            by_suit[std::countr_zero(left)] |= at(i);
        }
        by_rank[card.rank] |= card.rank != 0 ? at(i) : 0;
        held |= card.held_factor > 1.0 || card.held_mult > 0.0 ? at(i) : 0;
        best = best == 0 || card.worth > model.cards[cards[std::countr_zero(best)]].worth ? at(i) : best;
    }
    const auto worth = [&](int type) {
        const bool allowed = ((model.allowed >> type) & 1) != 0;
        const double share = model.typical[type] / std::max(1.0, needed);
        return !allowed ? 0.0 : share >= 1.0 ? 1.0 : 0.3 * share;
    };
    const int length = model.rules.four_fingers ? 4 : 5;
    Keeping keeping;
    keeping.offer(0.0, best);
    for (const std::uint32_t suit : by_suit) {
        const int missing = std::clamp(length - count_bits(suit), 0, 3);
        keeping.offer(kFlushChance[missing] * worth(hand_flush), suit);
    }
    std::uint32_t groups = 0;
    int largest = 0;
    for (int rank = kMinRank; rank <= kAce; ++rank) {
        const int size = count_bits(by_rank[rank]);
        groups |= size >= 2 ? by_rank[rank] : 0;
        largest = std::max(largest, size);
    }
    if (groups != 0) {
        const bool many = count_bits(groups) > 2;
        const int now = largest >= 4   ? hand_four_of_a_kind
                        : largest == 3 ? hand_three_of_a_kind
                        : many         ? hand_two_pair
                                       : hand_pair;
        const int next = largest >= 4 ? hand_four_of_a_kind : many ? hand_full_house : hand_three_of_a_kind;
        keeping.offer(std::max(worth(now), kBetterGroup * worth(next)), groups);
    }
    for (int top = kAce; top >= 5; --top) {
        std::uint32_t window = 0;
        for (int rank = top; rank > top - 5; --rank) {
            const std::uint32_t same = by_rank[rank == 1 ? kAce : rank];
            window |= same & (~same + 1);
        }
        const int missing = std::clamp(length - count_bits(window), 0, 3);
        keeping.offer(kStraightChance[missing] * worth(hand_straight), window);
    }
    return keeping.kept | held;
}

}  // namespace jimbot
