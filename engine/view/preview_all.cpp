#include "view/preview_all.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "view/composer.hpp"
#include "view/preview.hpp"
#include "view/put_back.hpp"

namespace jimbot {

namespace {

// Above this the composed mult of the cards might round where step-by-step scoring would not.
constexpr double kExactBelow = 0x1p30;

// Whether one composed operation gives exactly what the operations give one by one: few of them, with numbers
// that do not round.
bool composes_exactly(const ScoreRecord& record) {
    if (record.op_count > 8) {
        return false;
    }
    for (int i = 0; i < record.op_count; ++i) {
        const double amount = record.ops[i].amount;
        const double grain = record.ops[i].kind == ScoreOp::Kind::factor ? 4.0 : 1.0;
        if (!(std::fabs(amount) < 1024.0) || amount * grain != std::floor(amount * grain)) {
            return false;
        }
    }
    return std::fabs(record.map.factor) < 1024.0 && std::fabs(record.map.mult) < 0x1p20;
}

// Runs the stages before and after the cards once for this play and keeps what they do to the score.
const JokerStage* joker_stage(Composer& c, std::uint32_t mask, int count, const Read& read) {
    if (c.cards_alone) {
        static constexpr JokerStage kNothing{};
        return &kNothing;
    }
    const bool scoring_face = c.faces_matter && (read.scoring & c.faces) != 0;
    const std::uint32_t key = std::uint32_t{read.contains} | (std::uint32_t{read.type} << 12) |
                              (static_cast<std::uint32_t>(c.count_matters ? count : 0) << 16) |
                              (scoring_face ? 1u << 19 : 0u);
    if (c.last_stage != nullptr && c.last_stage->key == key) {
        return c.last_stage;
    }
    for (int i = 0; i < c.stage_count; ++i) {
        if (c.stages[i].key == key) {
            return c.last_stage = &c.stages[i];
        }
    }
    if (c.stage_count == static_cast<int>(std::size(c.stages))) {
        return nullptr;
    }
    Scoring scoring{c.workspace(), Outcomes::worst};
    ScoreRecord record;
    prepare_record(c, scoring, record);
    int kept = 0;
    for (int i = 0; i < c.hand; ++i) {
        const std::uint8_t index = c.state.hand[i];
        if (((mask >> i) & 1) == 0) {
            c.scratch.hand[kept++] = index;
            continue;
        }
        if (((read.scoring >> i) & 1) != 0) {
            scoring.hand.scoring =
                static_cast<std::uint8_t>(scoring.hand.scoring | (1u << scoring.played_count));
        }
        scoring.played[scoring.played_count++] = index;
    }
    c.scratch.hand_count = static_cast<std::uint8_t>(kept);
    scoring.hand.type = read.type;
    scoring.hand.contains = read.contains;
    ++c.scratch.hands[read.type].played;
    ++c.scratch.hands[read.type].played_this_round;
    c.scratch.hands[read.type].visible = 1;
    scoring.money_before = c.scratch.money;
    stages::before(scoring);
    stages::jokers(scoring);
    stages::consumables(scoring);
    put_back_play(c.scratch, c.state);
    --c.scratch.round.hands_left;
    if (record.op_count > kMaxStageOps || record.too_long) {
        return nullptr;
    }
    JokerStage& stage = c.stages[c.stage_count++];
    stage.key = key;
    stage.rolls = scoring.rolled;
    if (composes_exactly(record)) {
        stage.count = 1;
        stage.ops[0] = {record.map.chips, record.map.factor, record.map.mult};
        return &stage;
    }
    stage.count = 0;
    for (int i = 0; i < record.op_count; ++i) {
        const ScoreOp& op = record.ops[i];
        stage.ops[stage.count++] = op.kind == ScoreOp::Kind::chips  ? ComposedMap{op.amount, 1, 0}
                                   : op.kind == ScoreOp::Kind::mult ? ComposedMap{0, 1, op.amount}
                                                                    : ComposedMap{0, op.amount, 0};
    }
    return &stage;
}

// Fills in one play; false if it cannot be composed exactly.
bool compose_play(Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits,
                  PlayPreview& out) {
    const Read read = read_play(c, mask, count, ranks, suits);
    const std::uint32_t rest = c.whole_hand & ~mask;
    out.mask = mask;
    out.type = read.type;
    out.exact = true;
    out.blocked = c.boss_may_block && blind_blocks(c.state, read.type, count);
    if (out.blocked) {
        out.score = 0;
        return true;
    }
    // Many plays score the same cards as the same hand: a High Card with any lower cards beside it, say.
    const auto company = static_cast<std::uint32_t>(c.count_matters ? count : 0);
    const std::uint32_t key = read.scoring | (std::uint32_t{read.contains} << 8) | (company << 20) |
                              (std::uint32_t{read.type} << 23);
    const std::size_t slot = (read.scoring + 51u * company) & 255u;
    if (c.remembers && c.memo_key[slot] == key) {
        out.score = c.memo_score[slot];
        out.exact = !c.memo_rolls[slot] && !(c.held_at_risk && rest != 0);
        return true;
    }
    const JokerStage* stage = joker_stage(c, mask, count, read);
    if (stage == nullptr) {
        return false;
    }
    double chips = c.base_chips[read.type];
    double mult = c.base_mult[read.type];
    bool rolls = stage->rolls;
    int variant = c.first_card_matters ? 1 : 0;
    const int first_face = c.first_face_matters ? std::countr_zero(read.scoring & c.faces) : 32;
    for (std::uint32_t left = read.scoring; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        if (((c.debuffed >> i) & 1) == 0) {
            const int which = variant | (i == first_face ? 2 : 0);
            const ComposedMap& map = c.played[i][which];
            chips += map.chips;
            mult = mult * map.factor + map.mult;
            rolls = rolls || c.rolls[i][which];
        }
        variant = 0;
    }
    for (std::uint32_t left = rest & c.held_active; left != 0; left &= left - 1) {
        const ComposedMap& map = c.held[std::countr_zero(left)];
        chips += map.chips;
        mult = mult * map.factor + map.mult;
    }
    rolls = rolls || (rest & c.held_rolls) != 0;
    if (mult > kExactBelow || chips > kExactBelow) {
        return false;
    }
    for (int i = 0; i < stage->count; ++i) {
        const ComposedMap& op = stage->ops[i];
        chips += op.chips;
        mult = mult * op.factor + op.mult;
    }
    if (kDecks[c.state.deck].balances_score) {
        chips = mult = std::floor((chips + mult) / 2.0);
    }
    out.score = final_score(chips, mult);
    out.exact = !rolls && !(c.held_at_risk && rest != 0);
    if (c.remembers) {
        c.memo_key[slot] = key;
        c.memo_score[slot] = out.score;
        c.memo_rolls[slot] = rolls;
    }
    return true;
}

// Works out what each card scores alone. A High Card scores its highest card and nothing else, so most plays
// have one of these scores; not if held cards, the number of cards or the boss have a say.
void set_up_high_cards(Composer& c) {
    if (!hand_decides(c)) {
        return;
    }
    for (int i = 0; i < c.hand; ++i) {
        if (!compose_play(c, std::uint32_t{1} << i, 1, c.rank_unit[i], c.suit_unit[i], c.high_card[i])) {
            return;
        }
    }
    c.knows_high_cards = true;
}

// Whether five cards of different ranks are neither a flush nor a straight; fewer never are.
bool is_high_card(int size, std::uint64_t ranks, std::uint32_t suits) {
    constexpr std::uint64_t kMoreThanOne = 0xeeeeeeeeeeeee;
    return (ranks & kMoreThanOne) == 0 &&
           (size < kMaxPlayed || !(five_of_a_suit(suits) || five_in_a_row(ranks)));
}

// Every play that starts with the cards of `mask`. Cards are added to the right, and the sums with them.
void compose_plays(Composer& c, int first, std::uint32_t mask, int size, std::uint64_t ranks,
                   std::uint32_t suits, PlayPreview* out, int& count) {
    for (int i = first; i < c.hand; ++i) {
        const std::uint32_t play = mask | (std::uint32_t{1} << i);
        const std::uint64_t play_ranks = ranks + c.rank_unit[i];
        const std::uint32_t play_suits = suits + c.suit_unit[i];
        if ((play & c.forced) == c.forced) {
            PlayPreview& entry = out[count++];
            if (c.knows_high_cards && is_high_card(size + 1, play_ranks, play_suits)) {
                entry = c.high_card[std::countr_zero(c.by_rank[highest_rank(play_ranks)] & play)];
                entry.mask = play;
            } else if (!compose_play(c, play, size + 1, play_ranks, play_suits, entry)) {
                entry = preview_one(c.state, play);
            }
        }
        if (size + 1 < kMaxPlayed) {
            compose_plays(c, i + 1, play, size + 1, play_ranks, play_suits, out, count);
        }
    }
}

// Whether all cards of the mask score, those that have to be played aside.
bool all_score(const State& state, const PokerRules& rules, std::uint32_t mask, std::uint32_t forced) {
    std::uint8_t indices[kMaxPlayed] = {};
    unsigned optional = 0;
    int count = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const int position = std::countr_zero(left);
        optional |= ((forced >> position) & 1) == 0 ? 1u << count : 0;
        indices[count++] = state.hand[position];
    }
    return (optional & ~unsigned{read_hand(state, indices, count, rules).scoring}) == 0;
}

template <class Preview>
int preview_with(const State& state, PlayPreview* out, const JokerTraitsTable& traits, Preview&& each) {
    if (state.hand_count > kMaxComposedHand || state.challenge_rules != 0 || hides_something(state)) {
        return each();
    }
    Composer c(state, traits);
    return set_up_composer(c) ? preview_composed(c, out) : each();
}

}  // namespace

