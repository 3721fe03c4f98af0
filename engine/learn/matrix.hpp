// Products of the matrices of small networks: a minibatch of some dozens of rows through layers of some
// hundred columns. General libraries are made for larger ones, and some use half of what the processor has.
#pragma once

#include <concepts>
#include <cstddef>

namespace jimbot {

inline constexpr int kLanes = 16;

// Columns rounded up to what is read at once.
constexpr int padded(int columns) { return (columns + kLanes - 1) / kLanes * kLanes; }

// Numbers in so many rows, and where a row starts.
template <std::integral Count> constexpr std::size_t area(Count rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}
template <typename Number, std::integral Count>
constexpr Number* row_of(Number* matrix, Count row, int columns) {
    return matrix + area(row, columns);
}

// A matrix in memory: element (i, j) lies at data[i * row + j * column].
struct Strided {
    const float* data;
    std::ptrdiff_t row;
    std::ptrdiff_t column;
};

struct Extent {
    int rows;
    int columns;
    int depth;
};

// What stays near the processor while the other matrix passes by: rows of a, or columns of b.
enum class Keep { rows, columns };

// c = a b, or c += a b. Rows of b and c are contiguous, b_row and c_row floats apart. Of every row of b
// padded(columns) floats can be read. Every element is summed in the order of the depth, however the work is
// cut into pieces.
void multiply(const Strided& a, const float* b, int b_row, float* c, int c_row, const Extent& extent,
              bool add, Keep keep = Keep::columns);

// Whether the loops are made for this processor, and not merely for any.
bool has_fast_products();

}  // namespace jimbot
