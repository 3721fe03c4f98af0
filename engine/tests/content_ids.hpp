// Jokers that are not in the game, for content_tests.cpp: their ids. See
// "Adding content" in engine/DESIGN.md.
#pragma once

#define JIMBOT_EXTRA_JOKER_IDS(X) X(j_test_tally) X(j_test_lens) X(j_test_mirror)
