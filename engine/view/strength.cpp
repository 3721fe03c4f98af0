#include "view/strength.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "core/snapshot.hpp"
#include "rules/owned.hpp"
#include "rules/scoring.hpp"
#include "view/put_back.hpp"

namespace jimbot {

namespace {

constexpr int kPlaysTried = 2;  // of each hand: those of the strongest types

// What a type of hand is worth before cards and jokers.
double base_of(const State& state, HandType type) {
    const HandBase base = hand_base(type, state.hands[type].level);
    return std::max(1.0, base.chips) * base.mult;
}

}  // namespace

StrengthMeter::StrengthMeter(const State& state, StrengthMemo& memo, const JokerTraitsTable& traits)
    : state_(state), memo_(memo), traits_(traits) {
    own_ = measure(state);
}

// Makes the copy that is measured: the build in the middle of no blind, every card in the open.
void StrengthMeter::prepare() {
    if (prepared_) {
        return;
    }
    prepared_ = true;
    scratch_ = state_;
    scratch_.round = {};
    scratch_.round.only_hand = scratch_.round.last_hand = hand_types;
    scratch_.phase = Phase::playing;
    for (int i = 0; i < state_.card_count; ++i) {
        Card& card = scratch_.cards[i];
        const bool for_good = (card.flags & card_debuffed_for_good) != 0;
        card.flags = static_cast<std::uint8_t>(for_good ? card_debuffed_for_good | card_debuffed : 0);
    }
    deal();
}

void StrengthMeter::deal() {
    const State& state = state_;
    // A fixed shuffle of the deck by creation order, cut into hands.
    std::uint8_t order[kMaxCards];
    const int count = state.card_count;
    for (int i = 0; i < count; ++i) {
        order[i] = static_cast<std::uint8_t>(i);
    }
    std::uint64_t random = 0xdeca11;
    sample_size_ = std::min(kSampleCards, count);
    const int dealt = std::min(count, kSampleHands * kSampleCards);
    for (int i = 0; i < dealt; ++i) {
        const auto left = static_cast<std::uint64_t>(count - i);
        std::swap(order[i], order[i + static_cast<int>(((next_fast(random) >> 32) * left) >> 32)]);
    }
    for (int i = 0; i < kSampleHands * sample_size_; ++i) {
        samples_[i / sample_size_][i % sample_size_] = order[i % dealt];
    }
}

// A hash of everything a measurement reads.
std::uint64_t StrengthMeter::key(const State& s) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    const auto add = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0xd6e8feb86659fd93;
        hash ^= hash >> 32;
    };
    const auto add_bytes = [&](const void* bytes, std::size_t size) {  // a multiple of eight
        for (std::size_t at = 0; at < size; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, static_cast<const unsigned char*>(bytes) + at, sizeof word);
            add(word);
        }
    };
    const auto word = [](int a, int b, int c, int d) {
        return (static_cast<std::uint64_t>(a & 0xffff) << 48) |
               (static_cast<std::uint64_t>(b & 0xffff) << 32) |
               (static_cast<std::uint64_t>(c & 0xffff) << 16) | static_cast<std::uint64_t>(d & 0xffff);
    };
    bool money = s.challenge_rules != 0;
    bool targets = false;
    bool all = false;
    for (int i = 0; i < s.joker_count; ++i) {
        Joker joker = s.jokers[i];
        joker.created = 0;
        add_bytes(&joker, sizeof joker);
        const Reads reads = traits_[joker.id].reads;
        money = money || reads_any(reads, Reads::money);
        targets = targets || reads_any(reads, Reads::targets);
        all = all || reads_any(reads, Reads::rest_of_run);
    }
    if (s.joker_count > 0) {  // only jokers ask what has happened in the run
        add_bytes(s.hands, sizeof s.hands);
        add(word(s.hands_played, s.tarots_used, s.planets_used, s.skips));
        add(word(s.unused_discards, s.ox_hand, s.draw_count, 1));
    } else {
        for (const HandStats& stats : s.hands) {
            add(static_cast<std::uint64_t>(stats.level));
        }
    }
    for (int i = 0; i < s.card_count; ++i) {
        static_assert(sizeof(Card) == 12);
        std::uint64_t card = 0;
        std::memcpy(&card, reinterpret_cast<const unsigned char*>(&s.cards[i]) + 4, sizeof card);
        constexpr std::uint64_t kFlags = std::uint64_t{255} << 56;
        constexpr std::uint64_t kForGood = std::uint64_t{card_debuffed_for_good} << 56;
        add(card & (~kFlags | kForGood));
    }
    for (int i = 0; i < s.consumable_count; ++i) {
        add((std::uint64_t{s.consumables[i].id} << 8) | s.consumables[i].edition);
    }
    add(word(s.joker_count, s.card_count, s.consumable_count, s.challenge_rules));
    add(word(s.base_hands, s.base_discards, s.base_hand_size, s.base_joker_slots));
    add(word(s.base_consumable_slots, s.deck, s.starting_cards, s.inflation));
    add(money ? 1 : 0);
    add(s.vouchers);
    add(money ? static_cast<std::uint64_t>(s.money) : 0);
    add(targets ? word(s.targets.idol_rank, s.targets.idol_suit, s.targets.ancient_suit, 1) : 0);
    if (all) {
        add(state_hash(s));
    }
    return hash | 1;
}

// The strength of a build: of the state's own, or of the copy as it is now.
double StrengthMeter::measure(const State& build) {
    const std::uint64_t wanted = key(build);
    StrengthMemo::Entry& known = memo_.at(wanted >> 1);
    if (known.key != wanted) {
        prepare();
        known = {wanted, measure_anew()};
    }
    return known.strength;
}

