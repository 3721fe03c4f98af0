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

constexpr int kWinAnte = 8;

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
    const bool serpent =
        boss_active(state, bl_serpent) && (round.hands_played > 0 || round.discards_used > 0);
    draw_from_pile(state, serpent ? 3 : hand_size(state) - state.hand_count);
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
        // Which list a card goes to is as good as random: it is written to both and counted in one, without a
        // branch.
        const std::uint8_t index = state.hand[i];
        const bool selected = ((mask >> i) & 1) != 0;
        taken.cards[taken.count] = index;
        state.hand[kept] = selected ? state.hand[kept] : index;
        taken.count += selected ? 1 : 0;
        kept += selected ? 0 : 1;
    }
    state.hand_count = static_cast<std::uint8_t>(kept);
}

HandType most_played_hand(const State& state) {
    int best = hand_high_card;
    int most = 0;
    for (int hand = 0; hand < hand_types; ++hand) {
        if (state.hands[hand].played > most) {
            most = state.hands[hand].played;
            best = hand;
        }
    }
    return static_cast<HandType>(best);
}

// End-of-round effects of jokers with their stickers; true if the run goes on.
bool run_joker_round_end(State& state, bool won, bool boss) {
    bool alive = won;
    std::uint32_t doomed = 0;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        const int target = ability_of(state, i);
        if (target >= 0) {
            Joker& ability = state.jokers[target];
            int reserved = 0;
            Turn turn{state, ability, i, target != i, doomed, reserved};
            if (ability.id == j_mr_bones && !alive && target == i &&
                state.round.score >= 0.25 * state.round.target) {
                alive = true;
                state.saved_by_bones = 1;
                turn.destroy_self();
            } else if (kJokers[ability.id].hooks.end_of_round != nullptr) {
                kJokers[ability.id].hooks.end_of_round(turn, boss);
            }
        }
        Joker& joker = state.jokers[i];
        if (((doomed >> i) & 1) != 0) {
            continue;
        }
        if ((joker.stickers & sticker_rental) != 0) {
            earn(state, -3);
        }
        if ((joker.stickers & sticker_perishable) != 0 && joker.rounds_left > 0) {
            --joker.rounds_left;
            if (joker.rounds_left == 0) {
                set_joker_flags(state, joker, static_cast<std::uint8_t>(joker.flags | joker_perished));
            }
        }
    }
    remove_jokers(state, doomed);
    return alive;
}

void run_held_cards_round_end(State& state) {
    int mimes = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        const int target = ability_of(state, i);
        mimes += target >= 0 && state.jokers[target].id == j_mime ? 1 : 0;
    }
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_debuffed) != 0) {
            continue;
        }
        if (card.enhancement == m_gold) {
            earn(state, 3 * (1 + mimes + (card.seal == s_red ? 1 : 0)));
        }
        if (card.seal == s_blue && state.round.last_hand != hand_types) {
            create_given_consumable(state, kPokerHands[state.round.last_hand].planet);
        }
    }
}

int blind_reward(const State& state, bool saved) {
    const BlindEntry& blind = kBlinds[state.round.blind];
    if (saved || has_rule(state, rule_no_reward) ||
        (has_rule(state, rule_small_big_no_reward) && blind.kind <= BlindKind::big) ||
        (state.stake >= 2 && blind.kind == BlindKind::small)) {
        return 0;
    }
    return blind.reward;
}

int interest(const State& state) {
    if (state.deck == b_green || has_rule(state, rule_no_interest) || state.money < 5) {
        return 0;
    }
    int rate = 1;
    for (int i = 0; i < state.joker_count; ++i) {
        rate += state.jokers[i].id == j_to_the_moon && !state.jokers[i].debuffed() ? 1 : 0;
    }
    const int cap = redeemed(state, v_money_tree) ? 100 : redeemed(state, v_seed_money) ? 50 : 25;
    return rate * std::min(state.money / 5, cap / 5);
}

void fill_cash_out(State& state, bool boss, bool saved) {
    CashOut& rows = state.cash_out;
    rows = {};
    rows.reward = blind_reward(state, saved);
    if (!has_rule(state, rule_no_hand_money)) {
        rows.hands = state.round.hands_left * (state.deck == b_green ? 2 : 1);
    }
    if (state.deck == b_green) {
        rows.discards = state.round.discards_left;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if (!joker.debuffed() && kJokers[joker.id].hooks.payout != nullptr) {
            rows.jokers = std::min(kMaxMoney, rows.jokers + kJokers[joker.id].hooks.payout(state, joker));
        }
    }
    while (boss && use_tag(state, tag_investment)) {
        rows.tags += 25;
    }
    rows.interest = interest(state);
}

void make_jokers_eternal(State& state) {
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        if (kJokers[joker.id].can_be_eternal) {
            joker.stickers |= sticker_eternal;
        }
    }
}

void finish_boss(State& state) {
    if (has_rule(state, rule_typecast) && state.ante == 4) {
        make_jokers_eternal(state);
        // The limit itself becomes 0, with whatever vouchers and Negative jokers had added to it.
        state.base_joker_slots = bounded_count(state.base_joker_slots - joker_slots(state));
    }
    for (int i = 0; i < state.card_count; ++i) {
        state.cards[i].flags = static_cast<std::uint8_t>(state.cards[i].flags & ~card_played_this_ante);
    }
    state.boss_rerolls = 0;
    state.ox_hand = most_played_hand(state);
    if (state.deck == b_anaglyph) {
        gain_tag(state, {tag_double, 0});
    }
    begin_next_ante(state);
}

