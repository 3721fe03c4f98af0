#include "play/hand_model.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "catalog/catalog.hpp"
#include "core/snapshot.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/scoring.hpp"
#include "rules/vouchers.hpp"
#include "view/put_back.hpp"

namespace jimbot {

namespace {

constexpr std::uint16_t flags(std::initializer_list<int> types) {
    unsigned mask = 1u << hand_high_card;
    for (const int type : types) {
        mask |= 1u << type;
    }
    return static_cast<std::uint16_t>(mask);
}

// What a hand of each type contains.
constexpr std::uint16_t kContains[hand_types] = {
    flags({hand_flush_five, hand_five_of_a_kind, hand_four_of_a_kind, hand_three_of_a_kind, hand_pair,
           hand_flush}),
    flags({hand_flush_house, hand_full_house, hand_flush, hand_three_of_a_kind, hand_two_pair, hand_pair}),
    flags({hand_five_of_a_kind, hand_four_of_a_kind, hand_three_of_a_kind, hand_pair}),
    flags({hand_straight_flush, hand_straight, hand_flush}),
    flags({hand_four_of_a_kind, hand_three_of_a_kind, hand_pair}),
    flags({hand_full_house, hand_three_of_a_kind, hand_two_pair, hand_pair}),
    flags({hand_flush}),
    flags({hand_straight}),
    flags({hand_three_of_a_kind, hand_pair}),
    flags({hand_two_pair, hand_pair}),
    flags({hand_pair}),
    flags({}),
};

// Whether a joker's effect in the joker stage depends on what is played; others do the same to every hand
// once the cards have scored.
constexpr bool looks_at_the_hand(const JokerTraits& traits) {
    return reads_any(traits.reads, Reads::hand_type | Reads::played_count | Reads::scoring_face);
}

// What building the model needs besides the model.
struct Builder {
    Builder(const State& of, HandModel& to, const JokerTraitsTable& with)
        : scratch(of), state(of), model(to), traits(with) {}

