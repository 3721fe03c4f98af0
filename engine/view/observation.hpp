// What a policy sees: fixed-shape arrays in one contiguous record, public information only, every number
// bounded or log-scaled so that no normalizer is needed. Identities are integers for embeddings.
#pragma once

#include <cstdint>

#include "core/state.hpp"
#include "view/columns.hpp"
#include "view/identities.hpp"
#include "view/slots.hpp"

namespace jimbot {

// Changes whenever the layout or the scale of an array does: policy files of other versions are refused.
inline constexpr int kObservationVersion = 2;

inline constexpr int kSeenHand = kHandRows;
inline constexpr int kSeenJokers = 10;
inline constexpr int kSeenConsumables = 6;
inline constexpr int kSeenVouchers = 3;

// Features per entity: view/columns.hpp names them.
inline constexpr int kCardFeatures = HandColumn::count;
inline constexpr int kJokerFeatures = JokerColumn::count;
inline constexpr int kConsumableFeatures = ConsumableColumn::count;
inline constexpr int kItemFeatures = ItemColumn::count;
inline constexpr int kGlobalFeatures = GlobalColumn::count;
inline constexpr int kBlindFeatures = BlindColumn::count;
inline constexpr int kLevelFeatures = LevelColumn::count;
inline constexpr int kIdentities = IdentityColumn::count;

inline constexpr int kCardIdentities = kFronts + 2;  // 0 nothing, 1..52 fronts, 53 face down

// Everything but the actions, which follow it in the record: see view/record.hpp.
struct Observation {
    float globals[kGlobalFeatures];
    float blind[kBlindFeatures];
    float hand[kSeenHand][kCardFeatures];
    float jokers[kSeenJokers][kJokerFeatures];
    float consumables[kSeenConsumables][kConsumableFeatures];
    float shop[kMaxShopSlots][kItemFeatures];
    float shop_vouchers[kSeenVouchers][kItemFeatures];
    float shop_packs[kShopPacks][kItemFeatures];
    float pack[kMaxPackCards][kItemFeatures];
    float deck[kFronts];                 // unseen cards per front
    float deck_enhancements[m_end - 1];  // of the full deck
    float levels[hand_types][kLevelFeatures];
    float vouchers[v_end - 1];
    float tags[tag_end - 1];
    std::int16_t identities[kIdentities];
    std::int16_t hand_ids[kSeenHand];
    std::int16_t joker_ids[kSeenJokers];
    std::int16_t consumable_ids[kSeenConsumables];
    std::int16_t shop_ids[kMaxShopSlots];
    std::int16_t shop_voucher_ids[kSeenVouchers];
    std::int16_t shop_pack_ids[kShopPacks];
    std::int16_t pack_ids[kMaxPackCards];
};

// What the parts of a record were last written from. A part whose source has not changed is left alone, which
// is most of them at most steps. The record is the same as if everything were written anew.
struct ObservationCache {
    bool filled = false;  // false: the record holds nothing yet
    bool hidden;          // a card of the hand lay face down
    bool enhanced;        // some card of the deck was enhanced
    bool shelves;         // something was on a shelf or in a pack
    std::uint8_t hand_rows;
    std::uint8_t joker_rows;
    std::uint8_t consumable_rows;
    std::uint8_t card_count;
    std::uint8_t draw_count;
    std::uint8_t tag_count;
    std::uint8_t counts[kFronts];  // unseen cards
    std::uint8_t draw_pile[kMaxCards];
    std::uint64_t cards[kSeenHand];
    Joker jokers[kSeenJokers];
    Consumable consumables[kSeenConsumables];
    HandStats hands[hand_types];
    Tag tags[kMaxTags];
    std::uint32_t vouchers;
    std::uint32_t next_created;
    std::int16_t inflation;
    std::uint16_t tarots_used;
    bool astronomer;
    double target;  // logarithms of these are in the record
    double score;
};

// Brings a record up to date. `out` is the record this cache was last used with.
void observe(const State& state, const Pending& pending, ObservationCache& cache, Observation& out);

}  // namespace jimbot
