#include "learn/plans.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace jimbot::learn {

namespace {

// Whether `count` rows of `width` elements from `start` on lie within `size` elements. In 64 bits: products
// of what Python passes may not fit in an int.
bool lies_within(int start, std::int64_t count, int width, int size) {
    return start >= 0 && count >= 0 && width >= 0 && start + count * width <= size;
}

bool lies_within(const GroupPlan& group, const EncoderPlan& encoder, const EncodersPlan& plan) {
    bool inside = group.rows > 0 && !group.table_rows.empty() &&
                  lies_within(group.floats, group.rows, encoder.row_width, plan.float_width) &&
                  lies_within(group.identities, group.rows, 1, plan.identity_width);
    for (const std::int32_t row : group.table_rows) {
        inside = inside && row >= 0 &&
                 lies_within(encoder.table, std::int64_t{row} + 1, encoder.embedding, plan.parameters);
    }
    return inside;
}

void check_encoder(const EncoderPlan& encoder, const EncodersPlan& plan) {
    if (encoder.layers.empty() || encoder.groups.empty()) {
        throw std::invalid_argument("an encoder has no layers or no groups");
    }
    if (encoder.row_width < 0 || encoder.embedding < 0 ||
        encoder.layers.front().inputs - encoder.row_width != encoder.embedding) {
        throw std::invalid_argument("the first layer of an encoder does not take a row and its embedding");
    }
    const int width = check_layers(encoder.layers, encoder.layers.front().inputs, plan.parameters);
    check_layer(encoder.set, plan.parameters);
    if (encoder.set.inputs != 2 * std::int64_t{width} + 1) {
        throw std::invalid_argument("the layer of a set does not take mean, maximum and share");
    }
    const auto groups = static_cast<std::int64_t>(encoder.groups.size());
    bool inside = lies_within(encoder.set_column, groups, encoder.set.outputs, plan.columns);
    for (const GroupPlan& group : encoder.groups) {
        inside = inside && lies_within(group, encoder, plan);
    }
    if (inside && encoder.position.outputs > 0) {
        check_layer(encoder.position, plan.parameters);
        inside =
            encoder.position.inputs == width && lies_within(encoder.position_column, encoder.total_rows(),
                                                            encoder.position.outputs, plan.columns);
    }
    if (!inside) {
        throw std::invalid_argument("an encoder lies outside observations, parameters or features");
    }
}

void check_embeddings(const EmbeddingsPlan& embeddings, const EncodersPlan& plan) {
    const std::size_t count = embeddings.identities.size();
    bool inside =
        embeddings.first_rows.size() == count && embeddings.max_identities.size() == count &&
        lies_within(embeddings.column, static_cast<std::int64_t>(count), embeddings.width, plan.columns);
    for (std::size_t i = 0; inside && i < count; ++i) {
        const std::int64_t rows =
            std::int64_t{embeddings.first_rows[i]} + std::int64_t{embeddings.max_identities[i]} + 1;
        inside = lies_within(embeddings.identities[i], 1, 1, plan.identity_width) &&
                 embeddings.first_rows[i] >= 0 && embeddings.max_identities[i] >= 0 &&
                 lies_within(embeddings.table, rows, embeddings.width, plan.parameters);
    }
    if (!inside) {
        throw std::invalid_argument("embeddings lie outside observations, parameters or features");
    }
}

}  // namespace

void check_layer(const LayerPlan& layer, int parameters) {
    const bool shaped = layer.inputs > 0 && layer.outputs > 0;
    const bool inside = lies_within(layer.weight, layer.outputs, layer.inputs, parameters) &&
                        (layer.bias < 0 || lies_within(layer.bias, layer.outputs, 1, parameters));
    if (!shaped || !inside) {
        throw std::invalid_argument("a layer lies outside the parameters");
    }
}

int check_layers(const std::vector<LayerPlan>& layers, int inputs, int parameters) {
    for (const LayerPlan& layer : layers) {
        check_layer(layer, parameters);
        if (layer.inputs != inputs) {
            throw std::invalid_argument("layers do not follow each other");
        }
        inputs = layer.outputs;
    }
    return inputs;
}

void check_plan(const EncodersPlan& plan) {
    for (const CopyPlan& copy : plan.copies) {
        if (!lies_within(copy.from, copy.count, 1, plan.float_width) ||
            !lies_within(copy.to, copy.count, 1, plan.columns)) {
            throw std::invalid_argument("copied floats lie outside observations or features");
        }
    }
    check_embeddings(plan.embeddings, plan);
    for (const EncoderPlan& encoder : plan.encoders) {
        check_encoder(encoder, plan);
    }
}

int EncoderPlan::total_rows() const {
    int rows = 0;
    for (const GroupPlan& group : groups) {
        rows += group.rows;
    }
    return rows;
}

}  // namespace jimbot::learn
