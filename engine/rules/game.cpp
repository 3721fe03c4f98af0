#include "rules/game.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/consumables.hpp"
#include "rules/packs.hpp"
#include "rules/pools.hpp"
#include "rules/round.hpp"
#include "rules/shop.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

namespace {

Refusal check_selection(const State& state, std::uint32_t mask) {
    if (mask == 0 || std::bit_width(mask) > state.hand_count) {
        return Refusal::bad_selection;
    }
    if (count_bits(mask) > 5) {
        return Refusal::too_many_cards;
    }
    const std::uint32_t forced = forced_positions(state);
    if ((mask & forced) != forced) {
        return Refusal::forced_card_missing;
    }
    return Refusal::none;
}

Refusal check_buy(const State& state, int slot) {
    if (slot >= state.shop.slot_count) {
        return Refusal::bad_position;
    }
    const Item& item = state.shop.slots[slot];
    if (item.kind == ItemKind::none) {
        return Refusal::empty_position;
    }
    if (!can_pay(state, price_of(state, item))) {
        return Refusal::not_enough_money;
    }
    return check_room(state, item);
}

Refusal check_buy_and_use(const State& state, int slot, std::uint32_t mask) {
    if (slot >= state.shop.slot_count) {
        return Refusal::bad_position;
    }
    const Item& item = state.shop.slots[slot];
    if (item.kind != ItemKind::consumable) {
        return item.kind == ItemKind::none ? Refusal::empty_position : Refusal::not_usable_now;
    }
    if (!can_pay(state, price_of(state, item))) {
        return Refusal::not_enough_money;
    }
    return can_use(state, item.id, mask, consumable_slots(state) - state.consumable_count);
}

Refusal check_shelf(const State& state, const Item* shelf, int count, int position) {
    if (position >= count) {
        return Refusal::bad_position;
    }
    if (shelf[position].kind == ItemKind::none) {
        return Refusal::empty_position;
    }
    return can_pay(state, price_of(state, shelf[position])) ? Refusal::none : Refusal::not_enough_money;
}

Refusal check_use_owned(const State& state, int position, std::uint32_t mask) {
    if (position >= state.consumable_count) {
        return Refusal::bad_position;
    }
    const Consumable& card = state.consumables[position];
    const int own_slot = 1;  // a Negative card counts too: its slot goes only when its effect is over
    return can_use(state, card.id, mask, consumable_slots(state) - state.consumable_count + own_slot);
}

Refusal check_move_joker(const State& state, int from, int to) {
    if (from >= state.joker_count || to >= state.joker_count) {
        return Refusal::bad_position;
    }
    if (from == to) {
        return Refusal::same_position;
    }
    for (const int at : {from, to}) {
        if ((state.jokers[at].stickers & sticker_pinned) != 0) {
            return Refusal::is_pinned;
        }
    }
    return Refusal::none;
}

Refusal check_boss_reroll(const State& state) {
    const int allowed = voucher_max<&VoucherEntry::boss_rerolls>(state, 0);
    if (allowed != kAnyNumber && state.boss_rerolls >= allowed) {
        return Refusal::cannot_reroll_boss;
    }
    return can_pay(state, kBossRerollPrice) ? Refusal::none : Refusal::not_enough_money;
}

template <typename Item> void move_within(Item* list, int from, int to) {
    if (from < to) {
        std::rotate(list + from, list + from + 1, list + to + 1);
    } else {
        std::rotate(list + to, list + from, list + from + 1);
    }
}

void perform(State& state, const Action& action) {
    switch (action.kind) {
    case ActionKind::play_hand:
        play_hand(state, action.mask);
        break;
    case ActionKind::discard:
        discard_hand(state, action.mask);
        break;
    case ActionKind::select_blind:
        select_blind(state);
        break;
    case ActionKind::skip_blind:
        skip_blind(state);
        break;
    case ActionKind::reroll_boss:
        earn(state, -kBossRerollPrice);
        count_up(state.boss_rerolls);
        state.boss = draw_boss(state);
        break;
    case ActionKind::cash_out:
        cash_out(state);
        break;
    case ActionKind::buy_card:
        buy_card(state, action.a);
        break;
    case ActionKind::buy_and_use:
        buy_and_use(state, action.a, action.mask);
        break;
    case ActionKind::redeem_voucher:
        buy_voucher(state, action.a);
        break;
    case ActionKind::open_pack:
        buy_pack(state, action.a);
        break;
    case ActionKind::reroll_shop:
        reroll_shop(state);
        break;
    case ActionKind::leave_shop:
        leave_shop(state);
        break;
    case ActionKind::sell_joker:
        sell_joker(state, action.a);
        break;
    case ActionKind::sell_consumable:
        sell_consumable(state, action.a);
        break;
    case ActionKind::use_consumable: {
        const Consumable card = state.consumables[action.a];
        // Its slot is free while its effect runs, a Negative card's own slot included. Its key still exists.
        std::copy(state.consumables + action.a + 1, state.consumables + state.consumable_count,
                  state.consumables + action.a);
        state.consumables[--state.consumable_count] = {};
        const int own_slot = card.edition == e_negative ? 1 : 0;
        state.base_consumable_slots = static_cast<std::int16_t>(state.base_consumable_slots + own_slot);
        use_consumable(state, card.id, action.mask);
        state.base_consumable_slots = static_cast<std::int16_t>(state.base_consumable_slots - own_slot);
        check_round_end(state);
        break;
    }
    case ActionKind::pick_card:
        pick_card(state, action.a, action.mask);
        break;
    case ActionKind::skip_pack:
        skip_pack(state);
        break;
    case ActionKind::move_joker:
        move_within(state.jokers, action.a, action.b);
        break;
    case ActionKind::move_card:
        move_within(state.hand, action.a, action.b);
        break;
    case ActionKind::sort_hand:
        state.sort_mode = action.a;
        sort_hand(state);
        break;
    case ActionKind::count:
        break;
    }
}

}  // namespace

