// Chooses the kernels for this processor, once, and calls them.

#include <vector>

#include "learn/kernels.hpp"

namespace jimbot::learn {

std::vector<const Kernels*> usable_kernels() {
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_cpu_init();
#endif
    std::vector<const Kernels*> usable;
    for (std::size_t i = 0; i < all_kernels_count; ++i) {
        if (all_kernels[i]->supported()) {
            usable.push_back(all_kernels[i]);
        }
    }
    return usable;
}

const Kernels& best_kernels() {
    static const Kernels& best = *usable_kernels().back();
    return best;
}

// Only the wide vectors of x86 were measured against the libraries. On arm64 the baseline kernels compile to
// NEON and are correct, but their speed was never measured, so networks are left to the libraries there.
bool has_fast_kernels() { return best_kernels().width >= 8; }

void multiply(const MatrixView& a, const float* b, int b_stride, float* c, int c_stride,
              const ProductShape& shape, bool accumulate, CacheBlock block) {
    best_kernels().multiply(a, b, b_stride, c, c_stride, shape, accumulate, block);
}

void adam_step(const AdamCoefficients& coefficients, const AdamState& state, std::size_t first,
               std::size_t last) {
    best_kernels().adam_step(coefficients, state, first, last);
}

double sum_of_squares(const float* values, std::size_t count) {
    return best_kernels().sum_of_squares(values, count);
}

void softmax(const MaskedLogits& input, const ActionDistribution& output) {
    best_kernels().softmax(input, output);
}

void softmax_backward(const MaskedLogits& input, const ActionDistribution& output,
                      const float* log_probability_gradients, const float* entropy_gradients,
                      float* logit_gradients) {
    best_kernels().softmax_backward(input, output, log_probability_gradients, entropy_gradients,
                                    logit_gradients);
}

}  // namespace jimbot::learn
