// The numeric primitives every draw in the game goes through: the string hash, the rounding to thirteen
// decimals and LuaJIT's generator. All of it is IEEE double arithmetic in a fixed order; the build never
// contracts multiply-adds (see DESIGN.md).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/pairs.hpp"

namespace jimbot {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kEuler = 2.7182818284590452354;
// The positive quiet not-a-number. Processors disagree about its sign, and the sign decides what is drawn.
inline constexpr double kNotANumber = std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});

// One step of the string hash: the value so far, the byte and its one-based position in the string.
inline double hash_step(double hash, unsigned char byte, int position) {
    const double a =
        ((1.1239285023 / hash) * static_cast<double>(byte)) * kPi + kPi * static_cast<double>(position);
    // a is never negative and, when finite, below 2^62: the integer conversion is
    // an exact floor without a call.
    if (a < 4.0e18) {
        return a - static_cast<double>(static_cast<std::int64_t>(a));
    }
    return kNotANumber;  // a was infinite: from here on every value of the stream is this
}

// Hash of a byte string, last byte first. The empty string gives 1.
double pseudohash(std::string_view text);

// The value a reader gets back after printing x with exactly 13 decimals. Replaceable in this one place:
// everything else in the engine calls it, nothing repeats it.
inline double round13(double x) {
    constexpr double kScale = 1e13;
    constexpr double kNearest = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
    const double product = x * kScale;
    double nearest = (product + kNearest) - kNearest;
    const double remainder = product - nearest;
    // The product is off by at most 2^-10 for x in [0, 1), so only remainders close
    // to one half need the exact tail.
    if (std::fabs(remainder) > 0.498) {
        // The tail is added last: at exactly one half the sum must not lose it.
        const double tail = std::fma(x, kScale, -product);
        if ((remainder - 0.5) + tail > 0.0) {
            nearest += 1.0;
        } else if ((remainder + 0.5) + tail < 0.0) {
            nearest -= 1.0;
        }
    }
    return nearest / kScale;
}

// Advances a stream value once. The absolute value also makes a not-a-number positive.
inline double advance_stream(double value) {
    double x = 2.134453429141 + value * 1.72431234;
    if (x != x) {
        return kNotANumber;
    }
    x -= static_cast<double>(static_cast<std::int64_t>(x));
    return std::fabs(round13(x));
}

// Jumping ahead in LuaJIT's generator. Each of its four words is a window of 64 bits on a sequence with the
// rule x[n + K] = x[n] ^ x[n + Q]; one step of the generator moves the window by S bits. The window can as
// well be moved by up to K - Q bits at a time, so the ten steps after seeding take half the work.

// Moves the window of the sequence (K, Q) by `Bits`, at most K - Q.
template <int K, int Q, int Bits> constexpr std::uint64_t move_window(std::uint64_t z) {
    static_assert(Bits > 0 && Bits <= K - Q);
    return (((z << Q) ^ z) >> (K - Bits)) ^ ((z & (~std::uint64_t{0} << (64 - K))) << Bits);
}
template <int K, int Q, int Bits> WordPair move_window(WordPair z) {
    static_assert(Bits > 0 && Bits <= K - Q);
    return (((z << Q) ^ z) >> (K - Bits)) ^ ((z & both(~std::uint64_t{0} << (64 - K))) << Bits);
}

