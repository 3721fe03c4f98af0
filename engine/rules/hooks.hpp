// The moments a joker can answer. Every hook gets the joker whose ability runs; when Blueprint or Brainstorm
// runs it, `copy` is true and the hook must leave the joker's own bookkeeping alone.
#pragma once

#include "core/state.hpp"

namespace jimbot {

struct Scoring;

struct Turn {
    State& state;
    Joker& joker;  // whose ability and stored values these are
    int position;  // of the acting joker (the copier, when copied)
    bool copy;
    std::uint32_t& doomed;  // joker positions to destroy when the moment is over
    int& reserved;  // joker slots spoken for (Riff-Raff) less those given up (Ceremonial Dagger) at this
                    // moment

    void destroy_self() { doomed |= std::uint32_t{1} << position; }
};

enum class DestroyedBy : std::uint8_t { scoring, discard, hanged_man, other_consumable };

struct DiscardView {
    const std::uint8_t* cards;  // card indices, left to right
    int count;
    int position;
    bool by_boss;  // The Hook
};

struct JokerHooks {
    void (*before)(Scoring&, Turn&) = nullptr;
    void (*played)(Scoring&, Turn&, Card&, int position) = nullptr;
    bool (*held)(Scoring&, Turn&, Card&, int position) = nullptr;  // true if it had an effect
    int (*retrigger)(const Scoring&, const Joker&, const Card&, int position) = nullptr;
    void (*main)(Scoring&, Turn&) = nullptr;
    void (*other)(Scoring&, Turn&, const Joker& other) = nullptr;
    void (*after)(Scoring&, Turn&) = nullptr;
    void (*blocked)(Scoring&, Turn&) = nullptr;
    void (*blind_selected)(Turn&) = nullptr;
    void (*first_hand)(Turn&) = nullptr;
    void (*pre_discard)(Turn&, const DiscardView&) = nullptr;
    bool (*discard)(Turn&, Card&, const DiscardView&) = nullptr;  // true: the card is destroyed
    void (*end_of_round)(Turn&, bool boss) = nullptr;
    int (*payout)(const State&, const Joker&) = nullptr;
    void (*consumable_used)(Turn&, int id) = nullptr;
    void (*cards_added)(Turn&, int count) = nullptr;
    void (*card_sold)(Turn&) = nullptr;
    void (*self_sold)(Turn&) = nullptr;
    void (*rerolled)(Turn&) = nullptr;
    void (*shop_left)(Turn&) = nullptr;
    void (*pack_opened)(Turn&) = nullptr;
    void (*pack_skipped)(Turn&) = nullptr;
    void (*cards_destroyed)(Turn&, const Card* cards, int count, DestroyedBy by) = nullptr;

    bool operator==(const JokerHooks&) const = default;
};

}  // namespace jimbot
