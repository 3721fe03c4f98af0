// Benchmarks of the whole game: decisions, clones, resampled copies, previews, and a mock as a ceiling.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "core/seed_space.hpp"
#include "play/random_player.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"
#include "view/hidden.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"

namespace jimbot::bench {

namespace {

// Random legal decisions of whole games, new games included. The work of one chunk is a number of decisions.
template <bool fast> double decisions(std::uint64_t done, std::uint64_t count) {
    thread_local State state;
    thread_local bool running = false;
    std::uint64_t random = 0x5eed ^ (done * 0x9e3779b97f4a7c15);
    std::uint64_t games = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!running || state.phase == Phase::game_over) {
            char seed[kRandomSeedLength];
            write_seed(next_fast(random) % kSeedSpace, seed);
            start_run(state, {.seed = {seed, sizeof seed}, .fast_start = fast ? next_fast(random) | 1 : 0});
            running = true;
            ++games;
        }
        apply(state, random_action(state, random));
    }
    return static_cast<double>(games);
}

// The least a card game could do per decision: pick a play at random, draw cards from a shuffled pile, look
// up five ranks, keep a score. A ceiling to hold the engine against.
double mock_decisions(std::uint64_t done, std::uint64_t count) {
    std::uint8_t pile[52];
    std::uint8_t hand[8] = {};
    for (int i = 0; i < 52; ++i) {
        pile[i] = static_cast<std::uint8_t>(i);
    }
    std::uint64_t random = 1 + done;
    double score = 0;
    int top = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t draw = next_fast(random);
        unsigned counts = 0;
        double chips = 5;
        for (int card = 0; card < 5; ++card) {
            const auto at = static_cast<std::size_t>((draw >> (card * 3)) & 7);
            counts += 1u << ((hand[at] % 8) * 4);
            chips += hand[at] % 13;
            if (top == 0) {
                for (int j = 51; j > 0; --j) {
                    std::swap(pile[j], pile[next_fast(random) % static_cast<std::uint64_t>(j + 1)]);
                }
                top = 52;
            }
            hand[at] = pile[--top];
        }
        score += chips * ((counts & 0x22222222) != 0 ? 2 : 1);
    }
    return score;
}

// A run in ante 1 with eight cards in hand and five plain jokers.
State sample_round() {
    State state;
    start_run(state, {.seed = "7LB2WVPK"});
    for (const JokerId id : {j_joker, j_jolly, j_greedy_joker, j_banner, j_cavendish}) {
        Item item{};
        item.kind = ItemKind::joker;
        item.id = id;
        item.card.created = state.next_created++;
        add_joker(state, joker_from_item(state, item));
    }
    apply(state, {ActionKind::select_blind});
    return state;
}

double clones(std::uint64_t, std::uint64_t count) {
    static const State original = sample_round();
    static const std::unique_ptr<State[]> copies(new State[4]);
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        State& copy = copies[i & 3];
        std::memcpy(static_cast<void*>(&copy), &original, sizeof copy);
        sum += copy.money + static_cast<double>(copy.draw_pile[i & 31]);
    }
    return sum;
}

double resampled_copies(std::uint64_t done, std::uint64_t count) {
    static const State original = sample_round();
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        State copy = original;
        resample_hidden(copy, done + i);
        sum += copy.draw_pile[0];
    }
    return sum;
}

double previews(std::uint64_t, std::uint64_t count) {
    static const State state = sample_round();
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        sum += preview_play(state, 31u << (i % 4)).worst;
    }
    return sum;
}

double all_previews(std::uint64_t, std::uint64_t count) {
    static const State state = sample_round();
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(state.hand_count)));
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const int found = preview_all(state, plays.data());
        sum += plays[static_cast<std::size_t>(found) - 1].score;
    }
    return sum;
}

constexpr Benchmark kBenchmarks[] = {
    {"mock", 10'000, &mock_decisions},
    {"decisions", 10'000, &decisions<false>},
    {"fast_decisions", 10'000, &decisions<true>},
    {"clones", 10'000, &clones},
    {"resampled_copies", 1'000, &resampled_copies},
    {"previews", 1'000, &previews},
    {"all_previews", 100, &all_previews},
};

}  // namespace

Measurement measure_game(const std::string& name, double seconds) {
    return measure_by_name(kBenchmarks, name, seconds);
}

}  // namespace jimbot::bench
