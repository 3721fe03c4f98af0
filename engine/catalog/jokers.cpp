// The jokers as one table, and their places in the pools. All but the traits is computed by the compiler.
#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/jokers_001_025.hpp"
#include "catalog/jokers_026_050.hpp"
#include "catalog/jokers_051_075.hpp"
#include "catalog/jokers_076_100.hpp"
#include "catalog/jokers_101_125.hpp"
#include "catalog/jokers_126_150.hpp"

#ifdef JIMBOT_EXTRA_JOKERS
#include JIMBOT_EXTRA_JOKERS
#else
namespace jimbot {
inline constexpr std::array<JokerEntry, 0> kExtraJokers = {};
}
#endif

namespace jimbot {

namespace {

constexpr std::array kParts = {&kJokers001To025, &kJokers026To050, &kJokers051To075, &kJokers076To100, &kJokers101To125, &kJokers126To150};
static_assert(1 + kParts.size() * std::tuple_size_v<JokerPart> + kExtraJokers.size() == j_end, "one table entry for every joker id, and one id for every entry");

constexpr std::array<JokerEntry, j_end> join_jokers() {
    std::array<JokerEntry, j_end> table{};
    auto* to = table.begin() + 1;
    for (const JokerPart* part : kParts) {
        to = std::copy(part->begin(), part->end(), to);
    }
    std::copy(kExtraJokers.begin(), kExtraJokers.end(), to);
    return table;
}

constexpr std::size_t pool_of(const JokerEntry& joker) { return static_cast<std::size_t>(joker.rarity); }

}  // namespace

constexpr std::array<JokerEntry, j_end> kJokers = join_jokers();
static_assert(keys_match(kJokers, kJokerKeys), "the jokers stand in the order of core/ids.hpp");

// Not a constant expression: sanitized builds compare no hooks at compile time.
const JokerTraitsTable kJokerTraits = []() noexcept {
    JokerTraitsTable table{};
    for (std::size_t id = 0; id < j_end; ++id) {
        table[id] = resolve_traits(kJokers[id].traits, kJokers[id].passive, kJokers[id].hooks);
    }
    return table;
}();

constexpr std::array<std::uint8_t, kPools> kPoolLengths = [] {
    std::array<std::uint8_t, kPools> lengths{};
    for (std::size_t id = 1; id < j_end; ++id) {
        ++lengths[pool_of(kJokers[id])];
    }
    for (int id = 1; id < c_end; ++id) {
        ++lengths[static_cast<std::size_t>(consumable_place(id).pool)];
    }
    return lengths;
}();
static_assert(*std::max_element(kPoolLengths.begin(), kPoolLengths.end()) <= kLongestPool,
              "a pool holds at most 64 keys, for State has one bit for each: give the joker another rarity");

constexpr std::array<PoolPlace, j_end> kJokerPlaces = [] {
    std::array<PoolPlace, j_end> places{};
    std::array<std::uint8_t, kPools> lengths{};
    for (std::size_t id = 1; id < j_end; ++id) {
        const std::size_t pool = pool_of(kJokers[id]);
        places[id] = {static_cast<Pool>(pool), lengths[pool]++};
    }
    return places;
}();

// Jokers in collection order within their rarity, consumables in order of their kind.
constexpr PoolMembers kPoolMembers = [] {
    PoolMembers members{};
    const auto put = [&](PoolPlace place, std::size_t id) { members[static_cast<std::size_t>(place.pool)][place.index] = static_cast<std::uint8_t>(id); };
    for (std::size_t id = 1; id < j_end; ++id) {
        put(kJokerPlaces[id], id);
    }
    for (int id = 1; id < c_end; ++id) {
        put(consumable_place(id), static_cast<std::size_t>(id));
    }
    return members;
}();

}  // namespace jimbot
