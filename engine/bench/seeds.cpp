// Benchmarks of what seeds are made of: hashes, generators, streams, explorations and searches.

#include <cstdint>
#include <cstring>
#include <string>

#include "bench/benchmarks.hpp"
#include "core/seed_space.hpp"
#include "core/streams.hpp"
#include "seeds/explore.hpp"
#include "seeds/find.hpp"

namespace jimbot::bench {

namespace {

// Divisions that each need the result of the one before: the reference that everything else is compared with.
double divisions(std::uint64_t done, std::uint64_t count) {
    double x = 1.5 + static_cast<double>(done % 7);
    for (std::uint64_t i = 0; i < count; ++i) {
        x = 3.7 / x + 0.1;
    }
    return x;
}

// Hashes of an eighteen-character key, as a stream's first use needs without anything cached.
double hashes(std::uint64_t done, std::uint64_t count) {
    char key[] = "Joker1sho1AAAAAAAA";
    constexpr std::size_t kSeedPlace = sizeof key - 1 - kRandomSeedLength;
    double sum = 0.0;
    for (std::uint64_t i = done; i < done + count; ++i) {
        char seed[kRandomSeedLength];
        write_seed(i, seed);
        std::memcpy(key + kSeedPlace, seed, sizeof seed);
        sum += pseudohash({key, sizeof key - 1});
    }
    return sum;
}

// A generator seeded with a double, and its first real.
double seedings(std::uint64_t done, std::uint64_t count) {
    double sum = 0.0;
    for (std::uint64_t i = done; i < done + count; ++i) {
        sum += LuaRandom(static_cast<double>(i % 1'000'003) / 1'000'003.0).real();
    }
    return sum;
}

// Whole draws of a run in progress, from all streams in turn: advance it, seed the generator, take a real.
double draws(std::uint64_t done, std::uint64_t count) {
    constexpr auto kStreams = static_cast<std::uint64_t>(Stream::streams_end);
    Streams streams;
    start_streams(streams, "7LB2WVPK");
    double sum = 0.0;
    for (std::uint64_t i = done; i < done + count; ++i) {
        sum +=
            draw(streams, static_cast<Stream>(i % kStreams), 1 + static_cast<int>(i / kStreams % 3)).real();
    }
    return sum;
}

// Full walks over eight antes: every shop, every pack opened.
double explorations(std::uint64_t done, std::uint64_t count) {
    double sum = 0.0;
    for (std::uint64_t i = done; i < done + count; ++i) {
        char seed[kRandomSeedLength];
        write_seed(i, seed);
        for (const WalkAnte& ante : explore_walk({seed, sizeof seed}, b_red, 1, 8, {})) {
            sum += static_cast<double>(ante.boss + ante.shops.back().packs.back().cards.size());
        }
    }
    return sum;
}

// A search for Blueprint in the first shop row.
double find_seeds(std::uint64_t done, std::uint64_t count) {
    Search search;
    search.condition_count = 1;
    search.conditions[0].place = Place::shop;
    search.conditions[0].id = j_blueprint;
    search.conditions[0].first_items = 2;
    const SearchPlan plan = plan_search(search);
    double sum = 0.0;
    for (std::uint64_t tried = 0; tried < count;) {
        std::uint64_t found[64];
        const BlockResult result = find_block(plan, done + tried, count - tried, found, 64);
        tried += result.tried;
        sum += result.found;
    }
    return sum;
}

constexpr Benchmark kBenchmarks[] = {
    {"divisions", 100'000, &divisions}, {"hashes", 10'000, &hashes},         {"seedings", 10'000, &seedings},
    {"draws", 10'000, &draws},          {"explorations", 10, &explorations}, {"find", 34'000, &find_seeds},
};

}  // namespace

Measurement measure_seeds(const std::string& name, double seconds) {
    return measure_by_name(kBenchmarks, name, seconds);
}

}  // namespace jimbot::bench
