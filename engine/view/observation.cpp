#include "view/observation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/poker.hpp"
#include "rules/shop.hpp"

namespace jimbot {

namespace {

#define JIMBOT_FIELD(name, type, rows, columns, high, text)                                                  \
    ObservationField { #name, type, static_cast<int>(offsetof(Observation, name)), rows, columns, high, text }

float bounded(double value, double scale) { return static_cast<float>(std::clamp(value / scale, -2.0, 2.0)); }

// Magnitudes on a logarithmic scale: 1 at about 10^10, never above 2.
float logarithm(double value) {
    const double size = std::log1p(std::fabs(value)) / 23.0;
    const double limited = size < 2.0 ? size : 2.0;
    return static_cast<float>(value < 0 ? -limited : limited);
}

// Small sums such as money: 1 at about 150.
float dollars(int value) {
    const double size = std::min(2.0, std::log1p(std::fabs(static_cast<double>(value))) / 5.0);
    return static_cast<float>(value < 0 ? -size : size);
}

void one_hot(float* out, int index, int count) {
    if (index > 0 && index <= count) {
        out[index - 1] = 1.0f;
    }
}

int front_of(const Card& card) {
    constexpr int kPlace[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 11, 10, 8};  // of a rank among the letters
    return card.suit * kRanks + kPlace[card.rank];
}

void observe_card(const Card& card, float* out) {
    out[0] = 1.0f;
    out[1] = (card.flags & card_face_down) != 0 ? 1.0f : 0.0f;
    out[2] = (card.flags & card_forced) != 0 ? 1.0f : 0.0f;
    if ((card.flags & card_face_down) != 0) {
        return;
    }
    out[3] = (card.flags & card_debuffed) != 0 ? 1.0f : 0.0f;
    out[4] = (card.flags & card_played_this_ante) != 0 ? 1.0f : 0.0f;
    out[5] = static_cast<float>(card.rank) / 14.0f;
    out[6] = static_cast<float>(rank_chips(card.rank)) / 11.0f;
    out[7 + card.suit] = 1.0f;
    one_hot(out + 11, card.enhancement, m_end - 1);
    one_hot(out + 19, card.edition, 4);
    one_hot(out + 23, card.seal, s_end - 1);
    out[27] = dollars(card.bonus);
}

void observe_joker(const State& state, const Joker& joker, float* out) {
    out[0] = 1.0f;
    out[1] = (joker.flags & joker_face_down) != 0 ? 1.0f : 0.0f;
    if ((joker.flags & joker_face_down) != 0) {
        return;
    }
    out[2] = joker.debuffed() ? 1.0f : 0.0f;
    one_hot(out + 3, joker.edition, 4);
    out[7] = (joker.stickers & sticker_eternal) != 0 ? 1.0f : 0.0f;
    out[8] = (joker.stickers & sticker_perishable) != 0 ? 1.0f : 0.0f;
    out[9] = (joker.stickers & sticker_rental) != 0 ? 1.0f : 0.0f;
    out[10] =
        (joker.stickers & sticker_perishable) != 0 ? static_cast<float>(joker.rounds_left) / 5.0f : 0.0f;
    out[11] = dollars(sell_value(state, joker));
    out[12] = logarithm(joker.value);
    out[13] = bounded(joker.value, 10.0);
    out[14] = bounded(joker.counter, 25.0);
    out[15] = joker.id == j_todo_list ? static_cast<float>(joker.hand + 1) / 12.0f : 0.0f;
}

std::int16_t item_identity(const Item& item) {
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

void observe_item(const State& state, const Item& item, float* out, std::int16_t& identity) {
    if (item.kind == ItemKind::none) {
        return;
    }
    const int price = price_of(state, item);
    identity = item_identity(item);
    out[0] = 1.0f;
    out[1] = can_pay(state, price) ? 1.0f : 0.0f;
    out[2] = bounded(price, 20.0);
    one_hot(out + 3, static_cast<int>(item.kind), 3);  // joker, consumable, playing card
    one_hot(out + 6, item.edition, 4);
    out[10] = (item.stickers & sticker_eternal) != 0 ? 1.0f : 0.0f;
    out[11] = (item.stickers & sticker_perishable) != 0 ? 1.0f : 0.0f;
    out[12] = (item.stickers & sticker_rental) != 0 ? 1.0f : 0.0f;
    if (item.kind == ItemKind::playing_card) {
        out[13] = static_cast<float>(item.card.enhancement) / 8.0f;
        out[14] = static_cast<float>(item.card.seal) / 4.0f;
    }
    out[15] = item.free != 0 ? 1.0f : 0.0f;
}

void observe_globals(const State& state, const Pending& pending, float* out) {
    if (state.phase != Phase::game_over) {
        out[static_cast<int>(state.phase)] = 1.0f;
    }
    out[5] = pending.active() ? 1.0f : 0.0f;
    out[6] = bounded(state.ante, 8.0);
    out[7] = bounded(state.rounds, 24.0);
    out[8] = dollars(state.money);
    out[9] = bounded(std::clamp(state.money, 0, 25), 25.0);
    out[10] = bounded(hand_size(state), 12.0);
    out[11] = bounded(hands_per_round(state), 8.0);
    out[12] = bounded(discards_per_round(state), 8.0);
    out[13] = bounded(joker_slots(state), 10.0);
    out[14] = bounded(state.joker_count, 10.0);
    out[15] = bounded(consumable_slots(state), 6.0);
    out[16] = bounded(state.consumable_count, 6.0);
    out[17] = bounded(state.card_count, 104.0);
    out[18] = bounded(state.draw_count, 104.0);
    out[19] = state.phase == Phase::shop ? bounded(reroll_price(state), 20.0) : 0.0f;
    out[20] = static_cast<float>(state.stake) / 8.0f;
    out[21 + state.blind_on_deck] = 1.0f;
    out[24] = bounded(state.pack.choices_left, 2.0);
    out[25] = bounded(state.skips, 16.0);
    out[26] = bounded(state.tarots_used, 25.0);
    out[27] = bounded(state.boss_rerolls, 2.0);
    out[28] = static_cast<float>(state.sort_mode);
    out[29] = bounded(state.hands_played, 100.0);
    out[30] = state.won != 0 ? 1.0f : 0.0f;
    out[31] = bounded(-money_floor(state), 40.0);
}

void observe_blind(const State& state, float* out) {
    const Round& round = state.round;
    const double next = round.blind != bl_none ? round.target
                                               : blind_target(state, state.blind_on_deck == 0 ? bl_small
                                                                     : state.blind_on_deck == 1
                                                                         ? bl_big
                                                                         : static_cast<BlindId>(state.boss));
    out[0] = round.blind != bl_none ? 1.0f : 0.0f;
    out[1] = logarithm(next);
    if (round.blind == bl_none) {
        return;
    }
    out[2] = logarithm(round.score);
    out[3] = static_cast<float>(std::clamp(round.score / std::max(1.0, round.target), 0.0, 1.0));
    out[4] = logarithm(std::max(0.0, round.target - round.score));
    out[5] = bounded(round.hands_left, 8.0);
    out[6] = bounded(round.discards_left, 8.0);
    out[7] = bounded(round.hands_played, 8.0);
    out[8] = bounded(round.discards_used, 8.0);
    out[9] = round.boss_disabled != 0 ? 1.0f : 0.0f;
    out[10] = round.last_hand < hand_types ? static_cast<float>(round.last_hand + 1) / 12.0f : 0.0f;
    out[11] = round.only_hand < hand_types ? static_cast<float>(round.only_hand + 1) / 12.0f : 0.0f;
}

void observe_deck(const State& state, Observation& out) {
    for (int i = 0; i < state.draw_count; ++i) {
        out.deck[front_of(state.cards[state.draw_pile[i]])] += 0.25f;
    }
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_face_down) != 0) {
            out.deck[front_of(card)] += 0.25f;
        }
    }
    for (float& count : out.deck) {
        count = std::min(count, 2.0f);
    }
    int enhanced[m_end] = {};
    for (int i = 0; i < state.card_count; ++i) {
        ++enhanced[state.cards[i].enhancement];
    }
    for (int i = 1; i < m_end; ++i) {
        out.deck_enhancements[i - 1] = bounded(enhanced[i], 26.0);
    }
}

void observe_levels(const State& state, Observation& out) {
    for (int i = 0; i < hand_types; ++i) {
        const HandStats& stats = state.hands[i];
        const PokerHandEntry& entry = kPokerHands[static_cast<std::size_t>(i)];
        const int steps = stats.level - 1;
        out.levels[i][0] = bounded(stats.level, 20.0);
        out.levels[i][1] = bounded(stats.played, 50.0);
        out.levels[i][2] = bounded(stats.played_this_round, 4.0);
        out.levels[i][3] = bounded(std::max(0, entry.chips + steps * entry.level_chips), 400.0);
        out.levels[i][4] = bounded(std::max(1, entry.mult + steps * entry.level_mult), 40.0);
    }
}

}  // namespace

