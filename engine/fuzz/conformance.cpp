#include "fuzz/conformance.hpp"

#include <algorithm>
#include <bit>
#include <thread>

#include "core/snapshot.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/mutants.hpp"
#include "fuzz/policy.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"

namespace jimbot::fuzz {

namespace {

// Decisions between two runs of the expensive checks, on average.
constexpr int kAllActionsEvery = 64;
constexpr int kAllPreviewsEvery = 16;
constexpr int kResampleEvery = 4;
constexpr int kKeepEvery = 8;  // states for changes by hand

constexpr std::size_t kKept = 4;
constexpr int kMutants = 4;  // per game
constexpr int kMutantSteps = 12;

// One game in progress with its checks.
class CheckedGame {
public:
    CheckedGame(const GamePlan& plan, bool checked, Report& report)
        : plan_(plan), checked_(checked), report_(report), policy_(plan.batch * 31 + plan.number * 2 + 1),
          probes_(plan.batch * 37 + plan.number * 2) {}

    void play() {
        RunOptions options;
        options.seed = plan_.seed;
        options.deck = plan_.deck;
        options.stake = plan_.stake;
        options.challenge = plan_.challenge;
        options.profile = plan_.fresh_profile ? Profile::fresh : Profile::everything_unlocked;
        options.endless = plan_.endless;
        start_run(state_, options);
        before_ = clone_ = state_;
        require_valid(broken_invariant(state_));
        int steps = 0;
        for (; steps < plan_.max_steps && state_.phase != Phase::game_over && !failed_; ++steps) {
            boost();
            step();
        }
        finish(steps);
        if (checked_ && !failed_) {
            examine_mutants();
        }
    }

private:
    // Records a failed check, at most one per game and kind. All but leaks of
    // hidden information end the game.
    void require(const Broken& broken) {
        if (!broken || failed_ || (reported_ && broken.goes_on)) {
            return;
        }
        Failure failure{broken.check, broken.detail, plan_, events_,
                        std::vector<unsigned char>(kSnapshotSize)};
        write_snapshot(before_, failure.before.data());
        report_.failures.push_back(std::move(failure));
        reported_ = true;
        failed_ = !broken.goes_on;
    }

    // Records a violated invariant, given as "name: detail".
    void require_valid(const std::string& broken) {
        if (!broken.empty()) {
            require({broken.substr(0, broken.find(':')), broken});
        }
    }

    void boost() {
        Event event{};
        if (!plan_.boosted || !choose_boost(state_, plan_, policy_, event)) {
            return;
        }
        before_ = state_;
        events_.push_back(event);
        apply_boost(state_, event);
        apply_boost(clone_, event);
        if (checked_) {
            require_valid(broken_invariant(state_));
        }
    }

    void step() {
        const std::vector<Action> legal = legal_list(state_);
        if (legal.empty()) {
            require({"stuck", "no action is legal and the run is not over"});
            return;
        }
        if (checked_) {
            examine(legal);
            keep_state();
        }
        const Action action = choose_action(state_, legal, plan_, policy_);
        before_ = state_;
        events_.push_back({Event::Kind::action, action, 0, 0});
        count(action);
        const bool play = action.kind == ActionKind::play_hand;
        const Preview preview = checked_ && play ? preview_play(state_, action.mask) : Preview{};
        if (apply(state_, action) != Refusal::none) {
            require({"legal actions", "a listed action is refused"});
            return;
        }
        hash_ = (std::rotl(hash_, 7) ^ state_hash(state_)) * 0x9e3779b97f4a7c15;
        if (!checked_ || failed_) {
            return;
        }
        ++report_.nodes;
        if (play) {
            require(check_play(before_, preview, state_, report_));
        }
        require_valid(broken_invariant(state_));
        require_valid(broken_step(before_, action, state_));
        if (apply(clone_, action) != Refusal::none || !same(clone_, state_)) {
            require({"clone", "a clone went another way under the same actions"});
        }
        require(check_snapshot(state_, probes_));
        if (state_.phase == Phase::game_over) {
            require(check_any_actions(state_, {}, probes_, report_));
            require(check_all_actions(state_, legal_list(state_)));
        }
    }

    void examine(const std::vector<Action>& legal) {
        require(check_any_actions(state_, legal, probes_, report_));
        require(check_previews(state_, legal, probes_, report_));
        if (probes_.one_in(kAllActionsEvery)) {
            require(check_all_actions(state_, legal));
        }
        if (probes_.one_in(kAllPreviewsEvery)) {
            require(check_all_previews(state_, legal));
        }
        if (probes_.one_in(kResampleEvery)) {
            require(check_resampled(state_, legal, probes_, report_));
        }
        Action culprit{};
        if (const Broken broken = check_samples(state_, legal, probes_, report_, culprit)) {
            before_ = state_;
            events_.push_back({Event::Kind::action, culprit, 0, 0});
            require(broken);
        }
    }

    // Changes states of the game by hand, plays them on, and starts environments from them. This happens
    // after the game, so that its decisions and its hash are the same without checks.
    void examine_mutants() {
        std::vector<State> starts = kept_;
        for (int i = 0; i < kMutants && !kept_.empty() && !failed_; ++i) {
            State mutant = kept_[static_cast<std::size_t>(probes_.below(static_cast<int>(kept_.size())))];
            if (!mutate(mutant, probes_)) {
                continue;
            }
            starts.push_back(mutant);
            Action culprit{};
            if (const Broken broken =
                    check_playable(mutant, kMutantSteps, probes_, report_, before_, culprit)) {
                events_ = {{Event::Kind::mutant, {}, 0, 0}, {Event::Kind::action, culprit, 0, 0}};
                require(broken);
            }
        }
        if (!starts.empty() && !failed_) {
            before_ = starts.back();
            events_ = {{Event::Kind::mutant, {}, 0, 0}};
            require(check_records(starts, probes_, report_));
        }
    }

