#include "rules/scoring.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "rules/owned.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

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
        Turn turn{state, joker, i, target != i, scoring.moment};
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
    return blind_reads_hand(scoring.state, scoring.hand.type, scoring.played_count);
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
            scoring.some_destroy_cards = scoring.some_destroy_cards || hooks.destroys != nullptr;
        }
    }
}

void read(Scoring& scoring) {
    State& state = scoring.state;
    find_abilities(scoring);
    unsigned rules = 0;
    scoring.odds = 1;
    each_passive(state, [&](const JokerPassive& passive) {
        rules |= passive.rules;
        scoring.odds *= passive.odds_factor;
    });
    scoring.rules = poker_rules(rules);
    scoring.hand = read_hand(state, scoring.played, scoring.played_count, scoring.rules);
    HandStats& stats = state.hands[scoring.hand.type];
    count_up(stats.played);
    count_up(stats.played_this_round);
    stats.visible = 1;
    state.round.last_hand = scoring.hand.type;
}

void read_base(Scoring& scoring) {
    State& state = scoring.state;
    const HandType type = scoring.hand.type;
    const HandBase base = base_under_blind(state, hand_base(type, state.hands[type].level));
    if (active_blind(state).halves_base) {
        state.round.boss_triggered = 1;
    }
    scoring.who = Who::base;
    scoring.index = 0;
    scoring.mult = base.mult;
    scoring.chips = 0;
    scoring.add_chips(base.chips, "base");
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
            each_ability(scoring, [&](const JokerHooks&, Turn& turn) {
                triggers += kJokers[turn.joker.id].passive.held_retriggers;
            });
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
            Turn turn{state, joker, i, target != i, scoring.moment};
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
    const double factor = voucher_max<&VoucherEntry::held_planet_factor>(state, 0.0);
    if (factor == 0) {
        return;
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        if (kConsumables[state.consumables[i].id].hand == scoring.hand.type) {
            scoring.who = Who::consumable;
            scoring.index = i;
            scoring.times_mult(factor, "observatory");
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
            if (is_boss(state.round.blind) && state.round.boss_disabled == 0) {
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

// Whether a joker destroys this scoring card; the first that does so is the last one asked.
bool destroyed_by_joker(Scoring& scoring, const Card& card) {
    bool destroyed = false;
    if (scoring.some_destroy_cards) {
        each_ability(scoring, [&](const JokerHooks& hooks, Turn& turn) {
            destroyed = destroyed || (hooks.destroys != nullptr && hooks.destroys(scoring, turn, card));
        });
    }
    return destroyed;
}

// Jokers and shattering Glass; destroyed cards are announced together by the caller.
void check_destruction(Scoring& scoring) {
    const bool rolled = scoring.rolled;  // shattering decides nothing about the score
    for (int position = 0; position < scoring.played_count; ++position) {
        if (!scoring.scores(position)) {
            continue;
        }
        const Card& card = scoring.card(position);
        const bool glass = card.enhancement == m_glass && (card.flags & card_debuffed) == 0;
        if (destroyed_by_joker(scoring, card) || (glass && scoring.chance(Stream::glass, 4) >= 1.0)) {
            scoring.destroyed = static_cast<std::uint8_t>(scoring.destroyed | (1u << position));
        }
    }
    scoring.rolled = rolled;
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
        if (kDecks[state.deck].balances_score) {
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
