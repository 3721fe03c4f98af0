// The scripted player for Python: its weights, its choices, and whole runs on threads.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "core/seed_space.hpp"
#include "play/expert.hpp"
#include "play/expert_run.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

ExpertWeights weights_from(const std::vector<double>& values) {
    ExpertWeights weights;
    if (values.size() != weights.values.size()) {
        throw nb::value_error(
            "the scripted player needs one value per weight, in the order of expert_weights()");
    }
    std::copy(values.begin(), values.end(), weights.values.begin());
    return weights;
}

nb::list expert_weights() {
    nb::list result;
    for (int id = 0; id < weight_count; ++id) {
        const WeightEntry entry = weight_entry(id);
        result.append(nb::make_tuple(weight_name(id), entry.value, entry.low, entry.high, text(entry.text)));
    }
    return result;
}

nb::tuple expert_choose(const GameState& game, const std::vector<double>& values) {
    if (game.state.phase == Phase::game_over) {
        throw nb::value_error("the run is over: there is nothing to choose");
    }
    const ExpertWeights weights = weights_from(values);
    const State state = game.state;  // another thread may step the game meanwhile
    Action action{};
    {
        const nb::gil_scoped_release release;
        action = expert_action(state, weights);
    }
    return nb::make_tuple(static_cast<int>(action.kind), action.a, action.b, action.mask);
}

void play_all(std::vector<ExpertRun>& runs, const std::vector<std::uint64_t>& seeds,
              const ExpertRunOptions& options, const ExpertWeights& weights, int threads) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < seeds.size(); i = next++) {
            play_expert_run(runs[i], seeds[i], options, weights);
        }
    };
    std::vector<std::thread> workers;
    for (int i = 1; i < threads; ++i) {
        workers.emplace_back(work);
    }
    work();
    for (std::thread& worker : workers) {
        worker.join();
    }
}

template <typename Value, typename Read> nb::object column(const std::vector<ExpertRun>& runs, Read read) {
    auto* values = new std::vector<Value>();
    values->reserve(runs.size());
    for (const ExpertRun& run : runs) {
        values->push_back(static_cast<Value>(read(run)));
    }
    const nb::capsule owner(values,
                            [](void* held) noexcept { delete static_cast<std::vector<Value>*>(held); });
    return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(values->data(), {values->size()}, owner));
}

nb::list jokers_of(const std::vector<ExpertRun>& runs) {
    nb::list result;
    for (const ExpertRun& run : runs) {
        nb::list keys;
        for (int i = 0; i < run.state.joker_count; ++i) {
            keys.append(text(kJokers[run.state.jokers[i].id].key));
        }
        result.append(keys);
    }
    return result;
}

nb::list last_blinds(const std::vector<ExpertRun>& runs) {
    nb::list result;
    for (const ExpertRun& run : runs) {
        result.append(
            text(run.last_blind == bl_none ? "" : kBlinds[static_cast<std::size_t>(run.last_blind)].key));
    }
    return result;
}

nb::dict expert_play(const std::vector<std::uint64_t>& seeds, const std::string& deck, int stake,
                     const std::vector<double>& values, int threads, int max_ante) {
    const ExpertWeights weights = weights_from(values);
    ExpertRunOptions options;
    options.deck = deck_from_key(deck);
    if (!kDecks[options.deck].selectable) {
        throw nb::value_error("b_challenge is the deck of challenges and cannot be chosen");
    }
    options.stake = checked_stake(stake);
    options.max_ante = max_ante;
    if (threads < 1 || max_ante < 1 || max_ante > 20) {
        throw nb::value_error("threads must be 1 or more and max_ante 1 to 20");
    }
    for (const std::uint64_t seed : seeds) {
        if (seed >= kSeedSpace) {
            throw nb::value_error("a seed number must be below seed_space");
        }
    }
    std::vector<ExpertRun> runs(seeds.size());
    {
        const nb::gil_scoped_release release;
        play_all(runs, seeds, options, weights, threads);
    }
    nb::dict result;
    result["won"] = column<std::uint8_t>(runs, [](const ExpertRun& run) { return run.won ? 1 : 0; });
    result["cut_off"] = column<std::uint8_t>(runs, [](const ExpertRun& run) { return run.cut_off ? 1 : 0; });
    result["ante"] = column<std::int32_t>(runs, [](const ExpertRun& run) { return run.state.ante; });
    result["blinds"] = column<std::int32_t>(runs, [](const ExpertRun& run) { return run.blinds; });
    result["rounds"] = column<std::int32_t>(runs, [](const ExpertRun& run) { return run.state.rounds; });
    result["steps"] = column<std::int32_t>(runs, [](const ExpertRun& run) { return run.steps; });
    result["money"] = column<std::int32_t>(runs, [](const ExpertRun& run) { return run.state.money; });
    result["best_hand"] = column<double>(runs, [](const ExpertRun& run) { return run.best_hand; });
    result["final_score"] = column<double>(runs, [](const ExpertRun& run) { return run.state.round.score; });
    result["final_target"] =
        column<double>(runs, [](const ExpertRun& run) { return run.state.round.target; });
    result["reached"] = column<std::uint64_t>(runs, [](const ExpertRun& run) { return run.reached_at; });
    result["cleared"] = column<std::uint64_t>(runs, [](const ExpertRun& run) { return run.cleared_at; });
    result["last_blind"] = last_blinds(runs);
    result["jokers"] = jokers_of(runs);
    return result;
}

}  // namespace

}  // namespace jimbot::bindings

void bind_expert(nb::module_& m);

void bind_expert(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    m.def("expert_weights", &expert_weights,
          "The scripted player's weights as (name, default, low, high, text), in the order of their values.");
    m.def("expert_choose", &expert_choose, nb::arg("game"), nb::arg("weights"),
          "The scripted player's choice as (kind, a, b, mask), from public information only. Releases the "
          "GIL.");
    m.def("expert_play", &expert_play, nb::arg("seeds"), nb::arg("deck"), nb::arg("stake"),
          nb::arg("weights"), nb::arg("threads"), nb::arg("max_ante"),
          "Plays the runs of these seed numbers to their end: a column per fact. Releases the GIL.");
}
