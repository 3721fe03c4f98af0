// Seed search for Python: conditions arrive as tuples of keys, seeds travel as
// numbers, the GIL is free meanwhile.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "core/seed_space.hpp"
#include "seeds/find.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

// wanted, key, edition, enhancement, seal, place, first ante, last ante, first shop
// cards; "" where nothing is asked.
using ConditionTuple =
    std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, int, int, int>;

constexpr std::string_view kWantedNames[] = {"joker",   "consumable", "playing_card", "pack",
                                             "voucher", "tag",        "boss"};
constexpr std::string_view kPlaceNames[] = {"any", "shop", "pack"};
constexpr std::string_view kViewNames[] = {"walk", "queue"};
constexpr std::string_view kFoundInNames[] = {"boss", "voucher", "tag", "shop", "pack", "soul"};
constexpr int kMaxSearchAnte = 39;
constexpr int kMaxFoundAtOnce = 100'000;

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

std::string_view name_of(std::string_view name) { return name; }
template <typename Entry> std::string_view name_of(const Entry& entry) { return entry.key; }

// Place of a name in a table, from `first` on.
template <typename Table>
int place_in(const Table& table, std::string_view name, const char* what, int first = 0) {
    int place = 0;
    for (const auto& entry : table) {
        if (place >= first && name_of(entry) == name) {
            return place;
        }
        ++place;
    }
    std::string message = "unknown " + std::string(what) + " '" + std::string(name) + "'; expected one of";
    place = 0;
    for (const auto& entry : table) {
        if (place++ >= first) {
            message.append(" ").append(name_of(entry));
        }
    }
    refuse(message);
}

template <typename Table>
std::uint8_t optional_place(const Table& table, std::string_view name, const char* what) {
    return name.empty() ? kAny : static_cast<std::uint8_t>(place_in(table, name, what, 1));
}

int checked_range(int value, int low, int high, const char* what) {
    if (value < low || value > high) {
        refuse(std::string(what) + " must be " + std::to_string(low) + " to " + std::to_string(high) +
               ", got " + std::to_string(value));
    }
    return value;
}

// "S_A", or "*" in place of either letter.
void read_front(Condition& condition, const std::string& front) {
    const std::string_view suits = kSuitLetters;
    const std::string_view ranks = kRankLetters;
    const bool well_formed = front.size() == 3 && front[1] == '_';
    const auto suit = well_formed && front[0] != '*' ? suits.find(front[0]) : 0;
    const auto rank = well_formed && front[2] != '*' ? ranks.find(front[2], kMinRank) : 0;
    if (!well_formed || suit == std::string_view::npos || rank == std::string_view::npos) {
        refuse("unknown playing card '" + front + "'; expected suit_rank such as S_A, H_T or *_K");
    }
    condition.suit = front[0] == '*' ? kAny : static_cast<std::uint8_t>(suit);
    condition.rank = front[2] == '*' ? kAny : static_cast<std::uint8_t>(rank);
}

// Every pack whose key begins with the given one: "p_arcana" is all Arcana packs.
std::uint32_t read_packs(const std::string& prefix) {
    std::uint32_t packs = 0;
    for (int id = 1; id < p_end; ++id) {
        if (!prefix.empty() && kPacks[static_cast<std::size_t>(id)].key.starts_with(prefix)) {
            packs |= bit(id);
        }
    }
    if (packs == 0) {
        refuse("unknown pack '" + prefix + "'");
    }
    return packs;
}

void read_key(Condition& condition, const std::string& key) {
    switch (condition.wanted) {
    case Wanted::joker:
        condition.id =
            key.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(place_in(kJokers, key, "joker", 1));
        break;
    case Wanted::consumable:
        condition.id = consumable_from_key(key);
        break;
    case Wanted::playing_card:
        read_front(condition, key);
        break;
    case Wanted::pack:
        condition.packs = read_packs(key);
        break;
    case Wanted::voucher:
        condition.id = voucher_from_key(key);
        break;
    case Wanted::tag:
        condition.id = static_cast<std::uint8_t>(place_in(kTagEntries, key, "tag", 1));
        break;
    case Wanted::boss:
        condition.id = static_cast<std::uint8_t>(place_in(kBlinds, key, "boss", 1));
        break;
    }
}

Condition read_condition(const ConditionTuple& tuple) {
    const auto& [wanted, key, edition, enhancement, seal, place, min_ante, max_ante, first_items] = tuple;
    Condition condition;
    condition.wanted = static_cast<Wanted>(place_in(kWantedNames, wanted, "kind of condition"));
    condition.place = static_cast<Place>(place_in(kPlaceNames, place, "place"));
    read_key(condition, key);
    condition.edition = optional_place(kEditionNames, edition, "edition");
    condition.enhancement = optional_place(kEnhancementKeys, enhancement, "enhancement");
    condition.seal = optional_place(kSealNames, seal, "seal");
    condition.min_ante = static_cast<std::uint8_t>(checked_range(min_ante, 1, kMaxSearchAnte, "first ante"));
    condition.max_ante =
        static_cast<std::uint8_t>(checked_range(max_ante, min_ante, kMaxSearchAnte, "last ante"));
    condition.first_items =
        static_cast<std::uint16_t>(checked_range(first_items, 0, kMaxSearchItems, "first shop cards"));
    return condition;
}

