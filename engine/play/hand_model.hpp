// What cards and jokers do to a score, computed once and then composed: a fast estimate of the best play of
// any set of cards. It serves the thousands of hands that might be drawn; plays to be made are previewed.
#pragma once

#include <cstdint>

#include "catalog/joker_traits.hpp"
#include "core/state.hpp"
#include "rules/poker.hpp"

namespace jimbot {

inline constexpr int kMaxModelHand = 24;

// What one card does when it scores and when it is held: mult is multiplied first, then added to.
struct ModelCard {
    double chips;
    double factor;
    double mult;
    double held_factor;
    double held_mult;
    double worth;        // for choosing between cards that serve equally
    std::uint8_t place;  // among all cards by worth, the worthiest first
    std::uint8_t rank;   // 0: none (Stone)
    std::uint8_t suits;  // a bit per suit it is a flush card of
    bool face;
    bool glass;
};

// Base values of a hand type and what the jokers do to a play of it.
struct ModelStage {
    double base_chips;
    double base_mult;
    double chips;
    double factor;
    double mult;
};

// What the cards of a deck have in common.
struct DeckSummary {
    std::uint64_t card_key = 0;   // of everything the cards were worked out from; 0: not known
    std::uint64_t order_key = 0;  // the same, and of what decides their order
    // Of a card, and how many cards multiply at all, when they score and when they are held.
    double most_chips, most_factor, most_mult, most_held_factor, most_held_mult;
    int factors, held_factors;
    bool doubles;      // two cards share rank and suit
    bool stones;       // some card has no rank
    bool plain_cards;  // no card does more than add chips when it scores
    bool held_matters;
};

struct DeckModel : DeckSummary {
    ModelCard cards[kMaxCards];
};

// Models of decks that were worked out before; shops compare builds that differ by a joker or two.
struct DeckModels {
    static constexpr std::size_t kCount = 32;
    DeckModel slots[kCount];
};

struct HandModel : DeckModel {
    ModelStage stages[hand_types];
    double most[hand_types];     // no play of the type scores more
    double typical[hand_types];  // what a play of middling cards scores
    std::uint16_t allowed;       // hand types the boss does not refuse
    PokerRules rules;
    int hand_size;
    bool balances_score;
    bool chips_only;  // cards add chips and nothing else, and no joker looks at more than the hand's type
    // Jokers whose hooks are not run, by their rule; copies included.
    int jokers_with[static_cast<std::size_t>(ModelRule::count)];

    int with(ModelRule rule) const { return jokers_with[static_cast<std::size_t>(rule)]; }
};

// How many cards make a hand of each type.
inline constexpr int kCardsOfType[hand_types] = {5, 5, 5, 5, 4, 5, 5, 5, 3, 4, 2, 1};

// Works out `most` and `typical` from the rest of the model.
void bound_types(HandModel& model);

// The model of a run's cards and jokers. `hands_after` are the hands left once the hand in question is
// played, `discards_left` the discards left by then. Chance counts at its mean.
//
// A `deck_key` other than 0 stands for the deck and the round: a model built before with the same key, and
// with jokers that do the same to cards, keeps its cards, or takes them from those that are `known`.
void build_hand_model(HandModel& model, const State& state, int hands_after, int discards_left,
                      std::uint64_t deck_key = 0, DeckModels* known = nullptr,
                      const JokerTraitsTable& traits = kJokerTraits);

// The hand types that the blind being played lets five cards score, a bit each.
std::uint16_t allowed_types(const State& state);

struct BestPlay {
    double score = 0;
    HandType type = hand_high_card;
    std::uint32_t mask = 0;  // places in the list given
};

// Cards in order, the worthiest first. They stay so for every model with the same order. A mask has a bit per
// card in this order.
struct SortedHand {
    static constexpr int kMostOfRank = kMaxPlayed;
    std::uint8_t cards[kMaxModelHand];
    std::uint8_t given[kMaxModelHand];   // where each card stood in the list given
    std::uint8_t sorted[kMaxModelHand];  // where each card of the list given stands now
    int count;
    std::uint32_t stones;
    std::uint32_t with[kMostOfRank + 1];  // a bit per rank (not per card) that has so many cards or more
    std::uint32_t of_rank[kAce + 1];
    std::uint32_t of_suit[suit_count];
};

// All cards of these ranks (a bit per rank), and the worthiest card of each that is in a mask; for the latter
// the Ace is also rank 1.
std::uint32_t cards_of_ranks(const SortedHand& hand, std::uint32_t ranks);
std::uint32_t one_of_each(const SortedHand& hand, std::uint32_t ranks, std::uint32_t mask);

void sort_hand_cards(const HandModel& model, const std::uint8_t* cards, int count, SortedHand& out);

inline constexpr double kNeverEnough = 1e308;

// The best play; `held_limit` is the most cards a hand holds, so that a longer list (cards that discards
// would bring) does not count as held. A play that scores `enough` will do, even if there is a better one.
BestPlay best_play(const HandModel& model, const SortedHand& hand, int held_limit,
                   double enough = kNeverEnough);

// The same among `count` card indices.
BestPlay best_play(const HandModel& model, const std::uint8_t* cards, int count, int held_limit,
                   double enough = kNeverEnough);

// What to keep of a hand that falls short of `needed`, as a mask: the draw that promises most. A rule of
// thumb for discards that are still to come.
std::uint32_t promising_cards(const HandModel& model, const SortedHand& hand, double needed);

}  // namespace jimbot
