// The game's keys and names for Python.

#include <nanobind/nanobind.h>

#include "bindings/convert.hpp"

namespace nb = nanobind;

namespace {

template <typename Table> void add_names(nb::dict& names, const Table& table) {
    for (std::size_t id = 1; id < table.size(); ++id) {
        names[jimbot::bindings::text(table[id].key)] = jimbot::bindings::text(table[id].name);
    }
}

nb::dict catalog_names() {
    nb::dict names;
    add_names(names, jimbot::kJokers);
    add_names(names, jimbot::kConsumables);
    add_names(names, jimbot::kVouchers);
    add_names(names, jimbot::kTagEntries);
    add_names(names, jimbot::kBlinds);
    add_names(names, jimbot::kPacks);
    add_names(names, jimbot::kDecks);
    add_names(names, jimbot::kStakes);
    add_names(names, jimbot::kChallenges);
    return names;
}

}  // namespace

void bind_catalog(nb::module_& m);

void bind_catalog(nb::module_& m) {
    m.def("catalog_names", &catalog_names,
          "Name by key of every joker, consumable, voucher, tag, blind, pack, deck, stake and challenge, in "
          "the game's "
          "order.");
}
