// The vouchers. They are numbers only: rules/vouchers.hpp adds up those of the redeemed ones.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/ids.hpp"

namespace jimbot {

inline constexpr std::uint8_t kAnyNumber = 255;

// What a voucher changes once it is redeemed. Where several say "at most" or "instead", the largest counts.
struct VoucherEntry {
    std::string_view key;
    std::string_view name;
    VoucherId requires_voucher = v_none;
    bool unlocked_at_start = true;
    std::int8_t hand_size = 0;
    std::int8_t hands = 0;
    std::int8_t discards = 0;
    std::int8_t joker_slots = 0;
    std::int8_t consumable_slots = 0;
    std::int8_t shop_slots = 0;
    std::int8_t ante = 0;              // at once
    std::uint8_t reroll_discount = 0;  // dollars
    std::uint8_t discount = 0;         // percent of every price, at most
    std::uint8_t interest_cap = 0;     // dollars that earn interest, instead of 25
    std::uint8_t boss_rerolls = 0;     // per ante, at most
    double edition_rate = 0;           // factor of the chance of editions, instead of 1
    double tarot_rate = 0;             // weight of tarots in shops, instead of 4
    double planet_rate = 0;            // likewise of planets
    double card_rate = 0;              // weight of playing cards in shops
    double held_planet_factor = 0;     // Xmult of a held planet whose hand is played
    bool spectrals_in_arcana = false;  // Arcana packs may hold spectral cards
    bool finds_best_planet = false;    // Celestial packs hold the planet of the most played hand
    bool decorates_cards = false;      // playing cards in shops may be enhanced and have editions
    double worth = 0;                  // to the scripted player: the default of its weight
};

inline constexpr std::array<VoucherEntry, v_end> kVouchers = {{
    {.key = "", .name = ""},
    {.key = "v_overstock_norm", .name = "Overstock", .shop_slots = 1, .worth = 0.4},
    {.key = "v_overstock_plus", .name = "Overstock Plus", .requires_voucher = v_overstock_norm, .unlocked_at_start = false, .shop_slots = 1, .worth = 0.35},
    {.key = "v_clearance_sale", .name = "Clearance Sale", .discount = 25, .worth = 0.45},
    {.key = "v_liquidation", .name = "Liquidation", .requires_voucher = v_clearance_sale, .unlocked_at_start = false, .discount = 50, .worth = 0.45},
    {.key = "v_hone", .name = "Hone", .edition_rate = 2, .worth = 0.2},
    {.key = "v_glow_up", .name = "Glow Up", .requires_voucher = v_hone, .unlocked_at_start = false, .edition_rate = 4, .worth = 0.2},
    {.key = "v_reroll_surplus", .name = "Reroll Surplus", .reroll_discount = 2, .worth = 0.3},
    {.key = "v_reroll_glut", .name = "Reroll Glut", .requires_voucher = v_reroll_surplus, .unlocked_at_start = false, .reroll_discount = 2, .worth = 0.3},
    {.key = "v_crystal_ball", .name = "Crystal Ball", .consumable_slots = 1, .worth = 0.15},
    {.key = "v_omen_globe", .name = "Omen Globe", .requires_voucher = v_crystal_ball, .unlocked_at_start = false, .spectrals_in_arcana = true, .worth = 0.1},
    {.key = "v_telescope", .name = "Telescope", .finds_best_planet = true, .worth = 0.25},
    {.key = "v_observatory", .name = "Observatory", .requires_voucher = v_telescope, .unlocked_at_start = false, .held_planet_factor = 1.5, .worth = 0.2},
    {.key = "v_grabber", .name = "Grabber", .hands = 1, .worth = 0.5},
    {.key = "v_nacho_tong", .name = "Nacho Tong", .requires_voucher = v_grabber, .unlocked_at_start = false, .hands = 1, .worth = 0.5},
    {.key = "v_wasteful", .name = "Wasteful", .discards = 1, .worth = 0.35},
    {.key = "v_recyclomancy", .name = "Recyclomancy", .requires_voucher = v_wasteful, .unlocked_at_start = false, .discards = 1, .worth = 0.35},
    {.key = "v_tarot_merchant", .name = "Tarot Merchant", .tarot_rate = 9.6, .worth = 0.15},
    {.key = "v_tarot_tycoon", .name = "Tarot Tycoon", .requires_voucher = v_tarot_merchant, .unlocked_at_start = false, .tarot_rate = 32, .worth = 0.1},
    {.key = "v_planet_merchant", .name = "Planet Merchant", .planet_rate = 9.6, .worth = 0.2},
    {.key = "v_planet_tycoon", .name = "Planet Tycoon", .requires_voucher = v_planet_merchant, .unlocked_at_start = false, .planet_rate = 32, .worth = 0.15},
    {.key = "v_seed_money", .name = "Seed Money", .interest_cap = 50, .worth = 0.3},
    {.key = "v_money_tree", .name = "Money Tree", .requires_voucher = v_seed_money, .unlocked_at_start = false, .interest_cap = 100, .worth = 0.25},
    {.key = "v_blank", .name = "Blank", .worth = 0.1},
    {.key = "v_antimatter", .name = "Antimatter", .requires_voucher = v_blank, .unlocked_at_start = false, .joker_slots = 1, .worth = 1.0},
    {.key = "v_magic_trick", .name = "Magic Trick", .card_rate = 4, .worth = 0.05},
    {.key = "v_illusion", .name = "Illusion", .requires_voucher = v_magic_trick, .unlocked_at_start = false, .decorates_cards = true, .worth = 0.03},
    {.key = "v_hieroglyph", .name = "Hieroglyph", .hands = -1, .ante = -1, .worth = 0.5},
    {.key = "v_petroglyph", .name = "Petroglyph", .requires_voucher = v_hieroglyph, .unlocked_at_start = false, .discards = -1, .ante = -1, .worth = 0.5},
    {.key = "v_directors_cut", .name = "Director's Cut", .boss_rerolls = 1, .worth = 0.15},
    {.key = "v_retcon", .name = "Retcon", .requires_voucher = v_directors_cut, .unlocked_at_start = false, .boss_rerolls = kAnyNumber, .worth = 0.1},
    {.key = "v_paint_brush", .name = "Paint Brush", .hand_size = 1, .worth = 0.45},
    {.key = "v_palette", .name = "Palette", .requires_voucher = v_paint_brush, .unlocked_at_start = false, .hand_size = 1, .worth = 0.45},
}};
static_assert(keys_match(kVouchers, kVoucherKeys), "the vouchers stand in the order of core/ids.hpp");

}  // namespace jimbot
