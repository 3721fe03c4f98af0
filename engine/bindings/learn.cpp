// Bindings of learn/: a network with its optimizer, and the loss of PPO.

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

#include "learn/kernels.hpp"
#include "learn/network.hpp"
#include "learn/ppo.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

using Vector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Identities = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ActionMask = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritableVector = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritableMatrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A forward pass's cache, which goes back to its network when Python drops it.
struct OwnedCache {
    learn::Network* network;
    std::unique_ptr<learn::ForwardCache> cache;

    OwnedCache(learn::Network* owner, std::unique_ptr<learn::ForwardCache> taken)
        : network(owner), cache(std::move(taken)) {}
    OwnedCache(const OwnedCache&) = delete;
    OwnedCache& operator=(const OwnedCache&) = delete;
    ~OwnedCache() { network->recycle(std::move(cache)); }
};

// --- plans -----------------------------------------------------------------------------------------------

int integer(const nb::dict& given, const char* name) { return nb::cast<int>(given[name]); }

learn::LayerPlan layer_from(const nb::handle& given) {
    const auto parts = nb::cast<std::vector<int>>(given);
    return {parts.at(0), parts.at(1), parts.at(2), parts.at(3)};
}

std::vector<learn::LayerPlan> layers_from(const nb::handle& given) {
    std::vector<learn::LayerPlan> layers;
    for (const nb::handle each : nb::cast<nb::list>(given)) {
        layers.push_back(layer_from(each));
    }
    return layers;
}

learn::EncoderPlan encoder_from(const nb::dict& given) {
    learn::EncoderPlan encoder;
    for (const nb::handle each : nb::cast<nb::list>(given["groups"])) {
        const auto group = nb::cast<nb::dict>(each);
        encoder.groups.push_back({integer(group, "floats"), integer(group, "identities"),
                                  integer(group, "rows"),
                                  nb::cast<std::vector<std::int32_t>>(group["table_rows"])});
    }
    encoder.layers = layers_from(given["layers"]);
    encoder.row_width = integer(given, "row_width");
    encoder.table = integer(given, "table");
    encoder.embedding = integer(given, "embedding");
    encoder.set = layer_from(given["set"]);
    encoder.position = layer_from(given["position"]);
    encoder.set_column = integer(given, "set_column");
    encoder.position_column = integer(given, "position_column");
    return encoder;
}

learn::EncodersPlan encoders_from(const nb::dict& given) {
    learn::EncodersPlan plan;
    for (const nb::handle each : nb::cast<nb::list>(given["copies"])) {
        const auto copy = nb::cast<std::vector<int>>(each);
        plan.copies.push_back({copy.at(0), copy.at(1), copy.at(2)});
    }
    const auto embeddings = nb::cast<nb::dict>(given["embeddings"]);
    plan.embeddings = {nb::cast<std::vector<int>>(embeddings["identities"]),
                       nb::cast<std::vector<std::int32_t>>(embeddings["first_rows"]),
                       nb::cast<std::vector<std::int32_t>>(embeddings["max_identities"]),
                       integer(embeddings, "table"),
                       integer(embeddings, "width"),
                       integer(embeddings, "column")};
    for (const nb::handle each : nb::cast<nb::list>(given["encoders"])) {
        plan.encoders.push_back(encoder_from(nb::cast<nb::dict>(each)));
    }
    plan.float_width = integer(given, "float_width");
    plan.identity_width = integer(given, "identity_width");
    plan.parameters = integer(given, "parameters");
    plan.columns = integer(given, "columns");
    plan.limit = nb::cast<float>(given["limit"]);
    return plan;
}

