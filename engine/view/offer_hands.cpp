// Discards and orders.
#include <algorithm>
#include <bit>

#include "catalog/joker_traits.hpp"
#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "view/offers.hpp"
#include "view/preview.hpp"

namespace jimbot {

namespace {

// Whether the place of a joker in the row can matter: it copies, or it multiplies or may do so.
bool is_placed(const Joker& joker) {
    const ResolvedTraits& traits = kJokerTraits[joker.id];
    return traits.copies != Copies::never || traits.multiplies != Multiplies::never ||
           joker.edition == e_polychrome;
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
        switch (kJokerTraits[state.jokers[i].id].wanted_discards) {
        case WantedDiscards::none:
            break;
        case WantedDiscards::target_rank:
            some(shape.by_rank[state.targets.mail_rank]);
            break;
        case WantedDiscards::target_suit:
            some(shape.by_suit[state.targets.castle_suit]);
            break;
        case WantedDiscards::jacks:
            some(shape.by_rank[kJack]);
            break;
        case WantedDiscards::faces:
            some(faces);
            break;
        case WantedDiscards::single_card:
            for (int k = 0; k < shape.count; ++k) {
                discards.add(std::uint32_t{1} << k);
            }
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
    bool placed = false;
    for (int i = 0; i < count; ++i) {
        placed = placed || is_placed(state.jokers[i]);
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            return;
        }
    }
    if (count < 2 || !placed) {
        return;
    }
    Moves moves;
    for (int from = 0; from < count; ++from) {
        const bool copies = kJokerTraits[state.jokers[from].id].copies != Copies::never;
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
    for (int i = 0; i < table.state.joker_count; ++i) {
        const Reads reads = kJokerTraits[table.state.jokers[i].id].reads;
        if (reads_any(reads, Reads::first_card | Reads::first_face)) {
            return true;
        }
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
