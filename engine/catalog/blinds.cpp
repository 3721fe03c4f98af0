// The blinds.
#include "catalog/catalog.hpp"

namespace jimbot {

constinit const std::array<BlindEntry, bl_end> kBlinds = {{
    {.key = "", .name = ""},
    {.key = "bl_small", .name = "Small Blind", .kind = BlindKind::small, .score_multiplier = 1, .reward = 3},
    {.key = "bl_big", .name = "Big Blind", .kind = BlindKind::big, .score_multiplier = 1.5, .reward = 4},
    {.key = "bl_hook", .name = "The Hook", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_ox", .name = "The Ox", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 6},
    {.key = "bl_house", .name = "The House", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_wall", .name = "The Wall", .kind = BlindKind::boss, .score_multiplier = 4, .reward = 5, .min_ante = 2},
    {.key = "bl_wheel", .name = "The Wheel", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_arm", .name = "The Arm", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_club", .name = "The Club", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_fish", .name = "The Fish", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_psychic", .name = "The Psychic", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_goad", .name = "The Goad", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_water", .name = "The Water", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_window", .name = "The Window", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_manacle", .name = "The Manacle", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_eye", .name = "The Eye", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 3},
    {.key = "bl_mouth", .name = "The Mouth", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_plant", .name = "The Plant", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 4},
    {.key = "bl_serpent", .name = "The Serpent", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 5},
    {.key = "bl_pillar", .name = "The Pillar", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_needle", .name = "The Needle", .kind = BlindKind::boss, .score_multiplier = 1, .reward = 5, .min_ante = 2},
    {.key = "bl_head", .name = "The Head", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 1},
    {.key = "bl_tooth", .name = "The Tooth", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 3},
    {.key = "bl_flint", .name = "The Flint", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_mark", .name = "The Mark", .kind = BlindKind::boss, .score_multiplier = 2, .reward = 5, .min_ante = 2},
    {.key = "bl_final_acorn", .name = "Amber Acorn", .kind = BlindKind::showdown, .score_multiplier = 2, .reward = 8, .min_ante = 8},
    {.key = "bl_final_leaf", .name = "Verdant Leaf", .kind = BlindKind::showdown, .score_multiplier = 2, .reward = 8, .min_ante = 8},
    {.key = "bl_final_vessel", .name = "Violet Vessel", .kind = BlindKind::showdown, .score_multiplier = 6, .reward = 8, .min_ante = 8},
    {.key = "bl_final_heart", .name = "Crimson Heart", .kind = BlindKind::showdown, .score_multiplier = 2, .reward = 8, .min_ante = 8},
    {.key = "bl_final_bell", .name = "Cerulean Bell", .kind = BlindKind::showdown, .score_multiplier = 2, .reward = 8, .min_ante = 8},
}};

}  // namespace jimbot
