// Offers: what the parts of the candidate list collect before the best are kept and described.
#pragma once

#include <cstdint>

#include "view/candidates.hpp"
#include "view/structure.hpp"

namespace jimbot {

inline constexpr int kMaxOffers = 384;

// Filled by Offers::add; left uninitialized until then because most entries are never used.
struct Offer {
    Candidate candidate;
    std::uint32_t rank;  // its place among its kind; the first of every kind are kept before the second
    std::int16_t ids[2];
    std::uint8_t hand;  // poker hand it is about; hand_types: none
    std::uint8_t edition;
    bool scored;  // the scores below are those of a play, or of the best play afterwards
    double worst;
    double mean;
    double best;
    int money;  // change of money
};

// What all parts need to know.
struct Table {
    Table(const State& s, int most) : state(s), rules(poker_rules(s)), limit(most) {
        read_shape(s, s.hand, s.hand_count, rules, shape);
    }

    const State& state;
    PokerRules rules;
    HandShape shape;
    int limit;               // K
    double need = 1;         // what is still missing to the target
    std::uint32_t best = 0;  // the play with the highest mean, and that mean
    double best_mean = 0;
};

class Offers {
public:
    Offers() {}  // NOLINT(modernize-use-equals-default): lists are not to be filled with zeros

    // The next offer of an action, to be filled in; null if the list is full.
    Offer* add(const Action& action, std::uint32_t rank) {
        if (count == kMaxOffers) {
            return nullptr;
        }
        Offer& offer = list[count++];
        offer.candidate.before = {ActionKind::count, 0, 0, 0, 0};
        offer.candidate.action = action;
        offer.rank = rank;
        offer.ids[0] = offer.ids[1] = 0;
        offer.hand = hand_types;
        offer.edition = e_none;
        offer.scored = false;
        offer.worst = offer.mean = offer.best = 0;
        offer.money = 0;
        return &offer;
    }

    union {
        Offer list[kMaxOffers];
    };
    union {
        std::uint64_t keys[kMaxOffers];  // to sort them by
    };
    int count = 0;
};

inline Action action_at(ActionKind kind, int position, std::uint32_t mask = 0) {
    return {kind, static_cast<std::uint8_t>(position), 0, 0, mask};
}

void offer_plays(Table& table, Offers& offers);
void offer_discards(const Table& table, Offers& offers);
// Shop, pack, blind choice, sales.
void offer_choices(const Table& table, Offers& offers);
// A consumable with its sensible targets; `kind` says where it is taken from.
void offer_uses(const Table& table, ActionKind kind, int position, int id, int money, Offers& offers);
// Orders of jokers and hand cards that raise the best play.
void offer_orders(const Table& table, Offers& offers);

}  // namespace jimbot
