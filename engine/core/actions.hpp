// What a player may do. An action is eight bytes; bit i of `mask` selects the i-th hand card from the left.
#pragma once

#include <cstdint>

namespace jimbot {

enum class ActionKind : std::uint8_t {
    play_hand,  // mask
    discard,    // mask
    select_blind,
    skip_blind,
    reroll_boss,
    cash_out,
    buy_card,        // a = shop slot
    buy_and_use,     // a = shop slot, mask = targets
    redeem_voucher,  // a = voucher position
    open_pack,       // a = pack position
    reroll_shop,
    leave_shop,
    sell_joker,       // a = joker position
    sell_consumable,  // a = consumable position
    use_consumable,   // a = consumable position, mask = targets
    pick_card,        // a = position in the open pack, mask = targets
    skip_pack,
    move_joker,  // a = from, b = to
    move_card,   // a = from, b = to, in the hand
    sort_hand,   // a = SortMode
    count,
};

enum class SortMode : std::uint8_t { by_rank, by_suit };

struct Action {
    ActionKind kind;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
    std::uint8_t unused = 0;
    std::uint32_t mask = 0;

    friend bool operator==(const Action&, const Action&) = default;
};
static_assert(sizeof(Action) == 8);

// Why an action is refused. refusal_text (rules/game.hpp) has one line for each.
enum class Refusal : std::uint8_t {
    none,
    wrong_phase,
    run_is_over,
    bad_position,
    bad_selection,
    too_many_cards,
    forced_card_missing,
    no_hands_left,
    no_discards_left,
    not_enough_money,
    no_joker_slot,
    no_consumable_slot,
    not_usable_now,
    wrong_targets,
    is_eternal,
    cannot_skip_boss,
    cannot_reroll_boss,
    empty_position,
    is_pinned,
    same_position,
    deck_full,
    count,
};

}  // namespace jimbot
