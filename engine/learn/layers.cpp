#include "learn/layers.hpp"

#include <algorithm>

#include "learn/matrix.hpp"

namespace jimbot::learn {

namespace {

using Floats = std::vector<float>;

// The weight as [inputs, padded outputs]: what inputs are multiplied by.
Floats transpose_weight(const LayerPlan& layer, const float* parameters) {
    const int columns = padded(layer.outputs);
    Floats transposed(area(layer.inputs, columns));
    const float* weight = parameters + layer.weight;
    for (int output = 0; output < layer.outputs; ++output) {
        for (int input = 0; input < layer.inputs; ++input) {
            transposed[area(input, columns) + static_cast<std::size_t>(output)] = *weight++;
        }
    }
    return transposed;
}

// The weight of the inputs from `first` on, as [outputs, padded inputs]: what gradients are multiplied by.
Floats copy_weight(const LayerPlan& layer, const float* parameters, int first) {
    const int count = layer.inputs - first;
    const int columns = padded(count);
    Floats copy(area(layer.outputs, columns));
    for (int output = 0; output < layer.outputs; ++output) {
        const float* weight = row_of(parameters + layer.weight, output, layer.inputs);
        std::copy_n(weight + first, count, row_of(copy.data(), output, columns));
    }
    return copy;
}

}  // namespace

Floats apply_linear(const LayerPlan& layer, const float* parameters, const Floats& inputs, std::size_t rows) {
    const int columns = padded(layer.outputs);
    Floats outputs(area(rows, columns));
    if (layer.bias >= 0) {
        for (std::size_t row = 0; row < rows; ++row) {
            std::copy_n(parameters + layer.bias, layer.outputs, row_of(outputs.data(), row, columns));
        }
    }
    const Floats weight = transpose_weight(layer, parameters);
    multiply({inputs.data(), padded(layer.inputs), 1}, weight.data(), columns, outputs.data(), columns,
             {static_cast<int>(rows), columns, layer.inputs}, true);
    return outputs;
}

void add_linear_gradients(const LayerPlan& layer, const Floats& output_gradients, const Floats& inputs,
                          std::size_t rows, float* gradients) {
    const int columns = padded(layer.outputs);
    const int width = padded(layer.inputs);
    Floats weight_gradients(area(layer.outputs, width));
    multiply({output_gradients.data(), 1, columns}, inputs.data(), width, weight_gradients.data(), width,
             {layer.outputs, width, static_cast<int>(rows)}, false);
    for (int output = 0; output < layer.outputs; ++output) {
        const float* added = row_of(weight_gradients.data(), output, width);
        float* target = row_of(gradients + layer.weight, output, layer.inputs);
        for (int input = 0; input < layer.inputs; ++input) {
            target[input] += added[input];
        }
    }
    if (layer.bias < 0) {
        return;
    }
    float* bias = gradients + layer.bias;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* added = row_of(output_gradients.data(), row, columns);
        for (int output = 0; output < layer.outputs; ++output) {
            bias[output] += added[output];
        }
    }
}

void add_input_gradients(const LayerPlan& layer, const float* parameters, const Floats& output_gradients,
                         std::size_t rows, int first, Floats& input_gradients) {
    const int columns = padded(layer.inputs - first);
    const Floats weight = copy_weight(layer, parameters, first);
    multiply({output_gradients.data(), padded(layer.outputs), 1}, weight.data(), columns,
             input_gradients.data(), columns, {static_cast<int>(rows), columns, layer.outputs}, true);
}

void apply_relu(Floats& values) {
    for (float& value : values) {
        value = std::max(value, 0.0F);
    }
}

void relu_backward(Floats& gradients, const Floats& outputs) {
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        gradients[i] = outputs[i] > 0.0F ? gradients[i] : 0.0F;
    }
}

}  // namespace jimbot::learn
