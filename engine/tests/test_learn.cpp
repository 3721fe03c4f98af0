// The kernels of learning against plain loops, for every processor generation that this processor can run.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "learn/kernels.hpp"
#include "learn/ppo.hpp"
#include "tests/check.hpp"

using namespace jimbot::learn;

namespace {

std::vector<float> draw_normal(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(generator);
    }
    return values;
}

bool near(double left, double right, double scale = 1.0) {
    return std::abs(left - right) <= 1e-5 * (scale + std::abs(right));
}

bool near(float left, double right) { return near(static_cast<double>(left), right); }

// One product of this shape against sums in double; what lies beside c must stay as it was.
void check_product(const Kernels& kernels, const ProductShape& shape, bool transposed, bool accumulate,
                   CacheBlock block) {
    const int b_stride = padded(shape.columns) + 3;
    const int c_stride = shape.columns + 5;
    const std::vector<float> a = draw_normal(area(shape.rows, shape.depth), 1);
    const std::vector<float> b = draw_normal(area(shape.depth, b_stride), 2);
    const std::vector<float> before = draw_normal(area(shape.rows, c_stride), 3);
    const MatrixView view =
        transposed ? MatrixView{a.data(), 1, shape.rows} : MatrixView{a.data(), shape.depth, 1};
    std::vector<float> c = before;
    kernels.multiply(view, b.data(), b_stride, c.data(), c_stride, shape, accumulate, block);
    bool right = true;
    bool untouched = true;
    for (int row = 0; row < shape.rows; ++row) {
        for (int column = 0; column < c_stride; ++column) {
            const std::size_t place = area(row, c_stride) + static_cast<std::size_t>(column);
            if (column >= shape.columns) {
                untouched = untouched && c[place] == before[place];
                continue;
            }
            double sum = accumulate ? static_cast<double>(before[place]) : 0.0;
            for (int i = 0; i < shape.depth; ++i) {
                sum += static_cast<double>(view.data[row * view.row_stride + i * view.column_stride]) *
                       static_cast<double>(b[area(i, b_stride) + static_cast<std::size_t>(column)]);
            }
            right = right && near(static_cast<double>(c[place]), sum, std::sqrt(shape.depth) * 4.0);
        }
    }
    CHECK(right);
    CHECK(untouched);
}

}  // namespace

TEST(the_baseline_kernels_are_usable_everywhere_and_the_best_are_the_widest) {
    const std::vector<const Kernels*> usable = usable_kernels();
    CHECK(!usable.empty());
    CHECK_EQ(usable.front(), all_kernels[0]);
    CHECK_EQ(&best_kernels(), usable.back());
    for (const Kernels* kernels : usable) {
        CHECK(kernels->width <= best_kernels().width);
    }
}

TEST(products_of_all_shapes_are_right_and_stay_in_their_place) {
    for (const Kernels* kernels : usable_kernels()) {
        for (const int rows : {1, 3, 4, 7, 13}) {
            for (const int columns : {1, 15, 16, 17, 33, 64, 70, 130}) {
                for (const int depth : {1, 6, 29}) {
                    check_product(*kernels, {rows, columns, depth}, false, false, CacheBlock::rows_of_a);
                    check_product(*kernels, {rows, columns, depth}, true, true, CacheBlock::columns_of_b);
                }
            }
        }
    }
}

TEST(an_element_is_the_same_however_the_product_is_cut) {
    for (const Kernels* kernels : usable_kernels()) {
        const std::vector<float> a = draw_normal(area(11, 40), 1);
        const std::vector<float> b = draw_normal(area(40, 80), 2);
        std::vector<float> whole(area(11, 70));
        std::vector<float> pieces(area(11, 70));
        kernels->multiply({a.data(), 40, 1}, b.data(), 80, whole.data(), 70, {11, 70, 40}, false,
                          CacheBlock::rows_of_a);
        for (int row = 0; row < 11; ++row) {
            kernels->multiply({a.data() + area(row, 40), 40, 1}, b.data(), 80, pieces.data() + area(row, 70),
                              70, {1, 70, 40}, false, CacheBlock::columns_of_b);
        }
        CHECK(whole == pieces);
    }
}

TEST(squares_are_summed) {
    for (const Kernels* kernels : usable_kernels()) {
        for (const std::size_t count : {0U, 1U, 15U, 17U, 63U, 65U, 4095U, 4097U, 9000U}) {
            const std::vector<float> values = draw_normal(count, 4);
            double expected = 0.0;
            for (const float value : values) {
                expected += static_cast<double>(value) * static_cast<double>(value);
            }
            CHECK(near(kernels->sum_of_squares(values.data(), count), expected));
        }
    }
}

TEST(an_adam_step_follows_its_formula) {
    for (const Kernels* kernels : usable_kernels()) {
        const std::size_t count = 37;
        const std::vector<float> start = draw_normal(count, 5);
        const std::vector<float> gradients = draw_normal(count, 6);
        const std::vector<float> first = draw_normal(count, 7);
        std::vector<float> parameters = start;
        std::vector<float> means = first;
        std::vector<float> squares(count, 0.25F);
        const AdamCoefficients coefficients = {0.5F, 0.01F, 0.1F, 0.999F, 0.001F, 1.5F, 1e-5F};
        kernels->adam_step(coefficients, {parameters.data(), gradients.data(), means.data(), squares.data()},
                           3, count);
        bool right = true;
        for (std::size_t i = 3; i < count; ++i) {
            const double gradient = 0.5 * static_cast<double>(gradients[i]);
            const double mean = 0.9 * static_cast<double>(first[i]) + 0.1 * gradient;
            const double square = 0.999 * 0.25 + 0.001 * gradient * gradient;
            const double moved =
                static_cast<double>(start[i]) - 0.01 * mean / (std::sqrt(square) * 1.5 + 1e-5);
            right = right && near(parameters[i], moved) && near(means[i], mean) && near(squares[i], square);
        }
        CHECK(right);
        CHECK(parameters[2] == start[2] && means[2] == first[2]);  // before the first nothing changes
    }
}

