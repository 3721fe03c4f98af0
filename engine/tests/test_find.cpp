// The seed search: numbering, hashing side by side, gates that let everything through that they must.

#include <cstring>
#include <string>
#include <vector>

#include "core/seed_space.hpp"
#include "core/streams.hpp"
#include "seeds/find.hpp"
#include "seeds/gates.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

std::string seed_of(std::uint64_t number) {
    char seed[kRandomSeedLength];
    write_seed(number, seed);
    return {seed, kRandomSeedLength};
}

Lanes all_lanes() { return lanes_of(lane_bit(kLanes) - 1); }

Search search_for(std::initializer_list<Condition> conditions) {
    Search search;
    for (const Condition& condition : conditions) {
        search.conditions[search.condition_count++] = condition;
    }
    return search;
}

// Seeds that the rules themselves accept, without any gate.
std::vector<std::uint64_t> checked_one_by_one(const SearchPlan& plan, std::uint64_t start,
                                              std::uint64_t count) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t number = start; number < start + count; ++number) {
        if (check_seed(plan, seed_of(number % kSeedSpace))) {
            found.push_back(number % kSeedSpace);
        }
    }
    return found;
}

void check_gates(const Search& search, bool expect_some = true) {
    const SearchPlan plan = plan_search(search);
    constexpr std::uint64_t kStart = 987'654'321;
    constexpr std::uint64_t kCount = 6000;
    std::vector<std::uint64_t> found(kCount);
    const BlockResult result = find_block(plan, kStart, kCount, found.data(), kCount);
    found.resize(static_cast<std::size_t>(result.found));
    CHECK_EQ(result.tried, kCount);
    CHECK(found == checked_one_by_one(plan, kStart, kCount));
    CHECK_EQ(!found.empty(), expect_some);
}

}  // namespace

TEST(seed_numbers_are_one_to_one) {
    std::uint64_t number = 12345;
    for (int i = 0; i < 20'000; ++i) {
        number = (number * 6364136223846793005U + 1442695040888963407U) % kSeedSpace;
        CHECK_EQ(seed_index(seed_of(number)), number);
    }
    CHECK_EQ(seed_index("11111111"), 0);
    for (const std::uint64_t edge :
         {std::uint64_t{0}, kSeedSpace - 1, std::uint64_t{33}, std::uint64_t{34}}) {
        CHECK_EQ(seed_index(seed_of(edge)), edge);
    }
    for (const char* wrong : {"", "1111111", "111111111", "OOOOOOOO", "1111111a", "0AAAAAAA"}) {
        CHECK_EQ(seed_index(wrong), kSeedSpace);
    }
}

TEST(lanes_hash_like_streams) {
    for (const std::uint64_t group :
         {std::uint64_t{0}, std::uint64_t{1}, kSeedSuffixes - 1, std::uint64_t{777'777}}) {
        SeedBatch batch(group);
        const Lanes lanes = all_lanes();
        for (const Stream stream :
             {Stream::boss, Stream::shop_type, Stream::rarity_shop, Stream::standard_edition}) {
            for (const int resample : {0, 2, 12}) {
                LaneValues values;
                batch.open(stream, 12, resample, lanes, values);
                LaneValues first;
                LaneValues second;
                batch.roll(lanes, values, first);
                batch.roll(lanes, values, second);
                for (int lane = 0; lane < kLanes; ++lane) {
                    Streams streams;
                    start_streams(streams, seed_of(group * kLanes + static_cast<std::uint64_t>(lane)));
                    CHECK_EQ(draw(streams, stream, 12, resample).real(), first[lane]);
                    CHECK_EQ(draw(streams, stream, 12, resample).real(), second[lane]);
                }
            }
        }
    }
}

// The Erratic stream of this seed hashes to not-a-number; a batch that holds it
// must roll like the generator does.
TEST(lanes_roll_not_a_number) {
    const std::uint64_t number = seed_index("7LB2WVPK");
    SeedBatch batch(number / kLanes);
    const Lanes lanes = all_lanes();
    LaneValues values;
    LaneValues rolls;
    batch.open(Stream::erratic, 1, 0, lanes, values);
    batch.roll(lanes, values, rolls);
    CHECK_EQ(rolls[number % kLanes], 0.99249255698284466);
}

TEST(lane_sets) {
    CHECK_EQ(all_lanes().count, kLanes);
    for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{0b1011}, lane_bit(33) | 1U}) {
        CHECK_EQ(mask_of(lanes_of(mask)), mask);
    }
}