PlayPreview preview_one(const State& state, std::uint32_t mask) {
    const Preview preview = preview_play(state, mask);
    return {preview.worst, mask, preview.hand.type, preview.blocked, preview.exact};
}

int preview_each(const State& state, PlayPreview* out, PlaysWanted wanted) {
    const std::uint32_t forced = forced_positions(state);
    const bool hidden = hides_something(state);
    const PokerRules rules = poker_rules(state);
    Rehearsal rehearsal(state);
    int count = 0;
    legal::each_subset(state.hand_count, 1, kMaxPlayed, [&](std::uint32_t mask) {
        if ((mask & forced) == forced &&
            (wanted == PlaysWanted::all || all_score(state, rules, mask, forced))) {
            const Scoring& scoring = rehearsal.score(mask, Outcomes::worst);
            const bool exact =
                !scoring.rolled && !hidden && !blind_interferes(state, rehearsal.after().hand_count > 0);
            out[count++] = {scoring.score, mask, scoring.hand.type, scoring.blocked, exact};
        }
    });
    return count;
}

int preview_all(const State& state, PlayPreview* out, const JokerTraitsTable& traits) {
    return preview_with(state, out, traits, [&] { return preview_each(state, out); });
}

int preview_most(const State& state, PlayPreview* out) {
    return preview_with(state, out, kJokerTraits, [&] {
        const int count = preview_each(state, out, PlaysWanted::scoring);
        return count > 0 ? count : preview_each(state, out);
    });
}

PlayPreview preview_composed(Composer& c, std::uint32_t mask) {
    std::uint64_t ranks = 0;
    std::uint32_t suits = 0;
    int size = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        ranks += c.rank_unit[std::countr_zero(left)];
        suits += c.suit_unit[std::countr_zero(left)];
        ++size;
    }
    PlayPreview play{};
    if (!compose_play(c, mask, size, ranks, suits, play)) {
        play = preview_one(c.state, mask);
    }
    return play;
}

int preview_composed(Composer& c, PlayPreview* out) {
    if (c.hand <= 8 && c.held_active == 0 && c.held_rolls == 0) {
        c.remembers = true;
        std::fill(std::begin(c.memo_key), std::end(c.memo_key), 0u);
    }
    set_up_high_cards(c);
    int count = 0;
    compose_plays(c, 0, 0, 0, 0, 0, out, count);
    return count;
}

}  // namespace jimbot
