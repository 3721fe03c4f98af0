#include "rules/pools.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "rules/owned.hpp"

namespace jimbot {

namespace {

std::uint64_t all_of(unsigned length) {
    return length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
}

std::uint64_t pool_bit(PoolPlace place) { return std::uint64_t{1} << (place.index & 63u); }

bool deck_has(const State& state, EnhancementId enhancement) {
    for (int i = 0; i < state.card_count; ++i) {
        if (state.cards[i].enhancement == enhancement) {
            return true;
        }
    }
    return false;
}

// Gates of single entries that depend on the run rather than on what exists.
bool gate_open(const State& state, Pool pool, int id) {
    if (pool == Pool::planet) {
        const HandType hand = kConsumables[static_cast<std::size_t>(id)].hand;
        return kPokerHands[hand].visible_at_start || state.hands[hand].played > 0;
    }
    if (pool == Pool::spectral) {
        return kConsumables[static_cast<std::size_t>(id)].in_pool;
    }
    if (pool > Pool::rare) {
        return true;
    }
    const JokerEntry& joker = kJokers[static_cast<std::size_t>(id)];
    switch (joker.gate) {
    case PoolGate::before_extinction:
        return state.gros_michel_extinct == 0;
    case PoolGate::after_extinction:
        return state.gros_michel_extinct != 0;
    case PoolGate::none:
        break;
    }
    return joker.needs_in_deck == m_none || deck_has(state, joker.needs_in_deck);
}

// What an empty pool gives.
int pool_fallback(Pool pool) {
    switch (pool) {
    case Pool::tarot:
        return c_strength;
    case Pool::planet:
        return c_pluto;
    case Pool::spectral:
        return c_incantation;
    default:
        return j_joker;
    }
}

bool owns_consumable(const State& state, int id) {
    for (int i = 0; i < state.consumable_count; ++i) {
        if (state.consumables[i].id == id) {
            return true;
        }
    }
    return false;
}

bool owns_joker(const State& state, int id) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].id == id) {
            return true;
        }
    }
    return false;
}

// What a first draw makes of an index below `length`, or later ones, from the redraw streams, until
// `available` says yes. `third` is the first value of the third stream, if it is known.
template <typename Available>
int settle_index(State& state, Stream stream, Draw first, int length, Available available,
                 const double* third = nullptr) {
    int index = first.index(length);
    for (int resample = 2; !available(index); ++resample) {
        if (resample == 3 && third != nullptr) {
            give_first_value(state.streams, stream, state.ante, resample, *third);
        }
        index = draw(state.streams, stream, state.ante, resample).index(length);
    }
    return index;
}

template <typename Available> int draw_index(State& state, Stream stream, int length, Available available) {
    return settle_index(state, stream, draw(state.streams, stream, state.ante), length, available);
}

bool voucher_available(const State& state, int id) {
    if (((state.vouchers | state.locked_vouchers) & bit(id)) != 0) {
        return false;
    }
    const VoucherId needed = kVouchers[static_cast<std::size_t>(id)].requires_voucher;
    if (needed != v_none && !redeemed(state, needed)) {
        return false;
    }
    for (int i = 0; i < state.shop.voucher_count; ++i) {
        const Item& shown = state.shop.vouchers[i];
        if (shown.kind == ItemKind::voucher && shown.id == id) {
            return false;
        }
    }
    return true;
}

bool tag_available(const State& state, int id) {
    return (state.locked_tags & bit(id)) == 0 &&
           kTagEntries[static_cast<std::size_t>(id)].min_ante <= state.ante;
}

// Bosses by the byte order of their keys, which is the order a random choice sees.
constexpr std::array<BlindId, bl_end - kFirstBoss> kBossesByKey = [] {
    std::array<BlindId, bl_end - kFirstBoss> bosses{};
    for (std::size_t i = 0; i < bosses.size(); ++i) {
        bosses[i] = static_cast<BlindId>(kFirstBoss + i);
    }
    std::sort(bosses.begin(), bosses.end(),
              [](BlindId a, BlindId b) { return kBlindKeys[a] < kBlindKeys[b]; });
    return bosses;
}();

