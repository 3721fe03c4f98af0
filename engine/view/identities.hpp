// One space of small numbers for everything that can be offered, owned or used: embeddings are indexed by it.
#pragma once

#include <cstdint>

#include "core/state.hpp"

namespace jimbot {

// 0 nothing, then jokers, consumables, vouchers, packs, card fronts; in candidates also tags and blinds.
inline constexpr int kItemJoker = 0;
inline constexpr int kItemConsumable = kItemJoker + j_end - 1;
inline constexpr int kItemVoucher = kItemConsumable + c_end - 1;
inline constexpr int kItemPack = kItemVoucher + v_end - 1;
inline constexpr int kItemCard = kItemPack + p_end - 1;
inline constexpr int kItemIdentities = kItemCard + kFronts + 1;
inline constexpr int kItemTag = kItemIdentities - 1;
inline constexpr int kItemBlind = kItemTag + tag_end - 1;
inline constexpr int kItemFaceDown = kItemBlind + bl_end;  // a joker or a card that lies face down
inline constexpr int kCandidateIdentities = kItemFaceDown + 1;

// The number of a card's picture, 0 to 51.
inline int front_of(const Card& card) {
    constexpr int kPlace[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 11, 10, 8};  // of a rank among the letters
    return card.suit * kRanks + kPlace[card.rank];
}

inline std::int16_t item_identity(const Item& item) {
    switch (item.kind) {
    case ItemKind::joker:
        return static_cast<std::int16_t>(kItemJoker + item.id);
    case ItemKind::consumable:
        return static_cast<std::int16_t>(kItemConsumable + item.id);
    case ItemKind::voucher:
        return static_cast<std::int16_t>(kItemVoucher + item.id);
    case ItemKind::pack:
        return static_cast<std::int16_t>(kItemPack + item.id);
    case ItemKind::playing_card:
        return static_cast<std::int16_t>(kItemCard + 1 + front_of(item.card));
    case ItemKind::none:
        break;
    }
    return 0;
}

}  // namespace jimbot
