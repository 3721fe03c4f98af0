// Loops over many numbers, compiled for several generations of processors.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/adam.hpp"
#include "learn/choice.hpp"
#include "learn/matrix.hpp"

namespace jimbot {

struct Loops {
    void (*multiply)(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent,
                     bool add, Keep keep);
    void (*move)(const AdamStep& step, const AdamNumbers& numbers, std::size_t first, std::size_t last);
    double (*squares)(const float* values, std::size_t count);
    void (*weigh)(const Scores& scores, const Choices& choices);
    void (*weigh_back)(const Scores& scores, const Choices& choices, const float* of_log_probabilities,
                       const float* of_entropies, float* of_scores);
};

// All loops that this processor can run, the best last.
std::vector<const Loops*> usable_loops();
const Loops& best_loops();

#ifdef JIMBOT_MANY_PROCESSORS
extern const Loops loops_avx2;
extern const Loops loops_avx512;
#endif

}  // namespace jimbot