// Iteration order of the hand table in the Windows build, in which `orbital` and `to_do` index it.
constexpr HandType kHandTableOrder[hand_types] = {
    hand_flush_house, hand_full_house,     hand_flush,           hand_pair,
    hand_high_card,   hand_straight_flush, hand_straight,        hand_two_pair,
    hand_flush_five,  hand_five_of_a_kind, hand_three_of_a_kind, hand_four_of_a_kind,
};

bool any_voucher(const State& state) {
    for (int id = 1; id < v_end; ++id) {
        if (voucher_available(state, id)) {
            return true;
        }
    }
    return false;
}

bool any_tag(const State& state) {
    for (int id = 1; id < tag_end; ++id) {
        if (tag_available(state, id)) {
            return true;
        }
    }
    return false;
}

// The bosses that may come in an ante, a bit each in the order of their keys.
std::uint32_t boss_candidates(int ante) {
    constexpr int kLastNewBoss = 8;  // from this ante on all of them may come
    struct Candidates {
        std::uint32_t showdown = 0;
        std::uint32_t by_ante[kLastNewBoss + 1] = {};
    };
    static const Candidates candidates = [] {
        Candidates made;
        for (std::size_t i = 0; i < kBossesByKey.size(); ++i) {
            const BlindEntry& blind = kBlinds[kBossesByKey[i]];
            if (blind.kind == BlindKind::showdown) {
                made.showdown |= std::uint32_t{1} << i;
            }
            for (int from = blind.min_ante; blind.kind == BlindKind::boss && from <= kLastNewBoss; ++from) {
                made.by_ante[from < 1 ? 1 : from] |= std::uint32_t{1} << i;
            }
        }
        return made;
    }();
    if (ante >= 2 && ante % 8 == 0) {
        return candidates.showdown;
    }
    return candidates.by_ante[std::clamp(ante, 1, kLastNewBoss)];
}

// Those of the candidates that the profile and the challenge leave.
std::uint32_t unlocked_bosses(const State& state, std::uint32_t candidates) {
    if (state.locked_blinds == 0) {
        return candidates;
    }
    std::uint32_t open = 0;
    for (std::uint32_t left = candidates; left != 0; left &= left - 1) {
        const BlindId id = kBossesByKey[static_cast<std::size_t>(std::countr_zero(left))];
        open |= (state.locked_blinds & bit(id)) == 0 ? left & (~left + 1) : 0;
    }
    return open;
}

// Poker hands that are visible, in the order of the hand table.
struct VisibleHands {
    HandType hands[hand_types];
    int count = 0;

    VisibleHands(const State& state, int except) {
        for (const HandType hand : kHandTableOrder) {
            hands[count] = hand;
            count += state.hands[hand].visible != 0 && hand != except ? 1 : 0;
        }
    }
};

}  // namespace

int draw_from_pool(State& state, Pool pool, Stream stream) {
    const auto p = static_cast<std::size_t>(pool);
    const int length = kPoolLengths[p];
    const bool duplicates = has_passive(state, passive_duplicates);
    const std::uint64_t open = all_of(static_cast<unsigned>(length)) & ~state.locked[p] &
                               (duplicates ? ~std::uint64_t{0} : ~state.existing[p]);
    const auto available = [&](int index) {
        return ((open >> index) & 1) != 0 &&
               gate_open(state, pool, kPoolMembers[p][static_cast<std::size_t>(index)]);
    };
    bool any = false;
    for (int index = 0; index < length && !any; ++index) {
        any = available(index);
    }
    if (!any) {
        draw_seed(state.streams, stream, state.ante);
        return pool_fallback(pool);
    }
    return kPoolMembers[p][static_cast<std::size_t>(draw_index(state, stream, length, available))];
}

