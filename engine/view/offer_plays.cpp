// Plays: the best of every type of hand, alone and with cards that do not score, and the obvious ones.
#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/packed_hand.hpp"
#include "view/composer.hpp"
#include "view/offers.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"

namespace jimbot {

namespace {

// Hands of up to so many cards have all their plays previewed; of larger ones only the obvious plays are.
constexpr int kPreviewedHand = 10;
constexpr int kPreviews = count_plays(kPreviewedHand);

// Sums of the worth of a hand's cards, by groups of four positions.
class Values {
public:
    explicit Values(const HandShape& shape) {
        for (int group = 0; group < kGroups; ++group) {
            sums_[group][0] = 0;
            for (unsigned mask = 1; mask < 16; ++mask) {
                const int position = 4 * group + std::countr_zero(mask);
                const int value = position < shape.count ? shape.value[position] : 0;
                sums_[group][mask] = static_cast<std::uint16_t>(sums_[group][mask & (mask - 1)] + value);
            }
        }
    }
    int of(std::uint32_t mask) const {
        return sums_[0][mask & 15] + sums_[1][(mask >> 4) & 15] + sums_[2][(mask >> 8) & 15];
    }

private:
    static constexpr int kGroups = (kPreviewedHand + 3) / 4;
    std::uint16_t sums_[kGroups][16];
};

void add_play(Table& table, std::uint32_t mask, HandType type, double worst, bool exact, Offers& offers,
              std::uint32_t rank) {
    Offer* offer = offers.add(action_at(ActionKind::play_hand, 0, mask), rank);
    if (offer == nullptr) {
        return;
    }
    offer->hand = static_cast<std::uint8_t>(type);
    offer->scored = true;
    offer->worst = offer->mean = offer->best = worst;
    if (!exact) {
        const Preview preview = preview_play(table.state, mask);
        offer->mean = preview.mean;
        offer->best = preview.best;
    }
    if (offer->mean > table.best_mean || table.best == 0) {
        table.best_mean = offer->mean;
        table.best = mask;
    }
}

// Adds plays to the offers, each once; their previews come from `preview(mask)`.
template <typename Preview> class Chosen {
public:
    Chosen(Table& table, Offers& offers, Preview preview)
        : table_(table), offers_(offers), preview_(preview) {}

    void add(std::uint32_t mask) {
        if (std::find(masks_, masks_ + count_, mask) == masks_ + count_) {
            add(preview_(mask));
        }
    }
    void add(const PlayPreview& play) {
        if (std::find(masks_, masks_ + count_, play.mask) == masks_ + count_) {
            masks_[count_] = play.mask;
            add_play(table_, play.mask, play.type, play.score, play.exact, offers_,
                     static_cast<std::uint32_t>(count_++));
        }
    }
    // The plays a player would see at once, and the cards least worth keeping.
    void add_obvious() {
        const HandShape& shape = table_.shape;
        std::uint32_t natural[kMaxNaturalPlays];
        HandType meant[kMaxNaturalPlays];
        const int plays = natural_plays(shape, table_.rules, natural, meant);
        for (int i = 0; i < plays; ++i) {
            add(natural[i]);
        }
        const int free = kMaxPlayed - count_bits(shape.forced);
        add(worst_of(shape, shape.all() & ~shape.forced, free) | shape.forced);
    }

private:
    Table& table_;
    Offers& offers_;
    Preview preview_;
    std::uint32_t masks_[2 * hand_types + kMaxNaturalPlays + 1];
    int count_ = 0;
};

// The best plays of one type of hand: with the fewest cards, and with the most idle cards added.
struct TypeBest {
    double score = -1;
    int lean = 0;  // indices of previews
    int full = 0;
    int lean_size = 0;
    int full_size = 0;
    int full_value = 0;
};

void offer_best_of_all(Table& table, Composer& composer, Offers& offers) {
    const HandShape& shape = table.shape;
    PlayPreview previews[kPreviews];
    std::int16_t index_of[1 << kPreviewedHand];
    TypeBest types[hand_types];
    const Values values(shape);
    const int count = preview_composed(composer, previews);
    for (int i = 0; i < count; ++i) {
        const PlayPreview& play = previews[i];
        index_of[play.mask] = static_cast<std::int16_t>(i);
        TypeBest& best = types[play.type];
        if (play.score < best.score) {
            continue;
        }
        const int size = count_bits(play.mask);
        if (play.score > best.score) {
            best = {play.score, i, i, size, size, -1};
            continue;
        }
        if (size < best.lean_size) {
            best.lean = i;
            best.lean_size = size;
        }
        if (size >= best.full_size) {  // along go the cards least worth keeping
            const int value = values.of(play.mask);
            if (best.full_value < 0) {
                best.full_value = values.of(previews[best.full].mask);
            }
            if (size > best.full_size || value < best.full_value) {
                best.full = i;
                best.full_size = size;
                best.full_value = value;
            }
        }
    }
    Chosen chosen(table, offers, [&](std::uint32_t mask) { return previews[index_of[mask]]; });
    for (const TypeBest& best : types) {
        if (best.score >= 0) {
            chosen.add(previews[best.full]);
            chosen.add(previews[best.lean]);
        }
    }
    chosen.add_obvious();
}

// Calls `see` with every subset of `size` cards of a mask.
template <typename See> void each_choice(std::uint32_t mask, int size, std::uint32_t chosen, See see) {
    if (size == 0) {
        see(chosen);
        return;
    }
    for (std::uint32_t left = mask; count_bits(left) >= size; left &= left - 1) {
        const std::uint32_t card = left & (~left + 1);
        each_choice(left ^ card, size - 1, chosen | card, see);
    }
}

// Calls `see` with every set of cards that score together as some poker hand; with some of them twice.
class ScoringSets {
public:
    explicit ScoringSets(const HandShape& shape) : shape_(shape) {}

