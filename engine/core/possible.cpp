// Which states are possible: those on which the rules, the views and the players can do nothing undefined.
//
// Only what protects them is asked for, not what play could lead to: puzzles may hold twenty of one joker.
// What is bounded here stays bounded in play (tests/test_possible.cpp).
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/chains.hpp"
#include "core/snapshot.hpp"

namespace jimbot {

namespace {

template <typename Number> bool within(Number value, Number low, Number high) {
    return value >= low && value <= high;  // false for not-a-number
}

bool is_count(int value) { return within(value, 0, kMaxCount); }
bool is_signed_count(int value) { return within(value, -kMaxCount, kMaxCount); }

// --- numbers ---

const char* impossible_numbers(const State& state) {
    if (!within(state.money, -kMaxMoney, kMaxMoney)) {
        return "money is beyond 1000000000";
    }
    if (!within<int>(state.ante, kMinAnte, kMaxAnte)) {
        return "the ante is not -99 to 999";
    }
    if (!is_count(state.rounds) || !is_count(state.reroll_growth) || !is_count(state.free_rerolls) ||
        !is_count(state.inflation)) {
        return "rounds, rerolls or inflation are not 0 to 9999";
    }
    for (const int base : {state.base_hands, state.base_discards, state.base_hand_size,
                           state.base_joker_slots, state.base_consumable_slots}) {
        if (!is_signed_count(base)) {
            return "hands, discards, hand size or slots are beyond 9999";
        }
    }
    for (const HandStats& hand : state.hands) {
        if (!within<int>(hand.level, 0, kMaxLevel)) {
            return "a poker hand's level is not 0 to 1000000";
        }
    }
    const CashOut& rows = state.cash_out;
    for (const int row : {rows.reward, rows.hands, rows.discards, rows.jokers, rows.tags, rows.interest}) {
        if (!within(row, 0, kMaxMoney)) {
            return "a line of the cash-out is not 0 to 1000000000";
        }
    }
    return state.next_created <= kMaxCreated ? nullptr : "creation numbers are used up";
}

const char* impossible_round(const State& state) {
    const Round& round = state.round;
    if (!(round.score >= 0) || !(round.target >= 0)) {
        return "score or target are not numbers of at least 0";
    }
    if (!is_count(round.hands_left) || !is_count(round.discards_left) || !is_count(round.hands_removed) ||
        !is_count(round.discards_removed) || !is_count(round.hand_size_bonus)) {
        return "hands or discards of the round are not 0 to 9999";
    }
    if (round.blind >= bl_end || round.only_hand > hand_types || round.last_hand > hand_types) {
        return "the blind or its memory is unknown";
    }
    const bool playing = state.phase == Phase::playing;
    if (playing != (round.blind != bl_none) && state.phase != Phase::game_over) {
        return "a blind is played in its own phase only";
    }
    if (playing && round.hands_left == 0) {
        return "a blind goes on although no hands are left";
    }
    return nullptr;
}

// --- cards ---

bool possible_card(const Card& card) {
    return within<int>(card.rank, kMinRank, kAce) && card.suit < suit_count && card.enhancement < m_end &&
           card.edition < e_end && card.seal < s_end && (card.flags & card_unknown) == 0;
}

const char* impossible_cards(const State& state) {
    if (state.card_count > kMaxCards || state.hand_count > kMaxHand || state.draw_count > state.card_count) {
        return "more cards than fit";
    }
    int places[4] = {};
    int forced = 0;
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        if (!possible_card(card)) {
            return "a card of the deck is unknown";
        }
        if ((i > 0 && card.created <= state.cards[i - 1].created) || card.created >= state.next_created) {
            return "the deck is not in the order of creation";
        }
        ++places[static_cast<int>(card.place())];
        if ((card.flags & card_forced) != 0 && (card.place() != CardPlace::hand || ++forced > 1)) {
            return "a card is forced that is not in hand, or more than one is";
        }
    }
    bool seen[kMaxCards] = {};
    const auto list_fits = [&](const std::uint8_t* list, int count, CardPlace place) {
        for (int i = 0; i < count; ++i) {
            if (list[i] >= state.card_count || seen[list[i]] || state.cards[list[i]].place() != place) {
                return false;
            }
            seen[list[i]] = true;
        }
        return count == places[static_cast<int>(place)];
    };
    if (!list_fits(state.hand, state.hand_count, CardPlace::hand) ||
        !list_fits(state.draw_pile, state.draw_count, CardPlace::draw_pile) ||
        places[static_cast<int>(CardPlace::table)] != 0) {
        return "hand and draw pile are not what the places of the cards say";
    }
    const bool dealt =
        state.phase == Phase::playing || state.phase == Phase::pack || state.phase == Phase::game_over;
    return dealt || state.hand_count == 0 ? nullptr : "cards are in hand outside of a blind and a pack";
}

// --- what is owned ---

const char* impossible_owned(const State& state) {
    if (state.joker_count > kMaxJokers || state.consumable_count > kMaxConsumables ||
        state.tag_count > kMaxTags) {
        return "more jokers, consumables or tags than fit";
    }
    const bool may_hide = state.phase == Phase::playing || state.phase == Phase::game_over;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if ((joker.flags & joker_face_down) != 0 && !may_hide) {
            return "a joker lies face down outside of a blind";
        }
        if (joker.id == j_none || joker.id >= j_end || joker.edition >= e_end || joker.hand > hand_types ||
            joker.created >= state.next_created) {
            return "a joker is unknown";
        }
        if (!within(joker.value, 0.0, kMaxStored) || !within(joker.counter, -kMaxCounter, kMaxCounter)) {
            return "what a joker has stored is beyond its bounds";
        }
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        const Consumable& card = state.consumables[i];
        if (card.id == c_none || card.id >= c_end || card.edition >= e_end ||
            card.created >= state.next_created) {
            return "a consumable is unknown";
        }
    }
    for (int i = 0; i < state.tag_count; ++i) {
        if (state.tags[i].id == tag_none || state.tags[i].id >= tag_end || state.tags[i].hand >= hand_types) {
            return "a tag is unknown";
        }
    }
    return nullptr;
}

