#include "learn/sets.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "learn/matrix.hpp"

namespace jimbot {

namespace {

using Floats = std::vector<float>;

// A layer's weights as [inputs, padded outputs]: what rows are multiplied by.
Floats turned(const LayerPlan& layer, const float* parameters) {
    const int columns = padded(layer.outputs);
    Floats found(area(layer.inputs, columns));
    const float* weights = parameters + layer.weight;
    for (int output = 0; output < layer.outputs; ++output) {
        for (int input = 0; input < layer.inputs; ++input) {
            found[area(input, columns) + static_cast<std::size_t>(output)] = *weights++;
        }
    }
    return found;
}

// A layer's weights for some of its inputs as [outputs, padded inputs]: what gradients are multiplied by.
Floats upright(const LayerPlan& layer, const float* parameters, int from, int count) {
    const int columns = padded(count);
    Floats found(area(layer.outputs, columns));
    for (int output = 0; output < layer.outputs; ++output) {
        const float* weights = row_of(parameters + layer.weight, output, layer.inputs);
        std::copy_n(weights + from, count, row_of(found.data(), output, columns));
    }
    return found;
}

// Rows of padded outputs from rows of padded inputs, with the bias if there is one.
Floats applied(const LayerPlan& layer, const float* parameters, const Floats& inputs, std::size_t rows) {
    const int columns = padded(layer.outputs);
    Floats found(area(rows, columns));
    if (layer.bias >= 0) {
        for (std::size_t row = 0; row < rows; ++row) {
            std::copy_n(parameters + layer.bias, layer.outputs, row_of(found.data(), row, columns));
        }
    }
    const Floats weights = turned(layer, parameters);
    multiply({inputs.data(), padded(layer.inputs), 1}, weights.data(), columns, found.data(), columns,
             {static_cast<int>(rows), columns, layer.inputs}, true);
    return found;
}

void cut_at_zero(Floats& values) {
    for (float& value : values) {
        value = std::max(value, 0.0F);
    }
}

// Adds the gradients of a layer's own parameters, from those of its padded outputs and from its padded
// inputs.
void learn_layer(const LayerPlan& layer, const Floats& slopes, const Floats& inputs, std::size_t rows,
                 float* gradients) {
    const int columns = padded(layer.outputs);
    const int width = padded(layer.inputs);
    Floats found(area(layer.outputs, width));
    multiply({slopes.data(), 1, columns}, inputs.data(), width, found.data(), width,
             {layer.outputs, width, static_cast<int>(rows)}, false);
    for (int output = 0; output < layer.outputs; ++output) {
        const float* own = row_of(found.data(), output, width);
        float* target = row_of(gradients + layer.weight, output, layer.inputs);
        for (int input = 0; input < layer.inputs; ++input) {
            target[input] += own[input];
        }
    }
    if (layer.bias < 0) {
        return;
    }
    float* bias = gradients + layer.bias;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* slope = row_of(slopes.data(), row, columns);
        for (int output = 0; output < layer.outputs; ++output) {
            bias[output] += slope[output];
        }
    }
}

// Gradients of some of a layer's inputs, padded, from those of its padded outputs.
Floats inputs_slopes(const LayerPlan& layer, const float* parameters, const Floats& slopes, std::size_t rows,
                     int from, int count) {
    const int columns = padded(count);
    Floats found(area(rows, columns));
    const Floats weights = upright(layer, parameters, from, count);
    multiply({slopes.data(), padded(layer.outputs), 1}, weights.data(), columns, found.data(), columns,
             {static_cast<int>(rows), columns, layer.outputs}, false);
    return found;
}

[[noreturn]] void refuse(std::int32_t identity, int place, std::size_t high) {
    throw std::out_of_range("identity " + std::to_string(identity) + " at place " + std::to_string(place) +
                            " of an observation; its table ends at " + std::to_string(high));
}

// Which rows are there, in the order of observations and groups.
void find_rows(const EncoderPlan& encoder, EncoderRecord& record, const std::int32_t* identities, int batch,
               int width) {
    record.starts.clear();
    for (int i = 0; i < batch; ++i) {
        const std::int32_t* seen = identities + static_cast<std::ptrdiff_t>(i) * width;
        std::int32_t place = 0;
        for (const GroupPlan& group : encoder.groups) {
            record.starts.push_back(static_cast<std::int32_t>(record.places.size()));
            for (int row = 0; row < group.rows; ++row, ++place) {
                const std::int32_t identity = seen[group.identities + row];
                if (identity < 0 || static_cast<std::size_t>(identity) >= group.table_rows.size()) {
                    refuse(identity, group.identities + row, group.table_rows.size() - 1);
                }
                if (identity > 0) {
                    record.places.push_back(place);
                    record.table_rows.push_back(group.table_rows[static_cast<std::size_t>(identity)]);
                }
            }
        }
    }
    record.starts.push_back(static_cast<std::int32_t>(record.places.size()));
}

// Numbers and embedded identity of every row that is there, side by side.
void gather_rows(const EncoderPlan& encoder, EncoderRecord& record, const float* parameters,
                 const float* numbers, int batch, int width) {
    const int columns = padded(encoder.row_width + encoder.embedding);
    record.inputs.assign(area(record.places.size(), columns), 0.0F);
    const std::size_t groups = encoder.groups.size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        const float* seen = row_of(numbers, i, width);
        int before = 0;  // rows of the groups before
        for (std::size_t g = 0; g < groups; ++g) {
            const GroupPlan& group = encoder.groups[g];
            const auto end = static_cast<std::size_t>(record.starts[i * groups + g + 1]);
            for (auto row = static_cast<std::size_t>(record.starts[i * groups + g]); row < end; ++row) {
                float* target = row_of(record.inputs.data(), row, columns);
                const auto place = static_cast<std::size_t>(record.places[row] - before);
                std::copy_n(seen + group.numbers + area(place, encoder.row_width), encoder.row_width, target);
                std::copy_n(row_of(parameters + encoder.table,
                                   static_cast<std::size_t>(record.table_rows[row]), encoder.embedding),
                            encoder.embedding, target + encoder.row_width);
            }
            before += group.rows;
        }
    }
}

