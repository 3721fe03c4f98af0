#include "play/hand_model.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"

namespace jimbot {

namespace {

constexpr int kMostOfRank = 8;

// The cards of a list in order: by rank and by suit, the worthiest first.
struct Sorted {
    const HandModel& model;
    const std::uint8_t* cards;
    int count;
    int held_limit;
    std::uint32_t stones = 0;
    std::uint8_t rank_count[kAce + 1] = {};
    std::uint8_t by_rank[kAce + 1][kMostOfRank];
    std::uint8_t suit_total[suit_count] = {};
    std::uint8_t by_suit[suit_count][kMaxModelHand];
    std::uint8_t order[kMaxModelHand];
    BestPlay best;

    Sorted(const HandModel& m, const std::uint8_t* list, int length, int limit)
        : model(m), cards(list), count(length), held_limit(limit) {}

    const ModelCard& card(int position) const { return model.cards[cards[position]]; }
};

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

void sort_cards(Sorted& s) {
    for (int i = 0; i < s.count; ++i) {
        const double worth = s.card(i).worth;
        int j = i;
        for (; j > 0 && s.card(s.order[j - 1]).worth < worth; --j) {
            s.order[j] = s.order[j - 1];
        }
        s.order[j] = static_cast<std::uint8_t>(i);
    }
    for (int i = 0; i < s.count; ++i) {
        const std::uint8_t position = s.order[i];
        const ModelCard& card = s.card(position);
        if (card.rank == 0) {
            s.stones |= at(position);
            continue;
        }
        if (s.rank_count[card.rank] < kMostOfRank) {
            s.by_rank[card.rank][s.rank_count[card.rank]++] = position;
        }
        for (int suit = 0; suit < suit_count; ++suit) {
            if (((card.suits >> suit) & 1) != 0) {
                s.by_suit[suit][s.suit_total[suit]++] = position;
            }
        }
    }
}

// What jokers that look at suits multiply.
double suit_factor(const Sorted& s, std::uint32_t scoring, std::uint32_t held) {
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

void apply_held(const Sorted& s, std::uint32_t held, double& mult) {
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

// The worth of a play; keeps it if it is the best so far.
void consider(Sorted& s, HandType type, std::uint32_t scoring) {
    const HandModel& m = s.model;
    if (((m.allowed >> type) & 1) == 0) {
        return;
    }
    int size = count_bits(scoring);
    if (m.rules.splash || s.stones != 0) {
        for (int i = 0; i < s.count && size < kMaxPlayed; ++i) {
            const std::uint32_t bit = at(s.order[i]);
            if ((scoring & bit) == 0 && (m.rules.splash || (s.stones & bit) != 0)) {
                scoring |= bit;
                ++size;
            }
        }
    }
    const ModelStage& stage = m.stages[type];
    double chips = stage.base_chips + stage.chips;
    double mult = stage.base_mult;
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
        for (int i = 0; i < s.count && room > 0; ++i) {
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
    mult = mult * stage.factor + stage.mult;
    if (m.plasma) {
        chips = mult = (chips + mult) * 0.5;
    }
    const double score = chips * mult;
    if (score > s.best.score) {
        s.best = {score, type, scoring};
    }
}

std::uint32_t top_of_rank(const Sorted& s, int rank, int count) {
    std::uint32_t mask = 0;
    for (int i = 0; i < count; ++i) {
        mask |= at(s.by_rank[rank][i]);
    }
    return mask;
}

double worth_of(const Sorted& s, std::uint32_t mask) {
    double worth = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        worth += s.card(std::countr_zero(left)).worth;
    }
    return worth;
}

// Whether all cards of the mask share a suit.
bool one_suit(const Sorted& s, std::uint32_t mask) {
    unsigned suits = (1u << suit_count) - 1;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        suits &= s.card(std::countr_zero(left)).suits;
    }
    return suits != 0;
}

// The rank with at least `count` cards whose best are worth most, `other` left out; 0 if none.
int best_rank(const Sorted& s, int count, int other) {
    int best = 0;
    double most = 0;
    for (int rank = kMinRank; rank <= kAce; ++rank) {
        if (rank != other && s.rank_count[rank] >= count) {
            const double worth = worth_of(s, top_of_rank(s, rank, count));
            if (best == 0 || worth > most) {
                best = rank;
                most = worth;
            }
        }
    }
    return best;
}

void consider_groups(Sorted& s) {
    consider(s, hand_high_card,
             s.count > 0 && best_rank(s, 1, 0) != 0 ? top_of_rank(s, best_rank(s, 1, 0), 1) : 0);
    const int pair = best_rank(s, 2, 0);
    if (pair == 0) {
        return;
    }
    consider(s, hand_pair, top_of_rank(s, pair, 2));
    const int second = best_rank(s, 2, pair);
    if (second != 0) {
        consider(s, hand_two_pair, top_of_rank(s, pair, 2) | top_of_rank(s, second, 2));
    }
    const int three = best_rank(s, 3, 0);
    if (three == 0) {
        return;
    }
    consider(s, hand_three_of_a_kind, top_of_rank(s, three, 3));
    const int beside = best_rank(s, 2, three);
    if (beside != 0) {
        const std::uint32_t full = top_of_rank(s, three, 3) | top_of_rank(s, beside, 2);
        consider(s, one_suit(s, full) ? hand_flush_house : hand_full_house, full);
    }
    if (const int four = best_rank(s, 4, 0); four != 0) {
        consider(s, hand_four_of_a_kind, top_of_rank(s, four, 4));
    }
    if (const int five = best_rank(s, 5, 0); five != 0) {
        const std::uint32_t all = top_of_rank(s, five, 5);
        consider(s, one_suit(s, all) ? hand_flush_five : hand_five_of_a_kind, all);
    }
}

// The highest straight among cards of the suits in `suits`; 0 if there is none.
std::uint32_t straight_of(const Sorted& s, unsigned suits, int length) {
    std::uint8_t position[kAce + 1];
    unsigned present = 0;
    for (int rank = kMinRank; rank <= kAce; ++rank) {
        for (int i = 0; i < s.rank_count[rank]; ++i) {
            if ((s.card(s.by_rank[rank][i]).suits & suits) != 0) {
                position[rank] = s.by_rank[rank][i];
                present |= 1u << rank;
                break;
            }
        }
    }
    if ((present & (1u << kAce)) != 0) {
        present |= 2;
        position[1] = position[kAce];
    }
    for (int top = kAce; top >= length; --top) {
        if ((present & (1u << top)) == 0) {
            continue;
        }
        std::uint32_t mask = 0;
        int found = 0;
        for (int rank = top; found < length && rank >= 1;) {
            mask |= at(position[rank]);
            ++found;
            if (rank > 1 && (present & (1u << (rank - 1))) != 0) {
                rank -= 1;
            } else if (s.model.rules.shortcut && rank > 2 && (present & (1u << (rank - 2))) != 0) {
                rank -= 2;
            } else {
                break;
            }
        }
        if (found == length && count_bits(mask) == length) {
            return mask;
        }
    }
    return 0;
}

void consider_long_hands(Sorted& s) {
    const int length = s.model.rules.four_fingers ? 4 : 5;
    if (s.count < length) {
        return;
    }
    for (int suit = 0; suit < suit_count; ++suit) {
        if (s.suit_total[suit] < length) {
            continue;
        }
        std::uint32_t flush = 0;
        for (int i = 0; i < std::min<int>(kMaxPlayed, s.suit_total[suit]); ++i) {
            flush |= at(s.by_suit[suit][i]);
        }
        consider(s, hand_flush, flush);
        if (const std::uint32_t both = straight_of(s, 1u << suit, length); both != 0) {
            consider(s, hand_straight_flush, both);
        }
    }
    if (const std::uint32_t straight = straight_of(s, (1u << suit_count) - 1, length); straight != 0) {
        consider(s, hand_straight, straight);
    }
}

}  // namespace

BestPlay best_play(const HandModel& model, const std::uint8_t* cards, int count, int held_limit) {
    Sorted s(model, cards, std::min(count, kMaxModelHand), held_limit);
    sort_cards(s);
    consider_groups(s);
    consider_long_hands(s);
    return s.best;
}

}  // namespace jimbot
