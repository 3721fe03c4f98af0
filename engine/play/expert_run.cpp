#include "play/expert_run.hpp"

#include <algorithm>
#include <memory>

#include "core/seed_space.hpp"
#include "play/expert.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

std::uint64_t blind_bit(int ante, int blind_on_deck) {
    const int index = 3 * (std::clamp(ante, 1, 21) - 1) + blind_on_deck;
    return std::uint64_t{1} << index;
}

}  // namespace

void play_expert_run(ExpertRun& run, std::uint64_t seed_number, const ExpertRunOptions& options,
                     const ExpertWeights& weights) {
    char seed[kRandomSeedLength];
    write_seed(seed_number, seed);
    RunOptions start;
    start.seed = {seed, sizeof seed};
    start.deck = options.deck;
    start.stake = options.stake;
    start.endless = options.max_ante > 8;
    run = {};
    State& state = run.state;
    start_run(state, start);
    const auto memory = std::make_unique<StrengthMemory>();
    while (state.phase != Phase::game_over && run.steps < options.max_steps) {
        const Phase phase = state.phase;
        const double score = state.round.score;
        const int ante = state.ante;
        const bool boss = is_boss(state.round.blind);
        const int blind = state.blind_on_deck;
        const bool won_before = state.won != 0;
        const Action action = expert_action(state, weights, memory.get());
        if (phase == Phase::playing) {
            run.last_blind = state.round.blind;
            run.reached_at |= blind_bit(ante, blind);
        }
        if (apply(state, action) != Refusal::none) {
            run.cut_off = true;  // a refused choice would be refused for ever
            return;
        }
        ++run.steps;
        if (phase != Phase::playing) {
            continue;
        }
        run.best_hand = std::max(run.best_hand, state.round.score - score);
        const bool cleared = state.phase == Phase::round_eval ||
                             (state.phase == Phase::game_over && state.won != 0 && !won_before);
        if (cleared) {
            ++run.blinds;
            run.cleared_at |= blind_bit(ante, blind);
        }
        run.played += cleared || state.phase == Phase::game_over ? 1 : 0;
        if (cleared && boss && ante >= options.max_ante) {
            run.won = true;
            return;
        }
    }
    run.won = state.won != 0;
    run.cut_off = state.phase != Phase::game_over;
}

}  // namespace jimbot
