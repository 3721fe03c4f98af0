// The tags.
#include "catalog/catalog.hpp"

namespace jimbot {

constinit const std::array<TagEntry, tag_end> kTagEntries = {{
    {.key = "", .name = ""},
    {.key = "tag_uncommon", .name = "Uncommon Tag", .min_ante = 1, .timing = TagTiming::store_joker_create},
    {.key = "tag_rare", .name = "Rare Tag", .min_ante = 1, .timing = TagTiming::store_joker_create, .discovered_at_start = false},
    {.key = "tag_negative", .name = "Negative Tag", .min_ante = 2, .timing = TagTiming::store_joker_modify, .discovered_at_start = false},
    {.key = "tag_foil", .name = "Foil Tag", .min_ante = 1, .timing = TagTiming::store_joker_modify, .discovered_at_start = false},
    {.key = "tag_holo", .name = "Holographic Tag", .min_ante = 1, .timing = TagTiming::store_joker_modify, .discovered_at_start = false},
    {.key = "tag_polychrome", .name = "Polychrome Tag", .min_ante = 1, .timing = TagTiming::store_joker_modify, .discovered_at_start = false},
    {.key = "tag_investment", .name = "Investment Tag", .min_ante = 1, .timing = TagTiming::eval},
    {.key = "tag_voucher", .name = "Voucher Tag", .min_ante = 1, .timing = TagTiming::voucher_add},
    {.key = "tag_boss", .name = "Boss Tag", .min_ante = 1, .timing = TagTiming::new_blind_choice},
    {.key = "tag_standard", .name = "Standard Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_standard_mega_1},
    {.key = "tag_charm", .name = "Charm Tag", .min_ante = 1, .timing = TagTiming::new_blind_choice, .pack = p_arcana_mega_1},
    {.key = "tag_meteor", .name = "Meteor Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_celestial_mega_1},
    {.key = "tag_buffoon", .name = "Buffoon Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_buffoon_mega_1},
    {.key = "tag_handy", .name = "Handy Tag", .min_ante = 2, .timing = TagTiming::immediate},
    {.key = "tag_garbage", .name = "Garbage Tag", .min_ante = 2, .timing = TagTiming::immediate},
    {.key = "tag_ethereal", .name = "Ethereal Tag", .min_ante = 2, .timing = TagTiming::new_blind_choice, .pack = p_spectral_normal_1},
    {.key = "tag_coupon", .name = "Coupon Tag", .min_ante = 1, .timing = TagTiming::shop_final_pass},
    {.key = "tag_double", .name = "Double Tag", .min_ante = 1, .timing = TagTiming::tag_add},
    {.key = "tag_juggle", .name = "Juggle Tag", .min_ante = 1, .timing = TagTiming::round_start_bonus},
    {.key = "tag_d_six", .name = "D6 Tag", .min_ante = 1, .timing = TagTiming::shop_start},
    {.key = "tag_top_up", .name = "Top-up Tag", .min_ante = 2, .timing = TagTiming::immediate},
    {.key = "tag_skip", .name = "Speed Tag", .min_ante = 1, .timing = TagTiming::immediate},
    {.key = "tag_orbital", .name = "Orbital Tag", .min_ante = 2, .timing = TagTiming::immediate},
    {.key = "tag_economy", .name = "Economy Tag", .min_ante = 1, .timing = TagTiming::immediate},
}};

}  // namespace jimbot
