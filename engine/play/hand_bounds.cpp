// What the plays of a hand model come to at most, and which hands the blind allows.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "play/hand_model.hpp"
#include "rules/blind.hpp"

namespace jimbot {

namespace {

// A bound is worked out in another order than what it bounds, so it may be off by roundings.
constexpr double kRoundingRoom = 1.0 + 1e-9;

double power(double base, int exponent) {
    double product = 1.0;
    for (int i = 0; i < exponent; ++i) {
        product *= base;
    }
    return product;
}

// The most cards of a type that score.
int most_scoring(const HandModel& model, int type) {
    const bool more = model.rules.splash || model.stones || type == hand_straight || type == hand_flush ||
                      type == hand_straight_flush;
    return more ? kMaxPlayed : kCardsOfType[type];
}

}  // namespace

std::uint16_t allowed_types(const State& state) {
    unsigned allowed = 0;
    for (int type = 0; type < hand_types; ++type) {
        allowed |= blind_blocks(state, static_cast<HandType>(type), kMaxPlayed) ? 0u : 1u << type;
    }
    return static_cast<std::uint16_t>(allowed);
}

// What no play of a type can exceed: as if it were the best card in every respect over and over, all that
// multiply came together, and every joker that looks at the cards liked them.
void bound_types(HandModel& model) {
    const int specials = std::accumulate(std::begin(model.jokers_with), std::end(model.jokers_with), 0);
    const auto with = [&](ModelRule rule) { return model.with(rule); };
    model.chips_only = !model.held_matters && specials == 0 && model.plain_cards;
    const int held = model.held_matters ? model.hand_size : 0;
    const double held_mult =
        held * model.most_held_mult + 2.0 * rank_chips(kAce) * with(ModelRule::lowest_held_rank);
    const double special_factor =
        power(model.most_held_factor, std::min(model.held_factors, held)) *
        power(3.0, with(ModelRule::held_all_black) + with(ModelRule::all_suits_score)) *
        power(2.0, with(ModelRule::club_and_other_score) + with(ModelRule::face_scores));
    for (int type = 0; type < hand_types; ++type) {
        const ModelStage& stage = model.stages[type];
        const int again = 2 * with(ModelRule::first_card_again);  // of the first card
        const int size = most_scoring(model, type);
        const int factors = std::min(model.factors, size) + (model.factors > 0 ? again : 0);
        const double all_chips = stage.base_chips + stage.chips + (size + again) * model.most_chips;
        double all_mult = stage.base_mult + (size + again) * model.most_mult + held_mult;
        all_mult *= power(model.most_factor, factors) * special_factor;
        all_mult = (all_mult * stage.factor + stage.mult) * kRoundingRoom;
        const double balanced = (all_chips + all_mult) * 0.5;
        const double usual_chips = stage.base_chips + stage.chips + 8.0 * kCardsOfType[type];
        const double usual_mult = stage.base_mult * stage.factor + stage.mult;
        const double usual_balanced = (usual_chips + usual_mult) * 0.5;
        model.typical[type] =
            model.balances_score ? usual_balanced * usual_balanced : usual_chips * usual_mult;
        model.most[type] = model.balances_score ? balanced * balanced : all_chips * all_mult;
    }
}

}  // namespace jimbot
