// The encoders of Balatro's observation, forward and backward: tables of identities, layers over the rows
// that are there, mean and maximum of every group, a layer over each group, and numbers for each position.
//
// It computes what jimbot.networks computes layer by layer. All parameters lie in one array, each row-major,
// weights as [outputs, inputs].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/plans.hpp"

namespace jimbot {

// What one encoder saw, kept for the way back. Matrices have padded rows.
struct EncoderRecord {
    std::vector<std::int32_t>
        starts;  // per observation and group, the first of its rows below; one more at the end
    std::vector<std::int32_t> places;  // per row, its place among all rows of its observation
    std::vector<std::int32_t> table_rows;
    std::vector<float> inputs;
    std::vector<std::vector<float>> outputs;  // per layer
    std::vector<float> pooled;  // per observation and group: mean, maximum, share of rows that are there
};

struct SetsRecord {
    int batch = 0;
    std::vector<std::int32_t> loose;  // table rows
    std::vector<EncoderRecord> encoders;
};

// Features of a batch in memory, one observation after the other; columns beyond those of the plan are left
// alone.
struct FeatureRows {
    float* values;
    int row;
};

class SetEncoders {
public:
    // Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
    explicit SetEncoders(SetsPlan plan);

    // Features of some observations. Throws std::out_of_range, before a feature is written, for an identity
    // that its table does not have.
    SetsRecord forward(const float* parameters, const float* numbers, const std::int32_t* identities,
                       int batch, const FeatureRows& features) const;

    // Gradients are added up in pieces that can be worked on side by side: no two write to the same place.
    int pieces() const { return static_cast<int>(pieces_.size()) + 1; }
    // Adds the gradients of one piece, from those of the features. The records are those of all observations.
    void backward(int piece, const std::vector<SetsRecord>& records, const float* parameters,
                  const FeatureRows& features, const FeatureRows& slopes, float* gradients) const;

private:
    void look_up(SetsRecord& record, const std::int32_t* identities) const;
    void encode(const EncoderPlan& encoder, EncoderRecord& record, const float* parameters,
                const float* numbers, int batch, const FeatureRows& features) const;
    void trace_back(const EncoderPlan& encoder, const EncoderRecord& record, const float* parameters,
                    const FeatureRows& features, const FeatureRows& slopes, int batch,
                    float* gradients) const;
    void trace_loose(const SetsRecord& record, const FeatureRows& slopes, float* gradients) const;

    SetsPlan plan_;
    std::vector<std::vector<std::size_t>> pieces_;  // encoders that share a table
};

}  // namespace jimbot
