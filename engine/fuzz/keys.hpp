// Keys of jokers and consumables: which are owned, which are on display.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "core/state.hpp"

namespace jimbot::fuzz {

// A bit per key, by pool.
struct Keys {
    std::uint64_t owned[kPools] = {};
    std::uint64_t shown[kPools] = {};
};

inline void put(std::uint64_t* pools, PoolPlace place) {
    pools[static_cast<std::size_t>(place.pool)] |= std::uint64_t{1} << (place.index & 63);
}

inline bool key_place(const Item& item, PoolPlace& place) {
    if (item.kind == ItemKind::joker) {
        place = kJokerPlaces[item.id];
        return true;
    }
    if (item.kind == ItemKind::consumable) {
        place = consumable_place(item.id);
        return true;
    }
    return false;
}

// Keys of the cards made before a creation number.
inline Keys keys_of(const State& state, std::uint32_t before = UINT32_MAX) {
    Keys keys;
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].created < before) {
            put(keys.owned, kJokerPlaces[state.jokers[i].id]);
        }
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        if (state.consumables[i].created < before) {
            put(keys.owned, consumable_place(state.consumables[i].id));
        }
    }
    PoolPlace place{};
    for (const Item& item : state.shop.slots) {
        if (key_place(item, place) && item.card.created < before) {
            put(keys.shown, place);
        }
    }
    for (const Item& item : state.pack.cards) {
        if (key_place(item, place) && item.card.created < before) {
            put(keys.shown, place);
        }
    }
    return keys;
}

// "name: detail", as broken rules are told.
inline std::string named(std::string_view name, std::string_view detail) {
    return std::string(name).append(": ").append(detail);
}

}  // namespace jimbot::fuzz
