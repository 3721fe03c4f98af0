#include "learn/set_encoders.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "learn/layers.hpp"
#include "learn/matrix.hpp"

namespace jimbot::learn {

namespace {

using Floats = std::vector<float>;

std::size_t index(std::int32_t value) { return static_cast<std::size_t>(value); }

[[noreturn]] void refuse(std::int32_t identity, int offset, std::size_t last) {
    throw std::out_of_range("identity " + std::to_string(identity) + " at place " + std::to_string(offset) +
                            " of an observation; its table ends at " + std::to_string(last));
}

// Lists the rows that are present, in the order of observations and groups.
void find_rows(const EncoderPlan& encoder, EncoderCache& cache, const std::int32_t* identities, int batch,
               int width) {
    cache.starts.clear();
    for (int i = 0; i < batch; ++i) {
        const std::int32_t* observed = row_of(identities, i, width);
        std::int32_t position = 0;
        for (const GroupPlan& group : encoder.groups) {
            cache.starts.push_back(static_cast<std::int32_t>(cache.positions.size()));
            for (int row = 0; row < group.rows; ++row, ++position) {
                const std::int32_t identity = observed[group.identities + row];
                if (identity < 0 || index(identity) >= group.table_rows.size()) {
                    refuse(identity, group.identities + row, group.table_rows.size() - 1);
                }
                if (identity > 0) {
                    cache.positions.push_back(position);
                    cache.table_rows.push_back(group.table_rows[index(identity)]);
                }
            }
        }
    }
    cache.starts.push_back(static_cast<std::int32_t>(cache.positions.size()));
}

// Writes the inputs of the first layer: floats and embedding of every row that is present.
void gather_rows(const EncoderPlan& encoder, EncoderCache& cache, const float* parameters,
                 const float* floats, int batch, int width) {
    const int columns = padded(encoder.row_width + encoder.embedding);
    cache.inputs.assign(area(cache.positions.size(), columns), 0.0F);
    const std::size_t groups = encoder.groups.size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        const float* observed = row_of(floats, i, width);
        int before = 0;  // rows of the groups before
        for (std::size_t g = 0; g < groups; ++g) {
            const GroupPlan& group = encoder.groups[g];
            const std::size_t end = index(cache.starts[i * groups + g + 1]);
            for (std::size_t row = index(cache.starts[i * groups + g]); row < end; ++row) {
                float* target = row_of(cache.inputs.data(), row, columns);
                const float* source =
                    row_of(observed + group.floats, cache.positions[row] - before, encoder.row_width);
                const float* embedding =
                    row_of(parameters + encoder.table, cache.table_rows[row], encoder.embedding);
                std::copy_n(source, encoder.row_width, target);
                std::copy_n(embedding, encoder.embedding, target + encoder.row_width);
            }
            before += group.rows;
        }
    }
}

// Writes mean and maximum of every group, and the share of its rows that is present. The maximum starts from
// 0, which no output of a ReLU is below.
void pool_rows(const EncoderPlan& encoder, EncoderCache& cache) {
    const int width = encoder.encoded();
    const int columns = padded(2 * width + 1);
    const std::size_t sets = cache.starts.size() - 1;
    cache.pooled.assign(area(sets, columns), 0.0F);
    const Floats& encoded = cache.outputs.back();
    for (std::size_t set = 0; set < sets; ++set) {
        float* mean = row_of(cache.pooled.data(), set, columns);
        float* largest = mean + width;
        const std::size_t begin = index(cache.starts[set]);
        const std::size_t end = index(cache.starts[set + 1]);
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, padded(width));
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

// Gradients of the encoded rows, from those of mean and maximum. Rows that tie for a maximum share its
// gradient equally, as torch's amax does.
Floats pool_backward(const EncoderPlan& encoder, const EncoderCache& cache, const Floats& pooled_gradients) {
    const int width = encoder.encoded();
    const int columns = padded(2 * width + 1);
    const Floats& encoded = cache.outputs.back();
    Floats row_gradients(encoded.size());
    Floats ties(static_cast<std::size_t>(width));
    for (std::size_t set = 0; set + 1 < cache.starts.size(); ++set) {
        const std::size_t begin = index(cache.starts[set]);
        const std::size_t end = index(cache.starts[set + 1]);
        const float* largest = row_of(cache.pooled.data(), set, columns) + width;
        const float* mean_gradients = row_of(pooled_gradients.data(), set, columns);
        const float* largest_gradients = mean_gradients + width;
        std::fill(ties.begin(), ties.end(), 0.0F);
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, padded(width));
            for (int i = 0; i < width; ++i) {
                ties[static_cast<std::size_t>(i)] += values[i] == largest[i] ? 1.0F : 0.0F;
            }
        }
        const float share = 1.0F / static_cast<float>(std::max<std::size_t>(end - begin, 1));
        for (std::size_t row = begin; row < end; ++row) {
            const float* values = row_of(encoded.data(), row, padded(width));
            float* target = row_of(row_gradients.data(), row, padded(width));
            for (int i = 0; i < width; ++i) {
                const float tied = largest_gradients[i] / std::max(ties[static_cast<std::size_t>(i)], 1.0F);
                target[i] = mean_gradients[i] * share + (values[i] == largest[i] ? tied : 0.0F);
            }
        }
    }
    return row_gradients;
}

}  // namespace

