#include "play/hand_model.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
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

    const ModelCard& card(int place) const { return model.cards[hand.cards[place]]; }
};

constexpr std::uint32_t at(int place) { return std::uint32_t{1} << place; }

// The lowest bits of a mask, `count` of them: the worthiest cards in it.
constexpr std::uint32_t worthiest(std::uint32_t mask, int count) {
    std::uint32_t rest = mask;
    for (int i = 0; i < count; ++i) {
        rest &= rest - 1;
    }
    return mask & ~rest;
}

// The cards that a play leaves in hand, at most `limit` of them: the first of the list that was given.
std::uint32_t held_cards(const SortedHand& hand, std::uint32_t scoring, int limit) {
    const std::uint32_t left = (at(hand.count) - 1) & ~scoring;
    if (count_bits(left) <= limit) {
        return left;
    }
    std::uint32_t held = 0;
    for (int i = 0; i < hand.count && limit > 0; ++i) {
        if (const std::uint32_t bit = at(hand.sorted[i]) & left; bit != 0) {
            held |= bit;
            --limit;
        }
    }
    return held;
}

// What jokers that look at suits multiply.
double suit_factor(const Search& s, std::uint32_t scoring, std::uint32_t held) {
    const HandModel& m = s.model;
    double factor = 1.0;
    if (m.with(ModelRule::held_all_black) > 0) {
        bool black = true;
        for (std::uint32_t left = held; left != 0; left &= left - 1) {
            const unsigned suits = s.card(std::countr_zero(left)).suits;
            black = black && (suits & ((1u << suit_clubs) | (1u << suit_spades))) != 0;
        }
        for (int i = 0; black && i < m.with(ModelRule::held_all_black); ++i) {
            factor *= 3.0;
        }
    }
    if (m.with(ModelRule::all_suits_score) > 0 || m.with(ModelRule::club_and_other_score) > 0) {
        unsigned seen = 0;
        for (std::uint32_t left = scoring; left != 0; left &= left - 1) {
            seen |= s.card(std::countr_zero(left)).suits;
        }
        for (int i = 0; seen == (1u << suit_count) - 1 && i < m.with(ModelRule::all_suits_score); ++i) {
            factor *= 3.0;
        }
        const bool both = (seen & (1u << suit_clubs)) != 0 && (seen & ~(1u << suit_clubs)) != 0;
        for (int i = 0; both && i < m.with(ModelRule::club_and_other_score); ++i) {
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
    if (m.with(ModelRule::lowest_held_rank) > 0 && lowest <= kAce) {
        mult += 2.0 * m.with(ModelRule::lowest_held_rank) * rank_chips(lowest);
    }
}

void keep_better(Search& s, HandType type, std::uint32_t scoring, double chips, double mult) {
    if (s.model.balances_score) {
        chips = mult = (chips + mult) * 0.5;
    }
    const double score = chips * mult;
    if (score > s.best.score) {
        s.best = {score, type, scoring};
    }
}

// Whether a play of one of these types might be better than the best so far.
bool might_be_best(const Search& s, std::initializer_list<HandType> types) {
    bool might = false;
    for (const HandType type : types) {
        might = might || (((s.model.allowed >> type) & 1) != 0 && s.model.most[type] > s.best.score);
    }
    return might;
}

// The worth of a play; keeps it if it is the best so far.
void consider(Search& s, HandType type, std::uint32_t scoring) {
    const HandModel& m = s.model;
    if (!might_be_best(s, {type})) {
        return;
    }
    if (m.rules.splash || s.hand.stones != 0) {
        const std::uint32_t more = m.rules.splash ? at(s.hand.count) - 1 : s.hand.stones;
        scoring |= worthiest(more & ~scoring, kMaxPlayed - count_bits(scoring));
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
    for (std::uint32_t left = scoring; left != 0; left &= left - 1) {
        const ModelCard& card = s.card(std::countr_zero(left));
        chips += card.chips;
        mult = mult * card.factor + card.mult;
        face = face || card.face;
    }
    for (int i = 0; scoring != 0 && i < 2 * m.with(ModelRule::first_card_again); ++i) {
        const ModelCard& first = s.card(std::countr_zero(scoring));
        chips += first.chips;
        mult = mult * first.factor + first.mult;
    }
    for (int i = 0; face && i < m.with(ModelRule::face_scores); ++i) {
        mult *= 2.0;
    }
    if (m.held_matters || m.with(ModelRule::lowest_held_rank) > 0 || m.with(ModelRule::held_all_black) > 0) {
        const std::uint32_t held = held_cards(s.hand, scoring, s.held_limit - count_bits(scoring));
        apply_held(s, held, mult);
        mult *= suit_factor(s, scoring, held);
    } else if (m.with(ModelRule::all_suits_score) > 0 || m.with(ModelRule::club_and_other_score) > 0) {
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

double worth_of(const Search& s, std::uint32_t mask) {
    double worth = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        worth += s.card(std::countr_zero(left)).worth;
    }
    return worth;
}

// The worthiest cards of one rank, `count` of them.
std::uint32_t top_of(const Search& s, int rank, int count) { return worthiest(s.hand.of_rank[rank], count); }

// The rank with at least `count` cards whose best are worth most, `other` left out; 0 if none.
int best_rank(const Search& s, int count, int other) {
    std::uint32_t left = s.hand.with[count] & ~(1u << other);
    if (left == 0) {
        return 0;
    }
    int best = std::countr_zero(left);
    left &= left - 1;
    if (left == 0) {
        return best;
    }
    for (double most = worth_of(s, top_of(s, best, count)); left != 0; left &= left - 1) {
        const int rank = std::countr_zero(left);
        if (const double worth = worth_of(s, top_of(s, rank, count)); worth > most) {
            best = rank;
            most = worth;
        }
    }
    return best;
}

// Three or more of a rank, from the largest down: what is small is then mostly out of the question.
void consider_large_groups(Search& s) {
    if (const int five = best_rank(s, 5, 0); five != 0) {
        const std::uint32_t all = top_of(s, five, 5);
        consider(s, one_suit(s, all) ? hand_flush_five : hand_five_of_a_kind, all);
    }
    if (const int four = best_rank(s, 4, 0); four != 0) {
        consider(s, hand_four_of_a_kind, top_of(s, four, 4));
    }
    if (!might_be_best(s, {hand_flush_house, hand_full_house, hand_three_of_a_kind})) {
        return;
    }
    const int three = best_rank(s, 3, 0);
    if (const int beside = best_rank(s, 2, three); beside != 0) {
        const std::uint32_t full = top_of(s, three, 3) | top_of(s, beside, 2);
        consider(s, one_suit(s, full) ? hand_flush_house : hand_full_house, full);
    }
    consider(s, hand_three_of_a_kind, top_of(s, three, 3));
}

void consider_groups(Search& s) {
    if (s.hand.with[3] != 0) {
        consider_large_groups(s);
    }
    if (s.hand.with[2] != 0 && might_be_best(s, {hand_two_pair, hand_pair})) {
        const int pair = best_rank(s, 2, 0);
        if (const int second = best_rank(s, 2, pair); second != 0) {
            consider(s, hand_two_pair, top_of(s, pair, 2) | top_of(s, second, 2));
        }
        consider(s, hand_pair, top_of(s, pair, 2));
    }
    consider(s, hand_high_card, worthiest((at(s.hand.count) - 1) & ~s.hand.stones, 1));
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

// Adds a fifth card of the mask to a straight of four: one that makes it longer, or one of its ranks.
std::uint32_t with_fifth(const Search& s, std::uint32_t cards, std::uint32_t ranks, std::uint32_t mask) {
    if (count_bits(cards) == kMaxPlayed) {
        return cards;
    }
    std::uint32_t near = ranks | ranks << 1 | ranks >> 1;
    near |= (near & 2) != 0 ? 1u << kAce : 0;
    const std::uint32_t fitting = cards_of_ranks(s.hand, near & s.hand.with[1]) & mask & ~cards;
    return cards | worthiest(fitting, kMaxPlayed - count_bits(cards));
}

std::uint32_t ranks_of(const Search& s, std::uint32_t cards) {
    std::uint32_t ranks = 0;
    for (std::uint32_t left = cards; left != 0; left &= left - 1) {
        ranks |= 1u << s.card(std::countr_zero(left)).rank;
    }
    return ranks;
}

void consider_long_hands(Search& s) {
    const int length = s.model.rules.four_fingers ? 4 : 5;
    const bool shortcut = s.model.rules.shortcut;
    if (s.hand.count < length) {
        return;
    }
    for (const std::uint32_t suited : s.hand.of_suit) {
        if (count_bits(suited) < length) {
            continue;
        }
        consider(s, hand_flush, worthiest(suited, kMaxPlayed));
        if (const std::uint32_t both = straight_ranks(ranks_of(s, suited), length, shortcut); both != 0) {
            consider(s, hand_straight_flush, with_fifth(s, one_of_each(s.hand, both, suited), both, suited));
        }
    }
    if (const std::uint32_t straight = straight_ranks(s.hand.with[1], length, shortcut); straight != 0) {
        consider(s, hand_straight, with_fifth(s, one_of_each(s.hand, straight, ~0u), straight, ~0u));
    }
}

// Two suits as bits that lie 32 apart.
constexpr std::uint64_t kHalves[4] = {0, 1, std::uint64_t{1} << 32, std::uint64_t{1} << 32 | 1};
static_assert(suit_count == 4);

}  // namespace

std::uint32_t cards_of_ranks(const SortedHand& hand, std::uint32_t ranks) {
    std::uint32_t cards = 0;
    for (std::uint32_t left = ranks; left != 0; left &= left - 1) {
        cards |= hand.of_rank[std::countr_zero(left)];
    }
    return cards;
}

std::uint32_t one_of_each(const SortedHand& hand, std::uint32_t ranks, std::uint32_t mask) {
    std::uint32_t cards = 0;
    for (std::uint32_t left = ranks; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        cards |= worthiest(hand.of_rank[bit == 1 ? kAce : bit] & mask, 1);
    }
    return cards;
}

void sort_hand_cards(const HandModel& model, const std::uint8_t* cards, int count, SortedHand& out) {
    out.count = std::min(count, kMaxModelHand);
    // The cards' places among all cards are all different: a bit per place, read in order.
    std::uint64_t places[4] = {};
    std::uint8_t given_at[256];
    for (int i = 0; i < out.count; ++i) {
        const unsigned place = model.cards[cards[i]].place;
        places[place >> 6] |= std::uint64_t{1} << (place & 63);
        given_at[place] = static_cast<std::uint8_t>(i);
    }
    std::fill(std::begin(out.of_rank), std::end(out.of_rank), 0u);
    std::uint64_t low_suits = 0;  // two suits each, a mask in each half
    std::uint64_t high_suits = 0;
    std::uint32_t one = 0;  // a bit per rank with so many cards or more
    std::uint32_t two = 0;
    std::uint32_t three = 0;
    std::uint32_t four = 0;
    std::uint32_t five = 0;
    int next = 0;
    for (unsigned word = 0; word < 4; ++word) {
        for (std::uint64_t left = places[word]; left != 0; left &= left - 1) {
            const std::uint8_t given = given_at[64 * word + static_cast<unsigned>(std::countr_zero(left))];
            const std::uint8_t index = cards[given];
            const ModelCard& card = model.cards[index];
            const std::uint32_t rank = 1u << card.rank;
            five |= four & rank;
            four |= three & rank;
            three |= two & rank;
            two |= one & rank;
            one |= rank;
            out.of_rank[card.rank] |= at(next);
            low_suits |= kHalves[card.suits & 3] << next;
            high_suits |= kHalves[card.suits >> 2] << next;
            out.cards[next] = index;
            out.given[next] = given;
            out.sorted[given] = static_cast<std::uint8_t>(next);
            ++next;
        }
    }
    out.of_suit[0] = static_cast<std::uint32_t>(low_suits);
    out.of_suit[1] = static_cast<std::uint32_t>(low_suits >> 32);
    out.of_suit[2] = static_cast<std::uint32_t>(high_suits);
    out.of_suit[3] = static_cast<std::uint32_t>(high_suits >> 32);
    // Stones have no rank, which counts as rank 0, and no suit.
    const std::uint32_t with[] = {0, one & ~1u, two & ~1u, three & ~1u, four & ~1u, five & ~1u};
    std::copy(std::begin(with), std::end(with), out.with);
    out.stones = out.of_rank[0];
}

BestPlay best_play(const HandModel& model, const SortedHand& hand, int held_limit, double enough) {
    Search s{model, hand, held_limit, {}};
    consider_long_hands(s);
    if (s.best.score < enough) {
        consider_groups(s);
    }
    std::uint32_t given = 0;
    for (std::uint32_t left = s.best.mask; left != 0; left &= left - 1) {
        given |= at(hand.given[std::countr_zero(left)]);
    }
    return {s.best.score, s.best.type, given};
}

BestPlay best_play(const HandModel& model, const std::uint8_t* cards, int count, int held_limit,
                   double enough) {
    SortedHand hand;
    sort_hand_cards(model, cards, count, hand);
    return best_play(model, hand, held_limit, enough);
}

}  // namespace jimbot
