// Adam (Kingma and Ba, 2015) and the norm that gradients are clipped by.
#pragma once

#include <cstddef>

namespace jimbot::learn {

// The coefficients of one step, the same for all parameters.
struct AdamCoefficients {
    float gradient_scale;  // gradients are multiplied by it first
    float step_size;       // learning rate / (1 - beta1^t)
    float one_minus_beta1;
    float beta2;
    float one_minus_beta2;
    float root_scale;  // 1 / sqrt(1 - beta2^t)
    float epsilon;
};

struct AdamState {
    float* parameters;
    const float* gradients;
    float* first_moments;
    float* second_moments;
};

double sum_of_squares(const float* values, std::size_t count);

// Updates parameters and moments from `first` up to `last`.
void adam_step(const AdamCoefficients& coefficients, const AdamState& state, std::size_t first,
               std::size_t last);

}  // namespace jimbot::learn
