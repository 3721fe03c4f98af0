// An actor-critic network over Balatro's observation: set encoders, a trunk, a policy tower and a value tower
// with their heads. It computes what jimbot.networks computes, forward and backward in one call each, with
// all parameters in one array.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/forks.hpp"
#include "core/workers.hpp"
#include "learn/adam.hpp"
#include "learn/set_encoders.hpp"

namespace jimbot::learn {

struct NetworkPlan {
    EncodersPlan encoders;
    int observed_columns = 0;  // the first features, copied from the observation: they need no gradient
    std::vector<LayerPlan> trunk;
    std::vector<LayerPlan> policy;
    std::vector<LayerPlan> value;
    LayerPlan policy_head;  // without outputs if the policy tower's own outputs are the logits
    LayerPlan value_head;
    int parameters = 0;

    int logits() const { return policy_head.outputs > 0 ? policy_head.outputs : policy.back().outputs; }
};

// A layer's outputs [batch, width], stored in both orders: the next layer's forward pass reads columns, the
// backward pass reads rows.
struct Activations {
    int width = 0;
    std::vector<float> rows;       // [batch, padded width]
    std::vector<float> columns;    // [width, padded batch]
    std::vector<float> gradients;  // [batch, padded width], written by the backward pass
};

// Gradients of a layer's outputs: a row per observation, `stride` floats apart.
struct OutputGradients {
    const float* values;
    int stride;
};

// What backward needs of a forward pass. Its memory is reused for other batches.
struct ForwardCache {
    int batch = 0;
    std::vector<SetEncodersCache> encoders;
    Activations features;
    std::vector<Activations> trunk;
    std::vector<Activations> policy;
    std::vector<Activations> value;
    std::vector<float>
        head_columns;  // outputs of the head that is being computed, before they are transposed
};

// All functions may be called from several threads; calls wait for each other. No result depends on the
// number of threads.
class Network {
public:
    // Throws std::invalid_argument if a part of the plan lies outside the arrays it names.
    Network(NetworkPlan plan, int threads);

    const NetworkPlan& plan() const { return plan_; }

    // Writes logits float[batch, logits], not masked, and values float[batch]. Throws std::out_of_range for
    // an identity that its table does not have.
    std::unique_ptr<ForwardCache> forward(const float* parameters, const float* floats,
                                          const std::int32_t* identities, int batch, float* logits,
                                          float* values);
    // Writes the gradients of all parameters, from those of logits and values.
    void backward(ForwardCache& cache, const float* parameters, const float* logit_gradients,
                  const float* value_gradients, float* gradients);
    double l2_norm(const float* values, int count);
    void adam_step(const AdamCoefficients& coefficients, const AdamState& state, int count);
    // Takes back a cache that is no longer needed, for later batches.
    void recycle(std::unique_ptr<ForwardCache> cache);

private:
    std::unique_ptr<ForwardCache> take_cache();
    void encode(ForwardCache& cache, const float* parameters, const float* floats,
                const std::int32_t* identities);
    void forward_layer(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                       Activations& outputs, int batch);
    void forward_head(const LayerPlan& layer, const float* parameters, const Activations& inputs,
                      ForwardCache& cache, float* outputs);
    void backward_inputs(const LayerPlan& layer, const float* parameters, const OutputGradients& gradients,
                         Activations& inputs, int first_column, int batch, bool accumulate,
                         bool through_relu);
    void backward_tower(const std::vector<LayerPlan>& tower, std::vector<Activations>& outputs,
                        const float* parameters, int batch);
    void backward_parameters(ForwardCache& cache, const float* parameters, const float* logit_gradients,
                             const float* value_gradients, float* gradients);
    void parallel_for(int count, const std::function<void(int)>& task);

    NetworkPlan plan_;
    SetEncoders encoders_;
    ForkAwareMutex mutex_;
    std::vector<std::unique_ptr<ForwardCache>> recycled_;
    const std::function<void(int)>* task_ = nullptr;
    int task_count_ = 0;
    std::atomic<int> next_task_ = 0;
    Workers workers_;
};

}  // namespace jimbot::learn
