// Softmax over legal actions: the log-probability of the chosen action and the entropy, and the gradients of
// the logits from theirs. Illegal actions have probability 0 and gradient 0.
#pragma once

#include <cstdint>

namespace jimbot::learn {

// [rows, actions].
struct MaskedLogits {
    const float* logits;
    const std::uint8_t* mask;  // not 0 where an action is legal
    int rows;
    int actions;
};

// The distribution of every row. A row without legal actions is uniform, and its gradients are 0.
struct ActionDistribution {
    const std::int64_t* actions;  // the chosen ones, within [0, actions)
    float* log_probabilities;     // of the chosen actions
    float* entropies;
    float* log_normalizers;  // log of the sum of exp(logit) over legal actions
    float* probabilities;    // [rows, actions]
};

void softmax(const MaskedLogits& input, const ActionDistribution& output);

// Writes logit_gradients [rows, actions], from those of the log-probabilities and of the entropies.
void softmax_backward(const MaskedLogits& input, const ActionDistribution& output,
                      const float* log_probability_gradients, const float* entropy_gradients,
                      float* logit_gradients);

}  // namespace jimbot::learn
