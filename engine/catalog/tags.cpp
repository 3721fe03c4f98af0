// The tags: numbers and effects side by side.
#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "rules/cards.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

bool create_uncommon(State& state, Item& item) {
    item = make_joker(state, JokerSource::uncommon_tag);
    return true;
}

bool create_rare(State& state, Item& item) {
    std::uint64_t owned = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        const PoolPlace place = kJokerPlaces[state.jokers[i].id];
        owned |= place.pool == Pool::rare ? std::uint64_t{1} << place.index : 0;
    }
    if (std::popcount(owned) == kPoolLengths[static_cast<std::size_t>(Pool::rare)]) {
        return false;  // every rare joker is owned
    }
    item = make_joker(state, JokerSource::rare_tag);
    return true;
}

void create_two_commons(State& state, Tag) {
    for (int i = 0; i < 2 && joker_room(state); ++i) {
        create_joker(state, JokerSource::top_up_tag);
    }
}

void replace_boss(State& state, Tag) {
    state.boss = draw_boss(state);
    count_up(state.boss_rerolls);
}

// Vouchers are not free.
void make_shop_free(State& state, Tag) {
    for (int i = 0; i < state.shop.slot_count; ++i) {
        state.shop.slots[i].free = 1;
    }
    for (Item& pack : state.shop.packs) {
        pack.free = 1;
    }
}

}  // namespace

constexpr std::array<TagEntry, tag_end> kTagEntries = {{
    {.key = "", .name = ""},
    {.key = "tag_uncommon", .name = "Uncommon Tag", .min_ante = 1, .timing = TagTiming::store_joker_create, .create_joker = create_uncommon, .worth = 0.5},
    {.key = "tag_rare", .name = "Rare Tag", .min_ante = 1, .timing = TagTiming::store_joker_create, .discovered_at_start = false, .create_joker = create_rare, .worth = 0.7},
    {.key = "tag_negative", .name = "Negative Tag", .min_ante = 2, .timing = TagTiming::store_joker_modify, .discovered_at_start = false, .edition = e_negative, .worth = 1.2},
    {.key = "tag_foil", .name = "Foil Tag", .min_ante = 1, .timing = TagTiming::store_joker_modify, .discovered_at_start = false, .edition = e_foil, .worth = 0.4},
    {.key = "tag_holo", .name = "Holographic Tag", .min_ante = 1, .timing = TagTiming::store_joker_modify, .discovered_at_start = false, .edition = e_holo, .worth = 0.5},
    {.key = "tag_polychrome",
     .name = "Polychrome Tag",
     .min_ante = 1,
     .timing = TagTiming::store_joker_modify,
     .discovered_at_start = false,
     .edition = e_polychrome,
     .worth = 0.8},
    {.key = "tag_investment", .name = "Investment Tag", .min_ante = 1, .timing = TagTiming::eval, .dollars = 25, .worth = 0.6},
    {.key = "tag_voucher",
     .name = "Voucher Tag",
     .min_ante = 1,
     .timing = TagTiming::voucher_add,
     .apply = [](State& state, Tag) { shelve_voucher(state, draw_voucher(state, Stream::voucher_from_tag)); },
     .worth = 0.5},
    {.key = "tag_boss", .name = "Boss Tag", .min_ante = 1, .timing = TagTiming::new_blind_choice, .apply = replace_boss, .worth = 0.2},
    {.key = "tag_standard", .name = "Standard Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_standard_mega_1, .worth = 0.2},
    {.key = "tag_charm", .name = "Charm Tag", .min_ante = 1, .timing = TagTiming::new_blind_choice, .pack = p_arcana_mega_1, .worth = 0.5},
    {.key = "tag_meteor", .name = "Meteor Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_celestial_mega_1, .worth = 0.5},
    {.key = "tag_buffoon", .name = "Buffoon Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_buffoon_mega_1, .worth = 0.7},
    {.key = "tag_handy", .name = "Handy Tag", .min_ante = 2, .timing = TagTiming::immediate, .apply = [](State& state, Tag) { earn(state, state.hands_played); }, .worth = 0.3},
    {.key = "tag_garbage",
     .name = "Garbage Tag",
     .min_ante = 2,
     .timing = TagTiming::immediate,
     .apply = [](State& state, Tag) { earn(state, state.unused_discards); },
     .worth = 0.3},
    {.key = "tag_ethereal", .name = "Ethereal Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_spectral_normal_1, .worth = 0.4},
    {.key = "tag_coupon", .name = "Coupon Tag", .min_ante = 1, .timing = TagTiming::shop_final_pass, .apply = make_shop_free, .worth = 0.5},
    {.key = "tag_double", .name = "Double Tag", .min_ante = 1, .timing = TagTiming::tag_add, .worth = 0.3},
    {.key = "tag_juggle",
     .name = "Juggle Tag",
     .min_ante = 1,
     .timing = TagTiming::round_start_bonus,
     .apply = [](State& state, Tag) { state.round.hand_size_bonus = bounded_count(state.round.hand_size_bonus + 3); },
     .worth = 0.2},
    {.key = "tag_d_six", .name = "D6 Tag", .min_ante = 1, .timing = TagTiming::shop_start, .apply = [](State& state, Tag) { state.cheap_rerolls = 1; }, .worth = 0.3},
    {.key = "tag_top_up", .name = "Top-up Tag", .min_ante = 2, .timing = TagTiming::immediate, .apply = create_two_commons, .worth = 0.5},
    {.key = "tag_skip", .name = "Speed Tag", .min_ante = 1, .timing = TagTiming::immediate, .apply = [](State& state, Tag) { earn(state, 5 * state.skips); }, .worth = 0.3},
    {.key = "tag_orbital",
     .name = "Orbital Tag",
     .min_ante = 2,
     .timing = TagTiming::immediate,
     .has_hand = true,
     .apply = [](State& state, Tag tag) { level_up(state, static_cast<HandType>(tag.hand), 3); },
     .worth = 0.5},
    {.key = "tag_economy",
     .name = "Economy Tag",
     .min_ante = 1,
     .timing = TagTiming::immediate,
     .apply = [](State& state, Tag) { earn(state, std::clamp(state.money, 0, 40)); },
     .worth = 0.4},
}};
static_assert(keys_match(kTagEntries, kTagKeys), "the tags stand in the order of core/ids.hpp");

}  // namespace jimbot
