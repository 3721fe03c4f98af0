#include "seeds/plan.hpp"

#include <algorithm>

#include "rules/generate.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

// Rough number of stream draws until most seeds are decided.
int cost_of(const SearchPlan& plan, const Condition& condition) {
    const int antes = condition.max_ante - condition.min_ante + 1;
    switch (condition.wanted) {
    case Wanted::boss:
        return condition.max_ante;
    case Wanted::voucher:
    case Wanted::tag:
        return 2 * antes;
    case Wanted::pack:
        return 6 * antes;
    default:
        break;
    }
    if (is_legendary(condition)) {
        return 1;
    }
    int cards = 0;
    for (int ante = condition.min_ante; ante <= condition.max_ante; ++ante) {
        const int all = shop_cards_of(plan, ante);
        cards += condition.first_items == 0 ? all : std::min<int>(all, condition.first_items);
    }
    const int packs = 20 * antes;
    return condition.place == Place::shop ? cards : condition.place == Place::pack ? packs : cards + packs;
}

void plan_packs(SearchPlan& plan) {
    double cumulative = 0.0;
    for (std::size_t id = 1; id < p_end; ++id) {
        cumulative += kPacks[id].weight;
        plan.pack_upper[id] = cumulative;
        plan.pack_lower[id] = cumulative - kPacks[id].weight;
    }
    plan.pack_total = cumulative;
}

void plan_shop(SearchPlan& plan, const State& state) {
    const std::array<double, kShopTypes> rates = shop_rates(state);
    std::copy(rates.begin(), rates.end(), plan.shop_rates);
    plan.shop_rate_total = rates[0] + rates[1] + rates[2] + rates[3] + rates[4];
    plan.shop_slots = shop_slots(state);
}

// Keys that stay away from a run in which nothing is bought, played or enhanced.
bool key_closed(Pool pool, std::size_t id) {
    if (pool == Pool::planet) {
        return !kPokerHands[kConsumables[id].hand].visible_at_start;
    }
    if (pool == Pool::tarot || pool == Pool::spectral) {
        return !kConsumables[id].in_pool;
    }
    return kJokers[id].gate == PoolGate::after_extinction || kJokers[id].needs_in_deck != m_none;
}

void plan_pools(SearchPlan& plan, const State& state) {
    for (std::size_t pool = 0; pool < kPools; ++pool) {
        for (std::size_t index = 0; index < kPoolLengths[pool]; ++index) {
            if (key_closed(static_cast<Pool>(pool), kPoolMembers[pool][index])) {
                plan.closed[pool] |= std::uint64_t{1} << index;
            }
        }
    }
    for (int id = 1; id < v_end; ++id) {
        const VoucherId needed = kVouchers[static_cast<std::size_t>(id)].requires_voucher;
        if (redeemed(state, static_cast<VoucherId>(id)) || (needed != v_none && !redeemed(state, needed))) {
            plan.closed_vouchers |= bit(id);
        }
    }
}

void plan_first_bosses(SearchPlan& plan) {
    for (std::size_t id = 1; id < bl_end; ++id) {
        if (kBlinds[id].kind == BlindKind::boss && kBlinds[id].min_ante <= 1) {
            plan.first_bosses[plan.first_boss_count++] = static_cast<BlindId>(id);
        }
    }
    std::sort(plan.first_bosses, plan.first_bosses + plan.first_boss_count,
              [](BlindId left, BlindId right) { return kBlinds[left].key < kBlinds[right].key; });
}

bool closed_key(const SearchPlan& plan, PoolPlace place) {
    return (plan.closed[static_cast<std::size_t>(place.pool)] & (std::uint64_t{1} << (place.index % 64))) !=
           0;
}

const char* why_impossible_boss(const Condition& condition) {
    const BlindEntry& blind = kBlinds[condition.id];
    if (blind.kind == BlindKind::small || blind.kind == BlindKind::big) {
        return "it is no boss, and comes in every ante";
    }
    bool possible = false;
    for (int ante = condition.min_ante; ante <= condition.max_ante; ++ante) {
        const bool showdown = ante % 8 == 0;
        possible =
            possible || (blind.kind == BlindKind::showdown ? showdown : !showdown && blind.min_ante <= ante);
    }
    if (possible) {
        return nullptr;
    }
    return blind.kind == BlindKind::showdown ? "it comes only in antes 8, 16, 24 and 32"
                                             : "it does not come that early, nor in antes 8, 16, 24 and 32";
}

