// The kernels as templates over the width of a vector. Included by kernels.cpp alone, which inlines them into
// functions compiled for one processor generation each. They call nothing but each other and the C library: a
// function of std:: would be emitted as a copy that the linker may share with other files.
#pragma once

#include <math.h>  // logf and sqrtf themselves: std::log and std::sqrt are inline functions

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "learn/kernels.hpp"
#include "learn/simd.hpp"

namespace jimbot::learn {

// --- products --------------------------------------------------------------------------------------------

struct Product {
    const MatrixView& a;
    const float* b;
    std::ptrdiff_t b_stride;
    float* c;
    std::ptrdiff_t c_stride;
    const ProductShape& shape;
    bool accumulate;
};

// One tile of c, Rows x (Vectors * Width) elements, whose sums stay in registers. At the right edge of c
// fewer columns are loaded and stored, by way of a buffer.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Vectors>
JIMBOT_ALWAYS_INLINE void multiply_tile(const Product& product, std::ptrdiff_t row, std::ptrdiff_t column) {
    using Vector = FloatVector<Width>;
    constexpr std::ptrdiff_t kColumns = Vectors * Width;
    const std::ptrdiff_t left = product.shape.columns - column;
    const bool at_edge = left < kColumns;
    const std::size_t edge_bytes = static_cast<std::size_t>(at_edge ? left : kColumns) * sizeof(float);
    float edge[static_cast<std::size_t>(kColumns)] = {};
    float* target = product.c + row * product.c_stride + column;
    Vector sums[static_cast<std::size_t>(Rows)][static_cast<std::size_t>(Vectors)];
    JIMBOT_UNROLL
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
        const float* before = target + i * product.c_stride;
        if (!product.accumulate || at_edge) {
            if (product.accumulate) {
                std::memcpy(edge, before, edge_bytes);
            }
            before = edge;
        }
        JIMBOT_UNROLL
        for (std::ptrdiff_t j = 0; j < Vectors; ++j) {
            sums[i][j] = Vector::load(before + j * Width);
        }
    }
    const float* a = product.a.data + row * product.a.row_stride;
    const float* b = product.b + column;
    for (int depth = 0; depth < product.shape.depth; ++depth) {
        Vector b_row[static_cast<std::size_t>(Vectors)];
        JIMBOT_UNROLL
        for (std::ptrdiff_t j = 0; j < Vectors; ++j) {
            b_row[j] = Vector::load(b + j * Width);
        }
        JIMBOT_UNROLL
        for (std::ptrdiff_t i = 0; i < Rows; ++i) {
            const float factor = a[i * product.a.row_stride];
            JIMBOT_UNROLL
            for (std::ptrdiff_t j = 0; j < Vectors; ++j) {
                sums[i][j].add_product(b_row[j], factor);
            }
        }
        a += product.a.column_stride;
        b += product.b_stride;
    }
    JIMBOT_UNROLL
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
        float* after = at_edge ? edge : target + i * product.c_stride;
        JIMBOT_UNROLL
        for (std::ptrdiff_t j = 0; j < Vectors; ++j) {
            sums[i][j].store(after + j * Width);
        }
        if (at_edge) {
            std::memcpy(target + i * product.c_stride, edge, edge_bytes);
        }
    }
}

// The tile that starts at `row`; a shorter one if fewer than Rows rows are left.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Vectors>
JIMBOT_ALWAYS_INLINE void multiply_rows(const Product& product, std::ptrdiff_t row, std::ptrdiff_t column) {
    if (product.shape.rows - row >= Rows) {
        multiply_tile<Width, Rows, Vectors>(product, row, column);
    } else if constexpr (Rows > 1) {
        multiply_rows<Width, Rows - 1, Vectors>(product, row, column);
    }
}

// Tiles of Rows x (Vectors * Width) elements; where fewer columns are left, tiles of kPadding columns.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Vectors>
JIMBOT_ALWAYS_INLINE void multiply_blocks(const Product& product, CacheBlock block) {
    const std::ptrdiff_t wide = Vectors * Width;
    const std::ptrdiff_t rows = product.shape.rows;
    const std::ptrdiff_t columns = product.shape.columns;
    const std::ptrdiff_t whole = columns / wide * wide;
    if (block == CacheBlock::rows_of_a) {
        for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
            for (std::ptrdiff_t column = 0; column < whole; column += wide) {
                multiply_rows<Width, Rows, Vectors>(product, row, column);
            }
        }
    } else {
        for (std::ptrdiff_t column = 0; column < whole; column += wide) {
            for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
                multiply_rows<Width, Rows, Vectors>(product, row, column);
            }
        }
    }
    for (std::ptrdiff_t column = whole; column < columns; column += kPadding) {
        for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
            multiply_rows<Width, Rows, kPadding / Width>(product, row, column);
        }
    }
}

// --- Adam ------------------------------------------------------------------------------------------------

// Left to the compiler's own vectorizer, which knows the vector form of a square root.
JIMBOT_ALWAYS_INLINE void adam_step_body(const AdamCoefficients& coefficients, const AdamState& state,
                                         std::size_t first, std::size_t last) {
    const AdamCoefficients own = coefficients;  // a copy that the stores below cannot alias
    float* parameters = state.parameters;
    const float* gradients = state.gradients;
    float* first_moments = state.first_moments;
    float* second_moments = state.second_moments;
    for (std::size_t i = first; i < last; ++i) {
        const float gradient = gradients[i] * own.gradient_scale;
        const float mean = first_moments[i] + own.one_minus_beta1 * (gradient - first_moments[i]);
        const float square = second_moments[i] * own.beta2 + own.one_minus_beta2 * gradient * gradient;
        first_moments[i] = mean;
        second_moments[i] = square;
        parameters[i] -= own.step_size * mean / (sqrtf(square) * own.root_scale + own.epsilon);
    }
}

