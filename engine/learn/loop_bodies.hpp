// What the loops do. Included once for each generation of processors, by files that are compiled for it:
// everything here is local to the file.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "learn/loops.hpp"

// Sums stay in registers only if the loops over them are written out.
#if defined(__clang__)
#define JIMBOT_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define JIMBOT_UNROLL _Pragma("GCC unroll 16")
#else
#define JIMBOT_UNROLL
#endif

// A sum or a maximum may be taken in another order, lane by lane.
#if defined(__GNUC__)
#define JIMBOT_LANES(reduction) _Pragma(reduction)
#else
#define JIMBOT_LANES(reduction)
#endif

namespace jimbot {

namespace {

// `Width` floats that are worked on at once.
template <int Width> struct Lane;

#if defined(__GNUC__)
using Four = float __attribute__((vector_size(16)));
#else
struct Four {
    float values[4];

    friend Four operator*(Four four, float factor) {
        for (float& value : four.values) {
            value *= factor;
        }
        return four;
    }
    Four& operator+=(const Four& other) {
        for (int i = 0; i < 4; ++i) {
            values[i] += other.values[i];
        }
        return *this;
    }
};
#endif

template <> struct Lane<4> {
    Four values;

    static Lane load(const float* from) {
        Lane lane;
        std::memcpy(&lane.values, from, sizeof(lane.values));
        return lane;
    }
    void store(float* to) const { std::memcpy(to, &values, sizeof(values)); }
    void add_product(const Lane& other, float factor) { values += other.values * factor; }
};

#if defined(__AVX2__) && defined(__FMA__)
template <> struct Lane<8> {
    __m256 values;

    static Lane load(const float* from) { return {_mm256_loadu_ps(from)}; }
    void store(float* to) const { _mm256_storeu_ps(to, values); }
    void add_product(const Lane& other, float factor) {
        values = _mm256_fmadd_ps(other.values, _mm256_set1_ps(factor), values);
    }
};
#endif

#if defined(__AVX512F__)
template <> struct Lane<16> {
    __m512 values;

    static Lane load(const float* from) { return {_mm512_loadu_ps(from)}; }
    void store(float* to) const { _mm512_storeu_ps(to, values); }
    void add_product(const Lane& other, float factor) {
        values = _mm512_fmadd_ps(other.values, _mm512_set1_ps(factor), values);
    }
};
#endif

struct Product {
    const Strided& a;
    const float* b;
    std::ptrdiff_t b_row;
    float* c;
    std::ptrdiff_t c_row;
    const Extent& extent;
    bool add;
};

// Rows x (Count * Width) numbers of c, whose sums stay in registers; fewer columns are stored at the right
// edge.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Count>
inline void tile(const Product& product, std::ptrdiff_t row, std::ptrdiff_t column) {
    constexpr std::ptrdiff_t kColumns = Count * Width;
    Lane<Width> sums[static_cast<std::size_t>(Rows)][static_cast<std::size_t>(Count)];
    const std::ptrdiff_t columns = std::min<std::ptrdiff_t>(product.extent.columns - column, kColumns);
    float* target = product.c + row * product.c_row + column;
    float edge[static_cast<std::size_t>(kColumns)] = {};
    JIMBOT_UNROLL
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
        const float* before = target + i * product.c_row;
        if (!product.add || columns < kColumns) {
            if (product.add) {
                std::copy_n(before, columns, edge);
            }
            before = edge;
        }
        JIMBOT_UNROLL
        for (std::ptrdiff_t part = 0; part < Count; ++part) {
            sums[i][part] = Lane<Width>::load(before + part * Width);
        }
    }
    const float* factors = product.a.data + row * product.a.row;
    const float* lines = product.b + column;
    for (int depth = 0; depth < product.extent.depth; ++depth) {
        Lane<Width> line[static_cast<std::size_t>(Count)];
        JIMBOT_UNROLL
        for (std::ptrdiff_t part = 0; part < Count; ++part) {
            line[part] = Lane<Width>::load(lines + part * Width);
        }
        JIMBOT_UNROLL
        for (std::ptrdiff_t i = 0; i < Rows; ++i) {
            const float factor = factors[i * product.a.row];
            JIMBOT_UNROLL
            for (std::ptrdiff_t part = 0; part < Count; ++part) {
                sums[i][part].add_product(line[part], factor);
            }
        }
        factors += product.a.column;
        lines += product.b_row;
    }
    JIMBOT_UNROLL
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
        float* after = columns < kColumns ? edge : target + i * product.c_row;
        JIMBOT_UNROLL
        for (std::ptrdiff_t part = 0; part < Count; ++part) {
            sums[i][part].store(after + part * Width);
        }
        if (columns < kColumns) {
            std::copy_n(edge, columns, target + i * product.c_row);
        }
    }
}

