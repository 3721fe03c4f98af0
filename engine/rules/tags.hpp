// Tags: gaining them and the moments at which they act.
#pragma once

#include "core/state.hpp"

namespace jimbot {

// Gains a tag; held Double Tags multiply it and are used up.
void gain_tag(State& state, Tag tag);
// Tags that pay or create at once.
void run_immediate_tags(State& state);
// Tags of the blind-select screen, one at a time: rerolls the boss or opens a pack (then the rest wait for
// it).
void run_blind_choice_tags(State& state);
// Uses up the first held tag of this id; false if none is held.
bool use_tag(State& state, TagId id);
int count_tags(const State& state, TagId id);

}  // namespace jimbot
