#include "rules/shop.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/challenge.hpp"
#include "rules/consumables.hpp"
#include "rules/packs.hpp"
#include "rules/round.hpp"
#include "rules/run.hpp"
#include "rules/tags.hpp"

namespace jimbot {

namespace {

// Pays for an item, takes it off its shelf and returns it.
Item take_item(State& state, Item& shelf) {
    const Item item = shelf;
    earn(state, -price_of(state, item));
    shelf = {};
    if (has_rule(state, rule_inflation)) {
        state.inflation = bounded_count(state.inflation + 1);
    }
    return item;
}

}  // namespace

void buy_card(State& state, int slot) {
    const Item item = take_item(state, state.shop.slots[slot]);
    switch (item.kind) {
    case ItemKind::joker:
        add_joker(state, joker_from_item(state, item));
        break;
    case ItemKind::consumable:
        add_consumable(state, {item.card.created, 0, item.id, item.edition});
        break;
    case ItemKind::playing_card:
        gain_made_card(state, item.card, CardPlace::draw_pile);
        break;
    default:
        break;
    }
}

void buy_and_use(State& state, int slot, std::uint32_t mask) {
    const Item item = take_item(state, state.shop.slots[slot]);
    use_consumable(state, item.id, mask);
}

void buy_voucher(State& state, int position) {
    const Item item = take_item(state, state.shop.vouchers[position]);
    if (item.id == state.voucher) {
        state.voucher = v_none;
    }
    redeem_voucher(state, static_cast<VoucherId>(item.id));
    if (kVouchers[item.id].shop_slots > 0) {
        fill_new_slots(state);
    }
}

void buy_pack(State& state, int position) {
    const Item item = take_item(state, state.shop.packs[position]);
    open_pack(state, static_cast<PackId>(item.id));
}

void reroll_shop(State& state) {
    earn(state, -reroll_price(state));
    if (state.free_rerolls > 0) {
        --state.free_rerolls;
    } else {
        state.reroll_growth = bounded_count(state.reroll_growth + 1);
    }
    restock_slots(state);
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.rerolled != nullptr) {
            hooks.rerolled(turn);
        }
    });
}

void leave_shop(State& state) {
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.shop_left != nullptr) {
            hooks.shop_left(turn);
        }
    });
    clear_shop(state);
    state.phase = Phase::blind_select;
    run_blind_choice_tags(state);
}

void sell_joker(State& state, int position) {
    earn(state, sell_value(state, state.jokers[position]));
    const int target = ability_of(state, position);
    const std::uint32_t created = state.jokers[position].created;
    Moment moment;
    moment.doomed = std::uint32_t{1} << position;
    if (target >= 0 && kJokers[state.jokers[target].id].hooks.self_sold != nullptr) {
        Turn turn{state, state.jokers[target], position, target != position, moment};
        kJokers[state.jokers[target].id].hooks.self_sold(turn);
    }
    each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.card_sold != nullptr && state.jokers[turn.position].created != created) {
            hooks.card_sold(turn);
        }
    });
    carry_out(state, moment);
    if (active_blind(state).hooks.joker_sold != nullptr) {
        active_blind(state).hooks.joker_sold(state);
    }
    check_round_end(state);
}

void sell_consumable(State& state, int position) {
    earn(state, sell_value(state, state.consumables[position]));
    remove_consumable(state, position);
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.card_sold != nullptr) {
            hooks.card_sold(turn);
        }
    });
}

}  // namespace jimbot
