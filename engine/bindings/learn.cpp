// What learning takes from the engine: a network, forward and backward.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "learn/choice.hpp"
#include "learn/matrix.hpp"
#include "learn/network.hpp"
#include "learn/ppo.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

using Vector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Identities = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Legal = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Chosen = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritableVector = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritableMatrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A record that goes back to its network when nobody needs it any more.
struct Seen {
    Network* network;
    std::unique_ptr<NetworkRecord> record;

    Seen(Network* owner, std::unique_ptr<NetworkRecord> kept) : network(owner), record(std::move(kept)) {}
    Seen(const Seen&) = delete;
    Seen& operator=(const Seen&) = delete;
    ~Seen() { network->give_back(std::move(record)); }
};

int number(const nb::dict& given, const char* name) { return nb::cast<int>(given[name]); }

LayerPlan layer_from(const nb::handle& given) {
    const auto parts = nb::cast<std::vector<int>>(given);
    return {parts.at(0), parts.at(1), parts.at(2), parts.at(3)};
}

std::vector<LayerPlan> layers_from(const nb::handle& given) {
    std::vector<LayerPlan> layers;
    for (const nb::handle each : nb::cast<nb::list>(given)) {
        layers.push_back(layer_from(each));
    }
    return layers;
}

EncoderPlan encoder_from(const nb::dict& given) {
    EncoderPlan encoder;
    for (const nb::handle each : nb::cast<nb::list>(given["groups"])) {
        const auto group = nb::cast<nb::dict>(each);
        encoder.groups.push_back({number(group, "numbers"), number(group, "identities"),
                                  number(group, "rows"),
                                  nb::cast<std::vector<std::int32_t>>(group["table_rows"])});
    }
    encoder.layers = layers_from(given["layers"]);
    encoder.row_width = number(given, "row_width");
    encoder.table = number(given, "table");
    encoder.embedding = number(given, "embedding");
    encoder.set = layer_from(given["set"]);
    encoder.position = layer_from(given["position"]);
    encoder.set_column = number(given, "set_column");
    encoder.position_column = number(given, "position_column");
    return encoder;
}

SetsPlan sets_from(const nb::dict& given) {
    SetsPlan plan;
    for (const nb::handle each : nb::cast<nb::list>(given["copies"])) {
        const auto copy = nb::cast<std::vector<int>>(each);
        plan.copies.push_back({copy.at(0), copy.at(1), copy.at(2)});
    }
    const auto loose = nb::cast<nb::dict>(given["loose"]);
    plan.loose = {nb::cast<std::vector<int>>(loose["identities"]),
                  nb::cast<std::vector<std::int32_t>>(loose["starts"]),
                  nb::cast<std::vector<std::int32_t>>(loose["highs"]),
                  number(loose, "table"),
                  number(loose, "width"),
                  number(loose, "column")};
    for (const nb::handle each : nb::cast<nb::list>(given["encoders"])) {
        plan.encoders.push_back(encoder_from(nb::cast<nb::dict>(each)));
    }
    plan.number_width = number(given, "number_width");
    plan.identity_width = number(given, "identity_width");
    plan.parameters = number(given, "parameters");
    plan.columns = number(given, "columns");
    plan.limit = nb::cast<float>(given["limit"]);
    return plan;
}

