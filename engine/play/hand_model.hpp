// What cards and jokers do to a score, worked out once and then composed: a fast estimate of the best play of
// any set of cards. The play that is made at last is previewed exactly; this is for the thousands that might
// be.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "rules/poker.hpp"

namespace jimbot {

inline constexpr int kMaxModelHand = 24;

// One card: what it does when it scores and when it is held. Chips are added, mult is multiplied, then added
// to.
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

struct HandModel {
    std::uint64_t card_key = 0;   // of everything `cards` were worked out from; 0: not known
    std::uint64_t order_key = 0;  // the same, and of what decides their order
    ModelCard cards[kMaxCards];
    double most_chips, most_factor, most_mult;  // of a card
    bool doubles;                               // two cards share rank and suit
    bool plain_cards;                           // no card does more than add chips when it scores
    ModelStage stages[hand_types];
    double most[hand_types];     // no play of the type scores more
    double typical[hand_types];  // what a play of middling cards scores
    std::uint16_t allowed;       // hand types the boss does not refuse
    PokerRules rules;
    int hand_size;
    bool plasma;
    bool held_matters;
    bool chips_only;  // cards add chips and nothing else, and no joker looks at more than the hand's type
    // Jokers that look at the suits or the order of the cards: how many of each there are, copies included.
    int blackboards;
    int flower_pots;
    int seeing_doubles;
    int photographs;
    int chads;
    int raised_fists;
};

// The model of a run's cards and jokers. `hands_after` are the hands left once the hand in question is
// played, `discards_left` the discards left by then. Chance counts at its mean.
//
// A `deck_key` other than 0 stands for the deck and the round: a model built before with the same key, and
// with jokers that do the same to cards, keeps its cards.
void build_hand_model(HandModel& model, const State& state, int hands_after, int discards_left,
                      std::uint64_t deck_key = 0);

struct BestPlay {
    double score = 0;
    HandType type = hand_high_card;
    std::uint32_t mask = 0;  // positions in the list given
};

// Cards in order: by rank and by suit, the worthiest first. They stay so for every model with the same order.
struct SortedHand {
    static constexpr int kMostOfRank = kMaxPlayed;
    std::uint8_t cards[kMaxModelHand];  // as they were given
    std::uint8_t order[kMaxModelHand];
    int count;
    std::uint32_t stones;
    std::uint32_t with[kMostOfRank + 1];   // a bit per rank that has so many cards or more
    std::uint32_t suit_ranks[suit_count];  // a bit per rank present, by suit
    std::uint8_t rank_count[kAce + 1];     // at most kMostOfRank
    std::uint8_t suit_total[suit_count];
    std::uint32_t flush[suit_count];               // the best five cards of a suit
    std::uint32_t top[kMostOfRank + 1][kAce + 1];  // the best so many cards of a rank
    double worth[kMostOfRank + 1][kAce + 1];       // and what they are worth
};

void sort_hand_cards(const HandModel& model, const std::uint8_t* cards, int count, SortedHand& out);

BestPlay best_play(const HandModel& model, const SortedHand& hand, int held_limit);

// The best play among `count` card indices; `held_limit` is the most cards a hand holds, so that a longer
// list (cards that discards would bring) does not count as held.
BestPlay best_play(const HandModel& model, const std::uint8_t* cards, int count, int held_limit);

// What to keep of a hand that falls short of `needed`, as positions in the list: the draw that promises most.
// A rule of thumb for discards that are still to come.
std::uint32_t promising_cards(const HandModel& model, const std::uint8_t* cards, int count, double needed);

}  // namespace jimbot