// Mean and maximum of every group, and which share of its rows is there. Absent rows count as 0 in the
// maximum; what comes out of a layer is never below.
void pool_rows(const EncoderPlan& encoder, EncoderRecord& record) {
    const int width = encoder.encoded();
    const int row_width = padded(width);
    const int columns = padded(2 * width + 1);
    const std::size_t sets = record.starts.size() - 1;
    record.pooled.assign(area(sets, columns), 0.0F);
    const Floats& encoded = record.outputs.back();
    for (std::size_t set = 0; set < sets; ++set) {
        float* mean = row_of(record.pooled.data(), set, columns);
        float* largest = mean + width;
        const auto begin = static_cast<std::size_t>(record.starts[set]);
        const auto end = static_cast<std::size_t>(record.starts[set + 1]);
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, row_width);
            for (int i = 0; i < width; ++i) {
                mean[i] += values[i];
                largest[i] = std::max(largest[i], values[i]);
            }
        }
        const auto count = static_cast<float>(end - begin);
        for (int i = 0; i < width && begin < end; ++i) {
            mean[i] /= count;
        }
        const int rows = encoder.groups[set % encoder.groups.size()].rows;
        mean[area(2, width)] = count / static_cast<float>(rows);
    }
}

// Gradients of encoded rows from those of what was pooled. Rows that are the maximum together share its
// gradient.
Floats unpooled(const EncoderPlan& encoder, const EncoderRecord& record, const Floats& slopes) {
    const int width = encoder.encoded();
    const int row_width = padded(width);
    const int columns = padded(2 * width + 1);
    const Floats& encoded = record.outputs.back();
    Floats found(encoded.size());
    Floats ties(static_cast<std::size_t>(width));
    for (std::size_t set = 0; set + 1 < record.starts.size(); ++set) {
        const auto begin = static_cast<std::size_t>(record.starts[set]);
        const auto end = static_cast<std::size_t>(record.starts[set + 1]);
        const float* largest = row_of(record.pooled.data(), set, columns) + width;
        const float* of_mean = row_of(slopes.data(), set, columns);
        const float* of_largest = of_mean + width;
        std::fill(ties.begin(), ties.end(), 0.0F);
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, row_width);
            for (int i = 0; i < width; ++i) {
                ties[static_cast<std::size_t>(i)] += values[i] == largest[i] ? 1.0F : 0.0F;
            }
        }
        const float share = 1.0F / static_cast<float>(std::max<std::size_t>(end - begin, 1));
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, row_width);
            float* target = row_of(found.data(), row, row_width);
            for (int i = 0; i < width; ++i) {
                const float peak = of_largest[i] / std::max(ties[static_cast<std::size_t>(i)], 1.0F);
                target[i] = of_mean[i] * share + (values[i] == largest[i] ? peak : 0.0F);
            }
        }
    }
    return found;
}

void keep_where_positive(Floats& slopes, const Floats& outputs) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        slopes[i] = outputs[i] > 0.0F ? slopes[i] : 0.0F;
    }
}

}  // namespace

