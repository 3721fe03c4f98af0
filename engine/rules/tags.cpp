#include "rules/tags.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/cards.hpp"
#include "rules/packs.hpp"
#include "rules/pools.hpp"

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

void fire_immediate(State& state, Tag tag) {
    switch (tag.id) {
    case tag_handy:
        earn(state, state.hands_played);
        break;
    case tag_garbage:
        earn(state, state.unused_discards);
        break;
    case tag_skip:
        earn(state, 5 * state.skips);
        break;
    case tag_economy:
        earn(state, std::clamp(state.money, 0, 40));
        break;
    case tag_orbital:
        level_up(state, static_cast<HandType>(tag.hand), 3);
        break;
    case tag_top_up:
        for (int i = 0; i < 2 && joker_room(state); ++i) {
            create_joker(state, JokerSource::top_up_tag);
        }
        break;
    default:
        break;
    }
}

}  // namespace

void gain_tag(State& state, Tag tag) {
    int copies = 1;
    if (tag.id != tag_double) {
        while (use_tag(state, tag_double)) {
            ++copies;
        }
    }
    for (int i = 0; i < copies; ++i) {
        push_tag(state, tag);
    }
}

void run_immediate_tags(State& state) {
    for (int i = 0; i < state.tag_count;) {
        if (kTagEntries[state.tags[i].id].timing == TagTiming::immediate) {
            const Tag tag = state.tags[i];
            remove_tag(state, i);
            fire_immediate(state, tag);
        } else {
            ++i;
        }
    }
}

void run_blind_choice_tags(State& state) {
    for (int i = 0; i < state.tag_count;) {
        const TagEntry& entry = kTagEntries[state.tags[i].id];
        if (entry.timing != TagTiming::new_blind_choice) {
            ++i;
            continue;
        }
        remove_tag(state, i);
        if (entry.pack != p_none) {
            open_pack(state, entry.pack);
            return;
        }
        state.boss = draw_boss(state);
        count_up(state.boss_rerolls);
    }
}

bool use_tag(State& state, TagId id) {
    for (int i = 0; i < state.tag_count; ++i) {
        if (state.tags[i].id == id) {
            remove_tag(state, i);
            return true;
        }
    }
    return false;
}

int count_tags(const State& state, TagId id) {
    int count = 0;
    for (int i = 0; i < state.tag_count; ++i) {
        count += state.tags[i].id == id ? 1 : 0;
    }
    return count;
}

}  // namespace jimbot
