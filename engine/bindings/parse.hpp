// Reading the one-line forms of cards, jokers and items that Game.edit takes.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/values.hpp"
#include "core/state.hpp"

namespace jimbot::bindings {

// "key;e=foil;s=ER;v=1.5": the key and its letters.
struct Spec {
    std::string key;
    std::vector<std::pair<std::string, std::string>> fields;

    const std::string* find(std::string_view name) const {
        for (const auto& [field, value] : fields) {
            if (field == name) {
                return &value;
            }
        }
        return nullptr;
    }
};

// Reads a form whose letters are among those allowed, each at most once.
Spec parse_spec(const std::string& text, std::string_view allowed);

// The number of a letter, within bounds, or the fallback if the letter is not given.
double real_letter(const Spec& spec, std::string_view letter, double low, double high, double fallback);
int whole_letter(const Spec& spec, std::string_view letter, int low, int high, int fallback);
// Whether a letter is given as 1; 0 is the only other value.
bool flag_letter(const Spec& spec, std::string_view letter);

// The index of a name among several, which begin at 1. A wrong one is refused with all of them, or with the
// nearest if there are many.
template <typename Names>
std::uint8_t index_of(const Names& names, const std::string& name, const char* what) {
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i] == name) {
            return static_cast<std::uint8_t>(i);
        }
    }
    constexpr std::size_t kMostListed = 40;
    std::string message = std::string("unknown ") + what + " '" + name + "'";
    if (names.size() > kMostListed) {
        const std::string near = suggestion(name, {names.begin() + 1, names.end()});
        fail(message + (near.empty() ? "; expected a key such as " + std::string(names[1]) : near));
    }
    message += "; expected one of";
    for (std::size_t i = 1; i < names.size(); ++i) {
        message.append(i > 1 ? ", " : " ").append(names[i]);
    }
    fail(message);
}

template <typename Names>
std::uint8_t optional_index(const Spec& spec, std::string_view field, const Names& names, const char* what) {
    const std::string* value = spec.find(field);
    return value == nullptr ? std::uint8_t{0} : index_of(names, *value, what);
}

template <typename Table> std::uint8_t id_of(const Table& table, const std::string& key, const char* what) {
    std::array<std::string_view, std::tuple_size_v<Table>> keys;
    for (std::size_t i = 0; i < table.size(); ++i) {
        keys[i] = table[i].key;
    }
    return index_of(keys, key, what);
}

inline std::uint8_t hand_of(const std::string& name) {
    std::array<std::string_view, hand_types + 1> names;
    for (std::size_t i = 0; i < hand_types; ++i) {
        names[i + 1] = kPokerHands[i].name;
    }
    return static_cast<std::uint8_t>(index_of(names, name, "poker hand") - 1);
}

// A rank by its letter and a suit by its name.
std::uint8_t parse_rank(const std::string& letter);
std::uint8_t parse_suit(const std::string& name);

// "S_A;h=m_glass": a playing card.
Card parse_card(const std::string& text);
// Anything that lies on a shelf or in a pack; it gets a creation number.
Item parse_item(State& state, const std::string& text);
// "j_vampire;v=1.5": an owned joker.
Joker parse_joker(State& state, const std::string& text);

}  // namespace jimbot::bindings
