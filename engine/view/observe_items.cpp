// What is owned and what is on offer, of an observation.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "catalog/catalog.hpp"
#include "rules/owned.hpp"
#include "rules/shop.hpp"
#include "view/observe_parts.hpp"
#include "view/scales.hpp"

namespace jimbot {

namespace {

void observe_joker(const State& state, const Joker& joker, float* out) {
    out[JokerColumn::present] = 1.0f;
    out[JokerColumn::face_down] = (joker.flags & joker_face_down) != 0 ? 1.0f : 0.0f;
    if ((joker.flags & joker_face_down) != 0) {
        return;
    }
    out[JokerColumn::debuffed] = joker.debuffed() ? 1.0f : 0.0f;
    one_hot(out + JokerColumn::edition, joker.edition, e_end - 1);
    out[JokerColumn::eternal] = (joker.stickers & sticker_eternal) != 0 ? 1.0f : 0.0f;
    out[JokerColumn::perishable] = (joker.stickers & sticker_perishable) != 0 ? 1.0f : 0.0f;
    out[JokerColumn::rental] = (joker.stickers & sticker_rental) != 0 ? 1.0f : 0.0f;
    out[JokerColumn::rounds_left] =
        (joker.stickers & sticker_perishable) != 0 ? static_cast<float>(joker.rounds_left) / 5.0f : 0.0f;
    out[JokerColumn::sell_value] = dollars(sell_value(state, joker));
    out[JokerColumn::value_log] = logarithm(joker.value);
    out[JokerColumn::value] = static_cast<float>(std::clamp(joker.value / 10.0, -2.0, 2.0));
    out[JokerColumn::counter] = bounded<25>(joker.counter);
    out[JokerColumn::hand] = has_own_hand(joker.id) ? static_cast<float>(joker.hand + 1) / 12.0f : 0.0f;
}

void observe_item(const State& state, const Item& item, float* out, std::int16_t& identity) {
    if (item.kind == ItemKind::none) {
        return;
    }
    const int price = price_of(state, item);
    identity = item_identity(item);
    out[ItemColumn::present] = 1.0f;
    out[ItemColumn::affordable] = can_pay(state, price) ? 1.0f : 0.0f;
    out[ItemColumn::price] = bounded<20>(price);
    one_hot(out + ItemColumn::kind, static_cast<int>(item.kind), static_cast<int>(ItemKind::playing_card));
    one_hot(out + ItemColumn::edition, item.edition, e_end - 1);
    out[ItemColumn::eternal] = (item.stickers & sticker_eternal) != 0 ? 1.0f : 0.0f;
    out[ItemColumn::perishable] = (item.stickers & sticker_perishable) != 0 ? 1.0f : 0.0f;
    out[ItemColumn::rental] = (item.stickers & sticker_rental) != 0 ? 1.0f : 0.0f;
    if (item.kind == ItemKind::playing_card) {
        out[ItemColumn::enhancement] = static_cast<float>(item.card.enhancement) / 8.0f;
        out[ItemColumn::seal] = static_cast<float>(item.card.seal) / 4.0f;
    }
    out[ItemColumn::free] = item.free != 0 ? 1.0f : 0.0f;
}

}  // namespace

void observe_jokers(const State& state, bool prices, ObservationCache& cache, Observation& out) {
    const int rows = std::min<int>(state.joker_count, kSeenJokers);
    for (int i = 0; i < rows; ++i) {
        const Joker& joker = state.jokers[i];
        if (!prices && i < cache.joker_rows &&
            std::memcmp(static_cast<const void*>(&joker), static_cast<const void*>(&cache.jokers[i]),
                        sizeof joker) == 0) {
            continue;
        }
        cache.jokers[i] = joker;
        clear(out.jokers[i]);
        observe_joker(state, joker, out.jokers[i]);
        out.joker_ids[i] =
            (joker.flags & joker_face_down) != 0 ? std::int16_t{j_end} : std::int16_t{joker.id};
    }
    for (int i = rows; i < cache.joker_rows; ++i) {
        clear(out.jokers[i]);
        out.joker_ids[i] = 0;
    }
    cache.joker_rows = static_cast<std::uint8_t>(rows);
}

void observe_consumables(const State& state, bool prices, ObservationCache& cache, Observation& out) {
    const int rows = std::min<int>(state.consumable_count, kSeenConsumables);
    for (int i = 0; i < rows; ++i) {
        const Consumable& card = state.consumables[i];
        if (!prices && i < cache.consumable_rows &&
            std::memcmp(&card, &cache.consumables[i], sizeof card) == 0) {
            continue;
        }
        cache.consumables[i] = card;
        out.consumables[i][ConsumableColumn::present] = 1.0f;
        out.consumables[i][ConsumableColumn::negative] = card.edition == e_negative ? 1.0f : 0.0f;
        out.consumables[i][ConsumableColumn::sell_value] = dollars(sell_value(state, card));
        out.consumables[i][ConsumableColumn::max_targets] =
            static_cast<float>(kConsumables[card.id].max_targets) / 3.0f;
        out.consumable_ids[i] = card.id;
    }
    for (int i = rows; i < cache.consumable_rows; ++i) {
        clear(out.consumables[i]);
        out.consumable_ids[i] = 0;
    }
    cache.consumable_rows = static_cast<std::uint8_t>(rows);
}

void observe_shelves(const State& state, ObservationCache& cache, Observation& out) {
    const bool shelves = state.shop.open != 0 || state.pack.count > 0;
    if (!shelves && !cache.shelves) {
        return;
    }
    cache.shelves = shelves;
    std::memset(out.shop, 0, offsetof(Observation, deck) - offsetof(Observation, shop));
    std::memset(out.shop_ids, 0, sizeof(Observation) - offsetof(Observation, shop_ids));
    if (state.shop.open != 0) {
        for (int i = 0; i < state.shop.slot_count; ++i) {
            observe_item(state, state.shop.slots[i], out.shop[i], out.shop_ids[i]);
        }
        for (int i = 0; i < std::min<int>(state.shop.voucher_count, kSeenVouchers); ++i) {
            observe_item(state, state.shop.vouchers[i], out.shop_vouchers[i], out.shop_voucher_ids[i]);
        }
        for (int i = 0; i < kShopPacks; ++i) {
            observe_item(state, state.shop.packs[i], out.shop_packs[i], out.shop_pack_ids[i]);
        }
    }
    for (int i = 0; i < state.pack.count; ++i) {
        observe_item(state, state.pack.cards[i], out.pack[i], out.pack_ids[i]);
    }
}

}  // namespace jimbot
