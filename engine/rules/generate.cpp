#include "rules/generate.hpp"

#include "catalog/catalog.hpp"
#include "rules/challenge.hpp"
#include "rules/pools.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

namespace {

struct JokerStreams {
    bool rolls_rarity;
    Stream rarity;
    Rarity fixed_rarity;
    Stream by_rarity[4];
    Stream edition;
    bool in_pack;
    bool has_stickers;
};

constexpr Stream kLegendary = Stream::joker_legendary;

// Sources with one fixed rarity repeat its stream; the others are never read.
constexpr JokerStreams fixed(Rarity rarity, Stream stream, Stream edition, bool stickers) {
    return {false,   Stream::rarity_shop, rarity, {stream, stream, stream, kLegendary}, edition, false,
            stickers};
}

constexpr JokerStreams kJokerStreams[] = {
    {true,
     Stream::rarity_shop,
     Rarity::common,
     {Stream::joker_common_shop, Stream::joker_uncommon_shop, Stream::joker_rare_shop, kLegendary},
     Stream::edition_shop,
     false,
     true},
    {true,
     Stream::rarity_buffoon,
     Rarity::common,
     {Stream::joker_common_buffoon, Stream::joker_uncommon_buffoon, Stream::joker_rare_buffoon, kLegendary},
     Stream::edition_buffoon,
     true,
     true},
    {true,
     Stream::rarity_judgement,
     Rarity::common,
     {Stream::joker_common_judgement, Stream::joker_uncommon_judgement, Stream::joker_rare_judgement,
      kLegendary},
     Stream::edition_judgement,
     false,
     false},
    fixed(Rarity::legendary, kLegendary, Stream::edition_soul, false),
    fixed(Rarity::rare, Stream::joker_rare_wraith, Stream::edition_wraith, false),
    fixed(Rarity::common, Stream::joker_common_riff_raff, Stream::edition_riff_raff, false),
    fixed(Rarity::common, Stream::joker_common_top_up, Stream::edition_top_up, false),
    fixed(Rarity::rare, Stream::joker_rare_tag, Stream::edition_rare_tag, true),
    fixed(Rarity::uncommon, Stream::joker_uncommon_tag, Stream::edition_uncommon_tag, true),
};

double roll(State& state, Stream stream) { return draw(state.streams, stream, state.ante).real(); }

Item new_item(State& state, ItemKind kind, int id) {
    Item item{};
    item.kind = kind;
    item.id = static_cast<std::uint8_t>(id);
    item.card.created = state.next_created++;
    return item;
}

double edition_rate(const State& state) { return voucher_max<&VoucherEntry::edition_rate>(state, 1.0); }

// Edition by a roll: `modifier` is 1 for jokers and 2 for cards of Standard packs, which are never Negative.
EditionId rolled_edition(double roll, double rate, double modifier, bool negative) {
    if (negative && roll > 1.0 - 0.003 * modifier) {
        return e_negative;
    }
    if (roll > 1.0 - 0.006 * rate * modifier) {
        return e_polychrome;
    }
    if (roll > 1.0 - 0.02 * rate * modifier) {
        return e_holo;
    }
    if (roll > 1.0 - 0.04 * rate * modifier) {
        return e_foil;
    }
    return e_none;
}

std::uint8_t roll_stickers(State& state, const JokerEntry& joker, bool in_pack) {
    std::uint8_t stickers = 0;
    const double first = roll(state, in_pack ? Stream::sticker_pack : Stream::sticker_shop);
    if (first > 0.7) {
        if (state.stake >= 4 && joker.can_be_eternal) {
            stickers |= sticker_eternal;
        }
    } else if (first > 0.4 && state.stake >= 7 && joker.can_be_perishable) {
        stickers |= sticker_perishable;
    }
    if (state.stake >= 8 && roll(state, in_pack ? Stream::rental_pack : Stream::rental_shop) > 0.7) {
        stickers |= sticker_rental;
    }
    return stickers;
}

Item make_playing_card(State& state, Stream enhancement_stream, Stream front_stream, bool enhanced) {
    EnhancementId enhancement = m_none;
    if (enhanced) {
        enhancement = static_cast<EnhancementId>(
            1 + draw(state.streams, enhancement_stream, state.ante).index(m_end - 1));
    }
    const int front = draw_front(state, front_stream);
    Item item = new_item(state, ItemKind::playing_card, 0);
    item.card.rank = static_cast<std::uint8_t>(front_rank(front));
    item.card.suit = front_suit(front);
    item.card.enhancement = enhancement;
    return item;
}

Item make_shop_playing_card(State& state, bool enhanced) {
    Item item = make_playing_card(state, Stream::enhanced_shop, Stream::front_shop, enhanced);
    if (any_voucher_with<&VoucherEntry::decorates_cards>(state) && roll(state, Stream::illusion) > 0.8) {
        item.card.edition = guaranteed_edition(roll(state, Stream::illusion));
    }
    item.edition = item.card.edition;
    return item;
}

Item make_standard_pack_card(State& state) {
    const bool enhanced = roll(state, Stream::standard_set) > 0.6;
    Item item = make_playing_card(state, Stream::enhanced_standard, Stream::front_standard, enhanced);
    item.card.edition =
        rolled_edition(roll(state, Stream::standard_edition), edition_rate(state), 2.0, false);
    item.edition = item.card.edition;
    if (roll(state, Stream::standard_seal) > 0.8) {
        item.card.seal = seal_for(roll(state, Stream::standard_seal_type));
    }
    return item;
}

// The planet of the most played visible hand, or c_none if none was played.
ConsumableId telescope_planet(const State& state) {
    ConsumableId planet = c_none;
    int most = 0;
    for (int hand = 0; hand < hand_types; ++hand) {
        if (state.hands[hand].visible != 0 && state.hands[hand].played > most) {
            most = state.hands[hand].played;
            planet = kPokerHands[static_cast<std::size_t>(hand)].planet;
        }
    }
    return planet;
}

Item make_pack_card(State& state, PackKind kind, int position) {
    switch (kind) {
    case PackKind::arcana:
        if (any_voucher_with<&VoucherEntry::spectrals_in_arcana>(state) &&
            roll(state, Stream::omen_globe) > 0.8) {
            return make_consumable(state, Pool::spectral, Stream::spectral_arcana, true);
        }
        return make_consumable(state, Pool::tarot, Stream::tarot_arcana, true);
    case PackKind::celestial:
        if (position == 0 && any_voucher_with<&VoucherEntry::finds_best_planet>(state)) {
            const ConsumableId planet = telescope_planet(state);
            if (planet != c_none) {
                return make_given_consumable(state, planet);
            }
        }
        return make_consumable(state, Pool::planet, Stream::planet_celestial, true);
    case PackKind::spectral:
        return make_consumable(state, Pool::spectral, Stream::spectral_spectral, true);
    case PackKind::buffoon:
        return make_joker(state, JokerSource::buffoon_pack);
    case PackKind::standard:
        break;
    }
    return make_standard_pack_card(state);
}

bool locked_out(const State& state, ConsumableId id) {
    const PoolPlace place = consumable_place(id);
    return ((state.locked[static_cast<std::size_t>(place.pool)] >> place.index) & 1) != 0;
}

// Whether a hidden card takes the place of a pack card; The Soul is rolled first and a Black Hole hit wins.
ConsumableId roll_hidden_card(State& state, Pool pool) {
    const Stream stream = pool == Pool::tarot    ? Stream::soul_tarot
                          : pool == Pool::planet ? Stream::soul_planet
                                                 : Stream::soul_spectral;
    ConsumableId hidden = c_none;
    if (pool != Pool::planet && !consumable_blocked(state, c_soul) && roll(state, stream) > 0.997) {
        hidden = c_soul;
    }
    if (pool != Pool::tarot && !consumable_blocked(state, c_black_hole) && roll(state, stream) > 0.997) {
        hidden = c_black_hole;
    }
    return hidden;
}

bool any_pack(const State& state) {
    for (int id = 1; id < p_end; ++id) {
        if ((state.locked_packs & bit(id)) == 0) {
            return true;
        }
    }
    return false;
}

}  // namespace

