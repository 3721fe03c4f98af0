// What a network is made of: where each part lies in observations, parameters and features. Python writes it
// down; it is checked once, so that nothing has to be checked while computing.
#pragma once

#include <cstdint>
#include <vector>

namespace jimbot {

// A linear layer: where its parameters start, and its widths. A bias below 0 is none.
struct LayerPlan {
    int weight = 0;
    int bias = -1;
    int inputs = 0;
    int outputs = 0;
};

// Rows of one kind: where their numbers and identities start in an observation, and the table row of each
// identity. Identity 0 is an absent row.
struct GroupPlan {
    int numbers = 0;
    int identities = 0;
    int rows = 0;
    std::vector<std::int32_t> table_rows;
};

struct EncoderPlan {
    std::vector<GroupPlan> groups;
    int row_width = 0;
    int table = 0;
    int embedding = 0;
    std::vector<LayerPlan> layers;  // over rows; at least one
    LayerPlan set;
    LayerPlan position;  // without outputs if positions give nothing
    int set_column = 0;
    int position_column = 0;

    int total_rows() const;
    int encoded() const { return layers.back().outputs; }
};

// Numbers that are features as they are: from, to, how many.
struct CopyPlan {
    int from = 0;
    int to = 0;
    int count = 0;
};

// Identities that are looked up one by one: where each lies in an observation, and where its rows start in
// the table.
struct LoosePlan {
    std::vector<int> identities;
    std::vector<std::int32_t> starts;
    std::vector<std::int32_t> highs;
    int table = 0;
    int width = 0;
    int column = 0;
};

struct SetsPlan {
    std::vector<CopyPlan> copies;
    LoosePlan loose;
    std::vector<EncoderPlan> encoders;
    int number_width = 0;
    int identity_width = 0;
    int parameters = 0;
    int columns = 0;
    float limit = 0.0F;
};

// Throws std::invalid_argument if a layer is none, or lies outside the parameters.
void check_layer(const LayerPlan& layer, int parameters);
// Throws std::invalid_argument if layers do not follow each other from so many inputs on; the width after the
// last.
int check_layers(const std::vector<LayerPlan>& layers, int inputs, int parameters);
// Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
void check_plan(const SetsPlan& plan);

}  // namespace jimbot
