// The random-number primitives for tests and curious people.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/convert.hpp"
#include "core/rng.hpp"
#include "core/streams.hpp"

namespace nb = nanobind;

namespace {

int checked_count(int count) {
    if (count < 0) {
        const std::string message = "count must not be negative, got " + std::to_string(count);
        throw nb::value_error(message.c_str());
    }
    return count;
}

jimbot::Stream checked_stream(int stream) {
    constexpr int kCount = static_cast<int>(jimbot::Stream::streams_end);
    if (stream < 0 || stream >= kCount) {
        const std::string message =
            "stream must be 0 to " + std::to_string(kCount - 1) + ", got " + std::to_string(stream);
        throw nb::value_error(message.c_str());
    }
    return static_cast<jimbot::Stream>(stream);
}

// A stream by the game's own key text, as (value, generator seed) after each of `count` uses.
nb::list stream_values(const std::string& seed, const std::string& key, int count) {
    const double seed_hash = jimbot::pseudohash(seed);
    double value = jimbot::pseudohash(key + seed);
    nb::list result;
    for (int i = 0; i < count; ++i) {
        value = jimbot::advance_stream(value);
        result.append(nb::make_tuple(value, (value + seed_hash) / 2.0));
    }
    return result;
}

std::vector<double> reals(double seed, int count) {
    jimbot::LuaRandom random(seed);
    std::vector<double> result;
    for (int i = 0; i < count; ++i) {
        result.push_back(random.real());
    }
    return result;
}

std::vector<int> integers(double seed, int low, int high, int count) {
    jimbot::LuaRandom random(seed);
    std::vector<int> result;
    for (int i = 0; i < count; ++i) {
        result.push_back(random.integer(low, high));
    }
    return result;
}

std::vector<int> shuffled(double seed, int count) {
    std::vector<int> items(static_cast<std::size_t>(checked_count(count)));
    std::iota(items.begin(), items.end(), 1);
    jimbot::shuffle(jimbot::LuaRandom(seed), items.data(), count);
    return items;
}

// The engine's own streams: the generator seeds of successive uses, each a stream
// id, an ante and a redraw number.
std::vector<double> engine_draws(const std::string& seed,
                                 const std::vector<std::tuple<int, int, int>>& uses) {
    jimbot::Streams streams;
    jimbot::start_streams(streams, jimbot::bindings::checked_seed(seed));
    std::vector<double> result;
    for (const auto& [stream, ante, resample] : uses) {
        result.push_back(jimbot::draw_seed(streams, checked_stream(stream), ante, resample));
    }
    return result;
}

// The same for successive uses of one stream.
std::vector<double> engine_stream(const std::string& seed, int stream, int ante, int resample, int count) {
    const std::vector<std::tuple<int, int, int>> uses(static_cast<std::size_t>(checked_count(count)),
                                                      {stream, ante, resample});
    return engine_draws(seed, uses);
}

std::string stream_key(int stream, int ante, int resample) {
    char buffer[48];
    const int length = jimbot::write_stream_key(checked_stream(stream), ante, resample, buffer);
    return {buffer, static_cast<std::size_t>(length)};
}

}  // namespace

void bind_rng(nb::module_& m);

void bind_rng(nb::module_& m) {
    m.def("pseudohash", [](const std::string& text) { return jimbot::pseudohash(text); }, nb::arg("text"));
    m.def("round13", &jimbot::round13, nb::arg("x"));
    m.def("stream_values", &stream_values, nb::arg("seed"), nb::arg("key"), nb::arg("count"));
    m.def("reals", &reals, nb::arg("seed"), nb::arg("count"));
    m.def("integers", &integers, nb::arg("seed"), nb::arg("low"), nb::arg("high"), nb::arg("count"));
    m.def("shuffled", &shuffled, nb::arg("seed"), nb::arg("count"));
    m.def("engine_stream", &engine_stream, nb::arg("seed"), nb::arg("stream"), nb::arg("ante"),
          nb::arg("resample"), nb::arg("count"));
    m.def("engine_draws", &engine_draws, nb::arg("seed"), nb::arg("uses"));
    m.def("stream_key", &stream_key, nb::arg("stream"), nb::arg("ante"), nb::arg("resample"));
    m.attr("stream_count") = static_cast<int>(jimbot::Stream::streams_end);
    m.attr("run_stream_count") = jimbot::kRunStreams;
}
