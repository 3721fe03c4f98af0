// How strong a build is: what the deck's typical hands would score with these jokers, levels and vouchers.
//
// The full deck, which is public, is cut into a few typical hands, always in the same way. Each is as many
// cards as a round shows before a play is due, and counts with the best of its obvious plays. The strength is
// the mean logarithm (base 2) of those scores, times the hands of a round: a doubled score is one more,
// whatever the ante.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "catalog/joker_traits.hpp"
#include "core/state.hpp"
#include "view/structure.hpp"

namespace jimbot {

inline constexpr int kSampleHands = 4;
inline constexpr int kSampleCards = 13;

// Strengths that were measured already, by a hash of all they depend on.
class StrengthMemo {
public:
    // Where the strength of a key stands, or is to be put.
    struct Entry {
        std::uint64_t key = 0;
        double strength = 0;
    };
    Entry& at(std::uint64_t key) {
        if (entries_.empty()) {
            entries_.resize(kEntries);
        }
        return entries_[key % kEntries];
    }

private:
    static constexpr std::size_t kEntries = 4096;
    std::vector<Entry> entries_;
};

class StrengthMeter {
public:
    // Strength of the state's own build first; see `own`.
    StrengthMeter(const State& state, StrengthMemo& memo, const JokerTraitsTable& traits = kJokerTraits);

    double own() const { return own_; }

    // How much stronger the build would be with a joker, without one, with higher levels, with a voucher.
    double with_joker(const Joker& joker);
    double without_joker(int position);
    double with_level(HandType hand);
    double with_all_levels();
    double with_voucher(VoucherId voucher);
    // With playing cards changed by a consumable that leaves nothing to chance.
    double with_changed_cards(const State& changed);

private:
    std::uint64_t key(const State& build) const;
    void prepare();
    void deal();
    double measure(const State& build);
    double measure_anew();
    double measure_hand(int sample, int seen, int hands, int discards);
    void find_plays(const PokerRules& rules, int seen);
    double score_play(std::uint32_t mask, int held);

    const State& state_;
    StrengthMemo& memo_;
    const JokerTraitsTable& traits_;
    State scratch_;  // the build that is measured
    State copy_;     // of it, to score on
    std::uint8_t samples_[kSampleHands][kSampleCards];
    int sample_size_ = 0;
    bool prepared_ = false;
    // The obvious plays of every sample, under these rules and of so many cards; 0 cards: not found yet.
    PokerRules rules_{};
    int seen_ = 0;
    struct Plays {
        int count;
        std::uint32_t masks[kMaxNaturalPlays];
        HandType types[kMaxNaturalPlays];
    } plays_[kSampleHands];
    double own_ = 0;
};

}  // namespace jimbot
