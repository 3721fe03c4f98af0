// A joker that must not compile, for the tests of the build's own checks: JIMBOT_TEST_RARITY and
// JIMBOT_TEST_KEY say what is wrong with it.
#pragma once

#include <array>

#include "catalog/joker_effects.hpp"

namespace jimbot {

inline constexpr std::array<JokerEntry, 1> kExtraJokers = {
    {{.key = JIMBOT_TEST_KEY, .name = "Refused", .rarity = Rarity::JIMBOT_TEST_RARITY, .cost = 5}}};

}  // namespace jimbot