// The score of a play of the build's hand; of the other cards the first `held` are held.
double StrengthMeter::score_play(std::uint32_t mask, int held) {
    Scoring scoring{copy_, Outcomes::mean};
    copy_.round = scratch_.round;
    copy_.hand_count = 0;
    for (int i = 0; i < scratch_.hand_count; ++i) {
        const std::uint8_t index = scratch_.hand[i];
        if (((mask >> i) & 1) != 0) {
            scoring.played[scoring.played_count++] = index;
        } else if (copy_.hand_count < held) {
            copy_.hand[copy_.hand_count++] = index;
        }
    }
    score_hand(scoring);
    put_back_play(copy_, scratch_);
    return scoring.score;
}

// Jokers and levels come and go without changing what the cards are, so the plays are found once.
void StrengthMeter::find_plays(const PokerRules& rules, int seen) {
    const auto bits = [](const PokerRules& r) {
        return (r.four_fingers ? 1 : 0) | (r.shortcut ? 2 : 0) | (r.smeared ? 4 : 0);
    };
    if (seen == seen_ && bits(rules) == bits(rules_)) {
        return;
    }
    seen_ = seen;
    rules_ = rules;
    for (int sample = 0; sample < kSampleHands; ++sample) {
        HandShape shape;
        read_shape(scratch_, samples_[sample], seen, rules, shape);
        Plays& plays = plays_[sample];
        plays.count = natural_plays(shape, rules, plays.masks, plays.types);
    }
}

double StrengthMeter::measure_hand(int sample, int seen, int hands, int discards) {
    std::copy(samples_[sample], samples_[sample] + seen, scratch_.hand);
    scratch_.hand_count = static_cast<std::uint8_t>(seen);
    const Plays& plays = plays_[sample];
    std::uint32_t strongest[kPlaysTried] = {};
    double bases[kPlaysTried] = {};
    for (int i = 0; i < plays.count; ++i) {
        const double base = base_of(scratch_, plays.types[i]);
        if (base > bases[0]) {
            bases[1] = bases[0];
            strongest[1] = strongest[0];
            bases[0] = base;
            strongest[0] = plays.masks[i];
        } else if (base > bases[1]) {
            bases[1] = base;
            strongest[1] = plays.masks[i];
        }
    }
    // The first sample is a round's first hand, the last its last.
    scratch_.round.hands_left = static_cast<std::int16_t>(std::max(0, hands - 1 - sample));
    scratch_.round.hands_played = static_cast<std::uint16_t>(sample);
    scratch_.round.discards_left = static_cast<std::int16_t>(std::max(0, discards - sample));
    double best = 1;
    for (const std::uint32_t mask : strongest) {
        if (mask != 0) {
            const int held = std::max(0, hand_size(scratch_) - count_bits(mask));
            best = std::max(best, score_play(mask, held));
        }
    }
    return std::log2(std::min(best, 1e300));
}

double StrengthMeter::measure_anew() {
    copy_ = scratch_;
    const int hands = std::max(1, hands_per_round(scratch_));
    const int discards = std::max(0, discards_per_round(scratch_));
    const int seen = std::clamp(hand_size(scratch_) + discards, std::min(5, sample_size_), sample_size_);
    find_plays(poker_rules(scratch_), seen);
    double sum = 0;
    for (int sample = 0; sample < kSampleHands; ++sample) {
        sum += measure_hand(sample, seen, hands, discards);
    }
    return sum / kSampleHands + std::log2(static_cast<double>(hands));
}

double StrengthMeter::with_joker(const Joker& joker) {
    prepare();
    if (scratch_.joker_count >= kMaxJokers) {
        return 0;
    }
    scratch_.jokers[scratch_.joker_count++] = joker;
    const double strength = measure(scratch_);
    scratch_.jokers[--scratch_.joker_count] = {};
    return strength - own_;
}

double StrengthMeter::without_joker(int position) {
    prepare();
    std::copy(scratch_.jokers + position + 1, scratch_.jokers + scratch_.joker_count,
              scratch_.jokers + position);
    --scratch_.joker_count;
    const double strength = measure(scratch_);
    scratch_.joker_count = state_.joker_count;
    std::copy(state_.jokers, state_.jokers + state_.joker_count, scratch_.jokers);
    return strength - own_;
}

double StrengthMeter::with_level(HandType hand) {
    prepare();
    ++scratch_.hands[hand].level;
    const double strength = measure(scratch_);
    --scratch_.hands[hand].level;
    return strength - own_;
}

double StrengthMeter::with_all_levels() {
    prepare();
    for (HandStats& stats : scratch_.hands) {
        ++stats.level;
    }
    const double strength = measure(scratch_);
    std::copy(state_.hands, state_.hands + hand_types, scratch_.hands);
    return strength - own_;
}

double StrengthMeter::with_voucher(VoucherId voucher) {
    prepare();
    scratch_.vouchers |= bit(voucher);
    const double strength = measure(scratch_);
    scratch_.vouchers = state_.vouchers;
    return strength - own_;
}

double StrengthMeter::with_changed_cards(const State& changed) {
    prepare();
    Card cards[kMaxCards];
    if (changed.card_count != state_.card_count) {
        return 0;
    }
    for (int i = 0; i < state_.card_count; ++i) {
        cards[i] = scratch_.cards[i];
        const std::uint8_t flags = cards[i].flags;
        scratch_.cards[i] = changed.cards[i];
        scratch_.cards[i].flags = flags;
    }
    seen_ = 0;  // other cards, other plays
    const double strength = measure(scratch_);
    std::copy(cards, cards + state_.card_count, scratch_.cards);
    seen_ = 0;
    return strength - own_;
}

}  // namespace jimbot
