// What others have to know about a consumable besides its effect: the candidate list, previews of a use, resampled
// copies, and the scripted player. Defaults are safe: a consumable that declares nothing is offered on many targets
// and never used on a copy of the run to look ahead.
#pragma once

#include <cstdint>

#include "core/cards.hpp"
#include "core/state.hpp"

namespace jimbot {

// What a use changes, where no random number has a say in it. Planets need no trait: they raise their hand.
enum class UseEffect : std::uint8_t {
    unknown,     // anything: nothing is foreseen
    targets,     // the selected cards and nothing else; no card comes or goes
    all_levels,  // every poker hand gains a level
};

// The hand cards that a player would think of.
enum class TargetWish : std::uint8_t {
    improvements,  // cards worth keeping
    losses,        // cards worth losing
    raises,        // cards that would join others one rank higher
    suit,          // cards of other suits than `suit`
    copy,          // two: the left card becomes the right one
};

// What the scripted player thinks of a consumable.
struct ScriptedUse {
    double worth = 0;                      // default of its weight: worth of using the card well
    bool takes_worst = false;              // the least of the wanted cards, not the best
    bool (*wants)(const Card&) = nullptr;  // cards to use it on; null: any
    // What a use without targets is worth now, given its weight and the worth of a dollar; null: the weight.
    double (*worth_now)(const State&, double weight, double dollar) = nullptr;
};

struct ConsumableTraits {
    UseEffect effect = UseEffect::unknown;
    TargetWish wish = TargetWish::improvements;
    Suit suit = suit_spades;
    bool tells_editions = false;  // whether it can be used on a card says whether the card has an edition
    ScriptedUse scripted = {};
};

}  // namespace jimbot
