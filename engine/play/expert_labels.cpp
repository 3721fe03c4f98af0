#include "play/expert_labels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/bits.hpp"
#include "play/expert.hpp"
#include "rules/game.hpp"
#include "view/preview_all.hpp"

namespace jimbot {

namespace {

constexpr int kNone = -1;
constexpr int kMostMoves = 16;  // reorderings in a row that the player is followed through

bool is_reordering(ActionKind kind) {
    return kind == ActionKind::move_joker || kind == ActionKind::move_card || kind == ActionKind::sort_hand;
}

// --- fixed actions ---

// The index that brings a hand position to the front; kNone if no row shows it.
int front_slot(int position, int hand) {
    const int row = hand > kHandRows && position == hand - 1 ? kHandRows - 1 : position;
    const bool hidden = hand > kHandRows && position == kHandRows - 1 && position != hand - 1;
    return row < 1 || row >= kHandRows || hidden ? kNone : slot_card_to_front + row - 1;
}

// Indices that act on hand cards: those beyond the window are brought to the front, the farthest first.
// `first` and `subset_of` say which group of subsets acts. Nothing at all if that is not possible.
void add_subset(ExpertIndices& indices, std::uint32_t cards, int hand, int first,
                int (*subset_of)(std::uint32_t)) {
    while ((cards >> kWindow) != 0) {
        const int farthest = 31 - std::countl_zero(cards);
        const int slot = front_slot(farthest, hand);
        if (slot == kNone) {
            indices.count = 0;
            return;
        }
        indices.add(slot);
        cards = ((cards ^ (std::uint32_t{1} << farthest)) << 1) | 1;
    }
    const int subset = subset_of(cards);
    if (subset < 0) {
        indices.count = 0;
        return;
    }
    indices.add(first + subset);
}

// First index and length of the group of actions that name a position; a length of 0 for other kinds.
struct Numbered {
    int first;
    int count;
};
Numbered numbered_slots(ActionKind kind) {
    switch (kind) {
    case ActionKind::buy_card:
        return {slot_buy, kMaxShopSlots};
    case ActionKind::buy_and_use:
        return {slot_buy_and_use, kMaxShopSlots};
    case ActionKind::redeem_voucher:
        return {slot_redeem, kMaxShopVouchers};
    case ActionKind::open_pack:
        return {slot_open, kShopPacks};
    case ActionKind::pick_card:
        return {slot_pick, kMaxPackCards};
    case ActionKind::sell_joker:
        return {slot_sell_joker, kMaxJokers};
    case ActionKind::sell_consumable:
        return {slot_sell_consumable, kMaxConsumables};
    case ActionKind::use_consumable:
        return {slot_use, kMaxConsumables};
    default:
        return {0, 0};
    }
}

int single_slot(ActionKind kind) {
    switch (kind) {
    case ActionKind::select_blind:
        return slot_select_blind;
    case ActionKind::skip_blind:
        return slot_skip_blind;
    case ActionKind::reroll_boss:
        return slot_reroll_boss;
    case ActionKind::cash_out:
        return slot_cash_out;
    case ActionKind::reroll_shop:
        return slot_reroll_shop;
    case ActionKind::leave_shop:
        return slot_leave_shop;
    case ActionKind::skip_pack:
        return slot_skip_pack;
    default:
        return kNone;
    }
}

// A choice that names a position, and possibly targets, which are chosen after it.
void add_numbered(ExpertIndices& indices, const Action& action, int hand, bool chosen_already) {
    const Numbered slots = numbered_slots(action.kind);
    if (!chosen_already) {
        if (action.a >= slots.count) {
            return;
        }
        indices.add(slots.first + action.a);
    }
    if (action.mask != 0) {
        if (count_bits(action.mask) <= 3) {
            add_subset(indices, action.mask, hand, slot_target, &target_subset);
        } else {
            indices.count = 0;
        }
    }
}

// A joker moves one place at a time: those it passes change places with their left neighbors.
void add_joker_moves(ExpertIndices& indices, int from, int to) {
    for (int place = from; place > to; --place) {
        indices.add(slot_joker_left + place - 1);
    }
    for (int place = from + 1; place <= to; ++place) {
        indices.add(slot_joker_left + place - 1);
    }
}

ExpertIndices as_slots(const Action& action, int hand, const Pending& pending) {
    ExpertIndices indices;
    const bool chosen = pending.active();
    if (chosen && (action.mask == 0 || pending.kind != action.kind || pending.position != action.a)) {
        indices.add(slot_cancel);
        return indices;
    }
    const int single = single_slot(action.kind);
    if (single != kNone) {
        indices.add(single);
    } else if (action.kind == ActionKind::play_hand) {
        add_subset(indices, action.mask, hand, slot_play, &play_subset);
    } else if (action.kind == ActionKind::discard) {
        add_subset(indices, action.mask, hand, slot_discard, &play_subset);
    } else if (numbered_slots(action.kind).count > 0) {
        add_numbered(indices, action, hand, chosen);
    } else if (action.kind == ActionKind::move_joker) {
        add_joker_moves(indices, action.a, action.b);
    } else if (action.kind == ActionKind::sort_hand) {
        indices.add(slot_sort_by_rank + action.a);
    } else if (action.kind == ActionKind::move_card && action.b == 0) {
        const int slot = front_slot(action.a, hand);
        if (slot != kNone) {
            indices.add(slot);
        }
    }
    return indices;
}

// --- candidates ---

// What candidates are compared by with an action that none of them does: the smallest stands for it.
using Distance = std::tuple<double, int, int>;  // of scores, of cards, and whether a move comes first

class Scores {
public:
    Scores() = default;  // of nothing
    explicit Scores(const State& state) {
        if (state.phase != Phase::playing) {
            return;
        }
        plays_.resize(static_cast<std::size_t>(count_plays(state.hand_count)));
        plays_.resize(static_cast<std::size_t>(preview_all(state, plays_.data())));
    }
    bool known() const { return !plays_.empty(); }
    double of(std::uint32_t mask) const {
        for (const PlayPreview& play : plays_) {
            if (play.mask == mask) {
                return play.score;
            }
        }
        return 0.0;
    }

private:
    std::vector<PlayPreview> plays_;
};

// The candidate that stands for an action none does; kNone if none is of its kind. Unless it is a play or a
// discard, it is at the same position. Of plays, the one whose score is nearest; of those, and of everything
// else, the one that differs in the fewest cards; of those, the first.
int nearest_candidate(const State& state, const Action& action, const Candidate* candidates, int count) {
    const bool play = action.kind == ActionKind::play_hand;
    const bool by_position = !play && action.kind != ActionKind::discard;
    const Scores scores = play ? Scores(state) : Scores();
    const double wanted = scores.of(action.mask);
    Distance best{};
    int nearest = kNone;
    for (int i = 0; i < count; ++i) {
        const Action& offered = candidates[i].action;
        if (offered.kind != action.kind || (by_position && offered.a != action.a)) {
            continue;
        }
        double apart = 0.0;
        if (scores.known()) {
            const double score = scores.of(offered.mask);
            apart = std::abs(score - wanted) / std::max({std::abs(wanted), std::abs(score), 1.0});
        }
        const Distance distance{apart, count_bits(offered.mask ^ action.mask),
                                candidates[i].before.kind == ActionKind::count ? 0 : 1};
        if (nearest == kNone || distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

// The candidate that makes these moves, if any, and then the action.
int same_candidate(const Action* moves, int move_count, const Action& action, const Candidate* candidates,
                   int count) {
    if (move_count > 1) {
        return kNone;
    }
    for (int i = 0; i < count; ++i) {
        const bool moves_first = candidates[i].before.kind != ActionKind::count;
        if (candidates[i].action == action && moves_first == (move_count == 1) &&
            (!moves_first || candidates[i].before == moves[0])) {
            return i;
        }
    }
    return kNone;
}

// Where the jokers stood before they were moved.
class JokerPlaces {
public:
    explicit JokerPlaces(int count) {
        for (int i = 0; i < count; ++i) {
            places_.push_back(i);
        }
    }
    void move(int from, int to) {
        const int place = places_[static_cast<std::size_t>(from)];
        places_.erase(places_.begin() + from);
        places_.insert(places_.begin() + to, place);
    }
    std::uint8_t before(int position) const {
        return static_cast<std::uint8_t>(places_[static_cast<std::size_t>(position)]);
    }

private:
    std::vector<int> places_;
};

ExpertIndices one_index(int index, bool exact) {
    ExpertIndices indices;
    if (index != kNone) {
        indices.add(index);
        indices.exact = exact;
    }
    return indices;
}

// The player wants to reorder something first. Reorderings that no candidate does are left out: what counts
// is what the player does after them.
ExpertIndices after_moves(const State& state, Action action, const Candidate* candidates, int count,
                          const ExpertWeights& weights, StrengthMemory* memory) {
    State ahead = state;
    JokerPlaces jokers(state.joker_count);
    Action moves[kMostMoves];
    int moved = 0;
    bool cards_moved = false;
    while (is_reordering(action.kind) && moved < kMostMoves) {
        const int same = same_candidate(moves, moved, action, candidates, count);
        if (same != kNone) {
            return one_index(same, true);
        }
        if (action.kind == ActionKind::move_joker) {
            jokers.move(action.a, action.b);
        } else {
            cards_moved = true;
        }
        apply(ahead, action);
        moves[moved++] = action;
        action = expert_action(ahead, weights, memory);
    }
    const int same = same_candidate(moves, moved, action, candidates, count);
    if (same != kNone) {
        return one_index(same, true);
    }
    if (cards_moved && action.mask != 0) {
        return {};  // its positions are those of another order of the hand
    }
    if (action.kind == ActionKind::sell_joker) {
        action.a = jokers.before(action.a);
    }
    const int alone = same_candidate(nullptr, 0, action, candidates, count);
    return one_index(alone != kNone ? alone : nearest_candidate(state, action, candidates, count), false);
}

}  // namespace

ExpertIndices expert_slots(const State& state, const Pending& pending, const ExpertWeights& weights,
                           StrengthMemory* memory) {
    return as_slots(expert_action(state, weights, memory), state.hand_count, pending);
}

ExpertIndices expert_candidate(const State& state, const Candidate* candidates, int count,
                               const ExpertWeights& weights, StrengthMemory* memory) {
    const Action action = expert_action(state, weights, memory);
    if (is_reordering(action.kind)) {
        return after_moves(state, action, candidates, count, weights, memory);
    }
    const int same = same_candidate(nullptr, 0, action, candidates, count);
    return same != kNone ? one_index(same, true)
                         : one_index(nearest_candidate(state, action, candidates, count), false);
}

}  // namespace jimbot
