#include "play/hand_model.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/bits.hpp"

namespace jimbot {

namespace {

// A search for the best play of a hand.
struct Search {
    const HandModel& model;
    const SortedHand& hand;
    int held_limit;
    BestPlay best;

    const ModelCard& card(int position) const { return model.cards[hand.cards[position]]; }
};

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

// Puts the positions into the order of their cards' places, which are all different: a bit per place, read in
// order.
void order_by_place(const HandModel& model, SortedHand& hand) {
    std::uint64_t places[4] = {};
    std::uint8_t position_at[256];
    for (int i = 0; i < hand.count; ++i) {
        const unsigned place = model.cards[hand.cards[i]].place;
        places[place >> 6] |= std::uint64_t{1} << (place & 63);
        position_at[place] = static_cast<std::uint8_t>(i);
    }
    int next = 0;
    for (unsigned word = 0; word < 4; ++word) {
        for (std::uint64_t left = places[word]; left != 0; left &= left - 1) {
            hand.order[next++] = position_at[64 * word + static_cast<unsigned>(std::countr_zero(left))];
        }
    }
}

// What jokers that look at suits multiply.
double suit_factor(const Search& s, std::uint32_t scoring, std::uint32_t held) {
    const HandModel& m = s.model;
    double factor = 1.0;
    if (m.blackboards > 0) {
        bool black = true;
        for (std::uint32_t left = held; left != 0; left &= left - 1) {
            const unsigned suits = s.card(std::countr_zero(left)).suits;
            black = black && (suits & ((1u << suit_clubs) | (1u << suit_spades))) != 0;
        }
        for (int i = 0; black && i < m.blackboards; ++i) {
            factor *= 3.0;
        }
    }
    if (m.flower_pots > 0 || m.seeing_doubles > 0) {
        unsigned seen = 0;
        for (std::uint32_t left = scoring; left != 0; left &= left - 1) {
            seen |= s.card(std::countr_zero(left)).suits;
        }
        for (int i = 0; seen == (1u << suit_count) - 1 && i < m.flower_pots; ++i) {
            factor *= 3.0;
        }
        const bool both = (seen & (1u << suit_clubs)) != 0 && (seen & ~(1u << suit_clubs)) != 0;
        for (int i = 0; both && i < m.seeing_doubles; ++i) {
            factor *= 2.0;
        }
    }
    return factor;
}

void apply_held(const Search& s, std::uint32_t held, double& mult) {
    const HandModel& m = s.model;
    int lowest = kAce + 1;
    for (std::uint32_t left = held; left != 0; left &= left - 1) {
        const ModelCard& card = s.card(std::countr_zero(left));
        mult = mult * card.held_factor + card.held_mult;
        lowest = card.rank != 0 ? std::min<int>(lowest, card.rank) : lowest;
    }
    if (m.raised_fists > 0 && lowest <= kAce) {
        mult += 2.0 * m.raised_fists * rank_chips(lowest);
    }
}

void keep_better(Search& s, HandType type, std::uint32_t scoring, double chips, double mult) {
    if (s.model.plasma) {
        chips = mult = (chips + mult) * 0.5;
    }
    const double score = chips * mult;
    if (score > s.best.score) {
        s.best = {score, type, scoring};
    }
}

// The worth of a play; keeps it if it is the best so far.
void consider(Search& s, HandType type, std::uint32_t scoring) {
    const HandModel& m = s.model;
    if (((m.allowed >> type) & 1) == 0 || m.most[type] <= s.best.score) {
        return;
    }
    int size = count_bits(scoring);
    if (m.rules.splash || s.hand.stones != 0) {
        for (int i = 0; i < s.hand.count && size < kMaxPlayed; ++i) {
            const std::uint32_t bit = at(s.hand.order[i]);
            if ((scoring & bit) == 0 && (m.rules.splash || (s.hand.stones & bit) != 0)) {
                scoring |= bit;
                ++size;
            }
        }
    }
    const ModelStage& stage = m.stages[type];
    double chips = stage.base_chips + stage.chips;
    double mult = stage.base_mult;
    if (m.chips_only) {
        for (std::uint32_t left = scoring; left != 0; left &= left - 1) {
            chips += s.card(std::countr_zero(left)).chips;
        }
        keep_better(s, type, scoring, chips, mult * stage.factor + stage.mult);
        return;
    }
    bool face = false;
    const ModelCard* first = nullptr;
    for (std::uint32_t left = scoring; left != 0; left &= left - 1) {
        const ModelCard& card = s.card(std::countr_zero(left));
        chips += card.chips;
        mult = mult * card.factor + card.mult;
        face = face || card.face;
        first = first == nullptr || card.worth > first->worth ? &card : first;
    }
    for (int i = 0; first != nullptr && i < 2 * m.chads; ++i) {
        chips += first->chips;
        mult = mult * first->factor + first->mult;
    }
    for (int i = 0; face && i < m.photographs; ++i) {
        mult *= 2.0;
    }
    if (m.held_matters || m.raised_fists > 0 || m.blackboards > 0) {
        std::uint32_t held = 0;
        int room = s.held_limit - size;
        for (int i = 0; i < s.hand.count && room > 0; ++i) {
            if ((scoring & at(i)) == 0) {
                held |= at(i);
                --room;
            }
        }
        apply_held(s, held, mult);
        mult *= suit_factor(s, scoring, held);
    } else if (m.flower_pots > 0 || m.seeing_doubles > 0) {
        mult *= suit_factor(s, scoring, 0);
    }
    keep_better(s, type, scoring, chips, mult * stage.factor + stage.mult);
}

// Whether all cards of the mask share a suit.
bool one_suit(const Search& s, std::uint32_t mask) {
    unsigned suits = (1u << suit_count) - 1;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        suits &= s.card(std::countr_zero(left)).suits;
    }
    return suits != 0;
}

// The rank with at least `count` cards whose best are worth most, `other` left out; 0 if none.
int best_rank(const Search& s, int count, int other) {
    std::uint32_t left = s.hand.with[count] & ~(1u << other);
    if (left == 0) {
        return 0;
    }
    int best = std::countr_zero(left);
    while ((left &= left - 1) != 0) {
        const int rank = std::countr_zero(left);
        best = s.hand.worth[count][rank] > s.hand.worth[count][best] ? rank : best;
    }
    return best;
}

// The rank of the worthiest card; 0 if there are only Stones.
int highest_worth(const Search& s) {
    for (int i = 0; i < s.hand.count; ++i) {
        if (const int rank = s.card(s.hand.order[i]).rank; rank != 0) {
            return rank;
        }
    }
    return 0;
}

// From the largest down: what is small is then mostly out of the question.
void consider_groups(Search& s) {
    const int three = best_rank(s, 3, 0);
    if (three != 0) {
        if (const int five = best_rank(s, 5, 0); five != 0) {
            consider(s, one_suit(s, s.hand.top[5][five]) ? hand_flush_five : hand_five_of_a_kind,
                     s.hand.top[5][five]);
        }
        if (const int four = best_rank(s, 4, 0); four != 0) {
            consider(s, hand_four_of_a_kind, s.hand.top[4][four]);
        }
        if (const int beside = best_rank(s, 2, three); beside != 0) {
            const std::uint32_t full = s.hand.top[3][three] | s.hand.top[2][beside];
            consider(s, one_suit(s, full) ? hand_flush_house : hand_full_house, full);
        }
        consider(s, hand_three_of_a_kind, s.hand.top[3][three]);
    }
    if (const int pair = best_rank(s, 2, 0); pair != 0) {
        if (const int second = best_rank(s, 2, pair); second != 0) {
            consider(s, hand_two_pair, s.hand.top[2][pair] | s.hand.top[2][second]);
        }
        consider(s, hand_pair, s.hand.top[2][pair]);
    }
    const int high = highest_worth(s);
    consider(s, hand_high_card, high != 0 ? s.hand.top[1][high] : 0);
}

// The ranks of the highest straight among those present, as bits; 0 if there is none. The Ace is also rank 1.
std::uint32_t straight_ranks(std::uint32_t present, int length, bool shortcut) {
    present |= (present >> (kAce - 1)) & 2u;
    if (!shortcut) {
        std::uint32_t tops = present & (present << 1) & (present << 2) & (present << 3);
        tops &= length == 5 ? present << 4 : ~0u;
        if (tops == 0) {
            return 0;
        }
        const int top = 31 - std::countl_zero(tops);
        return ((1u << length) - 1) << (top - length + 1);
    }
    for (int top = kAce; top >= length; --top) {
        std::uint32_t ranks = 0;
        int found = 0;
        for (int rank = top; rank >= 1 && (present & (1u << rank)) != 0 && found < length; ++found) {
            ranks |= 1u << rank;
            rank -= rank > 1 && (present & (1u << (rank - 1))) != 0 ? 1 : 2;
        }
        if (found == length) {
            return ranks;
        }
    }
    return 0;
}

// The worthiest card of each of these ranks that has one of the suits.
std::uint32_t cards_of(const Search& s, std::uint32_t ranks, unsigned suits) {
    std::uint32_t mask = 0;
    for (std::uint32_t left = ranks; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const int rank = bit == 1 ? kAce : bit;
        for (int i = 0; i < s.hand.count; ++i) {
            const ModelCard& card = s.card(s.hand.order[i]);
            if (card.rank == rank && (card.suits & suits) != 0) {
                mask |= at(s.hand.order[i]);
                break;
            }
        }
    }
    return mask;
}

// A straight of four has room for a fifth card: one that makes it longer, or a second one of its ranks.
std::uint32_t with_fifth(const Search& s, std::uint32_t mask, std::uint32_t ranks, unsigned suits) {
    const std::uint32_t near = ranks | ranks << 1 | ranks >> 1;
    for (int i = 0; i < s.hand.count && count_bits(mask) < kMaxPlayed; ++i) {
        const ModelCard& card = s.card(s.hand.order[i]);
        const bool fits = ((near >> card.rank) & 1) != 0 || (card.rank == kAce && (near & 2) != 0);
        if (card.rank != 0 && fits && (card.suits & suits) != 0) {
            mask |= at(s.hand.order[i]);
        }
    }
    return mask;
}

void consider_long_hands(Search& s) {
    const int length = s.model.rules.four_fingers ? 4 : 5;
    const bool shortcut = s.model.rules.shortcut;
    if (s.hand.count < length) {
        return;
    }
    for (int suit = 0; suit < suit_count; ++suit) {
        if (s.hand.suit_total[suit] < length) {
            continue;
        }
        consider(s, hand_flush, s.hand.flush[suit]);
        if (const std::uint32_t both = straight_ranks(s.hand.suit_ranks[suit], length, shortcut); both != 0) {
            consider(s, hand_straight_flush, with_fifth(s, cards_of(s, both, 1u << suit), both, 1u << suit));
        }
    }
    if (const std::uint32_t straight = straight_ranks(s.hand.with[1], length, shortcut); straight != 0) {
        std::uint32_t mask = 0;
        for (std::uint32_t left = straight; left != 0; left &= left - 1) {
            const int bit = std::countr_zero(left);
            mask |= s.hand.top[1][bit == 1 ? kAce : bit];
        }
        consider(s, hand_straight, with_fifth(s, mask, straight, (1u << suit_count) - 1));
    }
}

}  // namespace

