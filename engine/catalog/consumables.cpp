// The consumables as one table: tarots, planets and spectral cards.
#include <algorithm>

#include "catalog/spectral_cards.hpp"
#include "catalog/tarots.hpp"

namespace jimbot {

namespace {

// Planets have numbers only: their hand is raised.
constexpr std::array<ConsumableEntry, kPlanets> kPlanetEntries = {{
    {.key = "c_mercury", .name = "Mercury", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_pair},
    {.key = "c_venus", .name = "Venus", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_three_of_a_kind},
    {.key = "c_earth", .name = "Earth", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_full_house},
    {.key = "c_mars", .name = "Mars", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_four_of_a_kind},
    {.key = "c_jupiter", .name = "Jupiter", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush},
    {.key = "c_saturn", .name = "Saturn", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_straight},
    {.key = "c_uranus", .name = "Uranus", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_two_pair},
    {.key = "c_neptune", .name = "Neptune", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_straight_flush},
    {.key = "c_pluto", .name = "Pluto", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_high_card},
    {.key = "c_planet_x", .name = "Planet X", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_five_of_a_kind},
    {.key = "c_ceres", .name = "Ceres", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush_house},
    {.key = "c_eris", .name = "Eris", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush_five},
}};

constexpr std::array<ConsumableEntry, c_end> join_consumables() {
    std::array<ConsumableEntry, c_end> table{};
    auto* to = std::copy(kTarotEntries.begin(), kTarotEntries.end(), table.begin() + 1);
    to = std::copy(kPlanetEntries.begin(), kPlanetEntries.end(), to);
    std::copy(kSpectralEntries.begin(), kSpectralEntries.end(), to);
    return table;
}

}  // namespace

constexpr std::array<ConsumableEntry, c_end> kConsumables = join_consumables();
static_assert(keys_match(kConsumables, kConsumableKeys), "the consumables stand in the order of core/ids.hpp");

}  // namespace jimbot
