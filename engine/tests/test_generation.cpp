// Invariants of what shops, packs, pools, bosses, tags and vouchers may give.

#include <bit>
#include <cstring>
#include <set>
#include <string>

#include "core/seed_space.hpp"
#include "rules/generate.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

State generation(std::uint64_t number = 0, DeckId deck = b_red, int stake = 1) {
    char seed[kRandomSeedLength];
    write_seed(number, seed);
    State state;
    start_generation(state, {seed, kRandomSeedLength}, deck, stake);
    return state;
}

void own(State& state, JokerId id, std::uint8_t flags = 0) {
    Joker joker{};
    joker.id = id;
    joker.flags = flags;
    state.jokers[state.joker_count++] = joker;
}

void add_enhanced(State& state, EnhancementId enhancement) {
    Card card{};
    card.rank = kAce;
    card.enhancement = enhancement;
    state.cards[state.card_count++] = card;
}

// How often a key comes in many draws of its pool, none of which stays in existence.
int times_drawn(State& state, Pool pool, Stream stream, int id) {
    int times = 0;
    for (int i = 0; i < 3000; ++i) {
        times += draw_from_pool(state, pool, stream) == id ? 1 : 0;
    }
    return times;
}

int times_joker(State& state, JokerId id) {
    constexpr Stream kStreams[] = {Stream::joker_common_shop, Stream::joker_uncommon_shop,
                                   Stream::joker_rare_shop};
    const Pool pool = kJokerPlaces[id].pool;
    return times_drawn(state, pool, kStreams[static_cast<std::size_t>(pool)], id);
}

std::uint64_t all_of(Pool pool) {
    const int length = kPoolLengths[static_cast<std::size_t>(pool)];
    return length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
}

// Keys of jokers and consumables; false if one is there already.
bool add_key(std::set<int>& keys, const Item& item) {
    return (item.kind != ItemKind::joker && item.kind != ItemKind::consumable) ||
           keys.insert(static_cast<int>(item.kind) * 1000 + item.id).second;
}

bool nothing_exists(const State& state) {
    bool nothing = true;
    for (const std::uint64_t pool : state.existing) {
        nothing = nothing && pool == 0;
    }
    return nothing;
}

}  // namespace

TEST(generation_no_key_twice_on_shelf_and_in_packs) {
    for (const DeckId deck : {b_red, b_zodiac, b_ghost}) {
        for (std::uint64_t number = 0; number < 400; ++number) {
            State state = generation(number, deck);
            state.ante = static_cast<std::int16_t>(1 + number % 8);
            stock_shop(state);
            for (int reroll = 0; reroll < 3; ++reroll) {
                restock_slots(state);
            }
            std::set<int> shelf;
            for (int i = 0; i < state.shop.slot_count; ++i) {
                CHECK(add_key(shelf, state.shop.slots[i]));
            }
            for (const Item& pack : state.shop.packs) {
                open_pack_contents(state, static_cast<PackId>(pack.id));
                std::set<int> seen = shelf;
                for (int i = 0; i < state.pack.count; ++i) {
                    CHECK(add_key(seen, state.pack.cards[i]));
                }
                close_pack(state);
            }
        }
    }
}

TEST(generation_released_keys_come_back) {
    State state = generation();
    std::set<int> first_row;
    bool came_back = false;
    for (int reroll = 0; reroll < 400; ++reroll) {
        reroll == 0 ? stock_shop(state) : restock_slots(state);
        int existing = 0;
        for (const std::uint64_t pool : state.existing) {
            existing += std::popcount(pool);
        }
        CHECK_EQ(existing, state.shop.slot_count);  // the shelf and nothing else
        std::set<int> row;
        for (int i = 0; i < state.shop.slot_count; ++i) {
            add_key(row, state.shop.slots[i]);
            came_back = came_back || (reroll > 0 && first_row.contains(*row.rbegin()));
        }
        first_row = reroll == 0 ? row : first_row;
    }
    CHECK(came_back);
    clear_shop(state);
    CHECK(nothing_exists(state));
    open_pack_contents(state, p_arcana_mega_1);
    CHECK(!nothing_exists(state));
    close_pack(state);
    CHECK(nothing_exists(state));
}

TEST(generation_owned_keys_stay_taken) {
    State state = generation();
    own(state, j_joker);
    mark_joker(state, j_joker);
    release_joker(state, j_joker);  // another copy is gone; this one is still owned
    CHECK_EQ(times_joker(state, j_joker), 0);
    state.joker_count = 0;
    release_joker(state, j_joker);
    CHECK(times_joker(state, j_joker) > 0);
    State magic = generation(0, b_magic);
    CHECK_EQ(times_drawn(magic, Pool::tarot, Stream::tarot_shop, c_fool), 0);
    State ghost = generation(0, b_ghost);
    CHECK_EQ(times_drawn(ghost, Pool::spectral, Stream::spectral_shop, c_hex), 0);
}

