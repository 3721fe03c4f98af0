#include "core/seed_space.hpp"

namespace jimbot {

namespace {

// Prime to 34, so that multiplying by it permutes the suffixes; below 2^28, so that no product overflows.
constexpr std::uint64_t kStride = 165'580'141;
static_assert(kStride % 2 == 1 && kStride % 17 != 0);
static_assert(kStride < (std::uint64_t{1} << 28) && kSeedSuffixes < (std::uint64_t{1} << 36));

constexpr std::uint64_t power(std::uint64_t base, int exponent) {
    std::uint64_t result = 1;
    for (int i = 0; i < exponent; ++i) {
        result *= base;
    }
    return result;
}
static_assert(kSeedCharacters.size() == kSeedCharacterCount);
static_assert(kSeedSuffixes == power(kSeedCharacterCount, kRandomSeedLength - 1));

// left * right modulo the number of suffixes, by doubling: the product itself may need more than 64 bits.
constexpr std::uint64_t multiply(std::uint64_t left, std::uint64_t right) {
    std::uint64_t result = 0;
    for (; right > 0; right >>= 1) {
        if ((right & 1) != 0) {
            result = (result + left) % kSeedSuffixes;
        }
        left = (left + left) % kSeedSuffixes;
    }
    return result;
}

// The inverse of the stride: stride^(phi - 1), with phi(34^7) = 34^7 * (1 - 1/2) * (1 - 1/17).
constexpr std::uint64_t invert_stride() {
    std::uint64_t result = 1;
    std::uint64_t factor = kStride;
    for (std::uint64_t exponent = kSeedSuffixes / 34 * 16 - 1; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result = multiply(result, factor);
        }
        factor = multiply(factor, factor);
    }
    return result;
}
constexpr std::uint64_t kStrideInverse = invert_stride();
static_assert(multiply(kStride, kStrideInverse) == 1);

}  // namespace

void write_seed(std::uint64_t index, char (&seed)[kRandomSeedLength]) {
    seed[0] = kSeedCharacters[index % kSeedCharacterCount];
    std::uint64_t suffix = index / kSeedCharacterCount % kSeedSuffixes * kStride % kSeedSuffixes;
    for (int i = 1; i < kRandomSeedLength; ++i) {
        seed[i] = kSeedCharacters[suffix % kSeedCharacterCount];
        suffix /= kSeedCharacterCount;
    }
}

std::uint64_t seed_index(std::string_view seed) {
    if (seed.size() != kRandomSeedLength) {
        return kSeedSpace;
    }
    std::uint64_t suffix = 0;
    std::uint64_t digit = 0;
    for (int i = kRandomSeedLength - 1; i >= 0; --i) {
        const std::size_t place = kSeedCharacters.find(seed[static_cast<std::size_t>(i)]);
        if (place == std::string_view::npos) {
            return kSeedSpace;
        }
        digit = place;
        if (i > 0) {
            suffix = suffix * kSeedCharacterCount + digit;
        }
    }
    return multiply(suffix, kStrideInverse) * kSeedCharacterCount + digit;
}

}  // namespace jimbot