VoucherId draw_voucher(State& state, Stream stream) {
    if (!any_voucher(state)) {
        draw_seed(state.streams, stream, state.ante);
        return v_blank;
    }
    return static_cast<VoucherId>(1 + draw_index(state, stream, v_end - 1, [&](int index) {
                                      return voucher_available(state, index + 1);
                                  }));
}

VoucherId settle_voucher(State& state, Draw first, double third) {
    if (!any_voucher(state)) {
        return v_blank;
    }
    return static_cast<VoucherId>(1 + settle_index(
                                          state, Stream::voucher, first, v_end - 1,
                                          [&](int index) { return voucher_available(state, index + 1); },
                                          &third));
}

TagId draw_tag(State& state) {
    if (!any_tag(state)) {
        draw_seed(state.streams, Stream::tag, state.ante);
        return tag_handy;
    }
    return static_cast<TagId>(1 + draw_index(state, Stream::tag, tag_end - 1,
                                             [&](int index) { return tag_available(state, index + 1); }));
}

TagId settle_tag(State& state, Draw first, double third) {
    if (!any_tag(state)) {
        return tag_handy;
    }
    return static_cast<TagId>(1 + settle_index(
                                      state, Stream::tag, first, tag_end - 1,
                                      [&](int index) { return tag_available(state, index + 1); }, &third));
}

BlindId draw_boss(State& state) { return settle_boss(state, draw(state.streams, Stream::boss, state.ante)); }

BlindId settle_boss(State& state, Draw draw) {
    const std::uint32_t candidates = boss_candidates(state.ante);
    const std::uint32_t open = unlocked_bosses(state, candidates);
    // Among them only those used least often. If all of them are locked, which no challenge does, the locks
    // are passed over: an ante has a boss.
    BlindId eligible[kBossesByKey.size()];
    int count = 0;
    int fewest = 256;
    for (std::uint32_t left = open != 0 ? open : candidates; left != 0; left &= left - 1) {
        const BlindId id = kBossesByKey[static_cast<std::size_t>(std::countr_zero(left))];
        if (state.boss_uses[id] > fewest) {
            continue;
        }
        if (state.boss_uses[id] < fewest) {
            fewest = state.boss_uses[id];
            count = 0;
        }
        eligible[count++] = id;
    }
    const BlindId chosen = eligible[draw.index(count)];
    count_up(state.boss_uses[chosen]);
    return chosen;
}

HandType draw_visible_hand(State& state, Stream stream, int except) {
    const VisibleHands visible(state, except);
    return visible.hands[draw(state.streams, stream, state.ante).index(visible.count)];
}

void settle_orbital_hands(State& state, const double* reals) {
    const VisibleHands visible(state, hand_types);
    for (std::uint8_t& hand : state.orbital_hands) {
        hand = visible.hands[Draw(*reals++).index(visible.count)];
    }
}

void mark_joker(State& state, int id) {
    const PoolPlace place = kJokerPlaces[static_cast<std::size_t>(id)];
    state.existing[static_cast<std::size_t>(place.pool)] |= pool_bit(place);
}

void mark_consumable(State& state, int id) {
    const PoolPlace place = consumable_place(id);
    state.existing[static_cast<std::size_t>(place.pool)] |= pool_bit(place);
}

void release_joker(State& state, int id) {
    if (!owns_joker(state, id)) {
        const PoolPlace place = kJokerPlaces[static_cast<std::size_t>(id)];
        state.existing[static_cast<std::size_t>(place.pool)] &= ~pool_bit(place);
    }
}

void release_consumable(State& state, int id) {
    if (!owns_consumable(state, id)) {
        const PoolPlace place = consumable_place(id);
        state.existing[static_cast<std::size_t>(place.pool)] &= ~pool_bit(place);
    }
}

bool consumable_blocked(const State& state, int id) {
    const PoolPlace place = consumable_place(id);
    return (state.existing[static_cast<std::size_t>(place.pool)] & pool_bit(place)) != 0 &&
           !has_passive(state, passive_duplicates);
}

}  // namespace jimbot