void create_network(learn::Network* self, const nb::dict& given, int threads) {
    learn::NetworkPlan plan;
    plan.encoders = encoders_from(nb::cast<nb::dict>(given["encoders"]));
    plan.observed_columns = integer(given, "observed_columns");
    plan.trunk = layers_from(given["trunk"]);
    plan.policy = layers_from(given["policy"]);
    plan.value = layers_from(given["value"]);
    plan.policy_head = layer_from(given["policy_head"]);
    plan.value_head = layer_from(given["value_head"]);
    plan.parameters = integer(given, "parameters");
    try {
        new (self) learn::Network(std::move(plan), threads);
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
}

// --- the network -----------------------------------------------------------------------------------------

void expect(bool holds, const char* message) {
    if (!holds) {
        throw nb::value_error(message);
    }
}

std::size_t size(int count) { return static_cast<std::size_t>(count); }

// Whole vectors of parameters are read, so there has to be something behind the last one.
void expect_parameters(const learn::NetworkPlan& plan, const Vector& parameters) {
    expect(parameters.shape(0) >= size(plan.parameters) + size(learn::kPadding), "too few parameters");
}

std::unique_ptr<OwnedCache> forward(learn::Network& self, const Vector& parameters, const Matrix& floats,
                                    const Identities& identities, const WritableMatrix& logits,
                                    const WritableVector& values) {
    const learn::NetworkPlan& plan = self.plan();
    const std::size_t batch = floats.shape(0);
    expect_parameters(plan, parameters);
    expect(batch > 0 && floats.shape(1) == size(plan.encoders.float_width) && identities.shape(0) == batch &&
               identities.shape(1) == size(plan.encoders.identity_width),
           "observations have another shape");
    expect(logits.shape(0) == batch && logits.shape(1) == size(plan.logits()) && values.shape(0) == batch,
           "logits or values have another shape");
    std::unique_ptr<learn::ForwardCache> cache;
    {
        const nb::gil_scoped_release released;
        cache = self.forward(parameters.data(), floats.data(), identities.data(), static_cast<int>(batch),
                             logits.data(), values.data());
    }
    return std::make_unique<OwnedCache>(&self, std::move(cache));
}

void backward(learn::Network& self, OwnedCache& owned, const Vector& parameters,
              const Matrix& logit_gradients, const Vector& value_gradients, const WritableVector& gradients) {
    const learn::NetworkPlan& plan = self.plan();
    const std::size_t batch = size(owned.cache->batch);
    expect(owned.network == &self, "the cache is that of another network");
    expect_parameters(plan, parameters);
    expect(gradients.shape(0) >= size(plan.parameters), "too few gradients");
    expect(logit_gradients.shape(0) == batch && logit_gradients.shape(1) == size(plan.logits()) &&
               value_gradients.shape(0) == batch,
           "gradients of logits or values have another shape");
    const nb::gil_scoped_release released;
    self.backward(*owned.cache, parameters.data(), logit_gradients.data(), value_gradients.data(),
                  gradients.data());
}

double l2_norm(learn::Network& self, const Vector& values) {
    const nb::gil_scoped_release released;
    return self.l2_norm(values.data(), static_cast<int>(values.shape(0)));
}

void adam_step(learn::Network& self, const WritableVector& parameters, const Vector& gradients,
               const WritableVector& first_moments, const WritableVector& second_moments,
               double gradient_scale, int step, double learning_rate, const std::pair<double, double>& betas,
               double epsilon) {
    const std::size_t count = parameters.shape(0);
    expect(gradients.shape(0) == count && first_moments.shape(0) == count && second_moments.shape(0) == count,
           "parameters, gradients and moments differ in number");
    expect(step > 0, "steps are counted from 1");
    const auto [beta1, beta2] = betas;
    const learn::AdamCoefficients coefficients = {
        static_cast<float>(gradient_scale), static_cast<float>(learning_rate / (1.0 - std::pow(beta1, step))),
        static_cast<float>(1.0 - beta1),    static_cast<float>(beta2),
        static_cast<float>(1.0 - beta2),    static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(beta2, step))),
        static_cast<float>(epsilon)};
    const learn::AdamState state = {parameters.data(), gradients.data(), first_moments.data(),
                                    second_moments.data()};
    const nb::gil_scoped_release released;
    self.adam_step(coefficients, state, static_cast<int>(count));
}

// --- softmax and PPO -------------------------------------------------------------------------------------

learn::MaskedLogits masked_logits(const Matrix& logits, const ActionMask& mask, const Actions& actions) {
    const std::size_t rows = logits.shape(0);
    const std::size_t columns = logits.shape(1);
    expect(mask.shape(0) == rows && mask.shape(1) == columns && actions.shape(0) == rows,
           "logits, mask and actions differ in shape");
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int64_t action = actions.data()[row];
        expect(action >= 0 && static_cast<std::size_t>(action) < columns,
               "an action is below 0 or not below the number of actions");
    }
    return {logits.data(), mask.data(), static_cast<int>(rows), static_cast<int>(columns)};
}

bool same_shape(const WritableMatrix& values, const Matrix& logits) {
    return values.shape(0) == logits.shape(0) && values.shape(1) == logits.shape(1);
}

// `rows` are [3, batch]: log-probabilities, entropies, log-normalizers.
learn::ActionDistribution distribution(const Matrix& logits, const Actions& actions,
                                       const WritableMatrix& rows, const WritableMatrix& probabilities) {
    const std::size_t count = logits.shape(0);
    expect(rows.shape(0) == 3 && rows.shape(1) == count && same_shape(probabilities, logits),
           "results have another shape");
    float* first = rows.data();
    return {actions.data(), first, first + count, first + 2 * count, probabilities.data()};
}

void softmax(const Matrix& logits, const ActionMask& mask, const Actions& actions, const WritableMatrix& rows,
             const WritableMatrix& probabilities) {
    learn::softmax(masked_logits(logits, mask, actions), distribution(logits, actions, rows, probabilities));
}

void softmax_backward(const Matrix& logits, const ActionMask& mask, const Actions& actions,
                      const WritableMatrix& rows, const WritableMatrix& probabilities,
                      const Vector& log_probability_gradients, const Vector& entropy_gradients,
                      const WritableMatrix& logit_gradients) {
    const std::size_t count = logits.shape(0);
    expect(log_probability_gradients.shape(0) == count && entropy_gradients.shape(0) == count &&
               same_shape(logit_gradients, logits),
           "gradients have another shape");
    learn::softmax_backward(
        masked_logits(logits, mask, actions), distribution(logits, actions, rows, probabilities),
        log_probability_gradients.data(), entropy_gradients.data(), logit_gradients.data());
}