SetEncoders::SetEncoders(SetsPlan plan) : plan_(std::move(plan)) {
    check_plan(plan_);
    std::vector<int> tables;
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        const int table = plan_.encoders[which].table;
        const auto known = std::find(tables.begin(), tables.end(), table);
        if (known == tables.end()) {
            tables.push_back(table);
            pieces_.push_back({which});
        } else {
            pieces_[static_cast<std::size_t>(known - tables.begin())].push_back(which);
        }
    }
}

void SetEncoders::look_up(SetsRecord& record, const std::int32_t* identities) const {
    const LoosePlan& loose = plan_.loose;
    record.loose.reserve(static_cast<std::size_t>(record.batch) * loose.identities.size());
    for (int i = 0; i < record.batch; ++i) {
        const std::int32_t* seen = identities + static_cast<std::ptrdiff_t>(i) * plan_.identity_width;
        for (std::size_t which = 0; which < loose.identities.size(); ++which) {
            const std::int32_t identity = seen[loose.identities[which]];
            if (identity < 0 || identity > loose.highs[which]) {
                refuse(identity, loose.identities[which], static_cast<std::size_t>(loose.highs[which]));
            }
            record.loose.push_back(loose.starts[which] + identity);
        }
    }
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        find_rows(plan_.encoders[which], record.encoders[which], identities, record.batch,
                  plan_.identity_width);
    }
}

SetsRecord SetEncoders::forward(const float* parameters, const float* numbers, const std::int32_t* identities,
                                int batch, const FeatureRows& features) const {
    SetsRecord record;
    record.batch = batch;
    record.encoders.resize(plan_.encoders.size());
    look_up(record, identities);
    const LoosePlan& loose = plan_.loose;
    const std::size_t each = loose.identities.size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        const float* seen = row_of(numbers, i, plan_.number_width);
        float* target = row_of(features.values, i, features.row);
        for (const CopyPlan& copy : plan_.copies) {
            for (int column = 0; column < copy.count; ++column) {
                target[copy.to + column] = std::clamp(seen[copy.from + column], -plan_.limit, plan_.limit);
            }
        }
        for (std::size_t which = 0; which < each; ++which) {
            const auto row = static_cast<std::size_t>(record.loose[i * each + which]);
            std::copy_n(row_of(parameters + loose.table, row, loose.width), loose.width,
                        target + loose.column + area(which, loose.width));
        }
    }
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        encode(plan_.encoders[which], record.encoders[which], parameters, numbers, batch, features);
    }
    return record;
}

void SetEncoders::encode(const EncoderPlan& encoder, EncoderRecord& record, const float* parameters,
                         const float* numbers, int batch, const FeatureRows& features) const {
    const std::size_t rows = record.places.size();
    gather_rows(encoder, record, parameters, numbers, batch, plan_.number_width);
    const Floats* inputs = &record.inputs;
    record.outputs.reserve(encoder.layers.size());
    for (const LayerPlan& layer : encoder.layers) {
        record.outputs.push_back(applied(layer, parameters, *inputs, rows));
        cut_at_zero(record.outputs.back());
        inputs = &record.outputs.back();
    }
    pool_rows(encoder, record);
    const std::size_t groups = encoder.groups.size();
    const std::size_t sets = groups * static_cast<std::size_t>(batch);
    const Floats outputs = applied(encoder.set, parameters, record.pooled, sets);
    const int columns = padded(encoder.set.outputs);
    for (std::size_t set = 0; set < sets; ++set) {
        const float* values = row_of(outputs.data(), set, columns);
        float* target = row_of(features.values, set / groups, features.row) + encoder.set_column +
                        area(set % groups, encoder.set.outputs);
        for (int i = 0; i < encoder.set.outputs; ++i) {
            target[i] = std::max(values[i], 0.0F);
        }
    }
    const int width = encoder.position.outputs;
    if (width == 0) {
        return;
    }
    const Floats positions = applied(encoder.position, parameters, record.outputs.back(), rows);
    const int total = encoder.total_rows();
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        float* target = row_of(features.values, i, features.row) + encoder.position_column;
        std::fill_n(target, total * width, 0.0F);
        const auto end = static_cast<std::size_t>(record.starts[(i + 1) * groups]);
        for (auto row = static_cast<std::size_t>(record.starts[i * groups]); row < end; ++row) {
            std::copy_n(row_of(positions.data(), row, padded(width)), width,
                        target + area(record.places[row], width));
        }
    }
}