// --- shelves ---

bool possible_item(const State& state, const Item& item) {
    if (item.kind == ItemKind::none) {
        return true;
    }
    if (item.edition >= e_end || item.card.created >= state.next_created) {
        return false;
    }
    switch (item.kind) {
    case ItemKind::joker:
        return item.id > j_none && item.id < j_end && item.hand <= hand_types;
    case ItemKind::consumable:
        return item.id > c_none && item.id < c_end;
    case ItemKind::voucher:
        return item.id > v_none && item.id < v_end;
    case ItemKind::pack:
        return item.id > p_none && item.id < p_end;
    case ItemKind::playing_card:
        return possible_card(item.card);
    case ItemKind::none:
        break;
    }
    return false;
}

// A card of a shelf joins the deck in the order of creation, so no two may share a number.
bool creation_is_unique(const State& state, const Item& item) {
    if (item.kind != ItemKind::playing_card) {
        return true;
    }
    int found = 0;
    const auto count_in = [&](const Item* items, int count) {
        for (int i = 0; i < count; ++i) {
            found += items[i].kind == ItemKind::playing_card && items[i].card.created == item.card.created;
        }
    };
    count_in(state.shop.slots, kMaxShopSlots);
    count_in(state.pack.cards, kMaxPackCards);
    const Card* const end = state.cards + state.card_count;
    return found == 1 && std::none_of(state.cards, end,
                                      [&](const Card& card) { return card.created == item.card.created; });
}

const char* impossible_shelves(const State& state) {
    const Shop& shop = state.shop;
    const OpenPack& pack = state.pack;
    if (shop.slot_count > kMaxShopSlots || shop.voucher_count > kMaxShopVouchers ||
        pack.count > kMaxPackCards || pack.id >= p_end) {
        return "more on a shelf than fits";
    }
    if ((state.phase == Phase::pack) != (pack.id != p_none)) {
        return "a pack is open outside of its phase, or none within it";
    }
    if (state.phase == Phase::pack &&
        (pack.count == 0 || pack.choices_left == 0 ||
         (state.pack_returns_to != Phase::shop && state.pack_returns_to != Phase::blind_select))) {
        return "nothing of the open pack can be chosen, or it returns to nowhere";
    }
    const auto all_fit = [&](const auto& items, auto allowed) {
        return std::all_of(std::begin(items), std::end(items), [&](const Item& item) {
            return possible_item(state, item) && (item.kind == ItemKind::none || allowed(item.kind)) &&
                   creation_is_unique(state, item);
        });
    };
    const auto loose = [](ItemKind kind) { return kind != ItemKind::voucher && kind != ItemKind::pack; };
    if (!all_fit(shop.slots, loose) || !all_fit(pack.cards, loose) ||
        !all_fit(shop.vouchers, [](ItemKind kind) { return kind == ItemKind::voucher; }) ||
        !all_fit(shop.packs, [](ItemKind kind) { return kind == ItemKind::pack; })) {
        return "something on a shelf or in a pack is unknown, or does not belong there";
    }
    return nullptr;
}

