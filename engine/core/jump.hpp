// The first real of a generator without the generator: most draws of the game take one real and no more.
#pragma once

#include <bit>
#include <cstdint>

#include "core/pairs.hpp"
#include "core/rng.hpp"

namespace jimbot {

// Ten discarded steps and the one that counts, from the four seeded words.
template <typename Word> constexpr Word first_word(Word a, Word b, Word c, Word d) {
    constexpr int kSteps = 11;
    return jump_window<63, 31, 18 * kSteps>(a) ^ jump_window<58, 19, 28 * kSteps>(b) ^
           jump_window<55, 24, 7 * kSteps>(c) ^ jump_window<47, 21, 8 * kSteps>(d);
}

// LuaRandom(seed).real(), for a seed that is a number of at least zero.
inline double first_real(double seed) {
    const double a = seed * kPi + kEuler;
    const double b = a * kPi + kEuler;
    const double c = b * kPi + kEuler;
    const double d = c * kPi + kEuler;
    const std::uint64_t word = first_word(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b),
                                          std::bit_cast<std::uint64_t>(c), std::bit_cast<std::uint64_t>(d));
    return std::bit_cast<double>((word & kFractionBits) | kOneBits) - 1.0;
}

// The same for two seeds.
inline DoublePair first_reals(DoublePair seeds) {
    const DoublePair a = seeds * both(kPi) + both(kEuler);
    const DoublePair b = a * both(kPi) + both(kEuler);
    const DoublePair c = b * both(kPi) + both(kEuler);
    const DoublePair d = c * both(kPi) + both(kEuler);
    const WordPair word = first_word(same_bits<WordPair>(a), same_bits<WordPair>(b), same_bits<WordPair>(c),
                                     same_bits<WordPair>(d));
    return same_bits<DoublePair>((word & both(kFractionBits)) | both(kOneBits)) - both(1.0);
}

}  // namespace jimbot
