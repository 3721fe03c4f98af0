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
    std::uint32_t values[kBlock * kBlock];
    std::size_t count = 0;
    const auto flush = [&] {
        packed.insert(packed.end(), values, values + count);
        count = 0;
    };
    // First the bits of all blocks, then their words: a record is read twice, from the nearest cache.
    std::vector<std::uint64_t> masks;
    masks.reserve(groups_ * kBlock);
    for (std::size_t first = 0; first < words_; first += kBlock) {
        std::uint64_t mask = 0;
        const std::size_t size = std::min(kBlock, words_ - first);
        for (std::size_t i = 0; i < size; ++i) {
            std::uint32_t word = 0;
            std::memcpy(&word, record + (first + i) * kWord, kWord);
            mask |= std::uint64_t{word != 0} << i;
        }
        masks.push_back(mask);
    }
    for (std::size_t group = 0; group < groups_; ++group) {
        std::uint64_t present = 0;
        for (std::size_t i = 0; i < kBlock && group * kBlock + i < masks.size(); ++i) {
            present |= std::uint64_t{masks[group * kBlock + i] != 0} << i;
        }
        put_bits(packed, 2 * group, present);
    }
    for (const std::uint64_t mask : masks) {
        if (mask != 0) {
            packed.resize(packed.size() + 2);
            put_bits(packed, packed.size() - 2, mask);
        }
    }
    for (std::size_t block = 0; block < masks.size(); ++block) {
        for (std::uint64_t left = masks[block]; left != 0; left &= left - 1) {
            const std::size_t word = block * kBlock + static_cast<std::size_t>(std::countr_zero(left));
            std::memcpy(&values[count++], record + word * kWord, kWord);
        }
        if (count > kBlock * (kBlock - 1)) {
            flush();
        }
    }
    flush();
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