SetEncoders::SetEncoders(EncodersPlan plan) : plan_(std::move(plan)) {
    check_plan(plan_);
    std::vector<int> tables;
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        const int table = plan_.encoders[which].table;
        const auto known = std::find(tables.begin(), tables.end(), table);
        if (known == tables.end()) {
            tables.push_back(table);
            parts_.push_back({which});
        } else {
            parts_[static_cast<std::size_t>(known - tables.begin())].push_back(which);
        }
    }
}

// --- forward ---------------------------------------------------------------------------------------------

void SetEncoders::look_up(SetEncodersCache& cache, const std::int32_t* identities) const {
    const EmbeddingsPlan& embeddings = plan_.embeddings;
    const std::size_t each = embeddings.identities.size();
    cache.embedded.reserve(static_cast<std::size_t>(cache.batch) * each);
    for (int i = 0; i < cache.batch; ++i) {
        const std::int32_t* observed = row_of(identities, i, plan_.identity_width);
        for (std::size_t which = 0; which < each; ++which) {
            const std::int32_t identity = observed[embeddings.identities[which]];
            if (identity < 0 || identity > embeddings.max_identities[which]) {
                refuse(identity, embeddings.identities[which], index(embeddings.max_identities[which]));
            }
            cache.embedded.push_back(embeddings.first_rows[which] + identity);
        }
    }
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        find_rows(plan_.encoders[which], cache.encoders[which], identities, cache.batch,
                  plan_.identity_width);
    }
}

SetEncodersCache SetEncoders::forward(const float* parameters, const float* floats,
                                      const std::int32_t* identities, int batch,
                                      const FeatureRows& features) const {
    SetEncodersCache cache;
    cache.batch = batch;
    cache.encoders.resize(plan_.encoders.size());
    look_up(cache, identities);
    const EmbeddingsPlan& embeddings = plan_.embeddings;
    const std::size_t each = embeddings.identities.size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        const float* observed = row_of(floats, i, plan_.float_width);
        float* target = row_of(features.values, i, features.stride);
        for (const CopyPlan& copy : plan_.copies) {
            for (int column = 0; column < copy.count; ++column) {
                target[copy.to + column] =
                    std::clamp(observed[copy.from + column], -plan_.limit, plan_.limit);
            }
        }
        for (std::size_t which = 0; which < each; ++which) {
            const std::int32_t row = cache.embedded[i * each + which];
            std::copy_n(row_of(parameters + embeddings.table, row, embeddings.width), embeddings.width,
                        row_of(target + embeddings.column, which, embeddings.width));
        }
    }
    for (std::size_t which = 0; which < plan_.encoders.size(); ++which) {
        forward_encoder(plan_.encoders[which], cache.encoders[which], parameters, floats, batch, features);
    }
    return cache;
}

void SetEncoders::forward_encoder(const EncoderPlan& encoder, EncoderCache& cache, const float* parameters,
                                  const float* floats, int batch, const FeatureRows& features) const {
    const std::size_t rows = cache.positions.size();
    gather_rows(encoder, cache, parameters, floats, batch, plan_.float_width);
    const Floats* inputs = &cache.inputs;
    cache.outputs.reserve(encoder.layers.size());
    for (const LayerPlan& layer : encoder.layers) {
        cache.outputs.push_back(apply_linear(layer, parameters, *inputs, rows));
        apply_relu(cache.outputs.back());
        inputs = &cache.outputs.back();
    }
    pool_rows(encoder, cache);
    const std::size_t groups = encoder.groups.size();
    const std::size_t sets = groups * static_cast<std::size_t>(batch);
    Floats outputs = apply_linear(encoder.set, parameters, cache.pooled, sets);
    apply_relu(outputs);
    for (std::size_t set = 0; set < sets; ++set) {
        float* target = row_of(features.values, set / groups, features.stride) + encoder.set_column;
        std::copy_n(row_of(outputs.data(), set, padded(encoder.set.outputs)), encoder.set.outputs,
                    row_of(target, set % groups, encoder.set.outputs));
    }
    const int width = encoder.position.outputs;
    if (width == 0) {
        return;
    }
    const Floats positions = apply_linear(encoder.position, parameters, cache.outputs.back(), rows);
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
        float* target = row_of(features.values, i, features.stride) + encoder.position_column;
        std::fill_n(target, encoder.total_rows() * width, 0.0F);
        const std::size_t end = index(cache.starts[(i + 1) * groups]);
        for (std::size_t row = index(cache.starts[i * groups]); row < end; ++row) {
            std::copy_n(row_of(positions.data(), row, padded(width)), width,
                        row_of(target, cache.positions[row], width));
        }
    }
}

