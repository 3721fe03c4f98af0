// The whole run in one flat, trivially copyable struct. A clone is a copy, a snapshot is a write.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cards.hpp"
#include "core/ids.hpp"
#include "core/streams.hpp"

namespace jimbot {

inline constexpr int kMaxCards = 224;  // as many as leave a run within 8 KB
inline constexpr int kMaxJokers = 20;
inline constexpr int kMaxConsumables = 16;
inline constexpr int kMaxHand = 32;
inline constexpr int kMaxTags = 24;
inline constexpr int kMaxShopSlots = 4;
inline constexpr int kMaxShopVouchers = 6;
inline constexpr int kShopPacks = 2;
inline constexpr int kMaxPackCards = 5;

// Bounds of the numbers of a run. They are far beyond what play reaches, and so small that no sum, difference
// or product that the engine makes of them overflows: an int holds twice kMaxMoney, and every longer sum is
// of numbers that are much smaller. A number that would pass its bound stays at it; snapshots and edits
// beyond a bound are refused (core/possible.cpp).
inline constexpr int kMaxMoney = 1'000'000'000;  // and as much debt
inline constexpr int kMaxLevel = 1'000'000;      // of a poker hand
inline constexpr int kMinAnte = -99;
inline constexpr int kMaxAnte = 999;           // the ante beyond which all targets are infinite is 39
inline constexpr int kMaxCount = 9'999;        // hands, discards, sizes, slots, rerolls, rounds
inline constexpr int kMaxCounter = 1'000'000;  // of a joker, and as far below zero
inline constexpr double kMaxStored = 1e300;    // value of a joker
inline constexpr std::uint32_t kMaxCreated = 3'000'000'000;  // creation numbers a snapshot may have used

// The nearest number within a bound of -kMaxCount to kMaxCount.
constexpr std::int16_t bounded_count(int value) {
    return static_cast<std::int16_t>(value < -kMaxCount ? -kMaxCount : value > kMaxCount ? kMaxCount : value);
}

// Adds one to a counter that stays at the largest number of its type.
template <typename Counter> constexpr void count_up(Counter& counter) {
    if (counter < std::numeric_limits<Counter>::max()) {
        ++counter;
    }
}

// Pools that draw from a list of keys and know what exists. One bit per entry, in pool order.
enum class Pool : std::uint8_t { common, uncommon, rare, legendary, tarot, planet, spectral, count };
inline constexpr int kPools = static_cast<int>(Pool::count);

enum class Phase : std::uint8_t { blind_select, playing, round_eval, shop, pack, game_over };

// A joker is debuffed for as long as one of the first two flags is up.
enum JokerFlag : std::uint8_t { joker_perished = 1, joker_hit_by_boss = 2, joker_face_down = 4 };

struct Joker {
    double value;  // stored Mult, Chips or Xmult
    std::uint32_t created;
    std::int32_t counter;  // stored count (hands, cards, rounds)
    std::int16_t sell_bonus;
    std::uint8_t id;
    std::uint8_t edition;
    std::uint8_t stickers;
    std::uint8_t flags;
    std::uint8_t rounds_left;  // of a perishable joker
    std::uint8_t hand;         // To Do List's target

    bool debuffed() const { return (flags & (joker_perished | joker_hit_by_boss)) != 0; }
};

struct Consumable {
    std::uint32_t created;
    std::int16_t sell_bonus;
    std::uint8_t id;
    std::uint8_t edition;
};

enum class ItemKind : std::uint8_t { none, joker, consumable, playing_card, voucher, pack };

// Something on a shelf or in an open pack. `card.created` is the creation number of every kind of item.
struct Item {
    Card card;
    ItemKind kind;
    std::uint8_t id;
    std::uint8_t edition;
    std::uint8_t stickers;
    std::uint8_t hand;  // To Do List's target
    std::uint8_t free;  // costs nothing (a tag or a coupon)
    std::uint8_t unused[2];
};

struct Tag {
    std::uint8_t id;
    std::uint8_t hand;  // Orbital Tag's poker hand
};

struct HandStats {
    std::int32_t level;
    std::uint16_t played;
    std::uint8_t played_this_round;
    std::uint8_t visible;
};

struct Shop {
    Item slots[kMaxShopSlots];
    Item vouchers[kMaxShopVouchers];
    Item packs[kShopPacks];
    std::uint8_t slot_count;
    std::uint8_t voucher_count;
    std::uint8_t open;
    std::uint8_t unused;
};

struct OpenPack {
    Item cards[kMaxPackCards];
    std::uint8_t id;  // p_none: no pack is open
    std::uint8_t count;
    std::uint8_t choices_left;
    std::uint8_t unused;
};

// What the round's target jokers look for.
struct RoundTargets {
    std::uint8_t idol_rank;
    std::uint8_t idol_suit;
    std::uint8_t mail_rank;
    std::uint8_t castle_suit;
    std::uint8_t ancient_suit;
};

// One line each of the cash-out screen.
struct CashOut {
    std::int32_t reward;
    std::int32_t hands;
    std::int32_t discards;
    std::int32_t jokers;
    std::int32_t tags;
    std::int32_t interest;
};

// The blind being played.
struct Round {
    double score;
    double target;
    std::int16_t hands_left;
    std::int16_t discards_left;
    std::int16_t hands_removed;     // by The Needle, given back when it is disabled
    std::int16_t discards_removed;  // by The Water
    std::uint16_t hands_played;
    std::uint16_t discards_used;
    std::uint16_t hand_types_seen;  // The Eye's memory, a bit per hand type
    std::int16_t hand_size_bonus;   // Juggle Tags
    std::uint8_t blind;             // bl_none between rounds
    std::uint8_t only_hand;         // The Mouth's memory; hand_types = none yet
    std::uint8_t last_hand;         // type of the last hand played this round; hand_types = none yet
    std::uint8_t boss_disabled;
    std::uint8_t boss_triggered;  // Matador's flag
    std::uint8_t fish_ready;      // The Fish: the next draw is face down
    std::uint8_t heart_ready;     // Crimson Heart: the next draw picks a joker
    std::uint8_t leaf_lifted;     // Verdant Leaf: a joker was sold
};

// No implicit padding anywhere: equal runs are equal bytes, so a hash of the bytes is a hash of the run.
struct State {
    Streams streams;
    Round round;
    Joker jokers[kMaxJokers];

