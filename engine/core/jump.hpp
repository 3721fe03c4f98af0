// The first real of a generator without the generator: for searches that take one real per seed.
#pragma once

#include <bit>
#include <cstdint>

#include "core/rng.hpp"

namespace jimbot {

// LuaRandom(seed).real(), for a seed that is a number of at least zero: ten discarded steps and the one that
// counts.
inline double first_real(double seed) {
    constexpr int kSteps = 11;
    const double a = seed * kPi + kEuler;
    const double b = a * kPi + kEuler;
    const double c = b * kPi + kEuler;
    const double d = c * kPi + kEuler;
    const std::uint64_t word = jump_window<63, 31, 18 * kSteps>(std::bit_cast<std::uint64_t>(a)) ^
                               jump_window<58, 19, 28 * kSteps>(std::bit_cast<std::uint64_t>(b)) ^
                               jump_window<55, 24, 7 * kSteps>(std::bit_cast<std::uint64_t>(c)) ^
                               jump_window<47, 21, 8 * kSteps>(std::bit_cast<std::uint64_t>(d));
    return std::bit_cast<double>((word & 0x000fffffffffffff) | 0x3ff0000000000000) - 1.0;
}

}  // namespace jimbot
