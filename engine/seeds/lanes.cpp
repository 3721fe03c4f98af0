#include "seeds/lanes.hpp"

#include "core/jump.hpp"

namespace jimbot {

SeedBatch::SeedBatch(std::uint64_t group) {
    write_seed(group * kLanes, seed_);
    for (double& value : suffix_) {
        value = -1.0;
    }
    const double suffix = suffix_hash(0);
    for (int lane = 0; lane < kLanes; ++lane) {
        const char first = kSeedCharacters[static_cast<std::size_t>(lane)];
        seed_hash_[lane] = hash_step(suffix, static_cast<unsigned char>(first), 1);
    }
}

double SeedBatch::suffix_hash(int key_length) {
    const bool cached = key_length < kCachedKeyLengths;
    if (cached && suffix_[key_length] >= 0.0) {
        return suffix_[key_length];
    }
    double hash = 1.0;
    for (int i = kRandomSeedLength; i > 1; --i) {
        hash = hash_step(hash, static_cast<unsigned char>(seed_[i - 1]), key_length + i);
    }
    if (cached) {
        suffix_[key_length] = hash;
    }
    return hash;
}

void SeedBatch::open(Stream stream, int ante, int resample, const Lanes& lanes, LaneValues& values) {
    char key[48];
    const int length = write_stream_key(stream, ante, resample, key);
    const double suffix = suffix_hash(length);
    for (int i = 0; i < lanes.count; ++i) {
        const char first = kSeedCharacters[lanes.lane[i]];
        values[lanes.lane[i]] = hash_step(suffix, static_cast<unsigned char>(first), length + 1);
    }
    for (int position = length; position > 0; --position) {
        const auto byte = static_cast<unsigned char>(key[position - 1]);
        for (int i = 0; i < lanes.count; ++i) {
            values[lanes.lane[i]] = hash_step(values[lanes.lane[i]], byte, position);
        }
    }
}

void SeedBatch::roll(const Lanes& lanes, LaneValues& values, LaneValues& rolls) const {
    bool numbers = true;
    for (int i = 0; i < lanes.count; ++i) {
        const int lane = lanes.lane[i];
        values[lane] = advance_stream(values[lane]);
        rolls[i] = (values[lane] + seed_hash_[lane]) / 2.0;
        numbers = numbers && rolls[i] == rolls[i];
    }
    if (!numbers) {
        for (int i = 0; i < lanes.count; ++i) {
            rolls[i] = LuaRandom(rolls[i]).real();
        }
        return;
    }
    for (int i = 0; i < lanes.count; ++i) {  // compilers turn this loop into vector instructions
        rolls[i] = first_real(rolls[i]);
    }
}

}  // namespace jimbot
