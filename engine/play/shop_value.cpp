#include "play/shop_value.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/shop.hpp"

namespace jimbot {

namespace {

Action at(ActionKind kind, int position, std::uint32_t mask = 0) {
    return {kind, static_cast<std::uint8_t>(position), 0, 0, mask};
}

struct Offer {
    Action action;
    double net;
};

void propose(Offer& best, const State& state, const Action& action, double net) {
    if (net > best.net && check_action(state, action) == Refusal::none) {
        best = {action, net};
    }
}

void consider_joker(Offer& best, const BuildView& view, int slot) {
    const State& state = view.state;
    const Item& item = state.shop.slots[slot];
    const int price = price_of(state, item);
    if (!can_pay(state, price - (joker_room(state) ? 0 : highest_sell_value(state)))) {
        return;  // not even if a joker is sold
    }
    const double cost = money_cost(state, view.weights, view.standing, price);
    const JokerGain gain = joker_gain(view, item, best.net + cost);
    if (gain.replaces < 0) {
        propose(best, state, at(ActionKind::buy_card, slot), gain.gain - cost);
        return;
    }
    const int refund = sell_value(state, state.jokers[gain.replaces]);
    if (price <= state.money + refund - money_floor(state)) {
        propose(best, state, at(ActionKind::sell_joker, gain.replaces), gain.gain - cost);
    }
}

void consider_consumable(Offer& best, const BuildView& view, int slot) {
    const State& state = view.state;
    const Item& item = state.shop.slots[slot];
    const double worth = best_use(view, item.id).worth;
    const double net = worth - money_cost(state, view.weights, view.standing, price_of(state, item));
    const bool targets = kConsumables[item.id].max_targets > 0;
    const Action use = at(ActionKind::buy_and_use, slot);
    if (!targets && check_action(state, use) == Refusal::none) {
        propose(best, state, use, net);
    } else {
        propose(best, state, at(ActionKind::buy_card, slot), net);
    }
}

void consider_shelves(Offer& best, const BuildView& view) {
    const State& state = view.state;
    const ExpertWeights& w = view.weights;
    for (int i = 0; i < state.shop.slot_count; ++i) {
        const Item& item = state.shop.slots[i];
        if (item.kind == ItemKind::joker) {
            consider_joker(best, view, i);
        } else if (item.kind == ItemKind::consumable) {
            consider_consumable(best, view, i);
        } else if (item.kind == ItemKind::playing_card) {
            propose(best, state, at(ActionKind::buy_card, i),
                    playing_card_gain(view, item.card) -
                        money_cost(state, w, view.standing, price_of(state, item)));
        }
    }
    for (int i = 0; i < state.shop.voucher_count; ++i) {
        const Item& item = state.shop.vouchers[i];
        if (item.kind == ItemKind::voucher) {
            const double left = std::min(1.0, view.standing.rounds_left / 18.0);
            const double worth = w.voucher(item.id) * (1.0 - w[w_voucher_early] + w[w_voucher_early] * left);
            propose(best, state, at(ActionKind::redeem_voucher, i),
                    worth - money_cost(state, w, view.standing, price_of(state, item)));
        }
    }
    for (int i = 0; i < kShopPacks; ++i) {
        const Item& item = state.shop.packs[i];
        if (item.kind == ItemKind::pack) {
            propose(best, state, at(ActionKind::open_pack, i),
                    pack_gain(view, static_cast<PackId>(item.id)) -
                        money_cost(state, w, view.standing, price_of(state, item)));
        }
    }
}

// Seeing two more cards: worth more the weaker the build and the richer the player.
void consider_reroll(Offer& best, const BuildView& view) {
    const State& state = view.state;
    const ExpertWeights& w = view.weights;
    const int price = reroll_price(state);
    const int left = state.money - price;
    const double affordable = left >= 5 ? 1.0 : left >= 0 ? 0.4 : 0.0;
    const double rich = std::clamp((state.money - 25) / 25.0, 0.0, 2.0);
    const double gain =
        (w[w_reroll_gain] + w[w_reroll_need] * view.standing.weakness + w[w_reroll_rich] * rich) * affordable;
    if (price > w[w_reroll_cap]) {
        return;
    }
    propose(best, state, at(ActionKind::reroll_shop, 0), gain - money_cost(state, w, view.standing, price));
}

}  // namespace

Action choose_in_shop(const BuildView& view) {
    Action action{};
    if (view.state.consumable_count > 0 && choose_consumable(view, action)) {
        return action;
    }
    Offer best{at(ActionKind::leave_shop, 0), view.weights[w_buy_threshold]};
    consider_shelves(best, view);
    if (best.action.kind == ActionKind::leave_shop) {
        best.net = 0;
        consider_reroll(best, view);
    }
    return best.action;
}

Action choose_in_pack(const BuildView& view) {
    const State& state = view.state;
    Offer best{at(ActionKind::skip_pack, 0), 0.0};
    for (int i = 0; i < state.pack.count; ++i) {
        const Item& item = state.pack.cards[i];
        if (item.kind == ItemKind::joker) {
            const JokerGain gain = joker_gain(view, item, best.net);
            propose(best, state,
                    gain.replaces < 0 ? at(ActionKind::pick_card, i)
                                      : at(ActionKind::sell_joker, gain.replaces),
                    gain.gain);
        } else if (item.kind == ItemKind::consumable) {
            const Use use = best_use(view, item.id);
            propose(best, state, at(ActionKind::pick_card, i, use.mask),
                    is_planet(item.id) ? std::max(use.worth, 0.001) : use.worth);
        } else if (item.kind == ItemKind::playing_card) {
            propose(best, state, at(ActionKind::pick_card, i), playing_card_gain(view, item.card));
        }
    }
    Action action{};
    if (best.action.kind == ActionKind::skip_pack && state.consumable_count > 0 && state.hand_count > 0 &&
        choose_consumable(view, action)) {
        return action;
    }
    return best.action;
}

}  // namespace jimbot
