#include "play/keep_sets.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "play/public_state.hpp"
#include "rules/blind.hpp"

namespace jimbot {

namespace {

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

// The visible hand by rank and suit.
struct Spread {
    std::uint32_t by_rank[kAce + 1] = {};
    std::uint32_t by_suit[suit_count] = {};
    std::uint32_t visible = 0;
    std::uint32_t precious = 0;  // does good while held
    std::uint8_t order[kMaxHand] = {};
    int count = 0;
};

Spread spread_hand(const HandModel& model, const State& state) {
    Spread s;
    for (int i = 0; i < state.hand_count; ++i) {
        if (is_face_down(state, i)) {
            continue;
        }
        const ModelCard& card = model.cards[state.hand[i]];
        s.visible |= at(i);
        s.precious |= card.held_factor > 1.0 || card.held_mult > 0.0 ? at(i) : 0;
        if (card.rank != 0) {
            s.by_rank[card.rank] |= at(i);
        }
        for (int suit = 0; suit < suit_count; ++suit) {
            s.by_suit[suit] |= ((card.suits >> suit) & 1) != 0 ? at(i) : 0;
        }
        int j = s.count++;
        for (; j > 0 && model.cards[state.hand[s.order[j - 1]]].worth < card.worth; --j) {
            s.order[j] = s.order[j - 1];
        }
        s.order[j] = static_cast<std::uint8_t>(i);
    }
    return s;
}

// One card of every rank of the straight window that has most; ties go to the higher window.
std::uint32_t straight_draw(const Spread& s, std::uint32_t within, int span) {
    std::uint32_t best = 0;
    for (int top = kAce; top >= span; --top) {
        std::uint32_t mask = 0;
        for (int rank = top; rank > top - span; --rank) {
            const std::uint32_t cards = s.by_rank[rank == 1 ? kAce : rank] & within;
            mask |= cards & (~cards + 1);
        }
        if (count_bits(mask) > count_bits(best)) {
            best = mask;
        }
    }
    return best;
}

void add_groups(KeepSets& sets, const Spread& s) {
    std::uint32_t grouped = 0;
    std::uint32_t largest = 0;
    for (int rank = kAce; rank >= kMinRank; --rank) {
        const int count = count_bits(s.by_rank[rank]);
        grouped |= count >= 2 ? s.by_rank[rank] : 0;
        largest = count > count_bits(largest) ? s.by_rank[rank] : largest;
    }
    if (grouped != 0) {
        sets.add(grouped);
        sets.add(largest);
    }
    for (const int few : {1, 2, 3}) {
        std::uint32_t top = 0;
        for (int i = 0; i < std::min(few, s.count); ++i) {
            top |= at(s.order[i]);
        }
        if (few != 2) {
            sets.add(top);
        }
        if (few == 1 && grouped != 0) {
            sets.add(largest | top);
        }
    }
}

}  // namespace

void KeepSets::add(std::uint32_t mask) {
    if (count < kMaxKeepSets && std::find(masks, masks + count, mask) == masks + count) {
        masks[count++] = mask;
    }
}

KeepSets find_keep_sets(const HandModel& model, const State& state, std::uint32_t best_scoring) {
    const Spread s = spread_hand(model, state);
    KeepSets plain;
    plain.add(best_scoring & s.visible);
    const int needed = model.rules.four_fingers ? 4 : 5;
    for (int suit = 0; suit < suit_count; ++suit) {
        if (count_bits(s.by_suit[suit]) >= needed - 2) {
            plain.add(s.by_suit[suit]);
        }
    }
    const std::uint32_t straight = straight_draw(s, s.visible, model.rules.shortcut ? 7 : 5);
    if (count_bits(straight) >= needed - 2) {
        plain.add(straight);
    }
    add_groups(plain, s);
    KeepSets sets;
    for (int i = 0; i < plain.count; ++i) {
        sets.add(plain.masks[i] | s.precious);
    }
    return sets;
}

std::uint32_t cards_to_give(const HandModel& model, const State& state, std::uint32_t kept, int most) {
    std::uint32_t given = forced_positions(state);
    std::uint8_t order[kMaxHand];
    int count = 0;
    const auto worth = [&](int position) {
        return is_face_down(state, position) ? 0.0 : model.cards[state.hand[position]].worth;
    };
    for (int i = 0; i < state.hand_count; ++i) {
        if (((kept | given) & at(i)) != 0) {
            continue;
        }
        int j = count++;
        for (; j > 0 && worth(order[j - 1]) > worth(i); --j) {
            order[j] = order[j - 1];
        }
        order[j] = static_cast<std::uint8_t>(i);
    }
    for (int i = 0; i < count && count_bits(given) < most; ++i) {
        given |= at(order[i]);
    }
    return given;
}

}  // namespace jimbot
