// Logarithm and normal distribution from the four operations and the square root alone. The library's differ
// in the last bit between machines, and a choice between near-equal values must not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace jimbot {

// Natural logarithm, to about nine digits; that of anything below one is zero, as scores have no use for it.
inline double plain_log(double x) {
    if (!(x > 1.0)) {
        return 0.0;
    }
    if (x > 1e300) {
        return 690.8;
    }
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = static_cast<int>(bits >> 52) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const double t = (mantissa - 1.0) / (mantissa + 1.0);
    const double square = t * t;
    const double series =
        1.0 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9))));
    return 2.0 * t * series + 0.6931471805599453 * exponent;
}

// The nearest whole number.
inline int rounded(double x) { return static_cast<int>(std::lround(x)); }

// The cumulative normal distribution at z, to about one percent.
inline double plain_normal(double z) {
    const double t = z * (0.8 + 0.17 * z * z);
    return 0.5 + 0.5 * t / std::sqrt(1.0 + t * t);
}

}  // namespace jimbot