TEST(softmax_is_over_legal_actions_only) {
    for (const Kernels* kernels : usable_kernels()) {
        const std::vector<float> logits = {0.0F, 50.0F, 0.0F, 7.0F, 1.0F, 1.0F};
        const std::vector<std::uint8_t> mask = {1, 0, 1, 0, 0, 0};
        const std::vector<std::int64_t> actions = {2, 1};
        std::vector<float> rows(6);
        std::vector<float> probabilities(6);
        const MaskedLogits input = {logits.data(), mask.data(), 2, 3};
        const ActionDistribution output = {actions.data(), rows.data(), rows.data() + 2, rows.data() + 4,
                                           probabilities.data()};
        kernels->softmax(input, output);
        CHECK(near(rows[0], std::log(0.5)));
        CHECK(near(rows[2], std::log(2.0)));
        CHECK(probabilities[1] == 0.0F);
        CHECK(near(rows[1], std::log(1.0 / 3.0)));  // nothing is legal: uniform
        std::vector<float> gradients(6, 9.0F);
        const std::vector<float> ones = {1.0F, 1.0F};
        kernels->softmax_backward(input, output, ones.data(), ones.data(), gradients.data());
        CHECK(near(gradients[0], -0.5) && near(gradients[2], 0.5));
        CHECK(gradients[1] == 0.0F && gradients[3] == 0.0F && gradients[4] == 0.0F && gradients[5] == 0.0F);
    }
}

TEST(softmax_of_rows_of_any_length_is_right_and_stays_in_its_place) {
    for (const Kernels* kernels : usable_kernels()) {
        for (const int count : {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 100}) {
            std::vector<float> logits = draw_normal(static_cast<std::size_t>(count), 8);
            for (float& logit : logits) {
                logit *= 20.0F;  // so that some exponentials are 0
            }
            std::vector<std::uint8_t> mask(logits.size());
            for (std::size_t i = 0; i < mask.size(); ++i) {
                mask[i] = i % 3 == 0 ? 2 : 0;  // anything but 0 is legal
            }
            double sum = 0.0;
            for (std::size_t i = 0; i < logits.size(); ++i) {
                sum += mask[i] != 0 ? std::exp(static_cast<double>(logits[i])) : 0.0;
            }
            const std::int64_t action = 0;
            float rows[3];
            std::vector<float> probabilities(logits.size() + 1, 9.0F);
            kernels->softmax({logits.data(), mask.data(), 1, count},
                             {&action, &rows[0], &rows[1], &rows[2], probabilities.data()});
            double entropy = 0.0;
            bool right = true;
            for (std::size_t i = 0; i < logits.size(); ++i) {
                const double expected = mask[i] != 0 ? std::exp(static_cast<double>(logits[i])) / sum : 0.0;
                entropy -= expected > 0.0 ? expected * std::log(expected) : 0.0;
                right = right && near(probabilities[i], expected);
            }
            CHECK(right);
            CHECK(near(rows[0], static_cast<double>(logits[0]) - std::log(sum)));
            CHECK(near(rows[1], entropy));
            CHECK(near(rows[2], std::log(sum)));
            CHECK(probabilities.back() == 9.0F);
        }
    }
}

TEST(softmax_of_nan_is_nan) {
    for (const Kernels* kernels : usable_kernels()) {
        std::vector<float> logits(20, 1.0F);
        logits[7] = std::numeric_limits<float>::quiet_NaN();
        const std::vector<std::uint8_t> mask(logits.size(), 1);
        const std::int64_t action = 3;
        float rows[3];
        std::vector<float> probabilities(logits.size());
        kernels->softmax({logits.data(), mask.data(), 1, 20},
                         {&action, &rows[0], &rows[1], &rows[2], probabilities.data()});
        CHECK(std::isnan(rows[0]) && std::isnan(rows[1]) && std::isnan(probabilities[0]));
    }
}

TEST(a_clipped_ratio_has_no_gradient) {
    const std::vector<float> zeros(3, 0.0F);
    const std::vector<float> advantages = {1.0F, -1.0F, 1.0F};
    const std::vector<float> logs = {std::log(2.0F), std::log(2.0F), 0.0F};
    std::vector<float> gradients(9);
    const PpoLosses losses = ppo_loss({3, zeros.data(), zeros.data(), advantages.data(), zeros.data(),
                                       logs.data(), zeros.data(), zeros.data()},
                                      {0.2F, -1.0F, 0.0F, 0.5F, false},
                                      {gradients.data(), gradients.data() + 3, gradients.data() + 6});
    CHECK(gradients[0] == 0.0F);           // a gain is clipped at 1.2 times
    CHECK(near(gradients[1], 2.0 / 3.0));  // a loss is not
    CHECK(near(gradients[2], -1.0 / 3.0));
    CHECK(near(losses.policy, -(1.2 - 2.0 + 1.0) / 3.0));
    CHECK(near(losses.clip_fraction, 2.0 / 3.0));
}