void start(Network* self, const nb::dict& given, int threads) {
    NetworkPlan plan;
    plan.sets = sets_from(nb::cast<nb::dict>(given["sets"]));
    plan.observed = number(given, "observed");
    plan.trunk = layers_from(given["trunk"]);
    plan.policy = layers_from(given["policy"]);
    plan.value = layers_from(given["value"]);
    plan.policy_head = layer_from(given["policy_head"]);
    plan.value_head = layer_from(given["value_head"]);
    plan.parameters = number(given, "parameters");
    try {
        new (self) Network(std::move(plan), threads);
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
}

void expect(bool holds, const char* what) {
    if (!holds) {
        throw nb::value_error(what);
    }
}

std::size_t size(int count) { return static_cast<std::size_t>(count); }

std::unique_ptr<Seen> forward(Network& self, const Vector& parameters, const Matrix& numbers,
                              const Identities& identities, const WritableMatrix& scores,
                              const WritableVector& values) {
    const NetworkPlan& plan = self.plan();
    const std::size_t batch = numbers.shape(0);
    // Whole lanes are read, so there has to be something behind the last row.
    expect(parameters.shape(0) >= size(plan.parameters + kLanes), "too few parameters");
    expect(batch > 0 && numbers.shape(1) == size(plan.sets.number_width) && identities.shape(0) == batch &&
               identities.shape(1) == size(plan.sets.identity_width),
           "observations have another shape");
    expect(scores.shape(0) == batch && scores.shape(1) == size(plan.scores()) && values.shape(0) == batch,
           "scores or values have another shape");
    std::unique_ptr<NetworkRecord> record;
    {
        const nb::gil_scoped_release unlocked;
        record = self.forward(parameters.data(), numbers.data(), identities.data(), static_cast<int>(batch),
                              scores.data(), values.data());
    }
    return std::make_unique<Seen>(&self, std::move(record));
}

void backward(Network& self, Seen& seen, const Vector& parameters, const Matrix& of_scores,
              const Vector& of_values, const WritableVector& gradients) {
    const NetworkPlan& plan = self.plan();
    const std::size_t batch = size(seen.record->batch);
    expect(seen.network == &self, "a record of another network");
    expect(parameters.shape(0) >= size(plan.parameters + kLanes), "too few parameters");
    expect(gradients.shape(0) >= size(plan.parameters), "too few gradients");
    expect(of_scores.shape(0) == batch && of_scores.shape(1) == size(plan.scores()) &&
               of_values.shape(0) == batch,
           "slopes have another shape");
    const nb::gil_scoped_release unlocked;
    self.backward(*seen.record, parameters.data(), of_scores.data(), of_values.data(), gradients.data());
}

double length(Network& self, const Vector& values) {
    const nb::gil_scoped_release unlocked;
    return self.length(values.data(), static_cast<int>(values.shape(0)));
}

void move(Network& self, const WritableVector& parameters, const Vector& gradients,
          const WritableVector& means, const WritableVector& squares, double scale, int steps, double rate,
          const std::pair<double, double>& decays, double epsilon) {
    const std::size_t count = parameters.shape(0);
    expect(gradients.shape(0) == count && means.shape(0) == count && squares.shape(0) == count,
           "parameters, gradients and moments differ in number");
    expect(steps > 0, "steps are counted from 1");
    const AdamStep step = {static_cast<float>(scale),
                           static_cast<float>(rate / (1.0 - std::pow(decays.first, steps))),
                           static_cast<float>(1.0 - decays.first),
                           static_cast<float>(decays.second),
                           static_cast<float>(1.0 - decays.second),
                           static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(decays.second, steps))),
                           static_cast<float>(epsilon)};
    const AdamNumbers numbers = {parameters.data(), gradients.data(), means.data(), squares.data()};
    const nb::gil_scoped_release unlocked;
    self.move(step, numbers, static_cast<int>(count));
}

Scores scores_of(const Matrix& scores, const Legal& legal, const Chosen& chosen) {
    const std::size_t rows = scores.shape(0);
    const std::size_t actions = scores.shape(1);
    expect(legal.shape(0) == rows && legal.shape(1) == actions && chosen.shape(0) == rows,
           "scores, mask and actions have other shapes");
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int64_t action = chosen.data()[row];
        expect(action >= 0 && static_cast<std::size_t>(action) < actions, "an action that is none");
    }
    return {scores.data(), legal.data(), static_cast<int>(rows), static_cast<int>(actions)};
}

bool fits(const WritableMatrix& values, const Matrix& scores) {
    return values.shape(0) == scores.shape(0) && values.shape(1) == scores.shape(1);
}

// Numbers of each row, [3, rows]: logarithm of the probability, entropy, offset.
Choices choices_of(const Matrix& scores, const Chosen& chosen, const WritableMatrix& rows,
                   const WritableMatrix& probabilities) {
    const std::size_t count = scores.shape(0);
    expect(rows.shape(0) == 3 && rows.shape(1) == count && fits(probabilities, scores),
           "results have another shape");
    float* first = rows.data();
    return {chosen.data(), first, first + count, first + 2 * count, probabilities.data()};
}

