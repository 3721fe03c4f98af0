// The vouchers.
#include "catalog/catalog.hpp"

namespace jimbot {

constinit const std::array<VoucherEntry, v_end> kVouchers = {{
    {.key = "", .name = ""},
    {.key = "v_overstock_norm", .name = "Overstock"},
    {.key = "v_overstock_plus", .name = "Overstock Plus", .requires_voucher = v_overstock_norm, .unlocked_at_start = false},
    {.key = "v_clearance_sale", .name = "Clearance Sale"},
    {.key = "v_liquidation", .name = "Liquidation", .requires_voucher = v_clearance_sale, .unlocked_at_start = false},
    {.key = "v_hone", .name = "Hone"},
    {.key = "v_glow_up", .name = "Glow Up", .requires_voucher = v_hone, .unlocked_at_start = false},
    {.key = "v_reroll_surplus", .name = "Reroll Surplus"},
    {.key = "v_reroll_glut", .name = "Reroll Glut", .requires_voucher = v_reroll_surplus, .unlocked_at_start = false},
    {.key = "v_crystal_ball", .name = "Crystal Ball"},
    {.key = "v_omen_globe", .name = "Omen Globe", .requires_voucher = v_crystal_ball, .unlocked_at_start = false},
    {.key = "v_telescope", .name = "Telescope"},
    {.key = "v_observatory", .name = "Observatory", .requires_voucher = v_telescope, .unlocked_at_start = false},
    {.key = "v_grabber", .name = "Grabber"},
    {.key = "v_nacho_tong", .name = "Nacho Tong", .requires_voucher = v_grabber, .unlocked_at_start = false},
    {.key = "v_wasteful", .name = "Wasteful"},
    {.key = "v_recyclomancy", .name = "Recyclomancy", .requires_voucher = v_wasteful, .unlocked_at_start = false},
    {.key = "v_tarot_merchant", .name = "Tarot Merchant"},
    {.key = "v_tarot_tycoon", .name = "Tarot Tycoon", .requires_voucher = v_tarot_merchant, .unlocked_at_start = false},
    {.key = "v_planet_merchant", .name = "Planet Merchant"},
    {.key = "v_planet_tycoon", .name = "Planet Tycoon", .requires_voucher = v_planet_merchant, .unlocked_at_start = false},
    {.key = "v_seed_money", .name = "Seed Money"},
    {.key = "v_money_tree", .name = "Money Tree", .requires_voucher = v_seed_money, .unlocked_at_start = false},
    {.key = "v_blank", .name = "Blank"},
    {.key = "v_antimatter", .name = "Antimatter", .requires_voucher = v_blank, .unlocked_at_start = false},
    {.key = "v_magic_trick", .name = "Magic Trick"},
    {.key = "v_illusion", .name = "Illusion", .requires_voucher = v_magic_trick, .unlocked_at_start = false},
    {.key = "v_hieroglyph", .name = "Hieroglyph"},
    {.key = "v_petroglyph", .name = "Petroglyph", .requires_voucher = v_hieroglyph, .unlocked_at_start = false},
    {.key = "v_directors_cut", .name = "Director's Cut"},
    {.key = "v_retcon", .name = "Retcon", .requires_voucher = v_directors_cut, .unlocked_at_start = false},
    {.key = "v_paint_brush", .name = "Paint Brush"},
    {.key = "v_palette", .name = "Palette", .requires_voucher = v_paint_brush, .unlocked_at_start = false},
}};

}  // namespace jimbot
