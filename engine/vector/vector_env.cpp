#include "vector/vector_env.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "vector/choose.hpp"

namespace jimbot {

Records::Records(std::size_t count, const RecordLayout& layout)
    : size_(static_cast<std::size_t>(layout.size)), bytes_(count * size_ / sizeof(Line)) {}

VectorEnv::VectorEnv(int count, EpisodeOptions options, int threads, Autoreset autoreset)
    : episodes(static_cast<std::size_t>(count)), recordings(episodes.size()), finished(episodes.size()),
      records(episodes.size(), record_layout(options.candidates)),
      final_records(episodes.size(), record_layout(options.candidates)), rewards(episodes.size()),
      terminated(episodes.size()), truncated(episodes.size()), final_infos(episodes.size() * kInfoNumbers),
      end_records(episodes.size()), options_(std::move(options)), layout_(record_layout(options_.candidates)),
      autoreset_(autoreset), caches_(episodes.size()),
      candidates_(episodes.size() * static_cast<std::size_t>(layout_.candidates)),
      candidate_counts_(episodes.size()), final_counts_(episodes.size()), ended_(episodes.size()),
      choices_(episodes.size()), narrowed_(episodes.size()), threads_(std::clamp(threads, 1, count)),
      memos_(static_cast<std::size_t>(threads_)), shares_(static_cast<std::size_t>(threads_)),
      workers_(threads_, [this](int thread) { do_share(thread); }) {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        choices_[i] = 0x5eed + i;
    }
    reset(0);
}

void VectorEnv::reset(std::uint64_t seed) {
    std::vector<std::uint64_t> starts(episodes.size());
    for (std::size_t i = 0; i < starts.size(); ++i) {
        starts[i] = seed + i * 0x632be59bd9b4e019;
    }
    reset_each(starts.data());
}

void VectorEnv::reset_each(const std::uint64_t* starts) {
    starts_ = starts;
    run(Job::start_generator);
}

void VectorEnv::reset_on(const std::uint64_t* seed_numbers) {
    starts_ = seed_numbers;
    run(Job::start_on_seed);
}

void VectorEnv::restart(const std::vector<std::size_t>& games, const std::vector<std::uint64_t>& starts) {
    constexpr std::size_t kLeftAlone = ~std::size_t{0};
    std::vector<std::size_t> place(episodes.size(), kLeftAlone);  // of each game in the lists
    for (std::size_t k = 0; k < games.size(); ++k) {
        place[games[k]] = k;
    }
    visit_games([&](std::size_t i, int thread) {
        if (place[i] != kLeftAlone) {
            start_episode(i, starts[place[i]], memos_[static_cast<std::size_t>(thread)]);
        }
    });
}

void VectorEnv::visit_games(const std::function<void(std::size_t, int)>& visit) {
    visit_ = &visit;
    run(Job::visit);
}

void VectorEnv::start_episode(std::size_t i, std::uint64_t start, StrengthMemo& memo) {
    episodes[i].random = next_fast(start);
    begin_episode(episodes[i], recordings[i], options_);
    begin(i, memo);
}

// What is the same at every start: the first observation, and no results.
void VectorEnv::begin(std::size_t i, StrengthMemo& memo) {
    forget_record(i);
    observe_one(i, memo);
    rewards[i] = 0;
    terminated[i] = truncated[i] = ended_[i] = 0;
}

// The cache compares a state with the one before it in the same run. A new run may agree with the old one in
// every number that is compared and still differ (two edited starts, say), so its record is written anew.
void VectorEnv::forget_record(std::size_t i) { caches_[i].filled = false; }

CandidateRows VectorEnv::rows_of(unsigned char* record, Candidate* list) const {
    return {list, reinterpret_cast<float (*)[kCandidateFeatures]>(record + layout_.features),
            reinterpret_cast<std::int16_t (*)[2]>(record + layout_.ids), record + layout_.mask,
            layout_.candidates};
}

