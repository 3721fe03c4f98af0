#include "play/build_strength.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/snapshot.hpp"
#include "play/joker_outlook.hpp"
#include "play/plain_math.hpp"
#include "play/public_state.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

// Hands and discards of a round, with what jokers change when the blind is selected.
struct Tries {
    int hands;
    int discards;
};

Tries tries_of_round(const State& state, const JokerTraitsTable& table) {
    Tries tries{hands_per_round(state), std::max(0, discards_per_round(state))};
    for (int i = 0; i < state.joker_count; ++i) {
        if (!state.jokers[i].debuffed()) {
            const ScriptedTraits& traits = table[state.jokers[i].id].scripted;
            tries.hands += traits.hands_when_selected;
            tries.discards = traits.loses_discards_when_selected ? 0 : tries.discards;
        }
    }
    tries.hands = std::max(1, tries.hands);
    return tries;
}

// What a strength depends on besides the deck and the samples.
std::uint64_t build_key(const State& state, const JokerTraitsTable& traits, std::uint64_t start,
                        double rounds) {
    std::uint64_t hash = start;
    const auto mix = [&](std::uint64_t value) { hash = next_fast(hash) ^ (value * 0x9e3779b97f4a7c15); };
    bool money = state.challenge_rules != 0;
    bool all = false;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        mix(std::bit_cast<std::uint64_t>(joker.value));
        mix(std::uint64_t{joker.id} | std::uint64_t{joker.edition} << 8 | std::uint64_t{joker.flags} << 16 |
            std::uint64_t{joker.hand} << 24 | std::uint64_t{static_cast<std::uint32_t>(joker.counter)} << 32);
        mix(static_cast<std::uint64_t>(joker.sell_bonus));
        money = money || reads_any(traits[joker.id].reads, Reads::money);
        all = all || reads_any(traits[joker.id].reads, Reads::rest_of_run);
    }
    for (const HandStats& hand : state.hands) {
        mix(std::uint64_t{static_cast<std::uint32_t>(hand.level)} << 32 |
            std::uint64_t{hand.played_this_round} << 16 | hand.played);
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        mix(state.consumables[i].id);
    }
    mix(std::bit_cast<std::uint64_t>(rounds));
    mix(std::uint64_t{state.draw_count} << 48 | std::uint64_t{state.round.blind} << 40 |
        std::uint64_t{state.round.hands_played} << 16 | state.hands_played);
    mix(std::uint64_t{state.vouchers} << 32 | std::uint64_t{state.tarots_used} << 16 | state.skips);
    mix(static_cast<std::uint64_t>(state.base_hand_size) << 32 |
        static_cast<std::uint64_t>(state.base_hands) << 16 | static_cast<std::uint64_t>(state.base_discards));
    mix(static_cast<std::uint64_t>(state.base_joker_slots) << 32 |
        static_cast<std::uint64_t>(money ? state.money + 1000 : 0));
    if (all) {
        mix(state_hash(state));
    }
    return next_fast(hash) | 1;
}

// The sampled hands in the order of the model's cards; those sorted before in the same order are used again.
const StrengthMemory::Hands& sorted_hands(StrengthMemory& memory, const DeckSamples& samples, int seen,
                                          int plain) {
    const HandModel& model = memory.model;
    std::uint64_t key = model.order_key ^ samples.key;
    key = next_fast(key) ^ (static_cast<std::uint64_t>(seen) << 8 | static_cast<std::uint64_t>(plain));
    key = next_fast(key) | 1;
    StrengthMemory::Hands& hands = memory.hands[(key >> 1) % StrengthMemory::kHands];
    if (hands.key != key) {
        hands.key = key;
        for (int sample = 0; sample < samples.samples; ++sample) {
            sort_hand_cards(model, samples.cards[sample], seen, hands.all[sample]);
            sort_hand_cards(model, samples.cards[sample], plain, hands.plain[sample]);
        }
    }
    return hands;
}

Strength measure(HandModel& model, const State& state, const ExpertWeights& weights,
                 const DeckSamples& samples, double rounds) {
    State later = state;
    project_jokers(later, rounds, *samples.traits);
    if (later.round.blind !=
        bl_none) {  // in mid-round: as if all cards were back in the deck and the boss gone
        later.round.blind = bl_none;
        for (int i = 0; i < later.card_count; ++i) {
            later.cards[i].move_to(CardPlace::draw_pile);
        }
    }
    const auto [hands, discards] = tries_of_round(later, *samples.traits);
    build_hand_model(model, later, 1, discards > 1 ? 1 : discards, samples.key | 1,
                     samples.memory != nullptr ? &samples.memory->decks : nullptr, *samples.traits);
    const int seen =
        std::min(samples.length, model.hand_size + rounded(weights[w_strength_reach] * discards));
    const int plain_size = std::min(samples.length, model.hand_size);
    const StrengthMemory::Hands* sorted =
        samples.memory != nullptr ? &sorted_hands(*samples.memory, samples, seen, plain_size) : nullptr;
    const double later_hands = weights[w_hands_exponent] * (hands - 1);
    Strength out{};
    for (int sample = 0; sample < samples.samples; ++sample) {
        const std::uint8_t* cards = samples.cards[sample];
        const BestPlay best = sorted != nullptr ? best_play(model, sorted->all[sample], model.hand_size)
                                                : best_play(model, cards, seen, model.hand_size);
        const BestPlay plain = sorted != nullptr ? best_play(model, sorted->plain[sample], model.hand_size)
                                                 : best_play(model, cards, plain_size, model.hand_size);
        out.round_log += plain_log(best.score + later_hands * plain.score);
        out.type_share[best.type] += 1.0;
        for (std::uint32_t left = best.mask; left != 0; left &= left - 1) {
            const Card& card = state.cards[cards[std::countr_zero(left)]];
            out.suit_share[card.suit] += 1.0;
            out.rank_share[card.rank] += 1.0;
        }
    }
    for (double& share : out.type_share) {
        share /= samples.samples;
    }
    out.round_log /= samples.samples;
    return out;
}

}  // namespace

