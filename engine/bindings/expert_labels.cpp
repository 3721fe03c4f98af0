// Demonstrations for Python: the scripted player's choices for every game of a vector, checksums of what the
// games show, and observations kept in little memory.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "play/expert_labels.hpp"
#include "vector/packed_records.hpp"
#include "vector/record_digest.hpp"
#include "vector/vector_env.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

template <typename Value> using Column = nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename Value> using Rows = nb::ndarray<Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Array> void require_length(const Array& array, std::size_t length, const char* message) {
    if (array.shape(0) != length) {
        throw nb::value_error(message);
    }
}

constexpr const char* kOnePerGame = "one entry per game is needed";

// What became of a choice; expert_label_kinds has the words.
enum class LabelKind : std::uint8_t { exact, substituted, unexpressed, illegal };

// The scripted player at every game of a vector. Each thread has a memory of strengths, which changes nothing
// but the time: labels do not depend on the number of threads.
class ExpertLabels {
public:
    ExpertLabels(VectorEnv& env, const std::vector<double>& weights)
        : env_(env), plans_(env.episodes.size()), memories_(static_cast<std::size_t>(env.threads())) {
        if (weights.size() != weights_.values.size()) {
            throw nb::value_error(
                "the scripted player needs one value per weight, in the order of expert_weights()");
        }
        std::copy(weights.begin(), weights.end(), weights_.values.begin());
        for (std::unique_ptr<StrengthMemory>& memory : memories_) {
            memory = std::make_unique<StrengthMemory>();
        }
    }

    ExpertLabels(const ExpertLabels&) = delete;
    ExpertLabels& operator=(const ExpertLabels&) = delete;

    void label(const Column<const std::uint8_t>& wanted, bool follow, const Column<std::int32_t>& actions,
               const Column<std::uint8_t>& kinds) {
        const std::size_t games = plans_.size();
        require_length(wanted, games, kOnePerGame);
        require_length(actions, games, kOnePerGame);
        require_length(kinds, games, kOnePerGame);
        const Exclusive inside(env_.occupancy, "label");
        const nb::gil_scoped_release release;
        env_.visit_games([&](std::size_t i, int thread) {
            if (wanted.data()[i] != 0) {
                label_one(i, follow, *memories_[static_cast<std::size_t>(thread)], actions.data()[i],
                          kinds.data()[i]);
            }
        });
    }

private:
    // The rest of a choice that takes several indices, and the moment at which it goes on.
    struct Plan {
        ExpertIndices indices;
        int next = 0;
        std::uint64_t seed_number = 0;
        std::int32_t steps = 0;
    };

    ExpertIndices ask(std::size_t i, StrengthMemory& memory) const {
        const Episode& episode = env_.episodes[i];
        if (episode.state.phase == Phase::game_over) {
            return {};
        }
        const int game = static_cast<int>(i);
        return env_.layout().candidates == 0
                   ? expert_slots(episode.state, episode.pending, weights_, &memory)
                   : expert_candidate(episode.state, env_.candidates(game), env_.candidate_count(game),
                                      weights_, &memory);
    }

    void label_one(std::size_t i, bool follow, StrengthMemory& memory, std::int32_t& action,
                   std::uint8_t& kind) {
        const Episode& episode = env_.episodes[i];
        Plan& plan = plans_[i];
        const bool goes_on = follow && plan.next > 0 && plan.next < plan.indices.count &&
                             plan.seed_number == episode.seed_number && plan.steps == episode.steps;
        if (!goes_on) {
            plan.indices = ask(i, memory);
            plan.next = 0;
        }
        action = -1;
        const auto set = [&](LabelKind found) { kind = static_cast<std::uint8_t>(found); };
        if (plan.indices.count == 0) {
            set(LabelKind::unexpressed);
            return;
        }
        const std::int32_t chosen = plan.indices.list[plan.next];
        if (env_.mask(static_cast<int>(i))[chosen] == 0) {
            set(LabelKind::illegal);
            plan.next = 0;
            return;
        }
        action = chosen;
        set(plan.indices.exact || goes_on ? LabelKind::exact : LabelKind::substituted);
        ++plan.next;
        plan.seed_number = episode.seed_number;
        plan.steps = episode.steps + 1;
    }

    VectorEnv& env_;
    ExpertWeights weights_;
    std::vector<Plan> plans_;
    std::vector<std::unique_ptr<StrengthMemory>> memories_;
};

void restart(VectorEnv& env, const std::vector<std::size_t>& games,
             const std::vector<std::uint64_t>& starts) {
    if (games.size() != starts.size()) {
        throw nb::value_error("one start per game that starts anew is needed");
    }
    if (std::any_of(games.begin(), games.end(), [&](std::size_t i) { return i >= env.episodes.size(); })) {
        throw nb::index_error("no such game");
    }
    const Exclusive inside(env.occupancy, "restart");
    const nb::gil_scoped_release release;
    env.restart(games, starts);
}

