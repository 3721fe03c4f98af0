#include "learn/ppo.hpp"

#include <algorithm>
#include <cmath>

namespace jimbot {

namespace {

struct Scale {
    double mean = 0.0;
    double factor = 1.0;
};

// What brings advantages to mean 0 and spread 1.
Scale scale_of(const float* advantages, int count) {
    Scale scale;
    for (int i = 0; i < count; ++i) {
        scale.mean += static_cast<double>(advantages[i]);
    }
    scale.mean /= count;
    double squares = 0.0;
    for (int i = 0; i < count; ++i) {
        const double gap = static_cast<double>(advantages[i]) - scale.mean;
        squares += gap * gap;
    }
    scale.factor = 1.0 / (std::sqrt(squares / (count - 1)) + 1e-8);
    return scale;
}

}  // namespace

PpoLosses ppo_loss(const PpoSteps& steps, const PpoOptions& options, const PpoSlopes& slopes) {
    const int count = steps.count;
    const Scale scale = options.normalise && count > 1 ? scale_of(steps.advantages, count) : Scale{};
    const float share = 1.0F / static_cast<float>(count);
    double gain = 0.0;
    double error = 0.0;
    double entropy = 0.0;
    double divergence = 0.0;
    int clipped = 0;
    for (int i = 0; i < count; ++i) {
        const auto advantage =
            static_cast<float>((static_cast<double>(steps.advantages[i]) - scale.mean) * scale.factor);
        const float log_ratio = steps.log_probabilities[i] - steps.old_log_probabilities[i];
        const float ratio = std::exp(log_ratio);
        const float bounded = std::clamp(ratio, 1.0F - options.clip, 1.0F + options.clip);
        const float free = ratio * advantage;
        const float bound = bounded * advantage;
        gain += static_cast<double>(std::min(free, bound));
        // A ratio that is cut has no slope; where cutting changes nothing it counts as not cut.
        slopes.log_probabilities[i] = free <= bound ? -free * share : 0.0F;
        divergence += static_cast<double>((ratio - 1.0F) - log_ratio);
        clipped += std::abs(ratio - 1.0F) > options.clip ? 1 : 0;

        const float move = steps.values[i] - steps.old_values[i];
        const bool held = options.value_clip >= 0.0F;
        const float value =
            held ? steps.old_values[i] + std::clamp(move, -options.value_clip, options.value_clip)
                 : steps.values[i];
        const float gap = value - steps.returns[i];
        error += static_cast<double>(gap) * static_cast<double>(gap);
        const bool moves = !held || std::abs(move) <= options.value_clip;
        slopes.values[i] = moves ? 2.0F * options.value * gap * share : 0.0F;

        entropy += static_cast<double>(steps.entropies[i]);
        slopes.entropies[i] = -options.entropy * share;
    }
    PpoLosses losses{};
    losses.policy = static_cast<float>(-gain / count);
    losses.value = static_cast<float>(error / count);
    losses.entropy = static_cast<float>(-entropy / count);
    losses.divergence = static_cast<float>(divergence / count);
    losses.clipped = static_cast<float>(clipped) * share;
    losses.loss = losses.policy + options.entropy * losses.entropy + options.value * losses.value;
    return losses;
}

}  // namespace jimbot
