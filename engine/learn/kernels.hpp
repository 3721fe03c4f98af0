// The inner loops of learning, compiled for several generations of processors and chosen at run time.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/adam.hpp"
#include "learn/matrix.hpp"
#include "learn/softmax.hpp"

namespace jimbot::learn {

// One generation's kernels; adam.hpp, matrix.hpp and softmax.hpp say what each computes.
struct Kernels {
    const char* name;
    int width;            // floats in a vector
    bool (*supported)();  // whether this processor has every instruction the kernels were compiled with
    void (*multiply)(const MatrixView& a, const float* b, int b_stride, float* c, int c_stride,
                     const ProductShape& shape, bool accumulate, CacheBlock block);
    void (*adam_step)(const AdamCoefficients& coefficients, const AdamState& state, std::size_t first,
                      std::size_t last);
    double (*sum_of_squares)(const float* values, std::size_t count);
    void (*softmax)(const MaskedLogits& input, const ActionDistribution& output);
    void (*softmax_backward)(const MaskedLogits& input, const ActionDistribution& output,
                             const float* log_probability_gradients, const float* entropy_gradients,
                             float* logit_gradients);
};

// Every generation that was compiled, from the narrowest vectors to the widest.
extern const Kernels* const all_kernels[];
extern const std::size_t all_kernels_count;

// Those that this processor can run, in the same order; the first always can.
std::vector<const Kernels*> usable_kernels();
// The last of them.
const Kernels& best_kernels();

// Whether best_kernels() is known to be faster than the general libraries on this processor.
bool has_fast_kernels();

}  // namespace jimbot::learn
