// Benchmarks of the engine: what they measure, and for how long. They throw std::invalid_argument for a name
// that they do not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "bench/measure.hpp"

namespace jimbot::bench {

// What seeds are made of: divisions (the reference), hashes, seedings, draws, explorations or find.
Measurement measure_seeds(const std::string& name, double seconds);

// The whole game on one thread: mock, decisions, fast_decisions, clones, resampled_copies, previews or
// all_previews.
Measurement measure_game(const std::string& name, double seconds);

// Steps, seconds, sum of rewards, episodes ended.
using EnvMeasurement = std::tuple<std::uint64_t, double, double, std::uint64_t>;

// Random legal play in an environment: mock, steps, fast_steps or candidates.
EnvMeasurement measure_env(const std::string& name, double seconds, int games, int threads);

// Bytes of an episode in memory, without its observations.
std::size_t episode_size();

}  // namespace jimbot::bench
