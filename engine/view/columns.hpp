// The columns of an observation's arrays: enumerators to write them by, names and texts to read them by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace jimbot {

// Columns are always named with their array, so a function of the same name (hand_size) is not hidden.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wshadow"
#endif

// Groups of one-hot columns have an enumerator for their first.

struct GlobalColumn {
    enum : int {
        phase,  // blind select, playing, cash-out, shop, pack
        pending = phase + static_cast<int>(Phase::game_over),
        ante,
        round,
        money,
        money_for_interest,
        hand_size,
        hands_per_round,
        discards_per_round,
        joker_slots,
        jokers,
        consumable_slots,
        consumables,
        deck_cards,
        draw_pile_cards,
        reroll_price,
        stake,
        next_blind,  // small, big, boss
        pack_choices = next_blind + 3,
        skips,
        tarots_used,
        boss_rerolls,
        sorted_by_suit,
        hands_played,
        won,
        credit,
        hand_cards,
        hand_cards_without_row,
        count,
    };
};

struct BlindColumn {
    enum : int {
        playing,
        target,
        score,
        share,
        missing,
        hands_left,
        discards_left,
        hands_played,
        discards_used,
        disabled,
        last_hand,
        only_hand,
        count,
    };
};

struct HandColumn {
    enum : int {
        present,
        face_down,
        forced,
        debuffed,
        played_this_ante,
        rank,
        chips,
        suit,
        enhancement = suit + suit_count,
        edition = enhancement + m_end - 1,
        seal = edition + e_end - 1,
        bonus = seal + s_end - 1,
        count,
    };
};

struct JokerColumn {
    enum : int {
        present,
        face_down,
        debuffed,
        edition,
        eternal = edition + e_end - 1,
        perishable,
        rental,
        rounds_left,
        sell_value,
        value_log,
        value,
        counter,
        hand,
        count,
    };
};

struct ConsumableColumn {
    enum : int { present, negative, sell_value, max_targets, count };
};

// Of everything on a shelf of the shop or in an open pack.
struct ItemColumn {
    enum : int {
        present,
        affordable,
        price,
        kind,  // joker, consumable, playing card
        edition = kind + 3,
        eternal = edition + e_end - 1,
        perishable,
        rental,
        enhancement,
        seal,
        free,
        count,
    };
};

struct LevelColumn {
    enum : int { level, played, played_this_round, chips, mult, count };
};

struct IdentityColumn {
    enum : int {
        boss,
        blind,
        ante_voucher,
        small_skip_tag,
        big_skip_tag,
        deck,
        last_consumable,
        pending,
        count,
    };
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

// One column: its values lie between `low` and `high`.
struct Column {
    std::string name;
    std::string text;
    double low;
    double high;
};

// The columns of an array of the Observation, by the array's name; an array of rows has them in every row.
// Empty for a name that no array has.
std::vector<Column> observation_columns(std::string_view array);

}  // namespace jimbot
