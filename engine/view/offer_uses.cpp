// Consumables with the targets a player would think of.
#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "rules/game.hpp"
#include "view/identities.hpp"
#include "view/offers.hpp"
#include "view/preview.hpp"

namespace jimbot {

namespace {

// Target sets of one consumable, each once.
struct Targets {
    static constexpr int kMost = 40;

    void add(std::uint32_t mask) {
        if (mask != 0 && count < kMost && std::find(masks, masks + count, mask) == masks + count) {
            masks[count++] = mask;
        }
    }

    std::uint32_t masks[kMost];
    int count = 0;
};

// Cards that are worth improving: the best of all, of the best play, of the largest group; then one by one.
void list_improvements(const Table& table, int most, Targets& targets) {
    const HandShape& shape = table.shape;
    std::uint32_t largest = 0;
    for (int rank = kAce; rank >= kMinRank; --rank) {
        largest = count_bits(shape.by_rank[rank]) > count_bits(largest) ? shape.by_rank[rank] : largest;
    }
    targets.add(best_of(shape, table.best != 0 ? table.best : shape.all(), most));
    targets.add(best_of(shape, shape.all(), most));
    targets.add(best_of(shape, largest, most));
    targets.add(best_of(shape, shape.all() & ~table.best, most));
    for (int i = shape.count - 1; i >= 0; --i) {
        targets.add(std::uint32_t{1} << shape.order[i]);
    }
}

// Cards that are worth losing: the least, those of the smallest suits, those that are not in the best play.
void list_losses(const Table& table, int most, Targets& targets) {
    const HandShape& shape = table.shape;
    int suit = 0;
    for (int other = 1; other < suit_count; ++other) {
        suit = count_bits(shape.by_suit[other]) > count_bits(shape.by_suit[suit]) ? other : suit;
    }
    targets.add(worst_of(shape, shape.all() & ~table.best, most));
    targets.add(worst_of(shape, shape.all(), most));
    targets.add(worst_of(shape, shape.all() & ~shape.by_suit[suit], most));
    for (int i = 0; i < shape.count; ++i) {
        targets.add(std::uint32_t{1} << shape.order[i]);
    }
}

// Cards of other suits: those that complete a flush, the best, the least.
void list_recolorings(const Table& table, int suit, int most, Targets& targets) {
    const HandShape& shape = table.shape;
    const std::uint32_t others = shape.all() & ~shape.by_suit[suit] & ~shape.hidden;
    const int missing = std::clamp(5 - count_bits(shape.by_suit[suit]), 1, most);
    targets.add(best_of(shape, others, most));
    targets.add(worst_of(shape, others, most));
    targets.add(best_of(shape, others, missing));
    targets.add(best_of(shape, others & table.best, most));
    targets.add(best_of(shape, others, 1));
}

// Cards that join others one rank higher, the best, the least.
void list_raises(const Table& table, int most, Targets& targets) {
    const HandShape& shape = table.shape;
    for (int rank = kAce - 1; rank >= kMinRank; --rank) {
        if (shape.by_rank[rank] != 0 && shape.by_rank[rank + 1] != 0) {
            targets.add(best_of(shape, shape.by_rank[rank], most));
            targets.add(best_of(shape, shape.by_rank[rank], 1));
        }
    }
    const std::uint32_t below_ace = shape.all() & ~shape.by_rank[kAce];
    targets.add(best_of(shape, below_ace, most));
    targets.add(worst_of(shape, shape.all(), most));
}

void list_targets(const Table& table, const ConsumableEntry& entry, Targets& targets) {
    const int most = entry.max_targets;
    switch (entry.traits.wish) {
    case TargetWish::suit:
        list_recolorings(table, entry.traits.suit, most, targets);
        break;
    case TargetWish::raises:
        list_raises(table, most, targets);
        break;
    case TargetWish::losses:
        list_losses(table, most, targets);
        break;
    case TargetWish::improvements:
    case TargetWish::copy:
        list_improvements(table, most, targets);
        break;
    }
}

// The left card becomes the right one: the model must stand further right, so the other card may
// have to be brought to the front first.
Candidate make_like(const Table& table, ActionKind kind, int position, int changed, int model) {
    const std::uint32_t both = (std::uint32_t{1} << changed) | (std::uint32_t{1} << model);
    if (changed < model || table.shape.forced != 0) {
        return {{ActionKind::count}, action_at(kind, position, both)};
    }
    return {action_at(ActionKind::move_card, changed),
            action_at(kind, position, std::uint32_t{1} | (std::uint32_t{1} << (model + 1)))};
}

// What nothing but the rules decides: enhancements, suits, ranks, seals, copies, levels.
bool leaves_nothing_to_chance(int id) {
    return is_planet(id) || kConsumables[static_cast<std::size_t>(id)].traits.effect != UseEffect::unknown;
}

// The best play after a use, in the middle of a blind.
void score_after(const Table& table, Offer& offer) {
    State copy = table.state;
    if (offer.candidate.before.kind != ActionKind::count) {
        apply(copy, offer.candidate.before);
    }
    apply(copy, offer.candidate.action);
    if (copy.phase != Phase::playing || copy.hand_count == 0) {
        return;
    }
    const PokerRules rules = poker_rules(copy);
    HandShape shape;
    read_shape(copy, copy.hand, copy.hand_count, rules, shape);
    std::uint32_t masks[kMaxNaturalPlays];
    HandType types[kMaxNaturalPlays];
    const int plays = natural_plays(shape, rules, masks, types);
    for (int i = 0; i < plays; ++i) {
        const Preview preview = preview_play(copy, masks[i]);
        if (!offer.scored || preview.mean > offer.mean) {
            offer.scored = true;
            offer.worst = preview.worst;
            offer.mean = preview.mean;
            offer.best = preview.best;
        }
    }
}

std::int16_t card_identity(const Table& table, int position) {
    if (((table.shape.hidden >> position) & 1) != 0) {
        return kItemFaceDown;
    }
    return static_cast<std::int16_t>(kItemCard + 1 + front_of(table.state.cards[table.state.hand[position]]));
}

void add_use(const Table& table, const Candidate& candidate, int id, int target, int rank, int money,
             Offers& offers) {
    Offer* offer = offers.add(candidate.action, static_cast<std::uint32_t>(rank));
    if (offer == nullptr) {
        return;
    }
    offer->candidate = candidate;
    offer->ids[0] = static_cast<std::int16_t>(kItemConsumable + id);
    offer->ids[1] = target >= 0 ? card_identity(table, target) : std::int16_t{0};
    offer->hand = kConsumables[static_cast<std::size_t>(id)].hand;
    offer->money = money;
    constexpr int kScoredUses = 4;
    if (table.state.phase == Phase::playing && rank < kScoredUses && leaves_nothing_to_chance(id)) {
        score_after(table, *offer);
    }
}

void offer_copies(const Table& table, ActionKind kind, int position, int id, int money, Offers& offers) {
    const HandShape& shape = table.shape;
    int rank = 0;
    for (int model = 0; model < 2; ++model) {
        for (int changed = 0; changed < 2; ++changed) {
            const int last = shape.count - 1 - model;
            if (last <= changed) {
                continue;
            }
            const Candidate candidate =
                make_like(table, kind, position, shape.order[changed], shape.order[last]);
            // A card that is moved first changes positions, but not their number, and no card is forced here.
            if (check_action(table.state, candidate.action) == Refusal::none) {
                add_use(table, candidate, id, shape.order[last], rank++, money, offers);
            }
        }
    }
}

}  // namespace

void offer_uses(const Table& table, ActionKind kind, int position, int id, int money, Offers& offers) {
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    if (entry.max_targets == 0) {
        const Action action = action_at(kind, position);
        if (check_action(table.state, action) == Refusal::none) {
            add_use(table, {{ActionKind::count}, action}, id, -1, 0, money, offers);
        }
        return;
    }
    if (table.shape.count == 0) {
        return;
    }
    if (entry.traits.wish == TargetWish::copy) {
        offer_copies(table, kind, position, id, money, offers);
        return;
    }
    Targets targets;
    list_targets(table, entry, targets);
    const int most = std::max(4, table.limit / 8);
    int rank = 0;
    for (int i = 0; i < targets.count && rank < most; ++i) {
        const std::uint32_t mask = targets.masks[i] | table.shape.forced;
        const Action action = action_at(kind, position, mask);
        if (check_action(table.state, action) == Refusal::none) {
            const int target = std::countr_zero(best_of(table.shape, targets.masks[i], 1));
            add_use(table, {{ActionKind::count}, action}, id, target, rank++, money, offers);
        }
    }
}

}  // namespace jimbot
