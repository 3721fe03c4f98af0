// Two numbers worked on by one instruction: a vector of the compiler where it has them, two members where
// not. Every operation does to each of the two exactly what it does to a single number.
#pragma once

#include <cstdint>
#include <cstring>

namespace jimbot {

#if defined(__GNUC__) || defined(__clang__)

using DoublePair = double __attribute__((vector_size(16)));
using WordPair = std::uint64_t __attribute__((vector_size(16)));
using ShortOctet = std::int16_t __attribute__((vector_size(16)));

#else

template <typename Value> struct ValuePair {
    Value first;
    Value second;

    Value operator[](int i) const { return i == 0 ? first : second; }
    friend ValuePair operator+(ValuePair a, ValuePair b) { return {a.first + b.first, a.second + b.second}; }
    friend ValuePair operator-(ValuePair a, ValuePair b) { return {a.first - b.first, a.second - b.second}; }
    friend ValuePair operator*(ValuePair a, ValuePair b) { return {a.first * b.first, a.second * b.second}; }
    friend ValuePair operator/(ValuePair a, ValuePair b) { return {a.first / b.first, a.second / b.second}; }
    friend ValuePair operator&(ValuePair a, ValuePair b) { return {a.first & b.first, a.second & b.second}; }
    friend ValuePair operator|(ValuePair a, ValuePair b) { return {a.first | b.first, a.second | b.second}; }
    friend ValuePair operator^(ValuePair a, ValuePair b) { return {a.first ^ b.first, a.second ^ b.second}; }
    friend ValuePair operator<<(ValuePair a, int bits) { return {a.first << bits, a.second << bits}; }
    friend ValuePair operator>>(ValuePair a, int bits) { return {a.first >> bits, a.second >> bits}; }
};
using DoublePair = ValuePair<double>;
using WordPair = ValuePair<std::uint64_t>;
struct ShortOctet {
    std::int16_t numbers[8];

    std::int16_t operator[](int i) const { return numbers[i]; }
};

#endif

inline DoublePair both(double value) { return DoublePair{value, value}; }
inline WordPair both(std::uint64_t value) { return WordPair{value, value}; }

template <typename To, typename From> To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

inline DoublePair load_pair(const double* from) {
    DoublePair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
}
inline void store_pair(double* to, DoublePair pair) { std::memcpy(to, &pair, sizeof pair); }

// All bits set where a is below b, none where it is not or where one is not a number.
inline WordPair below(DoublePair a, DoublePair b) {
#if defined(__GNUC__) || defined(__clang__)
    return same_bits<WordPair>(a < b);
#else
    return {a.first < b.first ? ~std::uint64_t{0} : 0, a.second < b.second ? ~std::uint64_t{0} : 0};
#endif
}

// Adds one to each of the counts whose number is below this one.
inline void count_below(ShortOctet& counts, ShortOctet numbers, std::int16_t number) {
#if defined(__GNUC__) || defined(__clang__)
    const ShortOctet eight = {number, number, number, number, number, number, number, number};
    counts -= eight > numbers;  // true is -1
#else
    for (int i = 0; i < 8; ++i) {
        counts.numbers[i] =
            static_cast<std::int16_t>(counts.numbers[i] + (number > numbers.numbers[i] ? 1 : 0));
    }
#endif
}

}  // namespace jimbot
