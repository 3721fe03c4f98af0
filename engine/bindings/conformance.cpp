// The conformance battery for Python: random games with every promise checked, on any machine that has the
// module.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fuzz/conformance.hpp"
#include "fuzz/record.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

// The report and the failures, as JSON.
std::pair<std::string, std::vector<std::string>> conformance(std::uint64_t batch, std::uint64_t first,
                                                             std::uint64_t games, int threads, bool checked) {
    const nb::gil_scoped_release released;
    const fuzz::Report report = fuzz::run_batch(batch, first, games, threads, checked);
    std::vector<std::string> failures;
    failures.reserve(report.failures.size());
    for (const fuzz::Failure& failure : report.failures) {
        failures.push_back(fuzz::failure_json(failure));
    }
    return {fuzz::report_json(report), failures};
}

}  // namespace

}  // namespace jimbot::bindings

void bind_conformance(nb::module_& m);

void bind_conformance(nb::module_& m) {
    m.def(
        "conformance", &jimbot::bindings::conformance, nb::arg("batch"), nb::arg("first"), nb::arg("games"),
        nb::arg("threads"), nb::arg("checked"),
        "Plays random games with every promise of the engine checked: the report and the failures, as JSON. "
        "Without checks the games are only played; the hash is the same. Releases the GIL.");
}
