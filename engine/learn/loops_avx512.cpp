// Compiled for x86 processors with registers of sixteen floats.

#include "learn/loop_bodies.hpp"

#ifdef JIMBOT_MANY_PROCESSORS

namespace jimbot {

const Loops loops_avx512 = {&multiply_by<16, 4, 4>, &move_numbers, &sum_squares, &weigh_rows,
                            &weigh_rows_back};

}  // namespace jimbot

#endif