// Moves the window by any number of bits. Only the upper K bits of a freshly seeded word belong to the
// sequence, so the first move must not look at the others; after it all 64 do.
template <int K, int Q, int Bits, typename Word> constexpr Word jump_window(Word z) {
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

// What a real in [0, 1) makes of a choice: an integer in [low, high], a zero-based index below count.
inline int integer_of(double real, int low, int high) {
    return static_cast<int>(std::floor(real * (static_cast<double>(high) - static_cast<double>(low) + 1.0))) +
           low;
}
inline int index_of(double real, int count) { return static_cast<int>(real * static_cast<double>(count)); }

// The bits of a double's fraction, and of 1.0: with both a random word becomes a double in [1, 2).
inline constexpr std::uint64_t kFractionBits = 0x000fffffffffffff;
inline constexpr std::uint64_t kOneBits = 0x3ff0000000000000;

// LuaJIT's combined Tausworthe generator (period 2^223), seeded by one double.
class LuaRandom {
public:
    explicit LuaRandom(double seed) {
        if (seed != seed) {
            // Every word becomes the not-a-number itself; its sign decides which constant all draws have.
            const std::uint64_t bits =
                std::signbit(seed) ? std::uint64_t{0xfff8000000000000} : std::uint64_t{0x7ff8000000000000};
            for (auto& word : words_) {
                word = bits;
            }
        } else {
            static constexpr int kMinimumShift[4] = {1, 6, 9, 17};
            for (int i = 0; i < 4; ++i) {
                const double product = seed * kPi;
                seed = product + kEuler;
                std::uint64_t word = std::bit_cast<std::uint64_t>(seed);
                const std::uint64_t minimum = std::uint64_t{1} << kMinimumShift[i];
                if (word < minimum) {
                    word += minimum;
                }
                words_[i] = word;
            }
        }
        constexpr int kDiscarded = 10;  // steps
        words_[0] = jump_window<63, 31, 18 * kDiscarded>(words_[0]);
        words_[1] = jump_window<58, 19, 28 * kDiscarded>(words_[1]);
        words_[2] = jump_window<55, 24, 7 * kDiscarded>(words_[2]);
        words_[3] = jump_window<47, 21, 8 * kDiscarded>(words_[3]);
    }

    // From two random words instead of a double: no warm-up is needed.
    LuaRandom(std::uint64_t a, std::uint64_t b)
        : words_{a | 2, b | 64, (a ^ (b << 17)) | 512, (b ^ (a >> 11)) | 131072} {}

    // Uniform in [0, 1), 52 bits.
    double real() {
        const std::uint64_t bits = (step() & kFractionBits) | kOneBits;
        return std::bit_cast<double>(bits) - 1.0;
    }

    // Uniform integer in [low, high].
    int integer(int low, int high) { return integer_of(real(), low, high); }

    // Zero-based uniform index below count.
    int index(int count) { return index_of(real(), count); }

private:
    friend class PairedReals;

    template <int K, int Q, int S> static std::uint64_t next(std::uint64_t z) {
        return (((z << Q) ^ z) >> (K - S)) ^ ((z & (~std::uint64_t{0} << (64 - K))) << S);
    }

    std::uint64_t step() {
        words_[0] = next<63, 31, 18>(words_[0]);
        words_[1] = next<58, 19, 28>(words_[1]);
        words_[2] = next<55, 24, 7>(words_[2]);
        words_[3] = next<47, 21, 8>(words_[3]);
        return words_[0] ^ words_[1] ^ words_[2] ^ words_[3];
    }

    std::uint64_t words_[4];
};

// The reals that a generator gives next, two at a time: one lane is a step ahead of the
// other, and both move on by two steps at once. Nothing but the generator's own integer
// steps, so the reals are the same to the last bit.
class PairedReals {
public:
    explicit PairedReals(LuaRandom random) {
        std::uint64_t words[2][4];
        for (auto& lane : words) {
            random.step();  // from here on all bits of a word belong to its sequence, and it can be moved
                            // further
            for (int i = 0; i < 4; ++i) {
                lane[i] = random.words_[i];
            }
        }
        for (int i = 0; i < 4; ++i) {
            words_[i] = WordPair{words[0][i], words[1][i]};
        }
    }

    DoublePair next() {
        const WordPair bits = words_[0] ^ words_[1] ^ words_[2] ^ words_[3];
        words_[0] = move_window<63, 31, 18>(move_window<63, 31, 18>(words_[0]));
        words_[1] = move_window<58, 19, 28>(move_window<58, 19, 28>(words_[1]));
        words_[2] = move_window<55, 24, 2 * 7>(words_[2]);
        words_[3] = move_window<47, 21, 2 * 8>(words_[3]);
        return same_bits<DoublePair>((bits & both(kFractionBits)) | both(kOneBits)) - both(1.0);
    }

private:
    WordPair words_[4];
};

// Shuffles items[0..count) in place with what one generator gives: from the last index down to the second,
// swap with an index at or below it.
template <typename Item> void shuffle(const LuaRandom& random, Item* items, int count) {
    const auto swap_with = [items](int i, double real) {
        const int j = index_of(real, i + 1);
        const Item held = items[i];
        items[i] = items[j];
        items[j] = held;
    };
    PairedReals reals(random);
    int i = count - 1;
    for (; i > 1; i -= 2) {
        const DoublePair pair = reals.next();
        swap_with(i, pair[0]);
        swap_with(i - 1, pair[1]);
    }
    if (i == 1) {
        swap_with(1, reals.next()[0]);
    }
}

}  // namespace jimbot
