#include "vector/episode.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/run.hpp"
#include "seeds/seed_space.hpp"

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

void clear_counters(Episode& episode) {
    episode.pending = {};
    episode.best_hand = 0;
    std::fill(std::begin(episode.ledger), std::end(episode.ledger), 0.0);
    episode.steps = episode.blinds = episode.illegal = episode.played = 0;
    episode.cleared = 0;
    episode.ending = Ending::running;
}

// Whether the step ended a blind with success.
bool blind_was_cleared(Phase before, const State& state, bool won_before) {
    if (before != Phase::playing) {
        return false;
    }
    return state.phase == Phase::round_eval ||
           (state.phase == Phase::game_over && state.won != 0 && !won_before);
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

void begin_episode(Episode& episode, const EpisodeOptions& options) {
    if (!options.starts.empty() &&
        static_cast<double>(next_fast(episode.random) >> 11) * 0x1p-53 < options.start_chance) {
        clear_counters(episode);
        episode.state = options.starts[below(episode.random, options.starts.size())];
        if (options.fast) {
            use_fast_streams(episode.state.streams, next_fast(episode.random));
        }
        episode.seed_number = ~std::uint64_t{0};
        return;
    }
    const std::uint64_t number = options.seeds == SeedSet::training
                                     ? training_seed(episode.random)
                                     : evaluation_seed(next_fast(episode.random) >> 20);
    begin_episode(episode, options, number);
}

void begin_episode(Episode& episode, const EpisodeOptions& options, std::uint64_t seed_number) {
    clear_counters(episode);
    episode.seed_number = seed_number;
    char seed[kRandomSeedLength];
    write_seed(seed_number, seed);
    RunOptions run;
    run.seed = {seed, sizeof seed};
    run.deck = options.decks[below(episode.random, options.decks.size())];
    run.stake = options.stakes[below(episode.random, options.stakes.size())];
    run.fast_start = options.fast ? next_fast(episode.random) | 1 : 0;
    run.endless = options.max_ante > 8;
    start_run(episode.state, run);
}

StepResult step_episode(Episode& episode, const EpisodeOptions& options, int slot) {
    State& state = episode.state;
    ++episode.steps;
    double terms[term_count] = {};
    bool terminated = false;
    if (slot_legal(state, episode.pending, slot)) {
        const Phase phase = state.phase;
        const bool won_before = state.won != 0;
        const int ante = state.ante;
        const bool boss = state.round.blind > bl_big;
        const double score = state.round.score;
        const double progress = progress_potential(state);
        const double money = money_potential(state);
        take_slot(state, episode.pending, slot);
        const bool cleared = blind_was_cleared(phase, state, won_before);
        const bool lost = state.phase == Phase::game_over && state.won == 0;
        const bool won = cleared && boss && ante >= options.max_ante;
        terminated = won || state.phase == Phase::game_over;
        if (phase == Phase::playing && slot < slot_discard) {
            episode.best_hand = std::max(episode.best_hand, state.round.score - score);
        }
        if (cleared || lost) {
            episode.cleared |= cleared && episode.played < 64 ? std::uint64_t{1} << episode.played : 0;
            ++episode.played;
        }
        episode.blinds += cleared ? 1 : 0;
        terms[term_blind] = cleared ? 1.0 : 0.0;
        terms[term_win] = won ? 1.0 : 0.0;
        terms[term_loss] = lost ? -1.0 : 0.0;
        terms[term_progress] = options.discount * (terminated ? 0.0 : progress_potential(state)) - progress;
        terms[term_money] = options.discount * (terminated ? 0.0 : money_potential(state)) - money;
        if (terminated) {
            episode.ending = won || state.won != 0         ? Ending::won
                             : state.round.hands_left <= 0 ? Ending::out_of_hands
                                                           : Ending::out_of_cards;
        }
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

}  // namespace jimbot