// The rows from `row` on that make up one tile, or those that are left.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Count>
inline void tile_rows(const Product& product, std::ptrdiff_t row, std::ptrdiff_t column) {
    if (product.extent.rows - row >= Rows) {
        tile<Width, Rows, Count>(product, row, column);
    } else if constexpr (Rows > 1) {
        tile_rows<Width, Rows - 1, Count>(product, row, column);
    }
}

// Tiles of Rows x (Count * Width) in the middle, and of kLanes columns at the right edge.
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Count>
inline void multiply_tiles(const Product& product, Keep keep) {
    const std::ptrdiff_t wide = Count * Width;
    const std::ptrdiff_t rows = product.extent.rows;
    const std::ptrdiff_t columns = product.extent.columns;
    const std::ptrdiff_t middle = columns / wide * wide;
    if (keep == Keep::rows) {
        for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
            for (std::ptrdiff_t column = 0; column < middle; column += wide) {
                tile_rows<Width, Rows, Count>(product, row, column);
            }
        }
    } else {
        for (std::ptrdiff_t column = 0; column < middle; column += wide) {
            for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
                tile_rows<Width, Rows, Count>(product, row, column);
            }
        }
    }
    for (std::ptrdiff_t column = middle; column < columns; column += kLanes) {
        for (std::ptrdiff_t row = 0; row < rows; row += Rows) {
            tile_rows<Width, Rows, kLanes / Width>(product, row, column);
        }
    }
}

template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Count>
void multiply_by(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent,
                 bool add, Keep keep) {
    multiply_tiles<Width, Rows, Count>({a, b, b_row, c, c_row, extent, add}, keep);
}

// The compiler makes registers of it.
inline void move_numbers(const AdamStep& step, const AdamNumbers& numbers, std::size_t first,
                         std::size_t last) {
    const AdamStep own = step;
    float* parameters = numbers.parameters;
    const float* gradients = numbers.gradients;
    float* means = numbers.means;
    float* squares = numbers.squares;
    for (std::size_t i = first; i < last; ++i) {
        const float gradient = gradients[i] * own.gradient_scale;
        const float mean = means[i] + own.mean_share * (gradient - means[i]);
        const float square = squares[i] * own.square_decay + own.square_share * gradient * gradient;
        means[i] = mean;
        squares[i] = square;
        parameters[i] -= own.rate * mean / (std::sqrt(square) * own.square_scale + own.epsilon);
    }
}

inline double sum_squares(const float* values, std::size_t count) {
    constexpr std::size_t kBlock = 4096;  // summed in float, which is exact enough for so few
    double total = 0.0;
    for (std::size_t start = 0; start < count; start += kBlock) {
        const std::size_t end = std::min(start + kBlock, count);
        float sum = 0.0F;
        JIMBOT_LANES("omp simd reduction(+ : sum)")
        for (std::size_t i = start; i < end; ++i) {
            sum += values[i] * values[i];
        }
        total += static_cast<double>(sum);
    }
    return total;
}

constexpr float kIllegal = -1e9F;  // the score of an illegal action, as everywhere

