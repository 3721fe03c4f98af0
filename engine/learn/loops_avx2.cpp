// Compiled for x86 processors of 2013 and later.

#include "learn/loop_bodies.hpp"

#ifdef JIMBOT_MANY_PROCESSORS

namespace jimbot {

const Loops loops_avx2 = {&multiply_by<8, 6, 2>, &move_numbers, &sum_squares, &weigh_rows, &weigh_rows_back};

}  // namespace jimbot

#endif
