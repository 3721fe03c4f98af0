#include "vector/episode.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "core/seed_space.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

constexpr std::uint64_t kSetSize = 64;

double progress_potential(const State& state) {
    if (state.round.blind == bl_none || state.phase == Phase::game_over) {
        return 0;
    }
    return std::clamp(state.round.score / std::max(1.0, state.round.target), 0.0, 1.0);
}

double money_potential(const State& state) { return std::clamp(state.money, 0, 50) / 50.0; }

std::uint64_t below(std::uint64_t& random, std::uint64_t count) { return next_fast(random) % count; }

void clear_counters(Episode& episode, const EpisodeOptions& options) {
    episode.pending = {};
    episode.best_hand = 0;
    std::fill(std::begin(episode.ledger), std::end(episode.ledger), 0.0);
    episode.steps = episode.blinds = episode.illegal = episode.played = 0;
    episode.max_ante = options.max_ante;
    episode.ending = Ending::running;
}

// What rewards need to know of the state before a step.
struct Before {
    Phase phase;
    bool won;
    std::uint8_t blind;
    int ante;
    double score;
    double progress;
    double money;

    explicit Before(const State& state)
        : phase(state.phase), won(state.won != 0), blind(state.round.blind), ante(state.ante),
          score(state.round.score), progress(progress_potential(state)), money(money_potential(state)) {}

    bool boss() const { return is_boss(blind); }
};

// Whether the step ended a blind with success.
bool blind_was_cleared(Phase before, const State& state, bool won_before) {
    if (before != Phase::playing) {
        return false;
    }
    return state.phase == Phase::round_eval ||
           (state.phase == Phase::game_over && state.won != 0 && !won_before);
}

// Counts what a legal step did and pays for it; true if it ended the episode.
bool count_step(Episode& episode, const EpisodeOptions& options, const Before& before, ActionKind kind,
                double* terms) {
    const State& state = episode.state;
    const bool cleared = blind_was_cleared(before.phase, state, before.won);
    const bool lost = state.phase == Phase::game_over && state.won == 0;
    const bool won = cleared && before.boss() && before.ante >= episode.max_ante;
    const bool terminated = won || state.phase == Phase::game_over;
    if (before.phase == Phase::playing && kind == ActionKind::play_hand) {
        episode.best_hand = std::max(episode.best_hand, state.round.score - before.score);
    }
    if (cleared || lost) {
        if (episode.played < kPlayedBlinds) {
            // Antes beyond a byte are told as the last that fits: only runs changed by hand begin there.
            episode.played_blinds[episode.played] = {
                before.blind, static_cast<std::int8_t>(std::clamp(before.ante, INT8_MIN, INT8_MAX)),
                static_cast<std::uint8_t>(cleared ? 1 : 0)};
        }
        ++episode.played;
    }
    episode.blinds += cleared ? 1 : 0;
    terms[term_blind] = cleared ? 1.0 : 0.0;
    terms[term_win] = won ? 1.0 : 0.0;
    terms[term_loss] = lost ? -1.0 : 0.0;
    terms[term_progress] =
        options.discount * (terminated ? 0.0 : progress_potential(state)) - before.progress;
    terms[term_money] = options.discount * (terminated ? 0.0 : money_potential(state)) - before.money;
    if (terminated) {
        episode.ending = won || state.won != 0         ? Ending::won
                         : state.round.hands_left <= 0 ? Ending::out_of_hands
                                                       : Ending::out_of_cards;
    }
    return terminated;
}

StepResult finish_step(Episode& episode, const EpisodeOptions& options, const Before& before, ActionKind kind,
                       bool legal) {
    ++episode.steps;
    double terms[term_count] = {};
    bool terminated = false;
    if (legal) {
        terminated = count_step(episode, options, before, kind, terms);
    } else {
        ++episode.illegal;
    }
    const bool truncated = !terminated && episode.steps >= options.max_steps;
    if (truncated) {
        episode.ending = Ending::cut_off;
    }
    double reward = 0;
    for (std::size_t i = 0; i < term_count; ++i) {
        const double weighted = options.weights[i] * terms[i];
        episode.ledger[i] += weighted;
        reward += weighted;
    }
    return {static_cast<float>(reward), terminated, truncated};
}

}  // namespace

std::uint64_t training_seed(std::uint64_t& random) {
    const std::uint64_t group = below(random, kSeedSpace / kSetSize);
    return group * kSetSize + below(random, kSetSize - 1);
}

std::uint64_t evaluation_seed(std::uint64_t number) {
    constexpr std::uint64_t kGroups = kSeedSpace / kSetSize;
    constexpr std::uint64_t kStride = 1'000'003;  // coprime to the number of groups: a permutation
    return (number % kGroups) * kStride % kGroups * kSetSize + (kSetSize - 1);
}

