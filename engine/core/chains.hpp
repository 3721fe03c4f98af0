// Hashes of several keys behind one seed, side by side. A hash is a chain of dependent
// divisions; two chains share each instruction, and several such pairs keep the processor busy
// while each of them waits for its own division.
#pragma once

#include <string_view>

namespace jimbot {

inline constexpr int kMaxChains = 14;     // even
inline constexpr int kMaxChainText = 28;  // longer keys are not for chains

// The texts of some keys, laid out for hashing. Made once and used for any seed.
struct KeyBatch {
    int count = 0;
    int length[kMaxChains + 1] = {};  // longest first
    int rank[kMaxChains] = {};        // which of the given keys stands here
    // By position and key, positions from 0. A key's partner may be shorter: it reads zeros above its length.
    alignas(16) double byte[kMaxChainText][kMaxChains];
};

// Lays out keys of at least one byte and fewer than kMaxChainText.
constexpr void lay_out_keys(KeyBatch& batch, const std::string_view* keys, int count) {
    batch.count = count;
    for (int i = 0; i < count; ++i) {
        const int length = static_cast<int>(keys[i].size());
        int at = i;
        for (; at > 0 && batch.length[at - 1] < length; --at) {
            batch.length[at] = batch.length[at - 1];
            batch.rank[at] = batch.rank[at - 1];
        }
        batch.length[at] = length;
        batch.rank[at] = i;
    }
    batch.length[count] = 0;
    for (int at = 0; at < ((count + 1) & ~1); ++at) {
        const int length = batch.length[at];
        for (int position = 0; position < length; ++position) {
            const char letter = keys[batch.rank[at]][static_cast<std::size_t>(position)];
            batch.byte[position][at] = static_cast<double>(static_cast<unsigned char>(letter));
        }
        for (int position = length; position < batch.length[at & ~1]; ++position) {
            batch.byte[position][at] = 0.0;
        }
    }
}

// Hash of the seed behind keys of these lengths: the part that keys of one length
// share. At most kMaxChains of them.
void hash_behind(std::string_view seed, const int* lengths, int count, double* hashes);

// Hashes of the keys of a batch: `behind[length]` is the hash of the seed behind a key of that length. The
// hashes are in the order in which the keys were given.
void hash_keys(const KeyBatch& batch, const double* behind, double* hashes);

}  // namespace jimbot
