#include "view/candidates.hpp"
#include "rules/game.hpp"
#include <cstring>
namespace jimbot {
const std::array<FeatureText, kCandidateFeatures> kCandidateTexts = {};
int list_candidates(const State& state, const CandidateRows& out, int previous) {
    int count = 0;
    each_legal_action(state, [&](const Action& action) {
        if (count < out.limit) {
            out.list[count++] = {{ActionKind::count}, action};
        }
    });
    for (int i = 0; i < count; ++i) {
        out.mask[i] = 1;
    }
    for (int i = count; i < previous; ++i) {
        out.mask[i] = 0;
    }
    return count;
}
}  // namespace jimbot
