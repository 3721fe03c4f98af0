#include "rules/run.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "catalog/catalog.hpp"
#include "rules/deck.hpp"
#include "rules/generate.hpp"
#include "rules/owned.hpp"
#include "rules/pools.hpp"
#include "rules/tags.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

namespace {

Item shelf_item(State& state, ItemKind kind, int id) {
    Item item{};
    item.kind = kind;
    item.id = static_cast<std::uint8_t>(id);
    item.card.created = state.next_created++;
    return item;
}

void give_consumable(State& state, ConsumableId id) {
    if (id != c_none) {
        const Item item = make_given_consumable(state, id);
        add_consumable(state, {item.card.created, 0, item.id, e_none});
    }
}

void give_voucher(State& state, VoucherId voucher) {
    if (voucher != v_none) {
        redeem_voucher(state, voucher);
    }
}

void apply_deck(State& state) {
    const DeckEntry& deck = kDecks[state.deck];
    state.money = 4 + deck.money;
    state.base_hands = static_cast<std::int16_t>(4 + deck.hands);
    state.base_discards = static_cast<std::int16_t>(3 + deck.discards - (state.stake >= 5 ? 1 : 0));
    state.base_hand_size = static_cast<std::int16_t>(8 + deck.hand_size);
    state.base_joker_slots = static_cast<std::int16_t>(5 + deck.joker_slots);
    state.base_consumable_slots = static_cast<std::int16_t>(2 + deck.consumable_slots);
    for (const VoucherId voucher : deck.vouchers) {
        give_voucher(state, voucher);
    }
    for (const ConsumableId id : deck.consumables) {
        give_consumable(state, id);
    }
}

template <typename Value> void replace_if_given(Value& value, int given) {
    if (given >= 0) {
        value = static_cast<Value>(given);
    }
}

void lock(State& state, PoolPlace place) {
    state.locked[static_cast<std::size_t>(place.pool)] |= std::uint64_t{1} << place.index;
}

void apply_profile(State& state, Profile profile) {
    if (profile == Profile::everything_unlocked) {
        return;
    }
    for (std::size_t id = 1; id < j_end; ++id) {
        if (!kJokers[id].unlocked_at_start && kJokers[id].rarity != Rarity::legendary) {
            lock(state, kJokerPlaces[id]);
        }
    }
    for (int id = 1; id < v_end; ++id) {
        state.locked_vouchers |= kVouchers[static_cast<std::size_t>(id)].unlocked_at_start ? 0 : bit(id);
    }
    for (int id = 1; id < tag_end; ++id) {
        state.locked_tags |= kTagEntries[static_cast<std::size_t>(id)].discovered_at_start ? 0 : bit(id);
    }
}

void apply_challenge_bans(State& state, const ChallengeEntry& challenge) {
    for (const JokerId id : challenge.banned_jokers) {
        if (id != j_none) {
            lock(state, kJokerPlaces[id]);
        }
    }
    for (const ConsumableId id : challenge.banned_consumables) {
        if (id != c_none) {
            lock(state, consumable_place(id));
        }
    }
    for (const VoucherId id : challenge.banned_vouchers) {
        state.locked_vouchers |= id != v_none ? bit(id) : 0;
    }
    state.locked_packs |= challenge.banned_packs;
    state.locked_tags |= challenge.banned_tags;
    state.locked_blinds |= challenge.banned_blinds;
}

void apply_challenge(State& state) {
    const ChallengeEntry& challenge = kChallenges[state.challenge];
    state.challenge_rules = challenge.rules;
    apply_challenge_bans(state, challenge);
    replace_if_given(state.base_hands, challenge.start.hands);
    replace_if_given(state.base_discards, challenge.start.discards);
    replace_if_given(state.base_hand_size, challenge.start.hand_size);
    replace_if_given(state.base_joker_slots, challenge.start.joker_slots);
    replace_if_given(state.money, challenge.start.money);
    for (const VoucherId voucher : challenge.vouchers) {
        give_voucher(state, voucher);
    }
    for (const ConsumableId id : challenge.consumables) {
        give_consumable(state, id);
    }
    for (const ChallengeJoker& given : challenge.jokers) {
        if (given.id != j_none) {
            Item item = shelf_item(state, ItemKind::joker, given.id);
            item.stickers = given.stickers;
            item.edition = given.edition;
            add_joker(state, joker_from_item(state, item));
        }
    }
}

void draw_orbital_hands(State& state) {
    for (std::uint8_t& hand : state.orbital_hands) {
        hand = draw_visible_hand(state, Stream::orbital, hand_types);
    }
}

// A joker that a tag puts into the slot; false if no such tag acts.
bool make_tag_joker(State& state, Item& item) {
    Tag tag{};
    if (!take_tag(state, TagTiming::store_joker_create, tag) ||
        !kTagEntries[tag.id].create_joker(state, item)) {
        return false;
    }
    item.free = 1;
    return true;
}

// The first held edition tag gives its edition to a plain joker and makes it free.
void modify_joker_by_tag(State& state, Item& item) {
    Tag tag{};
    if (item.kind == ItemKind::joker && item.edition == e_none &&
        take_tag(state, TagTiming::store_joker_modify, tag)) {
        item.edition = kTagEntries[tag.id].edition;
        item.free = 1;
    }
}

// Everything behind the streams, which clear themselves, as it is before anything is drawn.
void start_rest(State& state, DeckId deck, int stake) {
    std::memset(reinterpret_cast<char*>(&state) + sizeof(Streams), 0, sizeof(State) - sizeof(Streams));
    state.deck = deck;
    state.stake = static_cast<std::uint8_t>(stake);
    state.ante = 1;
    state.targets.ancient_suit = suit_count;
    state.ox_hand = hand_high_card;
    for (int hand = 0; hand < hand_types; ++hand) {
        state.hands[hand].level = 1;
        state.hands[hand].visible = kPokerHands[static_cast<std::size_t>(hand)].visible_at_start ? 1 : 0;
    }
    apply_deck(state);
}

// The draws of a run's start, one after the other.
void draw_start(State& state) {
    state.boss = draw_boss(state);
    state.voucher = draw_voucher(state, Stream::voucher);
    state.blind_tags[0] = draw_tag(state);
    state.blind_tags[1] = draw_tag(state);
    build_deck(state);
    shuffle_deck(state, Stream::deck_shuffle);
    draw_round_targets(state);
    draw_orbital_hands(state);
}

// The same for a seed and a deck without Stone cards and draws of its own: streams do not depend on each
// other, so whatever is certain to be drawn is drawn side by side.
void draw_start_at_once(State& state, const SpareValues& spare) {
    constexpr Stream kDraws[] = {Stream::boss,    Stream::voucher, Stream::tag,     Stream::tag,
                                 Stream::idol,    Stream::mail,    Stream::ancient, Stream::castle,
                                 Stream::orbital, Stream::orbital, Stream::orbital};
    double reals[std::size(kDraws)];
    draw_several(state.streams, kDraws, static_cast<int>(std::size(kDraws)), state.ante, reals);
    state.boss = settle_boss(state, Draw(reals[0]));
    state.voucher = settle_voucher(state, Draw(reals[1]), spare.voucher);
    state.blind_tags[0] = settle_tag(state, Draw(reals[2]), spare.tag);
    state.blind_tags[1] = settle_tag(state, Draw(reals[3]), spare.tag);
    build_deck(state);
    shuffle_deck(state, Stream::deck_shuffle);
    settle_round_targets(state, reals + 4, 0);
    settle_orbital_hands(state, reals + 4 + kTargetDraws);
}

}  // namespace