    std::uint64_t existing[kPools];  // keys that some card object has now
    std::uint64_t locked[kPools];    // keys the profile or the challenge keeps out
    std::uint32_t vouchers;          // redeemed, bit = id - 1
    std::uint32_t locked_vouchers;
    std::uint32_t locked_tags;
    std::uint32_t locked_packs;
    std::uint32_t locked_blinds;
    std::uint32_t next_created;

    Card cards[kMaxCards];  // the full deck, in creation order
    Consumable consumables[kMaxConsumables];
    Shop shop;
    OpenPack pack;
    HandStats hands[hand_types];
    CashOut cash_out;

    std::int32_t money;
    std::int16_t ante;
    std::int16_t rounds;      // blinds played so far
    std::int16_t base_hands;  // per round, before vouchers and jokers
    std::int16_t base_discards;
    std::int16_t base_hand_size;  // permanent losses included
    std::int16_t base_joker_slots;
    std::int16_t base_consumable_slots;
    std::int16_t reroll_growth;  // price raised by rerolls in this shop
    std::int16_t free_rerolls;
    std::int16_t inflation;
    std::uint16_t hands_played;     // in the run
    std::uint16_t unused_discards;  // in the run
    std::uint16_t tarots_used;
    std::uint16_t planets_used;  // a bit per planet
    std::uint16_t skips;
    std::uint16_t challenge_rules;  // ChallengeRule bits
    Phase phase;
    Phase pack_returns_to;  // where a pack goes back to when it closes
    std::uint8_t won;
    std::uint8_t endless;
    std::uint8_t deck;
    std::uint8_t stake;
    std::uint8_t challenge;
    std::uint8_t starting_cards;    // deck size at the start, for Erosion
    std::uint8_t blind_on_deck;     // 0 small, 1 big, 2 boss
    std::uint8_t boss;              // of this ante
    std::uint8_t boss_rerolls;      // used this ante
    std::uint8_t voucher;           // of this ante; v_none once redeemed
    std::uint8_t blind_tags[2];     // of the small and the big blind
    std::uint8_t orbital_hands[3];  // Orbital Tag hands of small, big and boss
    std::uint8_t boss_uses[bl_end];
    std::uint8_t first_pack_given;
    std::uint8_t gros_michel_extinct;
    std::uint8_t ox_hand;          // most played hand when the ante began
    std::uint8_t last_consumable;  // last tarot or planet used, for The Fool
    std::uint8_t ectoplasms;       // used so far
    std::uint8_t cheap_rerolls;    // D6 Tag in force
    std::uint8_t saved_by_bones;

    RoundTargets targets;
    std::uint8_t tag_count;
    std::uint8_t joker_count;
    std::uint8_t consumable_count;
    std::uint8_t sort_mode;
    std::uint8_t card_count;
    std::uint8_t draw_count;
    std::uint8_t hand_count;
    Tag tags[kMaxTags];
    std::uint8_t hand[kMaxHand];        // card indices, left to right
    std::uint8_t draw_pile[kMaxCards];  // card indices; the last is drawn first
    std::uint8_t unused[5];
};

static_assert(std::is_trivially_copyable_v<State>);
static_assert(sizeof(State) == 8160);  // within two pages: clones and searches depend on it

constexpr std::uint32_t bit(int id) { return std::uint32_t{1} << (id - 1); }
inline bool redeemed(const State& state, VoucherId voucher) { return (state.vouchers & bit(voucher)) != 0; }

// Whether an undebuffed joker of this kind is owned.
inline bool owns_active_joker(const State& state, JokerId id) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].id == id && !state.jokers[i].debuffed()) {
            return true;
        }
    }
    return false;
}

}  // namespace jimbot
