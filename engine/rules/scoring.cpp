#include "rules/scoring.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

void record_op(ScoreRecord& record, ScoreOp op) {
    switch (op.kind) {
    case ScoreOp::Kind::chips:
        record.map.chips += op.amount;
        break;
    case ScoreOp::Kind::mult:
        record.map.mult += op.amount;
        break;
    case ScoreOp::Kind::factor:
        record.map.factor *= op.amount;
        record.map.mult *= op.amount;
        break;
    }
    if (record.op_count < kMaxScoreOps) {
        record.ops[record.op_count++] = op;
    } else {
        record.too_long = true;
    }
}

}  // namespace

double final_score(double chips, double mult) {
    const double product = std::floor(chips * mult);
    return product == product ? product : 0.0;
}

bool Scoring::is_face(const Card& card) const {
    return (card.flags & (card_debuffed | card_unknown)) == 0 &&
           (rules.pareidolia || (face_rank(card) && card.enhancement != m_stone));
}

bool Scoring::is_suit(const Card& card, int suit) const { return counts_as_suit(card, suit, rules.smeared); }

double Scoring::chance(Stream stream, int one_in) {
    const double probability = static_cast<double>(odds) / static_cast<double>(one_in);
    luck_asked = true;
    switch (luck) {
    case Luck::streams:
        return draw(state.streams, stream, state.ante).real() < probability ? 1.0 : 0.0;
    case Luck::worst:
        return probability >= 1.0 ? 1.0 : 0.0;
    case Luck::best:
        return 1.0;
    case Luck::mean:
        break;
    }
    return std::min(1.0, probability);
}

void Scoring::add_chips(double amount, const char* what) {
    if (record != nullptr) {
        record_op(*record, {ScoreOp::Kind::chips, amount});
        return;
    }
    chips += amount;
    if (has_rule(state, rule_chips_capped_by_money)) {
        chips = std::min(chips, static_cast<double>(std::max(0, state.money)));
    }
    if (trace != nullptr) {
        trace->push_back({who, index, what, amount, chips, mult});
    }
}

void Scoring::add_mult(double amount, const char* what) {
    if (record != nullptr) {
        record_op(*record, {ScoreOp::Kind::mult, amount});
        return;
    }
    mult += amount;
    if (trace != nullptr) {
        trace->push_back({who, index, what, amount, chips, mult});
    }
}

void Scoring::times_mult(double factor, const char* what) {
    if (record != nullptr) {
        record_op(*record, {ScoreOp::Kind::factor, factor});
        return;
    }
    mult *= factor;
    if (trace != nullptr) {
        trace->push_back({who, index, what, factor, chips, mult});
    }
}

void Scoring::pay(int dollars) {
    earn(state, dollars);
    if (record != nullptr) {
        record->paid = true;
        return;
    }
    if (trace != nullptr) {
        trace->push_back({who, index, "money", static_cast<double>(dollars), chips, mult});
    }
}

namespace {

using Who = ScoreStep::Who;

// Calls `visit(hooks, turn)` for every joker that has an ability now, left to right.
template <typename Visit> void each_ability(Scoring& scoring, Visit visit) {
    State& state = scoring.state;
    for (int i = 0; i < state.joker_count; ++i) {
        const int target = scoring.abilities[i];
        if (target < 0) {
            continue;
        }
        Joker& joker = state.jokers[target];
        Turn turn{state, joker, i, target != i, scoring.doomed, scoring.reserved};
        scoring.who = Who::joker;
        scoring.index = i;
        visit(kJokers[joker.id].hooks, turn);
    }
}

void trigger_card_itself(Scoring& scoring, Card& card) {
    const bool stone = card.enhancement == m_stone;
    double chips = stone ? 50.0 : rank_chips(card.rank);
    chips += card.bonus + (card.enhancement == m_bonus ? 30.0 : 0.0);
    scoring.add_chips(chips);
    scoring.lucky_weight = 0;
    if (card.enhancement == m_mult) {
        scoring.add_mult(4.0);
    } else if (card.enhancement == m_lucky) {
        const double mult_hit = scoring.chance(Stream::lucky_mult, 5);
        if (mult_hit > 0) {
            scoring.add_mult(20.0 * mult_hit, "lucky");
        }
        const double money_hit = scoring.chance(Stream::lucky_money, 15);
        if (money_hit >= 1.0) {
            scoring.pay(20);
        }
        scoring.lucky_weight = mult_hit + money_hit - mult_hit * money_hit;
    }
    if (card.seal == s_gold) {
        scoring.pay(3);
    }
    if (card.enhancement == m_glass) {
        scoring.times_mult(2.0, "glass");
    }
    switch (card.edition) {
    case e_foil:
        scoring.add_chips(50.0, "foil");
        break;
    case e_holo:
        scoring.add_mult(10.0, "holo");
        break;
    case e_polychrome:
        scoring.times_mult(1.5, "polychrome");
        break;
    default:
        break;
    }
}

}  // namespace

