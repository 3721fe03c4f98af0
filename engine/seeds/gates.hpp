// Quick rejection of seeds. A gate looks at the few rolls a condition cannot do without, for
// 34 seeds at once, and keeps every seed that may hold it. What passes all gates is then
// judged by the rules of the game themselves.
#pragma once

#include "seeds/lanes.hpp"
#include "seeds/plan.hpp"

namespace jimbot {

// Takes out of `lanes` the seeds that certainly do not hold the condition.
void narrow(const SearchPlan& plan, const Condition& condition, SeedBatch& batch, Lanes& lanes);

// The same for what the shop cards, or the packs, of one ante can bring.
void narrow_by_shop(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch,
                    Lanes& lanes);
void narrow_by_packs(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch,
                     Lanes& lanes);

// The roll above which a joker has this edition, without Hone and Glow Up;
// below any roll if none is asked for.
inline double edition_bound(std::uint8_t edition) {
    constexpr double kBounds[e_end] = {-1.0, 1.0 - 0.04, 1.0 - 0.02, 1.0 - 0.006, 1.0 - 0.003};
    return edition == kAny ? -1.0 : kBounds[edition];
}

// The zero-based index below `count` that a roll in [0, 1) chooses.
inline int index_of_roll(double roll, int count) {
    return static_cast<int>(roll * static_cast<double>(count));
}

inline bool is_rarity(double roll, Rarity rarity) {
    return rarity == (roll > 0.95 ? Rarity::rare : roll > 0.7 ? Rarity::uncommon : Rarity::common);
}

}  // namespace jimbot
