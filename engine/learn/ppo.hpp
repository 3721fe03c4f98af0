// The loss of proximal policy optimization (Schulman et al., 2017) on a minibatch, and its gradients with
// respect to the network's outputs.
#pragma once

namespace jimbot::learn {

struct PpoOptions {
    float clip_range;        // of the probability ratio around 1
    float value_clip_range;  // of the value around the old value; negative for no clipping
    float entropy_coefficient;
    float value_coefficient;
    bool normalize_advantages;  // to mean 0 and standard deviation 1, if there is more than one
};

// A minibatch of collected steps, and the network's present outputs for them; one number per step.
struct PpoBatch {
    int count;
    const float* old_log_probabilities;
    const float* old_values;
    const float* advantages;
    const float* returns;
    const float* log_probabilities;
    const float* entropies;
    const float* values;
};

struct PpoGradients {
    float* log_probabilities;
    float* entropies;
    float* values;
};

struct PpoLosses {
    float loss;
    float policy;
    float value;
    float entropy;        // minus the mean entropy
    float approx_kl;      // divergence from the policy that collected the steps
    float clip_fraction;  // share of steps whose ratio is outside the clip range
};

PpoLosses ppo_loss(const PpoBatch& batch, const PpoOptions& options, const PpoGradients& gradients);

}  // namespace jimbot::learn
