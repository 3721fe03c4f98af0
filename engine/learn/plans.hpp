// The plan of a network: where each of its parts lies in observations, parameters and features. Python writes
// the plan (jimbot.networks.native_plan); it is checked once, so that nothing has to be checked while
// computing.
//
// Offsets count elements. An observation is a row of floats and a row of identities (catalog numbers of
// jokers, cards and so on; 0 is an empty position). All parameters lie in one array, each matrix row-major.
// The features are the inputs of the trunk.
#pragma once

#include <cstdint>
#include <vector>

namespace jimbot::learn {

// A linear layer: offsets of its weight [outputs, inputs] and bias [outputs]. A negative bias is none.
struct LayerPlan {
    int weight = 0;
    int bias = -1;
    int inputs = 0;
    int outputs = 0;
};

// A set of rows of one kind, such as the jokers: the offsets of their floats and identities in an
// observation, and the row of the embedding table for each identity. Identity 0 is an absent row.
struct GroupPlan {
    int floats = 0;
    int identities = 0;
    int rows = 0;
    std::vector<std::int32_t> table_rows;
};

// An encoder of groups: layers over every row that is present, mean and maximum of each group, one layer over
// those, and optionally outputs for each position.
struct EncoderPlan {
    std::vector<GroupPlan> groups;
    int row_width = 0;              // floats of a row
    int table = 0;                  // offset of the embedding table
    int embedding = 0;              // its width
    std::vector<LayerPlan> layers;  // over rows; at least one
    LayerPlan set;
    LayerPlan position;  // without outputs if positions have none
    int set_column = 0;  // of the features
    int position_column = 0;

    int total_rows() const;
    int encoded() const { return layers.back().outputs; }
};

// Floats of the observation that are features as they are.
struct CopyPlan {
    int from = 0;
    int to = 0;
    int count = 0;
};

// Identities that are embedded one by one: for each its offset in an observation, the table row of its
// identity 0, and its largest identity.
struct EmbeddingsPlan {
    std::vector<int> identities;
    std::vector<std::int32_t> first_rows;
    std::vector<std::int32_t> max_identities;
    int table = 0;
    int width = 0;
    int column = 0;
};

struct EncodersPlan {
    std::vector<CopyPlan> copies;
    EmbeddingsPlan embeddings;
    std::vector<EncoderPlan> encoders;
    int float_width = 0;     // floats of an observation
    int identity_width = 0;  // identities of an observation
    int parameters = 0;      // of all encoders; they are the first of the network
    int columns = 0;         // of the features
    float limit = 0.0F;      // copied floats are clamped to [-limit, limit]
};

// Throws std::invalid_argument unless the layer has inputs and outputs and lies within the parameters.
void check_layer(const LayerPlan& layer, int parameters);
// Throws std::invalid_argument unless every layer's inputs are the outputs of the one before, from `inputs`
// on. Returns the outputs of the last.
int check_layers(const std::vector<LayerPlan>& layers, int inputs, int parameters);
// Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
void check_plan(const EncodersPlan& plan);

}  // namespace jimbot::learn
