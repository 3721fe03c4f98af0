// What a search knows before it looks at any seed: the numbers of its deck, and the order of its conditions.
#pragma once

#include <cstdint>

#include "catalog/catalog.hpp"
#include "seeds/conditions.hpp"

namespace jimbot {

struct SearchPlan {
    Search search;
    int order[kMaxConditions];  // of the conditions: the cheapest to decide first
    int last_ante;
    int shop_slots;
    double shop_rates[5];  // joker, tarot, planet, playing card, spectral
    double shop_rate_total;
    double pack_lower[p_end];  // a pack is chosen when the roll times the total lies between these
    double pack_upper[p_end];
    double pack_total;
    std::uint64_t closed[kPools];  // keys that cannot come as long as nothing is bought and no hand is played
    std::uint32_t closed_vouchers;  // bit = id - 1
    BlindId first_bosses[bl_end];   // that ante 1 chooses from, in the order of the choice
    int first_boss_count;
};

SearchPlan plan_search(const Search& search);

// Shops and packs of an ante in a run without skips.
constexpr int shops_of(int ante) { return ante == 1 ? 2 : 3; }
constexpr int packs_of(int ante) { return shops_of(ante) * kShopPacks; }

// Shop cards of an ante that the search gets to see.
int shop_cards_of(const SearchPlan& plan, int ante);

inline bool is_legendary(const Condition& condition) {
    return condition.wanted == Wanted::joker && condition.id != 0 &&
           kJokers[condition.id].rarity == Rarity::legendary;
}

inline bool active_in(const Condition& condition, int ante) {
    return condition.min_ante <= ante && ante <= condition.max_ante;
}

// Why no seed can hold the condition in a run in which nothing is bought; nullptr if some can.
const char* why_impossible(const SearchPlan& plan, const Condition& condition);

// Whether the shop's card slots, or packs of a kind, can hold what the condition wants.
bool shop_may_hold(const Condition& condition);
bool pack_may_hold(PackKind kind, const Condition& condition);

}  // namespace jimbot
