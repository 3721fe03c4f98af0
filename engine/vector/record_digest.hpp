// Checksums of observations: what an episode looked like, in four bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "view/record.hpp"

namespace jimbot {

// CRC-32 as of zlib, of `size` bytes that follow those of which the CRC-32 is `before`.
std::uint32_t crc32(const unsigned char* bytes, std::size_t size, std::uint32_t before);

// The CRC-32 of a record's arrays in the order of their names, one after the other without gaps.
class RecordDigest {
public:
    explicit RecordDigest(const RecordLayout& layout);
    std::uint32_t of(const unsigned char* record, std::uint32_t before) const;

private:
    struct Span {
        std::size_t offset;
        std::size_t size;
    };
    std::vector<Span> spans_;
};

}  // namespace jimbot