void start_generation(State& state, std::string_view seed, DeckId deck, int stake) {
    start_streams(state.streams, seed);
    start_rest(state, deck, stake);
}

void start_run(State& state, const RunOptions& options) {
    const bool challenge = options.challenge != 0;
    SpareValues spare{};
    if (options.fast_start != 0) {
        start_streams(state.streams, options.seed);
        use_fast_streams(state.streams, options.fast_start);
    } else {
        spare = start_streams_of_run(state.streams, options.seed);
    }
    start_rest(state, challenge ? b_challenge : options.deck, challenge ? 1 : options.stake);
    state.endless = options.endless ? 1 : 0;
    state.challenge = static_cast<std::uint8_t>(options.challenge);
    apply_profile(state, options.profile);
    if (challenge) {
        apply_challenge(state);
    }
    state.phase = Phase::blind_select;
    if (options.fast_start != 0 || challenge || kDecks[options.deck].has_random_cards) {
        draw_start(state);
    } else {
        draw_start_at_once(state, spare);
    }
}

void redeem_voucher(State& state, VoucherId voucher) {
    state.vouchers |= bit(voucher);
    state.ante = static_cast<std::int16_t>(std::max(kMinAnte, state.ante + kVouchers[voucher].ante));
}

void shelve_voucher(State& state, VoucherId voucher) {
    if (state.shop.voucher_count < kMaxShopVouchers) {
        state.shop.vouchers[state.shop.voucher_count++] = shelf_item(state, ItemKind::voucher, voucher);
    }
}

