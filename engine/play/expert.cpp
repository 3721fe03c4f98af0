#include "play/expert.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "play/consumable_choice.hpp"
#include "play/hand_choice.hpp"
#include "play/joker_order.hpp"
#include "play/public_state.hpp"
#include "play/shop_value.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"

namespace jimbot {

namespace {

bool skip_is_worth_it(const BuildView& view) {
    const State& state = view.state;
    if (state.blind_on_deck > 1) {
        return false;
    }
    const ExpertWeights& w = view.weights;
    const double cost = w[w_skip_cost] + w[w_skip_late] * (state.ante - 1) + 0.5 * view.standing.weakness;
    return w.tag(state.blind_tags[state.blind_on_deck]) > cost;
}

Action choose_blind(const State& state, const ExpertWeights& weights, StrengthMemory* memory) {
    const BuildView view(state, weights, memory);
    Action action{};
    if (state.consumable_count > 0 && choose_consumable(view, action)) {
        return action;
    }
    if (next_joker_move(state, weights, view.samples, action)) {
        return action;
    }
    action = {ActionKind::reroll_boss};
    if (weights.boss(state.boss) > weights[w_boss_reroll] && check_action(state, action) == Refusal::none) {
        return action;
    }
    if (skip_is_worth_it(view)) {
        action = {ActionKind::skip_blind};
        if (check_action(state, action) == Refusal::none) {
            return action;
        }
    }
    return {ActionKind::select_blind};
}

// Some jokers (Luchador) disable the boss when they are sold: done when the boss is hard.
bool sell_to_disable_boss(const BuildView& view, Action& action) {
    const State& state = view.state;
    for (int i = 0; i < state.joker_count; ++i) {
        action = {ActionKind::sell_joker, static_cast<std::uint8_t>(i)};
        if (kJokerTraits[state.jokers[i].id].scripted.disables_boss_when_sold &&
            (state.jokers[i].flags & joker_face_down) == 0 &&
            view.weights.boss(state.round.blind) + view.standing.weakness > view.weights[w_boss_reroll] &&
            check_action(state, action) == Refusal::none) {
            return true;
        }
    }
    return false;
}

bool can_disable_boss(const State& state) {
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if (kJokerTraits[joker.id].scripted.disables_boss_when_sold && !joker.debuffed()) {
            return true;
        }
    }
    return false;
}

// Some blinds (Verdant Leaf) let go when a joker is sold.
bool sell_least_joker(const BuildView& view, Action& action) {
    action = {ActionKind::sell_joker, static_cast<std::uint8_t>(std::max(0, least_joker(view)))};
    return check_action(view.state, action) == Refusal::none;
}

Action choose_in_blind(const State& state, const ExpertWeights& weights, std::uint64_t random,
                       StrengthMemory* memory) {
    Action action{};
    const auto lifted_by_sale = active_blind(state).traits.lifted_by_sale;
    const bool lift = lifted_by_sale != nullptr && state.joker_count > 0 && lifted_by_sale(state);
    const bool disable =
        is_boss(state.round.blind) && state.round.boss_disabled == 0 && can_disable_boss(state);
    if (state.consumable_count > 0 || lift || disable) {
        const BuildView view(state, weights, memory);
        if (choose_consumable(view, action) || (disable && sell_to_disable_boss(view, action)) ||
            (lift && sell_least_joker(view, action))) {
            return action;
        }
    }
    return choose_hand(state, weights, random);
}

// Whatever is legal, for the rare position in which what was chosen is not.
Action any_action(const State& state) {
    Action first{};
    bool found = false;
    each_legal_action(state, [&](const Action& action) {
        if (!found) {
            first = action;
            found = true;
        }
    });
    return first;
}

}  // namespace

Action expert_action(const State& state, const ExpertWeights& weights, StrengthMemory* memory) {
    const State seen = public_state(state);
    const std::uint64_t random = public_seed(seen);
    Action action{};
    switch (seen.phase) {
    case Phase::blind_select:
        action = choose_blind(seen, weights, memory);
        break;
    case Phase::playing:
        action = choose_in_blind(seen, weights, random, memory);
        break;
    case Phase::round_eval:
        action = {ActionKind::cash_out};
        break;
    case Phase::shop:
        action = choose_in_shop(BuildView(seen, weights, memory));
        break;
    case Phase::pack:
        action = choose_in_pack(BuildView(seen, weights, memory));
        break;
    case Phase::game_over:
        return action;
    }
    return check_action(seen, action) == Refusal::none ? action : any_action(seen);
}

}  // namespace jimbot