int draw_front(State& state, Stream stream) { return draw(state.streams, stream, state.ante).index(kFronts); }

EditionId guaranteed_edition(double roll) {
    return roll > 0.85 ? e_polychrome : roll > 0.5 ? e_holo : e_foil;
}

SealId seal_for(double roll) {
    return roll > 0.75 ? s_red : roll > 0.5 ? s_blue : roll > 0.25 ? s_gold : s_purple;
}

Item make_joker(State& state, JokerSource source) {
    const JokerStreams& streams = kJokerStreams[static_cast<std::size_t>(source)];
    Rarity rarity = streams.fixed_rarity;
    if (streams.rolls_rarity) {
        const double value = roll(state, streams.rarity);
        rarity = value > 0.95 ? Rarity::rare : value > 0.7 ? Rarity::uncommon : Rarity::common;
    } else if (source == JokerSource::soul) {
        draw_seed(state.streams, Stream::rarity_soul, state.ante);  // rolled and ignored
    }
    const int id =
        draw_from_pool(state, static_cast<Pool>(rarity), streams.by_rarity[static_cast<std::size_t>(rarity)]);
    Item item = new_item(state, ItemKind::joker, id);
    mark_joker(state, id);
    item.hand = hand_types;
    const JokerEntry& entry = kJokers[static_cast<std::size_t>(id)];
    if (entry.hooks.draw_hand != nullptr) {
        item.hand = entry.hooks.draw_hand(state);
    }
    if (streams.has_stickers) {
        item.stickers = roll_stickers(state, entry, streams.in_pack);
    }
    if (has_rule(state, rule_all_eternal) && entry.can_be_eternal) {
        item.stickers |= sticker_eternal;
    }
    item.edition = rolled_edition(roll(state, streams.edition), edition_rate(state), 1.0, true);
    return item;
}

