// Counting bits without the popcount instruction, which portable builds may not assume: the library's
// fallback is a call, and these counts are on the path of every play.
#pragma once

#include <cstdint>

namespace jimbot {

constexpr int count_bits(std::uint32_t mask) {
    mask = mask - ((mask >> 1) & 0x55555555);
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333);
    return static_cast<int>((((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24);
}

}  // namespace jimbot
