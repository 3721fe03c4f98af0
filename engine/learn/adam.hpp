// Adam: parameters follow the running mean of their gradients, each by the measure of its own spread.
#pragma once

#include <cstddef>

namespace jimbot {

// The numbers of one step, the same for all parameters.
struct AdamStep {
    float gradient_scale;  // gradients are multiplied by it first
    float rate;            // learning rate, with what the mean still lacks at the beginning made up for
    float mean_share;      // of the new gradient in the mean
    float square_decay;    // of the old squares
    float square_share;
    float square_scale;  // makes up for what the squares still lack
    float epsilon;
};

struct AdamNumbers {
    float* parameters;
    const float* gradients;
    float* means;
    float* squares;
};

double sum_of_squares(const float* values, std::size_t count);

// Moves the parameters from `first` up to `last`.
void move_by_adam(const AdamStep& step, const AdamNumbers& numbers, std::size_t first, std::size_t last);

}  // namespace jimbot
