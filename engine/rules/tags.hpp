// Tags: gaining them and the moments at which they act.
#pragma once

#include "catalog/catalog.hpp"
#include "core/state.hpp"

namespace jimbot {

// Gains a tag; held Double Tags are used up, each for one more of it.
void gain_tag(State& state, Tag tag);
// Tags that pay or create at once.
void run_immediate_tags(State& state);
// Tags of the blind-select screen, one at a time. When one opens a pack, the rest wait until it is closed.
void run_blind_choice_tags(State& state);
// Uses up the first held tag of a timing; false if none is held. `apply_tag` lets it act as well.
bool take_tag(State& state, TagTiming timing, Tag& taken);
bool apply_tag(State& state, TagTiming timing);

}  // namespace jimbot
