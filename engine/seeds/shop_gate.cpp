// Gates over the card slots of the shops: sort, rarity, key and edition, each rolled only where the one
// before it leaves something to hope for.

#include <algorithm>
#include <bit>

#include "seeds/gates.hpp"

namespace jimbot {

namespace {

constexpr int kFollowedCards = 64;  // shop cards of an ante that a gate can follow: one bit each

// One bit per shop card of the ante.
using CardMasks = std::uint64_t[kLanes];

enum ShopSort { sort_joker, sort_tarot, sort_planet, sort_playing_card, sort_spectral };

struct KeySource {
    ShopSort sort;
    Stream stream;
    PoolPlace place;
};

KeySource source_of(const Condition& condition) {
    if (condition.wanted == Wanted::consumable) {
        const PoolPlace place = consumable_place(condition.id);
        return place.pool == Pool::tarot    ? KeySource{sort_tarot, Stream::tarot_shop, place}
               : place.pool == Pool::planet ? KeySource{sort_planet, Stream::planet_shop, place}
                                            : KeySource{sort_spectral, Stream::spectral_shop, place};
    }
    const PoolPlace place = kJokerPlaces[condition.id];
    return place.pool == Pool::common     ? KeySource{sort_joker, Stream::joker_common_shop, place}
           : place.pool == Pool::uncommon ? KeySource{sort_joker, Stream::joker_uncommon_shop, place}
                                          : KeySource{sort_joker, Stream::joker_rare_shop, place};
}

std::uint64_t lowest(std::uint64_t mask) { return mask & (~mask + 1); }

// Uses a stream once for each of the cards in `cards`, from left to right in every lane, and calls
// use(lane, bit of the card, roll). Then keeps the lanes whose entry in `masks` is not zero.
template <typename Use>
void roll_for_cards(SeedBatch& batch, Stream stream, int ante, const CardMasks& cards, Lanes& lanes,
                    const CardMasks& masks, Use use) {
    LaneValues values;
    batch.open(stream, ante, 0, lanes, values);
    CardMasks left;
    Lanes rolling;
    for (int i = 0; i < lanes.count; ++i) {
        const int lane = lanes.lane[i];
        left[lane] = cards[lane];
        rolling.add(lane);
    }
    while (rolling.count > 0) {
        LaneValues rolls;
        batch.roll(rolling, values, rolls);
        Lanes still_rolling;
        for (int i = 0; i < rolling.count; ++i) {
            const int lane = rolling.lane[i];
            use(lane, lowest(left[lane]), rolls[i]);
            left[lane] &= left[lane] - 1;
            if (left[lane] != 0) {
                still_rolling.add(lane);
            }
        }
        rolling = still_rolling;
    }
    Lanes kept;
    for (int i = 0; i < lanes.count; ++i) {
        if (masks[lanes.lane[i]] != 0) {
            kept.add(lanes.lane[i]);
        }
    }
    lanes = kept;
}

// Which of the ante's first `count` shop cards are of a sort.
void roll_sorts(const SearchPlan& plan, SeedBatch& batch, int ante, int count, ShopSort sort, Lanes& lanes,
                CardMasks& masks) {
    double lower = 0.0;
    for (int i = 0; i < sort; ++i) {
        lower += plan.shop_rates[i];
    }
    const double upper = lower + plan.shop_rates[sort];
    CardMasks cards;
    for (int i = 0; i < lanes.count; ++i) {
        cards[lanes.lane[i]] = ~std::uint64_t{0} >> (kFollowedCards - count);
        masks[lanes.lane[i]] = 0;
    }
    roll_for_cards(batch, Stream::shop_type, ante, cards, lanes, masks,
                   [&](int lane, std::uint64_t card, double roll) {
                       const double x = roll * plan.shop_rate_total;
                       // A roll of exactly zero lies in no range and makes a joker.
                       if ((x > lower && x <= upper) || (sort == sort_joker && x == 0.0)) {
                           masks[lane] |= card;
                       }
                   });
}

// Which of the jokers are of a rarity.
void roll_rarities(SeedBatch& batch, int ante, Rarity rarity, const CardMasks& jokers, Lanes& lanes,
                   CardMasks& masks) {
    for (int i = 0; i < lanes.count; ++i) {
        masks[lanes.lane[i]] = 0;
    }
    roll_for_cards(batch, Stream::rarity_shop, ante, jokers, lanes, masks,
                   [&](int lane, std::uint64_t card, double roll) {
                       if (is_rarity(roll, rarity)) {
                           masks[lane] |= card;
                       }
                   });
}

// Keeps in `masks` the cards that have the wanted key, or may have it because the drawn one was not to be
// had. A redraw is not followed: once one has happened, every later card of the row may be anything.
void roll_keys(const SearchPlan& plan, SeedBatch& batch, int ante, const KeySource& source, Lanes& lanes,
               CardMasks& masks) {
    const auto pool = static_cast<std::size_t>(source.place.pool);
    const int row_length = plan.search.view == SearchView::walk ? plan.shop_slots : 1;
    int row[kLanes];
    std::uint64_t taken[kLanes];
    CardMasks cards;
    for (int i = 0; i < lanes.count; ++i) {
        const int lane = lanes.lane[i];
        row[lane] = -1;
        cards[lane] = masks[lane];
    }
    roll_for_cards(batch, source.stream, ante, cards, lanes, masks,
                   [&](int lane, std::uint64_t card, double roll) {
                       const int card_row = std::countr_zero(card) / row_length;
                       if (card_row != row[lane]) {
                           row[lane] = card_row;
                           taken[lane] = plan.closed[pool];
                       }
                       const int index = index_of_roll(roll, kPoolLengths[pool]);
                       const std::uint64_t key = std::uint64_t{1} << index;
                       const bool redrawn = (taken[lane] & key) != 0;
                       if (!redrawn && index != source.place.index) {
                           masks[lane] &= ~card;
                       }
                       taken[lane] = redrawn ? ~std::uint64_t{0} : taken[lane] | key;
                   });
}

// Keeps in `masks` the cards whose edition roll is above the bound; every joker before them rolls too.
void roll_editions(SeedBatch& batch, int ante, double bound, const CardMasks& jokers, Lanes& lanes,
                   CardMasks& masks) {
    CardMasks cards;
    for (int i = 0; i < lanes.count; ++i) {
        const int lane = lanes.lane[i];
        cards[lane] = jokers[lane] & (~std::uint64_t{0} >> std::countl_zero(masks[lane]));
    }
    roll_for_cards(batch, Stream::edition_shop, ante, cards, lanes, masks,
                   [&](int lane, std::uint64_t card, double roll) {
                       if (roll <= bound) {
                           masks[lane] &= ~card;
                       }
                   });
}

}  // namespace

void narrow_by_shop(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch,
                    Lanes& lanes) {
    const int all = shop_cards_of(plan, ante);
    const int cards = condition.first_items == 0 ? all : std::min<int>(all, condition.first_items);
    if (cards > kFollowedCards || condition.wanted == Wanted::playing_card) {
        return;
    }
    CardMasks masks;
    const double bound = edition_bound(condition.edition);
    if (condition.id == 0) {
        roll_sorts(plan, batch, ante, cards, sort_joker, lanes, masks);
        roll_editions(batch, ante, bound, masks, lanes, masks);
        return;
    }
    const KeySource source = source_of(condition);
    if (source.sort != sort_joker) {
        roll_sorts(plan, batch, ante, cards, source.sort, lanes, masks);
        roll_keys(plan, batch, ante, source, lanes, masks);
        return;
    }
    CardMasks jokers;
    roll_sorts(plan, batch, ante, cards, sort_joker, lanes, jokers);
    roll_rarities(batch, ante, kJokers[condition.id].rarity, jokers, lanes, masks);
    roll_keys(plan, batch, ante, source, lanes, masks);
    if (bound > 0.0) {
        roll_editions(batch, ante, bound, jokers, lanes, masks);
    }
}

}  // namespace jimbot
