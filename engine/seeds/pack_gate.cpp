// Gates over booster packs: which packs there are, and the rolls inside them that nothing else influences.
// Keys are not rolled here: what lies on the shelf decides about their redraws.

#include <algorithm>

#include "seeds/gates.hpp"

namespace jimbot {

namespace {

// Cards per lane in packs of a kind.
using CardCounts = std::uint8_t[kLanes];

constexpr int kPackKinds = 5;

std::size_t chosen_pack(const SearchPlan& plan, double roll) {
    const double x = roll * plan.pack_total;
    std::size_t id = 1;
    while (id + 1 < p_end && (plan.pack_upper[id] < x || plan.pack_lower[id] > x)) {
        ++id;
    }
    return id;
}

// Keeps the lanes that have a pack of the condition, or packs of a kind that may
// hold it, and counts their cards.
void roll_packs(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch, Lanes& lanes,
                CardCounts (&counts)[kPackKinds]) {
    LaneValues values;
    batch.open(Stream::shop_pack, ante, 0, lanes, values);
    for (CardCounts& count : counts) {
        std::fill(std::begin(count), std::end(count), std::uint8_t{0});
    }
    std::uint64_t kept = 0;
    for (int slot = 0; slot < packs_of(ante); ++slot) {
        const bool given = ante == 1 && slot == 0;  // the run's first pack is not rolled
        LaneValues rolls;
        if (!given) {
            batch.roll(lanes, values, rolls);
        }
        for (int i = 0; i < lanes.count; ++i) {
            const int lane = lanes.lane[i];
            const std::size_t id = given ? std::size_t{p_buffoon_normal_1} : chosen_pack(plan, rolls[i]);
            const PackEntry& pack = kPacks[id];
            CardCounts& count = counts[static_cast<std::size_t>(pack.kind)];
            count[lane] = static_cast<std::uint8_t>(count[lane] + pack.cards);
            if (pack_may_hold(pack.kind, condition) || (condition.packs & bit(static_cast<int>(id))) != 0) {
                kept |= lane_bit(lane);
            }
        }
    }
    lanes = lanes_of(kept);
}

// The lanes in which one of a stream's first rolls pleases: `rolls_each` for every card in packs of a kind.
template <typename Pleases>
std::uint64_t lanes_with_roll(SeedBatch& batch, Stream stream, int ante, const CardCounts& cards,
                              int rolls_each, const Lanes& lanes, Pleases pleases) {
    Lanes rolling;
    for (int i = 0; i < lanes.count; ++i) {
        if (cards[lanes.lane[i]] > 0) {
            rolling.add(lanes.lane[i]);
        }
    }
    LaneValues values;
    batch.open(stream, ante, 0, rolling, values);
    std::uint64_t mask = 0;
    for (int rolled = 1; rolling.count > 0; ++rolled) {
        LaneValues rolls;
        batch.roll(rolling, values, rolls);
        Lanes still_rolling;
        for (int i = 0; i < rolling.count; ++i) {
            const int lane = rolling.lane[i];
            if (pleases(rolls[i])) {
                mask |= lane_bit(lane);
            } else if (rolled < cards[lane] * rolls_each) {
                still_rolling.add(lane);
            }
        }
        rolling = still_rolling;
    }
    return mask;
}

// The Soul comes in Arcana and Spectral packs, Black Hole in Celestial and Spectral packs. A Spectral card
// rolls for each of the two on one stream.
void narrow_by_hidden_card(bool soul, int ante, SeedBatch& batch, const CardCounts (&counts)[kPackKinds],
                           Lanes& lanes) {
    const auto pleases = [](double roll) { return roll > 0.997; };
    const auto& plain = counts[static_cast<std::size_t>(soul ? PackKind::arcana : PackKind::celestial)];
    const auto& spectral = counts[static_cast<std::size_t>(PackKind::spectral)];
    const Stream stream = soul ? Stream::soul_tarot : Stream::soul_planet;
    std::uint64_t mask = lanes_with_roll(batch, stream, ante, plain, 1, lanes, pleases);
    mask |= lanes_with_roll(batch, Stream::soul_spectral, ante, spectral, 2, lanes, pleases);
    lanes = lanes_of(mask);
}

}  // namespace

void narrow_by_packs(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch,
                     Lanes& lanes) {
    CardCounts counts[kPackKinds];
    roll_packs(plan, condition, ante, batch, lanes, counts);
    if (is_legendary(condition) || (condition.wanted == Wanted::consumable && condition.id == c_soul)) {
        narrow_by_hidden_card(true, ante, batch, counts, lanes);
        return;
    }
    if (condition.wanted == Wanted::consumable && condition.id == c_black_hole) {
        narrow_by_hidden_card(false, ante, batch, counts, lanes);
        return;
    }
    if (condition.wanted != Wanted::joker) {
        return;
    }
    const auto& jokers = counts[static_cast<std::size_t>(PackKind::buffoon)];
    if (condition.id != 0) {
        const Rarity rarity = kJokers[condition.id].rarity;
        lanes = lanes_of(lanes_with_roll(batch, Stream::rarity_buffoon, ante, jokers, 1, lanes,
                                         [&](double roll) { return is_rarity(roll, rarity); }));
    }
    const double bound = edition_bound(condition.edition);
    if (bound > 0.0) {
        lanes = lanes_of(lanes_with_roll(batch, Stream::edition_buffoon, ante, jokers, 1, lanes,
                                         [&](double roll) { return roll > bound; }));
    }
}

}  // namespace jimbot
