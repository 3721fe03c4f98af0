#include "rules/tags.hpp"

#include <algorithm>

#include "rules/packs.hpp"

namespace jimbot {

namespace {

void remove_tag(State& state, int position) {
    std::copy(state.tags + position + 1, state.tags + state.tag_count, state.tags + position);
    --state.tag_count;
    state.tags[state.tag_count] = {};
}

void push_tag(State& state, Tag tag) {
    if (state.tag_count < kMaxTags) {
        state.tags[state.tag_count++] = tag;
    }
}

}  // namespace

void gain_tag(State& state, Tag tag) {
    int copies = 1;
    Tag used{};
    if (kTagEntries[tag.id].timing != TagTiming::tag_add) {
        while (take_tag(state, TagTiming::tag_add, used)) {
            ++copies;
        }
    }
    for (int i = 0; i < copies; ++i) {
        push_tag(state, tag);
    }
}

void run_immediate_tags(State& state) {
    while (apply_tag(state, TagTiming::immediate)) {
    }
}

void run_blind_choice_tags(State& state) {
    Tag tag{};
    while (take_tag(state, TagTiming::new_blind_choice, tag)) {
        const TagEntry& entry = kTagEntries[tag.id];
        if (entry.pack != p_none) {
            open_pack(state, entry.pack);
            return;
        }
        entry.apply(state, tag);
    }
}

bool take_tag(State& state, TagTiming timing, Tag& taken) {
    for (int i = 0; i < state.tag_count; ++i) {
        if (kTagEntries[state.tags[i].id].timing == timing) {
            taken = state.tags[i];
            remove_tag(state, i);
            return true;
        }
    }
    return false;
}

bool apply_tag(State& state, TagTiming timing) {
    Tag tag{};
    if (!take_tag(state, timing, tag)) {
        return false;
    }
    kTagEntries[tag.id].apply(state, tag);
    return true;
}

}  // namespace jimbot
