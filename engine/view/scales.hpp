// How numbers enter observations: within -2 and 2, sums of money and magnitudes on logarithmic scales.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace jimbot {

// 1 at `scale`.
template <int scale> inline float bounded(int value) {
    constexpr float kPart = 1.0f / static_cast<float>(scale);
    return std::clamp(static_cast<float>(value) * kPart, -2.0f, 2.0f);
}
template <int scale> inline float bounded(double value) {
    return static_cast<float>(std::clamp(value / scale, -2.0, 2.0));
}

// Magnitudes: 1 at about 10^10, never above 2.
inline float logarithm(double value) {
    const double size = std::log1p(std::fabs(value)) / 23.0;
    const double limited = size < 2.0 ? size : 2.0;
    return static_cast<float>(value < 0 ? -limited : limited);
}

inline float size_of_sum(double value) { return static_cast<float>(std::min(2.0, std::log1p(value) / 5.0)); }

inline constexpr int kListedSums = 512;
inline const std::array<float, kListedSums> kSizesOfSums = []() noexcept {
    std::array<float, kListedSums> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i] = size_of_sum(static_cast<double>(i));
    }
    return sizes;
}();

// Small sums such as money: 1 at about 150.
inline float dollars(int value) {
    if (value > -kListedSums && value < kListedSums) {
        return value < 0 ? -kSizesOfSums[static_cast<std::size_t>(-value)]
                         : kSizesOfSums[static_cast<std::size_t>(value)];
    }
    const float size = size_of_sum(std::fabs(static_cast<double>(value)));
    return value < 0 ? -size : size;
}

}  // namespace jimbot