template <int Width> JIMBOT_ALWAYS_INLINE double sum_of_squares_body(const float* values, std::size_t count) {
    constexpr std::size_t kBlock = 4096;  // summed in float, which is exact enough for so few
    constexpr std::size_t kSums = 4;      // independent, so that additions need not wait for each other
    constexpr auto kStep = static_cast<std::size_t>(Width);
    double total = 0.0;
    for (std::size_t start = 0; start < count; start += kBlock) {
        const std::size_t end = count - start < kBlock ? count : start + kBlock;
        FloatVector<Width> sums[kSums] = {};
        std::size_t i = start;
        for (; i + kSums * kStep <= end; i += kSums * kStep) {
            JIMBOT_UNROLL
            for (std::size_t j = 0; j < kSums; ++j) {
                const auto loaded = FloatVector<Width>::load(values + i + j * kStep);
                sums[j].add_product(loaded, loaded);
            }
        }
        for (; i < end; i += kStep) {
            const auto loaded = FloatVector<Width>::load(values + i, static_cast<int>(end - i));
            sums[0].add_product(loaded, loaded);
        }
        total += static_cast<double>(((sums[0] + sums[1]) + (sums[2] + sums[3])).sum());
    }
    return total;
}

// --- softmax ---------------------------------------------------------------------------------------------

inline constexpr float kIllegalLogit = -1e9F;  // of an illegal action, as in jimbot.networks

struct LargestLogit {
    float value;
    bool any;  // whether an action is legal
};

template <int Width>
JIMBOT_ALWAYS_INLINE LargestLogit find_largest(const float* logits, const std::uint8_t* mask, int actions) {
    using Vector = FloatVector<Width>;
    const Vector illegal = Vector::broadcast(kIllegalLogit);
    Vector largest = illegal;
    Mask<Width> any{};
    for (int i = 0; i < actions; i += Width) {
        const auto legal = Mask<Width>::load(mask + i, actions - i);
        const Vector values = select(legal, Vector::load(logits + i, actions - i), illegal);
        largest = select(largest < values, values, largest);
        any.lanes |= legal.lanes;
    }
    return {largest.max(), any.any()};
}

template <int Width>
JIMBOT_ALWAYS_INLINE void softmax_body(const MaskedLogits& input, const ActionDistribution& output) {
    using Vector = FloatVector<Width>;
    const int actions = input.actions;
    const Vector illegal = Vector::broadcast(kIllegalLogit);
    for (int row = 0; row < input.rows; ++row) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * actions;
        const float* logits = input.logits + start;
        const std::uint8_t* mask = input.mask + start;
        float* probabilities = output.probabilities + start;
        const LargestLogit largest = find_largest<Width>(logits, mask, actions);
        if (!largest.any) {
            const float uniform = 1.0F / static_cast<float>(actions);
            for (int i = 0; i < actions; ++i) {
                probabilities[i] = uniform;
            }
            output.log_probabilities[row] = logf(uniform);
            output.entropies[row] = -logf(uniform);
            output.log_normalizers[row] = 0.0F;
            continue;
        }
        Vector sums{};
        Vector moments{};  // of exponentials times shifted logits, for the entropy
        for (int i = 0; i < actions; i += Width) {
            const auto legal = Mask<Width>::load(mask + i, actions - i);
            const Vector shifted =
                select(legal, Vector::load(logits + i, actions - i) - largest.value, illegal);
            const Vector exponential = exp_nonpositive(shifted);
            exponential.store(probabilities + i, actions - i);
            sums = sums + exponential;
            moments.add_product(exponential, shifted);
        }
        const float sum = sums.sum();
        const float scale = 1.0F / sum;
        for (int i = 0; i < actions; ++i) {
            probabilities[i] *= scale;
        }
        const float log_sum = logf(sum);
        output.log_normalizers[row] = largest.value + log_sum;
        const std::int64_t action = output.actions[row];
        const float logit = mask[action] != 0 ? logits[action] : kIllegalLogit;
        output.log_probabilities[row] = (logit - largest.value) - log_sum;
        output.entropies[row] = log_sum - moments.sum() / sum;
    }
}

// With p = softmax(x), d log p[a] / dx[i] = [i = a] - p[i] and dH / dx[i] = -p[i] (log p[i] + H).
JIMBOT_ALWAYS_INLINE void softmax_backward_body(const MaskedLogits& input, const ActionDistribution& output,
                                                const float* log_probability_gradients,
                                                const float* entropy_gradients, float* logit_gradients) {
    for (int row = 0; row < input.rows; ++row) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * input.actions;
        const float* logits = input.logits + start;
        const std::uint8_t* mask = input.mask + start;
        const float* probabilities = output.probabilities + start;
        float* gradients = logit_gradients + start;
        const float log_probability_gradient = log_probability_gradients[row];
        const float entropy_gradient = entropy_gradients[row];
        const float shift = output.entropies[row] - output.log_normalizers[row];
        for (int i = 0; i < input.actions; ++i) {
            const float gradient =
                -probabilities[i] * (log_probability_gradient + entropy_gradient * (logits[i] + shift));
            gradients[i] = mask[i] != 0 ? gradient : 0.0F;
        }
        const std::int64_t action = output.actions[row];
        if (mask[action] != 0) {
            gradients[action] += log_probability_gradient;
        }
    }
}

}  // namespace jimbot::learn
