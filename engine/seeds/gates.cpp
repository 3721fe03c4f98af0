#include "seeds/gates.hpp"

namespace jimbot {

namespace {

// Uses a stream once and keeps the lanes whose roll pleases.
template <typename Pleases>
void keep_first_roll(SeedBatch& batch, Stream stream, Lanes& lanes, Pleases pleases) {
    LaneValues values;
    LaneValues rolls;
    batch.open(stream, 1, 0, lanes, values);
    batch.roll(lanes, values, rolls);
    Lanes kept;
    for (int i = 0; i < lanes.count; ++i) {
        if (pleases(rolls[i])) {
            kept.add(lanes.lane[i]);
        }
    }
    lanes = kept;
}

void narrow_by_first_boss(const SearchPlan& plan, const Condition& condition, SeedBatch& batch,
                          Lanes& lanes) {
    keep_first_roll(batch, Stream::boss, lanes, [&](double roll) {
        return plan.first_bosses[index_of_roll(roll, plan.first_boss_count)] == condition.id;
    });
}

// The run's first Soul gives the same joker whenever it is used.
void narrow_by_legendary(const Condition& condition, SeedBatch& batch, Lanes& lanes) {
    const PoolPlace place = kJokerPlaces[condition.id];
    keep_first_roll(batch, Stream::joker_legendary, lanes, [&](double roll) {
        return index_of_roll(roll, kPoolLengths[static_cast<std::size_t>(place.pool)]) == place.index;
    });
}

// Nothing is redeemed and nothing on display when the voucher is drawn, so its
// redraws can be followed to the end.
void narrow_by_voucher(const SearchPlan& plan, const Condition& condition, int ante, SeedBatch& batch,
                       Lanes& lanes) {
    std::uint64_t kept = 0;
    Lanes undecided = lanes;
    for (int resample = 0; undecided.count > 0; resample = resample == 0 ? 2 : resample + 1) {
        LaneValues values;
        LaneValues rolls;
        batch.open(Stream::voucher, ante, resample, undecided, values);
        batch.roll(undecided, values, rolls);
        Lanes again;
        for (int i = 0; i < undecided.count; ++i) {
            const int id = 1 + index_of_roll(rolls[i], v_end - 1);
            if ((plan.closed_vouchers & bit(id)) != 0) {
                again.add(undecided.lane[i]);
            } else if (id == condition.id) {
                kept |= lane_bit(undecided.lane[i]);
            }
        }
        undecided = again;
    }
    lanes = lanes_of(kept);
}

// A tag that the ante does not allow is drawn again; those seeds are kept without following the redraw.
void narrow_by_tags(const Condition& condition, int ante, SeedBatch& batch, Lanes& lanes) {
    LaneValues values;
    batch.open(Stream::tag, ante, 0, lanes, values);
    std::uint64_t kept = 0;
    for (int draw = 0; draw < 2; ++draw) {
        LaneValues rolls;
        batch.roll(lanes, values, rolls);
        for (int i = 0; i < lanes.count; ++i) {
            const int id = 1 + index_of_roll(rolls[i], tag_end - 1);
            if (id == condition.id || kTagEntries[static_cast<std::size_t>(id)].min_ante > ante) {
                kept |= lane_bit(lanes.lane[i]);
            }
        }
    }
    lanes = lanes_of(kept);
}

template <typename Narrow> std::uint64_t passing(std::uint64_t mask, Narrow narrow_lanes) {
    Lanes lanes = lanes_of(mask);
    narrow_lanes(lanes);
    return mask_of(lanes);
}

// Keeps the lanes that one of the antes lets through; `narrow_ante` tells which of a mask it lets through.
template <typename Narrow>
void narrow_by_any_ante(const Condition& condition, Lanes& lanes, Narrow narrow_ante) {
    std::uint64_t left = mask_of(lanes);
    std::uint64_t kept = 0;
    for (int ante = condition.min_ante; ante <= condition.max_ante && left != 0; ++ante) {
        kept |= narrow_ante(ante, left);
        left &= ~kept;
    }
    lanes = lanes_of(kept);
}

}  // namespace

void narrow(const SearchPlan& plan, const Condition& condition, SeedBatch& batch, Lanes& lanes) {
    switch (condition.wanted) {
    case Wanted::boss:
        if (condition.max_ante == 1) {  // later bosses depend on the earlier ones
            narrow_by_first_boss(plan, condition, batch, lanes);
        }
        return;
    case Wanted::voucher:
        narrow_by_any_ante(condition, lanes, [&](int ante, std::uint64_t mask) {
            return passing(mask, [&](Lanes& some) { narrow_by_voucher(plan, condition, ante, batch, some); });
        });
        return;
    case Wanted::tag:
        narrow_by_any_ante(condition, lanes, [&](int ante, std::uint64_t mask) {
            return passing(mask, [&](Lanes& some) { narrow_by_tags(condition, ante, batch, some); });
        });
        return;
    default:
        break;
    }
    if (is_legendary(condition)) {
        narrow_by_legendary(condition, batch, lanes);
    }
    narrow_by_any_ante(condition, lanes, [&](int ante, std::uint64_t mask) {
        std::uint64_t kept = 0;
        if (shop_may_hold(condition)) {
            kept = passing(mask, [&](Lanes& some) { narrow_by_shop(plan, condition, ante, batch, some); });
        }
        if (condition.place != Place::shop) {
            kept |= passing(mask & ~kept,
                            [&](Lanes& some) { narrow_by_packs(plan, condition, ante, batch, some); });
        }
        return kept;
    });
}

}  // namespace jimbot
