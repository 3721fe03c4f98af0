// What others have to know about a joker besides its effect: previews and memo keys, which must not miss anything
// its score depends on, the candidate list, and the scripted player.
//
// Defaults are safe: a joker that declares nothing is previewed play by play, every remembered strength is keyed by
// the whole run, and orders of the joker row are tried. That is slow but right. Jokers without a hook that runs
// while a hand is scored need not declare anything about scores (see resolve_traits).
#pragma once

#include <array>
#include <cstdint>

#include "catalog/hooks.hpp"
#include "catalog/joker_passive.hpp"
#include "core/ids.hpp"
#include "core/state.hpp"

namespace jimbot {

// What a joker's effect on chips, mult and money depends on, as bits. Three things need no bit: the card that a hook
// is given, the build (jokers, full deck, levels, vouchers, and how often things were played, used and skipped), and
// the hands and discards left. What a hook does to the score of later hands does not count either.
enum class Reads : std::uint16_t {
    nothing = 0,
    hand_type = 1 << 0,     // the poker hand, what it contains, how often it was played
    played_count = 1 << 1,  // the number of cards played
    scoring_face = 1 << 2,  // whether a face card scores
    first_card = 1 << 3,    // which card scores first
    first_face = 1 << 4,    // which face card scores first
    money = 1 << 5,
    targets = 1 << 6,       // the round's target rank and suits (The Idol, Ancient Joker)
    rest_of_play = 1 << 7,  // the cards as a group, or what the hand has changed so far: cards, levels, own values
    rest_of_run = 1 << 8,   // anything else of the run, such as the ante; the same for all plays of a hand
    anything = 0xffff,
};

constexpr Reads operator|(Reads a, Reads b) { return static_cast<Reads>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }

// Whether any of the bits of `some` is among `all`.
constexpr bool reads_any(Reads all, Reads some) { return (static_cast<unsigned>(all) & static_cast<unsigned>(some)) != 0; }

// Whether and when a joker multiplies mult. If it does, what adds should stand left of it.
enum class Multiplies : std::uint8_t {
    unknown,  // may multiply: moving it is worth a try
    never,
    per_card,        // for each scoring or held card: matters to jokers that act on the same card
    in_joker_stage,  // once the cards are done: matters to all jokers and editions of that stage
};

// Cards a joker rewards for being discarded.
enum class WantedDiscards : std::uint8_t { none, target_rank, target_suit, jacks, faces, single_card };

// How the scripted player's hand model treats a joker. Running its hooks is right for whatever depends on one card
// or on the hand type; the other rules are for effects that depend on several cards.
enum class ModelRule : std::uint8_t {
    run_hooks,
    held_all_black,        // X3 if every held card is a Club or a Spade
    all_suits_score,       // X3 if the scoring cards show all suits
    club_and_other_score,  // X2 if the scoring cards show a Club and another suit
    face_scores,           // X2 once if a face card scores
    lowest_held_rank,      // mult of twice the chips of the lowest held rank
    first_card_again,      // the first scoring card scores twice more
    count,
};

// A play or a discard that the scripted player considers.
struct PlayMade {
    HandType type;
    int cards;
    bool face;  // a face card is played
};

struct DiscardMade {
    int cards;
    int faces;
    bool first;  // of the round
};

// Worth beside the score: steps of growth of a scaling joker, and Gold cards held at the end of a round. The
// weights `growth` and `held_gold` say what one of each is worth.
struct SideWorth {
    double growth = 0;
    double gold = 0;
};

// What the scripted player thinks of a joker. A joker that declares nothing is valued by what it scores now.
struct ScriptedTraits {
    double worth = 0;  // default of its weight: worth beyond strength and income
    ModelRule model = ModelRule::run_hooks;

    // A round of ordinary play: about two and a half hands and two discards of four cards, a tarot or planet every
    // other round, a sale now and then.
    double growth_per_round = 0;                             // of Joker::value
    double (*growth)(const State&) = nullptr;                // instead, where it depends on the run
    double gone_at = 0;                                      // a shrinking joker is gone at this value
    double counter_loss_per_round = 0;                       // of Joker::counter; gone when nothing is left
    double usual_value = 0;                                  // of a value that starts anew every round
    double income_per_round = 0;                             // dollars
    double (*income)(const State&, const Joker&) = nullptr;  // instead, where it depends on the run

