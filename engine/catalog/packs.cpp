// The booster packs.
#include "catalog/catalog.hpp"

namespace jimbot {

constexpr std::array<PackEntry, p_end> kPacks = {{
    {.key = "", .name = ""},
    {.key = "p_arcana_normal_1", .name = "Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_arcana_normal_2", .name = "Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_arcana_normal_3", .name = "Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_arcana_normal_4", .name = "Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_arcana_jumbo_1", .name = "Jumbo Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_arcana_jumbo_2", .name = "Jumbo Arcana Pack", .kind = PackKind::arcana, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_arcana_mega_1", .name = "Mega Arcana Pack", .kind = PackKind::arcana, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_arcana_mega_2", .name = "Mega Arcana Pack", .kind = PackKind::arcana, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_celestial_normal_1", .name = "Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_celestial_normal_2", .name = "Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_celestial_normal_3", .name = "Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_celestial_normal_4", .name = "Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_celestial_jumbo_1", .name = "Jumbo Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_celestial_jumbo_2", .name = "Jumbo Celestial Pack", .kind = PackKind::celestial, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_celestial_mega_1", .name = "Mega Celestial Pack", .kind = PackKind::celestial, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_celestial_mega_2", .name = "Mega Celestial Pack", .kind = PackKind::celestial, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_standard_normal_1", .name = "Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_standard_normal_2", .name = "Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_standard_normal_3", .name = "Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_standard_normal_4", .name = "Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 3, .choose = 1, .cost = 4},
    {.key = "p_standard_jumbo_1", .name = "Jumbo Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_standard_jumbo_2", .name = "Jumbo Standard Pack", .kind = PackKind::standard, .weight = 1, .cards = 5, .choose = 1, .cost = 6},
    {.key = "p_standard_mega_1", .name = "Mega Standard Pack", .kind = PackKind::standard, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_standard_mega_2", .name = "Mega Standard Pack", .kind = PackKind::standard, .weight = 0.25, .cards = 5, .choose = 2, .cost = 8},
    {.key = "p_buffoon_normal_1", .name = "Buffoon Pack", .kind = PackKind::buffoon, .weight = 0.6, .cards = 2, .choose = 1, .cost = 4},
    {.key = "p_buffoon_normal_2", .name = "Buffoon Pack", .kind = PackKind::buffoon, .weight = 0.6, .cards = 2, .choose = 1, .cost = 4},
    {.key = "p_buffoon_jumbo_1", .name = "Jumbo Buffoon Pack", .kind = PackKind::buffoon, .weight = 0.6, .cards = 4, .choose = 1, .cost = 6},
    {.key = "p_buffoon_mega_1", .name = "Mega Buffoon Pack", .kind = PackKind::buffoon, .weight = 0.15, .cards = 4, .choose = 2, .cost = 8},
    {.key = "p_spectral_normal_1", .name = "Spectral Pack", .kind = PackKind::spectral, .weight = 0.3, .cards = 2, .choose = 1, .cost = 4},
    {.key = "p_spectral_normal_2", .name = "Spectral Pack", .kind = PackKind::spectral, .weight = 0.3, .cards = 2, .choose = 1, .cost = 4},
    {.key = "p_spectral_jumbo_1", .name = "Jumbo Spectral Pack", .kind = PackKind::spectral, .weight = 0.3, .cards = 4, .choose = 1, .cost = 6},
    {.key = "p_spectral_mega_1", .name = "Mega Spectral Pack", .kind = PackKind::spectral, .weight = 0.07, .cards = 4, .choose = 2, .cost = 8},
}};
static_assert(keys_match(kPacks, kPackKeys), "the packs stand in the order of core/ids.hpp");

}  // namespace jimbot