    State scratch;
    const State& state;
    HandModel& model;
    const JokerTraitsTable& traits;
    std::int16_t abilities[kMaxJokers] = {};
    bool some_react_to_jokers = false;
    bool any_played = false;
    bool any_held = false;
    bool hand_matters = false;  // what jokers and consumables do depends on the hand
    int odds = 1;
    std::uint8_t plain[kMaxPlayed] = {};  // cards without effects of their own, to play in the jokers' stage
    int plain_count = 0;
};

void find_abilities(Builder& b) {
    Scoring scoring{b.scratch, Outcomes::mean};
    stages::find_abilities(scoring);
    b.some_react_to_jokers = scoring.some_react_to_jokers;
    HandModel& m = b.model;
    for (int i = 0; i < b.state.joker_count; ++i) {
        const int target = scoring.abilities[i];
        b.abilities[i] = static_cast<std::int16_t>(target);
        if (target < 0) {
            continue;
        }
        const int id = b.state.jokers[target].id;
        const ResolvedTraits& traits = b.traits[static_cast<std::size_t>(id)];
        if (traits.scripted.model != ModelRule::run_hooks) {
            ++m.jokers_with[static_cast<std::size_t>(traits.scripted.model)];
            b.abilities[i] = -1;
            continue;
        }
        const JokerHooks& hooks = kJokers[static_cast<std::size_t>(id)].hooks;
        b.any_played = b.any_played || hooks.played != nullptr || hooks.retrigger != nullptr;
        b.any_held = b.any_held || hooks.held != nullptr;
        b.hand_matters = b.hand_matters || looks_at_the_hand(traits);
    }
    b.hand_matters = b.hand_matters || (any_voucher_with<&VoucherEntry::held_planet_factor>(b.state) &&
                                        b.state.consumable_count > 0);
}

void begin(const Builder& b, Scoring& scoring, ScoreRecord& record) {
    scoring.record = &record;
    scoring.rules = b.model.rules;
    scoring.odds = b.odds;
    std::copy(b.abilities, b.abilities + b.state.joker_count, scoring.abilities);
    scoring.some_react_to_jokers = b.some_react_to_jokers;
}

void model_card(Builder& b, int index) {
    const Card& card = b.state.cards[index];
    ModelCard& out = b.model.cards[index];
    out = {0, 1, 0, 1, 0, 0, 0, 0, 0, false, false};
    if (!is_blank(card)) {
        out.rank = card.rank;
        for (int suit = 0; suit < suit_count; ++suit) {
            out.suits = static_cast<std::uint8_t>(
                out.suits | (flush_suit(card, suit, b.model.rules.smeared) ? 1u << suit : 0u));
        }
    }
    if ((card.flags & (card_debuffed | card_unknown)) != 0) {
        return;
    }
    out.face = b.model.rules.pareidolia || (face_rank(card) && card.enhancement != m_stone);
    out.glass = card.enhancement == m_glass;
    if (only_scores_chips(card) && !b.any_played) {
        out.chips = rank_chips(card.rank) + card.bonus;
    } else {
        Scoring scoring{b.scratch, Outcomes::mean};
        ScoreRecord record;
        begin(b, scoring, record);
        scoring.played[0] = scoring.played[1] = static_cast<std::uint8_t>(index);
        scoring.played_count = 2;
        scoring.hand.scoring = 3;
        scoring.first_face = -1;
        stages::played_card(scoring, 1, stages::played_triggers(scoring, 1));
        b.scratch.cards[index] = card;
        put_back_jokers(b.scratch, b.state);
        out.chips = record.map.chips;
        out.factor = record.map.factor;
        out.mult = record.map.mult;
    }
    if (card.enhancement == m_steel || b.any_held) {
        Scoring scoring{b.scratch, Outcomes::mean};
        ScoreRecord record;
        begin(b, scoring, record);
        b.scratch.hand[0] = static_cast<std::uint8_t>(index);
        b.scratch.hand_count = 1;
        stages::held_card(scoring, 0);
        b.scratch.hand_count = 0;
        put_back_jokers(b.scratch, b.state);
        out.held_factor = record.map.factor;
        out.held_mult = record.map.mult;
        b.model.held_matters = b.model.held_matters || record.op_count > 0;
    }
}

void find_plain_cards(Builder& b) {
    for (const bool strict : {true, false}) {
        for (int i = 0; i < b.state.card_count && b.plain_count < kMaxPlayed; ++i) {
            const Card& card = b.state.cards[i];
            if (!strict ||
                (card.enhancement == m_none && !face_rank(card) && (card.flags & card_debuffed) == 0)) {
                b.plain[b.plain_count++] = static_cast<std::uint8_t>(i);
            }
        }
    }
}

void model_base(const Builder& b, HandType type) {
    ModelStage& out = b.model.stages[type];
    const HandBase base = base_if_played(b.state, type);
    out.base_mult = base.mult;
    out.base_chips = base.chips;
}

void model_stage(Builder& b, HandType type) {
    ModelStage& out = b.model.stages[type];
    State& s = b.scratch;
    Scoring scoring{s, Outcomes::mean};
    ScoreRecord record;
    begin(b, scoring, record);
    scoring.played_count = std::min(kCardsOfType[type], b.plain_count);
    std::copy(b.plain, b.plain + scoring.played_count, scoring.played);
    scoring.hand.type = type;
    scoring.hand.contains = kContains[type];
    scoring.hand.scoring = static_cast<std::uint8_t>((1u << scoring.played_count) - 1);
    ++s.hands[type].played;
    ++s.hands[type].played_this_round;
    scoring.money_before = s.money;
    stages::before(scoring);
    stages::jokers(scoring);
    stages::consumables(scoring);
    out.chips = record.map.chips;
    out.factor = record.map.factor;
    out.mult = record.map.mult;
    // Put back what the stages touch; everything if one of them created something.
    if (s.next_created != b.state.next_created) {
        const Round round = s.round;
        s = b.state;
        s.round = round;
        s.hand_count = 0;
    }
    put_back_jokers(b.scratch, b.state);
    s.hands[type] = b.state.hands[type];
    for (int i = 0; i < scoring.played_count; ++i) {
        s.cards[b.plain[i]] = b.state.cards[b.plain[i]];
    }
}

// A hash of everything besides the deck and the round that decides what cards do.
std::uint64_t card_key(const Builder& b, std::uint64_t deck_key) {
    std::uint64_t hash = deck_key;
    const auto mix = [&](std::uint64_t value) { hash = next_fast(hash) ^ (value * 0x9e3779b97f4a7c15); };
    for (int i = 0; i < b.state.joker_count; ++i) {
        if (b.abilities[i] < 0) {
            continue;
        }
        const Joker& joker = b.state.jokers[b.abilities[i]];
        const ResolvedTraits& traits = b.traits[joker.id];
        if (!traits.acts_on_cards) {
            continue;
        }
        mix(joker.id);
        mix(std::bit_cast<std::uint64_t>(joker.value));
        if (reads_any(traits.reads, Reads::money)) {
            mix(static_cast<std::uint64_t>(b.state.money));
        }
        if (reads_any(traits.reads, Reads::rest_of_run)) {
            mix(state_hash(b.scratch));
        }
    }
    const PokerRules& rules = b.model.rules;
    mix(static_cast<std::uint64_t>(b.odds) << 8 | (rules.smeared ? 1u : 0u) | (rules.pareidolia ? 2u : 0u));
    return next_fast(hash) | 1;
}

void model_cards(Builder& b) {
    HandModel& model = b.model;
    model.held_matters = model.doubles = model.stones = false;
    model.plain_cards = true;
    model.most_chips = model.most_mult = model.most_held_mult = 0;
    model.most_factor = model.most_held_factor = 1;
    model.factors = model.held_factors = 0;
    std::uint8_t suits[kAce + 1] = {};
    for (int i = 0; i < b.state.card_count; ++i) {
        if (b.state.cards[i].place() == CardPlace::discard_pile) {
            continue;
        }
        model_card(b, i);
        const ModelCard& card = model.cards[i];
        model.most_chips = std::max(model.most_chips, card.chips);
        model.most_factor = std::max(model.most_factor, card.factor);
        model.most_mult = std::max(model.most_mult, card.mult);
        model.most_held_factor = std::max(model.most_held_factor, card.held_factor);
        model.most_held_mult = std::max(model.most_held_mult, card.held_mult);
        model.factors += card.factor != 1.0 ? 1 : 0;
        model.held_factors += card.held_factor != 1.0 ? 1 : 0;
        model.stones = model.stones || card.rank == 0;
        model.plain_cards = model.plain_cards && card.factor == 1.0 && card.mult == 0.0;
        model.doubles = model.doubles || (suits[card.rank] & card.suits) != 0;
        suits[card.rank] = static_cast<std::uint8_t>(suits[card.rank] | card.suits);
    }
}

void copy_deck(const DeckModel& from, DeckModel& to, int cards) {
    static_cast<DeckSummary&>(to) = from;
    std::copy(from.cards, from.cards + cards, to.cards);
}

// The deck for a new key, from what is known if it is there.
void model_deck(Builder& b, std::uint64_t key, DeckModels* known) {
    DeckModel& model = b.model;
    DeckModel* slot = key == 0 || known == nullptr ? nullptr : &known->slots[(key >> 1) % DeckModels::kCount];
    if (slot != nullptr && slot->card_key == key) {
        copy_deck(*slot, model, b.state.card_count);
        return;
    }
    model_cards(b);
    model.card_key = key;
    model.order_key = 0;
    if (slot != nullptr) {
        copy_deck(model, *slot, b.state.card_count);
    }
}

// Hands that take two cards of the same rank and suit; five of a rank are such cards too.
bool takes_doubles(int type) {
    return type == hand_flush_five || type == hand_flush_house || type == hand_five_of_a_kind;
}

void model_stages(Builder& b) {
    HandModel& model = b.model;
    const ModelStage* same = nullptr;  // what holds for every hand
    for (int type = 0; type < hand_types; ++type) {
        ModelStage& stage = model.stages[type];
        if (!model.doubles && takes_doubles(type)) {
            stage = {0, 0, 0, 0, 0};
            continue;
        }
        if (same != nullptr) {
            stage = *same;
        } else {
            model_stage(b, static_cast<HandType>(type));
            same = b.hand_matters ? nullptr : &stage;
        }
        model_base(b, static_cast<HandType>(type));
    }
}

// A number cut to one and a half powers of two, so that builds that weigh cards alike weigh them the same.
double roughly(double number) {
    constexpr std::uint64_t kExponentAndHalf = 0xfff8000000000000;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) & kExponentAndHalf);
}