// The record a step led to: where the episode ended and another has begun, the one that was kept.
const unsigned char* reached_record(VectorEnv& env, std::size_t i) {
    const bool ended = env.terminated[i] != 0 || env.truncated[i] != 0;
    return ended && env.autoreset() == Autoreset::same_step ? env.final_records.at(i) : env.records.at(i);
}

void digest(VectorEnv& env, const Column<const std::uint8_t>& wanted, const Column<std::uint32_t>& digests) {
    require_length(wanted, env.episodes.size(), kOnePerGame);
    require_length(digests, env.episodes.size(), kOnePerGame);
    const Exclusive inside(env.occupancy, "digest");
    const nb::gil_scoped_release release;
    const RecordDigest digest(env.layout());
    env.visit_games([&](std::size_t i, int) {
        if (wanted.data()[i] != 0) {
            std::uint32_t& value = digests.data()[i];
            value = digest.of(reached_record(env, i), value);
        }
    });
}

void append_records(PackedRecords& packed, VectorEnv& env, const Column<const std::uint8_t>& wanted) {
    require_length(wanted, env.episodes.size(), kOnePerGame);
    if (packed.record_size() != env.records.size()) {
        throw nb::value_error("the records of this vector have another size");
    }
    const Exclusive inside(env.occupancy, "append");
    const nb::gil_scoped_release release;
    std::vector<PackedRecords::Packed> rows(env.episodes.size());
    env.visit_games([&](std::size_t i, int) {
        if (wanted.data()[i] != 0) {
            packed.pack(env.records.at(i), rows[i]);
        }
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (wanted.data()[i] != 0) {
            packed.append(rows[i]);
        }
    }
}

void unpack_records(const PackedRecords& packed, const Column<const std::int64_t>& rows,
                    const Rows<std::uint8_t>& out) {
    if (out.shape(0) != rows.shape(0) || out.shape(1) != packed.record_size()) {
        throw nb::value_error("out must have one record per row");
    }
    const auto in_range = [&](std::int64_t row) {
        return row >= 0 && static_cast<std::size_t>(row) < packed.rows();
    };
    if (!std::all_of(rows.data(), rows.data() + rows.shape(0), in_range)) {
        throw nb::index_error("no such row");
    }
    const nb::gil_scoped_release release;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        packed.unpack(static_cast<std::size_t>(rows.data()[i]), out.data() + i * packed.record_size());
    }
}

}  // namespace

}  // namespace jimbot::bindings

void bind_expert_labels(nb::module_& m);

void bind_expert_labels(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    m.attr("expert_label_kinds") = nb::make_tuple("exact", "substituted", "unexpressed", "illegal");
    nb::class_<ExpertLabels>(m, "ExpertLabels", "The scripted player's choices for the games of a vector.")
        .def(nb::init<VectorEnv&, const std::vector<double>&>(), nb::arg("env"), nb::arg("weights"),
             nb::keep_alive<1, 2>())
        .def(
            "label", &ExpertLabels::label, nb::arg("wanted"), nb::arg("follow"),
            nb::arg("actions").noconvert(), nb::arg("kinds").noconvert(),
            "Write the index of the choice, -1 if there is none, and what became of it, for every wanted "
            "game. With `follow`, a choice of several indices goes on where each of them was taken. Releases "
            "the GIL.");
    nb::class_<PackedRecords>(m, "PackedRecords", "Observations without their zeros.")
        .def(nb::init<std::size_t>(), nb::arg("record_size"))
        .def_prop_ro("rows", &PackedRecords::rows)
        .def_prop_ro("nbytes", &PackedRecords::bytes)
        .def_prop_ro("record_size", &PackedRecords::record_size)
        .def("append", &append_records, nb::arg("env"), nb::arg("wanted"),
             "Keep the present records of the wanted games, in their order. Releases the GIL.")
        .def("unpack", &unpack_records, nb::arg("rows"), nb::arg("out").noconvert(),
             "Write rows as they were, uint8[rows, record_size]. Releases the GIL.");
    m.def("restart", &restart, nb::arg("env"), nb::arg("games"), nb::arg("starts"),
          "Start some games of a vector anew, the generator of each from a number of its own. Releases the "
          "GIL.");
    m.def("digest_records", &digest, nb::arg("env"), nb::arg("wanted"), nb::arg("digests").noconvert(),
          "Carry the CRC-32 of what each wanted game shows on, over its arrays in the order of their names. "
          "Where an episode has ended, what it showed last counts. Releases the GIL.");
}
