// Named random streams. The game keys a stream by a string such as "Joker1sho3"; here a stream is a small id
// (and, for most, the ante it belongs to), and the string is only ever assembled to hash it on first use.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/rng.hpp"

namespace jimbot {

// One entry per key family. The text of each key is in kStreamNames (streams.cpp), in the same order.
enum class Stream : std::uint8_t {
    // One stream per run.
    boss,
    voucher_from_tag,
    joker_legendary,
    illusion,
    omen_globe,
    deck_shuffle,
    erratic,
    orbital,
    to_do,
    lucky_mult,
    lucky_money,
    glass,
    gros_michel,
    cavendish,
    eight_ball,
    business,
    bloodstone,
    parking,
    space,
    misprint,
    wheel,
    hook,
    cerulean_bell,
    crimson_heart,
    amber_acorn,
    wheel_of_fortune,
    aura,
    ectoplasm,
    hex,
    ankh_choice,
    invisible,
    madness,
    perkeo,
    sigil,
    ouija,
    random_destroy,
    familiar_create,
    grim_create,
    incantation_create,
    spectral_enhancement,
    immolate,
    certificate_front,
    certificate_seal,
    marble_front,
    flipped_card,
    run_streams_end,
    // One stream per run and ante.
    voucher = run_streams_end,
    tag,
    shop_type,
    shop_pack,
    rarity_shop,
    rarity_buffoon,
    rarity_judgement,
    rarity_soul,
    joker_common_shop,
    joker_uncommon_shop,
    joker_rare_shop,
    joker_common_buffoon,
    joker_uncommon_buffoon,
    joker_rare_buffoon,
    joker_common_judgement,
    joker_uncommon_judgement,
    joker_rare_judgement,
    joker_rare_wraith,
    joker_common_riff_raff,
    joker_common_top_up,
    joker_rare_tag,
    joker_uncommon_tag,
    edition_shop,
    edition_buffoon,
    edition_judgement,
    edition_soul,
    edition_wraith,
    edition_riff_raff,
    edition_top_up,
    edition_rare_tag,
    edition_uncommon_tag,
    tarot_shop,
    tarot_arcana,
    tarot_emperor,
    tarot_eight_ball,
    tarot_hallucination,
    tarot_cartomancer,
    tarot_vagabond,
    tarot_superposition,
    planet_shop,
    planet_celestial,
    planet_high_priestess,
    spectral_shop,
    spectral_arcana,
    spectral_spectral,
    spectral_sixth_sense,
    spectral_seance,
    enhanced_shop,
    enhanced_standard,
    front_shop,
    front_standard,
    soul_tarot,
    soul_planet,
    soul_spectral,
    sticker_shop,
    sticker_pack,
    rental_shop,
    rental_pack,
    standard_set,
    standard_edition,
    standard_seal,
    standard_seal_type,
    new_round,
    cash_out,
    idol,
    mail,
    castle,
    ancient,
    hallucination,
    streams_end,
};

inline constexpr int kRunStreams = static_cast<int>(Stream::run_streams_end);
inline constexpr int kAnteStreams = static_cast<int>(Stream::streams_end) - kRunStreams;
// An ante can come back only through Hieroglyph and Petroglyph, two steps in all; older antes never return.
inline constexpr int kRememberedAntes = 3;
inline constexpr int kResampleSlots = 128;  // a power of two
inline constexpr int kCachedKeyLengths = 28;
inline constexpr int kMaxSeedLength = 8;

struct Streams {
    std::uint64_t fast_state;  // not 0: draws come from this generator and keys play no part
    double seed_hash;          // hash of the seed alone
    double
        seed_partial[kCachedKeyLengths];  // hash of the seed part behind a key of that length; -1 = not yet
    double run[kRunStreams];              // stream values; -1 = not used yet
    double ante[kRememberedAntes][kAnteStreams];
    double resample_value[kResampleSlots];
    std::uint32_t resample_key[kResampleSlots];  // 0 = free
    std::int16_t ante_held[kRememberedAntes];
    std::uint8_t resample_used;
    std::uint8_t seed_length;
    char seed[kMaxSeedLength];
};

// Forgets everything and starts the streams of a seed of 1 to 8 characters.
void start_streams(Streams& streams, std::string_view seed);

// First values of redraw streams that a run may need at its start, in ante 1. They are no part of the run
// before they are used.
struct SpareValues {
    double voucher;  // of its third stream, "_resample3"
    double tag;
};
// As start_streams, with first values for the streams that a run draws from at its start.
SpareValues start_streams_of_run(Streams& streams, std::string_view seed);

// Gives a stream its first value, which must be the one its key has, if it has none.
void give_first_value(Streams& streams, Stream stream, int ante, int resample, double value);

// Advances a stream and returns the number that seeds the generator. `ante` is ignored by per-run streams;
// `resample` is 0 for the stream itself and 2, 3, ... for its redraw streams.
double draw_seed(Streams& streams, Stream stream, int ante, int resample = 0);

// Gives several streams of one ante their first values at once. Each hash is a chain of
// dependent divisions; run side by side, several chains take hardly longer than one. Streams
// that are in use already are left alone.
struct StreamUse {
    Stream stream;
    int resample = 0;
};
void prefetch(Streams& streams, const StreamUse* uses, int count, int ante);

// Leaves the seed's streams for good: every later draw comes from one fast generator started
// here. What was drawn before stays; what comes is random in the same distributions, and no
// longer what the seed would have given.
void use_fast_streams(Streams& streams, std::uint64_t start);

// The next number of the fast generator.
inline std::uint64_t next_fast(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// A generator seeded by the next value of a stream: for shuffles, which take many reals.
inline LuaRandom draw_generator(Streams& streams, Stream stream, int ante) {
    if (streams.fast_state != 0) {
        const std::uint64_t a = next_fast(streams.fast_state);
        const std::uint64_t b = next_fast(streams.fast_state);
        return {a, b};
    }
    return LuaRandom(draw_seed(streams, stream, ante));
}

// The first real of that generator, and what it makes of a choice.
class Draw {
public:
    explicit Draw(double real) : real_(real) {}
    double real() const { return real_; }
    int integer(int low, int high) const { return integer_of(real_, low, high); }
    int index(int count) const { return index_of(real_, count); }

private:
    double real_;
};

// Draws from a stream once.
Draw draw(Streams& streams, Stream stream, int ante, int resample = 0);

// Draws from several streams of the seed in this order, at most kMaxStartDraws; a
// stream may be named more than once.
inline constexpr int kMaxStartDraws = 12;
void draw_several(Streams& streams, const Stream* list, int count, int ante, double* reals);

// Writes the key text of a stream into `buffer` (at least 48 bytes); returns its length.
int write_stream_key(Stream stream, int ante, int resample, char* buffer);

}  // namespace jimbot
