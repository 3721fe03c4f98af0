#include "rules/packs.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/cards.hpp"
#include "rules/consumables.hpp"
#include "rules/game.hpp"
#include "rules/tags.hpp"

namespace jimbot {

namespace {

void deal_hand(State& state) {
    const int size = std::clamp(hand_size(state), 0, kMaxHand);
    while (state.hand_count < size && state.draw_count > 0) {
        const std::uint8_t index = state.draw_pile[--state.draw_count];
        state.cards[index].move_to(CardPlace::hand);
        state.hand[state.hand_count++] = index;
    }
    sort_hand(state);
}

// The dealt hand goes under the draw pile.
void return_hand(State& state) {
    const int count = state.hand_count;
    std::copy_backward(state.draw_pile, state.draw_pile + state.draw_count,
                       state.draw_pile + state.draw_count + count);
    for (int i = 0; i < count; ++i) {
        state.draw_pile[i] = state.hand[i];
        state.cards[state.hand[i]].move_to(CardPlace::draw_pile);
    }
    state.draw_count = static_cast<std::uint8_t>(state.draw_count + count);
    state.hand_count = 0;
}

void end_pack(State& state) {
    return_hand(state);
    close_pack(state);
    state.phase = state.pack_returns_to;
    if (state.phase == Phase::blind_select) {
        run_blind_choice_tags(state);
    }
}

}  // namespace

void open_pack(State& state, PackId id) {
    state.pack_returns_to = state.phase;
    state.phase = Phase::pack;
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.pack_opened != nullptr) {
            hooks.pack_opened(turn);
        }
    });
    open_pack_contents(state, id);
    const PackKind kind = kPacks[id].kind;
    if (kind == PackKind::arcana || kind == PackKind::spectral) {
        deal_hand(state);
    }
}

Refusal can_pick(const State& state, int position, std::uint32_t mask) {
    if (position >= state.pack.count) {
        return Refusal::bad_position;
    }
    const Item& item = state.pack.cards[position];
    switch (item.kind) {
    case ItemKind::joker:
    case ItemKind::playing_card:
        return mask != 0 ? Refusal::wrong_targets : check_room(state, item);
    case ItemKind::consumable:
        return can_use(state, item.id, mask, consumable_slots(state) - state.consumable_count);
    default:
        return Refusal::empty_position;
    }
}

void pick_card(State& state, int position, std::uint32_t mask) {
    const Item item = state.pack.cards[position];
    std::copy(state.pack.cards + position + 1, state.pack.cards + state.pack.count,
              state.pack.cards + position);
    --state.pack.count;
    state.pack.cards[state.pack.count] = {};
    --state.pack.choices_left;
    switch (item.kind) {
    case ItemKind::joker:
        add_joker(state, joker_from_item(state, item));
        break;
    case ItemKind::consumable:
        use_consumable(state, item.id, mask);
        break;
    case ItemKind::playing_card:
        gain_made_card(state, item.card, CardPlace::draw_pile);
        break;
    default:
        break;
    }
    if (state.phase == Phase::pack && (state.pack.choices_left == 0 || state.pack.count == 0)) {
        end_pack(state);
    }
}

void skip_pack(State& state) {
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.pack_skipped != nullptr) {
            hooks.pack_skipped(turn);
        }
    });
    end_pack(state);
}

}  // namespace jimbot