// --- backward --------------------------------------------------------------------------------------------

void SetEncoders::backward(int part, const std::vector<SetEncodersCache>& caches, const float* parameters,
                           const FeatureRows& features, const FeatureRows& feature_gradients,
                           float* gradients) const {
    std::size_t before = 0;
    for (const SetEncodersCache& cache : caches) {
        const FeatureRows own{row_of(features.values, before, features.stride), features.stride};
        const FeatureRows own_gradients{row_of(feature_gradients.values, before, feature_gradients.stride),
                                        feature_gradients.stride};
        if (part == 0) {
            backward_embeddings(cache, own_gradients, gradients);
        } else {
            for (const std::size_t which : parts_[static_cast<std::size_t>(part) - 1]) {
                backward_encoder(plan_.encoders[which], cache.encoders[which], parameters, own, own_gradients,
                                 cache.batch, gradients);
            }
        }
        before += static_cast<std::size_t>(cache.batch);
    }
}

void SetEncoders::backward_embeddings(const SetEncodersCache& cache, const FeatureRows& feature_gradients,
                                      float* gradients) const {
    const EmbeddingsPlan& embeddings = plan_.embeddings;
    const std::size_t each = embeddings.identities.size();
    for (std::size_t i = 0; i < cache.embedded.size(); ++i) {
        const float* source = row_of(feature_gradients.values, i / each, feature_gradients.stride) +
                              embeddings.column + area(i % each, embeddings.width);
        float* target = row_of(gradients + embeddings.table, cache.embedded[i], embeddings.width);
        for (int column = 0; column < embeddings.width; ++column) {
            target[column] += source[column];
        }
    }
}

void SetEncoders::backward_encoder(const EncoderPlan& encoder, const EncoderCache& cache,
                                   const float* parameters, const FeatureRows& features,
                                   const FeatureRows& feature_gradients, int batch, float* gradients) const {
    const std::size_t rows = cache.positions.size();
    const std::size_t groups = encoder.groups.size();
    const std::size_t sets = groups * static_cast<std::size_t>(batch);
    const int columns = padded(encoder.set.outputs);
    Floats set_gradients(area(sets, columns));
    for (std::size_t set = 0; set < sets; ++set) {
        const std::size_t start =
            static_cast<std::size_t>(encoder.set_column) + area(set % groups, encoder.set.outputs);
        const float* values = row_of(features.values, set / groups, features.stride) + start;
        const float* source =
            row_of(feature_gradients.values, set / groups, feature_gradients.stride) + start;
        float* target = row_of(set_gradients.data(), set, columns);
        for (int i = 0; i < encoder.set.outputs; ++i) {
            target[i] = values[i] > 0.0F ? source[i] : 0.0F;
        }
    }
    add_linear_gradients(encoder.set, set_gradients, cache.pooled, sets, gradients);
    Floats pooled_gradients(area(sets, padded(encoder.set.inputs)));
    add_input_gradients(encoder.set, parameters, set_gradients, sets, 0, pooled_gradients);
    Floats row_gradients = pool_backward(encoder, cache, pooled_gradients);

    const int width = encoder.position.outputs;
    if (width > 0) {
        Floats position_gradients(area(rows, padded(width)));
        for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
            const float* source =
                row_of(feature_gradients.values, i, feature_gradients.stride) + encoder.position_column;
            const std::size_t end = index(cache.starts[(i + 1) * groups]);
            for (std::size_t row = index(cache.starts[i * groups]); row < end; ++row) {
                std::copy_n(row_of(source, cache.positions[row], width), width,
                            row_of(position_gradients.data(), row, padded(width)));
            }
        }
        add_linear_gradients(encoder.position, position_gradients, cache.outputs.back(), rows, gradients);
        add_input_gradients(encoder.position, parameters, position_gradients, rows, 0, row_gradients);
    }

    for (std::size_t layer = encoder.layers.size(); layer-- > 0;) {
        const LayerPlan& plan = encoder.layers[layer];
        relu_backward(row_gradients, cache.outputs[layer]);
        add_linear_gradients(plan, row_gradients, layer == 0 ? cache.inputs : cache.outputs[layer - 1], rows,
                             gradients);
        // Of the first layer's inputs only the embeddings are learned; the floats before them were observed.
        const int first = layer == 0 ? encoder.row_width : 0;
        Floats input_gradients(area(rows, padded(plan.inputs - first)));
        add_input_gradients(plan, parameters, row_gradients, rows, first, input_gradients);
        row_gradients = std::move(input_gradients);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const float* source = row_of(row_gradients.data(), row, padded(encoder.embedding));
        float* target = row_of(gradients + encoder.table, cache.table_rows[row], encoder.embedding);
        for (int i = 0; i < encoder.embedding; ++i) {
            target[i] += source[i];
        }
    }
}

}  // namespace jimbot::learn
