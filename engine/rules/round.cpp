#include "rules/round.hpp"

#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/challenge.hpp"
#include "rules/deck.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"
#include "rules/scoring.hpp"
#include "rules/tags.hpp"

namespace jimbot {

namespace {

void draw_from_pile(State& state, int count) {
    for (int i = 0; i < count && state.draw_count > 0 && state.hand_count < kMaxHand; ++i) {
        const std::uint8_t index = state.draw_pile[--state.draw_count];
        Card& card = state.cards[index];
        card.move_to(CardPlace::hand);
        if (drawn_face_down(state, card)) {
            card.flags |= card_face_down;
        }
        state.hand[state.hand_count++] = index;
    }
}

// Draws up to the hand size (The Serpent: exactly three after the first action) and sorts.
void draw_cards(State& state) {
    const Round& round = state.round;
    const int fixed = round.hands_played > 0 || round.discards_used > 0 ? int{active_blind(state).draws} : 0;
    draw_from_pile(state, fixed != 0 ? fixed : hand_size(state) - state.hand_count);
    state.round.fish_ready = 0;
    sort_hand(state);
}

// Card indices taken out of the hand, left to right. The place behind the last is for writing ahead.
struct Taken {
    std::uint8_t cards[kMaxHand + 1];
    int count = 0;
};

// Takes the cards at these positions out of the hand.
void take_selected(State& state, std::uint32_t mask, Taken& taken) {
    int kept = 0;
    const int count = state.hand_count;
    for (int i = 0; i < count; ++i) {
        // Which list a card goes to cannot be predicted: it is written to both and counted in one, which
        // needs no branch.
        const std::uint8_t index = state.hand[i];
        const bool selected = ((mask >> i) & 1) != 0;
        taken.cards[taken.count] = index;
        state.hand[kept] = selected ? state.hand[kept] : index;
        taken.count += selected ? 1 : 0;
        kept += selected ? 0 : 1;
    }
    state.hand_count = static_cast<std::uint8_t>(kept);
}

// The blind reacts to the play. What it does may destroy a card (The Hook's discards), which moves the
// others: the played ones are found again.
void press_play(State& state, Scoring& scoring) {
    const auto hand_played = active_blind(state).hooks.hand_played;
    if (hand_played == nullptr) {
        return;
    }
    std::uint32_t created[kMaxPlayed];
    for (int i = 0; i < scoring.played_count; ++i) {
        created[i] = scoring.card(i).created;
    }
    hand_played(state, scoring.played_count);
    for (int i = 0; i < scoring.played_count; ++i) {
        scoring.played[i] = static_cast<std::uint8_t>(index_of_card(state, created[i]));
    }
}

void let_blind_react_to_draw(State& state) {
    if (active_blind(state).hooks.cards_drawn != nullptr) {
        active_blind(state).hooks.cards_drawn(state);
    }
}

void after_action(State& state) {
    if (state.round.score >= state.round.target || state.round.hands_left <= 0) {
        end_round(state);
        return;
    }
    draw_cards(state);
    let_blind_react_to_draw(state);
    if (state.hand_count == 0) {
        end_round(state);
    }
}

// Discards the cards at these positions with their effects.
void discard_selected(State& state, std::uint32_t mask, bool by_boss) {
    Taken taken;
    take_selected(state, mask, taken);
    const std::uint8_t* const cards = taken.cards;
    const int listed = taken.count;
    DiscardView view{cards, listed, 0, by_boss};
    each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.pre_discard != nullptr) {
            hooks.pre_discard(turn, view);
        }
    });
    std::uint8_t destroyed[kMaxHand];
    int destroyed_count = 0;
    for (int i = 0; i < listed; ++i) {
        Card& card = state.cards[cards[i]];
        view.position = i;
        card.flags = static_cast<std::uint8_t>(card.flags & ~(card_face_down | card_forced));
        if (card.seal == s_purple && (card.flags & card_debuffed) == 0) {
            create_consumable(state, Pool::tarot, Stream::tarot_eight_ball);
        }
        bool gone = false;
        each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
            if (hooks.discard != nullptr && hooks.discard(turn, card, view)) {
                gone = true;
            }
        });
        card.move_to(CardPlace::discard_pile);
        if (gone) {
            destroyed[destroyed_count++] = cards[i];
        }
    }
    destroy_cards(state, destroyed, destroyed_count, DestroyedBy::discard);
}

}  // namespace

