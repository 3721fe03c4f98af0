// The seeds the game itself can roll: eight characters of 34. They are numbered so that a search can start
// anywhere, be repeated, and be split into blocks that share no seed.
#pragma once

#include <cstdint>
#include <string_view>

namespace jimbot {

// The characters of a random seed. A typed seed may also hold the letter O.
inline constexpr std::string_view kSeedCharacters = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
inline constexpr int kSeedCharacterCount = 34;
inline constexpr int kRandomSeedLength = 8;

inline constexpr std::uint64_t kSeedSuffixes = 52'523'350'144;  // 34^7: what follows the first character
inline constexpr std::uint64_t kSeedSpace = kSeedSuffixes * kSeedCharacterCount;

// Writes the characters of the seed with this number (below kSeedSpace). The first character varies fastest,
// so 34 successive numbers share the other seven; those follow one another in large strides, so that
// successive groups do not look alike.
void write_seed(std::uint64_t index, char (&seed)[kRandomSeedLength]);

// The number of a seed of eight such characters: the inverse of write_seed. kSeedSpace for anything else.
std::uint64_t seed_index(std::string_view seed);

}  // namespace jimbot