// How cards compare, given what the jokers add to a usual hand.
void rank_cards(Builder& b) {
    HandModel& model = b.model;
    const ModelStage& usual = model.stages[hand_pair];
    const double chips = roughly(usual.base_chips + usual.chips + 20.0);
    const double mult = roughly(usual.base_mult + usual.mult / std::max(1.0, usual.factor));
    std::uint64_t key = 0;
    if (model.card_key != 0) {
        key = model.card_key ^ std::bit_cast<std::uint64_t>(chips);
        key = next_fast(key) ^ std::bit_cast<std::uint64_t>(mult);
        key = next_fast(key) | 1;
        if (key == model.order_key) {
            return;
        }
    }
    model.order_key = key;
    std::uint8_t order[kMaxCards] = {};
    int count = 0;
    for (int i = 0; i < b.state.card_count; ++i) {
        if (b.state.cards[i].place() != CardPlace::discard_pile) {
            ModelCard& card = model.cards[i];
            card.worth = card.chips / chips + card.mult / mult + (card.factor - 1.0) -
                         (card.held_factor - 1.0) - card.held_mult / mult + 0.0001 * card.rank;
            order[count++] = static_cast<std::uint8_t>(i);
        }
    }
    std::sort(order, order + count, [&](std::uint8_t x, std::uint8_t y) {
        const double worth_x = model.cards[x].worth;
        const double worth_y = model.cards[y].worth;
        return worth_x != worth_y ? worth_x > worth_y : x < y;
    });
    for (int i = 0; i < count; ++i) {
        model.cards[order[i]].place = static_cast<std::uint8_t>(i);
    }
}

}  // namespace

void build_hand_model(HandModel& model, const State& state, int hands_after, int discards_left,
                      std::uint64_t deck_key, DeckModels* known, const JokerTraitsTable& traits) {
    Builder b(state, model, traits);
    b.scratch.round.hands_left = static_cast<std::int16_t>(std::max(0, hands_after));
    b.scratch.round.discards_left = static_cast<std::int16_t>(std::max(0, discards_left));
    b.scratch.hand_count = 0;
    model.rules = poker_rules(state);
    model.allowed = allowed_types(state);
    model.hand_size = std::max(1, hand_size(state));
    model.balances_score = kDecks[state.deck].balances_score;
    std::fill(std::begin(model.jokers_with), std::end(model.jokers_with), 0);
    b.odds = odds_factor(state);
    find_abilities(b);
    find_plain_cards(b);
    const std::uint64_t key = deck_key == 0 ? 0 : card_key(b, deck_key);
    if (key == 0 || key != model.card_key) {
        model_deck(b, key, known);
    }
    model_stages(b);
    rank_cards(b);
    bound_types(model);
}

}  // namespace jimbot
