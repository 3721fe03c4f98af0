// The environments for Python: many episodes in one call, with their buffers in view.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "bindings/schema.hpp"
#include "catalog/catalog.hpp"
#include "core/seed_space.hpp"
#include "core/snapshot.hpp"
#include "rules/game.hpp"
#include "vector/vector_env.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

template <typename Value, typename... Shape>
using Array = nb::ndarray<nb::numpy, Value, Shape..., nb::c_contig>;

EpisodeOptions options_from(const nb::dict& given) {
    EpisodeOptions options;
    options.decks.clear();
    for (const std::string& key : nb::cast<std::vector<std::string>>(given["decks"])) {
        options.decks.push_back(deck_from_key(key));
    }
    options.stakes.clear();
    for (const int stake : nb::cast<std::vector<int>>(given["stakes"])) {
        options.stakes.push_back(static_cast<std::uint8_t>(checked_stake(stake)));
    }
    for (const nb::handle start : nb::cast<nb::list>(given["starts"])) {
        options.starts.push_back(nb::cast<const GameState&>(start).state);
    }
    options.start_chance = nb::cast<double>(given["start_chance"]);
    options.max_ante = nb::cast<int>(given["max_ante"]);
    options.max_steps = nb::cast<int>(given["max_steps"]);
    options.candidates = checked_candidates(nb::cast<int>(given["candidates"]));
    options.fast = nb::cast<bool>(given["fast"]);
    options.seeds = nb::cast<bool>(given["evaluation"]) ? SeedSet::evaluation : SeedSet::training;
    options.discount = nb::cast<double>(given["discount"]);
    const auto weights = nb::cast<std::vector<double>>(given["weights"]);
    if (weights.size() != term_count || options.decks.empty() || options.stakes.empty()) {
        throw nb::value_error("environment options need decks, stakes and one weight per reward term");
    }
    std::copy(weights.begin(), weights.end(), options.weights.begin());
    return options;
}

void start_vector(VectorEnv* self, int count, const nb::dict& options, int threads, int autoreset) {
    if (count < 1 || threads < 1 || autoreset < 0 || autoreset > 2) {
        throw nb::value_error("an environment needs at least one game and one thread");
    }
    EpisodeOptions chosen = options_from(options);
    const nb::gil_scoped_release release;
    new (self) VectorEnv(count, std::move(chosen), threads, static_cast<Autoreset>(autoreset));
}

Episode& episode_at(VectorEnv& env, int index) {
    if (index < 0 || index >= env.count()) {
        throw nb::index_error("no such game");
    }
    return env.episodes[static_cast<std::size_t>(index)];
}

nb::object records_view(nb::handle_t<VectorEnv> self, Records& records) {
    const auto count = nb::cast<VectorEnv&>(self).episodes.size();
    return nb::cast(Array<std::uint8_t>(records.at(0), {count, records.size()}, self));
}

nb::tuple encoded(const Action& action) {
    return nb::make_tuple(static_cast<int>(action.kind), action.a, action.b, action.mask);
}

nb::bytes state_bytes(const State& state) {
    std::vector<unsigned char> bytes(kSnapshotSize);
    write_snapshot(state, bytes.data());
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// A recording as seed, deck, stake, endless, actions, final hash and first state; the last is empty where
// seed, deck and stake lead to it.
nb::tuple replay_of(const VectorEnv& env, const Recording& recording, std::uint64_t hash) {
    nb::list actions;
    for (const Action& action : recording.actions) {
        actions.append(encoded(action));
    }
    if (recording.start < 0 && recording.fast_start == 0) {
        return nb::make_tuple(recording.seed_number, text(kDecks[recording.deck].key), recording.stake,
                              recording.endless != 0, nb::tuple(actions), hash, nb::bytes("", 0));
    }
    auto state = std::make_unique<State>();
    first_state(recording, env.options(), *state);
    return nb::make_tuple(~std::uint64_t{0}, text(kDecks[state->deck].key), state->stake, state->endless != 0,
                          nb::tuple(actions), hash, state_bytes(*state));
}

nb::tuple replay_of_current(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "replay");
    const Episode& episode = episode_at(env, index);
    return replay_of(env, env.recordings[static_cast<std::size_t>(index)], state_hash(episode.state));
}

nb::object replay_of_last(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "replay_of_last");
    episode_at(env, index);
    const Finished& last = env.finished[static_cast<std::size_t>(index)];
    if (last.exists == 0) {
        return nb::none();
    }
    auto state = std::make_unique<State>();
    first_state(last.recording, env.options(), *state);
    for (const Action& action : last.recording.actions) {
        apply(*state, action);
    }
    if (state_print(*state) != last.print) {
        throw std::runtime_error("the recorded actions do not lead to the end of the episode");
    }
    return replay_of(env, last.recording, state_hash(*state));
}

