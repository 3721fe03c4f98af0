// The environments for Python: many episodes in one call, with their buffers in view.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "core/snapshot.hpp"
#include "seeds/seed_space.hpp"
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

nb::list schema() {
    nb::list fields;
    for (const ObservationField& field : kObservationSchema) {
        nb::dict entry;
        entry["name"] = text(field.name);
        entry["type"] = text(field.type);
        entry["offset"] = field.offset;
        entry["shape"] =
            field.rows == 0 ? nb::make_tuple(field.columns) : nb::make_tuple(field.rows, field.columns);
        entry["high"] = field.high;
        entry["text"] = text(field.text);
        fields.append(entry);
    }
    return fields;
}

void start_vector(VectorEnv* self, int count, const nb::dict& options, int threads, int autoreset) {
    if (count < 1 || threads < 1 || autoreset < 0 || autoreset > 2) {
        throw nb::value_error("an environment needs at least one game and one thread");
    }
    new (self) VectorEnv(count, options_from(options), threads, static_cast<Autoreset>(autoreset));
}

Episode& episode_at(VectorEnv& env, int index) {
    if (index < 0 || index >= env.count()) {
        throw nb::index_error("no such game");
    }
    return env.episodes[static_cast<std::size_t>(index)];
}

template <typename Value> nb::object bytes_view(nb::handle_t<VectorEnv> self, std::vector<Value>& data) {
    return nb::cast(Array<std::uint8_t>(data.data(), {data.size(), sizeof(Value)}, self));
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
        .def(
            "reset", [](VectorEnv& env, std::uint64_t seed) { env.reset(seed); }, nb::arg("seed"))
        .def(
            "reset_one",
            [](VectorEnv& env, int index, std::uint64_t number) {
                episode_at(env, index);
                if (number >= kSeedSpace) {
                    throw nb::value_error("no seed has this number");
                }
                env.reset_one(index, number);
            },
            nb::arg("index"), nb::arg("seed_number"))
        .def(
            "set_options",
            [](VectorEnv& env, const nb::dict& options) { env.set_options(options_from(options)); },
            nb::arg("options"))
        .def(
            "step",
            [](VectorEnv& env,
               const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& actions) {
                if (actions.shape(0) != static_cast<std::size_t>(env.count())) {
                    throw nb::value_error("one action per game is needed");
                }
                const nb::gil_scoped_release release;
                env.step(actions.data());
            },
            nb::arg("actions").noconvert())
        .def(
            "legal",
            [](VectorEnv& env, int index, int slot) {
                const Episode& episode = episode_at(env, index);
                return slot_legal(episode.state, episode.pending, slot);
            },
            nb::arg("index"), nb::arg("slot"))
        .def(
            "game", [](VectorEnv& env, int index) { return GameState{episode_at(env, index).state}; },
            nb::arg("index"), "A copy of one run.")
        .def(
            "pending", [](VectorEnv& env, int index) { return episode_at(env, index).pending.active(); },
            nb::arg("index"))
        .def(
            "info",
            [](VectorEnv& env, int index) {
                std::vector<double> numbers(kInfoNumbers);
                write_info(episode_at(env, index), numbers.data());
                return numbers;
            },
            nb::arg("index"))
        .def(
            "cleared",
            [](VectorEnv& env, int index) {
                const Episode& episode = episode_at(env, index);
                return nb::make_tuple(episode.cleared, episode.played);
            },
            nb::arg("index"))
        .def_prop_ro("observations",
                     [](nb::handle_t<VectorEnv> self) {
                         return bytes_view(self, nb::cast<VectorEnv&>(self).observations);
                     })
        .def_prop_ro("final_observations",
                     [](nb::handle_t<VectorEnv> self) {
                         return bytes_view(self, nb::cast<VectorEnv&>(self).final_observations);
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
        .def_prop_ro("final_infos", [](nb::handle_t<VectorEnv> self) {
            auto& env = nb::cast<VectorEnv&>(self);
            return Array<double>(env.final_infos.data(), {env.episodes.size(), std::size_t{kInfoNumbers}},
                                 self);
        });
    m.def("observation_schema", &schema,
          "Every array of an observation: name, type, offset, shape, high, text.");
    m.def(
        "slot_meaning",
        [](int slot) {
            if (slot < 0 || slot >= slot_count) {
                throw nb::index_error("no such action");
            }
            return slot_meaning(slot);
        },
        nb::arg("slot"), "What an action index means, in words.");
    m.def("evaluation_seed", &evaluation_seed, nb::arg("number"), "The number of an evaluation seed.");
    m.attr("observation_size") = sizeof(Observation);
    m.attr("observation_version") = kObservationVersion;
    m.attr("slot_count") = static_cast<int>(slot_count);
    nb::list terms;
    for (const std::string_view name : kTermNames) {
        terms.append(text(name));
    }
    m.attr("reward_terms") = terms;
    nb::list infos;
    for (const std::string_view name : kInfoNames) {
        infos.append(text(name));
    }
    m.attr("info_names") = infos;
}
