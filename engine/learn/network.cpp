#include "learn/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "learn/matrix.hpp"

namespace jimbot::learn {

namespace {

using Layers = std::vector<LayerPlan>;

// The size of a task that one thread works on. Fixed, so that results do not depend on the number of threads.
constexpr int kObservationsPerTask = 32;
constexpr int kColumnsPerTask = 64;
constexpr int kParametersPerTask = 16384;

int count_tasks(int count, int per_task) { return (count + per_task - 1) / per_task; }

void resize(Activations& activations, int width, int batch) {
    activations.width = width;
    activations.rows.resize(area(batch, padded(width)));
    activations.columns.resize(area(width, padded(batch)));
    activations.gradients.resize(area(batch, padded(width)));
}

OutputGradients gradients_of(const Activations& outputs) {
    return {outputs.gradients.data(), padded(outputs.width)};
}

NetworkPlan checked(NetworkPlan plan) {
    const bool whole = !plan.trunk.empty() && !plan.policy.empty() && !plan.value.empty();
    if (!whole || plan.observed_columns < 0 || plan.observed_columns > plan.encoders.columns ||
        plan.encoders.parameters < 0 || plan.encoders.parameters > plan.parameters ||
        plan.value_head.outputs != 1) {
        throw std::invalid_argument("a network needs a trunk, two towers and one value");
    }
    const int features = check_layers(plan.trunk, plan.encoders.columns, plan.parameters);
    Layers policy = plan.policy;
    if (plan.policy_head.outputs > 0) {
        policy.push_back(plan.policy_head);
    }
    Layers value = plan.value;
    value.push_back(plan.value_head);
    check_layers(policy, features, plan.parameters);
    check_layers(value, features, plan.parameters);
    const auto lacks_bias = [](const LayerPlan& layer) { return layer.bias < 0; };
    if (std::ranges::any_of(plan.trunk, lacks_bias) || std::ranges::any_of(policy, lacks_bias) ||
        std::ranges::any_of(value, lacks_bias)) {
        throw std::invalid_argument("a layer of a trunk or tower has no bias");
    }
    return plan;
}

// Writes the layer's outputs from `first` to `last`, as columns: [outputs, padded batch].
void multiply_inputs(const LayerPlan& layer, const float* parameters, const Activations& inputs, int batch,
                     int first, int last, float* outputs) {
    const int stride = padded(batch);
    for (int output = first; output < last; ++output) {
        std::fill_n(outputs + area(output, stride), batch, parameters[layer.bias + output]);
    }
    multiply({parameters + layer.weight + area(first, layer.inputs), layer.inputs, 1}, inputs.columns.data(),
             stride, outputs + area(first, stride), stride, {last - first, batch, layer.inputs}, true,
             CacheBlock::rows_of_a);
}

// rows[i][j] = columns[j][i] for i below `batch` and j from `first` to `last`. A cache line of a row is
// written at a time: rows may lie so far apart that the cache holds few of them.
void transpose(const float* columns, int column_stride, int batch, int first, int last, float* rows,
               int row_stride) {
    for (int start = first; start < last; start += kPadding) {
        const int end = std::min(start + kPadding, last);
        for (int i = 0; i < batch; ++i) {
            float* target = row_of(rows, i, row_stride);
            for (int column = start; column < end; ++column) {
                target[column] = columns[area(column, column_stride) + static_cast<std::size_t>(i)];
            }
        }
    }
}

// Writes the gradients of the weight and bias of the outputs from `first` to `last`.
void write_layer_gradients(const LayerPlan& layer, const OutputGradients& output_gradients,
                           const Activations& inputs, int batch, int first, int last, float* gradients) {
    multiply({output_gradients.values + first, 1, output_gradients.stride}, inputs.rows.data(),
             padded(inputs.width), gradients + layer.weight + area(first, layer.inputs), layer.inputs,
             {last - first, layer.inputs, batch}, false, CacheBlock::rows_of_a);
    float* bias = gradients + layer.bias;
    std::fill(bias + first, bias + last, 0.0F);
    for (int i = 0; i < batch; ++i) {
        const float* row = row_of(output_gradients.values, i, output_gradients.stride);
        for (int output = first; output < last; ++output) {
            bias[output] += row[output];
        }
    }
}

}  // namespace

Network::Network(NetworkPlan plan, int threads)
    : plan_(checked(std::move(plan))), encoders_(plan_.encoders), workers_(std::max(threads, 1), [this](int) {
          for (int i = next_task_.fetch_add(1); i < task_count_; i = next_task_.fetch_add(1)) {
              (*task_)(i);
          }
      }) {}

void Network::parallel_for(int count, const std::function<void(int)>& task) {
    if (count == 1) {
        task(0);
        return;
    }
    task_ = &task;
    task_count_ = count;
    next_task_ = 0;
    workers_.run();
}

double Network::l2_norm(const float* values, int count) {
    const std::scoped_lock lock(mutex_);
    const int tasks = count_tasks(count, kParametersPerTask);
    std::vector<double> squares(static_cast<std::size_t>(tasks));
    parallel_for(tasks, [&](int task) {
        const int first = task * kParametersPerTask;
        squares[static_cast<std::size_t>(task)] = sum_of_squares(
            values + first, static_cast<std::size_t>(std::min(kParametersPerTask, count - first)));
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

void Network::adam_step(const AdamCoefficients& coefficients, const AdamState& state, int count) {
    const std::scoped_lock lock(mutex_);
    parallel_for(count_tasks(count, kParametersPerTask), [&](int task) {
        const int first = task * kParametersPerTask;
        learn::adam_step(coefficients, state, static_cast<std::size_t>(first),
                         static_cast<std::size_t>(std::min(first + kParametersPerTask, count)));
    });
}

std::unique_ptr<ForwardCache> Network::take_cache() {
    std::unique_ptr<ForwardCache> cache;
    if (recycled_.empty()) {
        cache = std::make_unique<ForwardCache>();
        cache->trunk.resize(plan_.trunk.size());
        cache->policy.resize(plan_.policy.size());
        cache->value.resize(plan_.value.size());
    } else {
        cache = std::move(recycled_.back());
        recycled_.pop_back();
    }
    return cache;
}

void Network::recycle(std::unique_ptr<ForwardCache> cache) {
    if (!mutex_.lock_unless_lost()) {  // called by destructors, which must not throw
        return;
    }
    const std::scoped_lock lock(std::adopt_lock, mutex_);
    recycled_.push_back(std::move(cache));
}

// --- forward ---------------------------------------------------------------------------------------------

std::unique_ptr<ForwardCache> Network::forward(const float* parameters, const float* floats,
                                               const std::int32_t* identities, int batch, float* logits,
                                               float* values) {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<ForwardCache> cache = take_cache();
    cache->batch = batch;
    encode(*cache, parameters, floats, identities);
    const auto forward_tower = [&](const Layers& tower, const Activations& first,
                                   std::vector<Activations>& outputs) {
        for (std::size_t i = 0; i < tower.size(); ++i) {
            forward_layer(tower[i], parameters, i == 0 ? first : outputs[i - 1], outputs[i], batch);
        }
    };
    forward_tower(plan_.trunk, cache->features, cache->trunk);
    forward_tower(plan_.policy, cache->trunk.back(), cache->policy);
    forward_tower(plan_.value, cache->trunk.back(), cache->value);
    if (plan_.policy_head.outputs > 0) {
        forward_head(plan_.policy_head, parameters, cache->policy.back(), *cache, logits);
    } else {
        const Activations& outputs = cache->policy.back();
        for (int i = 0; i < batch; ++i) {
            std::copy_n(row_of(outputs.rows.data(), i, padded(outputs.width)), outputs.width,
                        row_of(logits, i, outputs.width));
        }
    }
    forward_head(plan_.value_head, parameters, cache->value.back(), *cache, values);
    return cache;
}

void Network::encode(ForwardCache& cache, const float* parameters, const float* floats,
                     const std::int32_t* identities) {
    const EncodersPlan& plan = plan_.encoders;
    const int batch = cache.batch;
    Activations& features = cache.features;
    resize(features, plan.columns, batch);
    const int stride = padded(plan.columns);
    const int tasks = count_tasks(batch, kObservationsPerTask);
    cache.encoders.clear();
    cache.encoders.resize(static_cast<std::size_t>(tasks));
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(tasks));
    parallel_for(tasks, [&](int task) {
        const int first = task * kObservationsPerTask;
        const int count = std::min(kObservationsPerTask, batch - first);
        try {
            cache.encoders[static_cast<std::size_t>(task)] =
                encoders_.forward(parameters, row_of(floats, first, plan.float_width),
                                  row_of(identities, first, plan.identity_width), count,
                                  {row_of(features.rows.data(), first, stride), stride});
        } catch (...) {
            errors[static_cast<std::size_t>(task)] = std::current_exception();
            return;
        }
        transpose(features.rows.data(), stride, plan.columns, first, first + count, features.columns.data(),
                  padded(batch));
    });
    for (const std::exception_ptr& error : errors) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

void Network::forward_layer(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                            Activations& outputs, int batch) {
    resize(outputs, layer.outputs, batch);
    parallel_for(count_tasks(layer.outputs, kColumnsPerTask), [&](int task) {
        const int first = task * kColumnsPerTask;
        const int last = std::min(first + kColumnsPerTask, layer.outputs);
        multiply_inputs(layer, parameters, inputs, batch, first, last, outputs.columns.data());
        float* columns = outputs.columns.data();
        for (std::size_t i = area(first, padded(batch)); i < area(last, padded(batch)); ++i) {
            columns[i] = std::max(columns[i], 0.0F);
        }
        transpose(columns, padded(batch), batch, first, last, outputs.rows.data(), padded(layer.outputs));
    });
}

void Network::forward_head(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                           ForwardCache& cache, float* outputs) {
    const int batch = cache.batch;
    std::vector<float>& columns = cache.head_columns;
    columns.resize(std::max(columns.size(), area(layer.outputs, padded(batch))));
    parallel_for(count_tasks(layer.outputs, kColumnsPerTask), [&](int task) {
        const int first = task * kColumnsPerTask;
        const int last = std::min(first + kColumnsPerTask, layer.outputs);
        multiply_inputs(layer, parameters, inputs, batch, first, last, columns.data());
        transpose(columns.data(), padded(batch), batch, first, last, outputs, layer.outputs);
    });
}

// --- backward --------------------------------------------------------------------------------------------

// Writes the gradients of a layer's inputs from `first_column` on, from those of its outputs. `through_relu`
// if the inputs are outputs of a ReLU: where they are 0, so is the gradient.
void Network::backward_inputs(const LayerPlan& layer, const float* parameters,
                              const OutputGradients& gradients, Activations& inputs, int first_column,
                              int batch, bool accumulate, bool through_relu) {
    const int stride = padded(layer.inputs);
    parallel_for(count_tasks(layer.inputs - first_column, kColumnsPerTask), [&](int task) {
        const int first = first_column + task * kColumnsPerTask;
        const int last = std::min(first + kColumnsPerTask, layer.inputs);
        multiply({gradients.values, gradients.stride, 1}, parameters + layer.weight + first, layer.inputs,
                 inputs.gradients.data() + first, stride, {batch, last - first, layer.outputs}, accumulate,
                 CacheBlock::columns_of_b);
        for (int i = 0; through_relu && i < batch; ++i) {
            const float* values = row_of(inputs.rows.data(), i, stride);
            float* row = row_of(inputs.gradients.data(), i, stride);
            for (int column = first; column < last; ++column) {
                row[column] = values[column] > 0.0F ? row[column] : 0.0F;
            }
        }
    });
}

// From the gradients of a tower's last outputs down to those of its first layer's outputs.
void Network::backward_tower(const Layers& tower, std::vector<Activations>& outputs, const float* parameters,
                             int batch) {
    for (std::size_t i = tower.size(); i-- > 1;) {
        backward_inputs(tower[i], parameters, gradients_of(outputs[i]), outputs[i - 1], 0, batch, false,
                        true);
    }
}

void Network::backward(ForwardCache& cache, const float* parameters, const float* logit_gradients,
                       const float* value_gradients, float* gradients) {
    const std::scoped_lock lock(mutex_);
    const int batch = cache.batch;
    Activations& policy_outputs = cache.policy.back();
    if (plan_.policy_head.outputs > 0) {
        backward_inputs(plan_.policy_head, parameters, {logit_gradients, plan_.policy_head.outputs},
                        policy_outputs, 0, batch, false, true);
    } else {
        const int width = policy_outputs.width;
        for (int i = 0; i < batch; ++i) {
            const float* values = row_of(policy_outputs.rows.data(), i, padded(width));
            const float* given = row_of(logit_gradients, i, width);
            float* row = row_of(policy_outputs.gradients.data(), i, padded(width));
            for (int column = 0; column < width; ++column) {
                row[column] = values[column] > 0.0F ? given[column] : 0.0F;
            }
        }
    }
    backward_inputs(plan_.value_head, parameters, {value_gradients, 1}, cache.value.back(), 0, batch, false,
                    true);
    backward_tower(plan_.policy, cache.policy, parameters, batch);
    backward_tower(plan_.value, cache.value, parameters, batch);
    Activations& shared = cache.trunk.back();
    backward_inputs(plan_.policy.front(), parameters, gradients_of(cache.policy.front()), shared, 0, batch,
                    false, false);
    backward_inputs(plan_.value.front(), parameters, gradients_of(cache.value.front()), shared, 0, batch,
                    true, true);
    backward_tower(plan_.trunk, cache.trunk, parameters, batch);
    backward_inputs(plan_.trunk.front(), parameters, gradients_of(cache.trunk.front()), cache.features,
                    plan_.observed_columns, batch, false, false);
    backward_parameters(cache, parameters, logit_gradients, value_gradients, gradients);
}

// The gradients of all parameters, once those of all activations are known.
void Network::backward_parameters(ForwardCache& cache, const float* parameters, const float* logit_gradients,
                                  const float* value_gradients, float* gradients) {
    const int batch = cache.batch;
    std::fill_n(gradients, plan_.encoders.parameters, 0.0F);  // the encoders add to them

    struct Task {
        const LayerPlan* layer;
        OutputGradients output_gradients;
        const Activations* inputs;
        int first;
    };
    std::vector<Task> tasks;
    const auto add = [&](const LayerPlan& layer, const OutputGradients& given, const Activations& inputs) {
        for (int first = 0; first < layer.outputs; first += kColumnsPerTask) {
            tasks.push_back({&layer, given, &inputs, first});
        }
    };
    const auto add_tower = [&](const Layers& tower, const std::vector<Activations>& outputs,
                               const Activations& inputs) {
        for (std::size_t i = 0; i < tower.size(); ++i) {
            add(tower[i], gradients_of(outputs[i]), i == 0 ? inputs : outputs[i - 1]);
        }
    };
    add_tower(plan_.trunk, cache.trunk, cache.features);
    add_tower(plan_.policy, cache.policy, cache.trunk.back());
    add_tower(plan_.value, cache.value, cache.trunk.back());
    if (plan_.policy_head.outputs > 0) {
        add(plan_.policy_head, {logit_gradients, plan_.policy_head.outputs}, cache.policy.back());
    }
    add(plan_.value_head, {value_gradients, 1}, cache.value.back());

    const int stride = padded(plan_.encoders.columns);
    const FeatureRows features{cache.features.rows.data(), stride};
    const FeatureRows feature_gradients{cache.features.gradients.data(), stride};
    const int parts = encoders_.backward_parts();  // before the layers, since they take longest
    parallel_for(parts + static_cast<int>(tasks.size()), [&](int i) {
        if (i < parts) {
            encoders_.backward(parts - 1 - i, cache.encoders, parameters, features, feature_gradients,
                               gradients);
            return;
        }
        const Task& task = tasks[static_cast<std::size_t>(i - parts)];
        const int last = std::min(task.first + kColumnsPerTask, task.layer->outputs);
        write_layer_gradients(*task.layer, task.output_gradients, *task.inputs, batch, task.first, last,
                              gradients);
    });
}

}  // namespace jimbot::learn
