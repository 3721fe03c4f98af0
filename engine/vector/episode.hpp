// One episode of the environment: a run dressed for learning, with rewards in named terms.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/actions.hpp"
#include "core/state.hpp"
#include "view/candidates.hpp"
#include "view/slots.hpp"

namespace jimbot {

// Rewards are sums of these. Progress and money are differences of potentials: discount * potential after -
// potential before, and zero at the end, so they change no optimal policy.
enum RewardTerm : int { term_blind, term_win, term_loss, term_progress, term_money, term_count };
inline constexpr std::array<std::string_view, term_count> kTermNames = {"blind", "win", "loss", "progress",
                                                                        "money"};

enum class SeedSet : std::uint8_t { training, evaluation };

struct EpisodeOptions {
    std::vector<DeckId> decks = {kUsualDeck};  // one is drawn per episode
    std::vector<std::uint8_t> stakes = {1};
    std::vector<State> starts;  // runs to start from instead of new ones
    double start_chance = 1.0;  // of starting from one of them, if there are any
    int max_ante = 8;           // the episode is won when this ante's boss is beaten
    int max_steps = 2'000;      // then it is cut off
    int candidates = 0;         // K candidates per step; 0: the fixed actions
    bool fast = false;          // draws from a fast generator, not from the seed's streams
    SeedSet seeds = SeedSet::training;
    double discount = 1.0;
    std::array<double, term_count> weights = {1.0, 5.0, 0.0, 1.0, 0.0};
};

// How an episode ended.
enum class Ending : std::uint8_t { running, won, out_of_hands, out_of_cards, cut_off };

// A blind that was played to its end.
struct PlayedBlind {
    std::uint8_t blind;
    std::int8_t ante;
    std::uint8_t cleared;
};
inline constexpr int kPlayedBlinds = 128;  // that are kept of an episode; no run to ante 39 plays more

struct Episode {
    State state;
    Pending pending;
    std::uint64_t random;       // draws seeds, decks and stakes
    std::uint64_t seed_number;  // of the seed space; ~0 for a run that was given
    double best_hand;
    double ledger[term_count];
    std::int32_t steps;
    std::int32_t blinds;    // cleared
    std::int32_t illegal;   // actions that were refused
    std::int32_t played;    // blinds played to their end
    std::int32_t max_ante;  // as it was when the episode began
    Ending ending;
    PlayedBlind played_blinds[kPlayedBlinds];  // the first of them, in order
};

// What is told at the end beside the numbers. Texts are UTF-32, filled up with zeros.
struct EndRecord {
    char32_t seed[kMaxSeedLength];
    char32_t blind[16];  // key of the blind the episode ended in; empty between blinds
    std::int32_t played;
    PlayedBlind played_blinds[kPlayedBlinds];
};
static_assert(sizeof(EndRecord) == 32 + 64 + 4 + 3 * kPlayedBlinds, "no padding: it is read as it lies");

// How an episode began and what was done in it: enough to play it again.
struct Recording {
    std::uint64_t seed_number;
    std::uint64_t fast_start;  // of the fast generator; 0: the seed's streams
    std::int32_t start;        // which of the given runs it began with; -1: a new one
    std::uint8_t deck;
    std::uint8_t stake;
    std::uint8_t endless;
    std::vector<Action> actions;
};

struct StepResult {
    float reward;
    bool terminated;
    bool truncated;
};

// Seed numbers of the two sets never meet: of every 64 the last belongs to the evaluation set.
std::uint64_t training_seed(std::uint64_t& random);
std::uint64_t evaluation_seed(std::uint64_t number);

// Starts an episode on a drawn seed, or on the seed of this number.
void begin_episode(Episode& episode, Recording& recording, const EpisodeOptions& options);
void begin_episode(Episode& episode, Recording& recording, const EpisodeOptions& options,
                   std::uint64_t seed_number);

// Takes the action of an index of the fixed action space; an illegal one is counted and changes nothing.
StepResult step_episode(Episode& episode, Recording& recording, const EpisodeOptions& options, int slot);

// Takes one of the listed candidates; null counts as an illegal action.
StepResult step_candidate(Episode& episode, Recording& recording, const EpisodeOptions& options,
                          const Candidate* candidate);

// The run an episode began with.
void first_state(const Recording& recording, const EpisodeOptions& options, State& state);

// What is told at the end, as numbers; the names are in kInfoNames.
inline constexpr std::array<std::string_view, 10> kInfoNames = {
    "won", "ante", "round", "blinds", "best_hand", "money", "steps", "illegal", "ending", "seed_number"};
inline constexpr int kInfoNumbers = static_cast<int>(kInfoNames.size()) + term_count;
void write_info(const Episode& episode, double* out);
void write_end(const Episode& episode, EndRecord& out);

}  // namespace jimbot