constinit const std::array<ObservationField, kObservationFields> kObservationSchema = {{
    JIMBOT_FIELD(globals, "float32", 0, kGlobalFeatures, 2, "phase, ante, money, slots, sizes"),
    JIMBOT_FIELD(blind, "float32", 0, kBlindFeatures, 2, "target, score, hands and discards left"),
    JIMBOT_FIELD(hand, "float32", kSeenHand, kCardFeatures, 3, "hand cards, left to right"),
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
    JIMBOT_FIELD(action_mask, "uint8", 0, slot_count, 1, "1 for every legal action"),
}};

#undef JIMBOT_FIELD

void observe(const State& state, const Pending& pending, Observation& out) {
    std::memset(static_cast<void*>(&out), 0, offsetof(Observation, action_mask));
    observe_globals(state, pending, out.globals);
    observe_blind(state, out.blind);
    for (int i = 0; i < std::min<int>(state.hand_count, kSeenHand); ++i) {
        const Card& card = state.cards[state.hand[i]];
        observe_card(card, out.hand[i]);
        out.hand_ids[i] =
            static_cast<std::int16_t>((card.flags & card_face_down) != 0 ? kFronts + 1 : 1 + front_of(card));
    }
    for (int i = 0; i < std::min<int>(state.joker_count, kSeenJokers); ++i) {
        const Joker& joker = state.jokers[i];
        observe_joker(state, joker, out.jokers[i]);
        out.joker_ids[i] =
            (joker.flags & joker_face_down) != 0 ? std::int16_t{j_end} : std::int16_t{joker.id};
    }
    for (int i = 0; i < std::min<int>(state.consumable_count, kSeenConsumables); ++i) {
        const Consumable& card = state.consumables[i];
        out.consumables[i][0] = 1.0f;
        out.consumables[i][1] = card.edition == e_negative ? 1.0f : 0.0f;
        out.consumables[i][2] = dollars(sell_value(state, card));
        out.consumables[i][3] = static_cast<float>(kConsumables[card.id].max_targets) / 3.0f;
        out.consumable_ids[i] = card.id;
    }
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
    observe_deck(state, out);
    observe_levels(state, out);
    for (int id = 1; id < v_end; ++id) {
        out.vouchers[id - 1] = redeemed(state, static_cast<VoucherId>(id)) ? 1.0f : 0.0f;
    }
    for (int i = 0; i < state.tag_count; ++i) {
        float& held = out.tags[state.tags[i].id - 1];
        held = std::min(2.0f, held + 0.5f);
    }
    const std::int16_t identities[kIdentities] = {
        state.boss,
        state.round.blind,
        state.voucher,
        state.blind_tags[0],
        state.blind_tags[1],
        state.deck,
        state.last_consumable,
        static_cast<std::int16_t>(pending.active() ? 1 + pending.position : 0),
    };
    std::copy(std::begin(identities), std::end(identities), out.identities);
    write_slot_mask(state, pending, out.action_mask);
}

}  // namespace jimbot