namespace stages {

bool blind_blocks(Scoring& scoring) {
    State& state = scoring.state;
    Round& round = state.round;
    const HandType type = scoring.hand.type;
    round.boss_triggered = 0;
    if (round.boss_disabled != 0) {
        return false;
    }
    bool blocked = false;
    switch (round.blind) {
    case bl_psychic:
        blocked = scoring.played_count < 5;
        break;
    case bl_eye:
        blocked = ((round.hand_types_seen >> type) & 1) != 0;
        round.hand_types_seen = static_cast<std::uint16_t>(round.hand_types_seen | (1u << type));
        break;
    case bl_mouth:
        blocked = round.only_hand != hand_types && round.only_hand != type;
        if (!blocked) {
            round.only_hand = type;
        }
        break;
    case bl_arm:
        if (state.hands[type].level > 1) {
            round.boss_triggered = 1;
            level_up(state, type, -1);
        }
        break;
    case bl_ox:
        if (type == state.ox_hand) {
            round.boss_triggered = 1;
            state.money = 0;
        }
        break;
    default:
        break;
    }
    if (blocked) {
        round.boss_triggered = 1;
    }
    return blocked;
}

void before(Scoring& scoring) {
    each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.before != nullptr) {
            hooks.before(scoring, turn);
        }
    });
}

void find_first_face(Scoring& scoring) {
    scoring.first_face = -1;
    for (int position = 0; position < scoring.played_count && scoring.first_face < 0; ++position) {
        if (scoring.scores(position) && scoring.is_face(scoring.card(position))) {
            scoring.first_face = position;
        }
    }
}

void find_abilities(Scoring& scoring) {
    const State& state = scoring.state;
    for (int i = 0; i < state.joker_count; ++i) {
        const int target = ability_of(state, i);
        scoring.abilities[i] = static_cast<std::int16_t>(target);
        if (target >= 0) {
            const JokerHooks& hooks = kJokers[state.jokers[target].id].hooks;
            scoring.some_react_to_jokers = scoring.some_react_to_jokers || hooks.other != nullptr;
            scoring.some_react_to_held = scoring.some_react_to_held || hooks.held != nullptr;
            scoring.some_react_to_played =
                scoring.some_react_to_played || hooks.played != nullptr || hooks.retrigger != nullptr;
        }
    }
}

void read(Scoring& scoring) {
    State& state = scoring.state;
    find_abilities(scoring);
    scoring.rules = poker_rules(state);
    scoring.odds = odds_factor(state);
    scoring.hand = read_hand(state, scoring.played, scoring.played_count, scoring.rules);
    HandStats& stats = state.hands[scoring.hand.type];
    count_up(stats.played);
    count_up(stats.played_this_round);
    stats.visible = 1;
    state.round.last_hand = scoring.hand.type;
}

void read_base(Scoring& scoring) {
    State& state = scoring.state;
    const PokerHandEntry& entry = kPokerHands[scoring.hand.type];
    const double steps = static_cast<double>(state.hands[scoring.hand.type].level - 1);
    scoring.mult = std::max(1.0, entry.mult + steps * entry.level_mult);
    scoring.who = Who::base;
    scoring.index = 0;
    scoring.chips = 0;
    double base = std::max(0.0, entry.chips + steps * entry.level_chips);
    if (boss_active(state, bl_flint)) {
        state.round.boss_triggered = 1;
        scoring.mult = std::max(1.0, std::floor(scoring.mult * 0.5 + 0.5));
        base = std::max(0.0, std::floor(base * 0.5 + 0.5));
    }
    scoring.add_chips(base, "base");
}

int played_triggers(Scoring& scoring, int position) {
    const Card& card = scoring.card(position);
    int triggers = 1 + (card.seal == s_red ? 1 : 0);
    each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.retrigger != nullptr) {
            triggers += hooks.retrigger(scoring, turn.joker, card, position);
        }
    });
    return triggers;
}

void played_card(Scoring& scoring, int position, int triggers) {
    Card& card = scoring.card(position);
    for (int i = 0; i < triggers; ++i) {
        scoring.who = Who::played_card;
        scoring.index = position;
        trigger_card_itself(scoring, card);
        each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
            if (hooks.played != nullptr) {
                hooks.played(scoring, turn, card, position);
            }
        });
    }
}

void held_card(Scoring& scoring, int position) {
    State& state = scoring.state;
    Card& card = state.cards[state.hand[position]];
    if ((card.flags & (card_debuffed | card_unknown)) != 0) {
        return;
    }
    int triggers = 1;
    for (int i = 0; i < triggers; ++i) {
        bool effect = false;
        if (card.enhancement == m_steel) {
            scoring.who = Who::held_card;
            scoring.index = position;
            scoring.times_mult(1.5, "steel");
            effect = true;
        }
        each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
            if (hooks.held != nullptr && hooks.held(scoring, turn, card, position)) {
                effect = true;
            }
        });
        if (i == 0 && effect) {
            triggers += card.seal == s_red ? 1 : 0;
            each_ability(scoring,
                         [&](const JokerHooks&, Turn& turn) { triggers += turn.joker.id == j_mime ? 1 : 0; });
        }
    }
}

