// The fixed action space of the environments: every index has one meaning, whatever the run.
//
// Subsets are over the eight leftmost hand positions. Cards further right are brought to the front first: any
// of the rows that are shown, of which the last shows the last card of larger hands. A consumable that needs
// targets is chosen, and then its targets are: until that is done or given up, only targets are legal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot {

inline constexpr int kWindow = 8;          // hand positions that subsets reach
inline constexpr int kHandRows = 16;       // hand cards that are shown and can be brought to the front
inline constexpr int kPlaySubsets = 218;   // of 1 to 5 of 8 cards
inline constexpr int kTargetSubsets = 92;  // of 1 to 3 of 8 cards

// First index of each group of actions.
enum Slot : int {
    slot_play = 0,
    slot_discard = slot_play + kPlaySubsets,
    slot_target = slot_discard + kPlaySubsets,
    slot_cancel = slot_target + kTargetSubsets,
    slot_select_blind,
    slot_skip_blind,
    slot_reroll_boss,
    slot_cash_out,
    slot_reroll_shop,
    slot_leave_shop,
    slot_skip_pack,
    slot_sort_by_rank,
    slot_sort_by_suit,
    slot_buy,
    slot_buy_and_use = slot_buy + kMaxShopSlots,
    slot_redeem = slot_buy_and_use + kMaxShopSlots,
    slot_open = slot_redeem + kMaxShopVouchers,
    slot_pick = slot_open + kShopPacks,
    slot_sell_joker = slot_pick + kMaxPackCards,
    slot_sell_consumable = slot_sell_joker + kMaxJokers,
    slot_use = slot_sell_consumable + kMaxConsumables,
    slot_joker_left = slot_use + kMaxConsumables,  // joker i + 1 changes places with its left neighbor
    slot_card_to_front = slot_joker_left + (kMaxJokers - 1),  // the card of row i + 1 becomes the leftmost
    slot_count = slot_card_to_front + (kHandRows - 1),
};
static_assert(slot_count <= 1000);

// A consumable that waits for its targets.
struct Pending {
    ActionKind kind = ActionKind::count;  // count: none
    std::uint8_t position = 0;

    bool active() const { return kind != ActionKind::count; }
};

// The hand position a row shows: its own, but in hands of more cards than rows the last row shows the last
// card, so that every card comes into view by bringing the last one to the front.
inline int row_position(const State& state, int row) {
    return row == kHandRows - 1 && state.hand_count > kHandRows ? state.hand_count - 1 : row;
}

// What an index asks for: the engine's action, or only a change of what is pending.
struct Decision {
    enum class Kind : std::uint8_t { refused, action, pending } kind;
    Action action;
    Pending pending;  // afterwards
};

// Hand positions of a subset index, and the other way round (-1 if the mask is none).
std::uint32_t play_mask(int subset);
std::uint32_t target_mask(int subset);
int play_subset(std::uint32_t mask);
int target_subset(std::uint32_t mask);

// Whether nothing is pending, or a consumable that is there and needs targets.
bool possible_pending(const State& state, const Pending& pending);

// Writes 1 for every index that is legal now, 0 for the others.
void write_slot_mask(const State& state, const Pending& pending, std::uint8_t* mask);

// Whether one index is legal now.
bool slot_legal(const State& state, const Pending& pending, int slot);

// Why an index of the action space is not legal now, in words; empty if it is.
std::string_view slot_refusal(const State& state, const Pending& pending, int slot);

// What an index asks for now. Whether the engine takes the action is for apply to say.
Decision read_slot(const State& state, const Pending& pending, int slot);

// The index's meaning in words, independent of any run.
std::string slot_meaning(int slot);

}  // namespace jimbot
