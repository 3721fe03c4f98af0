// The 34 seeds that differ in their first character only, hashed side by side. The hash runs from the last
// character to the first, so all but one step over the seed is shared; and as the lanes do not depend on each
// other, the processor works on several of them at once where a single hash would wait for every division.
#pragma once

#include <bit>
#include <cstdint>

#include "core/seed_space.hpp"
#include "core/streams.hpp"

namespace jimbot {

inline constexpr int kLanes = kSeedCharacterCount;

// The lanes that are still in question, in order.
struct Lanes {
    int count = 0;
    std::uint8_t lane[kLanes];

    void add(int which) { lane[count++] = static_cast<std::uint8_t>(which); }
};

constexpr std::uint64_t lane_bit(int lane) { return std::uint64_t{1} << lane; }

inline std::uint64_t mask_of(const Lanes& lanes) {
    std::uint64_t mask = 0;
    for (int i = 0; i < lanes.count; ++i) {
        mask |= lane_bit(lanes.lane[i]);
    }
    return mask;
}

inline Lanes lanes_of(std::uint64_t mask) {
    Lanes lanes;
    for (; mask != 0; mask &= mask - 1) {
        lanes.add(std::countr_zero(mask));
    }
    return lanes;
}

// One value per seed of the batch.
using LaneValues = double[kLanes];

class SeedBatch {
public:
    // The seeds number group * 34 to group * 34 + 33.
    explicit SeedBatch(std::uint64_t group);

    // The values of a stream before its first use, by seed, for the lanes in question.
    void open(Stream stream, int ante, int resample, const Lanes& lanes, LaneValues& values);

    // Uses a stream once in each of the lanes: rolls[i] is the real in [0, 1)
    // that lane number i of `lanes` gets.
    void roll(const Lanes& lanes, LaneValues& values, LaneValues& rolls) const;

private:
    double suffix_hash(int key_length);

    LaneValues seed_hash_;
    double suffix_[kCachedKeyLengths];  // hash of the last seven characters behind a key of that length; -1:
                                        // not yet
    char seed_[kRandomSeedLength];      // of lane 0
};

}  // namespace jimbot
