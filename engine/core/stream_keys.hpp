// The texts of the keys that the streams are seeded by. The compiler lays out those that every run begins
// with, so this is a header; other packages take write_stream_key of core/streams.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/streams.hpp"

namespace jimbot {

inline constexpr int kMaxKeyText = 48;

namespace stream_keys {

// Key text = prefix, then the ante for per-ante streams, then the suffix.
struct StreamName {
    std::string_view prefix;
    std::string_view suffix = {};
};

inline constexpr std::array<StreamName, static_cast<std::size_t>(Stream::streams_end)> kStreamNames = {{
    {"boss"},
    {"Voucher_fromtag"},
    {"Joker4"},
    {"illusion"},
    {"omen_globe"},
    {"shuffle"},
    {"erratic"},
    {"orbital"},
    {"to_do"},
    {"lucky_mult"},
    {"lucky_money"},
    {"glass"},
    {"gros_michel"},
    {"cavendish"},
    {"8ball"},
    {"business"},
    {"bloodstone"},
    {"parking"},
    {"space"},
    {"misprint"},
    {"wheel"},
    {"hook"},
    {"cerulean_bell"},
    {"crimson_heart"},
    {"aajk"},
    {"wheel_of_fortune"},
    {"aura"},
    {"ectoplasm"},
    {"hex"},
    {"ankh_choice"},
    {"invisible"},
    {"madness"},
    {"perkeo"},
    {"sigil"},
    {"ouija"},
    {"random_destroy"},
    {"familiar_create"},
    {"grim_create"},
    {"incantation_create"},
    {"spe_card"},
    {"immolate"},
    {"cert_fr"},
    {"certsl"},
    {"marb_fr"},
    {"flipped_card"},
    {"Voucher"},
    {"Tag"},
    {"cdt"},
    {"shop_pack"},
    {"rarity", "sho"},
    {"rarity", "buf"},
    {"rarity", "jud"},
    {"rarity", "sou"},
    {"Joker1sho"},
    {"Joker2sho"},
    {"Joker3sho"},
    {"Joker1buf"},
    {"Joker2buf"},
    {"Joker3buf"},
    {"Joker1jud"},
    {"Joker2jud"},
    {"Joker3jud"},
    {"Joker3wra"},
    {"Joker1rif"},
    {"Joker1top"},
    {"Joker3rta"},
    {"Joker2uta"},
    {"edisho"},
    {"edibuf"},
    {"edijud"},
    {"edisou"},
    {"ediwra"},
    {"edirif"},
    {"editop"},
    {"edirta"},
    {"ediuta"},
    {"Tarotsho"},
    {"Tarotar1"},
    {"Tarotemp"},
    {"Tarot8ba"},
    {"Tarothal"},
    {"Tarotcar"},
    {"Tarotvag"},
    {"Tarotsup"},
    {"Planetsho"},
    {"Planetpl1"},
    {"Planetpri"},
    {"Spectralsho"},
    {"Spectralar2"},
    {"Spectralspe"},
    {"Spectralsixth"},
    {"Spectralsea"},
    {"Enhancedsho"},
    {"Enhancedsta"},
    {"frontsho"},
    {"frontsta"},
    {"soul_Tarot"},
    {"soul_Planet"},
    {"soul_Spectral"},
    {"etperpoll"},
    {"packetper"},
    {"ssjr"},
    {"packssjr"},
    {"stdset"},
    {"standard_edition"},
    {"stdseal"},
    {"stdsealtype"},
    {"nr"},
    {"cashout"},
    {"idol"},
    {"mail"},
    {"cas"},
    {"anc"},
    {"halu"},
}};

constexpr int append_text(char* buffer, int length, std::string_view text) {
    for (const char c : text) {
        buffer[length++] = c;
    }
    return length;
}

constexpr int append_number(char* buffer, int length, int number) {
    if (number < 0) {
        buffer[length++] = '-';
        number = -number;
    }
    char digits[12] = {};
    int count = 0;
    do {
        digits[count++] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        buffer[length++] = digits[--count];
    }
    return length;
}

// Writes the key of a stream and returns its length; the buffer holds kMaxKeyText characters.
constexpr int write(Stream stream, int ante, int resample, char* buffer) {
    const StreamName& name = kStreamNames[static_cast<std::size_t>(stream)];
    int length = append_text(buffer, 0, name.prefix);
    if (static_cast<int>(stream) >= kRunStreams) {
        length = append_number(buffer, length, ante);
        length = append_text(buffer, length, name.suffix);
    }
    if (resample > 0) {
        length = append_text(buffer, length, "_resample");
        length = append_number(buffer, length, resample);
    }
    return length;
}

}  // namespace stream_keys

}  // namespace jimbot
