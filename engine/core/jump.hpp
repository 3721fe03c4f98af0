// Jumping ahead in LuaJIT's generator. Each of its four words is a window of 64 bits on a sequence with the
// rule x[n + K] = x[n] ^ x[n + Q]; one step of the generator moves the window by S bits. The window can as
// well be moved by up to K - Q bits at a time, so the ten steps after seeding take half the work.
#pragma once

#include <bit>
#include <cstdint>

#include "core/rng.hpp"

namespace jimbot {

// Moves the window of the sequence (K, Q) by `Bits`, at most K - Q.
template <int K, int Q, int Bits> constexpr std::uint64_t move_window(std::uint64_t z) {
    static_assert(Bits > 0 && Bits <= K - Q);
    return (((z << Q) ^ z) >> (K - Bits)) ^ ((z & (~std::uint64_t{0} << (64 - K))) << Bits);
}

// Moves the window by any number of bits. Only the upper K bits of a freshly seeded word belong to the
// sequence, so the first move must not look at the others; after it all 64 do.
template <int K, int Q, int Bits> constexpr std::uint64_t jump_window(std::uint64_t z) {
    constexpr int kFirst = Bits < 2 * K - Q - 64 ? Bits : 2 * K - Q - 64;
    constexpr int kMost = K - Q;
    constexpr int kLeft = Bits - kFirst;
    z = move_window<K, Q, kFirst>(z);
    for (int i = 0; i < kLeft / kMost; ++i) {
        z = move_window<K, Q, kMost>(z);
    }
    if constexpr (kLeft % kMost != 0) {
        z = move_window<K, Q, kLeft % kMost>(z);
    }
    return z;
}

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