void VectorEnv::observe_one(std::size_t i, StrengthMemo& memo) {
    const Episode& episode = episodes[i];
    unsigned char* record = records.at(i);
    observe(episode.state, episode.pending, caches_[i], *reinterpret_cast<Observation*>(record));
    if (layout_.candidates == 0) {
        write_slot_mask(episode.state, episode.pending, record + layout_.mask);
        return;
    }
    Candidate* list = candidates_.data() + i * static_cast<std::size_t>(layout_.candidates);
    candidate_counts_[i] = list_candidates(episode.state, rows_of(record, list), candidate_counts_[i], memo);
}

void VectorEnv::write_fresh(int index, unsigned char* record) const {
    const Episode& episode = episodes[static_cast<std::size_t>(index)];
    std::memset(record, 0, static_cast<std::size_t>(layout_.size));
    ObservationCache cache;
    observe(episode.state, episode.pending, cache, *reinterpret_cast<Observation*>(record));
    if (layout_.candidates == 0) {
        write_slot_mask(episode.state, episode.pending, record + layout_.mask);
        return;
    }
    std::vector<Candidate> list(static_cast<std::size_t>(layout_.candidates));
    StrengthMemo memo;
    list_candidates(episode.state, rows_of(record, list.data()), 0, memo);
}

bool VectorEnv::legal(int index, int action) const {
    const Episode& episode = episodes[static_cast<std::size_t>(index)];
    return layout_.candidates == 0 ? slot_legal(episode.state, episode.pending, action)
                                   : action >= 0 && action < candidate_count(index);
}

std::string VectorEnv::refusal(int index, std::int64_t action) const {
    if (action < 0 || action >= layout_.mask_length) {
        return "there are " + std::to_string(layout_.mask_length) + " actions, counted from 0";
    }
    const Episode& episode = episodes[static_cast<std::size_t>(index)];
    if (layout_.candidates == 0) {
        return std::string(slot_refusal(episode.state, episode.pending, static_cast<int>(action)));
    }
    const int listed = candidate_count(index);
    return action < listed ? std::string() : std::to_string(listed) + " candidates are listed now";
}

int VectorEnv::candidate_count(int index) const { return candidate_counts_[static_cast<std::size_t>(index)]; }

// Copies the record to the final ones; of the candidates only the rows that hold something in one of them.
void VectorEnv::keep_final_record(std::size_t i) {
    const unsigned char* from = records.at(i);
    unsigned char* to = final_records.at(i);
    if (layout_.candidates == 0) {
        std::memcpy(to, from, records.size());
        return;
    }
    const auto rows = static_cast<std::size_t>(std::max(candidate_counts_[i], final_counts_[i]));
    std::memcpy(to, from, sizeof(Observation));
    std::memcpy(to + layout_.features, from + layout_.features, rows * kCandidateFeatures * sizeof(float));
    std::memcpy(to + layout_.ids, from + layout_.ids, rows * 2 * sizeof(std::int16_t));
    std::memcpy(to + layout_.mask, from + layout_.mask, static_cast<std::size_t>(layout_.mask_length));
    final_counts_[i] = candidate_counts_[i];
}

void VectorEnv::step_one(std::size_t i, int action, StrengthMemo& memo) {
    Episode& episode = episodes[i];
    if (ended_[i] != 0) {
        begin_episode(episode, recordings[i], options_);
        begin(i, memo);
        return;
    }
    StepResult result{};
    if (layout_.candidates == 0) {
        result = step_episode(episode, recordings[i], options_, action);
    } else {
        const Candidate* chosen =
            action >= 0 && action < candidate_counts_[i] ? candidates(static_cast<int>(i)) + action : nullptr;
        result = step_candidate(episode, recordings[i], options_, chosen);
    }
    rewards[i] = result.reward;
    terminated[i] = result.terminated ? 1 : 0;
    truncated[i] = result.truncated ? 1 : 0;
    if (result.terminated || result.truncated) {
        write_info(episode, final_infos.data() + i * kInfoNumbers);
        write_end(episode, end_records[i]);
        finished[i].exists = 1;
        finished[i].print = state_print(episode.state);
        if (autoreset_ == Autoreset::same_step) {
            std::swap(finished[i].recording, recordings[i]);
            observe_one(i, memo);
            keep_final_record(i);
            begin_episode(episode, recordings[i], options_);
            forget_record(i);
        } else {
            finished[i].recording = recordings[i];
            ended_[i] = autoreset_ == Autoreset::next_step ? 1 : 0;
        }
    }
    observe_one(i, memo);
}