Item make_given_consumable(State& state, ConsumableId id) {
    mark_consumable(state, id);
    return new_item(state, ItemKind::consumable, id);
}

Item make_consumable(State& state, Pool pool, Stream stream, bool in_pack) {
    if (in_pack) {
        const ConsumableId hidden = roll_hidden_card(state, pool);
        if (hidden != c_none && !locked_out(state, hidden)) {  // a banned one is rolled for nothing
            return make_given_consumable(state, hidden);
        }
    }
    return make_given_consumable(state, static_cast<ConsumableId>(draw_from_pool(state, pool, stream)));
}

std::array<double, kShopTypes> shop_rates(const State& state) {
    return {
        has_rule(state, rule_no_shop_jokers) ? 0.0 : 20.0,
        voucher_max<&VoucherEntry::tarot_rate>(state, 4.0),
        voucher_max<&VoucherEntry::planet_rate>(state, 4.0),
        voucher_max<&VoucherEntry::card_rate>(state, 0.0),
        kDecks[state.deck].spectral_rate,
    };
}

Item make_shop_card(State& state) {
    const std::array<double, kShopTypes> rates = shop_rates(state);
    const double total = rates[0] + rates[1] + rates[2] + rates[3] + rates[4];
    const double x = roll(state, Stream::shop_type) * total;
    // Illusion is rolled for every slot, whatever the slot becomes.
    const bool enhanced =
        any_voucher_with<&VoucherEntry::decorates_cards>(state) && roll(state, Stream::illusion) > 0.6;
    double lower = 0.0;
    std::size_t type = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (x > lower && x <= lower + rates[i]) {
            type = i;
            break;
        }
        lower += rates[i];
    }
    switch (type) {
    case 1:
        return make_consumable(state, Pool::tarot, Stream::tarot_shop, false);
    case 2:
        return make_consumable(state, Pool::planet, Stream::planet_shop, false);
    case 3:
        return make_shop_playing_card(state, enhanced);
    case 4:
        return make_consumable(state, Pool::spectral, Stream::spectral_shop, false);
    default:
        return make_joker(state, JokerSource::shop);
    }
}

PackId draw_booster(State& state) {
    if (state.first_pack_given == 0) {
        state.first_pack_given = 1;
        if ((state.locked_packs & bit(p_buffoon_normal_1)) == 0) {
            return p_buffoon_normal_1;
        }
    }
    // If all packs are locked, which no challenge does, the locks are passed over: a shop has packs.
    const std::uint32_t locked = any_pack(state) ? state.locked_packs : 0;
    double total = 0.0;
    for (int id = 1; id < p_end; ++id) {
        if ((locked & bit(id)) == 0) {
            total += kPacks[static_cast<std::size_t>(id)].weight;
        }
    }
    const double x = roll(state, Stream::shop_pack) * total;
    double cumulative = 0.0;
    PackId last = p_none;
    for (int id = 1; id < p_end; ++id) {
        if ((locked & bit(id)) != 0) {
            continue;
        }
        const double weight = kPacks[static_cast<std::size_t>(id)].weight;
        cumulative += weight;
        last = static_cast<PackId>(id);
        if (cumulative >= x && cumulative - weight <= x) {
            break;
        }
    }
    return last;
}

void open_pack_contents(State& state, PackId id) {
    const PackEntry& entry = kPacks[id];
    state.pack = {};
    state.pack.id = id;
    state.pack.choices_left = entry.choose;
    for (int i = 0; i < entry.cards; ++i) {
        state.pack.cards[i] = make_pack_card(state, entry.kind, i);
        state.pack.count = static_cast<std::uint8_t>(i + 1);
    }
}

void release_item(State& state, const Item& item) {
    if (item.kind == ItemKind::joker) {
        release_joker(state, item.id);
    } else if (item.kind == ItemKind::consumable) {
        release_consumable(state, item.id);
    }
}

void close_pack(State& state) {
    for (int i = 0; i < state.pack.count; ++i) {
        release_item(state, state.pack.cards[i]);
    }
    state.pack = {};
}

}  // namespace jimbot
