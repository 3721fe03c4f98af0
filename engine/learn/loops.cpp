#include "learn/loop_bodies.hpp"

#include <vector>

namespace jimbot {

namespace {

constexpr Loops kPlain = {&multiply_by<4, 4, 4>, &move_numbers, &sum_squares, &weigh_rows, &weigh_rows_back};

}  // namespace

std::vector<const Loops*> usable_loops() {
    std::vector<const Loops*> found = {&kPlain};
#ifdef JIMBOT_MANY_PROCESSORS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        found.push_back(&loops_avx2);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        found.push_back(&loops_avx512);
    }
#endif
    return found;
}

const Loops& best_loops() {
    static const Loops& found = *usable_loops().back();
    return found;
}

bool has_fast_products() { return &best_loops() != &kPlain; }

void multiply(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent,
              bool add, Keep keep) {
    best_loops().multiply(a, b, b_row, c, c_row, extent, add, keep);
}

void move_by_adam(const AdamStep& step, const AdamNumbers& numbers, std::size_t first, std::size_t last) {
    best_loops().move(step, numbers, first, last);
}

double sum_of_squares(const float* values, std::size_t count) { return best_loops().squares(values, count); }

void weigh(const Scores& scores, const Choices& choices) { best_loops().weigh(scores, choices); }

void weigh_back(const Scores& scores, const Choices& choices, const float* of_log_probabilities,
                const float* of_entropies, float* of_scores) {
    best_loops().weigh_back(scores, choices, of_log_probabilities, of_entropies, of_scores);
}

}  // namespace jimbot
