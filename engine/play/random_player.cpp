#include "play/random_player.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"

namespace jimbot {

namespace {

int below(std::uint64_t& random, int count) {
    return static_cast<int>(((next_fast(random) >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

// A random set of `size` of the first `count` positions that includes `forced`.
std::uint32_t random_subset(std::uint64_t& random, int count, int size, std::uint32_t forced) {
    std::uint32_t mask = forced;
    for (int missing = size - count_bits(forced); missing > 0;) {
        const int position = below(random, count);
        missing -= static_cast<int>(~mask >> position & 1);
        mask |= std::uint32_t{1} << position;
    }
    return mask;
}

std::uint32_t random_targets(const State& state, std::uint64_t& random, int id) {
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    const int most = std::min<int>(entry.max_targets, state.hand_count);
    if (most < entry.min_targets || most == 0) {
        return 0;
    }
    return random_subset(random, state.hand_count,
                         entry.min_targets + below(random, most - entry.min_targets + 1), 0);
}

Action at(ActionKind kind, int position, std::uint32_t mask = 0) {
    return {kind, static_cast<std::uint8_t>(position), 0, 0, mask};
}

Action random_of_kind(const State& state, std::uint64_t& random, ActionKind kind) {
    switch (kind) {
    case ActionKind::play_hand:
    case ActionKind::discard: {
        const int most = std::min<int>(5, state.hand_count);
        return at(kind, 0,
                  random_subset(random, state.hand_count, 1 + below(random, most), forced_positions(state)));
    }
    case ActionKind::buy_card:
        return at(kind, below(random, std::max<int>(1, state.shop.slot_count)));
    case ActionKind::buy_and_use: {
        const int slot = below(random, std::max<int>(1, state.shop.slot_count));
        const Item& item = state.shop.slots[slot];
        return at(kind, slot, item.kind == ItemKind::consumable ? random_targets(state, random, item.id) : 0);
    }
    case ActionKind::redeem_voucher:
        return at(kind, below(random, std::max<int>(1, state.shop.voucher_count)));
    case ActionKind::open_pack:
        return at(kind, below(random, kShopPacks));
    case ActionKind::sell_joker:
        return at(kind, below(random, std::max<int>(1, state.joker_count)));
    case ActionKind::sell_consumable:
        return at(kind, below(random, std::max<int>(1, state.consumable_count)));
    case ActionKind::use_consumable: {
        if (state.consumable_count == 0) {
            return at(kind, 0);
        }
        const int position = below(random, state.consumable_count);
        return at(kind, position, random_targets(state, random, state.consumables[position].id));
    }
    case ActionKind::pick_card: {
        const int position = below(random, std::max<int>(1, state.pack.count));
        const Item& item = state.pack.cards[position];
        return at(kind, position,
                  item.kind == ItemKind::consumable ? random_targets(state, random, item.id) : 0);
    }
    default:
        return at(kind, 0);
    }
}

// What each phase offers besides using and selling; the first entry is always legal in the end.
struct PhaseKinds {
    ActionKind kinds[6];
    int count;
};

constexpr PhaseKinds kPhaseKinds[] = {
    {{ActionKind::select_blind, ActionKind::skip_blind, ActionKind::reroll_boss}, 3},
    {{ActionKind::play_hand, ActionKind::discard}, 2},
    {{ActionKind::cash_out}, 1},
    {{ActionKind::leave_shop, ActionKind::buy_card, ActionKind::buy_and_use, ActionKind::redeem_voucher,
      ActionKind::open_pack, ActionKind::reroll_shop},
     6},
    {{ActionKind::skip_pack, ActionKind::pick_card}, 2},
};

}  // namespace

Action random_action(const State& state, std::uint64_t& random) {
    const PhaseKinds& phase = kPhaseKinds[static_cast<std::size_t>(state.phase)];
    ActionKind kinds[9] = {};
    int count = 0;
    for (int i = 0; i < phase.count; ++i) {
        kinds[count++] = phase.kinds[i];
    }
    if (state.joker_count > 0) {
        kinds[count++] = ActionKind::sell_joker;
    }
    if (state.consumable_count > 0) {
        kinds[count++] = ActionKind::sell_consumable;
        kinds[count++] = ActionKind::use_consumable;
    }
    for (int tries = 0; tries < 12; ++tries) {
        const Action action = random_of_kind(state, random, kinds[below(random, count)]);
        if (check_action(state, action) == Refusal::none) {
            return action;
        }
    }
    return random_of_kind(state, random, phase.kinds[0]);
}

}  // namespace jimbot
