#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/challenge.hpp"
#include "rules/deck.hpp"
#include "rules/round.hpp"
#include "rules/run.hpp"
#include "rules/tags.hpp"

namespace jimbot {

namespace {

constexpr int kWinAnte = 8;

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
    Moment moment;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        const int target = ability_of(state, i);
        if (target >= 0) {
            const JokerHooks& hooks = kJokers[state.jokers[target].id].hooks;
            Turn turn{state, state.jokers[target], i, target != i, moment};
            if (!alive && hooks.saves_run != nullptr && hooks.saves_run(turn)) {
                alive = true;
                state.saved_by_bones = 1;
            } else if (hooks.end_of_round != nullptr) {
                hooks.end_of_round(turn, boss);
            }
        }
        Joker& joker = state.jokers[i];
        if (((moment.doomed >> i) & 1) != 0) {
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
    carry_out(state, moment);
    return alive;
}

void run_held_cards_round_end(State& state) {
    int retriggers = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        const int target = ability_of(state, i);
        retriggers += target >= 0 ? kJokers[state.jokers[target].id].passive.held_retriggers : 0;
    }
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_debuffed) != 0) {
            continue;
        }
        if (card.enhancement == m_gold) {
            earn(state, 3 * (1 + retriggers + (card.seal == s_red ? 1 : 0)));
        }
        if (card.seal == s_blue && state.round.last_hand != hand_types) {
            create_given_consumable(state, kPokerHands[state.round.last_hand].planet);
        }
    }
}

void fill_cash_out(State& state, bool boss, bool saved) {
    CashOut& rows = state.cash_out;
    rows = {};
    const DeckEntry& deck = kDecks[state.deck];
    rows.reward = saved ? 0 : blind_reward(state);
    if (!has_rule(state, rule_no_hand_money)) {
        rows.hands = state.round.hands_left * deck.dollars_per_hand;
    }
    rows.discards = state.round.discards_left * deck.dollars_per_discard;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if (!joker.debuffed() && kJokers[joker.id].hooks.payout != nullptr) {
            rows.jokers = std::min(kMaxMoney, rows.jokers + kJokers[joker.id].hooks.payout(state, joker));
        }
    }
    for (Tag tag{}; boss && take_tag(state, TagTiming::eval, tag);) {
        rows.tags += kTagEntries[tag.id].dollars;
    }
    rows.interest = interest_on(state, state.money);
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
    if (kDecks[state.deck].boss_tag != tag_none) {
        gain_tag(state, {kDecks[state.deck].boss_tag, 0});
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

}  // namespace

void end_round(State& state) {
    const bool won = state.round.score >= state.round.target;
    const bool boss = is_boss(state.round.blind);
    state.saved_by_bones = 0;
    // No hand is being played any more: nothing is drawn for what jokers do now.
    state.phase = Phase::round_eval;
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