TEST(generation_empty_pool_gives_its_fallback) {
    struct Case {
        Pool pool;
        Stream stream;
        int fallback;
    };
    for (const Case& each :
         {Case{Pool::common, Stream::joker_common_shop, j_joker},
          Case{Pool::rare, Stream::joker_rare_shop, j_joker},
          Case{Pool::legendary, Stream::joker_legendary, j_joker},
          Case{Pool::tarot, Stream::tarot_shop, c_strength}, Case{Pool::planet, Stream::planet_shop, c_pluto},
          Case{Pool::spectral, Stream::spectral_shop, c_incantation}}) {
        State state = generation();
        State untouched = generation();
        state.existing[static_cast<std::size_t>(each.pool)] = all_of(each.pool);
        CHECK_EQ(draw_from_pool(state, each.pool, each.stream), each.fallback);
        // The pool's own stream was used once, and no redraw stream at all.
        draw_seed(untouched.streams, each.stream, 1);
        CHECK(std::memcmp(&state.streams, &untouched.streams, sizeof state.streams) == 0);
    }
}

TEST(generation_no_voucher_or_tag_left) {
    State state = generation();
    State untouched = generation();
    state.vouchers = ~std::uint32_t{0};
    CHECK_EQ(draw_voucher(state, Stream::voucher), v_blank);
    state.locked_tags = ~std::uint32_t{0};
    CHECK_EQ(draw_tag(state), tag_handy);
    draw_seed(untouched.streams, Stream::voucher, 1);
    draw_seed(untouched.streams, Stream::tag, 1);
    CHECK(std::memcmp(&state.streams, &untouched.streams, sizeof state.streams) == 0);
}

TEST(generation_showman_lifts_only_the_rule_of_existence) {
    State state = generation();
    own(state, j_ring_master);
    state.existing[static_cast<std::size_t>(Pool::common)] = all_of(Pool::common);
    CHECK(times_joker(state, j_joker) > 0);
    CHECK_EQ(times_joker(state, j_cavendish), 0);  // a gate
    CHECK_EQ(times_joker(state, j_ticket), 0);     // needs a Gold card
    state.locked[static_cast<std::size_t>(Pool::common)] |= std::uint64_t{1} << kJokerPlaces[j_joker].index;
    CHECK_EQ(times_joker(state, j_joker), 0);  // the profile
    CHECK(!consumable_blocked(state, c_soul));
    mark_consumable(state, c_soul);
    CHECK(!consumable_blocked(state, c_soul));

    State debuffed = generation();
    own(debuffed, j_ring_master, joker_perished);
    mark_joker(debuffed, j_joker);
    CHECK_EQ(times_joker(debuffed, j_joker), 0);
    mark_consumable(debuffed, c_soul);
    CHECK(consumable_blocked(debuffed, c_soul));
}

TEST(generation_jokers_that_need_an_enhanced_card) {
    struct Case {
        JokerId joker;
        EnhancementId enhancement;
        EnhancementId other;
    };
    for (const Case& each : {Case{j_steel_joker, m_steel, m_gold}, Case{j_stone, m_stone, m_steel},
                             Case{j_glass, m_glass, m_lucky}, Case{j_lucky_cat, m_lucky, m_glass},
                             Case{j_ticket, m_gold, m_stone}}) {
        State state = generation();
        add_enhanced(state, m_none);
        add_enhanced(state, each.other);
        CHECK_EQ(times_joker(state, each.joker), 0);
        add_enhanced(state, each.enhancement);
        CHECK(times_joker(state, each.joker) > 0);
    }
}

TEST(generation_planets_of_hands_that_were_played) {
    struct Case {
        ConsumableId planet;
        HandType hand;
    };
    for (const Case& each : {Case{c_planet_x, hand_five_of_a_kind}, Case{c_ceres, hand_flush_house},
                             Case{c_eris, hand_flush_five}}) {
        State state = generation();
        state.hands[each.hand].visible = 1;  // seeing the hand is not enough
        CHECK_EQ(times_drawn(state, Pool::planet, Stream::planet_shop, each.planet), 0);
        state.hands[each.hand].played = 1;
        CHECK(times_drawn(state, Pool::planet, Stream::planet_shop, each.planet) > 0);
    }
    State state = generation();
    CHECK(times_drawn(state, Pool::planet, Stream::planet_shop, c_neptune) > 0);
}

