#include "learn/ppo.hpp"

#include <algorithm>
#include <cmath>

namespace jimbot::learn {

namespace {

struct Normalization {
    double mean = 0.0;
    double scale = 1.0;
};

// What brings advantages to mean 0 and standard deviation 1.
Normalization normalize(const float* advantages, int count) {
    Normalization found;
    for (int i = 0; i < count; ++i) {
        found.mean += static_cast<double>(advantages[i]);
    }
    found.mean /= count;
    double squares = 0.0;
    for (int i = 0; i < count; ++i) {
        const double deviation = static_cast<double>(advantages[i]) - found.mean;
        squares += deviation * deviation;
    }
    found.scale = 1.0 / (std::sqrt(squares / (count - 1)) + 1e-8);
    return found;
}

}  // namespace

PpoLosses ppo_loss(const PpoBatch& batch, const PpoOptions& options, const PpoGradients& gradients) {
    const int count = batch.count;
    const Normalization normalization =
        options.normalize_advantages && count > 1 ? normalize(batch.advantages, count) : Normalization{};
    const float share = 1.0F / static_cast<float>(count);
    double objective = 0.0;
    double squared_error = 0.0;
    double entropy = 0.0;
    double divergence = 0.0;
    int clipped_count = 0;
    for (int i = 0; i < count; ++i) {
        const auto advantage = static_cast<float>(
            (static_cast<double>(batch.advantages[i]) - normalization.mean) * normalization.scale);
        const float log_ratio = batch.log_probabilities[i] - batch.old_log_probabilities[i];
        const float ratio = std::exp(log_ratio);
        const float bounded = std::clamp(ratio, 1.0F - options.clip_range, 1.0F + options.clip_range);
        const float unclipped = ratio * advantage;
        const float clipped = bounded * advantage;
        objective += static_cast<double>(std::min(unclipped, clipped));
        // The gradient is 0 where the clipped term is the smaller one.
        gradients.log_probabilities[i] = unclipped <= clipped ? -unclipped * share : 0.0F;
        divergence += static_cast<double>((ratio - 1.0F) - log_ratio);
        clipped_count += std::abs(ratio - 1.0F) > options.clip_range ? 1 : 0;

        const float change = batch.values[i] - batch.old_values[i];
        const bool clips_values = options.value_clip_range >= 0.0F;
        const float value = clips_values ? batch.old_values[i] + std::clamp(change, -options.value_clip_range,
                                                                            options.value_clip_range)
                                         : batch.values[i];
        const float error = value - batch.returns[i];
        squared_error += static_cast<double>(error) * static_cast<double>(error);
        const bool within = !clips_values || std::abs(change) <= options.value_clip_range;
        gradients.values[i] = within ? 2.0F * options.value_coefficient * error * share : 0.0F;

        entropy += static_cast<double>(batch.entropies[i]);
        gradients.entropies[i] = -options.entropy_coefficient * share;
    }
    PpoLosses losses{};
    losses.policy = static_cast<float>(-objective / count);
    losses.value = static_cast<float>(squared_error / count);
    losses.entropy = static_cast<float>(-entropy / count);
    losses.approx_kl = static_cast<float>(divergence / count);
    losses.clip_fraction = static_cast<float>(clipped_count) * share;
    losses.loss = losses.policy + options.entropy_coefficient * losses.entropy +
                  options.value_coefficient * losses.value;
    return losses;
}

}  // namespace jimbot::learn
