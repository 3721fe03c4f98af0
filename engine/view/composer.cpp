#include "view/composer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/vouchers.hpp"
#include "view/preview.hpp"

namespace jimbot {

void prepare_record(const Composer& c, Scoring& scoring, ScoreRecord& record) {
    scoring.record = &record;
    scoring.rules = c.rules;
    scoring.odds = c.odds;
    std::copy(c.abilities, c.abilities + c.state.joker_count, scoring.abilities);
    scoring.some_react_to_jokers = c.some_react_to_jokers;
    scoring.some_react_to_held = c.some_react_to_held;
    scoring.some_react_to_played = c.some_react_to_played;
}

namespace {

// Whether a joker's effect is a sum over cards and a function of the hand's type, number of cards and scoring
// faces. Runs that own another joker are previewed play by play.
bool composes(const State& state, const ResolvedTraits& traits) {
    if (traits.idle != nullptr && traits.idle(state)) {
        return true;
    }
    if (reads_any(traits.reads, Reads::rest_of_play)) {
        return false;
    }
    // What bosses take, and what Matador is paid for them, depends on the play.
    return !reads_any(traits.reads, Reads::money) || !is_boss(state.round.blind);
}

bool set_up_jokers(Composer& c) {
    if (c.state.joker_count == 0) {
        c.cards_alone =
            c.state.consumable_count == 0 || !any_voucher_with<&VoucherEntry::held_planet_factor>(c.state);
        return true;
    }
    Scoring scoring{c.workspace(), Outcomes::worst};
    stages::find_abilities(scoring);
    std::copy(scoring.abilities, scoring.abilities + c.state.joker_count, c.abilities);
    c.some_react_to_jokers = scoring.some_react_to_jokers;
    c.some_react_to_held = scoring.some_react_to_held;
    c.some_react_to_played = scoring.some_react_to_played;
    for (int i = 0; i < c.state.joker_count; ++i) {
        if (c.abilities[i] < 0) {
            continue;
        }
        const ResolvedTraits& traits = c.traits[c.state.jokers[c.abilities[i]].id];
        if (!composes(c.state, traits)) {
            return false;
        }
        const auto reads = [&](Reads some) { return reads_any(traits.reads, some); };
        c.first_card_matters = c.first_card_matters || reads(Reads::first_card);
        c.first_face_matters = c.first_face_matters || reads(Reads::first_face);
        c.count_matters = c.count_matters || reads(Reads::played_count);
        c.faces_matter = c.faces_matter || reads(Reads::scoring_face);
        c.money_matters = c.money_matters || reads(Reads::money);
    }
    return true;
}

void set_up_base(Composer& c) {
    for (int type = 0; type < hand_types; ++type) {
        const HandBase base = base_if_played(c.state, static_cast<HandType>(type));
        c.base_mult[type] = base.mult;
        c.base_chips[type] = base.chips;
    }
}

// Starts a new recording on a prepared scoring.
void restart(Scoring& scoring, ScoreRecord& record) {
    scoring.rolled = false;
    record.map = {};
    record.op_count = 0;
    record.paid = false;
    record.too_long = false;
}

ComposedMap composed(const ScoreMap& map) { return {map.chips, map.factor, map.mult}; }

// Records what a card does when it scores, by variant; false if that depends on more than the card.
bool record_played(Composer& c, Scoring& scoring, ScoreRecord& record, int position) {
    for (int variant = 0; variant < 4; ++variant) {
        const int possible = (c.first_card_matters ? 1 : 0) | (c.first_face_matters ? 2 : 0);
        if ((variant & ~possible) != 0) {
            const int same = variant & possible;
            c.played[position][variant] = c.played[position][same];
            c.rolls[position][variant] = c.rolls[position][same];
            continue;
        }
        restart(scoring, record);
        const int at = (variant & 1) != 0 ? 0 : 1;  // behind another scoring card, or the first
        scoring.played[0] = scoring.played[1] = c.state.hand[position];
        scoring.played_count = at + 1;
        scoring.hand.scoring = static_cast<std::uint8_t>(at == 0 ? 1 : 3);
        scoring.first_face = (variant & 2) != 0 ? at : -1;
        stages::played_card(scoring, at, stages::played_triggers(scoring, at));
        if (record.paid) {
            c.scratch.money = c.state.money;
            if (c.money_matters) {
                return false;
            }
        }
        c.played[position][variant] = composed(record.map);
        c.rolls[position][variant] = scoring.rolled;
    }
    return true;
}

void record_held(Composer& c, Scoring& scoring, ScoreRecord& record, int position) {
    const Card& card = c.state.cards[c.state.hand[position]];
    if (card.enhancement != m_steel && !c.some_react_to_held) {
        return;
    }
    restart(scoring, record);
    scoring.played_count = 0;
    scoring.hand.scoring = 0;
    scoring.first_face = -1;
    stages::held_card(scoring, position);
    c.scratch.money = c.state.money;
    c.held[position] = composed(record.map);
    if (record.op_count > 0) {
        c.held_active |= std::uint32_t{1} << position;
    }
    if (scoring.rolled) {
        c.held_rolls |= std::uint32_t{1} << position;
    }
}

// Records what the cards do that do more than score their chips; false if one depends on more than the card.
bool record_cards(Composer& c, std::uint32_t special) {
    Scoring scoring{c.workspace(), Outcomes::worst};
    ScoreRecord record;
    prepare_record(c, scoring, record);
    for (std::uint32_t left = special; left != 0; left &= left - 1) {
        const int position = std::countr_zero(left);
        if (!record_played(c, scoring, record, position)) {
            return false;
        }
        record_held(c, scoring, record, position);
    }
    return true;
}

bool set_up_cards(Composer& c) {
    c.forced = forced_positions(c.state);
    std::uint32_t special = 0;
    for (int i = 0; i < c.hand; ++i) {
        const Card& card = c.state.cards[c.state.hand[i]];
        const std::uint32_t bit_here = std::uint32_t{1} << i;
        if (card.enhancement == m_stone) {
            c.stones |= bit_here;
        } else {
            c.by_rank[card.rank] |= bit_here;
            c.rank_unit[i] = rank_unit(card.rank);
            for (int suit = 0; suit < suit_count; ++suit) {
                c.suit_unit[i] += flush_suit(card, suit, c.rules.smeared) ? suit_unit(suit) : 0;
            }
        }
        if ((card.flags & card_debuffed) != 0) {
            c.debuffed |= bit_here;
            continue;
        }
        if (c.rules.pareidolia || (face_rank(card) && card.enhancement != m_stone)) {
            c.faces |= bit_here;
        }
        if (!only_scores_chips(card) || c.some_react_to_played || c.some_react_to_held) {
            special |= bit_here;
            continue;
        }
        for (int variant = 0; variant < 4; ++variant) {
            c.played[i][variant] = {static_cast<double>(rank_chips(card.rank) + card.bonus), 1, 0};
            c.rolls[i][variant] = false;
        }
    }
    return (special == 0 || record_cards(c, special)) && !(c.money_matters && c.held_rolls != 0);
}

}  // namespace

bool set_up_composer(Composer& c) {
    c.rules = poker_rules(c.state);
    c.odds = odds_factor(c.state);
    c.hand = c.state.hand_count;
    c.whole_hand = (std::uint32_t{1} << c.hand) - 1;
    if (blind_interferes(c.state, false) || !set_up_jokers(c) || !set_up_cards(c)) {
        return false;
    }
    set_up_base(c);
    c.held_at_risk = blind_interferes(c.state, true);
    c.boss_may_block = active_blind(c.state).hooks.blocks != nullptr;
    return true;
}

bool hand_decides(const Composer& c) {
    const PokerRules& rules = c.rules;
    return c.stones == 0 && c.held_active == 0 && c.held_rolls == 0 && !c.count_matters &&
           !c.boss_may_block && !c.held_at_risk && !rules.four_fingers && !rules.shortcut && !rules.splash;
}

Read read_play(const Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits) {
    if (!c.rules.four_fingers && !c.rules.shortcut) {
        const bool five = count == kMaxPlayed;
        const PackedHand hand{ranks, five && (c.stones & mask) == 0, five && five_of_a_suit(suits)};
        Read read = read_packed(hand, mask, [&](unsigned rank) { return c.by_rank[rank] & mask; });
        read.scoring = c.rules.splash ? mask : read.scoring | (c.stones & mask);
        return read;
    }
    std::uint8_t indices[kMaxPlayed] = {};
    int positions[kMaxPlayed];
    int n = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        positions[n] = std::countr_zero(left);
        indices[n] = c.state.hand[positions[n]];
        ++n;
    }
    const PokerHand hand = read_hand(c.state, indices, n, c.rules);
    Read read{hand.type, hand.contains, 0};
    for (int i = 0; i < n; ++i) {
        read.scoring |= ((hand.scoring >> i) & 1) != 0 ? std::uint32_t{1} << positions[i] : 0;
    }
    return read;
}

}  // namespace jimbot
