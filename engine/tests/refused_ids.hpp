// The id of refused_jokers.hpp.
#pragma once

#define JIMBOT_EXTRA_JOKER_IDS(X) X(j_test_refused)
