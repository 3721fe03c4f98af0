// A small test harness: TEST(name) { ... } registers itself, CHECK and CHECK_EQ record what failed and go on.
//
//     TEST(rng_first_value_of_a_seed) {
//         CHECK_EQ(pseudohash("AAAAAAAA"), 0.5);
//         CHECK(is_open);
//     }
//
// A failed check prints file:line and the values, and marks its test as failed; the test continues.
#pragma once

#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

struct Test {
    const char* name;
    void (*body)();
};

inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

// Failed checks of the test that is running.
inline int& failed_checks() {
    static int count = 0;
    return count;
}

struct Registration {
    Registration(const char* name, void (*body)()) { all_tests().push_back({name, body}); }
};

template <typename Value>
concept Printable = requires(std::ostream& out, const Value& value) { out << value; };

// Text of a value for a failure message; doubles in full so that the last bit shows.
template <typename Value> std::string show(const Value& value) {
    std::ostringstream out;
    if constexpr (std::is_same_v<Value, bool>) {
        out << (value ? "true" : "false");
    } else if constexpr (std::is_enum_v<Value>) {
        out << +static_cast<std::underlying_type_t<Value>>(value);
    } else if constexpr (std::is_same_v<Value, signed char> || std::is_same_v<Value, unsigned char>) {
        out << +value;
    } else if constexpr (std::is_floating_point_v<Value>) {
        out << std::setprecision(std::numeric_limits<Value>::max_digits10) << value;
    } else if constexpr (Printable<Value>) {
        out << value;
    } else {
        out << "<" << sizeof(Value) << " bytes>";
    }
    return out.str();
}

// Integers compare by value whatever their signedness; everything else by its own ==.
template <typename Left, typename Right> bool equal(const Left& left, const Right& right) {
    constexpr bool integers = std::is_integral_v<Left> && std::is_integral_v<Right>;
    constexpr bool flags = std::is_same_v<Left, bool> || std::is_same_v<Right, bool>;
    constexpr bool letters = std::is_same_v<Left, char> || std::is_same_v<Right, char>;
    if constexpr (integers && !flags && !letters) {
        return std::cmp_equal(left, right);
    } else {
        return left == right;
    }
}

inline void fail(const char* file, int line, const std::string& message) {
    ++failed_checks();
    std::cout << file << ":" << line << ": " << message << "\n";
}

template <typename Left, typename Right>
void check_equal(const char* text, const char* file, int line, const Left& left, const Right& right) {
    if (!equal(left, right)) {
        fail(file, line, std::string("CHECK_EQ(") + text + "): " + show(left) + " != " + show(right));
    }
}

// Runs every test whose name contains the filter; returns the process's exit code.
int run_all(std::string_view filter);

}  // namespace check

#define TEST(name)                                                                                           \
    static void test_body_##name();                                                                          \
    static const ::check::Registration test_registration_##name{#name, &test_body_##name};                   \
    static void test_body_##name()

#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) {                                                                                \
            ::check::fail(__FILE__, __LINE__, "CHECK(" #__VA_ARGS__ ")");                                    \
        }                                                                                                    \
    } while (false)

// Both arguments may hold commas, as in CHECK_EQ(Pair{1, 2}, Pair{1, 3}).
#define CHECK_EQ(...) ::check::check_equal(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)