void sort_hand_cards(const HandModel& model, const std::uint8_t* cards, int count, SortedHand& out) {
    out.count = std::min(count, kMaxModelHand);
    std::copy(cards, cards + out.count, out.cards);
    out.stones = 0;
    std::fill(std::begin(out.with), std::end(out.with), 0u);
    std::fill(std::begin(out.suit_ranks), std::end(out.suit_ranks), 0u);
    std::fill(std::begin(out.rank_count), std::end(out.rank_count), std::uint8_t{0});
    std::fill(std::begin(out.suit_total), std::end(out.suit_total), std::uint8_t{0});
    std::fill(std::begin(out.flush), std::end(out.flush), 0u);
    order_by_place(model, out);
    for (int i = 0; i < out.count; ++i) {
        const std::uint8_t position = out.order[i];
        const ModelCard& card = model.cards[out.cards[position]];
        const int rank = card.rank;
        if (rank == 0) {
            out.stones |= at(position);
            continue;
        }
        const int have = out.rank_count[rank];
        if (have < SortedHand::kMostOfRank) {
            out.top[have + 1][rank] = have == 0 ? at(position) : out.top[have][rank] | at(position);
            out.worth[have + 1][rank] = have == 0 ? card.worth : out.worth[have][rank] + card.worth;
            out.with[have + 1] |= 1u << rank;
            ++out.rank_count[rank];
        }
        for (unsigned left = card.suits; left != 0; left &= left - 1) {
            const int suit = std::countr_zero(left);
            out.flush[suit] |= out.suit_total[suit] < kMaxPlayed ? at(position) : 0;
            out.suit_ranks[suit] |= 1u << rank;
            ++out.suit_total[suit];
        }
    }
}

BestPlay best_play(const HandModel& model, const SortedHand& hand, int held_limit) {
    Search s{model, hand, held_limit, {}};
    consider_long_hands(s);
    consider_groups(s);
    return s.best;
}

BestPlay best_play(const HandModel& model, const std::uint8_t* cards, int count, int held_limit) {
    SortedHand hand;
    sort_hand_cards(model, cards, count, hand);
    const BestPlay best = best_play(model, hand, held_limit);
    return {best.score, best.type, best.mask};
}

}  // namespace jimbot
