// Matrix products of small networks: a minibatch of some dozens of rows through layers of some hundred
// columns. General libraries are made for larger matrices, and some use half of what the processor offers.
#pragma once

#include <concepts>
#include <cstddef>

namespace jimbot::learn {

// Rows of a matrix are padded to a multiple of this many floats, the widest vector.
inline constexpr int kPadding = 16;

// Columns rounded up to whole vectors.
constexpr int padded(int columns) { return (columns + kPadding - 1) / kPadding * kPadding; }

// Elements in so many rows of so many columns, which is also the offset of the row after them.
template <std::integral Count> constexpr std::size_t area(Count rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}
template <typename Number, std::integral Count>
constexpr Number* row_of(Number* matrix, Count row, int columns) {
    return matrix + area(row, columns);
}

// A read-only matrix in memory: element (i, j) is data[i * row_stride + j * column_stride].
struct MatrixView {
    const float* data;
    std::ptrdiff_t row_stride;
    std::ptrdiff_t column_stride;
};

// The shape of a product: [rows, depth] times [depth, columns].
struct ProductShape {
    int rows;
    int columns;
    int depth;
};

// The cache block of a product: which operand's block is used up before the loops move on to its next one,
// while all of the other operand streams past it.
enum class CacheBlock { rows_of_a, columns_of_b };

// c = a b, or c += a b. Rows of b and c are contiguous, b_stride and c_stride floats apart. padded(columns)
// floats of every row of b must be readable. Every element is summed in the order of the depth, however the
// product is cut into blocks, so the result does not depend on how work is split among threads.
void multiply(const MatrixView& a, const float* b, int b_stride, float* c, int c_stride,
              const ProductShape& shape, bool accumulate, CacheBlock block = CacheBlock::columns_of_b);

}  // namespace jimbot::learn