// A thread does its own share first and then helps the others with what is left of theirs: steps differ in
// length, and the slowest share would keep all waiting.
void VectorEnv::do_share(int thread) {
    for (int other = 0; other < threads_; ++other) {
        const int owner = (thread + other) % threads_;
        Share& share = shares_[static_cast<std::size_t>(owner)];
        for (;;) {
            const std::size_t from = share.next.fetch_add(kBlock, std::memory_order_relaxed);
            if (from >= share.end) {
                break;
            }
            do_block(from, std::min(from + kBlock, share.end), thread);
        }
    }
}

void VectorEnv::do_block(std::size_t from, std::size_t to, int thread) {
    StrengthMemo& memo = memos_[static_cast<std::size_t>(thread)];
    for (std::size_t i = from; i < to; ++i) {
        switch (job_) {
        case Job::step:
            step_one(i, action_of(i), memo);
            break;
        case Job::start_generator:
            start_episode(i, starts_[i], memo);
            break;
        case Job::start_on_seed:
            begin_episode(episodes[i], recordings[i], options_, starts_[i]);
            begin(i, memo);
            break;
        case Job::visit:
            (*visit_)(i, thread);
            break;
        }
    }
}

int VectorEnv::action_of(std::size_t i) {
    return actions_ != nullptr ? actions_[i]
                               : random_legal(records.at(i) + layout_.mask, layout_.mask_length, choices_[i]);
}

void VectorEnv::run(Job job) {
    job_ = job;
    if (threads_ == 1) {
        do_block(0, episodes.size(), 0);
        return;
    }
    const auto threads = shares_.size();
    for (std::size_t part = 0; part < threads; ++part) {
        shares_[part].next.store(episodes.size() * part / threads, std::memory_order_relaxed);
        shares_[part].end = episodes.size() * (part + 1) / threads;
    }
    workers_.run();
}

void VectorEnv::step(const std::int32_t* actions) {
    actions_ = actions;
    run(Job::step);
}

void VectorEnv::step(const std::int64_t* actions) {
    for (std::size_t i = 0; i < narrowed_.size(); ++i) {
        const bool possible = actions[i] >= 0 && actions[i] < layout_.mask_length;
        narrowed_[i] = possible ? static_cast<std::int32_t>(actions[i]) : -1;
    }
    step(narrowed_.data());
}

void VectorEnv::step_random() { step(static_cast<const std::int32_t*>(nullptr)); }

std::uint64_t state_print(const State& state) {
    std::uint64_t print = state.streams.fast_state;
    const auto add = [&](std::uint64_t number) { print = (print ^ number) * 0x9e3779b97f4a7c15; };
    const auto add_double = [&](double number) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        add(bits);
    };
    add_double(state.round.score);
    add_double(state.round.target);
    add_double(state.streams.run[static_cast<int>(Stream::deck_shuffle)]);
    add(static_cast<std::uint64_t>(state.money));
    add(state.next_created);
    add(state.hands_played);
    add((std::uint64_t{state.draw_count} << 24) | (std::uint64_t{state.card_count} << 16) |
        (std::uint64_t{state.joker_count} << 8) | static_cast<std::uint64_t>(state.phase));
    for (int i = 0; i < state.hand_count; ++i) {
        add(state.hand[i]);
    }
    return print;
}

}  // namespace jimbot
