// Counting bits: one instruction, for builds ask for processors that have it (cmake/flags.cmake).
#pragma once

#include <bit>
#include <cstdint>

namespace jimbot {

constexpr int count_bits(std::uint32_t mask) { return std::popcount(mask); }

}  // namespace jimbot
