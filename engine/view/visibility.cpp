#include "view/visibility.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/deck.hpp"
#include "rules/pools.hpp"

namespace jimbot {

namespace {

// A boss was beaten and the next ante has begun, but the shop that shows its voucher was not entered yet.
bool before_first_shop_of_ante(const State& state) {
    const bool round_is_over = state.phase == Phase::round_eval || state.phase == Phase::game_over;
    return round_is_over && state.round.blind == bl_none && state.blind_on_deck == 0;
}

bool names(int joker_id, RoundTarget target) {
    return kJokers[static_cast<std::size_t>(joker_id)].passive.target == target;
}

bool any_names(const Item* items, int count, RoundTarget target) {
    return std::any_of(items, items + count, [target](const Item& item) {
        return item.kind == ItemKind::joker && names(item.id, target);
    });
}

// Copies the targets that the player can see.
void copy_seen_targets(const State& state, const RoundTargets& from, RoundTargets& to) {
    if (target_in_sight(state, RoundTarget::idol_card)) {
        to.idol_rank = from.idol_rank;
        to.idol_suit = from.idol_suit;
    }
    if (target_in_sight(state, RoundTarget::mail_rank)) {
        to.mail_rank = from.mail_rank;
    }
    if (target_in_sight(state, RoundTarget::castle_suit)) {
        to.castle_suit = from.castle_suit;
    }
    if (target_in_sight(state, RoundTarget::ancient_suit)) {
        to.ancient_suit = from.ancient_suit;
    }
}

}  // namespace

bool ante_voucher_seen(const State& state) {
    // The first pack of a run is given by its first shop.
    return state.first_pack_given != 0 && !before_first_shop_of_ante(state);
}

bool target_in_sight(const State& state, RoundTarget target) {
    const bool owned = std::any_of(state.jokers, state.jokers + state.joker_count,
                                   [target](const Joker& joker) { return names(joker.id, target); });
    return owned || (state.shop.open != 0 && any_names(state.shop.slots, state.shop.slot_count, target)) ||
           any_names(state.pack.cards, state.pack.count, target);
}

bool orbital_hand_seen(const State& state, int blind) {
    return blind < 2 && kTagEntries[state.blind_tags[blind]].has_hand;
}

void hide_unseen_choices(State& state) {
    if (!ante_voucher_seen(state)) {
        state.voucher = v_none;
    }
    for (int blind = 0; blind < 3; ++blind) {
        if (!orbital_hand_seen(state, blind)) {
            state.orbital_hands[blind] = hand_high_card;
        }
    }
    for (int i = 0; i < state.tag_count; ++i) {
        // Every tag takes the hand of its blind along; only those that use it tell it.
        if (!kTagEntries[state.tags[i].id].has_hand) {
            state.tags[i].hand = hand_high_card;
        }
    }
    RoundTargets targets{0, suit_spades, kAce, suit_spades, suit_count};
    copy_seen_targets(state, state.targets, targets);
    state.targets = targets;
}

void redraw_unseen_choices(State& state) {
    if (!ante_voucher_seen(state)) {
        state.voucher = draw_voucher(state, Stream::voucher);
    }
    for (int blind = 0; blind < 3; ++blind) {
        if (!orbital_hand_seen(state, blind)) {
            state.orbital_hands[blind] = draw_visible_hand(state, Stream::orbital, hand_types);
        }
    }
    const RoundTargets before = state.targets;
    // The suit is never the one before. If it is unseen, so is the one before: any suit may come.
    state.targets.ancient_suit = suit_count;
    draw_round_targets(state);
    copy_seen_targets(state, before, state.targets);
}

}  // namespace jimbot
