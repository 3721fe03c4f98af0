// Probabilities of draws from the unseen cards, from public information only.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "rules/poker.hpp"
#include "view/structure.hpp"

namespace jimbot {

// The unseen cards: the draw pile, and hand cards that lie face down.
struct Unseen {
    int total = 0;
    int drawable = 0;  // how many can still be drawn
    int by_rank[kAce + 1] = {};
    int by_suit[suit_count] = {};
};

Unseen count_unseen(const State& state, const PokerRules& rules);

// What cards that are kept may become when `draws` cards come.
struct DrawProbabilities {
    float flush;     // five of a suit of which two are kept
    float straight;  // five ranks in a row
    float kind;      // one more of a rank that is kept twice or, if none is, of any that is kept
    float any;
};

class DrawOdds {
public:
    explicit DrawOdds(const Unseen& unseen);

    // `ranks` and `suits` are the kept cards' sums of HandShape units, `there` the ranks' bits and `run` the
    // cards of the longest straight among them.
    DrawProbabilities probabilities(std::uint64_t ranks, std::uint32_t suits, unsigned there, int run,
                                    int draws) const;

private:
    double none_of(int marked, int draws) const;
    double at_least(int wanted, int marked, int draws) const;
    double straight_chance(unsigned ranks, int draws) const;

    const Unseen& unseen_;
    static constexpr int kListed = 24;
    double none_[kMaxPlayed + 1][kListed];  // chance that none of so many cards comes, by draws
    double part_[kMaxPlayed];               // 1 in as many as are left at each draw
};

}  // namespace jimbot
