// The numeric primitives: hash, rounding, generator, shuffle.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

#include "core/jump.hpp"
#include "core/rng.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

// What round13 has to be: printed with thirteen decimals and read back.
double printed_and_read(double x) {
    char text[64];
    std::snprintf(text, sizeof text, "%.13f", x);
    return std::strtod(text, nullptr);
}

// Exactly between two values of thirteen decimals; builds of the game differ there.
bool is_tie(double x) {
    const double scaled = x * 16384.0;
    return scaled == std::floor(scaled) && x * 8192.0 != std::floor(x * 8192.0);
}

}  // namespace

TEST(hash_of_known_strings) {
    CHECK_EQ(pseudohash(""), 1.0);
    CHECK_EQ(pseudohash("7LB2WVPK"), 0.17691054639954018);
    CHECK_EQ(pseudohash("boss7LB2WVPK"), 0.21622050174181595);
}

TEST(hash_that_hits_zero_is_the_positive_not_a_number) {
    const double hash = pseudohash("erratic7LB2WVPK");
    CHECK_EQ(bits_of(hash), 0x7ff8000000000000U);
    CHECK_EQ(bits_of(advance_stream(hash)), 0x7ff8000000000000U);
    CHECK_EQ(bits_of(advance_stream(-hash)), 0x7ff8000000000000U);
    CHECK_EQ(LuaRandom(hash).real(), 0.99249255698284466);
    CHECK_EQ(LuaRandom(-hash).real(), 0.99401821283724456);
}

TEST(rounding_is_printing_and_reading) {
    std::mt19937_64 source(1);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 200'000; ++i) {
        const double x = unit(source);
        CHECK_EQ(round13(x), printed_and_read(x));
    }
    for (const double x :
         {0.0, 1e-14, 4.9e-14, 5.1e-14, 1e-13, 0.5, 0.9999999999999, std::nextafter(1.0, 0.0)}) {
        CHECK_EQ(round13(x), printed_and_read(x));
    }
}

TEST(rounding_next_to_ties) {
    std::mt19937_64 source(2);
    std::uniform_real_distribution<double> exponent(0.0, 13.0);
    for (int i = 0; i < 200'000; ++i) {
        const double units = std::floor(std::pow(10.0, exponent(source)));
        double x = (2.0 * units + 1.0) / 2e13;
        const int steps = static_cast<int>(source() % 9) - 4;
        for (int step = 0; step < std::abs(steps); ++step) {
            x = std::nextafter(x, steps > 0 ? 1.0 : 0.0);
        }
        if (x < 1.0 && !is_tie(x)) {
            CHECK_EQ(round13(x), printed_and_read(x));
        }
    }
}

TEST(stream_values_have_thirteen_decimals) {
    double value = pseudohash("boss7LB2WVPK");
    for (int i = 0; i < 10'000; ++i) {
        value = advance_stream(value);
        CHECK(value >= 0.0 && value <= 1.0);
        CHECK_EQ(round13(value), value);
    }
}

TEST(generator_of_known_seed) {
    LuaRandom random(0.0);
    CHECK_EQ(random.real(), 0.79420629243124097);
    CHECK_EQ(random.real(), 0.69885246563716397);
}

TEST(integers_stay_in_their_bounds) {
    for (int seed = 0; seed < 1000; ++seed) {
        LuaRandom random(seed / 1000.0);
        for (int width = 0; width < 60; ++width) {
            const int value = random.integer(-3, width - 3);
            CHECK(value >= -3 && value <= width - 3);
        }
    }
    LuaRandom one(0.25);
    LuaRandom other(0.25);
    for (int i = 0; i < 100; ++i) {
        CHECK_EQ(one.index(52), other.integer(1, 52) - 1);
    }
}

TEST(jump_is_eleven_steps) {
    std::mt19937_64 source(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 100'000; ++i) {
        const double seed = unit(source);
        CHECK_EQ(first_real(seed), LuaRandom(seed).real());
    }
    CHECK_EQ(first_real(0.0), 0.79420629243124097);
    CHECK_EQ(first_real(1.0), LuaRandom(1.0).real());
}

TEST(first_reals_of_two_seeds_are_those_of_each) {
    for (int i = 0; i < 1000; ++i) {
        const double left = i / 1000.0;
        const double right = LuaRandom(left).real();
        const DoublePair reals = first_reals(DoublePair{left, right});
        CHECK_EQ(reals[0], LuaRandom(left).real());
        CHECK_EQ(reals[1], LuaRandom(right).real());
    }
}

TEST(shuffle_takes_one_real_after_the_other) {
    const LuaRandom generators[] = {
        LuaRandom(0.25),         LuaRandom(0.0),  LuaRandom(kNotANumber),
        LuaRandom(-kNotANumber), LuaRandom(0, 0), LuaRandom(0x0123456789abcdef, 0xfedcba9876543210)};
    for (const LuaRandom& generator : generators) {
        for (int count = 0; count <= 60; ++count) {
            std::vector<int> items(static_cast<std::size_t>(count));
            std::iota(items.begin(), items.end(), 0);
            std::vector<int> expected = items;
            LuaRandom random = generator;
            for (int i = count - 1; i > 0; --i) {
                std::swap(expected[static_cast<std::size_t>(i)],
                          expected[static_cast<std::size_t>(random.index(i + 1))]);
            }
            shuffle(generator, items.data(), count);
            CHECK(items == expected);
        }
    }
}

TEST(shuffle_is_a_permutation) {
    for (int count = 0; count <= 60; ++count) {
        std::vector<int> items(static_cast<std::size_t>(count));
        std::iota(items.begin(), items.end(), 0);
        const std::vector<int> sorted = items;
        LuaRandom random(count / 61.0);
        shuffle(random, items.data(), count);
        CHECK(count < 5 || items != sorted);
        std::sort(items.begin(), items.end());
        CHECK(items == sorted);
    }
}
