// Plays, discards and orders.
#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>

#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "view/offers.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"

namespace jimbot {

namespace {

// Hands of up to so many cards have all their plays previewed; of larger ones only the obvious plays are.
constexpr int kPreviewedHand = 10;
constexpr int kPreviews = count_plays(kPreviewedHand);

constexpr std::uint64_t ids_of(std::initializer_list<int> ids, int first) {
    std::uint64_t bits = 0;
    for (const int id : ids) {
        bits |= id >= first && id < first + 64 ? std::uint64_t{1} << (id - first) : 0;
    }
    return bits;
}

// A set of jokers.
struct JokerSet {
    std::uint64_t words[3];

    constexpr JokerSet(std::initializer_list<int> ids)
        : words{ids_of(ids, 0), ids_of(ids, 64), ids_of(ids, 128)} {}
    bool has(int id) const { return ((words[id / 64] >> (id % 64)) & 1) != 0; }
};

// Jokers whose effect on a play cannot be put together from parts: all plays at once would be slow.
constexpr JokerSet kSlowJokers = {j_hiker,      j_wee,         j_lucky_cat,  j_vampire,
                                  j_midas_mask, j_raised_fist, j_flower_pot, j_seeing_double,
                                  j_blackboard, j_dna,         j_space,      j_8_ball};

// Jokers that multiply or copy: where they stand matters.
constexpr JokerSet kPlacedJokers = {
    j_stencil,    j_loyalty_card, j_steel_joker, j_cavendish,  j_card_sharp,    j_madness,
    j_vampire,    j_hologram,     j_baron,       j_obelisk,    j_photograph,    j_lucky_cat,
    j_baseball,   j_ancient,      j_ramen,       j_campfire,   j_acrobat,       j_throwback,
    j_bloodstone, j_glass,        j_flower_pot,  j_idol,       j_seeing_double, j_hit_the_road,
    j_duo,        j_trio,         j_family,      j_order,      j_tribe,         j_drivers_license,
    j_caino,      j_triboulet,    j_yorick,      j_blackboard, j_blueprint,     j_brainstorm};

// Jokers to whom the first scoring card is special.
constexpr JokerSet kFirstCardJokers = {j_hanging_chad, j_photograph};

bool owns_any(const State& state, const JokerSet& set) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (set.has(state.jokers[i].id)) {
            return true;
        }
    }
    return false;
}

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

// Numbers of ones in the masks of a hand that is previewed.
const std::array<std::uint8_t, 1 << kPreviewedHand> kSizes = []() noexcept {
    std::array<std::uint8_t, 1 << kPreviewedHand> sizes{};
    for (std::uint32_t mask = 0; mask < sizes.size(); ++mask) {
        sizes[mask] = static_cast<std::uint8_t>(count_bits(mask));
    }
    return sizes;
}();

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

// The best plays of one type of hand: with as few cards as do, and with as many as go along.
struct TypeBest {
    double score = -1;
    int lean = 0;  // indices of previews
    int full = 0;
    int lean_size = 0;
    int full_size = 0;
    int full_value = 0;
};

