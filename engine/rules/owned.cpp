#include "rules/owned.hpp"

#include <algorithm>
#include <cmath>

#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "rules/generate.hpp"
#include "rules/pools.hpp"
#include "rules/round.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

namespace {

int passive_sum(const State& state, std::int16_t JokerEntry::* field) {
    int sum = 0;
    each_active_joker(state, [&](const Joker& joker) { sum += kJokers[joker.id].*field; });
    return sum;
}

// What a joker gives the moment its ability arrives (+1) or leaves (-1).
void shift_immediate_gifts(State& state, const Joker& joker, int direction) {
    const JokerEntry& entry = kJokers[joker.id];
    if (entry.passive.free_rerolls != 0) {
        state.free_rerolls =
            bounded_count(std::max(0, state.free_rerolls + direction * entry.passive.free_rerolls));
    }
    const int discards = entry.discards;
    if (discards != 0 && state.round.blind != bl_none) {
        state.round.discards_left =
            bounded_count(std::max(0, state.round.discards_left + direction * discards));
    }
    if (entry.hooks.gained != nullptr && direction > 0) {
        entry.hooks.gained(state);
    }
}

// Jokers coming and going make a boss look at every card anew (Smeared Joker, Pareidolia).
void test_cards_again(State& state) {
    if (is_boss(state.round.blind) && state.round.boss_disabled == 0) {
        refresh_debuffs(state);
    }
}

}  // namespace

int joker_slots(const State& state) {
    int slots = state.base_joker_slots + voucher_sum<&VoucherEntry::joker_slots>(state);
    for (int i = 0; i < state.joker_count; ++i) {
        slots += state.jokers[i].edition == e_negative ? 1 : 0;
    }
    return slots;
}

int consumable_slots(const State& state) {
    int slots = state.base_consumable_slots + voucher_sum<&VoucherEntry::consumable_slots>(state);
    for (int i = 0; i < state.consumable_count; ++i) {
        slots += state.consumables[i].edition == e_negative ? 1 : 0;
    }
    return slots;
}

int hand_size(const State& state) {
    int size = state.base_hand_size + voucher_sum<&VoucherEntry::hand_size>(state) +
               state.round.hand_size_bonus + active_blind(state).hand_size;
    each_active_joker(state, [&](const Joker& joker) {
        const JokerEntry& entry = kJokers[joker.id];
        size += entry.hand_size + (entry.passive.counter_is_hand_size ? joker.counter : 0);
    });
    if (has_rule(state, rule_hand_size_by_money)) {
        size -= static_cast<int>(std::floor(static_cast<double>(state.money) / 5.0));
    }
    return size;
}

int hands_per_round(const State& state) {
    return state.base_hands + voucher_sum<&VoucherEntry::hands>(state) +
           passive_sum(state, &JokerEntry::hands);
}

int discards_per_round(const State& state) {
    return state.base_discards + voucher_sum<&VoucherEntry::discards>(state) +
           passive_sum(state, &JokerEntry::discards);
}

int odds_factor(const State& state) {
    int factor = 1;
    each_passive(state, [&](const JokerPassive& passive) { factor *= passive.odds_factor; });
    return factor;
}

Joker joker_from_item(const State& state, const Item& item) {
    const JokerEntry& entry = kJokers[item.id];
    Joker joker{};
    joker.id = item.id;
    joker.edition = item.edition;
    joker.stickers = item.stickers;
    joker.created = item.card.created;
    joker.hand = item.hand;
    joker.value = entry.start_value;
    joker.counter = entry.start_counter;
    joker.rounds_left = 5;
    if (entry.hooks.created != nullptr) {
        entry.hooks.created(state, joker);
    }
    return joker;
}

namespace {

// Cards are drawn at once when the hand size grows in the middle of a round; shrinking takes none away.
void draw_for_growth(State& state, int size_before) {
    const int growth = hand_size(state) - size_before;
    if (growth > 0 && state.phase == Phase::playing && state.hand_count > 0) {
        draw_more_cards(state, growth);
    }
}

}  // namespace

bool add_joker(State& state, const Joker& joker) {
    if (state.joker_count >= kMaxJokers) {
        release_joker(state, joker.id);
        return false;
    }
    const int size_before = hand_size(state);
    state.jokers[state.joker_count++] = joker;
    mark_joker(state, joker.id);
    draw_for_growth(state, size_before);
    if (!joker.debuffed()) {
        shift_immediate_gifts(state, joker, +1);
    }
    test_cards_again(state);
    return true;
}

void remove_joker(State& state, int position) {
    const Joker gone = state.jokers[position];
    const int size_before = hand_size(state);
    std::copy(state.jokers + position + 1, state.jokers + state.joker_count, state.jokers + position);
    --state.joker_count;
    state.jokers[state.joker_count] = {};
    release_joker(state, gone.id);
    draw_for_growth(state, size_before);
    if (!gone.debuffed()) {
        shift_immediate_gifts(state, gone, -1);
    }
    test_cards_again(state);
}

void set_joker_flags(State& state, Joker& joker, std::uint8_t flags) {
    const bool was = joker.debuffed();
    const int size_before = hand_size(state);
    joker.flags = flags;
    if (was != joker.debuffed()) {
        draw_for_growth(state, size_before);
        shift_immediate_gifts(state, joker, was ? +1 : -1);
    }
}

void remove_jokers(State& state, std::uint32_t doomed) {
    for (int i = state.joker_count - 1; i >= 0; --i) {
        if (((doomed >> i) & 1) != 0) {
            remove_joker(state, i);
        }
    }
}

bool add_consumable(State& state, const Consumable& consumable) {
    if (state.consumable_count >= kMaxConsumables) {
        release_consumable(state, consumable.id);
        return false;
    }
    state.consumables[state.consumable_count++] = consumable;
    mark_consumable(state, consumable.id);
    return true;
}

void remove_consumable(State& state, int position) {
    const int id = state.consumables[position].id;
    std::copy(state.consumables + position + 1, state.consumables + state.consumable_count,
              state.consumables + position);
    --state.consumable_count;
    state.consumables[state.consumable_count] = {};
    release_consumable(state, id);
}

bool create_consumable(State& state, Pool pool, Stream stream) {
    if (!consumable_room(state)) {
        return false;
    }
    const Item item = make_consumable(state, pool, stream, false);
    return add_consumable(state, {item.card.created, 0, item.id, e_none});
}

bool create_given_consumable(State& state, ConsumableId id) {
    if (!consumable_room(state)) {
        return false;
    }
    const Item item = make_given_consumable(state, id);
    return add_consumable(state, {item.card.created, 0, item.id, e_none});
}

void level_up(State& state, HandType hand, int levels) {
    state.hands[hand].level = std::clamp(state.hands[hand].level + levels, 0, kMaxLevel);
}

int copied_ability(const State& state, int position) {
    int at = position;
    for (int steps = 0; steps <= state.joker_count; ++steps) {
        const Joker& joker = state.jokers[at];
        if (joker.debuffed()) {
            return -1;
        }
        switch (kJokers[joker.id].passive.copies) {
        case Copies::never:
            return kJokers[joker.id].copyable ? at : -1;
        case Copies::right_neighbor:
            if (++at >= state.joker_count) {
                return -1;
            }
            break;
        case Copies::leftmost:
            if (at == 0) {
                return -1;
            }
            at = 0;
            break;
        }
    }
    return -1;  // copiers that copy each other
}

}  // namespace jimbot
