#include "bindings/values.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace jimbot::bindings {

namespace {

std::string bounds_text(std::int64_t low, std::int64_t high) {
    return std::to_string(low) + " to " + std::to_string(high);
}

// Letters to insert, delete or replace until one text is the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string bounds_text(double low, double high) {
    char text[64];
    std::snprintf(text, sizeof text, "%.7g to %.7g", low, high);
    return text;
}

std::string shown(nb::handle value) {
    constexpr std::size_t kMostShown = 60;
    auto text = nb::cast<std::string>(nb::repr(value));
    if (text.size() > kMostShown) {
        std::size_t end = kMostShown;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
            --end;  // not in the middle of a character
        }
        text.resize(end);
        text += "...";
    }
    return text;
}

std::int64_t whole_number(nb::handle value, std::int64_t low, std::int64_t high) {
    const auto refuse = [&] {
        fail("expected a whole number, " + bounds_text(low, high) + "; got " + shown(value));
    };
    if (PyBool_Check(value.ptr()) || PyIndex_Check(value.ptr()) == 0) {
        refuse();
    }
    PyObject* const plain = PyNumber_Index(value.ptr());
    if (plain == nullptr) {  // NumPy's booleans have an index that raises
        PyErr_Clear();
        refuse();
    }
    const nb::object number = nb::steal(plain);
    int overflow = 0;
    const long long result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0 || result < low || result > high) {
        fail("expected " + bounds_text(low, high) + ", got " + shown(number));
    }
    return result;
}

double real_number(nb::handle value, double low, double high) {
    const bool text = PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr());
    PyObject* const plain = text || PyBool_Check(value.ptr()) ? nullptr : PyNumber_Float(value.ptr());
    if (plain == nullptr) {
        PyErr_Clear();
        fail("expected a number, " + bounds_text(low, high) + "; got " + shown(value));
    }
    const nb::object number = nb::steal(plain);
    const double result = PyFloat_AsDouble(number.ptr());
    if (!(result >= low && result <= high)) {
        fail("expected " + bounds_text(low, high) + ", got " + shown(value));
    }
    return result;
}

bool flag(nb::handle value) {
    if (PyBool_Check(value.ptr())) {
        return value.ptr() == Py_True;
    }
    const nb::int_ one(1);
    const nb::int_ zero(0);
    const bool whole = PyIndex_Check(value.ptr()) != 0;
    if (whole && value.equal(one)) {
        return true;
    }
    if (!whole || !value.equal(zero)) {
        fail("expected True, False, 1 or 0; got " + shown(value));
    }
    return false;
}

std::string text_of(nb::handle value) {
    if (!nb::isinstance<nb::str>(value)) {
        fail("expected a string, got " + shown(value));
    }
    return nb::cast<std::string>(value);
}

std::vector<std::string> texts_of(nb::handle value) {
    if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value)) {
        fail("expected a list of strings, got " + shown(value));
    }
    std::vector<std::string> result;
    for (const nb::handle entry : nb::borrow(value)) {
        if (!nb::isinstance<nb::str>(entry)) {
            fail("expected a list of strings; entry " + std::to_string(result.size()) + " is " +
                 shown(entry));
        }
        result.push_back(nb::cast<std::string>(entry));
    }
    return result;
}

std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    std::size_t fewest = 1 + std::max<std::size_t>(2, name.size() / 3);  // further away is no misspelling
    for (const std::string_view candidate : candidates) {
        const std::size_t changes = distance(name, candidate);
        if (changes < fewest) {
            fewest = changes;
            best = candidate;
        }
    }
    return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

}  // namespace jimbot::bindings
