// Everything the game contains, one table entry each. Tables are indexed by the ids of core/ids.hpp; entry 0 is
// the empty one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "catalog/blind_traits.hpp"
#include "catalog/consumable_traits.hpp"
#include "catalog/hooks.hpp"
#include "catalog/joker_passive.hpp"
#include "catalog/joker_traits.hpp"
#include "catalog/vouchers.hpp"
#include "core/ids.hpp"
#include "core/state.hpp"

namespace jimbot {

enum class Rarity : std::uint8_t { common, uncommon, rare, legendary };

// Jokers that the run itself lets in or keeps out.
enum class PoolGate : std::uint8_t { none, before_extinction, after_extinction };

struct JokerEntry {
    std::string_view key;
    std::string_view name;
    Rarity rarity = Rarity::common;
    std::uint8_t cost = 0;
    bool copyable = true;
    bool can_be_eternal = true;
    bool can_be_perishable = true;
    bool unlocked_at_start = true;
    EnhancementId needs_in_deck = m_none;
    PoolGate gate = PoolGate::none;
    double start_value = 0;  // Joker::value of a new one
    std::int32_t start_counter = 0;
    std::int16_t hand_size = 0;  // standing modifiers while owned and not debuffed
    std::int16_t discards = 0;
    std::int16_t hands = 0;
    JokerPassive passive = {};
    JokerHooks hooks = {};
    JokerTraits traits = {};  // as declared; kJokerTraits has them resolved
};

enum class ConsumableKind : std::uint8_t { tarot, planet, spectral };

struct ConsumableEntry {
    std::string_view key;
    std::string_view name;
    ConsumableKind kind = ConsumableKind::tarot;
    std::uint8_t cost = 0;
    HandType hand = hand_types;  // the hand a planet raises
    bool in_pool = true;
    std::uint8_t min_targets = 0;  // hand cards to select
    std::uint8_t max_targets = 0;
    // More than the number of targets must hold: `mask` are hand positions, `free_slots` free consumable slots.
    bool (*usable)(const State&, std::uint32_t mask, int free_slots) = nullptr;
    // `targets` are card indices, left to right. Planets need none: their hand is raised.
    void (*use)(State&, const std::uint8_t* targets, int count) = nullptr;
    ConsumableTraits traits = {};
};

// When a held tag acts.
enum class TagTiming : std::uint8_t {
    immediate,
    new_blind_choice,
    round_start_bonus,
    shop_start,
    store_joker_create,
    store_joker_modify,
    shop_final_pass,
    voucher_add,
    tag_add,
    eval,
};

struct TagEntry {
    std::string_view key;
    std::string_view name;
    std::uint8_t min_ante = 1;
    TagTiming timing = TagTiming::immediate;
    bool discovered_at_start = true;
    PackId pack = p_none;        // new_blind_choice: the pack it opens
    EditionId edition = e_none;  // store_joker_modify: what it puts on the joker
    std::uint8_t dollars = 0;    // eval: what it pays
    bool has_hand = false;       // it uses the poker hand drawn for its blind, and tells it
    // What it does at its moment, where the fields above do not say it.
    void (*apply)(State&, Tag) = nullptr;
    // store_joker_create: fills a shop slot; false if it has nothing to offer.
    bool (*create_joker)(State&, Item&) = nullptr;
    double worth = 0;  // to the scripted player: the default of its weight
};

enum class BlindKind : std::uint8_t { small, big, boss, showdown };

struct BlindEntry {
    std::string_view key;
    std::string_view name;
    BlindKind kind = BlindKind::small;
    double score_multiplier = 1;
    std::uint8_t reward = 0;
    std::uint8_t min_ante = 1;
    std::int8_t hand_size = 0;  // while it is played and not disabled, as is everything below
    std::uint8_t draws = 0;     // cards drawn after a play or discard; 0: up to the hand size
    bool lowers_level = false;  // of every hand played, before it scores
    bool halves_base = false;   // chips and mult of the hand type
    bool forces_card = false;   // some hand card must be part of every selection
    BlindHooks hooks = {};
    BlindTraits traits = {};
};

enum class PackKind : std::uint8_t { arcana, celestial, standard, buffoon, spectral };

struct PackEntry {
    std::string_view key;
    std::string_view name;
    PackKind kind = PackKind::arcana;
    double weight = 0;
    std::uint8_t cards = 0;
    std::uint8_t choose = 0;
    std::uint8_t cost = 0;
};

struct DeckEntry {
    std::string_view key;
    std::string_view name;
    std::array<VoucherId, 3> vouchers = {};
    std::array<ConsumableId, 2> consumables = {};
    std::int8_t hands = 0;  // changes to the starting values
    std::int8_t discards = 0;
    std::int8_t hand_size = 0;
    std::int8_t joker_slots = 0;
    std::int8_t consumable_slots = 0;
    std::int8_t money = 0;
    bool selectable = true;
    bool pays_interest = true;
    std::uint8_t dollars_per_hand = 1;     // left at the end of a round
    std::uint8_t dollars_per_discard = 0;  // likewise
    TagId boss_tag = tag_none;             // gained for every beaten boss
    double spectral_rate = 0;              // weight of spectral cards in shops
    double target_factor = 1;              // of every blind's target
    bool balances_score = false;           // chips and mult are averaged before they are multiplied
    bool has_faces = true;                 // the deck's cards
    bool has_two_suits = false;
    bool has_random_cards = false;
};

struct ChallengeJoker {
    JokerId id = j_none;
    std::uint8_t stickers = 0;
    EditionId edition = e_none;
};

// Values a challenge starts with instead of the usual ones; -1 leaves the usual one.
struct ChallengeStart {
    std::int8_t hands = -1;
    std::int8_t discards = -1;
    std::int8_t hand_size = -1;
    std::int8_t joker_slots = -1;
    std::int8_t money = -1;
};

struct ChallengeEntry {
    std::string_view key;
    std::string_view name;
    std::uint16_t rules = 0;  // ChallengeRule bits
    ChallengeStart start = {};
    std::array<ChallengeJoker, 5> jokers = {};
    std::array<ConsumableId, 2> consumables = {};
    std::array<VoucherId, 2> vouchers = {};
    std::array<JokerId, 11> banned_jokers = {};
    std::array<ConsumableId, 10> banned_consumables = {};
    std::array<VoucherId, 2> banned_vouchers = {};
    std::uint32_t banned_packs = 0;  // bits, id - 1
    std::uint32_t banned_tags = 0;
    std::uint32_t banned_blinds = 0;
    std::array<std::uint8_t, 15> copies_of_rank = {};  // per suit, by rank; all zero: the usual deck
    EnhancementId deck_enhancement = m_none;
    bool enhances_faces_only = false;
    SealId deck_seal = s_none;
};

struct StakeEntry {
    std::string_view key;
    std::string_view name;
};

struct PokerHandEntry {
    std::string_view name;
    std::uint8_t chips;
    std::uint8_t mult;
    std::uint8_t level_chips;
    std::uint8_t level_mult;
    bool visible_at_start;
    ConsumableId planet;
};

extern const std::array<JokerEntry, j_end> kJokers;
extern const std::array<ConsumableEntry, c_end> kConsumables;
extern const std::array<TagEntry, tag_end> kTagEntries;
extern const std::array<BlindEntry, bl_end> kBlinds;
extern const std::array<PackEntry, p_end> kPacks;
extern const std::array<DeckEntry, b_end> kDecks;
extern const std::array<ChallengeEntry, 21> kChallenges;  // 1..20
extern const std::array<StakeEntry, 9> kStakes;           // by level, 1..8
extern const std::array<PokerHandEntry, hand_types> kPokerHands;
extern const std::array<std::string_view, m_end> kEnhancementKeys;
extern const std::array<std::string_view, e_end> kEditionNames;
extern const std::array<std::string_view, s_end> kSealNames;

// State keeps sets of these as bits of one word each.
static_assert(v_end - 1 <= 32 && tag_end - 1 <= 32 && bl_end - 1 <= 32 && p_end - 1 <= 32 && kPlanets <= 16);

// Whether a joker has a poker hand of its own (To Do List): Joker::hand means something.
inline bool has_own_hand(int joker_id) { return kJokers[static_cast<std::size_t>(joker_id)].hooks.draw_hand != nullptr; }

// Where a joker or consumable stands in its pool.
struct PoolPlace {
    Pool pool;
    std::uint8_t index;
};
extern const std::array<PoolPlace, j_end> kJokerPlaces;

constexpr PoolPlace consumable_place(int id) {
    if (is_tarot(id)) {
        return {Pool::tarot, static_cast<std::uint8_t>(id - c_fool)};
    }
    if (is_planet(id)) {
        return {Pool::planet, static_cast<std::uint8_t>(id - c_mercury)};
    }
    return {Pool::spectral, static_cast<std::uint8_t>(id - c_familiar)};
}

// The joker or consumable at a place of a pool, and the pool's length. State::existing has a bit per place.
inline constexpr int kLongestPool = 64;
using PoolMembers = std::array<std::array<std::uint8_t, kLongestPool>, kPools>;
extern const PoolMembers kPoolMembers;
extern const std::array<std::uint8_t, kPools> kPoolLengths;

}  // namespace jimbot
