// What consumables are worth, and which cards to use them on.
#pragma once

#include <cstdint>

#include "core/actions.hpp"
#include "core/state.hpp"
#include "play/build_strength.hpp"
#include "play/expert_weights.hpp"

namespace jimbot {

// What a decision between blinds looks at: the run, sampled hands, and where the build stands.
struct BuildView {
    const State& state;
    const ExpertWeights& weights;
    DeckSamples samples;
    Strength strength;
    Standing standing;
    double worth;  // of the build as it is

    BuildView(const State& run, const ExpertWeights& chosen, StrengthMemory* memory);
};

struct Use {
    double worth;  // in strength; 0 or less: better not
    std::uint32_t mask;
};

// Using a consumable now, with the best targets the hand offers. Without a hand on the table a consumable
// that needs one is worth what good targets would make of it, and the mask is 0.
Use best_use(const BuildView& view, int id);

// How welcome a card is in the deck: about 1 for a card the build plays, 0 for one it does not.
double card_quality(const BuildView& view, const Card& card);

// An owned consumable to use or to sell now; false if none.
bool choose_consumable(const BuildView& view, Action& action);

}  // namespace jimbot
