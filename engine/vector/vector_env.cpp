#include "vector/vector_env.hpp"

#include <algorithm>
#include <utility>

namespace jimbot {

VectorEnv::VectorEnv(int count, EpisodeOptions options, int threads, Autoreset autoreset)
    : episodes(static_cast<std::size_t>(count)), observations(episodes.size()),
      final_observations(episodes.size()), rewards(episodes.size()), terminated(episodes.size()),
      truncated(episodes.size()), final_infos(episodes.size() * kInfoNumbers), options_(std::move(options)),
      autoreset_(autoreset), ended_(episodes.size()), threads_(std::clamp(threads, 1, count)) {
    for (int thread = 1; thread < threads_; ++thread) {
        workers_.emplace_back([this, thread] { work(thread); });
    }
    reset(0);
}

VectorEnv::~VectorEnv() {
    stop_ = true;
    turn_.fetch_add(1);
    turn_.notify_all();
    for (std::thread& worker : workers_) {
        worker.join();
    }
}

void VectorEnv::reset(std::uint64_t seed) {
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        Episode& episode = episodes[i];
        std::uint64_t random = seed + i * 0x632be59bd9b4e019;
        episode.random = next_fast(random);
        begin_episode(episode, options_);
        observe(episode.state, episode.pending, observations[i]);
        rewards[i] = 0;
        terminated[i] = truncated[i] = ended_[i] = 0;
    }
}

void VectorEnv::reset_one(int index, std::uint64_t seed_number) {
    const auto i = static_cast<std::size_t>(index);
    begin_episode(episodes[i], options_, seed_number);
    observe(episodes[i].state, episodes[i].pending, observations[i]);
    rewards[i] = 0;
    terminated[i] = truncated[i] = ended_[i] = 0;
}

void VectorEnv::step_one(int index, int action) {
    const auto i = static_cast<std::size_t>(index);
    Episode& episode = episodes[i];
    if (ended_[i] != 0) {
        ended_[i] = 0;
        begin_episode(episode, options_);
        observe(episode.state, episode.pending, observations[i]);
        rewards[i] = 0;
        terminated[i] = truncated[i] = 0;
        return;
    }
    const StepResult result = step_episode(episode, options_, action);
    rewards[i] = result.reward;
    terminated[i] = result.terminated ? 1 : 0;
    truncated[i] = result.truncated ? 1 : 0;
    if (result.terminated || result.truncated) {
        write_info(episode, final_infos.data() + i * kInfoNumbers);
        if (autoreset_ == Autoreset::same_step) {
            observe(episode.state, episode.pending, final_observations[i]);
            begin_episode(episode, options_);
        } else if (autoreset_ == Autoreset::next_step) {
            ended_[i] = 1;
        }
    }
    observe(episode.state, episode.pending, observations[i]);
}

void VectorEnv::step_range(const std::int32_t* actions, int first, int last) {
    for (int i = first; i < last; ++i) {
        step_one(i, actions[i]);
    }
}

void VectorEnv::work(int thread) {
    std::uint32_t seen = 0;
    for (;;) {
        turn_.wait(seen);
        seen = turn_.load();
        if (stop_) {
            return;
        }
        const int share = count();
        step_range(actions_, share * thread / threads_, share * (thread + 1) / threads_);
        if (busy_.fetch_sub(1) == 1) {
            busy_.notify_one();
        }
    }
}

void VectorEnv::step(const std::int32_t* actions) {
    if (threads_ == 1) {
        step_range(actions, 0, count());
        return;
    }
    actions_ = actions;
    busy_ = threads_ - 1;
    turn_.fetch_add(1);
    turn_.notify_all();
    step_range(actions, 0, count() / threads_);
    for (int left = busy_.load(); left != 0; left = busy_.load()) {
        busy_.wait(left);
    }
}

}  // namespace jimbot
