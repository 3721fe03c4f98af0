// The parts of preview_all: what is computed once per hand, and how a play is read.
#pragma once

#include "catalog/joker_traits.hpp"
#include "core/state.hpp"
#include "rules/packed_hand.hpp"
#include "rules/poker.hpp"
#include "rules/scoring.hpp"
#include "view/preview_all.hpp"

namespace jimbot {

inline constexpr int kMaxComposedHand = 14;
inline constexpr int kMaxStageOps = 32;

// As ScoreMap, but left uninitialized: most are never written.
struct ComposedMap {
    double chips;
    double factor;
    double mult;
};

// The joker stage for all plays that look alike to it.
struct JokerStage {
    std::uint32_t key;
    bool rolls;
    int count;
    ComposedMap ops[kMaxStageOps];
};

struct Composer {
    // For hooks to run on, restored after use. Copied when one runs: plain builds have none.
    union {
        State scratch;
    };
    bool copied = false;
    const State& state;
    const JokerTraitsTable& traits;
    PokerRules rules{};
    int odds = 1;
    int hand = 0;
    std::uint32_t whole_hand = 0;
    // What some joker reads (see Reads).
    bool first_card_matters = false;
    bool first_face_matters = false;
    bool money_matters = false;
    bool count_matters = false;
    bool faces_matter = false;
    std::uint32_t forced = 0;
    std::int16_t abilities[kMaxJokers] = {};
    bool some_react_to_jokers = false;
    bool some_react_to_held = false;
    bool some_react_to_played = false;
    bool cards_alone = false;  // neither jokers nor consumables have a say

    // By card and variant: 1 = first scoring card, 2 = first scoring face. Not filled in for debuffed cards.
    ComposedMap played[kMaxComposedHand][4];
    bool rolls[kMaxComposedHand][4];
    ComposedMap held[kMaxComposedHand];  // of those that are active
    std::uint32_t held_active = 0;
    std::uint32_t held_rolls = 0;
    std::uint32_t debuffed = 0;
    std::uint32_t faces = 0;
    std::uint32_t stones = 0;
    std::uint32_t by_rank[kAce + 1] = {};
    std::uint64_t rank_unit[kMaxComposedHand] = {};  // a nibble per rank
    std::uint32_t suit_unit[kMaxComposedHand] = {};  // a byte per suit
    double base_chips[hand_types];
    double base_mult[hand_types];

    JokerStage stages[16];
    int stage_count = 0;
    const JokerStage* last_stage = nullptr;

    // Scores computed before, by what they depend on if no held card has an effect.
    bool remembers = false;
    bool boss_may_block = false;
    bool held_at_risk = false;    // the blind discards held cards at random (The Hook)
    std::uint32_t memo_key[256];  // filled when `remembers` is set
    double memo_score[256];
    bool memo_rolls[256];

    // What each card scores alone, and with it every High Card whose highest card it is.
    bool knows_high_cards = false;
    PlayPreview high_card[kMaxComposedHand];

    explicit Composer(const State& s, const JokerTraitsTable& t = kJokerTraits) : state(s), traits(t) {}
    Composer(const Composer&) = delete;
    Composer& operator=(const Composer&) = delete;

    State& workspace() {
        if (!copied) {
            scratch = state;
            --scratch.round.hands_left;
            copied = true;
        }
        return scratch;
    }
};

// Computes what cards and jokers do; false if the run does not compose and needs preview_each.
bool set_up_composer(Composer& c);

// Whether a play's score depends only on which cards score as which poker hand: not on held cards, the number
// of cards or the boss, and no card scores beside the hand.
bool hand_decides(const Composer& c);

// The preview of one play, or of all (returning how many), with a composer that is set up.
PlayPreview preview_composed(Composer& c, std::uint32_t mask);
int preview_composed(Composer& c, PlayPreview* out);

// Reads a play: hand positions score. `ranks` and `suits` are the sums of its cards' units.
Read read_play(const Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits);

// Prepares recording on the composer's scratch state.
void prepare_record(const Composer& c, Scoring& scoring, ScoreRecord& record);

}  // namespace jimbot
