// The loops of learning against plain ones, on every kind of registers that this processor has.

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "learn/loops.hpp"
#include "learn/ppo.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

std::vector<float> drawn(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(generator);
    }
    return values;
}

std::size_t area(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

bool near(double left, double right, double scale = 1.0) {
    return std::abs(left - right) <= 1e-5 * (scale + std::abs(right));
}

// One product of this shape against sums in double; what lies beside c must stay as it was.
void check_product(const Loops& loops, const Extent& extent, bool turned, bool add, Keep keep) {
    const int b_row = padded(extent.columns) + 3;
    const int c_row = extent.columns + 5;
    const std::vector<float> a = drawn(area(extent.rows, extent.depth), 1);
    const std::vector<float> b = drawn(area(extent.depth, b_row), 2);
    const std::vector<float> before = drawn(area(extent.rows, c_row), 3);
    const Strided shape = turned ? Strided{a.data(), 1, extent.rows} : Strided{a.data(), extent.depth, 1};
    std::vector<float> c = before;
    loops.multiply(shape, b.data(), b_row, c.data(), c_row, extent, add, keep);
    bool right = true;
    bool untouched = true;
    for (int row = 0; row < extent.rows; ++row) {
        for (int column = 0; column < c_row; ++column) {
            const std::size_t place = area(row, c_row) + static_cast<std::size_t>(column);
            if (column >= extent.columns) {
                untouched = untouched && c[place] == before[place];
                continue;
            }
            double sum = add ? static_cast<double>(before[place]) : 0.0;
            for (int i = 0; i < extent.depth; ++i) {
                sum += static_cast<double>(shape.data[row * shape.row + i * shape.column]) *
                       static_cast<double>(b[area(i, b_row) + static_cast<std::size_t>(column)]);
            }
            right = right && near(static_cast<double>(c[place]), sum, std::sqrt(extent.depth) * 4.0);
        }
    }
    CHECK(right);
    CHECK(untouched);
}

}  // namespace

TEST(products_of_all_shapes_are_right_and_stay_in_their_place) {
    for (const Loops* loops : usable_loops()) {
        for (const int rows : {1, 3, 4, 7, 13}) {
            for (const int columns : {1, 15, 16, 17, 33, 64, 70, 130}) {
                for (const int depth : {1, 6, 29}) {
                    check_product(*loops, {rows, columns, depth}, false, false, Keep::rows);
                    check_product(*loops, {rows, columns, depth}, true, true, Keep::columns);
                }
            }
        }
    }
}

TEST(an_element_is_the_same_however_the_product_is_cut) {
    for (const Loops* loops : usable_loops()) {
        const std::vector<float> a = drawn(area(11, 40), 1);
        const std::vector<float> b = drawn(area(40, 80), 2);
        std::vector<float> whole(area(11, 70));
        std::vector<float> pieces(area(11, 70));
        loops->multiply({a.data(), 40, 1}, b.data(), 80, whole.data(), 70, {11, 70, 40}, false, Keep::rows);
        for (int row = 0; row < 11; ++row) {
            loops->multiply({a.data() + area(row, 40), 40, 1}, b.data(), 80, pieces.data() + area(row, 70),
                            70, {1, 70, 40}, false, Keep::columns);
        }
        CHECK(whole == pieces);
    }
}

TEST(squares_are_summed) {
    for (const Loops* loops : usable_loops()) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{9000}}) {
            const std::vector<float> values = drawn(count, 4);
            double expected = 0.0;
            for (const float value : values) {
                expected += static_cast<double>(value) * static_cast<double>(value);
            }
            CHECK(near(loops->squares(values.data(), count), expected));
        }
    }
}

