// Hashes side by side against hashes one by one.

#include <cstring>
#include <string>
#include <vector>

#include "core/chains.hpp"
#include "core/rng.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

const std::vector<std::string> kKeys = {
    "boss", "Voucher1", "Voucher1_resample2", "x",   "Tag1_resample2", "shuffle",
    "nr1",  "idol1",    "standard_edition12", "cas1"};

bool same(double left, double right) { return std::memcmp(&left, &right, sizeof left) == 0; }

double hash_from(const std::string& key, double hash) {
    for (int position = static_cast<int>(key.size()); position > 0; --position) {
        hash = hash_step(hash, static_cast<unsigned char>(key[static_cast<std::size_t>(position) - 1]),
                         position);
    }
    return hash;
}

// Hashes the first `count` keys, which stand before something with these hashes, and compares.
void check_keys(int count, const double* behind) {
    std::vector<std::string_view> keys(kKeys.begin(), kKeys.begin() + count);
    KeyBatch batch;
    lay_out_keys(batch, keys.data(), count);
    double hashes[kMaxChains];
    hash_keys(batch, behind, hashes);
    for (int i = 0; i < count; ++i) {
        const std::string& key = kKeys[static_cast<std::size_t>(i)];
        CHECK(same(hashes[i], hash_from(key, behind[key.size()])));
    }
}

}  // namespace

TEST(chains_hash_a_seed_behind_keys_of_any_length) {
    for (const std::string seed : {"7LB2WVPK", "A", "3EMYBP31", "11"}) {
        for (int count = 0; count <= kMaxChains; ++count) {
            int lengths[kMaxChains] = {};
            for (int i = 0; i < count; ++i) {
                lengths[i] = (i * 5) % kMaxChainText;
            }
            double hashes[kMaxChains];
            hash_behind(seed, lengths, count, hashes);
            for (int i = 0; i < count; ++i) {
                double expected = 1.0;
                for (auto at = static_cast<int>(seed.size()); at > 0; --at) {
                    const auto byte = static_cast<unsigned char>(seed[static_cast<std::size_t>(at) - 1]);
                    expected = hash_step(expected, byte, lengths[i] + at);
                }
                CHECK(same(hashes[i], expected));
            }
        }
    }
}

TEST(chains_hash_any_number_of_keys) {
    for (int round = 0; round < 200; ++round) {
        double behind[kMaxChainText];
        for (int length = 0; length < kMaxChainText; ++length) {
            behind[length] = LuaRandom(round * 0.001 + length * 0.01).real();
        }
        for (int count = 1; count <= static_cast<int>(kKeys.size()); ++count) {
            check_keys(count, behind);
        }
    }
}

TEST(chains_hash_one_by_one_where_pairs_would_be_wrong) {
    // Beyond 2^52, beyond 2^63 and not numbers at all, in one of the chains.
    for (const double strange : {0x1p-50, 0x1p-60, 0x1p-1000, 0.0, kNotANumber}) {
        for (const std::size_t where : {std::size_t{4}, std::size_t{18}, std::size_t{1}}) {
            double behind[kMaxChainText];
            for (double& each : behind) {
                each = 0.37;
            }
            behind[where] = strange;
            check_keys(static_cast<int>(kKeys.size()), behind);
        }
    }
}