Phase required_phase(ActionKind kind) {
    switch (kind) {
    case ActionKind::play_hand:
    case ActionKind::discard:
        return Phase::playing;
    case ActionKind::select_blind:
    case ActionKind::skip_blind:
    case ActionKind::reroll_boss:
        return Phase::blind_select;
    case ActionKind::cash_out:
        return Phase::round_eval;
    case ActionKind::buy_card:
    case ActionKind::buy_and_use:
    case ActionKind::redeem_voucher:
    case ActionKind::open_pack:
    case ActionKind::reroll_shop:
    case ActionKind::leave_shop:
        return Phase::shop;
    case ActionKind::pick_card:
    case ActionKind::skip_pack:
        return Phase::pack;
    default:
        return Phase::game_over;  // any phase but this one
    }
}

Refusal check_action(const State& state, const Action& action) {
    if (state.phase == Phase::game_over) {
        return Refusal::run_is_over;
    }
    const Phase needed = required_phase(action.kind);
    if (action.kind >= ActionKind::count || (needed != Phase::game_over && needed != state.phase)) {
        return Refusal::wrong_phase;
    }
    switch (action.kind) {
    case ActionKind::play_hand:
    case ActionKind::discard: {
        const bool play = action.kind == ActionKind::play_hand;
        const int left = play ? state.round.hands_left : state.round.discards_left;
        if (left <= 0) {
            return play ? Refusal::no_hands_left : Refusal::no_discards_left;
        }
        return check_selection(state, action.mask);
    }
    case ActionKind::skip_blind:
        return state.blind_on_deck < 2 ? Refusal::none : Refusal::cannot_skip_boss;
    case ActionKind::reroll_boss:
        return check_boss_reroll(state);
    case ActionKind::buy_card:
        return check_buy(state, action.a);
    case ActionKind::buy_and_use:
        return check_buy_and_use(state, action.a, action.mask);
    case ActionKind::redeem_voucher:
        return check_shelf(state, state.shop.vouchers, state.shop.voucher_count, action.a);
    case ActionKind::open_pack:
        return check_shelf(state, state.shop.packs, kShopPacks, action.a);
    case ActionKind::reroll_shop:
        return can_pay(state, reroll_price(state)) ? Refusal::none : Refusal::not_enough_money;
    case ActionKind::sell_joker:
        if (action.a >= state.joker_count) {
            return Refusal::bad_position;
        }
        return (state.jokers[action.a].stickers & sticker_eternal) != 0 ? Refusal::is_eternal : Refusal::none;
    case ActionKind::sell_consumable:
        return action.a < state.consumable_count ? Refusal::none : Refusal::bad_position;
    case ActionKind::use_consumable:
        return check_use_owned(state, action.a, action.mask);
    case ActionKind::pick_card:
        return can_pick(state, action.a, action.mask);
    case ActionKind::move_joker:
        return check_move_joker(state, action.a, action.b);
    case ActionKind::move_card:
        if (action.a >= state.hand_count || action.b >= state.hand_count) {
            return Refusal::bad_position;
        }
        return action.a == action.b ? Refusal::same_position : Refusal::none;
    case ActionKind::sort_hand:
        if (state.hand_count == 0) {
            return Refusal::wrong_phase;
        }
        return action.a <= 1 ? Refusal::none : Refusal::bad_position;
    default:
        return Refusal::none;
    }
}

Refusal check_room(const State& state, const Item& item) {
    const bool negative = item.edition == e_negative;
    switch (item.kind) {
    case ItemKind::joker:
        return state.joker_count < kMaxJokers && (negative || joker_room(state)) ? Refusal::none
                                                                                 : Refusal::no_joker_slot;
    case ItemKind::consumable:
        return state.consumable_count < kMaxConsumables && (negative || consumable_room(state))
                   ? Refusal::none
                   : Refusal::no_consumable_slot;
    case ItemKind::playing_card:
        return state.card_count < kMaxCards ? Refusal::none : Refusal::deck_full;
    default:
        return Refusal::none;
    }
}

Refusal apply(State& state, const Action& action) {
    const Refusal refusal = check_action(state, action);
    if (refusal == Refusal::none) {
        perform(state, action);
    }
    return refusal;
}

std::string_view refusal_text(Refusal refusal) {
    constexpr std::string_view kTexts[] = {
        "legal",
        "this action does not belong to the current phase",
        "the run is over; start a new one",
        "there is nothing at this position; positions count from 0",
        "the selection is empty or names cards that are not in the hand",
        "at most 5 cards may be selected",
        "the forced card must be part of every selection",
        "no hands are left this round",
        "no discards are left this round",
        "not enough money for this price",
        "all joker slots are taken",
        "all consumable slots are taken",
        "this card cannot be used now; its condition does not hold",
        "this card needs another number of selected hand cards",
        "an Eternal joker cannot be sold",
        "a Boss Blind cannot be skipped",
        "the boss may not be rerolled: Director's Cut allows one reroll per ante, Retcon any number",
        "this position has been emptied",
        "a pinned joker stays leftmost",
        "the card is already at that position",
        "the deck cannot hold another card",
    };
    static_assert(std::size(kTexts) == static_cast<std::size_t>(Refusal::count));
    return kTexts[static_cast<std::size_t>(refusal)];
}

}  // namespace jimbot
