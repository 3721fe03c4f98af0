#include "view/record.hpp"

#include <cstddef>
#include <iterator>

#include "view/candidates.hpp"

namespace jimbot {

namespace {

constexpr int kCacheLine = 64;

constexpr int round_up(std::size_t bytes) {
    return static_cast<int>((bytes + kCacheLine - 1) / kCacheLine * kCacheLine);
}

#define JIMBOT_FIELD(name, type, rows, columns, high, text)                                                  \
    ObservationField { #name, type, static_cast<int>(offsetof(Observation, name)), rows, columns, high, text }

constexpr ObservationField kFields[] = {
    JIMBOT_FIELD(globals, "float32", 0, kGlobalFeatures, 2, "phase, ante, money, slots, sizes"),
    JIMBOT_FIELD(blind, "float32", 0, kBlindFeatures, 2, "target, score, hands and discards left"),
    JIMBOT_FIELD(hand, "float32", kSeenHand, kCardFeatures, 3,
                 "hand cards, left to right; of a larger hand the last row shows the last card"),
    JIMBOT_FIELD(jokers, "float32", kSeenJokers, kJokerFeatures, 2, "jokers, left to right"),
    JIMBOT_FIELD(consumables, "float32", kSeenConsumables, kConsumableFeatures, 2,
                 "consumables, left to right"),
    JIMBOT_FIELD(shop, "float32", kMaxShopSlots, kItemFeatures, 2, "cards for sale"),
    JIMBOT_FIELD(shop_vouchers, "float32", kSeenVouchers, kItemFeatures, 2, "vouchers for sale"),
    JIMBOT_FIELD(shop_packs, "float32", kShopPacks, kItemFeatures, 2, "booster packs for sale"),
    JIMBOT_FIELD(pack, "float32", kMaxPackCards, kItemFeatures, 2, "cards of the open pack"),
    JIMBOT_FIELD(deck, "float32", 0, kFronts, 2, "cards not seen this round, per front, in quarters"),
    JIMBOT_FIELD(deck_enhancements, "float32", 0, m_end - 1, 2, "enhanced cards of the full deck, per kind"),
    JIMBOT_FIELD(levels, "float32", hand_types, kLevelFeatures, 2, "poker hands: level, plays, chips, mult"),
    JIMBOT_FIELD(vouchers, "float32", 0, v_end - 1, 1, "vouchers redeemed"),
    JIMBOT_FIELD(tags, "float32", 0, tag_end - 1, 2, "tags held, per kind"),
    JIMBOT_FIELD(identities, "int16", 0, kIdentities, 255,
                 "boss, blind, voucher, skip tags, deck, last and pending consumable"),
    JIMBOT_FIELD(hand_ids, "int16", 0, kSeenHand, kCardIdentities - 1, "fronts; 53 is face down"),
    JIMBOT_FIELD(joker_ids, "int16", 0, kSeenJokers, j_end, "jokers; 151 is face down"),
    JIMBOT_FIELD(consumable_ids, "int16", 0, kSeenConsumables, c_end - 1, "consumables"),
    JIMBOT_FIELD(shop_ids, "int16", 0, kMaxShopSlots, kItemIdentities - 1, "shelf identities"),
    JIMBOT_FIELD(shop_voucher_ids, "int16", 0, kSeenVouchers, kItemIdentities - 1, "shelf identities"),
    JIMBOT_FIELD(shop_pack_ids, "int16", 0, kShopPacks, kItemIdentities - 1, "shelf identities"),
    JIMBOT_FIELD(pack_ids, "int16", 0, kMaxPackCards, kItemIdentities - 1, "shelf identities"),
};

#undef JIMBOT_FIELD

}  // namespace

RecordLayout record_layout(int candidates) {
    if (candidates == 0) {
        constexpr int kMask = sizeof(Observation);
        return {0, 0, 0, kMask, slot_count, round_up(kMask + slot_count)};
    }
    const auto count = static_cast<std::size_t>(candidates);
    const int features = round_up(sizeof(Observation));
    const int ids = features + static_cast<int>(count * kCandidateFeatures * sizeof(float));
    const int mask = ids + static_cast<int>(count * 2 * sizeof(std::int16_t));
    return {candidates, features, ids, mask, candidates, round_up(static_cast<std::size_t>(mask) + count)};
}

std::vector<ObservationField> record_schema(const RecordLayout& layout) {
    std::vector<ObservationField> fields(std::begin(kFields), std::end(kFields));
    if (layout.candidates == 0) {
        fields.push_back({"action_mask", "uint8", layout.mask, 0, slot_count, 1, "1 for every legal action"});
        return fields;
    }
    fields.push_back({"candidates", "float32", layout.features, layout.candidates, kCandidateFeatures, 2,
                      "legal actions in no order of merit, one row of features each"});
    fields.push_back({"candidate_ids", "int16", layout.ids, layout.candidates, 2, kCandidateIdentities - 1,
                      "shelf identities: what the action is about, and its target, tag or blind"});
    fields.push_back(
        {"action_mask", "uint8", layout.mask, 0, layout.candidates, 1, "1 for every candidate there is"});
    return fields;
}

}  // namespace jimbot