TEST(generation_bananas_follow_one_another) {
    State state = generation();
    CHECK(times_joker(state, j_gros_michel) > 0);
    CHECK_EQ(times_joker(state, j_cavendish), 0);
    state.gros_michel_extinct = 1;
    CHECK_EQ(times_joker(state, j_gros_michel), 0);
    CHECK(times_joker(state, j_cavendish) > 0);
}

TEST(generation_hidden_cards_come_from_packs_only) {
    State state = generation();
    CHECK_EQ(times_drawn(state, Pool::spectral, Stream::spectral_spectral, c_soul), 0);
    CHECK_EQ(times_drawn(state, Pool::spectral, Stream::spectral_spectral, c_black_hole), 0);
    int souls = 0;
    int holes = 0;
    for (int i = 0; i < 3000; ++i) {
        open_pack_contents(state, i % 2 == 0 ? p_spectral_mega_1 : p_arcana_mega_1);
        for (int card = 0; card < state.pack.count; ++card) {
            souls += state.pack.cards[card].id == c_soul ? 1 : 0;
            holes += state.pack.cards[card].id == c_black_hole ? 1 : 0;
        }
        close_pack(state);
    }
    CHECK(souls > 10 && holes > 5);
}

TEST(generation_hidden_card_that_exists_is_not_rolled_for) {
    State state = generation();
    State untouched = generation();
    mark_consumable(state, c_soul);
    make_consumable(state, Pool::tarot, Stream::tarot_arcana, true);
    make_consumable(untouched, Pool::tarot, Stream::tarot_arcana, true);
    CHECK(state.streams.ante[1][static_cast<int>(Stream::soul_tarot) - kRunStreams] < 0.0);
    CHECK(untouched.streams.ante[1][static_cast<int>(Stream::soul_tarot) - kRunStreams] >= 0.0);
}

TEST(generation_bosses_do_not_repeat_before_their_time) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        State state = generation(number);
        std::set<int> used;
        for (int ante = 1; ante <= 16; ++ante) {
            state.ante = static_cast<std::int16_t>(ante);
            const BlindId boss = draw_boss(state);
            CHECK(used.insert(boss).second);
            CHECK_EQ(kBlinds[boss].kind == BlindKind::showdown, ante % 8 == 0);
            CHECK(kBlinds[boss].min_ante <= ante);
        }
    }
}

TEST(generation_vouchers_wait_for_what_they_need) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        State state = generation(number);
        for (int ante = 1; ante <= 32; ++ante) {
            state.ante = static_cast<std::int16_t>(ante);
            const VoucherId voucher = draw_voucher(state, Stream::voucher);
            const VoucherId needed = kVouchers[voucher].requires_voucher;
            CHECK(!redeemed(state, voucher));
            CHECK(needed == v_none || redeemed(state, needed));
            state.vouchers |= bit(voucher);
        }
        CHECK_EQ(state.vouchers, ~std::uint32_t{0});
    }
}

TEST(generation_tags_wait_for_their_ante) {
    for (std::uint64_t number = 0; number < 500; ++number) {
        State state = generation(number);
        CHECK_EQ(kTagEntries[draw_tag(state)].min_ante, 1);
        CHECK_EQ(kTagEntries[draw_tag(state)].min_ante, 1);
    }
}

TEST(generation_first_pack_of_the_run) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        State state = generation(number);
        CHECK_EQ(draw_booster(state), p_buffoon_normal_1);
        State later = generation(number);
        later.first_pack_given = 1;
        CHECK_EQ(draw_booster(state), draw_booster(later));  // the gift has used no roll
    }
}

TEST(generation_stickers_belong_to_stakes) {
    for (const int stake : {1, 3, 4, 6, 7, 8}) {
        int seen = 0;
        for (std::uint64_t number = 0; number < 300; ++number) {
            State state = generation(number, b_red, stake);
            for (const JokerSource source : {JokerSource::shop, JokerSource::buffoon_pack}) {
                const Item joker = make_joker(state, source);
                seen |= joker.stickers;
                const bool both =
                    (joker.stickers & sticker_eternal) != 0 && (joker.stickers & sticker_perishable) != 0;
                CHECK(!both);
                CHECK((joker.stickers & sticker_eternal) == 0 || kJokers[joker.id].can_be_eternal);
                CHECK((joker.stickers & sticker_perishable) == 0 || kJokers[joker.id].can_be_perishable);
            }
            CHECK_EQ(make_joker(state, JokerSource::judgement).stickers, 0);
        }
        const int expected = (stake >= 4 ? sticker_eternal : 0) | (stake >= 7 ? sticker_perishable : 0) |
                             (stake >= 8 ? sticker_rental : 0);
        CHECK_EQ(seen, expected);
    }
}
