// Many observations in little memory: most of a record is zero, and only the rest is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jimbot {

// Records of one size, each without its zero words. Rows are numbered in the order in which they came.
class PackedRecords {
public:
    // Throws std::invalid_argument unless records are whole words of 32 bits.
    explicit PackedRecords(std::size_t record_size);

    std::size_t record_size() const { return record_size_; }
    std::size_t rows() const { return starts_.size() - 1; }
    std::size_t bytes() const;

    // A packed record, to be appended later: records may be packed on several threads.
    using Packed = std::vector<std::uint32_t>;
    void pack(const unsigned char* record, Packed& packed) const;
    void append(const Packed& packed);

    // Writes a row as it was, record_size() bytes.
    void unpack(std::size_t row, unsigned char* record) const;

private:
    // Words are looked at in blocks of 64. A row is: a bit per block that is not all zero, in pairs of words;
    // for each such block a bit per word that is not zero, a pair of words; then those words.
    static constexpr std::size_t kBlock = 64;

    // Words in a block: the last may be shorter.
    std::size_t size_of_block(std::size_t block) const {
        const std::size_t left = words_ - block * kBlock;
        return left < kBlock ? left : kBlock;
    }

    std::size_t record_size_;
    std::size_t words_;
    std::size_t groups_;  // of 64 blocks
    std::vector<std::uint32_t> data_;
    std::vector<std::size_t> starts_ = {0};
};

}  // namespace jimbot
