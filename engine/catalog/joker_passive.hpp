// What a joker changes without answering any moment: standing rules, odds, debts, copying.
#pragma once

#include <cstdint>

namespace jimbot {

// Rules that hold for as long as a joker is owned and not debuffed, a bit each.
enum PassiveRule : std::uint8_t {
    passive_four_fingers = 1 << 0,  // four cards make a flush or a straight
    passive_shortcut = 1 << 1,      // straights may skip a rank at every step
    passive_smeared = 1 << 2,       // the two red suits are one, and the two black ones
    passive_splash = 1 << 3,        // every played card scores
    passive_all_faces = 1 << 4,     // every card is a face card
    passive_duplicates = 1 << 5,    // pools offer keys that exist already
    passive_free_planets = 1 << 6,  // planets and Celestial packs cost nothing
};

// Whose ability a joker has instead of one of its own.
enum class Copies : std::uint8_t { never, right_neighbor, leftmost };

// The choice of the round that a joker's text names: whoever sees the joker knows it.
enum class RoundTarget : std::uint8_t { none, idol_card, mail_rank, castle_suit, ancient_suit };

// What a joker changes without answering any moment. It counts while the joker is not debuffed; only
// `held_retriggers` is an ability that others can copy.
struct JokerPassive {
    std::uint8_t rules = 0;            // PassiveRule bits
    std::uint8_t odds_factor = 1;      // multiplies every listed chance
    std::uint8_t debt = 0;             // dollars that may be owed
    std::uint8_t interest = 0;         // more dollars of interest per five dollars
    std::uint8_t free_rerolls = 0;     // per shop
    std::uint8_t held_retriggers = 0;  // of held cards that have an effect
    bool counter_is_hand_size = false;
    Copies copies = Copies::never;
    RoundTarget target = RoundTarget::none;
};

}  // namespace jimbot
