// Streams by id: their keys, their memory, and its limits.

#include <cstring>
#include <set>
#include <string>

#include "core/streams.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

constexpr std::string_view kSeed = "7LB2WVPK";
constexpr int kStreamCount = static_cast<int>(Stream::streams_end);

std::string key_of(Stream stream, int ante, int resample) {
    char buffer[48];
    const int length = write_stream_key(stream, ante, resample, buffer);
    return {buffer, static_cast<std::size_t>(length)};
}

// The generator seed of a stream's use number `use` (from 1), from its key text alone.
double seed_by_key(std::string_view seed, const std::string& key, int use) {
    double value = pseudohash(key + std::string(seed));
    for (int i = 0; i < use; ++i) {
        value = advance_stream(value);
    }
    return (value + pseudohash(seed)) / 2.0;
}

bool same_bits(double left, double right) { return std::memcmp(&left, &right, sizeof left) == 0; }

Streams started(std::string_view seed = kSeed) {
    Streams streams;
    start_streams(streams, seed);
    return streams;
}

}  // namespace

TEST(streams_key_text) {
    CHECK_EQ(key_of(Stream::boss, 7, 0), std::string("boss"));
    CHECK_EQ(key_of(Stream::joker_common_shop, 3, 0), std::string("Joker1sho3"));
    CHECK_EQ(key_of(Stream::rarity_shop, 12, 0), std::string("rarity12sho"));
    CHECK_EQ(key_of(Stream::tarot_arcana, 0, 2), std::string("Tarotar10_resample2"));
    CHECK_EQ(key_of(Stream::joker_legendary, 5, 11), std::string("Joker4_resample11"));
    CHECK_EQ(key_of(Stream::shop_type, -1, 0), std::string("cdt-1"));
    CHECK_EQ(key_of(Stream::standard_edition, 39, 0), std::string("standard_edition39"));
}

TEST(streams_keys_are_distinct_and_short) {
    std::set<std::string> keys;
    for (int id = 0; id < kStreamCount; ++id) {
        const std::string key = key_of(static_cast<Stream>(id), 1, 0);
        CHECK(!key.empty());
        CHECK(keys.insert(key).second);
        CHECK(key_of(static_cast<Stream>(id), -1000, 1000).size() < 48);
    }
}

TEST(streams_by_id_are_streams_by_key) {
    for (const std::string_view seed : {kSeed, std::string_view("A"), std::string_view("3EMYBP31")}) {
        for (const int ante : {1, 2, 0, -1, 12, 39}) {
            Streams streams = started(seed);
            for (int id = 0; id < kStreamCount; ++id) {
                const auto stream = static_cast<Stream>(id);
                for (const int resample : {0, 2, 3, 11}) {
                    const std::string key = key_of(stream, ante, resample);
                    if (resample != 0 && id % 4 != 0) {
                        continue;  // all of them at once would go beyond the table of redraw streams
                    }
                    CHECK(same_bits(draw_seed(streams, stream, ante, resample), seed_by_key(seed, key, 1)));
                    CHECK(same_bits(draw_seed(streams, stream, ante, resample), seed_by_key(seed, key, 2)));
                }
            }
        }
    }
}

TEST(streams_return_to_an_ante_within_two) {
    for (const int lowest : {5, -1, 0}) {
        Streams streams = started();
        for (const int ante : {lowest, lowest + 1, lowest + 2}) {
            draw_seed(streams, Stream::shop_type, ante);
            draw_seed(streams, Stream::shop_type, ante, 2);
        }
        for (const int ante : {lowest + 1, lowest, lowest + 2}) {
            for (const int resample : {0, 2}) {
                const std::string key = key_of(Stream::shop_type, ante, resample);
                CHECK_EQ(draw_seed(streams, Stream::shop_type, ante, resample), seed_by_key(kSeed, key, 2));
            }
        }
    }
}

TEST(streams_forget_antes_that_cannot_return) {
    Streams streams = started();
    draw_seed(streams, Stream::shop_type, 5);
    draw_seed(streams, Stream::shop_type, 5, 2);
    draw_seed(streams, Stream::boss, 5);
    draw_seed(streams, Stream::boss, 5, 2);
    draw_seed(streams, Stream::shop_type, 8);
    CHECK_EQ(draw_seed(streams, Stream::shop_type, 5), seed_by_key(kSeed, "cdt5", 1));
    CHECK_EQ(draw_seed(streams, Stream::shop_type, 5, 2), seed_by_key(kSeed, "cdt5_resample2", 1));
    // Streams of the whole run are kept for good, and their redraws with them.
    CHECK_EQ(draw_seed(streams, Stream::boss, 9), seed_by_key(kSeed, "boss", 2));
    CHECK_EQ(draw_seed(streams, Stream::boss, 9, 2), seed_by_key(kSeed, "boss_resample2", 2));
}