void begin_episode(Episode& episode, Recording& recording, const EpisodeOptions& options) {
    if (!options.starts.empty() &&
        static_cast<double>(next_fast(episode.random) >> 11) * 0x1p-53 < options.start_chance) {
        clear_counters(episode, options);
        recording.actions.clear();
        recording.start = static_cast<std::int32_t>(below(episode.random, options.starts.size()));
        recording.fast_start = options.fast ? next_fast(episode.random) | 1 : 0;
        recording.seed_number = episode.seed_number = ~std::uint64_t{0};
        first_state(recording, options, episode.state);
        return;
    }
    const std::uint64_t number = options.seeds == SeedSet::training
                                     ? training_seed(episode.random)
                                     : evaluation_seed(next_fast(episode.random) >> 20);
    begin_episode(episode, recording, options, number);
}

void begin_episode(Episode& episode, Recording& recording, const EpisodeOptions& options,
                   std::uint64_t seed_number) {
    clear_counters(episode, options);
    recording.actions.clear();
    recording.start = -1;
    recording.seed_number = episode.seed_number = seed_number;
    recording.deck = options.decks[below(episode.random, options.decks.size())];
    recording.stake = options.stakes[below(episode.random, options.stakes.size())];
    recording.fast_start = options.fast ? next_fast(episode.random) | 1 : 0;
    recording.endless = options.max_ante > 8 ? 1 : 0;
    first_state(recording, options, episode.state);
}

void first_state(const Recording& recording, const EpisodeOptions& options, State& state) {
    if (recording.start >= 0) {
        state = options.starts[static_cast<std::size_t>(recording.start)];
        if (recording.fast_start != 0) {
            use_fast_streams(state.streams, recording.fast_start);
        }
        return;
    }
    char seed[kRandomSeedLength];
    write_seed(recording.seed_number, seed);
    RunOptions run;
    run.seed = {seed, sizeof seed};
    run.deck = static_cast<DeckId>(recording.deck);
    run.stake = recording.stake;
    run.fast_start = recording.fast_start;
    run.endless = recording.endless != 0;
    start_run(state, run);
}

StepResult step_episode(Episode& episode, Recording& recording, const EpisodeOptions& options, int slot) {
    const Decision decision = read_slot(episode.state, episode.pending, slot);
    const Before before(episode.state);
    bool legal = decision.kind != Decision::Kind::refused;
    if (decision.kind == Decision::Kind::action) {
        legal = apply(episode.state, decision.action) == Refusal::none;
        if (legal) {
            recording.actions.push_back(decision.action);
        }
    }
    if (legal) {
        episode.pending = decision.pending;
    }
    return finish_step(episode, options, before, legal ? decision.action.kind : ActionKind::count, legal);
}

StepResult step_candidate(Episode& episode, Recording& recording, const EpisodeOptions& options,
                          const Candidate* candidate) {
    const Before before(episode.state);
    bool legal = candidate != nullptr;
    if (legal && candidate->before.kind != ActionKind::count) {
        legal = apply(episode.state, candidate->before) == Refusal::none;
        if (legal) {
            recording.actions.push_back(candidate->before);
        }
    }
    if (legal) {
        legal = apply(episode.state, candidate->action) == Refusal::none;
        if (legal) {
            recording.actions.push_back(candidate->action);
        }
    }
    return finish_step(episode, options, before, legal ? candidate->action.kind : ActionKind::count, legal);
}

void write_info(const Episode& episode, double* out) {
    const State& state = episode.state;
    const double numbers[] = {
        episode.ending == Ending::won ? 1.0 : 0.0,
        static_cast<double>(state.ante),
        static_cast<double>(state.rounds),
        static_cast<double>(episode.blinds),
        episode.best_hand,
        static_cast<double>(state.money),
        static_cast<double>(episode.steps),
        static_cast<double>(episode.illegal),
        static_cast<double>(episode.ending),
        static_cast<double>(episode.seed_number),
    };
    std::copy(std::begin(numbers), std::end(numbers), out);
    std::copy(std::begin(episode.ledger), std::end(episode.ledger), out + std::size(numbers));
}

void write_end(const Episode& episode, EndRecord& out) {
    const int kept = std::min(episode.played, kPlayedBlinds);
    const bool over = episode.ending != Ending::cut_off && kept > 0;
    const auto blind = over ? episode.played_blinds[kept - 1].blind : episode.state.round.blind;
    const std::string_view key = blind == bl_none ? std::string_view() : kBlinds[blind].key;
    const Streams& streams = episode.state.streams;
    const auto write = [](std::string_view text, auto& to) {
        std::fill(std::copy(text.begin(), text.end(), std::begin(to)), std::end(to), U'\0');
    };
    write({streams.seed, streams.seed_length}, out.seed);
    write(key, out.blind);
    out.played = episode.played;
    std::copy_n(episode.played_blinds, kept, out.played_blinds);
    std::fill(out.played_blinds + kept, std::end(out.played_blinds), PlayedBlind{});
}

}  // namespace jimbot