    template <typename See> void each(See see) const {
        for (int i = 0; i < shape_.count; ++i) {
            see(std::uint32_t{1} << i);
        }
        each_group(see);
        for (const std::uint32_t suited : shape_.by_suit) {
            each_choice(suited, kMaxPlayed, 0, see);
        }
        if (most_of_a_straight(shape_.ranks) == kMaxPlayed) {
            for (int highest = kAce; highest >= kMaxPlayed; --highest) {
                each_straight(highest, highest - kMaxPlayed, 0, see);
            }
        }
    }

private:
    template <typename See> void each_group(See see) const {
        std::uint32_t groups[kPreviewedHand / 2];
        int count = 0;
        for (int rank = kAce; rank >= kMinRank; --rank) {
            const std::uint32_t group = shape_.by_rank[rank];
            if ((group & (group - 1)) != 0) {
                groups[count++] = group;
                for (int size = 2; size <= std::min(kMaxPlayed, count_bits(group)); ++size) {
                    each_choice(group, size, 0, see);
                }
            }
        }
        for (int first = 0; first < count; ++first) {
            for (int second = 0; second < count; ++second) {
                if (first < second) {  // two pairs
                    each_choice(groups[first], 2, 0,
                                [&](std::uint32_t pair) { each_choice(groups[second], 2, pair, see); });
                }
                if (first != second) {  // full houses
                    each_choice(groups[first], 3, 0,
                                [&](std::uint32_t three) { each_choice(groups[second], 2, three, see); });
                }
            }
        }
    }

    template <typename See> void each_straight(int rank, int below, std::uint32_t chosen, See see) const {
        if (rank == below) {
            see(chosen);
            return;
        }
        for (std::uint32_t left = shape_.by_rank[rank == 1 ? kAce : rank]; left != 0; left &= left - 1) {
            each_straight(rank - 1, below, chosen | (left & (~left + 1)), see);
        }
    }

    const HandShape& shape_;
};

// A play with as many idle cards added as leave the hand and what scores alone: those least worth keeping.
class Company {
public:
    Company(const HandShape& shape, const PlayPreview& lean) : shape_(shape), lean_(lean), play_(lean.mask) {
        for (std::uint32_t left = lean.mask; left != 0; left &= left - 1) {
            ranks_ |= 1u << shape.rank[std::countr_zero(left)];
        }
        if (lean.type == hand_high_card) {  // nothing higher goes along
            ranks_ = ~(ranks_ - 1);
        }
    }

    std::uint32_t play() {
        for (int i = 0; i < shape_.count && count_bits(play_) < kMaxPlayed; ++i) {
            const int position = shape_.order[i];
            if (((ranks_ >> shape_.rank[position]) & 1) == 0) {
                ranks_ |= 1u << shape_.rank[position];
                play_ |= std::uint32_t{1} << position;
            }
        }
        return changes_hand(play_) ? exchanged() : play_;
    }

private:
    // Five cards may have become a flush or a straight.
    bool changes_hand(std::uint32_t play) const {
        if (count_bits(play) < kMaxPlayed || count_bits(lean_.mask) == kMaxPlayed) {
            return false;
        }
        std::uint64_t ranks = 0;
        std::uint32_t suits = 0;
        for (std::uint32_t left = play; left != 0; left &= left - 1) {
            ranks += shape_.rank_unit[std::countr_zero(left)];
            suits += shape_.suit_unit[std::countr_zero(left)];
        }
        return five_of_a_suit(suits) || five_in_a_row(ranks);
    }

