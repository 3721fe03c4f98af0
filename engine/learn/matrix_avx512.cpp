// Compiled for x86 processors with registers of sixteen floats.

#include "learn/matrix_tiles.hpp"

#ifdef JIMBOT_MANY_PROCESSORS

namespace jimbot {

void multiply_avx512(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent, bool add,
                 Keep keep) {
    multiply_tiles<16, 4, 4>({a, b, b_row, c, c_row, extent, add}, keep);
}

}  // namespace jimbot

#endif
