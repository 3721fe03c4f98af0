// How an observation lies in memory: the Observation, then the actions of one of the two modes.
#pragma once

#include <string_view>
#include <vector>

#include "view/observation.hpp"

namespace jimbot {

// Fixed actions: Observation, action_mask uint8[slot_count]. Candidates: Observation, candidates float32[K,
// F], candidate_ids int16[K, 2], action_mask uint8[K]. Records start and end on cache lines, so that threads
// that write neighbors do not disturb each other.
struct RecordLayout {
    int candidates;  // K; 0 for the fixed actions
    int features;    // offsets in bytes
    int ids;
    int mask;
    int mask_length;
    int size;
};

RecordLayout record_layout(int candidates);

// One array of a record.
struct ObservationField {
    std::string_view name;
    std::string_view type;  // "float32", "int16" or "uint8"
    int offset;             // in bytes
    int rows;               // 0 for a plain vector
    int columns;
    int high;  // largest value; the smallest is 0 for integers and -high for floats
    std::string_view text;
};

std::vector<ObservationField> record_schema(const RecordLayout& layout);

}  // namespace jimbot
