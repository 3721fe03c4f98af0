// Values that people give, checked before they are used: an error says what was expected and what was got.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jimbot::bindings {

namespace nb = nanobind;

// A value that is not taken; Python sees a ValueError. Whoever knows the name of the value puts it in front.
class Refused : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

[[noreturn]] inline void fail(const std::string& message) { throw Refused(message); }

// A value as an error repeats it: its repr, cut where it gets long.
std::string shown(nb::handle value);

// "0 to 255".
std::string bounds_text(double low, double high);

// Numbers within bounds. A bool is no number, 2.0 is no whole number, and not-a-number is within no bounds.
std::int64_t whole_number(nb::handle value, std::int64_t low, std::int64_t high);
double real_number(nb::handle value, double low, double high);

// True, False, 1 or 0.
bool flag(nb::handle value);

std::string text_of(nb::handle value);

// A list or tuple of strings.
std::vector<std::string> texts_of(nb::handle value);

// "; did you mean x?" for the candidate that is nearest to a misspelled name; empty if none is near.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace jimbot::bindings