    // The cheapest exchange of one card that leaves the hand what it is; without one, a card fewer.
    std::uint32_t exchanged() const {
        std::uint32_t best = 0;
        int best_change = 0;
        std::uint32_t dearest = 0;
        for (int i = 0; i < shape_.count; ++i) {
            const int out = shape_.order[i];
            const std::uint32_t gone = std::uint32_t{1} << out;
            if ((play_ & ~lean_.mask & gone) == 0) {
                continue;
            }
            dearest = gone;
            const unsigned taken = ranks_ & ~(1u << shape_.rank[out]);
            for (int k = 0; k < shape_.count; ++k) {
                const int in = shape_.order[k];
                const std::uint32_t other = (play_ ^ gone) | (std::uint32_t{1} << in);
                const int change = shape_.value[in] - shape_.value[out];
                if ((play_ >> in & 1) == 0 && ((taken >> shape_.rank[in]) & 1) == 0 &&
                    (best == 0 || change < best_change) && !changes_hand(other)) {
                    best = other;
                    best_change = change;
                }
            }
        }
        return best != 0 ? best : play_ ^ dearest;
    }

    const HandShape& shape_;
    const PlayPreview& lean_;
    std::uint32_t play_;
    unsigned ranks_ = 0;  // that may not go along
};

// Where nothing but the cards of the poker hand decides the score, only those need to be looked at.
void offer_best_sets(Table& table, Composer& composer, Offers& offers) {
    const HandShape& shape = table.shape;
    PlayPreview best[hand_types];
    for (PlayPreview& play : best) {
        play.score = -1;
    }
    ScoringSets(shape).each([&](std::uint32_t mask) {
        const PlayPreview play = preview_composed(composer, mask);
        if (play.score > best[play.type].score) {
            best[play.type] = play;
        }
    });
    Chosen chosen(table, offers, [&](std::uint32_t mask) { return preview_composed(composer, mask); });
    for (const PlayPreview& play : best) {
        if (play.score >= 0) {
            PlayPreview full = play;
            full.mask = Company(shape, play).play();
            chosen.add(full);
            chosen.add(play);
        }
    }
    chosen.add_obvious();
}

// Only the obvious plays, each previewed by itself, alone and with the cards least worth keeping.
void offer_natural(Table& table, Offers& offers) {
    const HandShape& shape = table.shape;
    std::uint32_t masks[2 * kMaxNaturalPlays + 1];
    HandType meant[kMaxNaturalPlays];
    int count = natural_plays(shape, table.rules, masks, meant);
    const auto add = [&](std::uint32_t mask) {
        if (std::find(masks, masks + count, mask) == masks + count) {
            masks[count++] = mask;
        }
    };
    for (int i = 0, plays = count; i < plays; ++i) {
        add(masks[i] | worst_of(shape, shape.all() & ~masks[i], kMaxPlayed - count_bits(masks[i])));
    }
    add(worst_of(shape, shape.all() & ~shape.forced, kMaxPlayed - count_bits(shape.forced)) | shape.forced);
    for (int i = 0; i < count; ++i) {
        const Preview preview = preview_play(table.state, masks[i]);
        add_play(table, masks[i], preview.hand.type, preview.worst, true, offers,
                 static_cast<std::uint32_t>(i));
        Offer& offer = offers.list[offers.count - 1];
        offer.mean = preview.mean;
        offer.best = preview.best;
        if (preview.mean > table.best_mean) {
            table.best_mean = preview.mean;
            table.best = masks[i];
        }
    }
}

}  // namespace

void offer_plays(Table& table, Offers& offers) {
    const State& state = table.state;
    if (state.round.hands_left <= 0 || table.shape.count == 0) {
        return;
    }
    if (table.shape.count > kPreviewedHand || state.challenge_rules != 0 || hides_something(state)) {
        offer_natural(table, offers);
        return;
    }
    Composer composer(state);
    if (!set_up_composer(composer)) {
        offer_natural(table, offers);
    } else if (table.shape.forced == 0 && hand_decides(composer)) {
        offer_best_sets(table, composer, offers);
    } else {
        offer_best_of_all(table, composer, offers);
    }
}

}  // namespace jimbot
