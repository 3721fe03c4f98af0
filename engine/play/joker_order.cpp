#include "play/joker_order.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/game.hpp"

namespace jimbot {

namespace {

bool has_copier(const State& state) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (copies_jokers(state.jokers[i].id)) {
            return true;
        }
    }
    return false;
}

// Places from left to right. What adds comes before what multiplies in the same stage, so what multiplies per
// card stands right of all that adds per card; it stands left of what multiplies in the joker stage because
// its edition may add mult there. Copiers come later, to be moved to what they copy, and a joker that
// destroys its right neighbor stands last.
enum Place : std::uint8_t {
    place_pinned,
    place_adds,
    place_adds_polychrome,
    place_multiplies_per_card,
    place_multiplies,
    place_multiplies_polychrome,
    place_copies,
    place_destroys,
};

Place place_of(const Joker& joker) {
    if ((joker.stickers & sticker_pinned) != 0) {
        return place_pinned;
    }
    const ResolvedTraits& traits = kJokerTraits[joker.id];
    if (traits.scripted.destroys_right_neighbor) {
        return place_destroys;
    }
    if (traits.copies != Copies::never) {
        return place_copies;
    }
    const bool polychrome = joker.edition == e_polychrome;
    switch (traits.multiplies) {
    case Multiplies::unknown:
    case Multiplies::never:
        break;
    case Multiplies::per_card:
        return place_multiplies_per_card;
    case Multiplies::in_joker_stage:
        return polychrome ? place_multiplies_polychrome : place_multiplies;
    }
    return polychrome ? place_adds_polychrome : place_adds;
}

bool stands_before(const Joker& a, const Joker& b) {
    const Place place_a = place_of(a);
    const Place place_b = place_of(b);
    return place_a != place_b ? place_a < place_b : a.created < b.created;
}

int position_of(const State& state, std::uint32_t created) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].created == created) {
            return i;
        }
    }
    return -1;
}

void move(State& state, int from, int to) {
    Joker* jokers = state.jokers;
    if (from < to) {
        std::rotate(jokers + from, jokers + from + 1, jokers + to + 1);
    } else if (to < from) {
        std::rotate(jokers + to, jokers + from, jokers + from + 1);
    }
}

// Puts Blueprints left of the joker made at `target`, and that joker leftmost if a Brainstorm asks for it.
void point_copiers(State& state, std::uint32_t target) {
    bool brainstorm = false;
    for (int i = 0; i < state.joker_count; ++i) {
        brainstorm = brainstorm || kJokerTraits[state.jokers[i].id].copies == Copies::leftmost;
    }
    int first = 0;
    while (first < state.joker_count && (state.jokers[first].stickers & sticker_pinned) != 0) {
        ++first;
    }
    if (brainstorm && first == 0) {
        move(state, position_of(state, target), 0);
    }
    std::uint32_t blueprints[kMaxJokers];
    int count = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if (kJokerTraits[state.jokers[i].id].copies == Copies::right_neighbor &&
            (state.jokers[i].stickers & sticker_pinned) == 0) {
            blueprints[count++] = state.jokers[i].created;
        }
    }
    for (int i = 0; i < count; ++i) {
        const int from = position_of(state, blueprints[i]);
        const int goal = position_of(state, target);
        move(state, from, from < goal ? goal - 1 : goal);
    }
}

}  // namespace

bool copies_jokers(int joker_id) {
    return kJokerTraits[static_cast<std::size_t>(joker_id)].copies != Copies::never;
}

void arrange_jokers(State& state, const ExpertWeights& weights, const DeckSamples& samples,
                    int most_targets) {
    std::sort(state.jokers, state.jokers + state.joker_count, stands_before);
    if (!has_copier(state)) {
        return;
    }
    const State sorted = state;
    double most = -1e300;
    int tried_targets = 0;
    for (int i = sorted.joker_count - 1; i >= 0 && tried_targets < most_targets;
         --i) {  // what multiplies is right
        const Joker& joker = sorted.jokers[i];
        if (copies_jokers(joker.id) || !kJokers[joker.id].copyable || !kJokerTraits[joker.id].scores) {
            continue;
        }
        ++tried_targets;
        State tried = sorted;
        point_copiers(tried, joker.created);
        const double strength = measure_strength(tried, weights, samples, 0.0).round_log;
        if (strength > most) {
            most = strength;
            state = tried;
        }
    }
}

bool next_joker_move(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                     Action& action) {
    if (state.joker_count < 2) {
        return false;
    }
    State wanted = state;
    arrange_jokers(wanted, weights, samples);
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].created == wanted.jokers[i].created) {
            continue;
        }
        const int from = position_of(state, wanted.jokers[i].created);
        action = {ActionKind::move_joker, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(i), 0,
                  0};
        return check_action(state, action) == Refusal::none;
    }
    return false;
}

}  // namespace jimbot