// e to the power of a number that is not above 0, to the last bit or two: 2 to a whole power by its bits,
// times a polynomial for the rest. Far below 0 it is 0.
inline float power_of_e(float exponent) {
    constexpr float kLowest = -87.0F;
    const float bounded = std::max(exponent, kLowest);
    const float whole = std::floor(bounded * 1.44269504F + 0.5F);
    const float rest = (bounded - whole * 0.693359375F) + whole * 2.12194440e-4F;
    float sum = 1.98756915e-4F;
    sum = sum * rest + 1.39819995e-3F;
    sum = sum * rest + 8.33345205e-3F;
    sum = sum * rest + 4.16657962e-2F;
    sum = sum * rest + 1.66666657e-1F;
    sum = sum * rest + 5.00000001e-1F;
    sum = sum * rest * rest + rest + 1.0F;
    const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127) << 23U;
    const auto scale = std::bit_cast<float>(bits);
    return exponent < kLowest ? 0.0F : sum * scale;
}

struct BestScore {
    float largest;
    bool any;
};

// The largest legal score of a row, and whether there is one.
inline BestScore look_over(const float* values, const std::uint8_t* legal, int actions) {
    float largest = kIllegal;
    int any = 0;
    JIMBOT_LANES("omp simd reduction(max : largest) reduction(| : any)")
    for (int i = 0; i < actions; ++i) {
        largest = std::max(largest, legal[i] != 0 ? values[i] : kIllegal);
        any |= legal[i];
    }
    return {largest, any != 0};
}

inline void weigh_rows(const Scores& scores, const Choices& choices) {
    for (int row = 0; row < scores.rows; ++row) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * scores.actions;
        const float* values = scores.values + start;
        const std::uint8_t* legal = scores.legal + start;
        float* probabilities = choices.probabilities + start;
        const BestScore found = look_over(values, legal, scores.actions);
        if (!found.any) {
            const float even = 1.0F / static_cast<float>(scores.actions);
            std::fill_n(probabilities, scores.actions, even);
            choices.log_probabilities[row] = std::log(even);
            choices.entropies[row] = -std::log(even);
            choices.offsets[row] = 0.0F;
            continue;
        }
        float sum = 0.0F;
        float moment = 0.0F;
        JIMBOT_LANES("omp simd reduction(+ : sum, moment)")
        for (int i = 0; i < scores.actions; ++i) {
            const float shifted = legal[i] != 0 ? values[i] - found.largest : kIllegal;
            const float power = power_of_e(shifted);
            probabilities[i] = power;
            sum += power;
            moment += power * shifted;
        }
        const float share = 1.0F / sum;
        for (int i = 0; i < scores.actions; ++i) {
            probabilities[i] *= share;
        }
        const float logarithm = std::log(sum);
        choices.offsets[row] = found.largest + logarithm;
        const std::int64_t chosen = choices.chosen[row];
        const float score = legal[chosen] != 0 ? values[chosen] : kIllegal;
        choices.log_probabilities[row] = (score - found.largest) - logarithm;
        choices.entropies[row] = logarithm - moment / sum;
    }
}

inline void weigh_rows_back(const Scores& scores, const Choices& choices, const float* of_log_probabilities,
                            const float* of_entropies, float* of_scores) {
    for (int row = 0; row < scores.rows; ++row) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * scores.actions;
        const float* values = scores.values + start;
        const std::uint8_t* legal = scores.legal + start;
        const float* probabilities = choices.probabilities + start;
        float* slopes = of_scores + start;
        const std::int64_t chosen = choices.chosen[row];
        const float of_log = of_log_probabilities[row];
        const float of_entropy = of_entropies[row];
        const float shift = choices.entropies[row] - choices.offsets[row];
        for (int i = 0; i < scores.actions; ++i) {
            const float slope = -probabilities[i] * (of_log + of_entropy * (values[i] + shift));
            slopes[i] = legal[i] != 0 ? slope : 0.0F;
        }
        if (legal[chosen] != 0) {
            slopes[chosen] += of_log;
        }
    }
}

}  // namespace

}  // namespace jimbot
