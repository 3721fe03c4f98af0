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

bool plain(const Card& card) { return card.enhancement == m_none; }

Use change_suit(const BuildView& view, double worth, int suit) {
    const double share = flush_share(view.strength);
    if (suit != main_suit(view.strength)) {
        return {0.0, 0};
    }
    return use_on(view, worth * (0.3 + share), 3, true,
                  [&](const Card& card) { return card.suit != suit && card.enhancement != m_stone; });
}

// Death: the left card becomes the right one.
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

double dollars(const BuildView& view, double amount) { return view.weights[w_dollar] * amount; }

Use use_on_cards(const BuildView& view, int id, double worth) {
    const auto any = [](const Card&) { return true; };
    switch (id) {
    case c_magician:
    case c_empress:
    case c_heirophant:
        return use_on(view, worth, 2, true, plain);
    case c_lovers:
    case c_justice:
        return use_on(view, worth, 1, true, plain);
    case c_chariot:
    case c_devil:
        return use_on(view, worth, 1, false,
                      [](const Card& card) { return plain(card) && card.seal == s_none; });
    case c_tower:
        return use_on(view, worth, 1, false, plain);
    case c_strength:
        return use_on(view, worth, 2, true,
                      [](const Card& card) { return card.rank != kAce && card.enhancement != m_stone; });
    case c_hanged_man:
        return use_on(view, worth, 2, false,
                      [](const Card& card) { return plain(card) && card.seal == s_none; });
    case c_death:
        return copy_card(view, worth);
    case c_star:
        return change_suit(view, worth, suit_diamonds);
    case c_moon:
        return change_suit(view, worth, suit_clubs);
    case c_sun:
        return change_suit(view, worth, suit_hearts);
    case c_world:
        return change_suit(view, worth, suit_spades);
    case c_talisman:
    case c_deja_vu:
    case c_trance:
    case c_medium:
        return use_on(view, worth, 1, true, [](const Card& card) { return card.seal == s_none; });
    case c_aura:
        return use_on(view, worth, 1, true, [](const Card& card) { return card.edition == e_none; });
    case c_cryptid:
        return use_on(view, worth, 1, true, any);
    default:
        return {worth, 0};
    }
}

// A consumable that needs no targets.
double plain_use_worth(const BuildView& view, int id, double worth) {
    const State& state = view.state;
    switch (id) {
    case c_hermit:
        return dollars(view, std::clamp(state.money, 0, 20)) - (state.money < 10 ? 0.15 : 0.0) + worth;
    case c_temperance: {
        int total = 0;
        for (int i = 0; i < state.joker_count; ++i) {
            total += sell_value(state, state.jokers[i]);
        }
        return dollars(view, std::min(50, total)) - 0.1 + worth;
    }
    case c_hex:
    case c_ankh:
        return state.joker_count == 1 ? worth + 0.5 : worth - 2.0;
    case c_wraith:
        return worth - dollars(view, std::max(0, state.money));
    case c_immolate:
        return worth + dollars(view, 20);
    case c_ectoplasm:
        return worth - 0.2 * state.ectoplasms;
    case c_fool:
        return state.last_consumable == c_none || state.last_consumable == c_fool ? 0.0 : worth;
    default:
        return worth;
    }
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
    if (kConsumables[static_cast<std::size_t>(id)].max_targets == 0) {
        return {plain_use_worth(view, id, worth), 0};
    }
    if (view.state.hand_count > 0) {
        return use_on_cards(view, id, worth);
    }
    const bool suit_card = id >= c_star && id <= c_world && id != c_judgement;
    const int suit = id == c_star   ? suit_diamonds
                     : id == c_moon ? suit_clubs
                     : id == c_sun  ? suit_hearts
                                    : suit_spades;
    if (suit_card) {
        return {suit == main_suit(view.strength) ? worth * (0.3 + flush_share(view.strength)) : 0.0, 0};
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
