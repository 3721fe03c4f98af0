// A uniform choice among the ones of a mask: the policy of benchmarks.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/streams.hpp"

namespace jimbot {

// Sum of eight bytes that are 0 or 1.
inline int ones_of_eight(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return static_cast<int>((word * 0x0101010101010101) >> 56);
}

// How many ones a mask of at most 2040 bytes has.
inline int count_ones(const std::uint8_t* mask, int length) {
    std::uint64_t sums = 0;  // of every eighth byte
    int at = 0;
    for (; at + 8 <= length; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, mask + at, sizeof word);
        sums += word;
    }
    constexpr std::uint64_t kHalf = 0x00ff00ff00ff00ff;
    std::uint64_t ones = (((sums & kHalf) + ((sums >> 8) & kHalf)) * 0x0001000100010001) >> 48;
    for (; at < length; ++at) {
        ones += mask[at];
    }
    return static_cast<int>(ones);
}

// A random index among the ones of a mask, each as likely as the others; 0 if there is none.
inline int random_legal(const std::uint8_t* mask, int length, std::uint64_t& random) {
    const int legal = count_ones(mask, length);
    if (legal == 0) {
        return 0;
    }
    int left = static_cast<int>(((next_fast(random) >> 32) * static_cast<std::uint64_t>(legal)) >> 32);
    int at = 0;
    for (const int words = length / 8 * 8; at < words; at += 8) {
        const int here = ones_of_eight(mask + at);
        if (left < here) {
            break;
        }
        left -= here;
    }
    for (; at < length - 1; ++at) {
        left -= mask[at];
        if (left < 0) {
            return at;
        }
    }
    return at;
}

}  // namespace jimbot
