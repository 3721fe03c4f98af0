#include "core/streams.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "core/chains.hpp"
#include "core/jump.hpp"
#include "core/pairs.hpp"
#include "core/stream_keys.hpp"

namespace jimbot {

namespace {

constexpr void lay_out_uses(KeyBatch& batch, const StreamUse* uses, int count, int ante) {
    char texts[kMaxChains][kMaxKeyText];
    std::string_view keys[kMaxChains];
    for (int i = 0; i < count; ++i) {
        const int length = stream_keys::write(uses[i].stream, ante, uses[i].resample, texts[i]);
        keys[i] = {texts[i], static_cast<std::size_t>(length)};
    }
    lay_out_keys(batch, keys, count);
}

// What every run draws from at its start, and the keys of it in ante 1.
constexpr StreamUse kFirstDraws[] = {
    {Stream::boss},    {Stream::voucher},      {Stream::voucher, 2}, {Stream::tag},
    {Stream::tag, 2},  {Stream::deck_shuffle}, {Stream::idol},       {Stream::mail},
    {Stream::ancient}, {Stream::castle},       {Stream::orbital},    {Stream::new_round},
};
constexpr int kFirstDrawCount = static_cast<int>(std::size(kFirstDraws));
constexpr StreamUse kSpareDraws[] = {{Stream::voucher, 3}, {Stream::tag, 3}};
constexpr int kSpareDrawCount = static_cast<int>(std::size(kSpareDraws));
constexpr KeyBatch kFirstKeys = [] {
    std::array<StreamUse, kFirstDrawCount + kSpareDrawCount> uses{};
    std::copy(std::begin(kFirstDraws), std::end(kFirstDraws), uses.begin());
    std::copy(std::begin(kSpareDraws), std::end(kSpareDraws), uses.begin() + kFirstDrawCount);
    KeyBatch batch{};
    lay_out_uses(batch, uses.data(), static_cast<int>(uses.size()), 1);
    return batch;
}();

// The different lengths of those keys, and 0 for the seed alone.
struct KeyLengths {
    int lengths[kMaxChains] = {};
    int count = 1;
};
constexpr KeyLengths kFirstLengths = [] {
    KeyLengths different;
    for (int i = 0; i < kFirstKeys.count; ++i) {
        if (kFirstKeys.length[i] != different.lengths[different.count - 1]) {
            different.lengths[different.count++] = kFirstKeys.length[i];
        }
    }
    return different;
}();

// Hash of the seed when a key of `key_length` bytes stands before it: the part every such key shares.
double hash_seed_behind(const Streams& streams, int key_length) {
    double hash = 1.0;
    for (int i = streams.seed_length; i > 0; --i) {
        hash = hash_step(hash, static_cast<unsigned char>(streams.seed[i - 1]), key_length + i);
    }
    return hash;
}

double first_value(Streams& streams, Stream stream, int ante, int resample) {
    char key[kMaxKeyText];
    const int length = write_stream_key(stream, ante, resample, key);
    double hash;
    if (length < kCachedKeyLengths) {
        double& partial = streams.seed_partial[length];
        if (partial < 0.0) {
            partial = hash_seed_behind(streams, length);
        }
        hash = partial;
    } else {
        hash = hash_seed_behind(streams, length);
    }
    for (int position = length; position > 0; --position) {
        hash = hash_step(hash, static_cast<unsigned char>(key[position - 1]), position);
    }
    return hash;
}

int ante_slot(int ante) {
    const int slot = ante % kRememberedAntes;
    return slot < 0 ? slot + kRememberedAntes : slot;
}

std::uint32_t resample_key(Stream stream, int ante, int resample) {
    const bool per_run = static_cast<int>(stream) < kRunStreams;
    const auto ante_bits = static_cast<std::uint32_t>((per_run ? 0 : ante) & 0xfff);
    return (ante_bits << 20) | (static_cast<std::uint32_t>(stream) << 12) |
           static_cast<std::uint32_t>(resample & 0xfff);
}

int resample_home(std::uint32_t key) {
    return static_cast<int>((key * 0x9e3779b1u) >> 25) & (kResampleSlots - 1);
}

void insert_resample(Streams& streams, std::uint32_t key, double value) {
    int slot = resample_home(key);
    while (streams.resample_key[slot] != 0) {
        slot = (slot + 1) & (kResampleSlots - 1);
    }
    streams.resample_key[slot] = key;
    streams.resample_value[slot] = value;
    ++streams.resample_used;
}

// Drops redraw streams of antes that can no longer return.
void forget_old_resamples(Streams& streams) {
    if (streams.resample_used == 0) {
        return;
    }
    std::uint32_t keys[kResampleSlots];
    double values[kResampleSlots];
    std::memcpy(keys, streams.resample_key, sizeof keys);
    std::memcpy(values, streams.resample_value, sizeof values);
    std::memset(streams.resample_key, 0, sizeof streams.resample_key);
    streams.resample_used = 0;
    for (int i = 0; i < kResampleSlots; ++i) {
        if (keys[i] == 0) {
            continue;
        }
        bool keep = static_cast<int>((keys[i] >> 12) & 0xff) < kRunStreams;
        for (const std::int16_t held : streams.ante_held) {
            keep = keep || static_cast<std::uint32_t>(held & 0xfff) == keys[i] >> 20;
        }
        if (keep) {
            insert_resample(streams, keys[i], values[i]);
        }
    }
}

double* ante_streams(Streams& streams, int ante) {
    const int slot = ante_slot(ante);
    if (streams.ante_held[slot] != ante) {
        streams.ante_held[slot] = static_cast<std::int16_t>(ante);
        for (double& value : streams.ante[slot]) {
            value = -1.0;
        }
        forget_old_resamples(streams);
    }
    return streams.ante[slot];
}

double advance_resample(Streams& streams, Stream stream, int ante, int resample) {
    if (static_cast<int>(stream) >= kRunStreams) {
        ante_streams(streams, ante);  // makes the ante current, so that its entries are kept
    }
    const std::uint32_t key = resample_key(stream, ante, resample);
    int slot = resample_home(key);
    while (streams.resample_key[slot] != 0 && streams.resample_key[slot] != key) {
        slot = (slot + 1) & (kResampleSlots - 1);
    }
    if (streams.resample_key[slot] == 0) {
        const double value = advance_stream(first_value(streams, stream, ante, resample));
        // At the limit (never seen in play) a redraw stream is used without being remembered.
        if (streams.resample_used < kResampleSlots - 8) {
            insert_resample(streams, key, value);
        }
        return value;
    }
    return streams.resample_value[slot] = advance_stream(streams.resample_value[slot]);
}

// Where the value of a redraw stream is to go; nullptr if it is in use already or the table is at its limit.
double* new_resample_slot(Streams& streams, Stream stream, int ante, int resample) {
    const std::uint32_t key = resample_key(stream, ante, resample);
    int slot = resample_home(key);
    while (streams.resample_key[slot] != 0) {
        if (streams.resample_key[slot] == key) {
            return nullptr;
        }
        slot = (slot + 1) & (kResampleSlots - 1);
    }
    if (streams.resample_used >= kResampleSlots - 8) {
        return nullptr;
    }
    streams.resample_key[slot] = key;
    ++streams.resample_used;
    return &streams.resample_value[slot];
}

// Where the first value of a stream is to go; nullptr if it has one.
double* unused_value(Streams& streams, StreamUse use, int ante) {
    const int index = static_cast<int>(use.stream);
    double* const value =
        index < kRunStreams ? &streams.run[index] : &ante_streams(streams, ante)[index - kRunStreams];
    if (use.resample != 0) {
        return new_resample_slot(streams, use.stream, ante, use.resample);
    }
    return *value < 0.0 ? value : nullptr;
}

std::string_view seed_text(const Streams& streams) { return {streams.seed, streams.seed_length}; }

// The seed's part behind keys of these lengths is known.
void give_first_values(const Streams& streams, const KeyBatch& batch, double* const* values, int count) {
    double hashes[kMaxChains];
    hash_keys(batch, streams.seed_partial, hashes);
    for (int i = 0; i < count; ++i) {
        *values[i] = hashes[i];
    }
}

void clear_streams(Streams& streams, std::string_view seed) {
    std::memset(static_cast<void*>(&streams), 0, sizeof streams);
    streams.seed_length =
        static_cast<std::uint8_t>(seed.size() < kMaxSeedLength ? seed.size() : kMaxSeedLength);
    std::memcpy(streams.seed, seed.data(), streams.seed_length);
    for (double& value : streams.seed_partial) {
        value = -1.0;
    }
    for (double& value : streams.run) {
        value = -1.0;
    }
    for (int slot = 0; slot < kRememberedAntes; ++slot) {
        streams.ante_held[slot] = INT16_MIN;
    }
}

}  // namespace

int write_stream_key(Stream stream, int ante, int resample, char* buffer) {
    return stream_keys::write(stream, ante, resample, buffer);
}

void start_streams(Streams& streams, std::string_view seed) {
    clear_streams(streams, seed);
    streams.seed_hash = hash_seed_behind(streams, 0);
}

SpareValues start_streams_of_run(Streams& streams, std::string_view seed) {
    clear_streams(streams, seed);
    SpareValues spare{};
    double* values[kFirstDrawCount + kSpareDrawCount] = {};
    for (int i = 0; i < kFirstDrawCount; ++i) {
        values[i] = unused_value(streams, kFirstDraws[i], 1);
    }
    values[kFirstDrawCount] = &spare.voucher;
    values[kFirstDrawCount + 1] = &spare.tag;
    double hashes[kMaxChains];
    hash_behind(seed_text(streams), kFirstLengths.lengths, kFirstLengths.count, hashes);
    streams.seed_hash = hashes[0];
    for (int i = 1; i < kFirstLengths.count; ++i) {
        streams.seed_partial[kFirstLengths.lengths[i]] = hashes[i];
    }
    give_first_values(streams, kFirstKeys, values, kFirstDrawCount + kSpareDrawCount);
    return spare;
}

void give_first_value(Streams& streams, Stream stream, int ante, int resample, double value) {
    double* const place = unused_value(streams, {stream, resample}, ante);
    if (place != nullptr) {
        *place = value;
    }
}

void prefetch(Streams& streams, const StreamUse* uses, int count, int ante) {
    if (streams.fast_state != 0) {
        return;
    }
    double* values[kMaxChains];
    StreamUse fresh[kMaxChains];
    int fresh_count = 0;
    for (int i = 0; i < count; ++i) {
        double* const value = unused_value(streams, uses[i], ante);
        if (value != nullptr) {
            values[fresh_count] = value;
            fresh[fresh_count++] = uses[i];
        }
    }
    if (fresh_count == 0) {
        return;
    }
    KeyBatch batch;
    lay_out_uses(batch, fresh, fresh_count, ante);
    int lengths[kMaxChains];  // whose seed part is missing
    int missing = 0;
    for (int i = 0; i < fresh_count; ++i) {
        const int length = batch.length[i];
        if (streams.seed_partial[length] < 0.0 && (missing == 0 || lengths[missing - 1] != length)) {
            lengths[missing++] = length;
        }
    }
    double hashes[kMaxChains];
    hash_behind(seed_text(streams), lengths, missing, hashes);
    for (int i = 0; i < missing; ++i) {
        streams.seed_partial[lengths[i]] = hashes[i];
    }
    give_first_values(streams, batch, values, fresh_count);
}

void use_fast_streams(Streams& streams, std::uint64_t start) {
    std::uint64_t state = start;
    streams.fast_state = next_fast(state) | 1;
}

namespace {

// The next value of a stream of the seed.
double advance(Streams& streams, Stream stream, int ante, int resample) {
    if (resample > 0) {
        return advance_resample(streams, stream, ante, resample);
    }
    const int index = static_cast<int>(stream);
    double& value =
        index < kRunStreams ? streams.run[index] : ante_streams(streams, ante)[index - kRunStreams];
    if (value < 0.0) {
        value = first_value(streams, stream, ante, 0);
    }
    return value = advance_stream(value);
}

}  // namespace

double draw_seed(Streams& streams, Stream stream, int ante, int resample) {
    if (streams.fast_state != 0) {
        return static_cast<double>(next_fast(streams.fast_state) >> 11) * 0x1p-53;
    }
    return (advance(streams, stream, ante, resample) + streams.seed_hash) / 2.0;
}

Draw draw(Streams& streams, Stream stream, int ante, int resample) {
    if (streams.fast_state != 0) {
        const std::uint64_t a = next_fast(streams.fast_state);
        const std::uint64_t b = next_fast(streams.fast_state);
        return Draw(LuaRandom(a, b).real());
    }
    const double seed = (advance(streams, stream, ante, resample) + streams.seed_hash) / 2.0;
    return Draw(seed == seed ? first_real(seed) : LuaRandom(seed).real());
}

void draw_several(Streams& streams, const Stream* list, int count, int ante, double* reals) {
    alignas(16) double seeds[kMaxStartDraws];
    bool numbers = true;
    for (int i = 0; i < count; ++i) {
        seeds[i] = (advance(streams, list[i], ante, 0) + streams.seed_hash) / 2.0;
        numbers = numbers && seeds[i] == seeds[i];
    }
    if (!numbers) {
        for (int i = 0; i < count; ++i) {
            reals[i] = LuaRandom(seeds[i]).real();
        }
        return;
    }
    int done = 0;
    for (; done + 1 < count; done += 2) {
        store_pair(reals + done, first_reals(load_pair(seeds + done)));
    }
    if (done < count) {
        reals[done] = first_real(seeds[done]);
    }
}

}  // namespace jimbot