void offer_previewed(Table& table, Offers& offers) {
    const HandShape& shape = table.shape;
    PlayPreview previews[kPreviews];
    std::int16_t index_of[1 << kPreviewedHand];
    TypeBest types[hand_types];
    const Values values(shape);
    const int count = preview_all(table.state, previews);
    for (int i = 0; i < count; ++i) {
        const PlayPreview& play = previews[i];
        index_of[play.mask] = static_cast<std::int16_t>(i);
        TypeBest& best = types[play.type];
        if (play.score < best.score) {
            continue;
        }
        const int size = kSizes[play.mask];
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
    std::uint32_t chosen[2 * hand_types + kMaxNaturalPlays + 1];
    int number = 0;
    const auto choose = [&](std::uint32_t mask) {
        if (std::find(chosen, chosen + number, mask) == chosen + number) {
            const PlayPreview& play = previews[index_of[mask]];
            chosen[number] = mask;
            add_play(table, mask, play.type, play.score, play.exact, offers,
                     static_cast<std::uint32_t>(number++));
        }
    };
    for (const TypeBest& best : types) {
        if (best.score >= 0) {
            choose(previews[best.full].mask);
            choose(previews[best.lean].mask);
        }
    }
    std::uint32_t natural[kMaxNaturalPlays];
    HandType meant[kMaxNaturalPlays];
    const int plays = natural_plays(shape, table.rules, natural, meant);
    for (int i = 0; i < plays; ++i) {
        choose(natural[i]);
    }
    const int free = kMaxPlayed - count_bits(shape.forced);
    choose(worst_of(shape, shape.all() & ~shape.forced, free) | shape.forced);
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

class Discards {
public:
    Discards(const Table& table, Offers& offers) : shape_(table.shape), offers_(offers) {}

    // Throws away the least of what is not kept.
    void keep(std::uint32_t kept) {
        const std::uint32_t rest = shape_.all() & ~kept & ~shape_.forced;
        add(worst_of(shape_, rest, kMaxPlayed - count_bits(shape_.forced)));
    }
    void add(std::uint32_t thrown) {
        thrown |= shape_.forced;
        if (thrown == 0 || count_bits(thrown) > kMaxPlayed || count_ == kMost ||
            std::find(masks_, masks_ + count_, thrown) != masks_ + count_) {
            return;
        }
        masks_[count_] = thrown;
        offers_.add(action_at(ActionKind::discard, 0, thrown), static_cast<std::uint32_t>(count_++));
    }

private:
    static constexpr int kMost = 32;
    const HandShape& shape_;
    Offers& offers_;
    std::uint32_t masks_[kMost];
    int count_ = 0;
};

// Cards that are discarded for their own sake.
void discard_for_jokers(const Table& table, Discards& discards) {
    const State& state = table.state;
    const HandShape& shape = table.shape;
    const auto some = [&](std::uint32_t mask) { discards.add(worst_of(shape, mask, kMaxPlayed)); };
    std::uint32_t purple = 0;
    std::uint32_t faces = 0;
    for (int i = 0; i < shape.count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if (((shape.hidden >> i) & 1) == 0) {
            purple |= card.seal == s_purple ? std::uint32_t{1} << i : 0;
            faces |= shape.rank[i] != 0 && face_rank(card) ? std::uint32_t{1} << i : 0;
        }
    }
    some(purple);
    for (int i = 0; i < state.joker_count; ++i) {
        switch (state.jokers[i].id) {
        case j_mail:
            some(shape.by_rank[state.targets.mail_rank]);
            break;
        case j_castle:
            some(shape.by_suit[state.targets.castle_suit]);
            break;
        case j_hit_the_road:
            some(shape.by_rank[kJack]);
            break;
        case j_faceless:
            some(faces);
            break;
        case j_trading:
            for (int k = 0; k < shape.count; ++k) {
                discards.add(std::uint32_t{1} << k);
            }
            break;
        default:
            break;
        }
    }
}

// Keeps the improving moves of a list, best first.
struct Moves {
    struct Move {
        Action action;
        Preview preview;
    };
    static constexpr int kKept = 3;

    void add(const Action& action, const Preview& preview) {
        int at = count < kKept ? count++ : kKept;
        for (; at > 0 && list[at - 1].preview.mean < preview.mean; --at) {
            if (at < kKept) {
                list[at] = list[at - 1];
            }
        }
        if (at < kKept) {
            list[at] = {action, preview};
        }
    }

    Move list[kKept];
    int count = 0;
};

std::uint32_t moved_to_front(std::uint32_t mask, int from) {
    const std::uint32_t below = mask & ((std::uint32_t{1} << from) - 1);
    const std::uint32_t above = mask & ~((std::uint32_t{2} << from) - 1);
    return 1 | (below << 1) | above;
}

void try_move(const Table& table, const Action& action, std::uint32_t play, Moves& moves) {
    if (check_action(table.state, action) != Refusal::none) {
        return;
    }
    State copy = table.state;
    apply(copy, action);
    const Preview preview = preview_play(copy, play);
    if (preview.mean > table.best_mean) {
        moves.add(action, preview);
    }
}

void add_moves(const Moves& moves, Offers& offers) {
    for (int i = 0; i < moves.count; ++i) {
        Offer* offer = offers.add(moves.list[i].action, static_cast<std::uint32_t>(i));
        if (offer != nullptr) {
            const Preview& preview = moves.list[i].preview;
            offer->hand = static_cast<std::uint8_t>(preview.hand.type);
            offer->scored = true;
            offer->worst = preview.worst;
            offer->mean = preview.mean;
            offer->best = preview.best;
        }
    }
}

void offer_joker_moves(const Table& table, Offers& offers) {
    const State& state = table.state;
    const int count = state.joker_count;
    bool placed = owns_any(state, kPlacedJokers);
    for (int i = 0; i < count; ++i) {
        placed = placed || state.jokers[i].edition == e_polychrome;
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            return;
        }
    }
    if (count < 2 || !placed) {
        return;
    }
    Moves moves;
    for (int from = 0; from < count; ++from) {
        const int id = state.jokers[from].id;
        const bool copies = id == j_blueprint || id == j_brainstorm;
        for (int to = 0; to < count; ++to) {
            if (to != from && (copies || to == 0 || to == count - 1)) {
                const Action move{ActionKind::move_joker, static_cast<std::uint8_t>(from),
                                  static_cast<std::uint8_t>(to), 0, 0};
                try_move(table, move, table.best, moves);
            }
        }
    }
    add_moves(moves, offers);
}

// Whether the order in which the cards of a play score can matter.
bool cards_are_placed(const Table& table) {
    if (owns_any(table.state, kFirstCardJokers)) {
        return true;
    }
    for (std::uint32_t left = table.best & ~table.shape.hidden; left != 0; left &= left - 1) {
        const Card& card = table.state.cards[table.state.hand[std::countr_zero(left)]];
        if (card.enhancement == m_glass || card.edition == e_polychrome) {
            return true;
        }
    }
    return false;
}

void offer_card_moves(const Table& table, Offers& offers) {
    Moves moves;
    for (std::uint32_t left = table.best; left != 0; left &= left - 1) {
        const int from = std::countr_zero(left);
        if (from > 0) {
            try_move(table, action_at(ActionKind::move_card, from), moved_to_front(table.best, from), moves);
        }
    }
    add_moves(moves, offers);
    const int other = table.state.sort_mode == 0 ? 1 : 0;
    offers.add(action_at(ActionKind::sort_hand, other), 0);
}

}  // namespace