// `steps` are [4, batch]: log-probabilities and values when collected, advantages, returns.
nb::tuple ppo_loss(const Matrix& logits, const ActionMask& mask, const Actions& actions, const Vector& values,
                   const Matrix& steps, const std::tuple<float, float, float, float, bool>& options,
                   const WritableMatrix& logit_gradients, const WritableVector& value_gradients) {
    const learn::MaskedLogits input = masked_logits(logits, mask, actions);
    const std::size_t count = logits.shape(0);
    expect(count > 0, "a minibatch needs at least one step");
    expect(values.shape(0) == count && steps.shape(0) == 4 && steps.shape(1) == count &&
               same_shape(logit_gradients, logits) && value_gradients.shape(0) == count,
           "values, steps or gradients have another shape");
    const auto [clip_range, value_clip_range, entropy_coefficient, value_coefficient, normalize] = options;
    std::vector<float> rows(5 * count);
    std::vector<float> probabilities(count * logits.shape(1));
    const learn::ActionDistribution output = {actions.data(), rows.data(), rows.data() + count,
                                              rows.data() + 2 * count, probabilities.data()};
    learn::softmax(input, output);
    const float* first = steps.data();
    const learn::PpoGradients gradients = {rows.data() + 3 * count, rows.data() + 4 * count,
                                           value_gradients.data()};
    const learn::PpoLosses losses = learn::ppo_loss(
        {input.rows, first, first + count, first + 2 * count, first + 3 * count, output.log_probabilities,
         output.entropies, values.data()},
        {clip_range, value_clip_range, entropy_coefficient, value_coefficient, normalize}, gradients);
    learn::softmax_backward(input, output, gradients.log_probabilities, gradients.entropies,
                            logit_gradients.data());
    return nb::make_tuple(losses.loss, losses.policy, losses.value, losses.entropy, losses.approx_kl,
                          losses.clip_fraction);
}

}  // namespace

}  // namespace jimbot::bindings

void bind_learn(nb::module_& m);

void bind_learn(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    m.attr("parameter_padding") = learn::kPadding;
    m.def("has_fast_kernels", &learn::has_fast_kernels,
          "Whether the kernels are known to be faster than the general libraries on this processor.");
    m.def("softmax", &jimbot::bindings::softmax, nb::arg("logits"), nb::arg("mask"), nb::arg("actions"),
          nb::arg("rows"), nb::arg("probabilities"),
          "Write the distribution over legal actions, and log-probability and entropy of each row.");
    m.def("softmax_backward", &jimbot::bindings::softmax_backward, nb::arg("logits"), nb::arg("mask"),
          nb::arg("actions"), nb::arg("rows"), nb::arg("probabilities"), nb::arg("log_probability_gradients"),
          nb::arg("entropy_gradients"), nb::arg("logit_gradients"),
          "Write the gradients of the logits, from those of log-probabilities and entropies.");
    m.def("ppo_loss", &jimbot::bindings::ppo_loss, nb::arg("logits"), nb::arg("mask"), nb::arg("actions"),
          nb::arg("values"), nb::arg("steps"), nb::arg("options"), nb::arg("logit_gradients"),
          nb::arg("value_gradients"),
          "Write the gradients of PPO's loss with respect to logits and values; returns the losses.");
    nb::class_<OwnedCache>(m, "ForwardCache", "What backward needs of a forward pass.")
        .def_prop_ro(
            "batch", [](const OwnedCache& owned) { return owned.cache->batch; }, "Observations in it.");
    nb::class_<learn::Network>(m, "Network", "An actor-critic network over Balatro's observation.")
        .def("__init__", &create_network, nb::arg("plan"), nb::arg("threads"))
        .def("forward", &forward, nb::arg("parameters"), nb::arg("floats"), nb::arg("identities"),
             nb::arg("logits"), nb::arg("values"), nb::keep_alive<0, 1>(),
             "Write the logits and values of a batch; returns what backward needs. Releases the GIL.")
        .def("backward", &backward, nb::arg("cache"), nb::arg("parameters"), nb::arg("logit_gradients"),
             nb::arg("value_gradients"), nb::arg("gradients"),
             "Write the gradients of all parameters, from those of logits and values. Releases the GIL.")
        .def("l2_norm", &l2_norm, nb::arg("values"), "The L2 norm of an array. Releases the GIL.")
        .def("adam_step", &adam_step, nb::arg("parameters"), nb::arg("gradients"), nb::arg("first_moments"),
             nb::arg("second_moments"), nb::arg("gradient_scale"), nb::arg("step"), nb::arg("learning_rate"),
             nb::arg("betas"), nb::arg("epsilon"),
             "Update parameters and moments by one step of Adam, counted from 1. Releases the GIL.");
}
