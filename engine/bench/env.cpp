// Benchmarks of the environments: random legal play with observation, mask and reward, all in C++, beside a
// mock of the same shape that does next to nothing.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/benchmarks.hpp"
#include "vector/choose.hpp"
#include "vector/vector_env.hpp"

namespace jimbot::bench {

namespace {

// Steps all games until the time is over, and sums rewards and episodes.
template <typename Env> EnvMeasurement measure_steps(Env& env, int games, double seconds) {
    std::uint64_t episodes = 0;
    bool counting = false;
    constexpr int kRounds = 64;
    const auto count = static_cast<std::size_t>(games);
    const auto work = [&](std::uint64_t, std::uint64_t) {
        double reward = 0;
        for (int round = 0; round < kRounds; ++round) {
            env.step_random();
            for (std::size_t i = 0; i < count; ++i) {
                reward += env.rewards[i];
                episodes += counting && (env.terminated[i] | env.truncated[i]) != 0 ? 1U : 0U;
            }
        }
        counting = true;  // the first call only warms up
        return reward;
    };
    const auto [steps, elapsed, rewards] =
        measure(seconds, static_cast<std::uint64_t>(games) * kRounds, work);
    return {steps, elapsed, rewards, episodes};
}

// A card game of the same shape: eight cards, plays and discards of any subset, a target, an observation of
// the same size and a mask of the same length. A ceiling to hold the environment against.
struct MockGame {
    std::uint64_t random;
    std::uint64_t choices;
    float score;
    std::int8_t hands_left;
    std::int8_t discards_left;
    std::uint8_t top;
    std::uint8_t hand[kWindow];
    std::uint8_t pile[kFronts];
};

struct MockRecord : Observation {
    std::uint8_t action_mask[slot_count];
};

class MockEnv {
public:
    explicit MockEnv(int count)
        : games(static_cast<std::size_t>(count)), observations(games.size()), rewards(games.size()),
          terminated(games.size()), truncated(games.size()) {
        std::fill(std::begin(legal_), std::end(legal_), std::uint8_t{1});
        for (std::size_t i = 0; i < games.size(); ++i) {
            games[i].random = i + 1;
            games[i].choices = i + 1000;
            start(games[i]);
            observe(games[i], observations[i]);
        }
    }

    void step_random() {
        for (std::size_t i = 0; i < games.size(); ++i) {
            MockGame& game = games[i];
            const float before = game.score;
            take(game, random_legal(observations[i].action_mask, slot_count, game.choices));
            rewards[i] = (game.score - before) / kTarget;
            const bool over = game.hands_left == 0 || game.score >= kTarget;
            terminated[i] = over ? 1 : 0;
            if (over) {
                start(game);
            }
            observe(game, observations[i]);
        }
    }

    std::vector<MockGame> games;
    std::vector<MockRecord> observations;
    std::vector<float> rewards;
    std::vector<std::uint8_t> terminated;
    std::vector<std::uint8_t> truncated;

private:
    static constexpr float kTarget = 300.0f;

    static void start(MockGame& game) {
        for (int i = 0; i < kFronts; ++i) {
            game.pile[i] = static_cast<std::uint8_t>(i);
        }
        for (std::uint64_t i = kFronts - 1; i > 0; --i) {
            std::swap(game.pile[i], game.pile[next_fast(game.random) % (i + 1)]);
        }
        game.top = kFronts;
        game.score = 0;
        game.hands_left = 4;
        game.discards_left = 3;
        for (std::uint8_t& card : game.hand) {
            card = game.pile[--game.top];
        }
    }

    static void take(MockGame& game, int slot) {
        const bool play = slot < slot_discard;
        unsigned counts = 0;
        int chips = 5;
        for (std::uint32_t cards = play_mask(play ? slot - slot_play : slot - slot_discard); cards != 0;
             cards &= cards - 1) {
            std::uint8_t& card = game.hand[std::countr_zero(cards)];
            counts += 1u << (card % 8 * 4);
            chips += card % 13;
            if (game.top > 0) {
                card = game.pile[--game.top];
            }
        }
        if (play) {
            game.score += static_cast<float>(chips * ((counts & 0x22222222) != 0 ? 2 : 1));
            --game.hands_left;
        } else {
            --game.discards_left;
        }
    }

    void observe(const MockGame& game, MockRecord& out) const {
        std::memset(static_cast<void*>(&out), 0, sizeof out);
        out.globals[0] = game.score / kTarget;
        out.globals[1] = static_cast<float>(game.hands_left) / 4.0f;
        out.globals[2] = static_cast<float>(game.discards_left) / 4.0f;
        for (int i = 0; i < kWindow; ++i) {
            const int card = game.hand[i];
            out.hand[i][0] = 1.0f;
            out.hand[i][5] = static_cast<float>(card % 13) / 13.0f;
            out.hand[i][7 + card / 13] = 1.0f;
            out.hand_ids[i] = static_cast<std::int16_t>(card + 1);
        }
        for (int i = 0; i < game.top; ++i) {
            out.deck[game.pile[i]] += 0.25f;
        }
        std::memcpy(out.action_mask + slot_play, legal_, kPlaySubsets);
        if (game.discards_left > 0) {
            std::memcpy(out.action_mask + slot_discard, legal_, kPlaySubsets);
        }
    }

    std::uint8_t legal_[kPlaySubsets];
};

}  // namespace

EnvMeasurement measure_env(const std::string& name, double seconds, int games, int threads) {
    if (games < 1 || threads < 1) {
        throw std::invalid_argument("an environment needs at least one game and one thread");
    }
    if (name == "mock") {
        MockEnv env(games);
        return measure_steps(env, games, seconds);
    }
    if (name != "steps" && name != "fast_steps" && name != "candidates") {
        throw std::invalid_argument("unknown benchmark '" + name +
                                    "'; expected mock, steps, fast_steps or candidates");
    }
    EpisodeOptions options;
    options.fast = name == "fast_steps";
    options.candidates = name == "candidates" ? 64 : 0;
    VectorEnv env(games, options, threads, Autoreset::same_step);
    env.reset(1);
    return measure_steps(env, games, seconds);
}

std::size_t episode_size() { return sizeof(Episode) + sizeof(ObservationCache) + sizeof(Recording); }

}  // namespace jimbot::bench