void offer_plays(Table& table, Offers& offers) {
    const State& state = table.state;
    if (state.round.hands_left <= 0 || table.shape.count == 0) {
        return;
    }
    const bool all = table.shape.count <= kPreviewedHand && state.challenge_rules == 0 &&
                     !owns_any(state, kSlowJokers) && !hides_something(state);
    if (all) {
        offer_previewed(table, offers);
    } else {
        offer_natural(table, offers);
    }
}

void offer_discards(const Table& table, Offers& offers) {
    const HandShape& shape = table.shape;
    if (table.state.round.discards_left <= 0 || shape.count == 0) {
        return;
    }
    Discards discards(table, offers);
    discards.keep(table.best);
    std::uint32_t grouped = 0;
    std::uint32_t largest = 0;
    for (int rank = kAce; rank >= kMinRank; --rank) {
        const std::uint32_t group = shape.by_rank[rank];
        grouped |= count_bits(group) >= 2 ? group : 0;
        largest = count_bits(group) > count_bits(largest) ? group : largest;
    }
    for (const std::uint32_t suited : shape.by_suit) {
        if (count_bits(suited) >= 3) {
            discards.keep(suited);
        }
    }
    const std::uint32_t straight = straight_draw(shape);
    if (straight != 0) {
        discards.keep(straight);
    }
    discards.keep(grouped);
    discards.keep(largest);
    discards.keep(shape.hidden);
    const std::uint32_t free = shape.all() & ~shape.forced;
    for (int count = kMaxPlayed - count_bits(shape.forced); count >= 1; --count) {
        discards.add(worst_of(shape, free, count));
        discards.add(worst_of(shape, free & ~table.best, count));
    }
    discard_for_jokers(table, discards);
}

void offer_orders(const Table& table, Offers& offers) {
    if (table.best == 0) {
        return;
    }
    offer_joker_moves(table, offers);
    if (cards_are_placed(table)) {
        offer_card_moves(table, offers);
    }
}

}  // namespace jimbot
