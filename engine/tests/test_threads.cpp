// Everything that runs on several threads: the thread pool, vector environments and networks, one of each on
// many threads and many of each at once. `make sanitize-threads` runs these tests under the thread sanitizer.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/workers.hpp"
#include "learn/kernels.hpp"
#include "learn/network.hpp"
#include "tests/check.hpp"
#include "vector/vector_env.hpp"

using namespace jimbot;

namespace {

// Calls work(0) to work(count - 1) on threads of their own.
void run_together(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        threads.emplace_back(work, i);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

// Rounds that every thread of a pool has done; plain numbers, which only run() keeps apart.
std::vector<int> count_rounds(int threads, int rounds, std::chrono::microseconds pause) {
    std::vector<int> done(static_cast<std::size_t>(threads));
    Workers workers(threads, [&](int thread) { ++done[static_cast<std::size_t>(thread)]; });
    for (int round = 0; round < rounds; ++round) {
        workers.run();
        for (int& each : done) {
            each += 1000;
        }
        if (pause.count() > 0) {
            std::this_thread::sleep_for(pause);
        }
    }
    return done;
}

// What a vector environment comes to after some random steps: its episodes, records and rewards as bytes.
std::string play_randomly(int threads, int candidates, std::uint64_t seed) {
    EpisodeOptions options;
    options.candidates = candidates;
    VectorEnv env(13, options, threads, Autoreset::same_step);
    env.reset(seed);
    std::string seen;
    for (int step = 0; step < 30; ++step) {
        env.step_random();
        for (std::size_t i = 0; i < 13; ++i) {
            seen.append(reinterpret_cast<const char*>(env.records.at(i)), env.records.size());
            seen.append(reinterpret_cast<const char*>(&env.rewards[i]), sizeof(float));
        }
    }
    return seen + env.snapshot("");
}

// --- a small network -------------------------------------------------------------------------------------

class PlanBuilder {
public:
    int take(int count) {
        const int start = parameters_;
        parameters_ += count;
        return start;
    }
    learn::LayerPlan layer(int inputs, int outputs, bool bias = true) {
        const int weight = take(inputs * outputs);
        return {weight, bias ? take(outputs) : -1, inputs, outputs};
    }
    int parameters() const { return parameters_; }

private:
    int parameters_ = 0;
};

constexpr int kFloats = 10;
constexpr int kIdentities = 4;
constexpr int kBatch = 70;    // more than one task of observations
constexpr int kLogits = 100;  // more than one task of columns

// Four copied floats, one embedded identity, and a group of three rows with sets and positions.
learn::NetworkPlan small_plan() {
    PlanBuilder builder;
    learn::NetworkPlan plan;
    learn::EncodersPlan& encoders = plan.encoders;
    encoders.copies = {{0, 0, 4}};
    encoders.embeddings = {{0}, {0}, {4}, builder.take(5 * 3), 3, 4};
    learn::EncoderPlan encoder;
    encoder.groups = {{4, 1, 3, {0, 1, 2, 3}}};
    encoder.row_width = 2;
    encoder.table = builder.take(4 * 2);
    encoder.embedding = 2;
    encoder.layers = {builder.layer(4, 5)};
    encoder.set = builder.layer(11, 6);
    encoder.position = builder.layer(5, 2, false);
    encoder.set_column = 7;
    encoder.position_column = 13;
    encoders.encoders = {encoder};
    encoders.float_width = kFloats;
    encoders.identity_width = kIdentities;
    encoders.parameters = builder.parameters();
    encoders.columns = 19;
    encoders.limit = 10.0F;
    plan.observed_columns = 4;
    plan.trunk = {builder.layer(19, 70)};
    plan.policy = {builder.layer(70, 65)};
    plan.value = {builder.layer(70, 8)};
    plan.policy_head = builder.layer(65, kLogits);
    plan.value_head = builder.layer(8, 1);
    plan.parameters = builder.parameters();
    return plan;
}

std::vector<float> draw_normal(int count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        value = normal(generator);
    }
    return values;
}

// Three updates, with the logits and values as their own gradients: parameters, logits and gradients.
std::vector<float> train(learn::Network& network, unsigned seed) {
    const int count = network.plan().parameters;
    std::vector<float> parameters = draw_normal(count + learn::kPadding, seed);
    const std::vector<float> floats = draw_normal(kBatch * kFloats, seed + 1);
    std::vector<std::int32_t> identities(static_cast<std::size_t>(kBatch * kIdentities));
    for (std::size_t i = 0; i < identities.size(); ++i) {
        identities[i] = static_cast<std::int32_t>((i * 7 + seed) % 4);
    }
    std::vector<float> logits(static_cast<std::size_t>(kBatch * kLogits));
    std::vector<float> values(static_cast<std::size_t>(kBatch));
    std::vector<float> gradients(parameters.size());
    std::vector<float> first_moments(parameters.size());
    std::vector<float> second_moments(parameters.size());
    for (int update = 0; update < 3; ++update) {
        std::unique_ptr<learn::ForwardCache> cache = network.forward(
            parameters.data(), floats.data(), identities.data(), kBatch, logits.data(), values.data());
        network.backward(*cache, parameters.data(), logits.data(), values.data(), gradients.data());
        network.recycle(std::move(cache));
        const auto scale = static_cast<float>(1.0 / (1.0 + network.l2_norm(gradients.data(), count)));
        network.adam_step({scale, 0.01F, 0.1F, 0.999F, 0.001F, 1.0F, 1e-5F},
                          {parameters.data(), gradients.data(), first_moments.data(), second_moments.data()},
                          count);
    }
    parameters.insert(parameters.end(), logits.begin(), logits.end());
    parameters.insert(parameters.end(), gradients.begin(), gradients.end());
    return parameters;
}

}  // namespace

