// The loss of proximal policy optimisation on a minibatch, and its gradients by what the network said.
#pragma once

namespace jimbot {

struct PpoOptions {
    float clip;        // how far a probability may move from 1 times what it was
    float value_clip;  // how far a value may move from what it was; below 0 as far as it likes
    float entropy;     // weight of the entropy
    float value;       // weight of the value's error
    bool normalise;    // whether advantages get mean 0 and spread 1, if there is more than one
};

// Steps as they were collected, and what the network says of them now; one number each.
struct PpoSteps {
    int count;
    const float* old_log_probabilities;
    const float* old_values;
    const float* advantages;
    const float* returns;
    const float* log_probabilities;
    const float* entropies;
    const float* values;
};

struct PpoSlopes {
    float* log_probabilities;
    float* entropies;
    float* values;
};

struct PpoLosses {
    float loss;
    float policy;
    float value;
    float entropy;     // the mean with its sign turned
    float divergence;  // from the policy that collected, approximately
    float clipped;     // share of the steps
};

PpoLosses ppo_loss(const PpoSteps& steps, const PpoOptions& options, const PpoSlopes& slopes);

}  // namespace jimbot
