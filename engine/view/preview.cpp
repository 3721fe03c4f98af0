#include "view/preview.hpp"

#include "rules/blind.hpp"
#include "rules/owned.hpp"

namespace jimbot {

void score_on_copy(Scoring& scoring, std::uint32_t mask) {
    State& copy = scoring.state;
    int kept = 0;
    for (int i = 0; i < copy.hand_count; ++i) {
        const std::uint8_t index = copy.hand[i];
        if (((mask >> i) & 1) != 0) {
            copy.cards[index].flags |= card_played_this_ante;
            scoring.played[scoring.played_count++] = index;
        } else {
            copy.hand[kept++] = index;
        }
    }
    copy.hand_count = static_cast<std::uint8_t>(kept);
    --copy.round.hands_left;
    if (boss_active(copy, bl_tooth)) {
        earn(copy, -scoring.played_count);
    }
    score_hand(scoring);
}

Preview preview_play(const State& state, std::uint32_t mask) {
    State copy = state;
    Scoring worst{copy, Luck::worst};
    score_on_copy(worst, mask);
    Preview preview{};
    preview.hand = worst.hand;
    preview.blocked = worst.blocked;
    preview.chips = worst.chips;
    preview.mult = worst.mult;
    preview.worst = worst.score;
    preview.money = copy.money - state.money;
    preview.exact = !worst.luck_asked && !(boss_active(state, bl_hook) && copy.hand_count > 0);
    preview.best = preview.mean = preview.worst;
    if (worst.luck_asked) {
        copy = state;
        Scoring best{copy, Luck::best};
        score_on_copy(best, mask);
        preview.best = best.score;
        copy = state;
        Scoring mean{copy, Luck::mean};
        score_on_copy(mean, mask);
        preview.mean = mean.score;
    }
    return preview;
}

}  // namespace jimbot
