// Jokers that are not in the game, for content_tests.cpp: their table entries. Nothing in core/, catalog/,
// rules/ or view/ names them.
#pragma once

#include <array>

#include "catalog/joker_effects.hpp"

namespace jimbot {

inline constexpr std::array<JokerEntry, 3> kExtraJokers = {{
    // +3 Mult per scoring Heart, and Chips that grow by 10 with every hand played.
    {.key = "j_test_tally",
     .name = "Tally",
     .rarity = Rarity::common,
     .cost = 6,
     .start_value = 10,
     .hooks =
         {
             .before = [](Scoring&, Turn& t) { t.joker.value += t.copy ? 0 : 10; },
             .played = mult_for_suit<suit_hearts, 3>,
             .main = add_stored_chips,
         }},
    // Rules and numbers that base jokers have one at a time.
    {.key = "j_test_lens",
     .name = "Lens",
     .rarity = Rarity::rare,
     .cost = 9,
     .copyable = false,
     .hand_size = 1,
     .passive = {.rules = passive_all_faces | passive_smeared | passive_free_planets,
                 .odds_factor = 3,
                 .debt = 10,
                 .interest = 2,
                 .free_rerolls = 2}},
    {.key = "j_test_mirror",
     .name = "Mirror",
     .rarity = Rarity::legendary,
     .cost = 20,
     .passive = {.copies = Copies::leftmost}},
}};

}  // namespace jimbot