TEST(threads_of_a_pool_all_work_in_every_round) {
    for (const int threads : {1, 2, 5}) {
        CHECK(count_rounds(threads, 500, {}) ==
              std::vector<int>(static_cast<std::size_t>(threads), 500 * 1001));
    }
}

TEST(threads_of_a_pool_wake_up_after_they_fell_asleep) {
    CHECK(count_rounds(3, 20, std::chrono::milliseconds(1)) == std::vector<int>(3, 20 * 1001));
}

TEST(threads_may_have_a_pool_each) {
    std::vector<std::vector<int>> done(3);
    run_together(3, [&](int i) { done[static_cast<std::size_t>(i)] = count_rounds(2 + i, 200, {}); });
    for (std::size_t i = 0; i < done.size(); ++i) {
        CHECK(done[i] == std::vector<int>(2 + i, 200 * 1001));
    }
}

TEST(environments_do_not_depend_on_the_number_of_threads) {
    for (const int candidates : {0, 16}) {
        const std::string expected = play_randomly(1, candidates, 5);
        CHECK(play_randomly(2, candidates, 5) == expected);
        CHECK(play_randomly(5, candidates, 5) == expected);
        CHECK(play_randomly(1, candidates, 6) != expected);
    }
}

TEST(environments_of_several_threads_do_not_disturb_each_other) {
    std::vector<std::string> seen(3);
    run_together(3, [&](int i) { seen[static_cast<std::size_t>(i)] = play_randomly(1 + i, 8, 5); });
    CHECK(seen[0] == play_randomly(1, 8, 5));
    CHECK(seen[1] == seen[0] && seen[2] == seen[0]);
}

TEST(networks_do_not_depend_on_the_number_of_threads) {
    learn::Network alone(small_plan(), 1);
    const std::vector<float> expected = train(alone, 3);
    for (const int threads : {2, 5}) {
        learn::Network network(small_plan(), threads);
        CHECK(train(network, 3) == expected);
    }
    CHECK(train(alone, 4) != expected);
}

TEST(networks_may_be_called_by_several_threads) {
    learn::Network network(small_plan(), 3);
    const std::vector<float> expected = train(network, 3);
    std::vector<std::vector<float>> found(3);
    run_together(3, [&](int i) { found[static_cast<std::size_t>(i)] = train(network, 3); });
    for (const std::vector<float>& each : found) {
        CHECK(each == expected);
    }
}
