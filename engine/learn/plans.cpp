#include "learn/plans.hpp"

#include <cstddef>
#include <stdexcept>

namespace jimbot {

namespace {

void check_encoder(const EncoderPlan& encoder, const SetsPlan& plan) {
    if (encoder.layers.empty() || encoder.groups.empty()) {
        throw std::invalid_argument("an encoder has no layers or no groups");
    }
    const int width = check_layers(encoder.layers, encoder.row_width + encoder.embedding, plan.parameters);
    check_layer(encoder.set, plan.parameters);
    if (encoder.set.inputs != 2 * width + 1) {
        throw std::invalid_argument("the layer of a set does not take mean, maximum and share");
    }
    const int groups = static_cast<int>(encoder.groups.size());
    bool inside =
        encoder.set_column >= 0 && encoder.set_column + groups * encoder.set.outputs <= plan.columns;
    if (encoder.position.outputs > 0) {
        check_layer(encoder.position, plan.parameters);
        const int positions = encoder.total_rows() * encoder.position.outputs;
        inside = inside && encoder.position.inputs == width && encoder.position_column >= 0 &&
                 encoder.position_column + positions <= plan.columns;
    }
    for (const GroupPlan& group : encoder.groups) {
        inside = inside && group.rows > 0 && group.numbers >= 0 && group.identities >= 0 &&
                 group.numbers + group.rows * encoder.row_width <= plan.number_width &&
                 group.identities + group.rows <= plan.identity_width && !group.table_rows.empty();
        for (const std::int32_t row : group.table_rows) {
            inside = inside && row >= 0 && encoder.table >= 0 &&
                     encoder.table + (row + 1) * encoder.embedding <= plan.parameters;
        }
    }
    if (!inside) {
        throw std::invalid_argument("an encoder lies outside observations, parameters or features");
    }
}

}  // namespace

void check_layer(const LayerPlan& layer, int parameters) {
    const bool shaped = layer.inputs > 0 && layer.outputs > 0 && layer.weight >= 0;
    const bool inside =
        layer.weight + layer.inputs * layer.outputs <= parameters && layer.bias + layer.outputs <= parameters;
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

void check_plan(const SetsPlan& plan) {
    for (const CopyPlan& copy : plan.copies) {
        if (copy.from < 0 || copy.to < 0 || copy.from + copy.count > plan.number_width ||
            copy.to + copy.count > plan.columns) {
            throw std::invalid_argument("copied numbers lie outside observations or features");
        }
    }
    const LoosePlan& loose = plan.loose;
    const std::size_t count = loose.identities.size();
    bool inside = loose.starts.size() == count && loose.highs.size() == count && loose.column >= 0 &&
                  loose.column + static_cast<int>(count) * loose.width <= plan.columns;
    for (std::size_t i = 0; inside && i < count; ++i) {
        inside = loose.identities[i] >= 0 && loose.identities[i] < plan.identity_width &&
                 loose.starts[i] >= 0 &&
                 loose.table + (loose.starts[i] + loose.highs[i] + 1) * loose.width <= plan.parameters;
    }
    if (!inside) {
        throw std::invalid_argument("loose identities lie outside observations, parameters or features");
    }
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

}  // namespace jimbot
