#include <algorithm>
#include <array>

#include "catalog/catalog.hpp"
#include "play/joker_order.hpp"
#include "play/shop_value.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

// What copiers may copy in builds that are only compared.
constexpr int kCopyTargets = 2;

double worth_with(const BuildView& view, State& build) {
    bool copier = false;
    for (int i = 0; i < build.joker_count; ++i) {
        copier = copier || copies_jokers(build.jokers[i].id);
    }
    if (copier) {
        arrange_jokers(build, view.weights, view.samples, kCopyTargets);
    }
    return build_worth(build, view.weights, view.samples, view.standing);
}

void drop_joker(State& build, int position) {
    std::copy(build.jokers + position + 1, build.jokers + build.joker_count, build.jokers + position);
    --build.joker_count;
}

// What the build loses without a joker.
struct Loss {
    double worth = 1e300;
    int position = -1;
};

// The jokers that would be missed least.
std::array<Loss, 2> smallest_losses(const BuildView& view) {
    std::array<Loss, 2> least;
    const State& state = view.state;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if ((joker.stickers & sticker_eternal) != 0 || joker.edition == e_negative) {
            continue;
        }
        State build = state;
        drop_joker(build, i);
        const Loss loss{
            view.worth - worth_with(view, build) - view.weights[w_dollar] * sell_value(state, joker), i};
        if (loss.worth < least[0].worth) {
            least[1] = least[0];
            least[0] = loss;
        } else if (loss.worth < least[1].worth) {
            least[1] = loss;
        }
    }
    return least;
}

}  // namespace

JokerGain joker_gain(const BuildView& view, const Item& item, double wanted) {
    const State& state = view.state;
    const bool room = item.edition == e_negative || joker_room(state);
    State with = state;
    with.jokers[with.joker_count < kMaxJokers ? with.joker_count++ : kMaxJokers - 1] =
        joker_from_item(state, item);
    if (room) {
        const int empty = joker_slots(state) - state.joker_count;
        return {worth_with(view, with) - view.worth + (empty > 1 ? view.weights[w_empty_slot] : 0.0), -1};
    }
    // Even beside all the others it would add too little: no need to try it in anyone's place.
    const double beside = worth_with(view, with) - view.worth - view.weights[w_replace_threshold];
    if (beside < 0.0 || beside + view.weights[w_dollar] * highest_sell_value(state) <= wanted) {
        return {-1e300, -1};
    }
    JokerGain best{-1e300, -1};
    for (const Loss& loss : smallest_losses(view)) {
        if (loss.position < 0) {
            continue;
        }
        State build = with;
        drop_joker(build, loss.position);
        const double gain = worth_with(view, build) - view.worth +
                            view.weights[w_dollar] * sell_value(state, state.jokers[loss.position]) -
                            view.weights[w_replace_threshold];
        if (gain > best.gain) {
            best = {gain, loss.position};
        }
    }
    return best;
}

int highest_sell_value(const State& state) {
    int most = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        most = std::max(most, sell_value(state, state.jokers[i]));
    }
    return most;
}

int least_joker(const BuildView& view) { return smallest_losses(view)[0].position; }

double playing_card_gain(const BuildView& view, const Card& card) {
    const ExpertWeights& w = view.weights;
    double worth = w[w_playing_card] * (card_quality(view, card) - 0.6);
    worth += card.edition == e_foil         ? w[w_edition_foil]
             : card.edition == e_holo       ? w[w_edition_holo]
             : card.edition == e_polychrome ? w[w_edition_polychrome]
                                            : 0.0;
    worth += card.seal == s_red ? 0.06 : card.seal != s_none ? 0.04 : 0.0;
    return worth;
}

double pack_gain(const BuildView& view, PackId pack) {
    const ExpertWeights& w = view.weights;
    const PackEntry& entry = kPacks[pack];
    const State& state = view.state;
    double worth = 0;
    switch (entry.kind) {
    case PackKind::arcana:
        worth = w[w_pack_arcana];
        break;
    case PackKind::celestial:
        worth = w[w_pack_celestial];
        break;
    case PackKind::standard:
        worth = w[w_pack_standard];
        break;
    case PackKind::buffoon:
        worth = w[w_pack_buffoon] * (joker_room(state) ? 1.0 + 0.5 * view.standing.weakness : 0.4);
        break;
    case PackKind::spectral:
        worth = w[w_pack_spectral];
        break;
    }
    const double size = entry.choose > 1 ? 2.0 : entry.cards > 3 || (entry.cards == 4) ? 1.0 : 0.0;
    return worth * (1.0 + w[w_pack_size] * size);
}

}  // namespace jimbot
