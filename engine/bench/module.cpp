// The Python module jimbot._engine_dev: what development needs of the engine and a wheel does not hold.
// Benchmarks, for `jimbot bench`, and the conformance battery, for tests.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "fuzz/conformance.hpp"
#include "fuzz/record.hpp"

namespace nb = nanobind;

namespace jimbot::bench {

namespace {

// The report and the failures, as JSON.
std::pair<std::string, std::vector<std::string>> conformance(std::uint64_t batch, std::uint64_t first,
                                                             std::uint64_t games, int threads, bool checked) {
    const fuzz::Report report = fuzz::run_batch(batch, first, games, threads, checked);
    std::vector<std::string> failures;
    failures.reserve(report.failures.size());
    for (const fuzz::Failure& failure : report.failures) {
        failures.push_back(fuzz::failure_json(failure));
    }
    return {fuzz::report_json(report), failures};
}

}  // namespace

}  // namespace jimbot::bench

NB_MODULE(_engine_dev, m) {
    using namespace jimbot::bench;
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    m.doc() = "Benchmarks and the conformance battery of the engine; not in wheels.";
    m.def("measure_seeds", &measure_seeds, nb::arg("name"), nb::arg("seconds"), Unlocked(),
          "(operations, seconds, checksum) of one kind of work that seeds are made of. Releases the GIL.");
    m.def("measure_game", &measure_game, nb::arg("name"), nb::arg("seconds"), Unlocked(),
          "(operations, seconds, checksum) of one kind of work of the whole game. Releases the GIL.");
    m.def("measure_env", &measure_env, nb::arg("name"), nb::arg("seconds"), nb::arg("games"),
          nb::arg("threads"), Unlocked(),
          "(steps, seconds, sum of rewards, episodes) of random legal play in an environment. Releases the "
          "GIL.");
    m.attr("episode_size") = episode_size();
    m.def(
        "conformance", &conformance, nb::arg("batch"), nb::arg("first"), nb::arg("games"), nb::arg("threads"),
        nb::arg("checked"), Unlocked(),
        "Play random games with every invariant of the engine checked: the report and the failures, as JSON. "
        "Without checks the games are only played; the hash is the same. Releases the GIL.");
}
