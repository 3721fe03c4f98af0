// What others have to know about a blind besides its effect: previews, resampled copies, and the scripted player.
// Defaults are safe: a hand_played hook of a blind that declares nothing makes every preview inexact.
#pragma once

#include <cstdint>

#include "core/cards.hpp"
#include "core/state.hpp"

namespace jimbot {

// What the blind's hand_played hook does to the hand being played.
enum class PlayEffect : std::uint8_t {
    unknown,     // anything: no preview is exact
    held_cards,  // discards held cards at random: a preview is exact where none is held
    money,       // changes money, without chance: previews run it
    later,       // nothing that this hand scores by
};

struct BlindTraits {
    double difficulty = 0;  // how much stronger than its target it is, to the scripted player: the default of its weight
    PlayEffect play_effect = PlayEffect::unknown;
    bool hides_draws_after_play = false;  // cards drawn after a play lie face down, after a discard they do not
    // Exactly the cards it turns face down, if the card decides: whoever sees one face down knows that much of it.
    bool (*hides)(const State&, const Card&) = nullptr;
    // Whether selling any joker would end its effect now.
    bool (*lifted_by_sale)(const State&) = nullptr;
};

}  // namespace jimbot