// All cards go back to the deck and everything the blind did to cards and jokers is undone.
void clear_table(State& state) {
    state.round.blind = bl_none;
    state.round.hand_size_bonus = 0;
    state.cheap_rerolls = 0;
    state.hand_count = 0;
    state.draw_count = state.card_count;
    for (int i = 0; i < state.card_count; ++i) {
        Card& card = state.cards[i];
        card.flags = static_cast<std::uint8_t>(card.flags & (card_debuffed_for_good | card_played_this_ante));
        card.flags |= (card.flags & card_debuffed_for_good) != 0 ? card_debuffed : 0;
        card.move_to(CardPlace::draw_pile);
        state.draw_pile[i] = static_cast<std::uint8_t>(i);
    }
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        set_joker_flags(state, joker, static_cast<std::uint8_t>(joker.flags & joker_perished));
    }
}

void end_round(State& state) {
    const bool won = state.round.score >= state.round.target;
    const bool boss = state.round.blind > bl_big;
    state.saved_by_bones = 0;
    state.phase =
        Phase::round_eval;  // no hand is being played any more: nothing is drawn for what jokers do now
    if (!run_joker_round_end(state, won, boss)) {
        state.phase = Phase::game_over;
        return;
    }
    state.unused_discards =
        static_cast<std::uint16_t>(std::min(65'535, state.unused_discards + state.round.discards_left));
    run_held_cards_round_end(state);
    fill_cash_out(state, boss, !won);
    clear_table(state);
    state.blind_on_deck = static_cast<std::uint8_t>((state.blind_on_deck + 1) % 3);
    if (boss) {
        const bool last = state.ante >= kWinAnte;
        finish_boss(state);
        if (last) {
            state.won = 1;
            if (state.endless == 0) {
                state.phase = Phase::game_over;
            }
        }
    }
    draw_round_targets(state);
}

// The boss reacts to the play. The Hook's discards may destroy a card, which moves the others: then the
// played ones are found again.
void press_play(State& state, Scoring& scoring) {
    if (!boss_active(state, bl_hook)) {
        boss_press_play(state, scoring.played_count);
        return;
    }
    std::uint32_t created[kMaxPlayed];
    for (int i = 0; i < scoring.played_count; ++i) {
        created[i] = scoring.card(i).created;
    }
    boss_press_play(state, scoring.played_count);
    for (int i = 0; i < scoring.played_count; ++i) {
        scoring.played[i] = static_cast<std::uint8_t>(index_of_card(state, created[i]));
    }
}

void after_action(State& state) {
    if (state.round.score >= state.round.target || state.round.hands_left <= 0) {
        end_round(state);
        return;
    }
    draw_cards(state);
    boss_after_draw(state);
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
    round.blind = state.blind_on_deck == 0   ? std::uint8_t{bl_small}
                  : state.blind_on_deck == 1 ? std::uint8_t{bl_big}
                                             : state.boss;
    round.hands_left = bounded_count(std::max(1, hands_per_round(state)));
    round.discards_left = bounded_count(std::max(0, discards_per_round(state)));
    round.only_hand = hand_types;
    round.last_hand = hand_types;
    round.target = blind_target(state, static_cast<BlindId>(round.blind));
    for (HandStats& hand : state.hands) {
        hand.played_this_round = 0;
    }
    state.reroll_growth = 0;
    state.free_rerolls = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        state.free_rerolls = static_cast<std::int16_t>(
            state.free_rerolls + (state.jokers[i].id == j_chaos && !state.jokers[i].debuffed() ? 1 : 0));
    }
    state.phase = Phase::playing;
    set_boss(state);
    int riff_raff =
        0;  // its jokers arrive when every joker has reacted; until then only their slots are taken
    each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
        if (turn.joker.id == j_riff_raff) {
            const int created = std::clamp(joker_slots(state) - state.joker_count - turn.reserved, 0, 2);
            turn.reserved += created;
            riff_raff += created;
        } else if (hooks.blind_selected != nullptr) {
            hooks.blind_selected(turn);
        }
    });
    for (; riff_raff > 0; --riff_raff) {
        create_joker(state, JokerSource::riff_raff);
    }
    shuffle_deck(state, Stream::new_round);
    while (use_tag(state, tag_juggle)) {
        round.hand_size_bonus = bounded_count(round.hand_size_bonus + 3);
    }
    draw_cards(state);
    if (state.hand_count > 0) {
        each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
            if (hooks.first_hand != nullptr) {
                hooks.first_hand(turn);
            }
        });
    }
    boss_after_draw(state);
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
    remove_jokers(state, scoring.doomed);
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
    boss_after_draw(state);
    if (state.hand_count == 0) {
        end_round(state);
    }
}

int cash_out_total(const CashOut& rows) {
    std::int64_t total = 0;
    for (const int row : {rows.reward, rows.hands, rows.discards, rows.jokers, rows.tags, rows.interest}) {
        total += row;
    }
    return static_cast<int>(std::min<std::int64_t>(kMaxMoney, total));
}

void cash_out(State& state) {
    earn(state, cash_out_total(state.cash_out));
    state.cash_out = {};
    shuffle_deck(state, Stream::cash_out);
    if (state.blind_on_deck == 0) {
        draw_ante_choices(state);
    }
    state.phase = Phase::shop;
    stock_shop(state);
}

}  // namespace jimbot
