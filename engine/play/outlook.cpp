#include "play/outlook.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "play/plain_math.hpp"
#include "play/public_state.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

void draw_samples(Outlook& o, std::uint64_t& random) {
    const int length = std::min(o.pool_count, kMaxDraws);
    for (int sample = 0; sample < o.samples; ++sample) {
        for (int i = 0; i < length; ++i) {
            const int j = i + random_below(random, o.pool_count - i);
            std::swap(o.pool[i], o.pool[j]);
            o.draws[sample][i] = o.pool[i];
        }
    }
}

// Mean and spread of the best play of hands drawn anew, `extra` cards larger than a hand.
void measure_fresh_hands(const Outlook& o, int extra, int samples, double& mean, double& spread) {
    const int size = std::min({o.hand_size + extra, o.pool_count, kMaxDraws});
    double sum = 0;
    double squares = 0;
    for (int sample = 0; sample < samples; ++sample) {
        const double score = best_play(o.model, o.draws[sample], size, o.hand_size).score;
        sum += score;
        squares += score * score;
    }
    mean = sum / samples;
    spread = std::sqrt(std::max(0.0, squares / samples - mean * mean));
}

void measure_later_hands(Outlook& o) {
    const ExpertWeights& w = o.weights;
    const int fresh = std::clamp(rounded(w[w_fresh_samples]), 1, o.samples);
    const double share = static_cast<double>(o.discards_left) / std::max(1, o.hands_left);
    double ignored = 0;
    measure_fresh_hands(o, 0, fresh, o.fresh_plain, ignored);
    measure_fresh_hands(o, rounded(w[w_discard_reach] * share), fresh, o.fresh_mean, o.fresh_spread);
}

// What is the same for all samples of a holding.
struct Prospect {
    double fresh;   // what a later hand scores
    double spread;  // of all later hands together
    int later;      // hands after the next
    double hands_wanted;
};

Prospect prospect_of(const Outlook& o, const Holding& h) {
    const double share = o.discards_left > 0 ? static_cast<double>(h.discards_left) / o.discards_left : 0.0;
    Prospect p{};
    p.fresh = o.fresh_plain + (o.fresh_mean - o.fresh_plain) * share;
    p.hands_wanted = std::clamp(h.needed / std::max(1.0, p.fresh), 1.0, static_cast<double>(h.hands_left));
    p.later = h.hands_left - 1;
    p.spread = o.weights[w_spread] * o.fresh_spread * std::sqrt(static_cast<double>(p.later)) +
               0.02 * h.needed + 1e-9;
    return p;
}

// The worth of a hand that scores so much now, with the later ones to come.
double outcome(const Outlook& o, const Holding& h, const Prospect& p, double score) {
    const ExpertWeights& w = o.weights;
    if (score >= h.needed) {
        return 1.0 + w[w_hand_left] * p.later;
    }
    const double missing = h.needed - score;
    const double chance = p.later > 0 ? plain_normal((p.later * p.fresh - missing) / p.spread) : 0.0;
    const double left = p.later - missing / std::max(1.0, p.fresh);
    return chance * (1.0 + w[w_hand_left] * std::max(0.0, left)) -
           (1.0 - chance) * w[w_near_miss] * missing / h.needed;
}

// The worth of a holding that needs no draws to be known.
bool decided(const Outlook& o, const Holding& h, double& value) {
    const ExpertWeights& w = o.weights;
    if (h.needed <= 0) {
        value = 1.0 + w[w_hand_left] * h.hands_left;
        return true;
    }
    value = -w[w_near_miss] * h.needed / (h.needed + o.fresh_plain + 1.0);
    return h.hands_left <= 0;
}

// Gives up the least worthy cards outside of `kept`, five at most, for the next ones of the sample.
void redraw(const SortedHand& hand, std::uint32_t kept, const std::uint8_t* draws, int& next, int most,
            std::uint8_t* cards) {
    std::uint32_t left = ((std::uint32_t{1} << hand.count) - 1) & ~kept;
    for (int i = 0; i < kMaxPlayed && left != 0 && next < most; ++i) {
        const std::uint32_t worst = std::bit_floor(left);
        cards[hand.given[std::countr_zero(worst)]] = draws[next++];
        left ^= worst;
    }
}

}  // namespace

void look_out(Outlook& outlook, const State& state, std::uint64_t random) {
    Outlook& o = outlook;
    const ExpertWeights& w = o.weights;
    o.hands_left = state.round.hands_left;
    o.discards_left = state.round.discards_left;
    o.needed = state.round.target - state.round.score;
    o.hand_size = std::max(1, hand_size(state));
    build_hand_model(o.model, state, o.hands_left > 1 ? o.hands_left - 2 : 0, o.discards_left);
    o.pool_count = unseen_cards(state, o.pool);
    o.quick_samples = std::clamp(rounded(w[w_hand_samples]), 1, kMaxSamples);
    o.samples = std::clamp(rounded(w[w_close_samples]), o.quick_samples, kMaxSamples);
    draw_samples(o, random);
    measure_later_hands(o);
}

void restrict_types(Outlook& outlook, std::uint16_t allowed) {
    if (outlook.model.allowed != allowed) {
        outlook.model.allowed = allowed;
        measure_later_hands(outlook);
    }
}

double chance_of_clearing(const Outlook& o, const Holding& h, int first, int last) {
    double known = 0;
    if (decided(o, h, known)) {
        return known;
    }
    const Prospect p = prospect_of(o, h);
    const int extra = rounded(o.weights[w_discard_reach] * h.discards_left / p.hands_wanted);
    std::uint8_t cards[kMaxHand + kMaxDraws];
    std::copy(h.cards, h.cards + h.count, cards);
    const int drawn = std::min(
        {h.unknown + h.drawn + extra, o.pool_count, kMaxDraws, std::max(0, kMaxModelHand - h.count)});
    double total = 0;
    for (int sample = first; sample < last; ++sample) {
        std::copy(o.draws[sample], o.draws[sample] + drawn, cards + h.count);
        total += outcome(o, h, p, best_play(o.model, cards, h.count + drawn, o.hand_size, h.needed).score);
    }
    return total / (last - first);
}

double chance_step_by_step(const Outlook& o, const Holding& h, int first, int last) {
    double known = 0;
    if (decided(o, h, known)) {
        return known;
    }
    const Prospect p = prospect_of(o, h);
    const int steps = std::min(rounded(h.discards_left / p.hands_wanted), 3);
    const int most = std::min(o.pool_count, kMaxDraws);
    const int drawn = std::min({h.unknown + h.drawn, most, std::max(0, kMaxModelHand - h.count)});
    std::uint8_t cards[kMaxHand + kMaxDraws];
    SortedHand hand;
    double total = 0;
    for (int sample = first; sample < last; ++sample) {
        const int count = h.count + drawn;
        int next = drawn;
        std::copy(h.cards, h.cards + h.count, cards);
        std::copy(o.draws[sample], o.draws[sample] + drawn, cards + h.count);
        sort_hand_cards(o.model, cards, count, hand);
        double score = best_play(o.model, hand, o.hand_size, h.needed).score;
        for (int step = 0; step < steps && score < h.needed && next < most; ++step) {
            redraw(hand, promising_cards(o.model, hand, h.needed), o.draws[sample], next, most, cards);
            sort_hand_cards(o.model, cards, count, hand);
            score = best_play(o.model, hand, o.hand_size, h.needed).score;
        }
        total += outcome(o, h, p, score);
    }
    return total / (last - first);
}

}  // namespace jimbot
