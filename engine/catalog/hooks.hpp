// The moments items can answer: jokers, blinds and tags. Only this header and core/ are known here, so that
// every rule may include the catalog.
#pragma once

#include "core/state.hpp"

namespace jimbot {

struct PokerRules;
struct Scoring;

// Who asks for a joker; decides the streams, whether the rarity is rolled, and whether stickers are.
enum class JokerSource : std::uint8_t {
    shop,
    buffoon_pack,
    judgement,
    soul,
    wraith,
    riff_raff,
    top_up_tag,
    rare_tag,
    uncommon_tag,
};

// What jokers decide while they answer one moment. It is carried out when all of them have answered.
struct Moment {
    std::uint32_t doomed = 0;        // joker positions to destroy
    int reserved = 0;                // joker slots spoken for, less those given up
    int ordered = 0;                 // jokers to create
    JokerSource orders[kMaxJokers];  // who asked for each of them
};

// One joker's answer. When Blueprint or Brainstorm runs an ability, `copy` is true and the hook must leave the
// joker's own bookkeeping alone.
struct Turn {
    State& state;
    Joker& joker;  // whose ability and stored values these are
    int position;  // of the acting joker (the copier, when copied)
    bool copy;
    Moment& moment;

    bool is_doomed(int at) const { return ((moment.doomed >> at) & 1) != 0; }
    void destroy(int at) { moment.doomed |= std::uint32_t{1} << at; }
    void destroy_self() { destroy(position); }
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
    bool (*destroys)(Scoring&, Turn&, const Card&) = nullptr;  // true: this scoring card is destroyed
    void (*after)(Scoring&, Turn&) = nullptr;
    void (*blocked)(Scoring&, Turn&) = nullptr;
    void (*blind_selected)(Turn&) = nullptr;
    void (*first_hand)(Turn&) = nullptr;
    void (*pre_discard)(Turn&, const DiscardView&) = nullptr;
    bool (*discard)(Turn&, Card&, const DiscardView&) = nullptr;  // true: the card is destroyed
    bool (*saves_run)(Turn&) = nullptr;                           // asked at the end of a lost round; true: the run goes on
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

    // A joker card of this kind is made, or duplicated.
    void (*created)(const State&, Joker&) = nullptr;
    void (*duplicated)(Joker& copy) = nullptr;
    HandType (*draw_hand)(State&) = nullptr;  // Joker::hand of a new one
    void (*gained)(State&) = nullptr;         // its ability arrives: the joker does, or its debuff ends

    bool operator==(const JokerHooks&) const = default;
};

// Hooks run only while the blind is played and not disabled, `disabled` at the moment it becomes so.
struct BlindHooks {
    bool (*debuffs)(const State&, const Card&, const PokerRules&) = nullptr;
    void (*selected)(State&) = nullptr;
    void (*disabled)(State&) = nullptr;
    void (*hand_played)(State&, int played_count) = nullptr;             // before scoring; the played cards have left
    bool (*blocks)(const State&, HandType, int played_count) = nullptr;  // true: the hand scores nothing
    void (*hand_read)(State&, HandType, bool blocked) = nullptr;         // the type is known, nothing has scored yet
    bool (*face_down)(State&, const Card&) = nullptr;                    // true: a card drawn now lies face down
    void (*cards_drawn)(State&) = nullptr;
    void (*joker_sold)(State&) = nullptr;
};

}  // namespace jimbot
