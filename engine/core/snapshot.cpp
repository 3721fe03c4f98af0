#include "core/snapshot.hpp"

#include <bit>
#include <cstring>

namespace jimbot {

namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

constexpr char kMagic[8] = {'J', 'I', 'M', 'B', 'O', 'T', 'S', '\0'};

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93;
    h ^= h >> 32;
    return h;
}

std::uint64_t hash_bytes(const unsigned char* bytes, std::size_t size) {
    std::uint64_t h = 0x9e3779b97f4a7c15 ^ size;
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes + at, 8);
        h = mix(h ^ word) + 0x9e3779b97f4a7c15;
    }
    for (; at < size; ++at) {
        h = mix(h ^ bytes[at]) + 0x9e3779b97f4a7c15;
    }
    return mix(h);
}

}  // namespace

std::uint64_t state_hash(const State& state) {
    return hash_bytes(reinterpret_cast<const unsigned char*>(&state), sizeof state);
}

void write_snapshot(const State& state, unsigned char* out) {
    SnapshotHeader header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kSnapshotVersion;
    header.size = sizeof(State);
    header.checksum = state_hash(state);
    std::memcpy(out, &header, sizeof header);
    std::memcpy(out + sizeof header, &state, sizeof state);
}

SnapshotError read_snapshot(State& state, const unsigned char* bytes, std::size_t size) {
    SnapshotHeader header;
    if (size < sizeof header) {
        return SnapshotError::wrong_size;
    }
    std::memcpy(&header, bytes, sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
        return SnapshotError::not_a_snapshot;
    }
    if (header.version != kSnapshotVersion) {
        return SnapshotError::other_version;
    }
    if (size != kSnapshotSize || header.size != sizeof(State)) {
        return SnapshotError::wrong_size;
    }
    if (hash_bytes(bytes + sizeof header, sizeof(State)) != header.checksum) {
        return SnapshotError::damaged;
    }
    State read;
    std::memcpy(&read, bytes + sizeof header, sizeof read);
    if (!possible_state(read)) {
        return SnapshotError::impossible;
    }
    state = read;
    return SnapshotError::none;
}

}  // namespace jimbot
