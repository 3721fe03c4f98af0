// The tunable numbers of the scripted player: one vector of named values.
//
// Strength is counted in natural logarithms of a round's score: +0.69 is twice the score. Worth of things is
// counted in the same unit, and money is exchanged for it at the prices below.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/ids.hpp"

namespace jimbot {

enum WeightId : int {
    // hand play
    w_hand_samples,
    w_close_samples,
    w_close_count,
    w_fresh_samples,
    w_discard_reach,
    w_hand_left,
    w_lucky_clear,
    w_spread,
    w_near_miss,
    w_discard_left,
    w_held_gold,
    w_glass_risk,
    w_growth,
    // build strength
    w_strength_samples,
    w_strength_reach,
    w_hands_exponent,
    w_horizon,
    w_margin_wanted,
    w_boss_grace,
    // money
    w_dollar,
    w_dollar_rich,
    w_interest,
    w_reserve,
    w_weak_discount,
    w_income_rounds,
    // shop
    w_buy_threshold,
    w_replace_threshold,
    w_empty_slot,
    w_reroll_gain,
    w_reroll_need,
    w_reroll_rich,
    w_reroll_cap,
    w_pack_arcana,
    w_pack_celestial,
    w_pack_standard,
    w_pack_buffoon,
    w_pack_spectral,
    w_pack_size,
    w_planet_focus,
    w_playing_card,
    w_voucher_early,
    w_edition_foil,
    w_edition_holo,
    w_edition_polychrome,
    w_edition_negative,
    w_skip_cost,
    w_skip_late,
    w_boss_reroll,
    w_general_count,
    // one entry per item of the catalog: worth beyond what the strength of the build shows
    w_joker_first = w_general_count,
    w_consumable_first = w_joker_first + j_end - 1,
    w_voucher_first = w_consumable_first + c_end - 1,
    w_tag_first = w_voucher_first + v_end - 1,
    w_boss_first = w_tag_first + tag_end - 1,
    weight_count = w_boss_first + bl_end - kFirstBoss,
};

struct WeightEntry {
    std::string_view name;
    double value;  // the default
    double low;
    double high;
    std::string_view text;
};

// The general weights, in the order of WeightId.
extern const std::array<WeightEntry, w_general_count> kGeneralWeights;

// Name, default and bounds of any weight; items are named after their key, "joker." and the key.
std::string weight_name(int id);
WeightEntry weight_entry(int id);  // without its name

struct ExpertWeights {
    std::array<double, weight_count> values;

    ExpertWeights();  // the defaults
    double operator[](int id) const { return values[static_cast<std::size_t>(id)]; }
    double joker(int id) const { return (*this)[w_joker_first + id - 1]; }
    double consumable(int id) const { return (*this)[w_consumable_first + id - 1]; }
    double voucher(int id) const { return (*this)[w_voucher_first + id - 1]; }
    double tag(int id) const { return (*this)[w_tag_first + id - 1]; }
    double boss(int id) const { return is_boss(id) ? (*this)[w_boss_first + id - kFirstBoss] : 0.0; }
};

}  // namespace jimbot