DeckSamples sample_deck(const State& state, const ExpertWeights& weights, StrengthMemory* memory) {
    DeckSamples out{};
    out.memory = memory;
    out.samples = std::clamp(rounded(weights[w_strength_samples]), 1, kMaxStrengthSamples);
    out.length = std::min<int>(kMaxModelHand, state.card_count);
    std::uint64_t random =
        static_cast<std::uint64_t>(state.rounds) << 8 | static_cast<std::uint64_t>(state.skips);
    std::uint8_t deck[kMaxCards];
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        deck[i] = static_cast<std::uint8_t>(i);
        random = next_fast(random) ^ (std::uint64_t{card.rank} | std::uint64_t{card.suit} << 8 |
                                      std::uint64_t{card.enhancement} << 16 |
                                      std::uint64_t{card.edition} << 24 | std::uint64_t{card.seal} << 32 |
                                      std::uint64_t{(card.flags & card_debuffed) != 0 ? 1u : 0u} << 36 |
                                      std::uint64_t{card.bonus} << 40);
    }
    const RoundTargets& targets = state.targets;
    for (const std::uint8_t target : {targets.idol_rank, targets.idol_suit, targets.mail_rank,
                                      targets.castle_suit, targets.ancient_suit}) {
        random = next_fast(random) ^ target;
    }
    out.key = random;
    for (int sample = 0; sample < out.samples; ++sample) {
        for (int i = 0; i < out.length; ++i) {
            std::swap(deck[i], deck[i + random_below(random, state.card_count - i)]);
            out.cards[sample][i] = deck[i];
        }
    }
    return out;
}

Strength measure_strength(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                          double rounds) {
    if (samples.memory == nullptr) {
        HandModel model;
        return measure(model, state, weights, samples, rounds);
    }
    const std::uint64_t key = build_key(state, *samples.traits, samples.key, rounds);
    const std::size_t slot = (key >> 1) % StrengthMemory::kSize;
    StrengthMemory& memory = *samples.memory;
    if (memory.keys[slot] != key) {
        memory.values[slot] = measure(memory.model, state, weights, samples, rounds);
        memory.keys[slot] = key;
    }
    return memory.values[slot];
}

double build_worth(const State& state, const ExpertWeights& weights, const DeckSamples& samples,
                   const Standing& standing) {
    double worth = measure_strength(state, weights, samples, standing.horizon).round_log;
    const double safe = std::max(0.0, 1.0 - standing.weakness);
    const double left = std::min(weights[w_income_rounds], 0.5 * standing.rounds_left) * safe;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        double extra = weights.joker(joker.id) + weights[w_dollar] * left * joker_income(state, joker);
        extra -= (joker.stickers & sticker_rental) != 0 ? weights[w_dollar] * left * 3.0 : 0.0;
        worth += joker.debuffed() ? 0.0 : extra;
        worth += joker.edition == e_negative ? weights[w_edition_negative] : 0.0;
    }
    return worth;
}

Standing assess(const State& state, const ExpertWeights& weights, double strength) {
    Standing out{};
    out.strength = strength;
    out.rounds_left = std::max(0.0, 3.0 * (8 - state.ante) + (3 - state.blind_on_deck));
    const double base = plain_log(ante_target(state));
    const BlindId boss = static_cast<BlindId>(state.boss);
    const double boss_log = plain_log(blind_target(state, boss)) + weights.boss(boss);
    const double next = state.blind_on_deck == 0 ? base : state.blind_on_deck == 1 ? base + 0.405 : boss_log;
    const double ahead =
        state.blind_on_deck < 2 ? boss_log - weights[w_boss_grace] * (2 - state.blind_on_deck) : next;
    out.margin = out.strength - std::max(next, ahead);
    out.weakness = std::clamp(
        (weights[w_margin_wanted] - out.margin) / std::max(0.1, weights[w_margin_wanted]), 0.0, 1.5);
    out.horizon = std::min(weights[w_horizon] * std::max(0.0, 1.0 - 0.7 * out.weakness), out.rounds_left);
    return out;
}

double money_cost(const State& state, const ExpertWeights& weights, const Standing& standing, int dollars) {
    const int cap = interest_cap(state);
    const int before = state.money;
    const int after = before - dollars;
    const int rich = std::clamp(before - std::max(after, cap), 0, std::max(0, dollars));
    const int poor = dollars - rich;
    const int lost = interest_on(state, before) - interest_on(state, after);
    double cost = weights[w_dollar_rich] * rich + weights[w_dollar] * poor + weights[w_interest] * lost;
    cost += after < 4 ? weights[w_reserve] * (4 - after) : 0.0;
    const double end = std::min(1.0, standing.rounds_left / 6.0);  // money left at the end is worth nothing
    const double factor = std::max(0.15, 1.0 - weights[w_weak_discount] * standing.weakness);
    return cost * end * factor;
}

}  // namespace jimbot