// `steps` are [4, rows]: logarithms of probabilities and values when collected, advantages, returns.
nb::tuple ppo(const Matrix& scores, const Legal& legal, const Chosen& chosen, const Vector& values,
              const Matrix& steps, const std::tuple<float, float, float, float, bool>& options,
              const WritableMatrix& of_scores, const WritableVector& of_values) {
    const Scores given = scores_of(scores, legal, chosen);
    const std::size_t count = scores.shape(0);
    expect(values.shape(0) == count && steps.shape(0) == 4 && steps.shape(1) == count &&
               fits(of_scores, scores) && of_values.shape(0) == count,
           "steps or slopes have another shape");
    const auto [clip, value_clip, entropy, value, normalise] = options;
    std::vector<float> rows(5 * count);
    std::vector<float> probabilities(count * scores.shape(1));
    const Choices choices = {chosen.data(), rows.data(), rows.data() + count, rows.data() + 2 * count,
                             probabilities.data()};
    weigh(given, choices);
    const float* first = steps.data();
    const PpoSlopes slopes = {rows.data() + 3 * count, rows.data() + 4 * count, of_values.data()};
    const PpoLosses losses = ppo_loss({given.rows, first, first + count, first + 2 * count, first + 3 * count,
                                       choices.log_probabilities, choices.entropies, values.data()},
                                      {clip, value_clip, entropy, value, normalise}, slopes);
    weigh_back(given, choices, slopes.log_probabilities, slopes.entropies, of_scores.data());
    return nb::make_tuple(losses.loss, losses.policy, losses.value, losses.entropy, losses.divergence,
                          losses.clipped);
}

void choose(const Matrix& scores, const Legal& legal, const Chosen& chosen, const WritableMatrix& rows,
            const WritableMatrix& probabilities) {
    weigh(scores_of(scores, legal, chosen), choices_of(scores, chosen, rows, probabilities));
}

void choose_back(const Matrix& scores, const Legal& legal, const Chosen& chosen, const WritableMatrix& rows,
                 const WritableMatrix& probabilities, const Vector& of_log_probabilities,
                 const Vector& of_entropies, const WritableMatrix& of_scores) {
    const std::size_t count = scores.shape(0);
    expect(of_log_probabilities.shape(0) == count && of_entropies.shape(0) == count &&
               fits(of_scores, scores),
           "slopes have another shape");
    weigh_back(scores_of(scores, legal, chosen), choices_of(scores, chosen, rows, probabilities),
               of_log_probabilities.data(), of_entropies.data(), of_scores.data());
}

}  // namespace

}  // namespace jimbot::bindings

void bind_learn(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    m.attr("network_slack") = kLanes;
    m.def("has_fast_products", &has_fast_products,
          "Whether products of matrices are made for this processor, and not merely for any.");
    m.def("choose", &choose, nb::arg("scores"), nb::arg("legal"), nb::arg("chosen"), nb::arg("rows"),
          nb::arg("probabilities"), "Write what each row's choice among legal actions came to.");
    m.def("choose_back", &choose_back, nb::arg("scores"), nb::arg("legal"), nb::arg("chosen"),
          nb::arg("rows"), nb::arg("probabilities"), nb::arg("of_log_probabilities"), nb::arg("of_entropies"),
          nb::arg("of_scores"),
          "Write the gradients of the scores, from those of log-probabilities and entropies.");
    m.def("ppo_loss", &ppo, nb::arg("scores"), nb::arg("legal"), nb::arg("chosen"), nb::arg("values"),
          nb::arg("steps"), nb::arg("options"), nb::arg("of_scores"), nb::arg("of_values"),
          "Write the gradients of PPO's loss by scores and values; returns what the minibatch said.");
    nb::class_<Seen>(m, "NetworkRecord", "What a network saw of a batch, for the way back.")
        .def_prop_ro("batch", [](const Seen& seen) { return seen.record->batch; }, "Observations in it.");
    nb::class_<Network>(m, "Network", "A policy and a value over Balatro's observation.")
        .def("__init__", &start, nb::arg("plan"), nb::arg("threads"))
        .def("forward", &forward, nb::arg("parameters"), nb::arg("numbers"), nb::arg("identities"),
             nb::arg("scores"), nb::arg("values"), nb::keep_alive<0, 1>(),
             "Write the scores and values of a batch, and keep what the way back needs.")
        .def("backward", &backward, nb::arg("record"), nb::arg("parameters"), nb::arg("of_scores"),
             nb::arg("of_values"), nb::arg("gradients"),
             "Write the gradients of all parameters, from those of scores and values.")
        .def("length", &length, nb::arg("values"), "The length of numbers as one vector.")
        .def("move", &move, nb::arg("parameters"), nb::arg("gradients"), nb::arg("means"), nb::arg("squares"),
             nb::arg("scale"), nb::arg("steps"), nb::arg("rate"), nb::arg("decays"), nb::arg("epsilon"),
             "Move parameters by one step of Adam, the given one of all, along gradients times ``scale``.");
}
