#include "vector/record_digest.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace jimbot {

namespace {

constexpr std::size_t kSlices = 16;  // bytes that are looked up at once
using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

// tables[k][b] is the CRC-32 of the byte b followed by k zeros, without the inversions at both ends.
constexpr Tables make_tables() {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t slice = 1; slice < kSlices; ++slice) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t shorter = tables[slice - 1][byte];
            tables[slice][byte] = (shorter >> 8) ^ tables[0][shorter & 255];
        }
    }
    return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t look_up(std::uint32_t word, std::size_t slice) {
    return kTables[slice + 3][word & 255] ^ kTables[slice + 2][(word >> 8) & 255] ^
           kTables[slice + 1][(word >> 16) & 255] ^ kTables[slice][word >> 24];
}

std::size_t size_of(const ObservationField& field) {
    const std::size_t element = field.type == "float32" ? 4 : field.type == "int16" ? 2 : 1;
    return element * static_cast<std::size_t>(std::max(1, field.rows)) *
           static_cast<std::size_t>(field.columns);
}

}  // namespace

std::uint32_t crc32(const unsigned char* bytes, std::size_t size, std::uint32_t before) {
    std::uint32_t crc = ~before;
    for (; size >= kSlices; size -= kSlices, bytes += kSlices) {
        std::uint32_t words[4];
        std::memcpy(words, bytes, sizeof words);
        words[0] ^= crc;
        crc = look_up(words[0], 12) ^ look_up(words[1], 8) ^ look_up(words[2], 4) ^ look_up(words[3], 0);
    }
    for (; size > 0; --size, ++bytes) {
        crc = (crc >> 8) ^ kTables[0][(crc ^ *bytes) & 255];
    }
    return ~crc;
}

RecordDigest::RecordDigest(const RecordLayout& layout) {
    std::vector<ObservationField> fields = record_schema(layout);
    std::sort(fields.begin(), fields.end(),
              [](const ObservationField& a, const ObservationField& b) { return a.name < b.name; });
    for (const ObservationField& field : fields) {
        spans_.push_back({static_cast<std::size_t>(field.offset), size_of(field)});
    }
}

std::uint32_t RecordDigest::of(const unsigned char* record, std::uint32_t before) const {
    for (const Span& span : spans_) {
        before = crc32(record + span.offset, span.size, before);
    }
    return before;
}

}  // namespace jimbot
