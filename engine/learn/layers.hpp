// Linear layers over rows of any number, forward and backward. Matrices are row-major with padded rows
// (learn/matrix.hpp); `parameters` and `gradients` are the arrays of the whole network.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/plans.hpp"

namespace jimbot::learn {

// Outputs [rows, padded outputs] from inputs [rows, padded inputs].
std::vector<float> apply_linear(const LayerPlan& layer, const float* parameters,
                                const std::vector<float>& inputs, std::size_t rows);

// Adds the gradients of the layer's own weight and bias to `gradients`.
void add_linear_gradients(const LayerPlan& layer, const std::vector<float>& output_gradients,
                          const std::vector<float>& inputs, std::size_t rows, float* gradients);

// Adds the gradients of the layer's inputs from the column `first` on to input_gradients, [rows, padded
// (inputs - first)].
void add_input_gradients(const LayerPlan& layer, const float* parameters,
                         const std::vector<float>& output_gradients, std::size_t rows, int first,
                         std::vector<float>& input_gradients);

void apply_relu(std::vector<float>& values);
// Gradients pass where the output is positive and become 0 elsewhere.
void relu_backward(std::vector<float>& gradients, const std::vector<float>& outputs);

}  // namespace jimbot::learn