void pin_jokers(State& state) {
    std::stable_partition(state.jokers, state.jokers + state.joker_count,
                          [](const Joker& joker) { return (joker.stickers & sticker_pinned) != 0; });
}

void select_blind(State& state) {
    Round& round = state.round;
    state.rounds = bounded_count(state.rounds + 1);
    round = {};
    round.blind = next_blind(state);
    round.hands_left = bounded_count(std::max(1, hands_per_round(state)));
    round.discards_left = bounded_count(std::max(0, discards_per_round(state)));
    round.only_hand = hand_types;
    round.last_hand = hand_types;
    round.target = blind_target(state, static_cast<BlindId>(round.blind));
    for (HandStats& hand : state.hands) {
        hand.played_this_round = 0;
    }
    state.reroll_growth = 0;
    int free_rerolls = 0;
    each_passive(state, [&](const JokerPassive& passive) { free_rerolls += passive.free_rerolls; });
    state.free_rerolls = static_cast<std::int16_t>(free_rerolls);
    state.phase = Phase::playing;
    set_boss(state);
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.blind_selected != nullptr) {
            hooks.blind_selected(turn);
        }
    });
    shuffle_deck(state, Stream::new_round);
    while (apply_tag(state, TagTiming::round_start_bonus)) {
    }
    draw_cards(state);
    if (state.hand_count > 0) {
        each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
            if (hooks.first_hand != nullptr) {
                hooks.first_hand(turn);
            }
        });
    }
    let_blind_react_to_draw(state);
    if (state.hand_count == 0) {
        end_round(state);
    }
}

void skip_blind(State& state) {
    count_up(state.skips);
    const int blind = state.blind_on_deck;
    ++state.blind_on_deck;
    gain_tag(state, {state.blind_tags[blind], state.orbital_hands[blind]});
    run_immediate_tags(state);
    run_blind_choice_tags(state);
}

void play_hand(State& state, std::uint32_t mask) {
    Scoring scoring{state};
    Taken taken;
    take_selected(state, mask, taken);
    std::copy(taken.cards, taken.cards + taken.count, scoring.played);
    scoring.played_count = taken.count;
    for (int i = 0; i < scoring.played_count; ++i) {
        Card& card = scoring.card(i);
        card.flags =
            static_cast<std::uint8_t>((card.flags | card_played_this_ante) & ~(card_face_down | card_forced));
        card.move_to(CardPlace::table);
    }
    --state.round.hands_left;
    press_play(state, scoring);
    score_hand(scoring);
    state.round.score += scoring.score;
    std::uint8_t destroyed[kMaxPlayed];
    int count = 0;
    for (int i = 0; i < scoring.played_count; ++i) {
        scoring.card(i).move_to(CardPlace::discard_pile);
        if (((scoring.destroyed >> i) & 1) != 0) {
            destroyed[count++] = scoring.played[i];
        }
    }
    carry_out(state, scoring.moment);
    destroy_cards(state, destroyed, count, DestroyedBy::scoring);
    count_up(state.round.hands_played);
    count_up(state.hands_played);
    after_action(state);
}

void discard_cards(State& state, const std::uint8_t* indices, int count, bool by_boss) {
    std::uint32_t mask = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        if (std::find(indices, indices + count, state.hand[i]) != indices + count) {
            mask |= std::uint32_t{1} << i;
        }
    }
    discard_selected(state, mask, by_boss);
}

void discard_hand(State& state, std::uint32_t mask) {
    discard_selected(state, mask, false);
    if (has_rule(state, rule_discard_costs)) {
        earn(state, -1);
    }
    --state.round.discards_left;
    count_up(state.round.discards_used);
    after_action(state);
}

void check_round_end(State& state) {
    if (state.phase != Phase::playing) {
        return;
    }
    if (state.round.score >= state.round.target) {
        end_round(state);
        return;
    }
    draw_if_hand_empty(state);
}

void draw_more_cards(State& state, int count) {
    draw_from_pile(state, count);
    sort_hand(state);
}

void draw_if_hand_empty(State& state) {
    if (state.phase != Phase::playing || state.hand_count > 0) {
        return;
    }
    draw_cards(state);
    let_blind_react_to_draw(state);
    if (state.hand_count == 0) {
        end_round(state);
    }
}

}  // namespace jimbot
