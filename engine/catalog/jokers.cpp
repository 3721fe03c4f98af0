// The 150 jokers as one table, and their places in the pools.
#include "catalog/catalog.hpp"
#include "catalog/joker_parts.hpp"

namespace jimbot {

namespace {

std::array<JokerEntry, j_end> join_jokers() noexcept {
    std::array<JokerEntry, j_end> table{};
    std::size_t id = 1;
    for (const JokerPart* part : {&kJokers001To050, &kJokers051To100, &kJokers101To150}) {
        for (const JokerEntry& entry : *part) {
            table[id++] = entry;
        }
    }
    return table;
}

std::array<PoolPlace, j_end> find_joker_places(const std::array<JokerEntry, j_end>& jokers) noexcept {
    std::array<PoolPlace, j_end> places{};
    std::array<std::uint8_t, kPools> lengths{};
    for (std::size_t id = 1; id < j_end; ++id) {
        const auto pool = static_cast<Pool>(jokers[id].rarity);
        places[id] = {pool, lengths[static_cast<std::size_t>(pool)]++};
    }
    return places;
}

// Jokers in collection order within their rarity, consumables in order of their kind.
std::array<std::array<std::uint8_t, 64>, kPools> list_pool_members(const std::array<JokerEntry, j_end>& jokers) noexcept {
    std::array<std::array<std::uint8_t, 64>, kPools> members{};
    std::array<std::size_t, kPools> lengths{};
    for (std::size_t id = 1; id < j_end; ++id) {
        const auto pool = static_cast<std::size_t>(jokers[id].rarity);
        members[pool][lengths[pool]++] = static_cast<std::uint8_t>(id);
    }
    for (int id = 1; id < c_end; ++id) {
        const PoolPlace place = consumable_place(id);
        members[static_cast<std::size_t>(place.pool)][place.index] = static_cast<std::uint8_t>(id);
    }
    return members;
}

JokerTraitsTable resolve_all_traits(const std::array<JokerEntry, j_end>& jokers) noexcept {
    JokerTraitsTable table{};
    for (std::size_t id = 0; id < j_end; ++id) {
        table[id] = resolve_traits(jokers[id].traits, jokers[id].hooks);
    }
    return table;
}

}  // namespace

// Joined when the library is loaded, in this order; nothing outside this file runs before that.
const std::array<JokerEntry, j_end> kJokers = join_jokers();
const JokerTraitsTable kJokerTraits = resolve_all_traits(kJokers);
const std::array<PoolPlace, j_end> kJokerPlaces = find_joker_places(kJokers);
const std::array<std::array<std::uint8_t, 64>, kPools> kPoolMembers = list_pool_members(kJokers);

}  // namespace jimbot
