// What a policy sees: fixed-shape arrays in one contiguous buffer, public information only, every number
// bounded or log-scaled so that no normaliser is needed. Identities are integers for embeddings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/state.hpp"
#include "view/slots.hpp"

namespace jimbot {

inline constexpr int kObservationVersion = 1;

inline constexpr int kSeenHand = 12;
inline constexpr int kSeenJokers = 10;
inline constexpr int kSeenConsumables = 6;
inline constexpr int kSeenVouchers = 3;

// Features per entity.
inline constexpr int kCardFeatures = 28;
inline constexpr int kJokerFeatures = 16;
inline constexpr int kConsumableFeatures = 4;
inline constexpr int kItemFeatures = 16;
inline constexpr int kGlobalFeatures = 32;
inline constexpr int kBlindFeatures = 12;
inline constexpr int kLevelFeatures = 5;
inline constexpr int kIdentities = 8;

// Shelf items share one space of identities: 0 nothing, then jokers, consumables, vouchers, packs, card
// fronts.
inline constexpr int kItemJoker = 0;
inline constexpr int kItemConsumable = kItemJoker + j_end - 1;
inline constexpr int kItemVoucher = kItemConsumable + c_end - 1;
inline constexpr int kItemPack = kItemVoucher + v_end - 1;
inline constexpr int kItemCard = kItemPack + p_end - 1;
inline constexpr int kItemIdentities = kItemCard + kFronts + 1;
inline constexpr int kCardIdentities = kFronts + 2;  // 0 nothing, 1..52 fronts, 53 face down

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
    std::int16_t
        identities[kIdentities];  // boss, blind, ante voucher, two skip tags, deck, last consumable, pending
    std::int16_t hand_ids[kSeenHand];
    std::int16_t joker_ids[kSeenJokers];
    std::int16_t consumable_ids[kSeenConsumables];
    std::int16_t shop_ids[kMaxShopSlots];
    std::int16_t shop_voucher_ids[kSeenVouchers];
    std::int16_t shop_pack_ids[kShopPacks];
    std::int16_t pack_ids[kMaxPackCards];
    std::uint8_t action_mask[slot_count];
};

// One array of an observation.
struct ObservationField {
    std::string_view name;
    std::string_view type;  // "float32", "int16" or "uint8"
    int offset;             // in bytes
    int rows;               // 0 for a plain vector
    int columns;
    int high;  // largest value; the smallest is 0 for integers and -high for floats
    std::string_view text;
};

inline constexpr int kObservationFields = 23;
extern const std::array<ObservationField, kObservationFields> kObservationSchema;

void observe(const State& state, const Pending& pending, Observation& out);

}  // namespace jimbot