void jokers(Scoring& scoring) {
    State& state = scoring.state;
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& self = state.jokers[i];
        const bool active = !self.debuffed();
        scoring.who = Who::joker;
        scoring.index = i;
        if (active && self.edition == e_foil) {
            scoring.add_chips(50.0, "foil");
        } else if (active && self.edition == e_holo) {
            scoring.add_mult(10.0, "holo");
        }
        const int target = scoring.abilities[i];
        if (target >= 0) {
            Joker& joker = state.jokers[target];
            Turn turn{state, joker, i, target != i, scoring.doomed, scoring.reserved};
            if (kJokers[joker.id].hooks.main != nullptr) {
                kJokers[joker.id].hooks.main(scoring, turn);
            }
        }
        if (scoring.some_react_to_jokers) {
            each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
                if (hooks.other != nullptr) {
                    hooks.other(scoring, turn, self);
                }
            });
        }
        if (active && self.edition == e_polychrome) {
            scoring.who = Who::joker;
            scoring.index = i;
            scoring.times_mult(1.5, "polychrome");
        }
    }
}

void consumables(Scoring& scoring) {
    State& state = scoring.state;
    if (!redeemed(state, v_observatory)) {
        return;
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        if (kConsumables[state.consumables[i].id].hand == scoring.hand.type) {
            scoring.who = Who::consumable;
            scoring.index = i;
            scoring.times_mult(1.5, "observatory");
        }
    }
}

}  // namespace stages

namespace {

void score_played_cards(Scoring& scoring) {
    State& state = scoring.state;
    for (int position = 0; position < scoring.played_count; ++position) {
        if (!scoring.scores(position)) {
            continue;
        }
        if ((scoring.card(position).flags & card_debuffed) != 0) {
            if (state.round.blind > bl_big && state.round.boss_disabled == 0) {
                state.round.boss_triggered = 1;
            }
            continue;
        }
        stages::played_card(scoring, position, stages::played_triggers(scoring, position));
    }
}

void balance(Scoring& scoring) {
    scoring.who = Who::deck;
    scoring.index = 0;
    const double both = std::floor((scoring.chips + scoring.mult) / 2.0);
    scoring.mult = both;
    scoring.chips = 0;
    scoring.add_chips(both, "balanced");
}

// Sixth Sense and shattering Glass; destroyed cards are announced together by the caller.
void check_destruction(Scoring& scoring) {
    State& state = scoring.state;
    const bool luck_asked = scoring.luck_asked;  // shattering decides nothing about the score
    for (int position = 0; position < scoring.played_count; ++position) {
        if (!scoring.scores(position)) {
            continue;
        }
        const Card& card = scoring.card(position);
        const bool lone_six = scoring.played_count == 1 && state.round.hands_played == 0 && card.rank == 6 &&
                              card.enhancement != m_stone;
        if (lone_six && owns_active_joker(state, j_sixth_sense)) {
            scoring.destroyed = static_cast<std::uint8_t>(scoring.destroyed | (1u << position));
            create_consumable(state, Pool::spectral, Stream::spectral_sixth_sense);
        } else if (card.enhancement == m_glass && (card.flags & card_debuffed) == 0 &&
                   scoring.chance(Stream::glass, 4) >= 1.0) {
            scoring.destroyed = static_cast<std::uint8_t>(scoring.destroyed | (1u << position));
        }
    }
    scoring.luck_asked = luck_asked;
}

}  // namespace

void score_hand(Scoring& scoring) {
    State& state = scoring.state;
    stages::read(scoring);
    scoring.blocked = stages::blind_blocks(scoring);
    scoring.money_before = state.money;
    if (scoring.blocked) {
        each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
            if (hooks.blocked != nullptr) {
                hooks.blocked(scoring, turn);
            }
        });
    } else {
        stages::before(scoring);
        stages::find_first_face(scoring);
        stages::read_base(scoring);
        score_played_cards(scoring);
        for (int position = 0; position < state.hand_count; ++position) {
            if (scoring.some_react_to_held || state.cards[state.hand[position]].enhancement == m_steel) {
                stages::held_card(scoring, position);
            }
        }
        stages::jokers(scoring);
        stages::consumables(scoring);
        if (state.deck == b_plasma) {
            balance(scoring);
        }
        check_destruction(scoring);
        scoring.score = final_score(scoring.chips, scoring.mult);
    }
    each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.after != nullptr) {
            hooks.after(scoring, turn);
        }
    });
    if (has_rule(state, rule_scored_cards_debuffed)) {
        for (int position = 0; position < scoring.played_count; ++position) {
            if (scoring.scores(position)) {
                Card& card = scoring.card(position);
                card.flags = static_cast<std::uint8_t>(card.flags | card_debuffed | card_debuffed_for_good);
            }
        }
    }
}

}  // namespace jimbot