void SetEncoders::backward(int piece, const std::vector<SetsRecord>& records, const float* parameters,
                           const FeatureRows& features, const FeatureRows& slopes, float* gradients) const {
    std::size_t seen = 0;
    for (const SetsRecord& record : records) {
        const FeatureRows own{row_of(features.values, seen, features.row), features.row};
        const FeatureRows own_slopes{row_of(slopes.values, seen, slopes.row), slopes.row};
        if (piece == 0) {
            trace_loose(record, own_slopes, gradients);
        } else {
            for (const std::size_t which : pieces_[static_cast<std::size_t>(piece) - 1]) {
                trace_back(plan_.encoders[which], record.encoders[which], parameters, own, own_slopes,
                           record.batch, gradients);
            }
        }
        seen += static_cast<std::size_t>(record.batch);
    }
}

void SetEncoders::trace_loose(const SetsRecord& record, const FeatureRows& slopes, float* gradients) const {
    const LoosePlan& loose = plan_.loose;
    const std::size_t each = loose.identities.size();
    for (std::size_t i = 0; i < record.loose.size(); ++i) {
        const float* slope =
            row_of(slopes.values, i / each, slopes.row) + loose.column + area(i % each, loose.width);
        float* target = row_of(gradients + loose.table, record.loose[i], loose.width);
        for (int column = 0; column < loose.width; ++column) {
            target[column] += slope[column];
        }
    }
}

void SetEncoders::trace_back(const EncoderPlan& encoder, const EncoderRecord& record, const float* parameters,
                             const FeatureRows& features, const FeatureRows& slopes, int batch,
                             float* gradients) const {
    const std::size_t rows = record.places.size();
    const std::size_t groups = encoder.groups.size();
    const std::size_t sets = groups * static_cast<std::size_t>(batch);
    const int columns = padded(encoder.set.outputs);
    Floats of_sets(area(sets, columns));
    for (std::size_t set = 0; set < sets; ++set) {
        const std::size_t start =
            static_cast<std::size_t>(encoder.set_column) + area(set % groups, encoder.set.outputs);
        const float* values = row_of(features.values, set / groups, features.row) + start;
        const float* slope = row_of(slopes.values, set / groups, slopes.row) + start;
        float* target = row_of(of_sets.data(), set, columns);
        for (int i = 0; i < encoder.set.outputs; ++i) {
            target[i] = values[i] > 0.0F ? slope[i] : 0.0F;
        }
    }
    learn_layer(encoder.set, of_sets, record.pooled, sets, gradients);
    const Floats of_pooled = inputs_slopes(encoder.set, parameters, of_sets, sets, 0, encoder.set.inputs);
    Floats of_rows = unpooled(encoder, record, of_pooled);

    const int width = encoder.position.outputs;
    if (width > 0) {
        Floats of_positions(area(rows, padded(width)));
        for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
            const float* slope = row_of(slopes.values, i, slopes.row) + encoder.position_column;
            const auto end = static_cast<std::size_t>(record.starts[(i + 1) * groups]);
            for (auto row = static_cast<std::size_t>(record.starts[i * groups]); row < end; ++row) {
                std::copy_n(slope + area(record.places[row], width), width,
                            row_of(of_positions.data(), row, padded(width)));
            }
        }
        learn_layer(encoder.position, of_positions, record.outputs.back(), rows, gradients);
        const Floats weights = upright(encoder.position, parameters, 0, encoder.position.inputs);
        const int row_width = padded(encoder.encoded());
        multiply({of_positions.data(), padded(width), 1}, weights.data(), row_width, of_rows.data(),
                 row_width, {static_cast<int>(rows), row_width, width}, true);
    }

    for (std::size_t layer = encoder.layers.size(); layer-- > 0;) {
        const LayerPlan& plan = encoder.layers[layer];
        const Floats& inputs = layer == 0 ? record.inputs : record.outputs[layer - 1];
        keep_where_positive(of_rows, record.outputs[layer]);
        learn_layer(plan, of_rows, inputs, rows, gradients);
        // Nobody asks for the gradient of what was observed: of the first layer's inputs only identities are
        // learned.
        const int from = layer == 0 ? encoder.row_width : 0;
        of_rows = inputs_slopes(plan, parameters, of_rows, rows, from, plan.inputs - from);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const float* slope = row_of(of_rows.data(), row, padded(encoder.embedding));
        float* target = row_of(gradients + encoder.table, record.table_rows[row], encoder.embedding);
        for (int i = 0; i < encoder.embedding; ++i) {
            target[i] += slope[i];
        }
    }
}

}  // namespace jimbot
