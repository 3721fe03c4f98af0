#include "view/observation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/poker.hpp"
#include "rules/shop.hpp"
#include "view/scales.hpp"

namespace jimbot {

namespace {

void one_hot(float* out, int index, int count) {
    if (index > 0 && index <= count) {
        out[index - 1] = 1.0f;
    }
}

template <typename Row> void clear(Row& row) { std::memset(static_cast<void*>(&row), 0, sizeof row); }

bool face_down(const Card& card) { return (card.flags & card_face_down) != 0; }

// --- the hand
// ------------------------------------------------------------------------------------------------

void observe_card(const Card& card, float* out) {
    out[0] = 1.0f;
    out[1] = face_down(card) ? 1.0f : 0.0f;
    out[2] = (card.flags & card_forced) != 0 ? 1.0f : 0.0f;
    if (face_down(card)) {
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

using CardRow = std::array<float, kCardFeatures>;

// The rows of plain cards by front: nearly all cards are plain, and copying a row is cheaper than writing
// one.
std::array<CardRow, kFronts> plain_rows() noexcept {
    std::array<CardRow, kFronts> rows{};
    for (int front = 0; front < kFronts; ++front) {
        Card card{};
        card.rank = static_cast<std::uint8_t>(front_rank(front));
        card.suit = front_suit(front);
        observe_card(card, rows[static_cast<std::size_t>(front)].data());
    }
    return rows;
}

const std::array<CardRow, kFronts> kPlainRows = plain_rows();

// Everything a card shows, as one number: all of it but its creation number.
std::uint64_t card_key(const Card& card) {
    static_assert(offsetof(Card, bonus) == 4 && sizeof(Card) == 12);
    std::uint64_t key = 0;
    std::memcpy(&key, reinterpret_cast<const unsigned char*>(&card) + offsetof(Card, bonus), sizeof key);
    return key;
}

bool is_plain(const Card& card) {
    constexpr unsigned kSeenFlags = card_debuffed | card_face_down | card_played_this_ante | card_forced;
    return card.bonus == 0 && (card.enhancement | card.edition | card.seal | (card.flags & kSeenFlags)) == 0;
}

// Whether a card of the hand lies face down.
bool observe_hand(const State& state, ObservationCache& cache, Observation& out) {
    bool hidden = false;
    for (int i = kSeenHand; i < state.hand_count; ++i) {
        hidden = hidden || face_down(state.cards[state.hand[i]]);
    }
    const int rows = std::min<int>(state.hand_count, kSeenHand);
    for (int i = 0; i < rows; ++i) {
        const Card& card = state.cards[state.hand[row_position(state, i)]];
        hidden = hidden || face_down(card);
        const std::uint64_t key = card_key(card);
        if (i < cache.hand_rows && cache.cards[i] == key) {
            continue;
        }
        cache.cards[i] = key;
        const int front = front_of(card);
        out.hand_ids[i] = static_cast<std::int16_t>(face_down(card) ? kFronts + 1 : 1 + front);
        if (is_plain(card)) {
            std::memcpy(out.hand[i], kPlainRows[static_cast<std::size_t>(front)].data(), sizeof out.hand[i]);
        } else {
            clear(out.hand[i]);
            observe_card(card, out.hand[i]);
        }
    }
    for (int i = rows; i < cache.hand_rows; ++i) {
        clear(out.hand[i]);
        out.hand_ids[i] = 0;
    }
    cache.hand_rows = static_cast<std::uint8_t>(rows);
    return hidden;
}

// --- the deck
// ------------------------------------------------------------------------------------------------

void write_count(int front, const ObservationCache& cache, Observation& out) {
    out.deck[front] = std::min(2.0f, 0.25f * static_cast<float>(cache.counts[front]));
}

// Unseen cards per front. Cards enter the draw pile at the start of a round or by being made; in between it
// only gets shorter, and only what was drawn is taken off the counts.
void observe_deck(const State& state, bool hidden, bool same_cards, ObservationCache& cache,
                  Observation& out) {
    const bool only_drawn = same_cards && !hidden && !cache.hidden && state.draw_count <= cache.draw_count &&
                            std::memcmp(state.draw_pile, cache.draw_pile, state.draw_count) == 0;
    if (only_drawn) {
        for (int i = state.draw_count; i < cache.draw_count; ++i) {
            const int front = front_of(state.cards[cache.draw_pile[i]]);
            --cache.counts[front];
            write_count(front, cache, out);
        }
    } else {
        std::memset(cache.counts, 0, sizeof cache.counts);
        for (int i = 0; i < state.draw_count; ++i) {
            ++cache.counts[front_of(state.cards[state.draw_pile[i]])];
        }
        for (int i = 0; hidden && i < state.hand_count; ++i) {
            const Card& card = state.cards[state.hand[i]];
            cache.counts[front_of(card)] =
                static_cast<std::uint8_t>(cache.counts[front_of(card)] + (face_down(card) ? 1 : 0));
        }
        for (int front = 0; front < kFronts; ++front) {
            write_count(front, cache, out);
        }
        std::memcpy(cache.draw_pile, state.draw_pile, state.draw_count);
    }
    cache.hidden = hidden;
    cache.draw_count = state.draw_count;
    cache.card_count = state.card_count;
    cache.next_created = state.next_created;
}

// Enhancements come and go with cards, by tarots and by jokers. A count of tarots at its largest number stays
// there, and no longer tells whether one was used.
void observe_enhancements(const State& state, bool same_cards, ObservationCache& cache, Observation& out) {
    const bool same_tarots = state.tarots_used == cache.tarots_used && state.tarots_used < UINT16_MAX;
    if (same_cards && state.joker_count == 0 && same_tarots) {
        return;
    }
    cache.tarots_used = state.tarots_used;
    unsigned any = 0;
    for (int i = 0; i < state.card_count; ++i) {
        any |= state.cards[i].enhancement;
    }
    if (any == 0 && !cache.enhanced) {
        return;
    }
    int enhanced[m_end] = {};
    for (int i = 0; i < state.card_count; ++i) {
        ++enhanced[state.cards[i].enhancement];
    }
    for (int i = 1; i < m_end; ++i) {
        out.deck_enhancements[i - 1] = bounded<26>(enhanced[i]);
    }
    cache.enhanced = any != 0;
}

// --- what is owned
// -------------------------------------------------------------------------------------------

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
    out[13] = static_cast<float>(std::clamp(joker.value / 10.0, -2.0, 2.0));
    out[14] = bounded<25>(joker.counter);
    out[15] = joker.id == j_todo_list ? static_cast<float>(joker.hand + 1) / 12.0f : 0.0f;
}

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
        out.consumables[i][0] = 1.0f;
        out.consumables[i][1] = card.edition == e_negative ? 1.0f : 0.0f;
        out.consumables[i][2] = dollars(sell_value(state, card));
        out.consumables[i][3] = static_cast<float>(kConsumables[card.id].max_targets) / 3.0f;
        out.consumable_ids[i] = card.id;
    }
    for (int i = rows; i < cache.consumable_rows; ++i) {
        clear(out.consumables[i]);
        out.consumable_ids[i] = 0;
    }
    cache.consumable_rows = static_cast<std::uint8_t>(rows);
}

void observe_levels(const State& state, ObservationCache& cache, Observation& out) {
    if (cache.filled && std::memcmp(state.hands, cache.hands, sizeof cache.hands) == 0) {
        return;
    }
    for (int i = 0; i < hand_types; ++i) {
        const HandStats& stats = state.hands[i];
        if (cache.filled && std::memcmp(&stats, &cache.hands[i], sizeof stats) == 0) {
            continue;
        }
        cache.hands[i] = stats;
        const PokerHandEntry& entry = kPokerHands[static_cast<std::size_t>(i)];
        const double steps = stats.level - 1.0;
        out.levels[i][0] = bounded<20>(stats.level);
        out.levels[i][1] = bounded<50>(stats.played);
        out.levels[i][2] = bounded<4>(stats.played_this_round);
        out.levels[i][3] = bounded<400>(std::max(0.0, entry.chips + steps * entry.level_chips));
        out.levels[i][4] = bounded<40>(std::max(1.0, entry.mult + steps * entry.level_mult));
    }
}

void observe_tags(const State& state, ObservationCache& cache, Observation& out) {
    const std::size_t size = state.tag_count * sizeof(Tag);
    if (state.tag_count == cache.tag_count && std::memcmp(state.tags, cache.tags, size) == 0) {
        return;
    }
    std::memcpy(cache.tags, state.tags, size);
    cache.tag_count = state.tag_count;
    clear(out.tags);
    for (int i = 0; i < state.tag_count; ++i) {
        float& held = out.tags[state.tags[i].id - 1];
        held = std::min(2.0f, held + 0.5f);
    }
}

// --- shelves
// ---------------------------------------------------------------------------------------------------

void observe_item(const State& state, const Item& item, float* out, std::int16_t& identity) {
    if (item.kind == ItemKind::none) {
        return;
    }
    const int price = price_of(state, item);
    identity = item_identity(item);
    out[0] = 1.0f;
    out[1] = can_pay(state, price) ? 1.0f : 0.0f;
    out[2] = bounded<20>(price);
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

// --- the run and the blind
// ---------------------------------------------------------------------------------------

void observe_globals(const State& state, const Pending& pending, float* out) {
    for (int phase = 0; phase < 5; ++phase) {
        out[phase] = static_cast<int>(state.phase) == phase ? 1.0f : 0.0f;
    }
    out[5] = pending.active() ? 1.0f : 0.0f;
    out[6] = bounded<8>(state.ante);
    out[7] = bounded<24>(state.rounds);
    out[8] = dollars(state.money);
    out[9] = bounded<25>(std::clamp(state.money, 0, 25));
    out[10] = bounded<12>(hand_size(state));
    out[11] = bounded<8>(hands_per_round(state));
    out[12] = bounded<8>(discards_per_round(state));
    out[13] = bounded<10>(joker_slots(state));
    out[14] = bounded<10>(state.joker_count);
    out[15] = bounded<6>(consumable_slots(state));
    out[16] = bounded<6>(state.consumable_count);
    out[17] = bounded<104>(state.card_count);
    out[18] = bounded<104>(state.draw_count);
    out[19] = state.phase == Phase::shop ? bounded<20>(reroll_price(state)) : 0.0f;
    out[20] = bounded<8>(state.stake);
    for (int blind = 0; blind < 3; ++blind) {
        out[21 + blind] = state.blind_on_deck == blind ? 1.0f : 0.0f;
    }
    out[24] = bounded<2>(state.pack.choices_left);
    out[25] = bounded<16>(state.skips);
    out[26] = bounded<25>(state.tarots_used);
    out[27] = bounded<2>(state.boss_rerolls);
    out[28] = static_cast<float>(state.sort_mode);
    out[29] = bounded<100>(state.hands_played);
    out[30] = state.won != 0 ? 1.0f : 0.0f;
    out[31] = bounded<40>(-money_floor(state));
    out[32] = bounded<16>(state.hand_count);
    out[33] = bounded<16>(std::max(0, state.hand_count - kSeenHand));
}

void observe_blind(const State& state, ObservationCache& cache, float* out) {
    const Round& round = state.round;
    const bool playing = round.blind != bl_none;
    const BlindId next = state.blind_on_deck == 0   ? bl_small
                         : state.blind_on_deck == 1 ? bl_big
                                                    : static_cast<BlindId>(state.boss);
    const double target = playing ? round.target : blind_target(state, next);
    const double score = playing ? round.score : -1.0;
    if (!cache.filled || target != cache.target || score != cache.score) {
        cache.target = target;
        cache.score = score;
        out[0] = playing ? 1.0f : 0.0f;
        out[1] = logarithm(target);
        out[2] = playing ? logarithm(score) : 0.0f;
        out[3] = playing ? static_cast<float>(std::clamp(score / std::max(1.0, target), 0.0, 1.0)) : 0.0f;
        out[4] = playing ? logarithm(std::max(0.0, target - score)) : 0.0f;
    }
    if (!playing) {
        std::memset(out + 5, 0, (kBlindFeatures - 5) * sizeof(float));
        return;
    }
    out[5] = bounded<8>(round.hands_left);
    out[6] = bounded<8>(round.discards_left);
    out[7] = bounded<8>(round.hands_played);
    out[8] = bounded<8>(round.discards_used);
    out[9] = round.boss_disabled != 0 ? 1.0f : 0.0f;
    out[10] = round.last_hand < hand_types ? static_cast<float>(round.last_hand + 1) / 12.0f : 0.0f;
    out[11] = round.only_hand < hand_types ? static_cast<float>(round.only_hand + 1) / 12.0f : 0.0f;
}

void observe_identities(const State& state, const Pending& pending, Observation& out) {
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
    std::memcpy(out.identities, identities, sizeof identities);
}

}  // namespace

void observe(const State& state, const Pending& pending, ObservationCache& cache, Observation& out) {
    if (!cache.filled) {
        clear(out);
        cache = {};
    }
    const bool astronomer = owns_active_joker(state, j_astronomer);
    const bool prices = state.vouchers != cache.vouchers || state.inflation != cache.inflation ||
                        astronomer != cache.astronomer;
    observe_globals(state, pending, out.globals);
    observe_blind(state, cache, out.blind);
    const bool hidden = observe_hand(state, cache, out);
    observe_jokers(state, prices, cache, out);
    observe_consumables(state, prices, cache, out);
    observe_shelves(state, cache, out);
    const bool same_cards =
        cache.filled && state.card_count == cache.card_count && state.next_created == cache.next_created;
    observe_deck(state, hidden, same_cards, cache, out);
    observe_enhancements(state, same_cards, cache, out);
    observe_levels(state, cache, out);
    observe_tags(state, cache, out);
    if (state.vouchers != cache.vouchers) {
        for (int id = 1; id < v_end; ++id) {
            out.vouchers[id - 1] = redeemed(state, static_cast<VoucherId>(id)) ? 1.0f : 0.0f;
        }
    }
    observe_identities(state, pending, out);
    cache.vouchers = state.vouchers;
    cache.inflation = state.inflation;
    cache.astronomer = astronomer;
    cache.filled = true;
}

}  // namespace jimbot
