#include "core/rng.hpp"

namespace jimbot {

double pseudohash(std::string_view text) {
    double hash = 1.0;
    for (int position = static_cast<int>(text.size()); position > 0; --position) {
        hash = hash_step(hash, static_cast<unsigned char>(text[static_cast<std::size_t>(position) - 1]),
                         position);
    }
    return hash;
}

}  // namespace jimbot