TEST(adam_moves_as_its_formula_says) {
    for (const Loops* loops : usable_loops()) {
        const std::size_t count = 37;
        const std::vector<float> start = drawn(count, 5);
        const std::vector<float> gradients = drawn(count, 6);
        const std::vector<float> first = drawn(count, 7);
        std::vector<float> parameters = start;
        std::vector<float> means = first;
        std::vector<float> squares(count, 0.25F);
        const AdamStep step = {0.5F, 0.01F, 0.1F, 0.999F, 0.001F, 1.5F, 1e-5F};
        loops->move(step, {parameters.data(), gradients.data(), means.data(), squares.data()}, 3, count);
        bool right = true;
        for (std::size_t i = 3; i < count; ++i) {
            const double gradient = 0.5 * static_cast<double>(gradients[i]);
            const double mean = 0.9 * static_cast<double>(first[i]) + 0.1 * gradient;
            const double square = 0.999 * 0.25 + 0.001 * gradient * gradient;
            const double moved =
                static_cast<double>(start[i]) - 0.01 * mean / (std::sqrt(square) * 1.5 + 1e-5);
            right = right && near(static_cast<double>(parameters[i]), moved) &&
                    near(static_cast<double>(means[i]), mean) &&
                    near(static_cast<double>(squares[i]), square);
        }
        CHECK(right);
        CHECK(parameters[2] == start[2] && means[2] == first[2]);  // before the first, nothing moves
    }
}

TEST(choices_are_over_legal_actions_only) {
    for (const Loops* loops : usable_loops()) {
        const std::vector<float> values = {0.0F, 50.0F, 0.0F, 7.0F, 1.0F, 1.0F};
        const std::vector<std::uint8_t> legal = {1, 0, 1, 0, 0, 0};
        const std::vector<std::int64_t> chosen = {2, 1};
        std::vector<float> rows(6);
        std::vector<float> probabilities(6);
        const Choices choices = {chosen.data(), rows.data(), rows.data() + 2, rows.data() + 4,
                                 probabilities.data()};
        loops->weigh({values.data(), legal.data(), 2, 3}, choices);
        CHECK(near(static_cast<double>(rows[0]), std::log(0.5)));
        CHECK(near(static_cast<double>(rows[2]), std::log(2.0)));
        CHECK(probabilities[1] == 0.0F);
        CHECK(near(static_cast<double>(rows[1]), std::log(1.0 / 3.0)));  // nothing is legal: all the same
        std::vector<float> slopes(6, 9.0F);
        const std::vector<float> ones = {1.0F, 1.0F};
        loops->weigh_back({values.data(), legal.data(), 2, 3}, choices, ones.data(), ones.data(),
                          slopes.data());
        CHECK(near(static_cast<double>(slopes[0]), -0.5) && near(static_cast<double>(slopes[2]), 0.5));
        CHECK(slopes[1] == 0.0F && slopes[3] == 0.0F && slopes[4] == 0.0F && slopes[5] == 0.0F);
    }
}

TEST(a_ratio_that_is_cut_has_no_slope) {
    const std::vector<float> zeros(3, 0.0F);
    const std::vector<float> advantages = {1.0F, -1.0F, 1.0F};
    const std::vector<float> logs = {std::log(2.0F), std::log(2.0F), 0.0F};
    std::vector<float> slopes(9);
    const PpoLosses losses =
        ppo_loss({3, zeros.data(), zeros.data(), advantages.data(), zeros.data(), logs.data(), zeros.data(),
                  zeros.data()},
                 {0.2F, -1.0F, 0.0F, 0.5F, false}, {slopes.data(), slopes.data() + 3, slopes.data() + 6});
    CHECK(slopes[0] == 0.0F);                                // gains are cut at 1.2 times
    CHECK(near(static_cast<double>(slopes[1]), 2.0 / 3.0));  // losses are not
    CHECK(near(static_cast<double>(slopes[2]), -1.0 / 3.0));
    CHECK(near(static_cast<double>(losses.policy), -(1.2 - 2.0 + 1.0) / 3.0));
    CHECK(near(static_cast<double>(losses.clipped), 2.0 / 3.0));
}