    // Steps by which a play lets it grow, and whether they depend on the number of cards played.
    double (*play_growth)(const Joker&, const PlayMade&) = nullptr;
    bool growth_counts_cards = false;
    SideWorth (*discard_worth)(const DiscardMade&) = nullptr;

    std::int16_t hands_when_selected = 0;  // gained when a blind is selected
    bool loses_discards_when_selected = false;
    bool disables_boss_when_sold = false;
    bool destroys_right_neighbor = false;  // stands last
    double planet_worth = 0;               // what using a planet adds
};

struct JokerTraits {
    Reads reads = Reads::anything;
    // Whether it changes no score in this state, with every chance at its worst: `reads` is of no account then. Null: never.
    bool (*idle)(const State&) = nullptr;
    Multiplies multiplies = Multiplies::unknown;
    WantedDiscards wanted_discards = WantedDiscards::none;
    ScriptedTraits scripted = {};
};

// The three usual kinds: a joker that adds, that multiplies once the cards are done, that multiplies per card.
constexpr JokerTraits adds(Reads reads, ScriptedTraits scripted = {}) { return {.reads = reads, .multiplies = Multiplies::never, .scripted = scripted}; }
constexpr JokerTraits multiplies(Reads reads, ScriptedTraits scripted = {}) { return {.reads = reads, .multiplies = Multiplies::in_joker_stage, .scripted = scripted}; }
constexpr JokerTraits multiplies_per_card(Reads reads, ScriptedTraits scripted = {}) { return {.reads = reads, .multiplies = Multiplies::per_card, .scripted = scripted}; }

// Traits with what follows from the rest of the entry filled in.
struct ResolvedTraits : JokerTraits {
    bool scores = false;         // a copy of it can change a score
    bool acts_on_cards = false;  // on scoring or held cards, one at a time
    Copies copies = Copies::never;
};

// Whether a joker has a hook that runs while a hand is scored. Hooks that run at other times are named here; one
// that is not named counts, which is safe.
constexpr bool has_scoring_hooks(JokerHooks hooks) {
    hooks.created = nullptr;
    hooks.duplicated = nullptr;
    hooks.draw_hand = nullptr;
    hooks.gained = nullptr;
    hooks.destroys = nullptr;
    hooks.after = nullptr;
    hooks.blocked = nullptr;
    hooks.blind_selected = nullptr;
    hooks.first_hand = nullptr;
    hooks.pre_discard = nullptr;
    hooks.discard = nullptr;
    hooks.saves_run = nullptr;
    hooks.end_of_round = nullptr;
    hooks.payout = nullptr;
    hooks.consumable_used = nullptr;
    hooks.cards_added = nullptr;
    hooks.card_sold = nullptr;
    hooks.self_sold = nullptr;
    hooks.rerolled = nullptr;
    hooks.shop_left = nullptr;
    hooks.pack_opened = nullptr;
    hooks.pack_skipped = nullptr;
    hooks.cards_destroyed = nullptr;
    return hooks != JokerHooks{};
}

// Fills in what follows from the rest of the entry: a joker that has none for scoring reads nothing and multiplies nothing.
constexpr ResolvedTraits resolve_traits(const JokerTraits& declared, const JokerPassive& passive, const JokerHooks& hooks) {
    ResolvedTraits traits{declared};
    const bool scores = has_scoring_hooks(hooks);
    if (!scores) {
        traits.reads = declared.reads == Reads::anything ? Reads::nothing : declared.reads;
        traits.multiplies = declared.multiplies == Multiplies::unknown ? Multiplies::never : declared.multiplies;
    }
    JokerHooks on_cards = hooks;
    on_cards.before = nullptr;
    on_cards.main = nullptr;
    on_cards.other = nullptr;
    traits.scores = scores || passive.held_retriggers > 0;
    traits.acts_on_cards = has_scoring_hooks(on_cards) || passive.held_retriggers > 0;
    traits.copies = passive.copies;
    return traits;
}

// By joker id. Previews and measurements take such a table, so that tests can leave traits out.
using JokerTraitsTable = std::array<ResolvedTraits, j_end>;
extern const JokerTraitsTable kJokerTraits;

}  // namespace jimbot