const char* why_impossible_card(const SearchPlan& plan, const Condition& condition) {
    if (is_legendary(condition)) {
        return condition.place == Place::shop ? "legendary jokers come from The Soul, which is in packs only"
                                              : nullptr;
    }
    if (condition.wanted == Wanted::joker) {
        return condition.id != 0 && closed_key(plan, kJokerPlaces[condition.id])
                   ? "it never comes as long as nothing is bought and no card is enhanced"
                   : nullptr;
    }
    if (condition.id == c_soul || condition.id == c_black_hole) {
        return condition.place == Place::shop ? "it is in packs only" : nullptr;
    }
    if (closed_key(plan, consumable_place(condition.id))) {
        return "it comes only after its hand has been played";
    }
    return condition.place == Place::shop && is_spectral(condition.id) && plan.shop_rates[4] == 0.0
               ? "only the Ghost Deck has Spectral cards in its shops"
               : nullptr;
}

}  // namespace

const char* why_impossible(const SearchPlan& plan, const Condition& condition) {
    switch (condition.wanted) {
    case Wanted::boss:
        return why_impossible_boss(condition);
    case Wanted::tag:
        return kTagEntries[condition.id].min_ante > condition.max_ante ? "it does not come that early"
                                                                       : nullptr;
    case Wanted::voucher:
        return (plan.closed_vouchers & bit(condition.id)) != 0
                   ? "the deck has it already, or another voucher must be redeemed first"
                   : nullptr;
    case Wanted::playing_card:
        return condition.place == Place::shop ? "playing cards are in shops only after Magic Trick" : nullptr;
    case Wanted::pack:
        return nullptr;
    default:
        return why_impossible_card(plan, condition);
    }
}

int shop_cards_of(const SearchPlan& plan, int ante) {
    return plan.search.view == SearchView::queue
               ? plan.search.queue_items
               : shops_of(ante) * (1 + plan.search.rerolls) * plan.shop_slots;
}

bool shop_may_hold(const Condition& condition) {
    if (condition.place == Place::pack || is_legendary(condition)) {
        return false;
    }
    return condition.wanted == Wanted::joker || condition.wanted == Wanted::consumable ||
           condition.wanted == Wanted::playing_card;
}

bool pack_may_hold(PackKind kind, const Condition& condition) {
    if (condition.place == Place::shop) {
        return false;
    }
    switch (condition.wanted) {
    case Wanted::joker:
        return is_legendary(condition) ? kind == PackKind::arcana || kind == PackKind::spectral
                                       : kind == PackKind::buffoon;
    case Wanted::consumable:
        if (condition.id == c_soul) {
            return kind == PackKind::arcana || kind == PackKind::spectral;
        }
        if (condition.id == c_black_hole) {
            return kind == PackKind::celestial || kind == PackKind::spectral;
        }
        return kind == (is_tarot(condition.id)    ? PackKind::arcana
                        : is_planet(condition.id) ? PackKind::celestial
                                                  : PackKind::spectral);
    case Wanted::playing_card:
        return kind == PackKind::standard;
    default:
        return false;
    }
}

SearchPlan plan_search(const Search& search) {
    SearchPlan plan{};
    plan.search = search;
    State state;
    start_generation(state, "1", search.deck, search.stake);  // for the deck's effects; any seed will do
    plan_shop(plan, state);
    plan_packs(plan);
    plan_pools(plan, state);
    plan_first_bosses(plan);
    for (int i = 0; i < search.condition_count; ++i) {
        plan.order[i] = i;
        plan.last_ante = std::max<int>(plan.last_ante, search.conditions[i].max_ante);
    }
    std::stable_sort(plan.order, plan.order + search.condition_count, [&](int left, int right) {
        return cost_of(plan, search.conditions[left]) < cost_of(plan, search.conditions[right]);
    });
    return plan;
}

}  // namespace jimbot
