// The whole engine interface: which actions are legal, and what they do.
#pragma once

#include <string_view>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot {

// Why the action cannot be taken now; Refusal::none if it can.
Refusal check_action(const State& state, const Action& action);

// The phase an action belongs to; Phase::game_over for those that belong to every other phase.
Phase required_phase(ActionKind kind);

// Whether an item could be owned: a slot for it (a Negative one brings its own) and a place in the state.
Refusal check_room(const State& state, const Item& item);

// Takes the action if it is legal; otherwise changes nothing and says why.
Refusal apply(State& state, const Action& action);

// One line for a refusal: what is wrong and what is expected.
std::string_view refusal_text(Refusal refusal);

// Calls visit(action) for every legal action, in a fixed order: subsets of the hand by size and position,
// then single actions. Moves of cards and jokers are included.
template <typename Visit> void each_legal_action(const State& state, Visit visit);

}  // namespace jimbot

#include "rules/legal.inl"
