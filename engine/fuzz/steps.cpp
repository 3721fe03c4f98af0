// Invariants of a step from one state to the next.
#include <algorithm>

#include "fuzz/invariants.hpp"
#include "fuzz/keys.hpp"
#include "rules/cards.hpp"
#include "rules/owned.hpp"
#include "rules/round.hpp"
#include "rules/shop.hpp"

namespace jimbot::fuzz {

namespace {

bool is_fallback(const Item& item) {
    return item.kind == ItemKind::joker
               ? item.id == j_joker
               : item.id == c_strength || item.id == c_pluto || item.id == c_incantation;
}

// An item that appeared in this step must be allowed: its key is not locked and, without Showman, no other
// card has it. A key on display may be drawn again once an owned copy of it is used, sold or destroyed.
std::string broken_display(const State& before, const State& after) {
    const bool showman = owns_active_joker(before, j_ring_master) || owns_active_joker(after, j_ring_master);
    const Keys keys = keys_of(after, before.next_created);  // of cards that existed before the step
    std::uint64_t shown_new[kPools] = {};
    const auto check = [&](const Item& item, bool given) -> std::string {
        PoolPlace place{};
        if (!key_place(item, place) || item.card.created < before.next_created) {
            return {};
        }
        const auto pool = static_cast<std::size_t>(place.pool);
        const std::uint64_t key = std::uint64_t{1} << (place.index & 63);
        const bool twice = (shown_new[pool] & key) != 0;
        const bool taken = ((keys.owned[pool] | keys.shown[pool]) & before.existing[pool] & key) != 0;
        shown_new[pool] |= key;
        if (given || is_fallback(item)) {
            return {};
        }
        if (!showman && (twice || taken)) {
            return named("shown twice", "a new item on display has a key that is owned or on display");
        }
        if ((after.locked[pool] & key) != 0) {
            return named("shown though locked",
                         "an item on display is kept out by the profile or the challenge");
        }
        return {};
    };
    for (const Item& item : after.shop.slots) {
        if (std::string broken = check(item, false); !broken.empty()) {
            return broken;
        }
        if (item.kind == ItemKind::joker && kJokers[item.id].rarity == Rarity::legendary) {
            return named("shop", "a legendary joker is for sale");
        }
    }
    const bool celestial = after.pack.id != p_none && kPacks[after.pack.id].kind == PackKind::celestial;
    for (int i = 0; i < after.pack.count; ++i) {
        const bool telescope = i == 0 && celestial && redeemed(after, v_telescope);
        if (std::string broken = check(after.pack.cards[i], telescope); !broken.empty()) {
            return broken;
        }
    }
    return {};
}

int paid(const State& before, const Action& action) {
    switch (action.kind) {
    case ActionKind::buy_card:
        return price_of(before, before.shop.slots[action.a]);
    case ActionKind::redeem_voucher:
        return price_of(before, before.shop.vouchers[action.a]);
    case ActionKind::open_pack:
        return price_of(before, before.shop.packs[action.a]);
    case ActionKind::reroll_shop:
        return reroll_price(before);
    case ActionKind::reroll_boss:
        return 10;
    case ActionKind::sell_joker:
        return -sell_value(before, before.jokers[action.a]);
    case ActionKind::sell_consumable:
        return -sell_value(before, before.consumables[action.a]);
    case ActionKind::cash_out:
        return -cash_out_total(before.cash_out);
    default:
        return 0;
    }
}

bool has_fixed_price(ActionKind kind) {
    switch (kind) {
    case ActionKind::play_hand:
    case ActionKind::discard:
    case ActionKind::skip_blind:
    case ActionKind::buy_and_use:
    case ActionKind::use_consumable:
    case ActionKind::pick_card:
        return false;
    default:
        return true;
    }
}

std::string broken_money(const State& before, const Action& action, const State& after) {
    // A sale may end the round, and so may a blind selected with no cards to draw. The end of a round changes
    // money as well.
    const bool ended = after.phase == Phase::round_eval || after.phase == Phase::game_over;
    if (!has_fixed_price(action.kind) || (ended && action.kind != ActionKind::cash_out)) {
        return {};
    }
    const int price = paid(before, action);
    if (std::clamp(before.money - price, -kMaxMoney, kMaxMoney) != after.money) {
        return named("money", "$" + std::to_string(before.money - after.money) +
                                  " was paid for a price of $" + std::to_string(price));
    }
    if (price > 0 && after.money < money_floor(before)) {
        return named("money", "spending went below the floor");
    }
    return {};
}

bool owns(const State& state, JokerId id) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].id == id) {
            return true;
        }
    }
    return false;
}

int used_consumable(const State& before, const Action& action) {
    switch (action.kind) {
    case ActionKind::use_consumable:
        return before.consumables[action.a].id;
    case ActionKind::buy_and_use:
        return before.shop.slots[action.a].id;
    case ActionKind::pick_card:
        return before.pack.cards[action.a].kind == ItemKind::consumable ? before.pack.cards[action.a].id : 0;
    default:
        return c_none;
    }
}

