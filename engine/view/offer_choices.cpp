// Everything that is not about the hand: blinds, shops, packs, sales.

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/shop.hpp"
#include "view/identities.hpp"
#include "view/offers.hpp"

namespace jimbot {

namespace {

bool legal(const Table& table, const Action& action) {
    return check_action(table.state, action) == Refusal::none;
}

Offer* offer_plain(const Table& table, ActionKind kind, int position, int rank, Offers& offers) {
    const Action action = action_at(kind, position);
    return legal(table, action) ? offers.add(action, static_cast<std::uint32_t>(rank)) : nullptr;
}

void offer_blinds(const Table& table, Offers& offers) {
    const State& state = table.state;
    const BlindId next = next_blind(state);
    if (Offer* offer = offer_plain(table, ActionKind::select_blind, 0, 0, offers)) {
        offer->ids[0] = static_cast<std::int16_t>(kItemBlind + next);
    }
    if (Offer* offer = offer_plain(table, ActionKind::skip_blind, 0, 0, offers)) {
        const int tag = state.blind_tags[state.blind_on_deck];
        offer->ids[0] = static_cast<std::int16_t>(tag == tag_none ? 0 : kItemTag + tag);
        offer->ids[1] = static_cast<std::int16_t>(kItemBlind + next);
    }
    if (Offer* offer = offer_plain(table, ActionKind::reroll_boss, 0, 0, offers)) {
        offer->ids[0] = static_cast<std::int16_t>(kItemBlind + state.boss);
        offer->money = -kBossRerollPrice;
    }
}

void offer_item(const Table& table, ActionKind kind, int position, const Item& item, Offers& offers) {
    if (Offer* offer = offer_plain(table, kind, position, position, offers)) {
        offer->ids[0] = item_identity(item);
        offer->edition = item.kind == ItemKind::playing_card ? item.card.edition : item.edition;
        offer->money = kind == ActionKind::pick_card ? 0 : -price_of(table.state, item);
        if (item.kind == ItemKind::consumable) {
            offer->hand = kConsumables[item.id].hand;
        }
    }
}

void offer_shop(const Table& table, Offers& offers) {
    const State& state = table.state;
    for (int i = 0; i < state.shop.slot_count; ++i) {
        offer_item(table, ActionKind::buy_card, i, state.shop.slots[i], offers);
    }
    for (int i = 0; i < state.shop.slot_count; ++i) {
        const Item& item = state.shop.slots[i];
        if (item.kind == ItemKind::consumable) {
            offer_uses(table, ActionKind::buy_and_use, i, item.id, -price_of(state, item), offers);
        }
    }
    for (int i = 0; i < state.shop.voucher_count; ++i) {
        offer_item(table, ActionKind::redeem_voucher, i, state.shop.vouchers[i], offers);
    }
    for (int i = 0; i < kShopPacks; ++i) {
        offer_item(table, ActionKind::open_pack, i, state.shop.packs[i], offers);
    }
    if (Offer* offer = offer_plain(table, ActionKind::reroll_shop, 0, 0, offers)) {
        offer->money = -reroll_price(state);
    }
    offer_plain(table, ActionKind::leave_shop, 0, 0, offers);
}

void offer_sales(const Table& table, Offers& offers) {
    const State& state = table.state;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        const bool hidden = (joker.flags & joker_face_down) != 0;
        if (Offer* offer = offer_plain(table, ActionKind::sell_joker, i, i, offers)) {
            offer->ids[0] =
                static_cast<std::int16_t>(hidden ? kItemFaceDown : kItemJoker + static_cast<int>(joker.id));
            offer->edition = hidden ? std::uint8_t{e_none} : joker.edition;
            offer->money = hidden ? 0 : sell_value(state, joker);
        }
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        if (Offer* offer = offer_plain(table, ActionKind::sell_consumable, i, i, offers)) {
            offer->ids[0] = static_cast<std::int16_t>(kItemConsumable + state.consumables[i].id);
            offer->money = sell_value(state, state.consumables[i]);
        }
    }
}

void offer_pack(const Table& table, Offers& offers) {
    const State& state = table.state;
    for (int i = 0; i < state.pack.count; ++i) {
        const Item& item = state.pack.cards[i];
        if (item.kind == ItemKind::consumable) {
            offer_uses(table, ActionKind::pick_card, i, item.id, 0, offers);
        } else {
            offer_item(table, ActionKind::pick_card, i, item, offers);
        }
    }
    offer_plain(table, ActionKind::skip_pack, 0, 0, offers);
}

}  // namespace

void offer_choices(const Table& table, Offers& offers) {
    const State& state = table.state;
    switch (state.phase) {
    case Phase::blind_select:
        offer_blinds(table, offers);
        break;
    case Phase::round_eval:
        offer_plain(table, ActionKind::cash_out, 0, 0, offers);
        break;
    case Phase::shop:
        offer_shop(table, offers);
        break;
    default:
        break;
    }
    offer_sales(table, offers);
    for (int i = 0; i < state.consumable_count; ++i) {
        offer_uses(table, ActionKind::use_consumable, i, state.consumables[i].id, 0, offers);
    }
    if (state.phase == Phase::pack) {
        offer_pack(table, offers);
    }
}

}  // namespace jimbot
