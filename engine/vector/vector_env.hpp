// Many episodes stepped by one call, on threads, into buffers that stay where they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "vector/episode.hpp"

namespace jimbot {

enum class Autoreset : std::uint8_t { same_step, next_step, off };

class VectorEnv {
public:
    VectorEnv(int count, EpisodeOptions options, int threads, Autoreset autoreset);
    ~VectorEnv();
    VectorEnv(const VectorEnv&) = delete;
    VectorEnv& operator=(const VectorEnv&) = delete;

    // Starts every episode anew. Episode i draws its seeds from a generator of its own, started by seed and
    // i.
    void reset(std::uint64_t seed);
    // Starts one episode on a given seed.
    void reset_one(int index, std::uint64_t seed_number);
    // Replaces the options; they hold from each episode's next start on.
    void set_options(EpisodeOptions options) { options_ = std::move(options); }

    // One action per episode. Fills observations, rewards, terminated, truncated; with same-step autoreset an
    // episode that ended leaves its last observation and its info in the final buffers and starts again.
    void step(const std::int32_t* actions);

    int count() const { return static_cast<int>(episodes.size()); }
    Autoreset autoreset() const { return autoreset_; }

    std::vector<Episode> episodes;
    std::vector<Observation> observations;
    std::vector<Observation> final_observations;
    std::vector<float> rewards;
    std::vector<std::uint8_t> terminated;
    std::vector<std::uint8_t> truncated;
    std::vector<double> final_infos;  // kInfoNumbers per episode

private:
    void step_range(const std::int32_t* actions, int first, int last);
    void step_one(int index, int action);
    void work(int thread);

    EpisodeOptions options_;
    Autoreset autoreset_;
    std::vector<std::uint8_t> ended_;  // next-step autoreset: starts again at the next step
    std::vector<std::thread> workers_;
    std::atomic<std::uint32_t> turn_ = 0;
    std::atomic<int> busy_ = 0;
    std::atomic<bool> stop_ = false;
    const std::int32_t* actions_ = nullptr;
    int threads_;
};

}  // namespace jimbot