TEST(gates_keep_every_shop_card) {
    for (const std::uint8_t joker : {j_joker, j_blueprint, j_hack, j_gros_michel, j_bootstraps}) {
        check_gates(search_for({{.place = Place::shop, .id = joker, .max_ante = 2}}));
        Search queue = search_for({{.place = Place::shop, .id = joker, .max_ante = 2, .first_items = 9}});
        queue.view = SearchView::queue;
        check_gates(queue);
    }
    for (const std::uint8_t card : {c_fool, c_world, c_mercury, c_pluto}) {
        Search rerolled = search_for({{.wanted = Wanted::consumable, .place = Place::shop, .id = card}});
        rerolled.rerolls = 2;
        rerolled.deck = b_zodiac;
        check_gates(rerolled);
    }
    for (const std::uint8_t edition : {e_foil, e_holo, e_polychrome, e_negative}) {
        check_gates(search_for({{.place = Place::shop, .edition = edition, .max_ante = 2}}));
    }
    Search many = search_for({{.place = Place::shop, .id = j_blueprint, .edition = e_foil}});
    many.rerolls = kMaxSearchRerolls;  // more cards than a gate follows
    many.stake = 8;
    check_gates(many);
}

TEST(gates_keep_every_pack_card) {
    check_gates(search_for({{.place = Place::pack, .id = j_blueprint, .max_ante = 2}}));
    check_gates(search_for({{.place = Place::pack, .edition = e_negative, .max_ante = 2}}));
    for (const std::uint8_t card : {c_soul, c_black_hole, c_death, c_pluto, c_hex}) {
        check_gates(search_for({{.wanted = Wanted::consumable, .id = card, .max_ante = 3}}));
    }
    check_gates(search_for({{.id = j_perkeo, .max_ante = 3}}));
    check_gates(search_for({{.wanted = Wanted::playing_card, .rank = kKing, .enhancement = m_steel}}));
    check_gates(search_for({{.wanted = Wanted::pack, .packs = bit(p_spectral_mega_1), .max_ante = 2}}));
}

TEST(gates_keep_every_single_draw) {
    for (const std::uint8_t boss : {bl_hook, bl_window}) {
        check_gates(search_for({{.wanted = Wanted::boss, .id = boss}}));
        check_gates(search_for({{.wanted = Wanted::boss, .id = boss, .min_ante = 2, .max_ante = 3}}));
    }
    for (const std::uint8_t tag : {tag_uncommon, tag_economy}) {
        check_gates(search_for({{.wanted = Wanted::tag, .id = tag, .max_ante = 2}}));
    }
    for (const std::uint8_t voucher : {v_overstock_norm, v_paint_brush}) {
        check_gates(search_for({{.wanted = Wanted::voucher, .id = voucher, .max_ante = 2}}));
    }
    check_gates(search_for({{.wanted = Wanted::voucher, .id = v_overstock_plus, .max_ante = 8}}), false);
}

TEST(conditions_are_met_where_they_say) {
    const SearchPlan plan = plan_search(
        search_for({{.id = j_blueprint, .max_ante = 8}, {.wanted = Wanted::boss, .id = bl_hook}}));
    std::uint64_t found[20];
    const BlockResult result = find_block(plan, 0, 100'000, found, 20);
    CHECK_EQ(result.found, 20);
    for (const std::uint64_t number : found) {
        Match matches[kMaxConditions] = {};
        CHECK(check_seed(plan, seed_of(number), matches));
        CHECK_EQ(matches[0].item.id, j_blueprint);
        CHECK(matches[0].where == FoundIn::shop || matches[0].where == FoundIn::pack);
        CHECK(matches[0].ante >= 1 && matches[0].ante <= 8 && matches[0].card >= 1);
        CHECK_EQ(matches[1].where, FoundIn::boss);
        CHECK_EQ(matches[1].id, bl_hook);
    }
}
