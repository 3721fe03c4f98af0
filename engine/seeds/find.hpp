// Searching seeds by what they contain.
#pragma once

#include <cstdint>
#include <string_view>

#include "seeds/plan.hpp"

namespace jimbot {

struct BlockResult {
    std::uint64_t tried = 0;  // seeds decided, from the start of the block
    int found = 0;
};

// Looks at the seeds number start, start + 1, ... (modulo kSeedSpace) until `count` are decided or
// `max_found` hold all conditions. Writes the numbers of those that do, in order, to `found`. No heap, no
// shared state: blocks may be given to threads in any way, and what is found does not depend on it.
BlockResult find_block(const SearchPlan& plan, std::uint64_t start, std::uint64_t count, std::uint64_t* found,
                       int max_found);

// Whether one seed (1 to 8 valid characters) holds all conditions. `matches`, if given, gets one entry for
// each condition, in their order; entries of conditions not met are left alone.
bool check_seed(const SearchPlan& plan, std::string_view seed, Match* matches = nullptr);

}  // namespace jimbot