// --- the run ---

const char* impossible_run(const State& state) {
    const RoundTargets& targets = state.targets;
    if (state.phase > Phase::game_over || state.pack_returns_to > Phase::game_over ||
        state.blind_on_deck > 2) {
        return "the phase or the next blind is unknown";
    }
    if (state.deck <= b_none || state.deck >= b_end || state.stake < 1 || state.stake > 8 ||
        state.challenge > 20) {
        return "the deck, stake or challenge is unknown";
    }
    if (!is_boss(state.boss) || state.boss >= bl_end || state.voucher >= v_end) {
        return "the boss or the voucher of the ante is unknown";
    }
    for (const int tag : state.blind_tags) {
        if (tag <= tag_none || tag >= tag_end) {
            return "a tag of the ante is unknown";
        }
    }
    for (const int hand : state.orbital_hands) {
        if (hand >= hand_types) {
            return "an Orbital Tag's hand is unknown";
        }
    }
    if (state.ox_hand >= hand_types || state.last_consumable >= c_end || state.sort_mode > 1) {
        return "The Ox's hand, the last consumable or the order of the hand is unknown";
    }
    if (targets.idol_rank > kAce || targets.mail_rank > kAce || targets.idol_suit >= suit_count ||
        targets.castle_suit >= suit_count || targets.ancient_suit > suit_count) {
        return "a target of the round is unknown";
    }
    return nullptr;
}

// --- random streams ---

// Between draws a stream is unused, at a value of its sequence, or broken for good.
bool possible_value(double value) { return value == -1.0 || within(value, 0.0, 1.0) || std::isnan(value); }

bool equal_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// What is remembered of the seed's hash must be right: with a wrong one redraws might never end.
bool seed_hashes_fit(const Streams& streams) {
    const std::string_view seed(streams.seed, streams.seed_length);
    int lengths[kMaxChains];
    double hashes[kMaxChains];
    for (int first = 0; first < kCachedKeyLengths; first += kMaxChains) {
        const int count = std::min(kMaxChains, kCachedKeyLengths - first);
        for (int i = 0; i < count; ++i) {
            lengths[i] = first + i;
        }
        hash_behind(seed, lengths, count, hashes);
        if (first == 0 && !equal_bits(hashes[0], streams.seed_hash)) {
            return false;
        }
        for (int i = 0; i < count; ++i) {
            const double known = streams.seed_partial[first + i];
            if (known != -1.0 && !equal_bits(known, hashes[i])) {
                return false;
            }
        }
    }
    return true;
}

const char* impossible_streams(const Streams& streams) {
    if (streams.seed_length < 1 || streams.seed_length > kMaxSeedLength) {
        return "the seed does not have 1 to 8 characters";
    }
    for (int i = 0; i < kMaxSeedLength; ++i) {
        const char c = streams.seed[i];
        const bool known = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
        if (i < streams.seed_length ? !known : c != '\0') {
            return "the seed has a character that no seed has";
        }
    }
    if (!seed_hashes_fit(streams)) {
        return "the hashes are not those of the seed";
    }
    const bool values_fit =
        std::all_of(std::begin(streams.run), std::end(streams.run), possible_value) &&
        std::all_of(std::begin(streams.ante), std::end(streams.ante), [](const auto& ante) {
            return std::all_of(std::begin(ante), std::end(ante), possible_value);
        });
    int used = 0;
    bool redraws_fit = true;
    for (int slot = 0; slot < kResampleSlots; ++slot) {
        if (streams.resample_key[slot] != 0) {
            ++used;
            redraws_fit = redraws_fit && possible_value(streams.resample_value[slot]);
        }
    }
    // Free redraw slots must exist, or a search for one would not end.
    if (!values_fit || !redraws_fit || used != streams.resample_used || used > kResampleSlots - 8) {
        return "a random stream is at a value that none has";
    }
    return nullptr;
}

}  // namespace

const char* impossible_part(const State& state) {
    if (const char* part = impossible_streams(state.streams)) {
        return part;
    }
    for (const auto find : {impossible_run, impossible_numbers, impossible_round, impossible_cards,
                            impossible_owned, impossible_shelves}) {
        if (const char* part = find(state)) {
            return part;
        }
    }
    return nullptr;
}

}  // namespace jimbot
