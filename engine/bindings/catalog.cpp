// The game's keys and names for Python.

#include <nanobind/nanobind.h>

#include <string_view>

#include "bindings/convert.hpp"

namespace nb = nanobind;

namespace {

// Calls add(key, name, kind) for every entry, table by table.
template <typename Table, typename Add> void for_each(const Table& table, std::string_view kind, Add add) {
    for (std::size_t id = 1; id < table.size(); ++id) {
        add(table[id].key, table[id].name, kind);
    }
}

template <typename Add> void for_each_entry(Add add) {
    constexpr std::string_view kConsumableKinds[] = {"tarot", "planet", "spectral"};
    for_each(jimbot::kJokers, "joker", add);
    for (std::size_t id = 1; id < jimbot::kConsumables.size(); ++id) {
        const jimbot::ConsumableEntry& entry = jimbot::kConsumables[id];
        add(entry.key, entry.name, kConsumableKinds[static_cast<std::size_t>(entry.kind)]);
    }
    for_each(jimbot::kVouchers, "voucher", add);
    for_each(jimbot::kTagEntries, "tag", add);
    for_each(jimbot::kBlinds, "blind", add);
    for_each(jimbot::kPacks, "pack", add);
    for_each(jimbot::kDecks, "deck", add);
    for_each(jimbot::kStakes, "stake", add);
    for_each(jimbot::kChallenges, "challenge", add);
}

nb::dict catalog_names() {
    nb::dict names;
    for_each_entry([&](std::string_view key, std::string_view name, std::string_view) {
        names[jimbot::bindings::text(key)] = jimbot::bindings::text(name);
    });
    return names;
}

nb::dict catalog_kinds() {
    nb::dict kinds;
    for_each_entry([&](std::string_view key, std::string_view, std::string_view kind) {
        kinds[jimbot::bindings::text(key)] = jimbot::bindings::text(kind);
    });
    return kinds;
}

}  // namespace

void bind_catalog(nb::module_& m);

void bind_catalog(nb::module_& m) {
    m.def("catalog_names", &catalog_names,
          "Name by key of every joker, consumable, voucher, tag, blind, pack, deck, stake and challenge, in "
          "the "
          "game's order.");
    m.def("catalog_kinds", &catalog_kinds,
          "What each of these keys is: joker, tarot, planet, spectral, voucher, tag, blind, pack, deck, "
          "stake or "
          "challenge.");
}