TEST(streams_at_the_limit_of_redraws) {
    constexpr int kKept = kResampleSlots - 8;
    Streams streams = started();
    for (int resample = 2; resample < 2 + kKept + 20; ++resample) {
        const std::string key = key_of(Stream::shop_type, 1, resample);
        CHECK_EQ(draw_seed(streams, Stream::shop_type, 1, resample), seed_by_key(kSeed, key, 1));
    }
    CHECK_EQ(streams.resample_used, kKept);
    // What was there before the limit goes on; what came behind it starts over at every use.
    for (const int resample : {2, 3, 1 + kKept}) {
        const std::string key = key_of(Stream::shop_type, 1, resample);
        CHECK_EQ(draw_seed(streams, Stream::shop_type, 1, resample), seed_by_key(kSeed, key, 2));
    }
    for (const int resample : {2 + kKept, 2 + kKept + 19}) {
        const std::string key = key_of(Stream::shop_type, 1, resample);
        CHECK_EQ(draw_seed(streams, Stream::shop_type, 1, resample), seed_by_key(kSeed, key, 1));
    }
    // A new ante makes room once the old one cannot return.
    draw_seed(streams, Stream::shop_type, 4, 2);
    CHECK_EQ(streams.resample_used, 1);
    CHECK_EQ(draw_seed(streams, Stream::shop_type, 4, 2), seed_by_key(kSeed, "cdt4_resample2", 2));
}

TEST(streams_of_a_seed_too_long_use_its_first_eight_characters) {
    Streams streams = started("7LB2WVPKXYZ");
    CHECK_EQ(draw_seed(streams, Stream::boss, 1), seed_by_key(kSeed, "boss", 1));
}

TEST(streams_start_over_completely) {
    Streams streams = started("A");
    for (int id = 0; id < kStreamCount; ++id) {
        draw_seed(streams, static_cast<Stream>(id), 1);
    }
    start_streams(streams, kSeed);
    const Streams fresh = started();
    CHECK(std::memcmp(&streams, &fresh, sizeof fresh) == 0);
}

TEST(streams_of_a_run_start_with_the_values_of_their_keys) {
    for (const std::string_view seed : {kSeed, std::string_view("A"), std::string_view("3EMYBP31")}) {
        Streams streams;
        const SpareValues spare = start_streams_of_run(streams, seed);
        CHECK(same_bits(spare.voucher, pseudohash("Voucher1_resample3" + std::string(seed))));
        CHECK(same_bits(spare.tag, pseudohash("Tag1_resample3" + std::string(seed))));
        CHECK_EQ(streams.resample_used, 2);
        give_first_value(streams, Stream::tag, 1, 3, spare.tag);
        CHECK_EQ(streams.resample_used, 3);
        for (int id = 0; id < kStreamCount; ++id) {
            for (const int resample : {0, 2, 3}) {
                const auto stream = static_cast<Stream>(id);
                if (resample != 0 && stream != Stream::tag && stream != Stream::voucher) {
                    continue;
                }
                const std::string key = key_of(stream, 1, resample);
                CHECK(same_bits(draw_seed(streams, stream, 1, resample), seed_by_key(seed, key, 1)));
                CHECK(same_bits(draw_seed(streams, stream, 1, resample), seed_by_key(seed, key, 2)));
            }
        }
    }
}

TEST(streams_in_use_take_no_first_value) {
    Streams streams = started();
    draw_seed(streams, Stream::tag, 1, 3);
    give_first_value(streams, Stream::tag, 1, 3, 0.5);
    CHECK_EQ(draw_seed(streams, Stream::tag, 1, 3), seed_by_key(kSeed, "Tag1_resample3", 2));
}

TEST(streams_drawn_from_at_once_give_what_they_give_one_by_one) {
    constexpr Stream kList[] = {Stream::boss, Stream::tag, Stream::tag, Stream::orbital, Stream::boss};
    for (int count = 0; count <= 5; ++count) {
        Streams at_once = started();
        Streams one_by_one = started();
        double reals[kMaxStartDraws];
        draw_several(at_once, kList, count, 2, reals);
        for (int i = 0; i < count; ++i) {
            CHECK_EQ(reals[i], draw(one_by_one, kList[i], 2).real());
        }
        CHECK(std::memcmp(&at_once, &one_by_one, sizeof at_once) == 0);
    }
    // A stream that broke gives its constant, and the others what they always give.
    Streams broken = started();
    broken.run[static_cast<int>(Stream::boss)] = kNotANumber;
    Streams same = broken;
    double reals[kMaxStartDraws];
    draw_several(broken, kList, 2, 2, reals);
    CHECK_EQ(reals[0], draw(same, Stream::boss, 2).real());
    CHECK_EQ(reals[1], draw(same, Stream::tag, 2).real());
    CHECK_EQ(reals[0], LuaRandom(kNotANumber).real());
}
