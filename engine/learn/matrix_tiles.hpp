// The loops of a product. Included once for each generation of processors, by files that are compiled for it:
// everything here is local to the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "learn/matrix.hpp"

namespace jimbot {

using Multiply = void(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent, bool add,
                      Keep keep);

#ifdef JIMBOT_MANY_PROCESSORS
Multiply multiply_avx2;
Multiply multiply_avx512;
#endif

// Sums stay in registers only if the loops over them are written out.
#if defined(__clang__)
#define JIMBOT_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define JIMBOT_UNROLL _Pragma("GCC unroll 16")
#else
#define JIMBOT_UNROLL
#endif

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

// Rows x (Count * Width) numbers of c, whose sums stay in registers; fewer columns are stored at the right edge.
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
template <int Width, std::ptrdiff_t Rows, std::ptrdiff_t Count> inline void multiply_tiles(const Product& product, Keep keep) {
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

}  // namespace

}  // namespace jimbot