SearchPlan make_plan(const std::vector<ConditionTuple>& conditions, const std::string& deck, int stake,
                     const std::string& view, int rerolls, int queue_items) {
    Search search;
    search.deck = deck_from_key(deck);
    search.stake = checked_stake(stake);
    search.view = static_cast<SearchView>(place_in(kViewNames, view, "view"));
    search.rerolls = checked_range(rerolls, 0, kMaxSearchRerolls, "rerolls");
    search.queue_items = checked_range(queue_items, 1, kMaxSearchItems, "queue items");
    search.condition_count =
        checked_range(static_cast<int>(conditions.size()), 1, kMaxConditions, "number of conditions");
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        search.conditions[i] = read_condition(conditions[i]);
    }
    const SearchPlan plan = plan_search(search);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        if (const char* reason = why_impossible(plan, search.conditions[i])) {
            refuse("no seed can hold '" + std::get<1>(conditions[i]) + "' there: " + reason);
        }
    }
    return plan;
}

std::pair<std::uint64_t, std::vector<std::uint64_t>> find(const SearchPlan& plan, std::uint64_t start,
                                                          std::uint64_t count, int max_found) {
    checked_range(max_found, 1, kMaxFoundAtOnce, "max_found");
    std::vector<std::uint64_t> found(static_cast<std::size_t>(max_found));
    BlockResult result;
    {
        const nb::gil_scoped_release release;
        result = find_block(plan, start % kSeedSpace, count, found.data(), max_found);
    }
    found.resize(static_cast<std::size_t>(result.found));
    return {result.tried, std::move(found)};
}

nb::str id_text(const Match& match) {
    switch (match.where) {
    case FoundIn::boss:
        return text(kBlinds[match.id].key);
    case FoundIn::voucher:
        return text(kVouchers[match.id].key);
    case FoundIn::tag:
        return text(kTagEntries[match.id].key);
    default:
        break;
    }
    const std::string item = match.item.kind == ItemKind::none ? "" : item_text(match.item);
    return text(item.empty() ? kPacks[match.pack_id].key : std::string_view(item));
}

nb::object explain(const SearchPlan& plan, const std::string& seed) {
    Match matches[kMaxConditions];
    if (!check_seed(plan, checked_seed(seed), matches)) {
        return nb::none();
    }
    nb::list result;
    for (int i = 0; i < plan.search.condition_count; ++i) {
        const Match& match = matches[i];
        nb::dict entry;
        entry["where"] = text(kFoundInNames[static_cast<std::size_t>(match.where)]);
        entry["what"] = id_text(match);
        entry["ante"] = match.ante;
        entry["shop"] = match.shop;
        entry["row"] = match.row;
        entry["card"] = match.card;
        entry["pack"] = match.pack;
        entry["pack_key"] = text(kPacks[match.pack_id].key);
        result.append(entry);
    }
    return result;
}

std::string seed_at(std::uint64_t index) {
    if (index >= kSeedSpace) {
        refuse("there are " + std::to_string(kSeedSpace) + " seeds; " + std::to_string(index) +
               " is not one's number");
    }
    char seed[kRandomSeedLength];
    write_seed(index, seed);
    return {seed, kRandomSeedLength};
}

std::uint64_t seed_number(const std::string& seed) {
    const std::uint64_t index = seed_index(seed);
    if (index == kSeedSpace) {
        refuse("seed '" + seed + "' has no number: only seeds of 8 characters from 1-9, A-N and P-Z do");
    }
    return index;
}

}  // namespace

}  // namespace jimbot::bindings

void bind_find(nb::module_& m);

void bind_find(nb::module_& m) {
    using namespace jimbot::bindings;
    nb::class_<jimbot::SearchPlan>(m, "SeedSearch", "Conditions on seeds, ready to be looked for.")
        .def(
            "__init__",
            [](jimbot::SearchPlan* plan, const std::vector<ConditionTuple>& conditions,
               const std::string& deck, int stake, const std::string& view, int rerolls, int queue_items) {
                new (plan) jimbot::SearchPlan(make_plan(conditions, deck, stake, view, rerolls, queue_items));
            },
            nb::arg("conditions"), nb::arg("deck"), nb::arg("stake"), nb::arg("view"), nb::arg("rerolls"),
            nb::arg("queue_items"))
        .def("find_block", &find, nb::arg("start"), nb::arg("count"), nb::arg("max_found"),
             "Seeds decided, and the numbers of those that hold all conditions, in order.")
        .def("explain", &explain, nb::arg("seed"),
             nb::sig("def explain(self, seed: str) -> list[dict] | None"),
             "Where a seed holds each condition, or None if it does not hold them all.");
    m.def("seed_at", &seed_at, nb::arg("index"), "The seed with a number below seed_space.");
    m.def("seed_number", &seed_number, nb::arg("seed"), "The number of a seed: the inverse of seed_at.");
    m.attr("seed_space") = jimbot::kSeedSpace;
    m.attr("max_conditions") = jimbot::kMaxConditions;
}
