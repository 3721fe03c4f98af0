// Reports and failures as JSON.
#pragma once

#include <string>

#include "fuzz/conformance.hpp"

namespace jimbot::fuzz {

// A failure with everything needed to see it again: options, events, and a snapshot before the last event.
std::string failure_json(const Failure& failure);

// The numbers of a report; failures by check only.
std::string report_json(const Report& report);

}  // namespace jimbot::fuzz
