// A policy and a value over Balatro's observation, forward and backward in one call each: encoders of sets, a
// trunk, two towers of layers, and their heads. It computes what jimbot.networks computes; the parameters lie
// in one array.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/workers.hpp"
#include "learn/adam.hpp"
#include "learn/sets.hpp"

namespace jimbot {

struct NetworkPlan {
    SetsPlan sets;
    int observed = 0;  // the first columns of the features, of which no gradient is asked
    std::vector<LayerPlan> trunk;
    std::vector<LayerPlan> policy;
    std::vector<LayerPlan> value;
    LayerPlan policy_head;  // without outputs if the policy tower's own outputs are the scores
    LayerPlan value_head;
    int parameters = 0;

    int scores() const { return policy_head.outputs > 0 ? policy_head.outputs : policy.back().outputs; }
};

// What came out of a layer, [batch, width], in both orders: the next layer reads it by columns, gradients by
// rows.
struct Activations {
    int width = 0;
    std::vector<float> rows;     // [batch, padded width]
    std::vector<float> columns;  // [width, padded batch]
    std::vector<float> slopes;   // [batch, padded width], on the way back
};

// Gradients of a layer's outputs, a row for each observation, so many floats apart.
struct Slopes {
    const float* values;
    int row;
};

// What a network saw of a batch. Its arrays serve again for other batches.
struct NetworkRecord {
    int batch = 0;
    std::vector<SetsRecord> sets;
    Activations features;
    std::vector<Activations> trunk;
    std::vector<Activations> policy;
    std::vector<Activations> value;
    std::vector<float> head;  // scores and values by columns
};

class Network {
public:
    // Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
    Network(NetworkPlan plan, int threads);

    const NetworkPlan& plan() const { return plan_; }

    // Scores float[batch, scores] and values float[batch]. Results do not depend on the number of threads.
    // Throws std::out_of_range for an identity that its table does not have.
    std::unique_ptr<NetworkRecord> forward(const float* parameters, const float* numbers,
                                           const std::int32_t* identities, int batch, float* scores,
                                           float* values);
    // Gradients of all parameters from those of scores and values; what was in `gradients` is overwritten.
    void backward(NetworkRecord& record, const float* parameters, const float* of_scores,
                  const float* of_values, float* gradients);
    // The length of `count` numbers as one vector, and one step of Adam over them, on the network's threads.
    // The length does not depend on how many there are.
    double length(const float* values, int count);
    void move(const AdamStep& step, const AdamNumbers& numbers, int count);
    // Takes a record back for later batches.
    void give_back(std::unique_ptr<NetworkRecord> record);

private:
    void encode(NetworkRecord& record, const float* parameters, const float* numbers,
                const std::int32_t* identities);
    void run_layer(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                   Activations& outputs, int batch);
    void run_head(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                  NetworkRecord& record, float* scores);
    void trace_layer(const LayerPlan& layer, const float* parameters, const Slopes& slopes,
                     Activations& inputs, int from, int batch, bool add, bool cut);
    void trace_tower(const std::vector<LayerPlan>& tower, std::vector<Activations>& outputs,
                     const float* parameters, int batch);
    void learn(NetworkRecord& record, const float* parameters, const float* of_scores, const float* of_values,
               float* gradients);
    void run_pieces(int count, const std::function<void(int)>& piece);

    NetworkPlan plan_;
    SetEncoders sets_;
    std::mutex busy_;
    std::vector<std::unique_ptr<NetworkRecord>> idle_;
    const std::function<void(int)>* piece_ = nullptr;
    int pieces_ = 0;
    std::atomic<int> next_ = 0;
    Workers workers_;
};

}  // namespace jimbot