// Jokers need free slots. Exceptions: Ankh beside eternal jokers, Riff-Raff when a Negative joker destroyed
// by Ceremonial Dagger or Madness takes its slot with it, and slots that a challenge takes away.
std::string broken_joker_slots(const State& before, const Action& action, const State& after) {
    const int over = after.joker_count - joker_slots(after);
    if (over <= std::max(0, before.joker_count - joker_slots(before)) ||
        after.base_joker_slots < before.base_joker_slots) {
        return {};
    }
    const bool riff_raff =
        action.kind == ActionKind::select_blind &&
        (owns(before, j_riff_raff) || owns(before, j_blueprint) || owns(before, j_brainstorm)) &&
        (owns(before, j_ceremonial) || owns(before, j_madness));
    const bool invisible = action.kind == ActionKind::sell_joker &&
                           before.jokers[action.a].id == j_invisible &&
                           before.jokers[action.a].edition == e_negative;
    if (riff_raff || invisible || used_consumable(before, action) == c_ankh) {
        return {};
    }
    return named("slots", std::to_string(after.joker_count) + " jokers in " +
                              std::to_string(joker_slots(after)) + " slots");
}

// Consumables need free slots. Exception: a Negative one in use still lends its slot to what it creates.
std::string broken_consumable_slots(const State& before, const Action& action, const State& after) {
    const int over = after.consumable_count - consumable_slots(after);
    const bool negative_used =
        action.kind == ActionKind::use_consumable && before.consumables[action.a].edition == e_negative;
    if (negative_used || over <= std::max(0, before.consumable_count - consumable_slots(before))) {
        return {};
    }
    return named("slots", std::to_string(after.consumable_count) + " consumables in " +
                              std::to_string(consumable_slots(after)) + " slots");
}

std::string broken_counters(const State& before, const Action& action, const State& after) {
    const int antes = after.ante - before.ante;
    const bool back = action.kind == ActionKind::redeem_voucher;
    if (antes != 0 && antes != (back ? -1 : 1)) {
        return named("ante", "moved by " + std::to_string(antes));
    }
    if (after.next_created < before.next_created || after.hands_played < before.hands_played ||
        after.skips < before.skips || (before.won != 0 && after.won == 0)) {
        return named("counters", "a counter of the run went back");
    }
    if ((before.vouchers & ~after.vouchers) != 0) {
        return named("vouchers", "a redeemed voucher was lost");
    }
    if (action.kind == ActionKind::play_hand && after.hands_played != before.hands_played + 1) {
        return named("counters", "a play did not count");
    }
    const bool same_round = before.phase == Phase::playing && after.phase == Phase::playing;
    if (same_round && after.round.score < before.round.score) {
        return named("score", "the score fell");
    }
    if (before.phase == Phase::playing && after.phase == Phase::round_eval && after.saved_by_bones == 0 &&
        !(after.round.score >= after.round.target)) {
        return named("score", "a round was won below its target");
    }
    if (same_round && after.round.score >= after.round.target && before.round.score < before.round.target) {
        return named("score", "a round goes on although its target is reached");
    }
    return {};
}

// The deck changes only where a rule adds or destroys cards.
std::string broken_deck_size(const State& before, const Action& action, const State& after) {
    const int change = after.card_count - before.card_count;
    switch (action.kind) {
    case ActionKind::play_hand:
        // Up to five played cards shatter, and Trading Card may destroy one that The Hook discards. DNA and
        // its copies add one card each.
        return change < -6 || change > kMaxJokers ? named("deck size", "changed by " + std::to_string(change))
                                                  : std::string();
    case ActionKind::discard:
        return change < -1 || change > 0 ? named("deck size", "a discard changed it") : std::string();
    case ActionKind::select_blind:  // Marble Joker, Certificate
        return change < 0 ? named("deck size", "a blind took cards") : std::string();
    case ActionKind::buy_card: {
        const int bought = before.shop.slots[action.a].kind == ItemKind::playing_card ? 1 : 0;
        return change != bought && after.card_count < kMaxCards ? named("deck size", "a purchase changed it")
                                                                : std::string();
    }
    case ActionKind::pick_card:
    case ActionKind::use_consumable:
    case ActionKind::buy_and_use:
        return change < -5 || change > 4 ? named("deck size", "changed by " + std::to_string(change))
                                         : std::string();
    default:
        return change != 0 ? named("deck size", "changed by " + std::to_string(change)) : std::string();
    }
}

}  // namespace

std::string broken_step(const State& before, const Action& action, const State& after) {
    for (const auto rule :
         {broken_money, broken_joker_slots, broken_consumable_slots, broken_counters, broken_deck_size}) {
        if (std::string broken = rule(before, action, after); !broken.empty()) {
            return broken;
        }
    }
    return broken_display(before, after);
}

}  // namespace jimbot::fuzz
