// Poker hands, enhancements, editions and seals.
#include "catalog/catalog.hpp"

namespace jimbot {

constinit const std::array<PokerHandEntry, hand_types> kPokerHands = {{
    {.name = "Flush Five", .chips = 160, .mult = 16, .level_chips = 50, .level_mult = 3, .visible_at_start = false, .planet = c_eris},
    {.name = "Flush House", .chips = 140, .mult = 14, .level_chips = 40, .level_mult = 4, .visible_at_start = false, .planet = c_ceres},
    {.name = "Five of a Kind", .chips = 120, .mult = 12, .level_chips = 35, .level_mult = 3, .visible_at_start = false, .planet = c_planet_x},
    {.name = "Straight Flush", .chips = 100, .mult = 8, .level_chips = 40, .level_mult = 4, .visible_at_start = true, .planet = c_neptune},
    {.name = "Four of a Kind", .chips = 60, .mult = 7, .level_chips = 30, .level_mult = 3, .visible_at_start = true, .planet = c_mars},
    {.name = "Full House", .chips = 40, .mult = 4, .level_chips = 25, .level_mult = 2, .visible_at_start = true, .planet = c_earth},
    {.name = "Flush", .chips = 35, .mult = 4, .level_chips = 15, .level_mult = 2, .visible_at_start = true, .planet = c_jupiter},
    {.name = "Straight", .chips = 30, .mult = 4, .level_chips = 30, .level_mult = 3, .visible_at_start = true, .planet = c_saturn},
    {.name = "Three of a Kind", .chips = 30, .mult = 3, .level_chips = 20, .level_mult = 2, .visible_at_start = true, .planet = c_venus},
    {.name = "Two Pair", .chips = 20, .mult = 2, .level_chips = 20, .level_mult = 1, .visible_at_start = true, .planet = c_uranus},
    {.name = "Pair", .chips = 10, .mult = 2, .level_chips = 15, .level_mult = 1, .visible_at_start = true, .planet = c_mercury},
    {.name = "High Card", .chips = 5, .mult = 1, .level_chips = 10, .level_mult = 1, .visible_at_start = true, .planet = c_pluto},
}};

constinit const std::array<std::string_view, m_end> kEnhancementKeys = {"", "m_bonus", "m_mult", "m_wild", "m_glass", "m_steel", "m_stone", "m_gold", "m_lucky"};
constinit const std::array<std::string_view, e_end> kEditionNames = {"", "foil", "holo", "polychrome", "negative"};
constinit const std::array<std::string_view, s_end> kSealNames = {"", "Gold", "Red", "Blue", "Purple"};

}  // namespace jimbot
