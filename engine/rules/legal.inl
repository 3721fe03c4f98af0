// Enumeration of legal actions. Included by rules/game.hpp only.
#pragma once

#include <bit>

#include "catalog/catalog.hpp"

namespace jimbot {

namespace legal {

// Calls visit(mask) for every subset of `count` positions with `low` to `high` members, smallest first.
template <typename Visit> void each_subset(int count, int low, int high, Visit visit) {
    for (int size = low; size <= high && size <= count; ++size) {
        if (size == 0) {
            visit(std::uint32_t{0});
            continue;
        }
        std::uint64_t mask = (std::uint64_t{1} << size) - 1;
        const std::uint64_t end = std::uint64_t{1} << count;
        while (mask < end) {
            visit(static_cast<std::uint32_t>(mask));
            const std::uint64_t lowest = mask & (~mask + 1);
            const std::uint64_t ripple = mask + lowest;
            mask = ripple | ((mask ^ ripple) >> ((2 + std::countr_zero(lowest)) & 63));
        }
    }
}

template <typename Visit>
void each_use(const State& state, ActionKind kind, int position, int id, Visit visit) {
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    each_subset(state.hand_count, entry.min_targets, entry.max_targets, [&](std::uint32_t mask) {
        visit(Action{kind, static_cast<std::uint8_t>(position), 0, 0, mask});
    });
}

}  // namespace legal

template <typename Visit> void each_legal_action(const State& state, Visit visit) {
    const auto offer = [&](const Action& action) {
        if (check_action(state, action) == Refusal::none) {
            visit(action);
        }
    };
    const auto plain = [&](ActionKind kind, int a = 0, int b = 0) {
        offer(Action{kind, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, 0});
    };
    switch (state.phase) {
    case Phase::playing:
        for (const ActionKind kind : {ActionKind::play_hand, ActionKind::discard}) {
            legal::each_subset(state.hand_count, 1, 5, [&](std::uint32_t mask) { offer(Action{kind, 0, 0, 0, mask}); });
        }
        break;
    case Phase::blind_select:
        plain(ActionKind::select_blind);
        plain(ActionKind::skip_blind);
        plain(ActionKind::reroll_boss);
        break;
    case Phase::round_eval:
        plain(ActionKind::cash_out);
        break;
    case Phase::shop:
        for (int i = 0; i < state.shop.slot_count; ++i) {
            plain(ActionKind::buy_card, i);
            if (state.shop.slots[i].kind == ItemKind::consumable) {
                legal::each_use(state, ActionKind::buy_and_use, i, state.shop.slots[i].id, offer);
            }
        }
        for (int i = 0; i < state.shop.voucher_count; ++i) {
            plain(ActionKind::redeem_voucher, i);
        }
        for (int i = 0; i < kShopPacks; ++i) {
            plain(ActionKind::open_pack, i);
        }
        plain(ActionKind::reroll_shop);
        plain(ActionKind::leave_shop);
        break;
    case Phase::pack:
        for (int i = 0; i < state.pack.count; ++i) {
            if (state.pack.cards[i].kind == ItemKind::consumable) {
                legal::each_use(state, ActionKind::pick_card, i, state.pack.cards[i].id, offer);
            } else {
                plain(ActionKind::pick_card, i);
            }
        }
        plain(ActionKind::skip_pack);
        break;
    case Phase::game_over:
        return;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        plain(ActionKind::sell_joker, i);
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        plain(ActionKind::sell_consumable, i);
        legal::each_use(state, ActionKind::use_consumable, i, state.consumables[i].id, offer);
    }
    for (int from = 0; from < state.joker_count; ++from) {
        for (int to = 0; to < state.joker_count; ++to) {
            plain(ActionKind::move_joker, from, to);
        }
    }
    for (int from = 0; from < state.hand_count; ++from) {
        for (int to = 0; to < state.hand_count; ++to) {
            plain(ActionKind::move_card, from, to);
        }
    }
    plain(ActionKind::sort_hand, 0);
    plain(ActionKind::sort_hand, 1);
}

}  // namespace jimbot
