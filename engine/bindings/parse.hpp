// Reading the one-line forms of cards, jokers and items that Game.edit takes.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "core/state.hpp"

namespace jimbot::bindings {

[[noreturn]] inline void fail(const std::string& message) { throw nb::value_error(message.c_str()); }

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

inline Spec parse_spec(const std::string& text, std::string_view allowed) {
    Spec spec;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find(';', start), text.size());
        const std::string part = text.substr(start, end - start);
        if (start == 0) {
            spec.key = part;
        } else {
            const std::size_t equals = part.find('=');
            const std::string name = part.substr(0, equals);
            if (equals == std::string::npos || name.size() != 1 ||
                allowed.find(name) == std::string_view::npos) {
                std::string message = "'";
                message.append(text).append("': cannot read '").append(part);
                message.append("'; expected letter=value with a letter of ").append(allowed);
                fail(message);
            }
            spec.fields.emplace_back(name, part.substr(equals + 1));
        }
        start = end + 1;
    }
    return spec;
}

inline double number(const Spec& spec, std::string_view field, double fallback) {
    const std::string* value = spec.find(field);
    if (value == nullptr) {
        return fallback;
    }
    double result = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), result);
    if (error != std::errc{} || end != value->data() + value->size()) {
        fail("'" + spec.key + "': '" + *value + "' is not a number");
    }
    return result;
}

template <typename Names>
std::uint8_t index_of(const Names& names, const std::string& name, const char* what) {
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i] == name) {
            return static_cast<std::uint8_t>(i);
        }
    }
    std::string message = std::string("unknown ") + what + " '" + name + "'; expected one of";
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

// "S_A;h=m_glass": a playing card.
Card parse_card(const std::string& text);
// Anything that lies on a shelf or in a pack; it gets a creation number.
Item parse_item(State& state, const std::string& text);
// "j_vampire;v=1.5": an owned joker.
Joker parse_joker(State& state, const std::string& text);
// A Python list of strings, or an error naming the field.
std::vector<std::string> strings(nb::handle value, const char* field);

}  // namespace jimbot::bindings
