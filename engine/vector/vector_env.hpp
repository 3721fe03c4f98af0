// Many episodes stepped by one call, on threads, into buffers that stay where they are.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/workers.hpp"
#include "vector/episode.hpp"
#include "vector/exclusive.hpp"
#include "view/observation.hpp"
#include "view/record.hpp"

namespace jimbot {

enum class Autoreset : std::uint8_t { same_step, next_step, off };

// The last episode that ended at a place: its recording, and numbers of the state it ended in.
struct Finished {
    std::uint8_t exists = 0;
    std::uint64_t print = 0;
    Recording recording{};
};

// Records of one layout, one after the other, each on cache lines of its own.
class Records {
public:
    Records(std::size_t count, const RecordLayout& layout);
    unsigned char* at(std::size_t index) { return bytes_.front().bytes + index * size_; }
    std::size_t size() const { return size_; }

private:
    struct alignas(64) Line {
        unsigned char bytes[64];
    };
    std::size_t size_;
    std::vector<Line> bytes_;
};

class VectorEnv {
public:
    VectorEnv(int count, EpisodeOptions options, int threads, Autoreset autoreset);
    VectorEnv(const VectorEnv&) = delete;
    VectorEnv& operator=(const VectorEnv&) = delete;

    // Starts every episode anew, on all threads. Episode i draws its seeds from a generator of its own,
    // started by `seed` and i.
    void reset(std::uint64_t seed);
    // Starts every episode anew; the generator of each is started by a number of its own.
    void reset_each(const std::uint64_t* starts);
    // Starts every episode anew on a given seed each, by its number. The generators go on where they are.
    void reset_on(const std::uint64_t* seed_numbers);
    // Starts some episodes anew, the generator of each from a number of its own, and leaves the others alone.
    void restart(const std::vector<std::size_t>& games, const std::vector<std::uint64_t>& starts);
    // Replaces the finishing ante; it holds from each episode's next start on.
    void set_max_ante(int max_ante) { options_.max_ante = max_ante; }

    // One action per episode. Fills records, rewards, terminated, truncated; with same-step autoreset an
    // episode that ended leaves its last record and its info in the final buffers and starts again.
    void step(const std::int32_t* actions);
    // The same; an index that does not fit into 32 bits is no action's.
    void step(const std::int64_t* actions);
    // The same with actions chosen at random among the legal ones.
    void step_random();

    // Calls visit(game, thread) for every game, each once, on all threads; `thread` is below threads(). It
    // must not throw, and must touch nothing of another game's.
    void visit_games(const std::function<void(std::size_t, int)>& visit);

    int count() const { return static_cast<int>(episodes.size()); }
    int threads() const { return threads_; }
    Autoreset autoreset() const { return autoreset_; }
    const RecordLayout& layout() const { return layout_; }
    const EpisodeOptions& options() const { return options_; }

    const std::uint8_t* mask(int index) { return records.at(static_cast<std::size_t>(index)) + layout_.mask; }
    bool legal(int index, int action) const;
    // Why an action is not legal now; empty if it is.
    std::string refusal(int index, std::int64_t action) const;
    // The candidates an episode has now.
    const Candidate* candidates(int index) const {
        return candidates_.data() + static_cast<std::ptrdiff_t>(index) * layout_.candidates;
    }
    int candidate_count(int index) const;
    // Writes a record from nothing but the state, to hold against the one that was kept up to date.
    void write_fresh(int index, unsigned char* record) const;

    // Everything that decides what later steps give, as bytes; `extra` is kept with it.
    std::string snapshot(const std::string& extra) const;
    // Takes a snapshot of an environment that was made alike; returns its extra. Throws
    // std::invalid_argument, and changes nothing, if it is not one.
    std::string restore(const unsigned char* bytes, std::size_t size);

    // Taken by whoever may be called from several threads, which are the bindings; see vector/exclusive.hpp.
    mutable Occupancy occupancy;

    std::vector<Episode> episodes;
    std::vector<Recording> recordings;
    std::vector<Finished> finished;
    Records records;
    Records final_records;
    std::vector<float> rewards;
    std::vector<std::uint8_t> terminated;
    std::vector<std::uint8_t> truncated;
    std::vector<double> final_infos;  // kInfoNumbers per episode
    std::vector<EndRecord> end_records;

private:
    // The episodes that a thread does first, and where the next block of them begins.
    struct alignas(64) Share {
        std::atomic<std::size_t> next = 0;
        std::size_t end = 0;
    };
    static constexpr std::size_t kBlock = 2;

    // What the threads do with each episode: step it, start it in one of two ways, or show it to a visitor.
    enum class Job : std::uint8_t { step, start_generator, start_on_seed, visit };

    void run(Job job);
    void do_share(int thread);
    void do_block(std::size_t from, std::size_t to, int thread);
    void start_episode(std::size_t i, std::uint64_t start, StrengthMemo& memo);
    void begin(std::size_t i, StrengthMemo& memo);
    void forget_record(std::size_t i);
    void observe_one(std::size_t i, StrengthMemo& memo);
    void step_one(std::size_t i, int action, StrengthMemo& memo);
    int action_of(std::size_t i);
    void keep_final_record(std::size_t i);
    CandidateRows rows_of(unsigned char* record, Candidate* list) const;

    EpisodeOptions options_;
    RecordLayout layout_;
    Autoreset autoreset_;
    std::vector<ObservationCache> caches_;
    std::vector<Candidate> candidates_;  // layout_.candidates per episode
    std::vector<std::int32_t> candidate_counts_;
    std::vector<std::int32_t> final_counts_;  // of the final records
    std::vector<std::uint8_t> ended_;         // next-step autoreset: starts again at the next step
    std::vector<std::uint64_t> choices_;      // generators of step_random
    Job job_ = Job::step;
    const std::int32_t* actions_ = nullptr;  // of Job::step; null: chosen at random
    const std::uint64_t* starts_ = nullptr;  // of jobs that start episodes
    const std::function<void(std::size_t, int)>* visit_ = nullptr;
    std::vector<std::int32_t> narrowed_;  // actions that came as 64 bits
    int threads_;
    std::vector<StrengthMemo> memos_;  // one per thread
    std::vector<Share> shares_;        // likewise
    Workers workers_;
};

// A few numbers of a state that two different ends of an episode hardly share.
std::uint64_t state_print(const State& state);

}  // namespace jimbot