// Takes one action of a vector of one game: reward, terminated, truncated. None, and nothing is done, if
// `checked` asks for legal actions only and this is not one.
nb::object step_only(VectorEnv& env, std::int64_t action, bool checked) {
    const Exclusive inside(env.occupancy, "step_only");
    if (env.count() != 1) {
        throw nb::value_error("step_only needs an environment of one game");
    }
    const bool listed = action >= 0 && action < env.layout().mask_length;
    if (checked && (!listed || env.mask(0)[action] == 0)) {
        return nb::none();
    }
    const std::int32_t actions[1] = {listed ? static_cast<std::int32_t>(action) : -1};
    env.step(actions);
    return nb::make_tuple(static_cast<double>(env.rewards[0]), env.terminated[0] != 0, env.truncated[0] != 0);
}

template <typename Index>
void step_all(VectorEnv& env,
              const nb::ndarray<const Index, nb::ndim<1>, nb::c_contig, nb::device::cpu>& actions) {
    if (actions.shape(0) != static_cast<std::size_t>(env.count())) {
        throw nb::value_error("one action per game is needed");
    }
    const Exclusive inside(env.occupancy, "step");
    const nb::gil_scoped_release release;
    env.step(actions.data());
}

void reset(VectorEnv& env, std::uint64_t seed) {
    const Exclusive inside(env.occupancy, "reset");
    const nb::gil_scoped_release release;
    env.reset(seed);
}

void reset_each(VectorEnv& env, const std::vector<std::uint64_t>& starts) {
    if (starts.size() != env.episodes.size()) {
        throw nb::value_error("one start per game is needed");
    }
    const Exclusive inside(env.occupancy, "reset_each");
    const nb::gil_scoped_release release;
    env.reset_each(starts.data());
}

void reset_on(VectorEnv& env, const std::vector<std::uint64_t>& seed_numbers) {
    if (seed_numbers.size() != env.episodes.size()) {
        throw nb::value_error("one seed number per game is needed");
    }
    if (std::any_of(seed_numbers.begin(), seed_numbers.end(),
                    [](std::uint64_t number) { return number >= kSeedSpace; })) {
        throw nb::value_error("no seed has this number");
    }
    const Exclusive inside(env.occupancy, "reset_on");
    const nb::gil_scoped_release release;
    env.reset_on(seed_numbers.data());
}

void set_max_ante(VectorEnv& env, int max_ante) {
    const Exclusive inside(env.occupancy, "set_max_ante");
    env.set_max_ante(max_ante);
}

int max_ante_of(const VectorEnv& env) {
    const Exclusive inside(env.occupancy, "max_ante");
    return env.options().max_ante;
}

bool is_legal(VectorEnv& env, int index, int action) {
    const Exclusive inside(env.occupancy, "legal");
    episode_at(env, index);
    return env.legal(index, action);
}

std::string refusal_of(VectorEnv& env, int index, std::int64_t action) {
    const Exclusive inside(env.occupancy, "refusal");
    episode_at(env, index);
    return env.refusal(index, action);
}

GameState copy_of_game(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "game");
    return GameState{episode_at(env, index).state};
}

bool has_pending(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "pending");
    return episode_at(env, index).pending.active();
}

std::vector<double> info_of(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "info");
    std::vector<double> numbers(kInfoNumbers);
    write_info(episode_at(env, index), numbers.data());
    return numbers;
}

nb::bytes fresh_record(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "fresh_record");
    episode_at(env, index);
    Records record(1, env.layout());
    env.write_fresh(index, record.at(0));
    return nb::bytes(reinterpret_cast<const char*>(record.at(0)), record.size());
}

nb::list candidates_of(VectorEnv& env, int index) {
    const Exclusive inside(env.occupancy, "candidates");
    episode_at(env, index);
    nb::list result;
    for (int i = 0; i < env.candidate_count(index); ++i) {
        const Candidate& candidate = env.candidates(index)[i];
        nb::list actions;
        if (candidate.before.kind != ActionKind::count) {
            actions.append(encoded(candidate.before));
        }
        actions.append(encoded(candidate.action));
        result.append(nb::tuple(actions));
    }
    return result;
}

