// The other way to act: at each step up to K legal actions, each with a row of features.
//
// The list holds every kind of decision that matters now: plays by their preview, discards by what they keep,
// uses with their targets, purchases, sales, orders of jokers and cards that raise the score. Its order is
// that of the actions' encoding: a policy scores rows and does not learn indices.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/actions.hpp"
#include "core/state.hpp"
#include "view/strength.hpp"

namespace jimbot {

inline constexpr int kMinCandidates = 16;
inline constexpr int kMaxCandidates = 256;

// One row: a one for the kind of action, a one for a poker hand, then numbers.
enum CandidateFeature : int {
    feature_kind = 0,
    feature_hand = feature_kind + static_cast<int>(ActionKind::count),
    feature_worst = feature_hand + hand_types,
    feature_mean,
    feature_best,
    feature_share,
    feature_clears,
    feature_may_clear,
    feature_below_best,
    feature_cards,
    feature_rank,
    feature_kept_suit,
    feature_kept_rank,
    feature_kept_straight,
    feature_hands_left,
    feature_discards_left,
    feature_money,
    feature_interest,
    feature_strength,
    feature_margin,
    feature_flush_chance,
    feature_straight_chance,
    feature_kind_chance,
    feature_any_chance,
    feature_edition,
    feature_position,
    feature_count,
};
inline constexpr int kCandidateFeatures = feature_count;

// Name and meaning of every feature.
struct FeatureText {
    std::string_view name;
    std::string_view text;
};
extern const std::array<FeatureText, kCandidateFeatures> kCandidateTexts;

// What a candidate does: an action, and before it possibly a free move of a card or joker that it needs.
struct Candidate {
    Action before;  // kind count: none
    Action action;

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Where the candidates of one game go. Rows beyond the count are zero.
struct CandidateRows {
    Candidate* list;
    float (*features)[kCandidateFeatures];
    std::int16_t (*ids)[2];
    std::uint8_t* mask;
    int limit;  // K
};

// Lists up to `limit` legal actions and describes them. `previous` rows hold something from the last call;
// returns how many hold something now. `memo` only saves time. The list depends on public information only.
int list_candidates(const State& state, const CandidateRows& out, int previous, StrengthMemo& memo);

}  // namespace jimbot
