#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "play/hand_model.hpp"

namespace jimbot {

namespace {

// The chance that one more discard completes a flush or a straight of so many cards, by how many are missing.
constexpr double kFlushChance[] = {1.0, 0.6, 0.2, 0.04};
constexpr double kStraightChance[] = {1.0, 0.35, 0.1, 0.02};
constexpr double kBetterGroup = 0.3;  // a pair becomes three, two pair or three a full house

// The draw that promises most so far.
struct Keeping {
    double promise;
    std::uint32_t kept;

    bool improves(double promised) {
        const bool better = promised > promise;
        promise = better ? promised : promise;
        return better;
    }
};

// Cards that do something while they are held.
std::uint32_t held_for_effect(const HandModel& model, const SortedHand& hand) {
    std::uint32_t held = 0;
    for (int i = 0; model.held_matters && i < hand.count; ++i) {
        const ModelCard& card = model.cards[hand.cards[i]];
        held |= card.held_factor > 1.0 || card.held_mult > 0.0 ? std::uint32_t{1} << i : 0;
    }
    return held;
}

}  // namespace

std::uint32_t promising_cards(const HandModel& model, const SortedHand& hand, double needed) {
    const auto worth = [&](int type) {
        const bool allowed = ((model.allowed >> type) & 1) != 0;
        const double share = model.typical[type] / std::max(1.0, needed);
        return !allowed ? 0.0 : share >= 1.0 ? 1.0 : 0.3 * share;
    };
    const int length = model.rules.four_fingers ? 4 : 5;
    Keeping keeping{0.0, 1u};  // with no hope for anything, the worthiest card
    const double flush = worth(hand_flush);
    for (const std::uint32_t suit : hand.of_suit) {
        const int missing = std::clamp(length - count_bits(suit), 0, 3);
        keeping.kept = keeping.improves(kFlushChance[missing] * flush) ? suit : keeping.kept;
    }
    if (hand.with[2] != 0) {
        const std::uint32_t groups = cards_of_ranks(hand, hand.with[2]);
        const bool many = count_bits(groups) > 2;
        const int now = hand.with[4] != 0   ? hand_four_of_a_kind
                        : hand.with[3] != 0 ? hand_three_of_a_kind
                        : many              ? hand_two_pair
                                            : hand_pair;
        const int next = hand.with[4] != 0 ? hand_four_of_a_kind
                         : many            ? hand_full_house
                                           : hand_three_of_a_kind;
        const double promised = std::max(worth(now), kBetterGroup * worth(next));
        keeping.kept = keeping.improves(promised) ? groups : keeping.kept;
    }
    const double straight = worth(hand_straight);
    const std::uint32_t present = hand.with[1] | ((hand.with[1] >> (kAce - 1)) & 2u);
    for (int top = kAce; top >= 5; --top) {
        const std::uint32_t ranks = present & (31u << (top - 4));
        const int missing = std::clamp(length - count_bits(ranks), 0, 3);
        if (keeping.improves(kStraightChance[missing] * straight)) {
            keeping.kept = one_of_each(hand, ranks, ~0u);
        }
    }
    return keeping.kept | held_for_effect(model, hand);
}

}  // namespace jimbot
