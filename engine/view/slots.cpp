#include "view/slots.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/consumables.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/shop.hpp"

namespace jimbot {

namespace {

struct Subsets {
    std::array<std::uint8_t, kPlaySubsets> play{};
    std::array<std::uint8_t, kTargetSubsets> target{};
    std::array<std::int16_t, 256> play_index{};
    std::array<std::int16_t, 256> target_index{};
    // Legal plays by the number of cards in the window, without forced cards.
    std::array<std::array<std::uint8_t, kPlaySubsets>, kWindow + 1> legal{};
};

Subsets list_subsets() noexcept {
    Subsets subsets;
    subsets.play_index.fill(-1);
    subsets.target_index.fill(-1);
    int plays = 0;
    legal::each_subset(kWindow, 1, 5, [&](std::uint32_t mask) {
        subsets.play_index[mask] = static_cast<std::int16_t>(plays);
        subsets.play[static_cast<std::size_t>(plays++)] = static_cast<std::uint8_t>(mask);
    });
    int targets = 0;
    legal::each_subset(kWindow, 1, 3, [&](std::uint32_t mask) {
        subsets.target_index[mask] = static_cast<std::int16_t>(targets);
        subsets.target[static_cast<std::size_t>(targets++)] = static_cast<std::uint8_t>(mask);
    });
    for (int cards = 0; cards <= kWindow; ++cards) {
        for (std::size_t i = 0; i < kPlaySubsets; ++i) {
            subsets.legal[static_cast<std::size_t>(cards)][i] =
                std::bit_width(subsets.play[i]) <= cards ? 1 : 0;
        }
    }
    return subsets;
}

const Subsets kSubsets = list_subsets();

std::uint8_t legal_byte(const State& state, const Action& action) {
    return check_action(state, action) == Refusal::none ? 1 : 0;
}

Action at(ActionKind kind, int position, std::uint32_t mask = 0) {
    return {kind, static_cast<std::uint8_t>(position), 0, 0, mask};
}

// The consumable an action would use, c_none if there is none at that position.
int consumable_at(const State& state, ActionKind kind, int position) {
    switch (kind) {
    case ActionKind::use_consumable:
        return position < state.consumable_count ? state.consumables[position].id : 0;
    case ActionKind::buy_and_use:
        return position < state.shop.slot_count && state.shop.slots[position].kind == ItemKind::consumable
                   ? state.shop.slots[position].id
                   : 0;
    case ActionKind::pick_card:
        return position < state.pack.count && state.pack.cards[position].kind == ItemKind::consumable
                   ? state.pack.cards[position].id
                   : 0;
    default:
        return c_none;
    }
}

bool needs_targets(const State& state, ActionKind kind, int position) {
    const int id = consumable_at(state, kind, position);
    return id != c_none && kConsumables[static_cast<std::size_t>(id)].max_targets > 0;
}

// Whether some choice of targets, here or after bringing other cards to the front, makes the action legal.
bool targets_exist(const State& state, ActionKind kind, int position) {
    const ConsumableEntry& entry =
        kConsumables[static_cast<std::size_t>(consumable_at(state, kind, position))];
    bool found = false;
    legal::each_subset(state.hand_count, entry.min_targets, entry.min_targets, [&](std::uint32_t mask) {
        found = found || check_action(state, at(kind, position, mask)) == Refusal::none;
    });
    if (!found && entry.max_targets > entry.min_targets) {  // a forced card may ask for one more
        legal::each_subset(state.hand_count, entry.max_targets, entry.max_targets, [&](std::uint32_t mask) {
            found = found || check_action(state, at(kind, position, mask)) == Refusal::none;
        });
    }
    return found;
}

std::uint8_t usable_byte(const State& state, ActionKind kind, int position) {
    if (needs_targets(state, kind, position)) {
        return targets_exist(state, kind, position) ? 1 : 0;
    }
    return legal_byte(state, at(kind, position));
}

void write_reorderings(const State& state, std::uint8_t* mask) {
    const int rows = state.hand_count < kHandRows ? state.hand_count : kHandRows;
    if (rows > 1) {
        std::memset(mask + slot_card_to_front, 1, static_cast<std::size_t>(rows - 1));
    }
}

void write_plays(const State& state, std::uint8_t* mask) {
    const int cards = state.hand_count < kWindow ? state.hand_count : kWindow;
    const auto& legal = kSubsets.legal[static_cast<std::size_t>(cards)];
    const std::uint32_t forced = forced_positions(state);
    const bool discards = state.round.discards_left > 0;
    if (forced == 0) {
        std::memcpy(mask + slot_play, legal.data(), kPlaySubsets);
        if (discards) {
            std::memcpy(mask + slot_discard, legal.data(), kPlaySubsets);
        }
        return;
    }
    for (int i = 0; i < kPlaySubsets; ++i) {
        const std::uint32_t subset = kSubsets.play[static_cast<std::size_t>(i)];
        const bool allowed = legal[static_cast<std::size_t>(i)] != 0 && (subset & forced) == forced;
        mask[slot_play + i] = allowed ? 1 : 0;
        mask[slot_discard + i] = allowed && discards ? 1 : 0;
    }
}

void write_pending(const State& state, const Pending& pending, std::uint8_t* mask) {
    mask[slot_cancel] = 1;
    const int id = consumable_at(state, pending.kind, pending.position);
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    for (int i = 0; i < kTargetSubsets; ++i) {
        const std::uint32_t subset = kSubsets.target[static_cast<std::size_t>(i)];
        const int size = count_bits(subset);
        if (size >= entry.min_targets && size <= entry.max_targets) {
            mask[slot_target + i] = legal_byte(state, at(pending.kind, pending.position, subset));
        }
    }
    write_reorderings(state, mask);
}

void write_shop(const State& state, std::uint8_t* mask) {
    for (int i = 0; i < state.shop.slot_count; ++i) {
        mask[slot_buy + i] = legal_byte(state, at(ActionKind::buy_card, i));
        mask[slot_buy_and_use + i] = usable_byte(state, ActionKind::buy_and_use, i);
    }
    for (int i = 0; i < state.shop.voucher_count; ++i) {
        mask[slot_redeem + i] = legal_byte(state, at(ActionKind::redeem_voucher, i));
    }
    for (int i = 0; i < kShopPacks; ++i) {
        mask[slot_open + i] = legal_byte(state, at(ActionKind::open_pack, i));
    }
    mask[slot_reroll_shop] = can_pay(state, reroll_price(state)) ? 1 : 0;
    mask[slot_leave_shop] = 1;
}

// The engine's action of an index, for indices that stand for one whatever is pending.
Action engine_action(const State& state, const Pending& pending, int slot) {
    const auto in = [&](int first, int count) { return slot >= first && slot < first + count; };
    if (in(slot_play, kPlaySubsets)) {
        return at(ActionKind::play_hand, 0, play_mask(slot - slot_play));
    }
    if (in(slot_discard, kPlaySubsets)) {
        return at(ActionKind::discard, 0, play_mask(slot - slot_discard));
    }
    if (in(slot_target, kTargetSubsets)) {
        return at(pending.kind, pending.position, target_mask(slot - slot_target));
    }
    if (in(slot_joker_left, kMaxJokers - 1)) {
        const int from = slot - slot_joker_left + 1;
        return {ActionKind::move_joker, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(from - 1),
                0, 0};
    }
    if (in(slot_card_to_front, kHandRows - 1)) {
        return at(ActionKind::move_card, row_position(state, slot - slot_card_to_front + 1));
    }
    struct Group {
        int first;
        int count;
        ActionKind kind;
    };
    constexpr Group kGroups[] = {
        {slot_select_blind, 1, ActionKind::select_blind},
        {slot_skip_blind, 1, ActionKind::skip_blind},
        {slot_reroll_boss, 1, ActionKind::reroll_boss},
        {slot_cash_out, 1, ActionKind::cash_out},
        {slot_reroll_shop, 1, ActionKind::reroll_shop},
        {slot_leave_shop, 1, ActionKind::leave_shop},
        {slot_skip_pack, 1, ActionKind::skip_pack},
        {slot_sort_by_rank, 2, ActionKind::sort_hand},
        {slot_buy, kMaxShopSlots, ActionKind::buy_card},
        {slot_buy_and_use, kMaxShopSlots, ActionKind::buy_and_use},
        {slot_redeem, kMaxShopVouchers, ActionKind::redeem_voucher},
        {slot_open, kShopPacks, ActionKind::open_pack},
        {slot_pick, kMaxPackCards, ActionKind::pick_card},
        {slot_sell_joker, kMaxJokers, ActionKind::sell_joker},
        {slot_sell_consumable, kMaxConsumables, ActionKind::sell_consumable},
        {slot_use, kMaxConsumables, ActionKind::use_consumable},
    };
    for (const Group& group : kGroups) {
        if (in(group.first, group.count)) {
            return at(group.kind, slot - group.first);
        }
    }
    return {ActionKind::count, 0, 0, 0, 0};
}

bool waits_for_targets(const State& state, const Action& action) {
    return (action.kind == ActionKind::use_consumable || action.kind == ActionKind::buy_and_use ||
            action.kind == ActionKind::pick_card) &&
           action.mask == 0 && needs_targets(state, action.kind, action.a);
}

std::string positions_text(std::uint32_t mask) {
    std::string text;
    for (int i = 0; i < kWindow; ++i) {
        if (((mask >> i) & 1) != 0) {
            text.append(text.empty() ? "" : " ").append(std::to_string(i));
        }
    }
    return text;
}

}  // namespace

std::uint32_t play_mask(int subset) { return kSubsets.play[static_cast<std::size_t>(subset)]; }
std::uint32_t target_mask(int subset) { return kSubsets.target[static_cast<std::size_t>(subset)]; }
int play_subset(std::uint32_t mask) { return mask < 256 ? kSubsets.play_index[mask] : -1; }
int target_subset(std::uint32_t mask) { return mask < 256 ? kSubsets.target_index[mask] : -1; }

void write_slot_mask(const State& state, const Pending& pending, std::uint8_t* mask) {
    std::memset(mask, 0, slot_count);
    if (pending.active()) {
        write_pending(state, pending, mask);
        return;
    }
    switch (state.phase) {
    case Phase::playing:
        write_plays(state, mask);
        break;
    case Phase::blind_select:
        mask[slot_select_blind] = 1;
        mask[slot_skip_blind] = state.blind_on_deck < 2 ? 1 : 0;
        mask[slot_reroll_boss] = legal_byte(state, at(ActionKind::reroll_boss, 0));
        break;
    case Phase::round_eval:
        mask[slot_cash_out] = 1;
        break;
    case Phase::shop:
        write_shop(state, mask);
        break;
    case Phase::pack:
        for (int i = 0; i < state.pack.count; ++i) {
            mask[slot_pick + i] = usable_byte(state, ActionKind::pick_card, i);
        }
        mask[slot_skip_pack] = 1;
        break;
    case Phase::game_over:
        return;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        mask[slot_sell_joker + i] = (state.jokers[i].stickers & sticker_eternal) != 0 ? 0 : 1;
    }
    for (int i = 0; i + 1 < state.joker_count; ++i) {
        mask[slot_joker_left + i] =
            ((state.jokers[i].stickers | state.jokers[i + 1].stickers) & sticker_pinned) != 0 ? 0 : 1;
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        mask[slot_sell_consumable + i] = 1;
        mask[slot_use + i] = usable_byte(state, ActionKind::use_consumable, i);
    }
    if (state.hand_count > 0) {
        mask[slot_sort_by_rank] = mask[slot_sort_by_suit] = 1;
        write_reorderings(state, mask);
    }
}

bool possible_pending(const State& state, const Pending& pending) {
    return !pending.active() || needs_targets(state, pending.kind, pending.position);
}

Decision read_slot(const State& state, const Pending& pending, int slot) {
    constexpr Decision kRefused{Decision::Kind::refused, {ActionKind::count}, {}};
    if (slot < 0 || slot >= slot_count || state.phase == Phase::game_over) {
        return kRefused;
    }
    if (slot == slot_cancel) {
        return pending.active() ? Decision{Decision::Kind::pending, {ActionKind::count}, {}} : kRefused;
    }
    const bool target = slot >= slot_target && slot < slot_cancel;
    const bool reorders = slot >= slot_card_to_front;
    if (target != pending.active() && !(pending.active() && reorders)) {
        return kRefused;
    }
    const Action action = engine_action(state, pending, slot);
    if (waits_for_targets(state, action)) {
        const Phase needed = required_phase(action.kind);
        const bool now = needed == Phase::game_over || needed == state.phase;
        return now && targets_exist(state, action.kind, action.a)
                   ? Decision{Decision::Kind::pending, {ActionKind::count}, {action.kind, action.a}}
                   : kRefused;
    }
    return {Decision::Kind::action, action, reorders ? pending : Pending{}};
}

bool slot_legal(const State& state, const Pending& pending, int slot) {
    const Decision decision = read_slot(state, pending, slot);
    return decision.kind == Decision::Kind::pending ||
           (decision.kind == Decision::Kind::action && check_action(state, decision.action) == Refusal::none);
}

std::string_view slot_refusal(const State& state, const Pending& pending, int slot) {
    if (slot_legal(state, pending, slot)) {
        return {};
    }
    if (state.phase == Phase::game_over) {
        return refusal_text(Refusal::run_is_over);
    }
    const bool target = slot >= slot_target && slot <= slot_cancel;  // giving up belongs to them
    if (target && !pending.active()) {
        return "no card waits for its targets; choose one that needs them first";
    }
    if (!target && pending.active() && slot < slot_card_to_front) {
        return "a chosen card waits for its targets; choose them or give up choosing";
    }
    const Action action = engine_action(state, pending, slot);
    const Refusal refusal = check_action(state, action);
    // A card that needs targets may lack them yet: what is missing is a choice of them that would do.
    return waits_for_targets(state, action) && refusal == Refusal::wrong_targets
               ? "there are no hand cards it could be used on"
               : refusal_text(refusal);
}

std::string slot_meaning(int slot) {
    const auto numbered = [&](int first, int count, const char* text, int offset = 0) {
        return slot >= first && slot < first + count
                   ? std::string(text) + " " + std::to_string(slot - first + offset)
                   : std::string();
    };
    if (slot < slot_discard) {
        return "play hand cards " + positions_text(play_mask(slot - slot_play));
    }
    if (slot < slot_target) {
        return "discard hand cards " + positions_text(play_mask(slot - slot_discard));
    }
    if (slot < slot_cancel) {
        return "target hand cards " + positions_text(target_mask(slot - slot_target));
    }
    constexpr const char* kSingles[] = {
        "give up choosing targets", "play the blind", "skip the blind",
        "reroll the boss",          "cash out",       "reroll the shop",
        "leave the shop",           "skip the pack",  "sort the hand by rank",
        "sort the hand by suit",
    };
    if (slot < slot_buy) {
        return kSingles[slot - slot_cancel];
    }
    for (const std::string& text : {
             numbered(slot_buy, kMaxShopSlots, "buy shop card"),
             numbered(slot_buy_and_use, kMaxShopSlots, "buy and use shop card"),
             numbered(slot_redeem, kMaxShopVouchers, "redeem voucher"),
             numbered(slot_open, kShopPacks, "open booster pack"),
             numbered(slot_pick, kMaxPackCards, "take pack card"),
             numbered(slot_sell_joker, kMaxJokers, "sell joker"),
             numbered(slot_sell_consumable, kMaxConsumables, "sell consumable"),
             numbered(slot_use, kMaxConsumables, "use consumable"),
             numbered(slot_joker_left, kMaxJokers - 1, "move one to the left joker", 1),
             numbered(slot_card_to_front, kHandRows - 1, "bring to the front hand card", 1),
         }) {
        if (!text.empty()) {
            return text;
        }
    }
    return {};
}

}  // namespace jimbot
