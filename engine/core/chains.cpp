#include "core/chains.hpp"

#include <array>
#include <iterator>

#include "core/pairs.hpp"
#include "core/rng.hpp"

namespace jimbot {

namespace {

constexpr int kMaxPairs = kMaxChains / 2;

// Pi times each position a byte can have.
constexpr auto kPiTimes = [] {
    std::array<double, 64> products{};
    for (int i = 0; i < static_cast<int>(products.size()); ++i) {
        products[static_cast<std::size_t>(i)] = kPi * static_cast<double>(i);
    }
    return products;
}();

// hash_step for two. It is right as long as the values stay below 2^52, which `sound` keeps track of; beyond
// that (one step in 10^13) the hashes are worked out one by one.
DoublePair pair_step(DoublePair hash, DoublePair byte, DoublePair place, WordPair& sound) {
    constexpr double kWhole = 0x1p52;  // adding it rounds to an integer
    const DoublePair a = ((both(1.1239285023) / hash) * byte) * both(kPi) + place;
    sound = sound & below(a, both(kWhole));
    const DoublePair nearest = (a + both(kWhole)) - both(kWhole);
    const WordPair one_too_many = below(a, nearest) & same_bits<WordPair>(both(1.0));
    return a - (nearest - same_bits<DoublePair>(one_too_many));
}

bool all_sound(WordPair sound) { return (sound[0] & sound[1]) != 0; }

// Runs pairs of chains over the seed; all bits set if the hashes are right.
template <std::size_t Pairs> WordPair run_seed(std::string_view seed, const int* lengths, DoublePair* pairs) {
    WordPair sound = both(~std::uint64_t{0});
    DoublePair hash[Pairs];
    for (DoublePair& each : hash) {
        each = both(1.0);
    }
    for (auto i = static_cast<int>(seed.size()); i > 0; --i) {
        const DoublePair byte =
            both(static_cast<double>(static_cast<unsigned char>(seed[static_cast<std::size_t>(i) - 1])));
        for (std::size_t pair = 0; pair < Pairs; ++pair) {
            const double* const places = kPiTimes.data() + i;
            const DoublePair place{places[lengths[2 * pair]], places[lengths[2 * pair + 1]]};
            hash[pair] = pair_step(hash[pair], byte, place, sound);
        }
    }
    for (std::size_t pair = 0; pair < Pairs; ++pair) {
        pairs[pair] = hash[pair];
    }
    return sound;
}

// Runs the first pairs of chains over positions of their keys.
template <std::size_t Pairs> WordPair run_keys(const KeyBatch& batch, int from, int to, double* hashes) {
    WordPair sound = both(~std::uint64_t{0});
    DoublePair hash[Pairs];
    for (std::size_t pair = 0; pair < Pairs; ++pair) {
        hash[pair] = load_pair(hashes + 2 * pair);
    }
    for (int position = from; position > to; --position) {
        const DoublePair place = both(kPiTimes[static_cast<std::size_t>(position)]);
        const double* const bytes = batch.byte[position - 1];
        for (std::size_t pair = 0; pair < Pairs; ++pair) {
            hash[pair] = pair_step(hash[pair], load_pair(bytes + 2 * pair), place, sound);
        }
    }
    for (std::size_t pair = 0; pair < Pairs; ++pair) {
        store_pair(hashes + 2 * pair, hash[pair]);
    }
    return sound;
}

// By the number of pairs.
using SeedRun = WordPair (*)(std::string_view, const int*, DoublePair*);
constexpr SeedRun kSeedRuns[] = {&run_seed<1>, &run_seed<2>, &run_seed<3>, &run_seed<4>,
                                 &run_seed<5>, &run_seed<6>, &run_seed<7>};
using KeyRun = WordPair (*)(const KeyBatch&, int, int, double*);
constexpr KeyRun kKeyRuns[] = {&run_keys<1>, &run_keys<2>, &run_keys<3>, &run_keys<4>,
                               &run_keys<5>, &run_keys<6>, &run_keys<7>};
static_assert(std::size(kSeedRuns) == kMaxPairs && std::size(kKeyRuns) == kMaxPairs);

double hash_behind_one(std::string_view seed, int length) {
    double hash = 1.0;
    for (auto i = static_cast<int>(seed.size()); i > 0; --i) {
        hash = hash_step(hash, static_cast<unsigned char>(seed[static_cast<std::size_t>(i) - 1]), length + i);
    }
    return hash;
}

double hash_one_key(const KeyBatch& batch, int at, double hash) {
    for (int position = batch.length[at]; position > 0; --position) {
        hash = hash_step(hash, static_cast<unsigned char>(batch.byte[position - 1][at]), position);
    }
    return hash;
}

}  // namespace

void hash_behind(std::string_view seed, const int* lengths, int count, double* hashes) {
    if (count == 0) {
        return;
    }
    int even[kMaxChains];
    for (int i = 0; i < count; ++i) {
        even[i] = lengths[i];
    }
    if (count % 2 != 0) {
        even[count] = lengths[count - 1];
    }
    const int pairs = (count + 1) / 2;
    DoublePair results[kMaxPairs];
    const WordPair sound = kSeedRuns[pairs - 1](seed, even, results);
    for (int i = 0; i < count; ++i) {
        hashes[i] = results[i / 2][i % 2];
    }
    if (!all_sound(sound)) {
        for (int i = 0; i < count; ++i) {
            hashes[i] = hash_behind_one(seed, lengths[i]);
        }
    }
}

void hash_keys(const KeyBatch& batch, const double* behind, double* hashes) {
    alignas(16) double run[kMaxChains] = {};
    WordPair sound = both(~std::uint64_t{0});
    for (int position = batch.length[0], started = 0; position > 0;) {
        // A chain joins when the position falls to its length; a partner that is
        // not there yet runs for nothing.
        while (started < batch.count && batch.length[started] == position) {
            run[started++] = behind[position];
        }
        if (started % 2 != 0) {
            run[started] = 1.0;
        }
        const int next = batch.length[started];
        sound = sound & kKeyRuns[(started - 1) / 2](batch, position, next, run);
        position = next;
    }
    for (int at = 0; at < batch.count; ++at) {
        hashes[batch.rank[at]] = run[at];
    }
    if (!all_sound(sound)) {
        for (int at = 0; at < batch.count; ++at) {
            hashes[batch.rank[at]] = hash_one_key(batch, at, behind[batch.length[at]]);
        }
    }
}

}  // namespace jimbot
