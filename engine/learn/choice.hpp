// A choice among legal actions: logarithm of the probability of the chosen one, entropy, and the way back to
// scores. Illegal actions have no probability and get no gradient.
#pragma once

#include <cstdint>

namespace jimbot {

// Rows of `actions` scores, and whether each action is legal (not 0).
struct Scores {
    const float* values;
    const std::uint8_t* legal;
    int rows;
    int actions;
};

// What each row's choice came to. Where nothing is legal, all actions count as equally likely, and nothing is
// learned.
struct Choices {
    const std::int64_t* chosen;  // not below 0 and below the number of actions
    float* log_probabilities;
    float* entropies;
    float* offsets;        // what is taken off a row's scores to make them logarithms of probabilities
    float* probabilities;  // [rows, actions]
};

void weigh(const Scores& scores, const Choices& choices);

// Gradients of the scores, [rows, actions], from those of log-probabilities and entropies.
void weigh_back(const Scores& scores, const Choices& choices, const float* of_log_probabilities,
                const float* of_entropies, float* of_scores);

}  // namespace jimbot