void begin_next_ante(State& state) {
    state.ante = static_cast<std::int16_t>(std::min(kMaxAnte, state.ante + 1));
    state.voucher = draw_voucher(state, Stream::voucher);
}

void draw_ante_choices(State& state) {
    state.blind_tags[0] = draw_tag(state);
    state.blind_tags[1] = draw_tag(state);
    state.boss = draw_boss(state);
    draw_orbital_hands(state);
}

int shop_slots(const State& state) { return 2 + voucher_sum<&VoucherEntry::shop_slots>(state); }

void fill_new_slots(State& state) {
    // What was bought has left no gap: the row closes up before it is filled.
    Item* const end = std::remove_if(state.shop.slots, state.shop.slots + state.shop.slot_count,
                                     [](const Item& item) { return item.kind == ItemKind::none; });
    std::fill(end, state.shop.slots + state.shop.slot_count, Item{});
    state.shop.slot_count = static_cast<std::uint8_t>(end - state.shop.slots);
    const int slots = shop_slots(state);
    for (int i = state.shop.slot_count; i < slots; ++i) {
        Item item{};
        if (!make_tag_joker(state, item)) {
            item = make_shop_card(state);
        }
        modify_joker_by_tag(state, item);
        state.shop.slots[i] = item;
        state.shop.slot_count = static_cast<std::uint8_t>(i + 1);
    }
}

void stock_shop(State& state) {
    state.shop = {};
    state.shop.open = 1;
    constexpr StreamUse kShopDraws[] = {
        {Stream::shop_type},           {Stream::rarity_shop},  {Stream::joker_common_shop},
        {Stream::joker_uncommon_shop}, {Stream::edition_shop}, {Stream::sticker_shop},
        {Stream::tarot_shop},          {Stream::planet_shop},  {Stream::shop_pack},
    };
    prefetch(state.streams, kShopDraws, static_cast<int>(std::size(kShopDraws)), state.ante);
    state.cheap_rerolls = 0;
    apply_tag(state, TagTiming::shop_start);
    fill_new_slots(state);
    if (state.voucher != v_none) {
        shelve_voucher(state, static_cast<VoucherId>(state.voucher));
    }
    for (Item& pack : state.shop.packs) {
        pack = shelf_item(state, ItemKind::pack, draw_booster(state));
    }
    while (apply_tag(state, TagTiming::voucher_add)) {
    }
    apply_tag(state, TagTiming::shop_final_pass);
}

void restock_slots(State& state) {
    for (int i = 0; i < state.shop.slot_count; ++i) {
        release_item(state, state.shop.slots[i]);
        state.shop.slots[i] = {};
    }
    state.shop.slot_count = 0;
    fill_new_slots(state);
}

void clear_shop(State& state) {
    for (int i = 0; i < state.shop.slot_count; ++i) {
        release_item(state, state.shop.slots[i]);
    }
    state.shop = {};
}

}  // namespace jimbot
