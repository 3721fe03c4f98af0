#include "view/odds.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "rules/blind.hpp"

namespace jimbot {

Unseen count_unseen(const State& state, const PokerRules& rules) {
    Unseen unseen;
    const auto add = [&](const Card& card) {
        ++unseen.total;
        if (card.enhancement == m_stone) {
            return;
        }
        ++unseen.by_rank[card.rank];
        if (card.enhancement != m_wild && !rules.smeared) {
            ++unseen.by_suit[card.suit];
            return;
        }
        for (int suit = 0; suit < suit_count; ++suit) {
            unseen.by_suit[suit] += flush_suit(card, suit, rules.smeared) ? 1 : 0;
        }
    };
    for (int i = 0; i < state.draw_count; ++i) {
        add(state.cards[state.draw_pile[i]]);
    }
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_face_down) != 0) {
            add(card);
        }
    }
    unseen.drawable = state.draw_count;
    return unseen;
}

DrawOdds::DrawOdds(const Unseen& unseen) : unseen_(unseen) {
    std::fill(std::begin(none_[0]), std::end(none_[0]), 1.0);
    for (int draw = 0; draw < kMaxPlayed; ++draw) {
        part_[draw] = 1.0 / static_cast<double>(std::max(1, unseen.total - draw));
        for (int marked = 0; marked < kListed; ++marked) {
            const double others = std::max(0, unseen.total - draw - marked);
            none_[draw + 1][marked] = none_[draw][marked] * others * part_[draw];
        }
    }
}

// None of `marked` cards comes.
double DrawOdds::none_of(int marked, int draws) const {
    if (marked < kListed) {
        return none_[draws][marked];
    }
    double chance = 1;
    for (int i = 0; i < draws; ++i) {
        chance *= static_cast<double>(std::max(0, unseen_.total - marked - i)) * part_[i];
    }
    return chance;
}

// `wanted` or more of `marked` cards come: one minus the probabilities of fewer, each from the one before it.
double DrawOdds::at_least(int wanted, int marked, int draws) const {
    if (wanted > draws || wanted > marked) {
        return 0;
    }
    const int others = unseen_.total - marked;
    if (others < draws) {  // few cards are left: some draws must be marked ones; count the cases from the top
        double chance = 0;
        for (int some = std::max(wanted, draws - others); some <= std::min(draws, marked); ++some) {
            double ways = 1;
            for (int i = 0; i < some; ++i) {
                ways *= static_cast<double>(marked - i) / static_cast<double>(unseen_.total - i) *
                        static_cast<double>(draws - i) / static_cast<double>(i + 1);
            }
            for (int i = 0; i < draws - some; ++i) {
                ways *= static_cast<double>(others - i) / static_cast<double>(unseen_.total - some - i);
            }
            chance += ways;
        }
        return std::min(1.0, chance);
    }
    double exactly = none_of(marked, draws);
    double fewer = exactly;
    for (int some = 1; some < wanted; ++some) {
        exactly *= static_cast<double>((marked - some + 1) * (draws - some + 1)) /
                   static_cast<double>(some * (others - draws + some));
        fewer += exactly;
    }
    return std::clamp(1.0 - fewer, 0.0, 1.0);
}

double DrawOdds::straight_chance(unsigned ranks, int draws) const {
    double best = 0;
    for (unsigned left = near_straights(ranks); left != 0; left &= left - 1) {
        const unsigned missing = straight_from(1 + std::countr_zero(left)) & ~ranks;
        const unsigned but_one = missing & (missing - 1);
        if (missing == 0) {
            return 1;
        }
        if (draws < (but_one != 0 ? 2 : 1)) {
            continue;
        }
        const int first = unseen_.by_rank[kMinRank + std::countr_zero(missing)];
        double chance = 1.0 - none_of(first, draws);
        if (but_one != 0) {
            const int second = unseen_.by_rank[kMinRank + 31 - std::countl_zero(missing)];
            chance += none_of(first + second, draws) - none_of(second, draws);
        }
        best = std::max(best, chance);
    }
    return best;
}

DrawProbabilities DrawOdds::probabilities(std::uint64_t ranks, std::uint32_t suits, unsigned there, int run,
                                          int draws) const {
    draws = std::min(draws, unseen_.drawable);
    double flush = 0;
    for (int suit = 0; suit < suit_count; ++suit) {
        const int kept = static_cast<int>((suits >> (8 * suit)) & 255);
        if (kept >= 2) {
            flush = std::max(flush, kept >= 5 ? 1.0 : at_least(5 - kept, unseen_.by_suit[suit], draws));
        }
    }
    constexpr std::uint64_t kOnes = 0x1111111111111;
    const std::uint64_t groups = (ranks | (ranks >> 1) | (ranks >> 2)) & (kOnes * 2);  // two or more
    int outs = 0;
    for (unsigned left = groups != 0 ? rank_bits(groups) : there; left != 0; left &= left - 1) {
        outs += unseen_.by_rank[kMinRank + std::countr_zero(left)];
    }
    const double straight = run >= 3 ? straight_chance(there, draws) : 0.0;
    const double kind = 1.0 - none_of(outs, draws);
    return {static_cast<float>(flush), static_cast<float>(straight), static_cast<float>(kind),
            static_cast<float>(1.0 - (1.0 - flush) * (1.0 - straight) * (1.0 - kind))};
}

}  // namespace jimbot
