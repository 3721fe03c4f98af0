// Runs as bytes: versioned, checksummed, validated when read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/state.hpp"

namespace jimbot {

inline constexpr std::uint32_t kSnapshotVersion = 2;

struct SnapshotHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t size;      // of the state that follows
    std::uint64_t checksum;  // of the state that follows
};

inline constexpr std::size_t kSnapshotSize = sizeof(SnapshotHeader) + sizeof(State);

// A 64-bit hash of the whole state; equal runs have equal hashes on every machine.
std::uint64_t state_hash(const State& state);

// Writes kSnapshotSize bytes.
void write_snapshot(const State& state, unsigned char* out);

enum class SnapshotError : std::uint8_t {
    none,
    wrong_size,
    not_a_snapshot,
    other_version,
    damaged,
    impossible
};

// Reads a snapshot; `state` changes only on success.
SnapshotError read_snapshot(State& state, const unsigned char* bytes, std::size_t size);

// What makes a state impossible, in words; null if every count, id, index and number is within its bounds, so
// that nothing the rules do with it can go wrong.
const char* impossible_part(const State& state);
inline bool possible_state(const State& state) { return impossible_part(state) == nullptr; }

}  // namespace jimbot