nb::bytes snapshot_of(const VectorEnv& env, const nb::bytes& extra) {
    const Exclusive inside(env.occupancy, "snapshot");
    const std::string bytes = env.snapshot(std::string(extra.c_str(), extra.size()));
    return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes restore_from(VectorEnv& env, const nb::bytes& bytes) {
    const Exclusive inside(env.occupancy, "restore");
    const std::string extra =
        env.restore(reinterpret_cast<const unsigned char*>(bytes.c_str()), bytes.size());
    return nb::bytes(extra.data(), extra.size());
}

}  // namespace

}  // namespace jimbot::bindings

void bind_vector(nb::module_& m);

void bind_vector(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    nb::class_<VectorEnv>(m, "VectorEnv", "Many episodes stepped by one call.")
        .def("__init__", &start_vector, nb::arg("count"), nb::arg("options"), nb::arg("threads"),
             nb::arg("autoreset"))
        .def("reset", &reset, nb::arg("seed"), "Start every episode anew. Releases the GIL.")
        .def("reset_each", &reset_each, nb::arg("starts"),
             "Start every episode anew, the generator of each from a number of its own. Releases the GIL.")
        .def("reset_on", &reset_on, nb::arg("seed_numbers"),
             "Start every episode anew on a given seed each. Releases the GIL.")
        .def("set_max_ante", &set_max_ante, nb::arg("max_ante"))
        .def("step", &step_all<std::int64_t>, nb::arg("actions").noconvert())
        .def("step", &step_all<std::int32_t>, nb::arg("actions").noconvert())
        .def_prop_ro("max_ante", &max_ante_of)
        .def("step_only", &step_only, nb::arg("action"), nb::arg("checked"),
             "Take an action of an environment of one game: reward, terminated, truncated; None if it is "
             "checked and not legal.")
        .def("legal", &is_legal, nb::arg("index"), nb::arg("action"))
        .def("refusal", &refusal_of, nb::arg("index"), nb::arg("action"),
             "Why an action is not legal now; empty if it is.")
        .def("candidates", &candidates_of, nb::arg("index"),
             "What each candidate of a game does now: one or two actions as (kind, a, b, mask).")
        .def("fresh_record", &fresh_record, nb::arg("index"), "A game's observation, written from nothing.")
        .def("replay", &replay_of_current, nb::arg("index"),
             "The current episode: seed number, deck, stake, endless, actions, hash, first state.")
        .def("replay_of_last", &replay_of_last, nb::arg("index"),
             "The same of the last episode that ended there, None if there is none.")
        .def("snapshot", &snapshot_of, nb::arg("extra"), "Everything that decides later steps, as bytes.")
        .def("restore", &restore_from, nb::arg("bytes"),
             "Take a snapshot and return its extra; ValueError if it does not fit.")
        .def("game", &copy_of_game, nb::arg("index"), "A copy of one run.")
        .def("pending", &has_pending, nb::arg("index"))
        .def("info", &info_of, nb::arg("index"))
        .def_prop_ro("observations",
                     [](nb::handle_t<VectorEnv> self) {
                         return records_view(self, nb::cast<VectorEnv&>(self).records);
                     })
        .def_prop_ro("final_observations",
                     [](nb::handle_t<VectorEnv> self) {
                         return records_view(self, nb::cast<VectorEnv&>(self).final_records);
                     })
        .def_prop_ro("rewards",
                     [](nb::handle_t<VectorEnv> self) {
                         auto& data = nb::cast<VectorEnv&>(self).rewards;
                         return Array<float>(data.data(), {data.size()}, self);
                     })
        .def_prop_ro("terminated",
                     [](nb::handle_t<VectorEnv> self) {
                         auto& data = nb::cast<VectorEnv&>(self).terminated;
                         return Array<std::uint8_t>(data.data(), {data.size()}, self);
                     })
        .def_prop_ro("truncated",
                     [](nb::handle_t<VectorEnv> self) {
                         auto& data = nb::cast<VectorEnv&>(self).truncated;
                         return Array<std::uint8_t>(data.data(), {data.size()}, self);
                     })
        .def_prop_ro("end_records",
                     [](nb::handle_t<VectorEnv> self) {
                         auto& records = nb::cast<VectorEnv&>(self).end_records;
                         return Array<std::uint8_t>(reinterpret_cast<std::uint8_t*>(records.data()),
                                                    {records.size(), sizeof(EndRecord)}, self);
                     })
        .def_prop_ro("final_infos", [](nb::handle_t<VectorEnv> self) {
            auto& env = nb::cast<VectorEnv&>(self);
            return Array<double>(env.final_infos.data(), {env.episodes.size(), std::size_t{kInfoNumbers}},
                                 self);
        });
}
