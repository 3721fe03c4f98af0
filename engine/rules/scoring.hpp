// Scoring one poker hand.
#pragma once

#include <vector>

#include "catalog/hooks.hpp"
#include "core/state.hpp"
#include "rules/poker.hpp"

namespace jimbot {

// How chance outcomes are decided: by the run's streams, or, for previews, always badly, always well, or at
// its mean.
enum class Outcomes : std::uint8_t { streams, worst, best, mean };

// What chips and mult come to. Nothing times infinity is nothing.
double final_score(double chips, double mult);

// One line of a scoring breakdown.
struct ScoreStep {
    enum class Who : std::uint8_t { base, played_card, held_card, joker, consumable, deck, blind } who;
    int index;  // card or joker position
    const char* what;
    double amount;
    double chips;
    double mult;
};

// What a part of scoring does: chips + `chips`, and mult * `factor` + `mult`. Parts compose into one.
struct ScoreMap {
    double chips = 0;
    double factor = 1;
    double mult = 0;
};

// One change of chips or mult, in the order it happens.
struct ScoreOp {
    enum class Kind : std::uint8_t { chips, mult, factor } kind;
    double amount;
};

inline constexpr int kMaxScoreOps = 64;

// Collects what scoring does instead of doing it, for previews of many hands at once.
struct ScoreRecord {
    ScoreMap map;               // everything composed
    ScoreOp ops[kMaxScoreOps];  // everything in order
    int op_count = 0;
    bool paid = false;      // money was earned on the way
    bool too_long = false;  // more operations than fit: the list is not complete
};

struct Scoring {
    State& state;
    Outcomes outcomes;
    std::vector<ScoreStep>* trace;
    ScoreRecord* record = nullptr;

    double chips = 0;
    double mult = 0;
    double score = 0;
    PokerHand hand{};
    std::uint8_t played[kMaxPlayed];  // card indices, left to right
    int played_count = 0;
    bool blocked = false;
    bool rolled = false;      // some chance was rolled
    double lucky_weight = 0;  // how far the card's last trigger was a lucky success
    int first_face = -1;      // position of the first scoring face card
    int money_before = 0;     // before any earnings of this hand
    int odds = 1;
    PokerRules rules{};
    Moment moment;               // what jokers decided; carried out when the hand is over
    std::uint8_t destroyed = 0;  // played positions that are destroyed
    ScoreStep::Who who = ScoreStep::Who::base;
    int index = 0;
    std::int16_t abilities[kMaxJokers];  // per position the joker whose ability it has, -1 for none
    bool some_react_to_jokers = false;   // an ability answers other jokers
    bool some_react_to_held = false;     // an ability answers held cards
    bool some_react_to_played = false;   // an ability answers scoring cards
    bool some_destroy_cards = false;     // an ability may destroy scoring cards

    explicit Scoring(State& scored, Outcomes with = Outcomes::streams,
                     std::vector<ScoreStep>* steps = nullptr)
        : state(scored), outcomes(with), trace(steps) {}

    bool scores(int position) const { return ((hand.scoring >> position) & 1) != 0; }
    bool contains(HandType type) const { return ((hand.contains >> type) & 1) != 0; }
    Card& card(int position) { return state.cards[played[position]]; }
    const Card& card(int position) const { return state.cards[played[position]]; }

    bool is_face(const Card& card) const;
    bool is_suit(const Card& card, int suit) const;

    // 1 if the chance 1 in `one_in` comes off, 0 if not; the probability itself when outcomes are at their
    // mean.
    double chance(Stream stream, int one_in);

    void add_chips(double amount, const char* what = "chips");
    void add_mult(double amount, const char* what = "mult");
    void times_mult(double factor, const char* what = "xmult");
    void pay(int dollars);
};

// The stages of score_hand, for previews. Each needs what the ones before it set up.
namespace stages {

// Which abilities the jokers have; they keep them for the whole hand.
void find_abilities(Scoring& scoring);
// Rules, odds, hand type and its counters.
void read(Scoring& scoring);
// The blind's check; true if it blocks the hand.
bool blind_blocks(Scoring& scoring);
void before(Scoring& scoring);
void find_first_face(Scoring& scoring);
// Base chips and mult of the hand type, The Flint included.
void read_base(Scoring& scoring);
// How often the scoring card at a position triggers, and all its triggers.
int played_triggers(Scoring& scoring, int position);
void played_card(Scoring& scoring, int position, int triggers);
void held_card(Scoring& scoring, int position);
void jokers(Scoring& scoring);
void consumables(Scoring& scoring);

}  // namespace stages

// Scores the cards at these indices (already out of the hand; the hand holds the rest). Growth, creations and
// money go into the state; the caller carries out `moment` and removes the played positions in `destroyed`.
void score_hand(Scoring& scoring);

}  // namespace jimbot