    // Keeps some states of the game, the later ones in place of earlier ones.
    void keep_state() {
        if (!probes_.one_in(kKeepEvery)) {
            return;
        }
        if (kept_.size() < kKept) {
            kept_.push_back(state_);
        } else {
            kept_[static_cast<std::size_t>(probes_.below(static_cast<int>(kKept)))] = state_;
        }
    }

    void count(const Action& action) {
        ++report_.kinds[static_cast<std::size_t>(action.kind)];
        if (action.kind == ActionKind::play_hand) {
            ++report_.blinds[state_.round.blind];
            for (int i = 0; i < state_.joker_count; ++i) {
                ++report_.jokers[state_.jokers[i].id];
            }
        } else if (action.kind == ActionKind::use_consumable) {
            ++report_.consumables[state_.consumables[action.a].id];
        } else if (action.kind == ActionKind::buy_and_use) {
            ++report_.consumables[state_.shop.slots[action.a].id];
        } else if (action.kind == ActionKind::pick_card &&
                   state_.pack.cards[action.a].kind == ItemKind::consumable) {
            ++report_.consumables[state_.pack.cards[action.a].id];
        } else if (action.kind == ActionKind::redeem_voucher) {
            ++report_.vouchers[state_.shop.vouchers[action.a].id];
        }
        report_.max_ante = std::max<std::int32_t>(report_.max_ante, state_.ante);
        report_.max_jokers = std::max<std::int32_t>(report_.max_jokers, state_.joker_count);
        report_.max_cards = std::max<std::int32_t>(report_.max_cards, state_.card_count);
        report_.max_hand = std::max<std::int32_t>(report_.max_hand, state_.hand_count);
        report_.max_score = std::max(report_.max_score, state_.round.score);
    }

    void finish(int steps) {
        ++report_.games;
        ++report_.decks[plan_.challenge != 0 ? std::size_t{b_challenge} : std::size_t{plan_.deck}];
        ++report_.stakes[static_cast<std::size_t>(plan_.challenge != 0 ? 1 : plan_.stake)];
        ++report_.challenges[static_cast<std::size_t>(plan_.challenge)];
        report_.wins += state_.won;
        report_.losses += state_.phase == Phase::game_over && state_.won == 0 ? 1u : 0u;
        report_.cut_short += steps >= plan_.max_steps ? 1u : 0u;
        // A sum does not depend on the order in which games end.
        report_.hash += hash_ ^ (plan_.number * 0xd6e8feb86659fd93);
    }

    const GamePlan& plan_;
    bool checked_;
    Report& report_;
    Random policy_;  // chooses actions and boosts
    Random probes_;  // chooses what is checked, so that games are the same with and without checks
    State state_;
    State clone_;   // gets the same actions
    State before_;  // before the last event
    std::vector<Event> events_;
    std::vector<State> kept_;
    std::uint64_t hash_ = 0;
    bool failed_ = false;
    bool reported_ = false;
};

}  // namespace

void Report::add(const Report& other) {
    games += other.games;
    nodes += other.nodes;
    wins += other.wins;
    losses += other.losses;
    cut_short += other.cut_short;
    applied += other.applied;
    refused += other.refused;
    previews += other.previews;
    exact_plays += other.exact_plays;
    chance_plays += other.chance_plays;
    resampled += other.resampled;
    resampled_apart += other.resampled_apart;
    mutants += other.mutants;
    records += other.records;
    hash += other.hash;
    max_ante = std::max(max_ante, other.max_ante);
    max_jokers = std::max(max_jokers, other.max_jokers);
    max_cards = std::max(max_cards, other.max_cards);
    max_hand = std::max(max_hand, other.max_hand);
    max_score = std::max(max_score, other.max_score);
    const auto sum = [](auto& mine, const auto& theirs) {
        for (std::size_t i = 0; i < mine.size(); ++i) {
            mine[i] += theirs[i];
        }
    };
    sum(kinds, other.kinds);
    sum(decks, other.decks);
    sum(stakes, other.stakes);
    sum(challenges, other.challenges);
    sum(blinds, other.blinds);
    sum(jokers, other.jokers);
    sum(consumables, other.consumables);
    sum(vouchers, other.vouchers);
    failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

void run_game(const GamePlan& plan, bool checked, Report& report) {
    CheckedGame(plan, checked, report).play();
}

Report run_batch(std::uint64_t batch, std::uint64_t first, std::uint64_t count, int threads, bool checked) {
    const auto lanes = static_cast<std::uint64_t>(std::max(1, threads));
    std::vector<Report> parts(lanes);
    const auto work = [&](std::uint64_t lane) {
        for (std::uint64_t number = first + lane; number < first + count; number += lanes) {
            run_game(plan_game(batch, number), checked, parts[lane]);
        }
    };
    std::vector<std::thread> others;
    for (std::uint64_t lane = 1; lane < lanes; ++lane) {
        others.emplace_back(work, lane);
    }
    work(0);
    for (std::thread& other : others) {
        other.join();
    }
    Report report;
    for (const Report& part : parts) {
        report.add(part);
    }
    return report;
}

}  // namespace jimbot::fuzz
