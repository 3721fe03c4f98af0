// The kernels of every processor generation. A generation is a set of functions with the same target
// attribute, into which the templates are inlined; everything else in this file is compiled for the baseline
// processor. The file must not define anything that other files may define as well (inline functions and
// templates, those of std:: included), so that the linker never picks a copy made here for code elsewhere:
// tests/test_engine_objects.py examines the object file.

#include "learn/kernels.hpp"

#include "learn/kernel_templates.hpp"

namespace jimbot::learn {

namespace {

// GCC fixes the type of a comparison's result before it inlines, for the baseline processor, and then cannot
// use the mask registers that 64-byte vectors need: it would compare one element at a time.
constexpr int softmax_width(int width) { return width < 8 ? width : 8; }

// Defines a namespace with the table `kernels`. TARGET is the target attribute of all functions, SUPPORTED
// tests for the same features, WIDTH is the floats in a vector. A tile of c is ROWS x (VECTORS * WIDTH).
// NOLINTBEGIN(bugprone-macro-parentheses): an attribute cannot stand in parentheses
#define JIMBOT_GENERATION(NAME, TARGET, SUPPORTED, WIDTH, ROWS, VECTORS)                                     \
    namespace NAME {                                                                                         \
    bool supported() { return SUPPORTED; }                                                                   \
    TARGET void multiply(const MatrixView& a, const float* b, int b_stride, float* c, int c_stride,          \
                         const ProductShape& shape, bool accumulate, CacheBlock block) {                     \
        multiply_blocks<WIDTH, ROWS, VECTORS>({a, b, b_stride, c, c_stride, shape, accumulate}, block);      \
    }                                                                                                        \
    TARGET void adam_step(const AdamCoefficients& coefficients, const AdamState& state, std::size_t first,   \
                          std::size_t last) {                                                                \
        adam_step_body(coefficients, state, first, last);                                                    \
    }                                                                                                        \
    TARGET double sum_of_squares(const float* values, std::size_t count) {                                   \
        return sum_of_squares_body<WIDTH>(values, count);                                                    \
    }                                                                                                        \
    TARGET void softmax(const MaskedLogits& input, const ActionDistribution& output) {                       \
        softmax_body<softmax_width(WIDTH)>(input, output);                                                   \
    }                                                                                                        \
    TARGET void softmax_backward(const MaskedLogits& input, const ActionDistribution& output,                \
                                 const float* log_probability_gradients, const float* entropy_gradients,     \
                                 float* logit_gradients) {                                                   \
        softmax_backward_body(input, output, log_probability_gradients, entropy_gradients, logit_gradients); \
    }                                                                                                        \
    constexpr Kernels kernels = {#NAME,      WIDTH,           &supported, &multiply,                         \
                                 &adam_step, &sum_of_squares, &softmax,   &softmax_backward};                \
    }
// NOLINTEND(bugprone-macro-parentheses)

// Two features, named once for the attribute and for the test. GCC and Clang also enable what a feature
// implies (avx2 implies avx; avx512f implies avx2), which every processor that reports the feature has.
#define JIMBOT_X86_GENERATION(NAME, FIRST, SECOND, WIDTH, ROWS, VECTORS)                                     \
    JIMBOT_GENERATION(NAME, __attribute__((target(FIRST "," SECOND))),                                       \
                      (__builtin_cpu_supports(FIRST) != 0 && __builtin_cpu_supports(SECOND) != 0), WIDTH,    \
                      ROWS, VECTORS)

#if defined(__GNUC__)
JIMBOT_GENERATION(baseline, , true, 4, 4, 4)
#else
JIMBOT_GENERATION(baseline, , true, 1, 4, 4)
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define JIMBOT_HAS_X86_GENERATIONS
JIMBOT_X86_GENERATION(avx2, "avx2", "fma", 8, 6, 2)
JIMBOT_X86_GENERATION(avx512, "avx512f", "fma", 16, 4, 4)
#endif

}  // namespace

#ifdef JIMBOT_HAS_X86_GENERATIONS
const Kernels* const all_kernels[] = {&baseline::kernels, &avx2::kernels, &avx512::kernels};
#else
const Kernels* const all_kernels[] = {&baseline::kernels};
#endif
const std::size_t all_kernels_count = sizeof(all_kernels) / sizeof(all_kernels[0]);

}  // namespace jimbot::learn
