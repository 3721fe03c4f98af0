#include "play/consumable_choice.hpp"

#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "play/public_state.hpp"
#include "rules/consumables.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

double flush_share(const Strength& s) {
    return s.type_share[hand_flush] + s.type_share[hand_straight_flush] + s.type_share[hand_flush_house] +
           s.type_share[hand_flush_five];
}

int main_suit(const Strength& s) {
    return static_cast<int>(std::max_element(s.suit_share, s.suit_share + suit_count) - s.suit_share);
}

// Hand positions in order of quality; face-down and forced cards are left out.
struct Ranked {
    std::uint8_t order[kMaxHand];
    double quality[kMaxHand];
    int count = 0;
};

template <typename Eligible> Ranked rank_hand(const BuildView& view, Eligible eligible) {
    Ranked out;
    const State& state = view.state;
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if (is_face_down(state, i) || !eligible(card)) {
            continue;
        }
        out.quality[i] = card_quality(view, card);
        int j = out.count++;
        for (; j > 0 && out.quality[out.order[j - 1]] < out.quality[i]; --j) {
            out.order[j] = out.order[j - 1];
        }
        out.order[j] = static_cast<std::uint8_t>(i);
    }
    return out;
}

// The best (or the worst) `most` of the eligible cards; worth in proportion to how many there are.
template <typename Eligible>
Use use_on(const BuildView& view, double worth, int most, bool best, Eligible eligible) {
    const Ranked ranked = rank_hand(view, eligible);
    std::uint32_t mask = 0;
    const int count = std::min(most, ranked.count);
    for (int i = 0; i < count; ++i) {
        mask |= at(ranked.order[best ? i : ranked.count - 1 - i]);
    }
    return {count == 0 ? 0.0 : worth * count / most, mask};
}

Use change_suit(const BuildView& view, double worth, int suit) {
    const double share = flush_share(view.strength);
    if (suit != main_suit(view.strength)) {
        return {0.0, 0};
    }
    return use_on(view, worth * (0.3 + share), 3, true,
                  [&](const Card& card) { return card.suit != suit && card.enhancement != m_stone; });
}

// The left card becomes the right one.
Use copy_card(const BuildView& view, double worth) {
    const State& state = view.state;
    Use best{0.0, 0};
    for (int left = 0; left < state.hand_count; ++left) {
        for (int right = left + 1; right < state.hand_count; ++right) {
            if (is_face_down(state, left) || is_face_down(state, right)) {
                continue;
            }
            const double gain = card_quality(view, state.cards[state.hand[right]]) -
                                card_quality(view, state.cards[state.hand[left]]);
            if (worth * gain > best.worth) {
                best = {worth * gain, at(left) | at(right)};
            }
        }
    }
    return best;
}

// A planet: what the level adds to the strength of the build.
double planet_worth(const BuildView& view, int id) {
    const HandType hand = kConsumables[static_cast<std::size_t>(id)].hand;
    State raised = view.state;
    level_up(raised, hand, 1);
    const double gain =
        measure_strength(raised, view.weights, view.samples, 0.0).round_log - view.strength.round_log;
    const double played =
        static_cast<double>(view.state.hands[hand].played) / std::max<int>(4, view.state.hands_played);
    double joker_worth = 0;
    for (int i = 0; i < view.state.joker_count; ++i) {
        const Joker& joker = view.state.jokers[i];
        joker_worth += joker.debuffed() ? 0.0 : kJokerTraits[joker.id].scripted.planet_worth;
    }
    return gain + view.weights[w_planet_focus] * played + view.weights.consumable(id) + joker_worth;
}

Use use_on_cards(const BuildView& view, const ConsumableEntry& entry, double worth) {
    const ScriptedUse& use = entry.traits.scripted;
    switch (entry.traits.wish) {
    case TargetWish::suit:
        return change_suit(view, worth, entry.traits.suit);
    case TargetWish::copy:
        return copy_card(view, worth);
    default:
        return use_on(view, worth, entry.max_targets, !use.takes_worst,
                      [&](const Card& card) { return use.wants == nullptr || use.wants(card); });
    }
}

// A consumable that needs no targets.
double plain_use_worth(const BuildView& view, const ConsumableEntry& entry, double worth) {
    const auto worth_now = entry.traits.scripted.worth_now;
    return worth_now == nullptr ? worth : worth_now(view.state, worth, view.weights[w_dollar]);
}

}  // namespace

BuildView::BuildView(const State& run, const ExpertWeights& chosen, StrengthMemory* memory)
    : state(run), weights(chosen), samples(sample_deck(run, chosen, memory)),
      strength(measure_strength(run, chosen, samples, 0.0)),
      standing(assess(run, chosen, strength.round_log)), worth(build_worth(run, chosen, samples, standing)) {}

double card_quality(const BuildView& view, const Card& card) {
    if (card.enhancement == m_stone) {
        return 0.1;
    }
    const Strength& s = view.strength;
    double scored = 1e-9;
    for (const double share : s.suit_share) {
        scored += share;
    }
    const double flush = flush_share(s);
    const double suit = s.suit_share[card.suit] / scored * 4.0;  // 1: as often as any
    const double rank = s.rank_share[card.rank] / scored * kRanks;
    double quality = 0.35 * flush * suit + 0.25 * (1.0 - flush) * std::min(2.0, rank) + 0.02 * card.rank;
    quality += card.enhancement != m_none ? 0.3 : 0.0;
    quality += card.edition != e_none ? 0.4 : 0.0;
    quality += card.seal != s_none ? 0.3 : 0.0;
    return quality;
}

Use best_use(const BuildView& view, int id) {
    const double worth = view.weights.consumable(id);
    if (is_planet(id)) {
        return {planet_worth(view, id), 0};
    }
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    if (entry.max_targets == 0) {
        return {plain_use_worth(view, entry, worth), 0};
    }
    if (view.state.hand_count > 0) {
        return use_on_cards(view, entry, worth);
    }
    if (entry.traits.wish == TargetWish::suit) {
        const bool fits = entry.traits.suit == main_suit(view.strength);
        return {fits ? worth * (0.3 + flush_share(view.strength)) : 0.0, 0};
    }
    return {worth, 0};
}

bool choose_consumable(const BuildView& view, Action& action) {
    const State& state = view.state;
    for (int i = 0; i < state.consumable_count; ++i) {
        const int id = state.consumables[i].id;
        const Use use = best_use(view, id);
        action = {ActionKind::use_consumable, static_cast<std::uint8_t>(i), 0, 0, use.mask};
        const bool planet = is_planet(id);
        if ((planet || use.worth > 0) && check_action(state, action) == Refusal::none) {
            return true;
        }
        action = {ActionKind::sell_consumable, static_cast<std::uint8_t>(i), 0, 0, 0};
        if (use.worth <= 0 && state.phase == Phase::shop && check_action(state, action) == Refusal::none) {
            return true;
        }
    }
    return false;
}

}  // namespace jimbot
