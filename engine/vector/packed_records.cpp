#include "vector/packed_records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace jimbot {

namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

void put_bits(std::vector<std::uint32_t>& out, std::size_t at, std::uint64_t bits) {
    std::memcpy(out.data() + at, &bits, sizeof bits);
}

std::uint64_t get_bits(const std::uint32_t* from) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
}

// A bit for each of up to 64 words that is not zero. Most blocks are zero throughout, which is seen at once.
std::uint64_t nonzero_words(const unsigned char* bytes, std::size_t count) {
    std::uint32_t words[64] = {};
    std::memcpy(words, bytes, count * kWord);
    std::uint32_t any = 0;
    for (const std::uint32_t word : words) {
        any |= word;
    }
    std::uint64_t mask = 0;
    if (any != 0) {
        for (std::size_t i = 0; i < 64; ++i) {
            mask |= std::uint64_t{words[i] != 0} << i;
        }
    }
    return mask;
}

}  // namespace

PackedRecords::PackedRecords(std::size_t record_size)
    : record_size_(record_size), words_(record_size / kWord),
      groups_((words_ + kBlock * kBlock - 1) / (kBlock * kBlock)) {
    if (record_size == 0 || record_size % kWord != 0) {
        throw std::invalid_argument("a record must be one or more words of four bytes");
    }
}

std::size_t PackedRecords::bytes() const {
    return data_.capacity() * kWord + starts_.capacity() * sizeof(std::size_t);
}

void PackedRecords::pack(const unsigned char* record, Packed& packed) const {
    packed.assign(2 * groups_, 0);
    // First the bits of all blocks, then their words: a record is read twice, from the nearest cache.
    for (std::size_t block = 0; block * kBlock < words_; ++block) {
        const std::uint64_t mask = nonzero_words(record + block * kBlock * kWord, size_of_block(block));
        if (mask != 0) {
            const std::size_t group = 2 * (block / kBlock);
            put_bits(packed, group, get_bits(packed.data() + group) | (std::uint64_t{1} << (block % kBlock)));
            packed.resize(packed.size() + 2);
            put_bits(packed, packed.size() - 2, mask);
        }
    }
    std::size_t mask_at = 2 * groups_;
    for (std::size_t block = 0; block * kBlock < words_; ++block) {
        if (((get_bits(packed.data() + 2 * (block / kBlock)) >> (block % kBlock)) & 1) == 0) {
            continue;
        }
        const std::uint64_t mask = get_bits(packed.data() + mask_at);
        mask_at += 2;
        std::uint32_t values[kBlock];
        std::size_t count = 0;
        for (std::uint64_t left = mask; left != 0; left &= left - 1) {
            const std::size_t word = block * kBlock + static_cast<std::size_t>(std::countr_zero(left));
            std::memcpy(&values[count++], record + word * kWord, kWord);
        }
        packed.insert(packed.end(), values, values + count);
    }
}

void PackedRecords::append(const Packed& packed) {
    data_.insert(data_.end(), packed.begin(), packed.end());
    starts_.push_back(data_.size());
}

void PackedRecords::unpack(std::size_t row, unsigned char* record) const {
    std::memset(record, 0, record_size_);
    const std::uint32_t* from = data_.data() + starts_[row];
    const std::uint32_t* mask = from + 2 * groups_;
    std::size_t blocks = 0;
    for (std::size_t group = 0; group < groups_; ++group) {
        blocks += static_cast<std::size_t>(std::popcount(get_bits(from + 2 * group)));
    }
    const std::uint32_t* value = mask + 2 * blocks;
    for (std::size_t group = 0; group < groups_; ++group) {
        for (std::uint64_t present = get_bits(from + 2 * group); present != 0; present &= present - 1) {
            const std::size_t block = group * kBlock + static_cast<std::size_t>(std::countr_zero(present));
            for (std::uint64_t left = get_bits(mask); left != 0; left &= left - 1) {
                const std::size_t word = block * kBlock + static_cast<std::size_t>(std::countr_zero(left));
                std::memcpy(record + word * kWord, value++, kWord);
            }
            mask += 2;
        }
    }
}

}  // namespace jimbot
