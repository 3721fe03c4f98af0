#include "learn/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "learn/matrix.hpp"

namespace jimbot {

namespace {

using Layers = std::vector<LayerPlan>;

constexpr int kObservations = 32;   // encoded by one thread at a time
constexpr int kColumns = 64;        // of a layer, computed by one thread at a time
constexpr int kParameters = 16384;  // moved by one thread at a time

int pieces_of(int count, int each) { return (count + each - 1) / each; }

void make_room(Activations& outputs, int width, int batch) {
    outputs.width = width;
    outputs.rows.resize(area(batch, padded(width)));
    outputs.columns.resize(area(width, padded(batch)));
    outputs.slopes.resize(area(batch, padded(width)));
}

NetworkPlan checked(NetworkPlan plan) {
    const bool whole = !plan.trunk.empty() && !plan.policy.empty() && !plan.value.empty();
    if (!whole || plan.observed < 0 || plan.observed > plan.sets.columns ||
        plan.sets.parameters > plan.parameters || plan.value_head.outputs != 1) {
        throw std::invalid_argument("a network needs a trunk, two towers and one value");
    }
    const int features = check_layers(plan.trunk, plan.sets.columns, plan.parameters);
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

// The layer's outputs from `first` to `last` for a batch, by columns: [outputs, padded batch].
void multiply_inputs(const LayerPlan& layer, const float* parameters, const Activations& inputs, int batch,
                     int first, int last, float* outputs) {
    const int row = padded(batch);
    for (int output = first; output < last; ++output) {
        std::fill_n(outputs + area(output, row), batch, parameters[layer.bias + output]);
    }
    multiply({parameters + layer.weight + area(first, layer.inputs), layer.inputs, 1}, inputs.columns.data(),
             row, outputs + area(first, row), row, {last - first, batch, layer.inputs}, true, Keep::rows);
}

// Some columns as rows. A line of memory at a time: rows may lie so far apart that few of them are near the
// processor.
void turn(const float* columns, int column_row, int batch, int first, int last, float* rows, int row) {
    for (int start = first; start < last; start += kLanes) {
        const int end = std::min(start + kLanes, last);
        for (int i = 0; i < batch; ++i) {
            float* target = rows + area(i, row);
            for (int column = start; column < end; ++column) {
                target[column] = columns[area(column, column_row) + static_cast<std::size_t>(i)];
            }
        }
    }
}

// Adds nothing up: every gradient is written once.
void learn_rows(const LayerPlan& layer, const Slopes& slopes, const Activations& inputs, int batch, int first,
                int last, float* gradients) {
    multiply({slopes.values + first, 1, slopes.row}, inputs.rows.data(), padded(inputs.width),
             gradients + layer.weight + area(first, layer.inputs), layer.inputs,
             {last - first, layer.inputs, batch}, false, Keep::rows);
    float* bias = gradients + layer.bias;
    std::fill(bias + first, bias + last, 0.0F);
    for (int i = 0; i < batch; ++i) {
        const float* slope = slopes.values + area(i, slopes.row);
        for (int output = first; output < last; ++output) {
            bias[output] += slope[output];
        }
    }
}

}  // namespace

Network::Network(NetworkPlan plan, int threads)
    : plan_(checked(std::move(plan))), sets_(plan_.sets), workers_(std::max(threads, 1), [this](int) {
          for (int i = next_.fetch_add(1); i < pieces_; i = next_.fetch_add(1)) {
              (*piece_)(i);
          }
      }) {}

void Network::run_pieces(int count, const std::function<void(int)>& piece) {
    if (count == 1) {
        piece(0);
        return;
    }
    piece_ = &piece;
    pieces_ = count;
    next_ = 0;
    workers_.run();
}

double Network::length(const float* values, int count) {
    const std::scoped_lock lock(busy_);
    const int pieces = pieces_of(count, kParameters);
    std::vector<double> squares(static_cast<std::size_t>(pieces));
    run_pieces(pieces, [&](int piece) {
        const int first = piece * kParameters;
        squares[static_cast<std::size_t>(piece)] =
            sum_of_squares(values + first, static_cast<std::size_t>(std::min(kParameters, count - first)));
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

void Network::move(const AdamStep& step, const AdamNumbers& numbers, int count) {
    const std::scoped_lock lock(busy_);
    run_pieces(pieces_of(count, kParameters), [&](int piece) {
        const int first = piece * kParameters;
        move_by_adam(step, numbers, static_cast<std::size_t>(first),
                     static_cast<std::size_t>(std::min(first + kParameters, count)));
    });
}

void Network::give_back(std::unique_ptr<NetworkRecord> record) {
    const std::scoped_lock lock(busy_);
    idle_.push_back(std::move(record));
}

// --- forward ---------------------------------------------------------------------------------------------

std::unique_ptr<NetworkRecord> Network::forward(const float* parameters, const float* numbers,
                                                const std::int32_t* identities, int batch, float* scores,
                                                float* values) {
    const std::scoped_lock lock(busy_);
    std::unique_ptr<NetworkRecord> record;
    if (idle_.empty()) {
        record = std::make_unique<NetworkRecord>();
        record->trunk.resize(plan_.trunk.size());
        record->policy.resize(plan_.policy.size());
        record->value.resize(plan_.value.size());
    } else {
        record = std::move(idle_.back());
        idle_.pop_back();
    }
    record->batch = batch;
    encode(*record, parameters, numbers, identities);
    const Activations* inputs = &record->features;
    for (std::size_t i = 0; i < plan_.trunk.size(); ++i) {
        run_layer(plan_.trunk[i], parameters, *inputs, record->trunk[i], batch);
        inputs = &record->trunk[i];
    }
    for (std::size_t i = 0; i < plan_.policy.size(); ++i) {
        run_layer(plan_.policy[i], parameters, i == 0 ? *inputs : record->policy[i - 1], record->policy[i],
                  batch);
    }
    for (std::size_t i = 0; i < plan_.value.size(); ++i) {
        run_layer(plan_.value[i], parameters, i == 0 ? *inputs : record->value[i - 1], record->value[i],
                  batch);
    }
    if (plan_.policy_head.outputs > 0) {
        run_head(plan_.policy_head, parameters, record->policy.back(), *record, scores);
    } else {
        const Activations& context = record->policy.back();
        for (int i = 0; i < batch; ++i) {
            std::copy_n(row_of(context.rows.data(), i, padded(context.width)), context.width,
                        scores + area(i, context.width));
        }
    }
    run_head(plan_.value_head, parameters, record->value.back(), *record, values);
    return record;
}

void Network::encode(NetworkRecord& record, const float* parameters, const float* numbers,
                     const std::int32_t* identities) {
    const SetsPlan& plan = plan_.sets;
    const int batch = record.batch;
    Activations& features = record.features;
    make_room(features, plan.columns, batch);
    const int row = padded(plan.columns);
    const int chunks = pieces_of(batch, kObservations);
    record.sets.clear();
    record.sets.resize(static_cast<std::size_t>(chunks));
    std::vector<std::exception_ptr> refused(static_cast<std::size_t>(chunks));
    run_pieces(chunks, [&](int chunk) {
        const int first = chunk * kObservations;
        const int count = std::min(kObservations, batch - first);
        try {
            record.sets[static_cast<std::size_t>(chunk)] =
                sets_.forward(parameters, numbers + area(first, plan.number_width),
                              identities + area(first, plan.identity_width), count,
                              {row_of(features.rows.data(), first, row), row});
        } catch (...) {
            refused[static_cast<std::size_t>(chunk)] = std::current_exception();
            return;
        }
        turn(features.rows.data(), row, plan.columns, first, first + count, features.columns.data(),
             padded(batch));
    });
    for (const std::exception_ptr& error : refused) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

void Network::run_layer(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                        Activations& outputs, int batch) {
    make_room(outputs, layer.outputs, batch);
    run_pieces(pieces_of(layer.outputs, kColumns), [&](int piece) {
        const int first = piece * kColumns;
        const int last = std::min(first + kColumns, layer.outputs);
        multiply_inputs(layer, parameters, inputs, batch, first, last, outputs.columns.data());
        float* columns = outputs.columns.data();
        for (std::size_t i = area(first, padded(batch)); i < area(last, padded(batch)); ++i) {
            columns[i] = std::max(columns[i], 0.0F);
        }
        turn(columns, padded(batch), batch, first, last, outputs.rows.data(), padded(layer.outputs));
    });
}

void Network::run_head(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                       NetworkRecord& record, float* scores) {
    const int batch = record.batch;
    record.head.resize(std::max(record.head.size(), area(layer.outputs, padded(batch))));
    run_pieces(pieces_of(layer.outputs, kColumns), [&](int piece) {
        const int first = piece * kColumns;
        const int last = std::min(first + kColumns, layer.outputs);
        multiply_inputs(layer, parameters, inputs, batch, first, last, record.head.data());
        turn(record.head.data(), padded(batch), batch, first, last, scores, layer.outputs);
    });
}

// --- backward --------------------------------------------------------------------------------------------

// Slopes of a layer's inputs from those of its outputs; from the column `from` on. `cut` where inputs are 0:
// they came out of a layer, which cuts there.
void Network::trace_layer(const LayerPlan& layer, const float* parameters, const Slopes& slopes,
                          Activations& inputs, int from, int batch, bool add, bool cut) {
    const int row = padded(layer.inputs);
    run_pieces(pieces_of(layer.inputs - from, kColumns), [&](int piece) {
        const int first = from + piece * kColumns;
        const int last = std::min(first + kColumns, layer.inputs);
        multiply({slopes.values, slopes.row, 1}, parameters + layer.weight + first, layer.inputs,
                 inputs.slopes.data() + first, row, {batch, last - first, layer.outputs}, add, Keep::columns);
        for (int i = 0; cut && i < batch; ++i) {
            const float* values = row_of(inputs.rows.data(), i, row);
            float* slope = row_of(inputs.slopes.data(), i, row);
            for (int column = first; column < last; ++column) {
                slope[column] = values[column] > 0.0F ? slope[column] : 0.0F;
            }
        }
    });
}

// From the slopes of a tower's last outputs down to those of its first.
void Network::trace_tower(const Layers& tower, std::vector<Activations>& outputs, const float* parameters,
                          int batch) {
    for (std::size_t i = tower.size(); i-- > 1;) {
        trace_layer(tower[i], parameters, {outputs[i].slopes.data(), padded(outputs[i].width)},
                    outputs[i - 1], 0, batch, false, true);
    }
}

void Network::backward(NetworkRecord& record, const float* parameters, const float* of_scores,
                       const float* of_values, float* gradients) {
    const std::scoped_lock lock(busy_);
    const int batch = record.batch;
    Activations& context = record.policy.back();
    if (plan_.policy_head.outputs > 0) {
        trace_layer(plan_.policy_head, parameters, {of_scores, plan_.policy_head.outputs}, context, 0, batch,
                    false, true);
    } else {
        const int row = padded(context.width);
        for (int i = 0; i < batch; ++i) {
            for (std::size_t column = 0; column < static_cast<std::size_t>(context.width); ++column) {
                const bool passed = context.rows[area(i, row) + column] > 0.0F;
                context.slopes[area(i, row) + column] =
                    passed ? of_scores[area(i, context.width) + column] : 0.0F;
            }
        }
    }
    trace_layer(plan_.value_head, parameters, {of_values, 1}, record.value.back(), 0, batch, false, true);
    trace_tower(plan_.policy, record.policy, parameters, batch);
    trace_tower(plan_.value, record.value, parameters, batch);
    Activations& features = record.trunk.back();
    const Activations& policy = record.policy.front();
    const Activations& value = record.value.front();
    trace_layer(plan_.policy.front(), parameters, {policy.slopes.data(), padded(policy.width)}, features, 0,
                batch, false, false);
    trace_layer(plan_.value.front(), parameters, {value.slopes.data(), padded(value.width)}, features, 0,
                batch, true, true);
    trace_tower(plan_.trunk, record.trunk, parameters, batch);
    const Activations& first = record.trunk.front();
    trace_layer(plan_.trunk.front(), parameters, {first.slopes.data(), padded(first.width)}, record.features,
                plan_.observed, batch, false, false);
    learn(record, parameters, of_scores, of_values, gradients);
}

// Gradients of all parameters, once all slopes are there.
void Network::learn(NetworkRecord& record, const float* parameters, const float* of_scores,
                    const float* of_values, float* gradients) {
    const int batch = record.batch;
    std::fill_n(gradients, plan_.sets.parameters, 0.0F);  // encoders add to what is there

    struct Piece {
        const LayerPlan* layer;
        Slopes slopes;
        const Activations* inputs;
        int first;
    };
    std::vector<Piece> pieces;
    const auto add = [&](const LayerPlan& layer, const Slopes& slopes, const Activations& inputs) {
        for (int first = 0; first < layer.outputs; first += kColumns) {
            pieces.push_back({&layer, slopes, &inputs, first});
        }
    };
    const auto add_tower = [&](const Layers& tower, const std::vector<Activations>& outputs,
                               const Activations& inputs) {
        for (std::size_t i = 0; i < tower.size(); ++i) {
            add(tower[i], {outputs[i].slopes.data(), padded(outputs[i].width)},
                i == 0 ? inputs : outputs[i - 1]);
        }
    };
    add_tower(plan_.trunk, record.trunk, record.features);
    add_tower(plan_.policy, record.policy, record.trunk.back());
    add_tower(plan_.value, record.value, record.trunk.back());
    if (plan_.policy_head.outputs > 0) {
        add(plan_.policy_head, {of_scores, plan_.policy_head.outputs}, record.policy.back());
    }
    add(plan_.value_head, {of_values, 1}, record.value.back());

    const int row = padded(plan_.sets.columns);
    const FeatureRows features{record.features.rows.data(), row};
    const FeatureRows slopes{record.features.slopes.data(), row};
    const int sets = sets_.pieces();  // first, since they take longest
    run_pieces(sets + static_cast<int>(pieces.size()), [&](int i) {
        if (i < sets) {
            sets_.backward(sets - 1 - i, record.sets, parameters, features, slopes, gradients);
            return;
        }
        const Piece& piece = pieces[static_cast<std::size_t>(i - sets)];
        const int last = std::min(piece.first + kColumns, piece.layer->outputs);
        learn_rows(*piece.layer, piece.slopes, *piece.inputs, batch, piece.first, last, gradients);
    });
}

}  // namespace jimbot
