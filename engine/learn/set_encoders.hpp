// The encoders of Balatro's observation, forward and backward: embedding tables, layers over the rows that
// are present, mean and maximum of every group, a layer over each group, and outputs for each position.
//
// They compute what jimbot.networks computes layer by layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/plans.hpp"

namespace jimbot::learn {

// What backward needs of one encoder's forward pass. Matrices have padded rows.
struct EncoderCache {
    // Per observation and group the index of its first row in the arrays below, and their size at the end.
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> positions;  // per row its position among all rows of its observation
    std::vector<std::int32_t> table_rows;
    std::vector<float> inputs;
    std::vector<std::vector<float>> outputs;  // per layer
    std::vector<float> pooled;  // per observation and group: mean, maximum, share of rows that are present
};

struct SetEncodersCache {
    int batch = 0;
    std::vector<std::int32_t> embedded;  // table rows of the identities that are embedded one by one
    std::vector<EncoderCache> encoders;
};

// Features of a batch, or their gradients: a row per observation, `stride` floats apart.
struct FeatureRows {
    float* values;
    int stride;
};

class SetEncoders {
public:
    // Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
    explicit SetEncoders(EncodersPlan plan);

    // Writes the features of some observations. Throws std::out_of_range, before a feature is written, for an
    // identity that its table does not have.
    SetEncodersCache forward(const float* parameters, const float* floats, const std::int32_t* identities,
                             int batch, const FeatureRows& features) const;

    // The backward pass is divided into parts that may run in parallel: no two write to the same gradients.
    int backward_parts() const { return static_cast<int>(parts_.size()) + 1; }
    // Adds the gradients of one part's parameters, from those of the features. The caches are those of all
    // observations, in order.
    void backward(int part, const std::vector<SetEncodersCache>& caches, const float* parameters,
                  const FeatureRows& features, const FeatureRows& feature_gradients, float* gradients) const;

private:
    void look_up(SetEncodersCache& cache, const std::int32_t* identities) const;
    void forward_encoder(const EncoderPlan& encoder, EncoderCache& cache, const float* parameters,
                         const float* floats, int batch, const FeatureRows& features) const;
    void backward_encoder(const EncoderPlan& encoder, const EncoderCache& cache, const float* parameters,
                          const FeatureRows& features, const FeatureRows& feature_gradients, int batch,
                          float* gradients) const;
    void backward_embeddings(const SetEncodersCache& cache, const FeatureRows& feature_gradients,
                             float* gradients) const;

    EncodersPlan plan_;
    std::vector<std::vector<std::size_t>> parts_;  // encoders that share a table
};

}  // namespace jimbot::learn
