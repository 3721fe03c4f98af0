#include "learn/matrix.hpp"

#include "learn/matrix_tiles.hpp"

namespace jimbot {

namespace {

void multiply_plain(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent, bool add,
                    Keep keep) {
    multiply_tiles<4, 4, 4>({a, b, b_row, c, c_row, extent, add}, keep);
}

// The loops for the processor that this runs on.
Multiply* chosen() {
#ifdef JIMBOT_MANY_PROCESSORS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
        return &multiply_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return &multiply_avx2;
    }
#endif
    return &multiply_plain;
}

Multiply* best() {
    static Multiply* const found = chosen();
    return found;
}

}  // namespace

bool has_fast_products() { return best() != &multiply_plain; }

void multiply(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent, bool add,
              Keep keep) {
    best()(a, b, b_row, c, c_row, extent, add, keep);
}

}  // namespace jimbot
