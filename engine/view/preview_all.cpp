#include "view/preview_all.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/scoring.hpp"
#include "view/preview.hpp"

namespace jimbot {

namespace {

constexpr int kMaxComposedHand = 14;
constexpr int kMaxStageOps = 32;
// Above this the composed mult of the cards might round where step-by-step scoring would not.
constexpr double kExactBelow = 0x1p30;

// Jokers whose effect on the score is not a sum over cards and a function of the hand's type and size. Runs
// that own one are previewed play by play.
bool composes(const State& state, int id, int odds) {
    switch (id) {
    case j_hiker:
    case j_wee:
    case j_lucky_cat:
    case j_vampire:
    case j_midas_mask:
    case j_raised_fist:
    case j_flower_pot:
    case j_seeing_double:
    case j_blackboard:
        return false;
    case j_dna:
        return state.round.hands_played > 0;
    case j_space:
    case j_8_ball:
        return odds == 1;
    case j_bull:
    case j_bootstraps:  // what bosses take, and what Matador is paid, depends on the play
        return state.round.blind <= bl_big;
    default:
        return true;
    }
}

// The joker stage for all plays that look alike to it.
struct JokerStage {
    std::uint32_t key;
    bool luck;
    int count;
    struct Op {  // as ScoreMap, but left uninitialised: most are never written
        double chips;
        double factor;
        double mult;
    } ops[kMaxStageOps];
};

struct Composer {
    State scratch;  // for hooks to run on; restored after use
    const State& state;
    PokerRules rules{};
    int odds = 1;
    int hand = 0;
    bool chad = false;        // the first scoring card is special
    bool photograph = false;  // the first scoring face is special
    bool money_matters = false;
    std::uint32_t forced = 0;
    std::int16_t abilities[kMaxJokers] = {};
    bool some_react_to_jokers = false;
    bool any_held_hook = false;

    ScoreMap played[kMaxComposedHand]
                   [4];  // by card and variant: 1 = first scoring card, 2 = first scoring face
    bool luck[kMaxComposedHand][4] = {};
    ScoreMap held[kMaxComposedHand];
    std::uint32_t held_active = 0;
    std::uint32_t held_luck = 0;
    std::uint32_t debuffed = 0;
    std::uint32_t faces = 0;
    std::uint32_t stones = 0;
    std::uint32_t by_rank[kAce + 1] = {};
    std::uint64_t rank_unit[kMaxComposedHand] = {};  // a nibble per rank
    std::uint32_t suit_unit[kMaxComposedHand] = {};  // a byte per suit
    double base_chips[hand_types] = {};
    double base_mult[hand_types] = {};

    JokerStage stages[16];
    int stage_count = 0;
    const JokerStage* last_stage = nullptr;

    // Scores already worked out, by what they depend on when no held card has an effect.
    bool remembers = false;
    bool boss_may_block = false;
    bool hook = false;
    std::uint32_t memo_key[256] = {};
    double memo_score[256];
    bool memo_luck[256];

    explicit Composer(const State& s) : scratch(s), state(s) { --scratch.round.hands_left; }
};

bool set_up_jokers(Composer& c) {
    Scoring scoring{c.scratch, Luck::worst};
    stages::find_abilities(scoring);
    std::copy(scoring.abilities, scoring.abilities + c.state.joker_count, c.abilities);
    c.some_react_to_jokers = scoring.some_react_to_jokers;
    for (int i = 0; i < c.state.joker_count; ++i) {
        if (c.abilities[i] < 0) {
            continue;
        }
        const int id = c.state.jokers[c.abilities[i]].id;
        if (!composes(c.state, id, c.odds)) {
            return false;
        }
        c.chad = c.chad || id == j_hanging_chad;
        c.photograph = c.photograph || id == j_photograph;
        c.money_matters = c.money_matters || id == j_bull || id == j_bootstraps;
        c.any_held_hook = c.any_held_hook || kJokers[static_cast<std::size_t>(id)].hooks.held != nullptr;
    }
    return true;
}

void set_up_base(Composer& c) {
    for (int type = 0; type < hand_types; ++type) {
        const PokerHandEntry& entry = kPokerHands[static_cast<std::size_t>(type)];
        int level = c.state.hands[type].level;
        if (boss_active(c.state, bl_arm) && level > 1) {
            --level;
        }
        const double steps = static_cast<double>(level - 1);
        double mult = std::max(1.0, entry.mult + steps * entry.level_mult);
        double chips = std::max(0.0, entry.chips + steps * entry.level_chips);
        if (boss_active(c.state, bl_flint)) {
            mult = std::max(1.0, std::floor(mult * 0.5 + 0.5));
            chips = std::max(0.0, std::floor(chips * 0.5 + 0.5));
        }
        c.base_mult[type] = mult;
        c.base_chips[type] = chips;
    }
}

void begin_record(const Composer& c, Scoring& scoring, ScoreRecord& record) {
    scoring.record = &record;
    scoring.rules = c.rules;
    scoring.odds = c.odds;
    std::copy(c.abilities, c.abilities + c.state.joker_count, scoring.abilities);
    scoring.some_react_to_jokers = c.some_react_to_jokers;
}

// Records what a card does when it scores, for each variant that can occur; false if that depends on more
// than the card.
bool record_played(Composer& c, int position) {
    for (int variant = 0; variant < 4; ++variant) {
        if (((variant & 1) != 0 && !c.chad) || ((variant & 2) != 0 && !c.photograph)) {
            c.played[position][variant] = c.played[position][variant & (c.chad ? 1 : 0)];
            c.luck[position][variant] = c.luck[position][variant & (c.chad ? 1 : 0)];
            if (((variant & 2) != 0 && c.photograph)) {
                c.played[position][variant] = c.played[position][2];
                c.luck[position][variant] = c.luck[position][2];
            }
            continue;
        }
        Scoring scoring{c.scratch, Luck::worst};
        ScoreRecord record;
        begin_record(c, scoring, record);
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
        c.played[position][variant] = record.map;
        c.luck[position][variant] = scoring.luck_asked;
    }
    return true;
}

void record_held(Composer& c, int position) {
    const Card& card = c.state.cards[c.state.hand[position]];
    if (card.enhancement != m_steel && !c.any_held_hook) {
        return;
    }
    Scoring scoring{c.scratch, Luck::worst};
    ScoreRecord record;
    begin_record(c, scoring, record);
    stages::held_card(scoring, position);
    c.scratch.money = c.state.money;
    c.held[position] = record.map;
    if (record.op_count > 0) {
        c.held_active |= std::uint32_t{1} << position;
    }
    if (scoring.luck_asked) {
        c.held_luck |= std::uint32_t{1} << position;
    }
}

bool set_up_cards(Composer& c) {
    for (int i = 0; i < c.hand; ++i) {
        const Card& card = c.state.cards[c.state.hand[i]];
        const std::uint32_t bit_here = std::uint32_t{1} << i;
        c.forced |= (card.flags & card_forced) != 0 ? bit_here : 0;
        if (card.enhancement == m_stone) {
            c.stones |= bit_here;
        } else {
            c.by_rank[card.rank] |= bit_here;
            c.rank_unit[i] = std::uint64_t{1} << (4 * (card.rank - kMinRank));
            for (int suit = 0; suit < suit_count; ++suit) {
                c.suit_unit[i] +=
                    flush_suit(card, suit, c.rules.smeared) ? std::uint32_t{1} << (8 * suit) : 0;
            }
        }
        if ((card.flags & card_debuffed) != 0) {
            c.debuffed |= bit_here;
            continue;
        }
        if (c.rules.pareidolia || (face_rank(card) && card.enhancement != m_stone)) {
            c.faces |= bit_here;
        }
        if (!record_played(c, i)) {
            return false;
        }
        record_held(c, i);
    }
    return !(c.money_matters && c.held_luck != 0);
}

struct Read {
    HandType type;
    std::uint16_t contains;
    std::uint32_t scoring;
};

// Reads a play without Four Fingers or Shortcut from its packed counts.
Read read_packed(const Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits) {
    constexpr std::uint64_t kOnes = 0x1111111111111;
    const std::uint64_t ones = ranks & kOnes;
    const std::uint64_t twos = (ranks >> 1) & kOnes;
    const std::uint64_t fours = (ranks >> 2) & kOnes;
    const std::uint64_t pairs = twos & ~ones;
    const std::uint64_t three = twos & ones;
    const std::uint64_t four = fours & ~ones;
    const std::uint64_t five = fours & ones;
    const auto cards_of = [&](std::uint64_t nibble) {
        return nibble == 0 ? 0u : c.by_rank[kMinRank + std::countr_zero(nibble) / 4] & mask;
    };
    const std::uint64_t many = pairs | three | four | five;
    bool flush = false;
    bool straight = false;
    if (count == 5) {
        flush = (((suits + 0x7b7b7b7b) & 0x80808080) != 0);
        if (many == 0 && (c.stones & mask) == 0) {
            // Five different ranks in a row span exactly five nibbles; the Ace may also stand below the Two.
            const int low = std::countr_zero(ranks);
            straight = (ranks >> low) == 0x11111 || ranks == 0x1000000001111;
        }
    }
    if (many == 0 && !flush && !straight) {
        const std::uint32_t high =
            ranks == 0 ? 0 : c.by_rank[kMinRank + (63 - std::countl_zero(ranks)) / 4] & mask;
        return {hand_high_card, 1u << hand_high_card, high | (c.stones & mask)};
    }
    constexpr auto flag = [](HandType type) { return static_cast<std::uint16_t>(1u << type); };
    Read read{hand_high_card, flag(hand_high_card), 0};
    const auto found = [&](HandType type, std::uint32_t scoring) {
        read.contains = static_cast<std::uint16_t>(read.contains | flag(type));
        if (type < read.type) {
            read.type = type;
            read.scoring = scoring;
        }
    };
    if (many != 0) {
        const std::uint64_t low_pair = pairs & (~pairs + 1);
        const std::uint64_t other_pair = pairs ^ low_pair;
        const std::uint32_t big = cards_of(five | four | three);
        const std::uint32_t top_pair = cards_of(other_pair != 0 ? other_pair : low_pair);
        if (five != 0) {
            if (flush) {
                found(hand_flush_five, big);
            }
            found(hand_five_of_a_kind, big);
        }
        if ((five | four) != 0) {
            found(hand_four_of_a_kind, big);
        }
        if (three != 0 && pairs != 0) {
            if (flush) {
                found(hand_flush_house, big | top_pair);
            }
            found(hand_full_house, big | top_pair);
            found(hand_two_pair, big | top_pair);
        }
        if ((five | four | three) != 0) {
            found(hand_three_of_a_kind, big);
        }
        if (other_pair != 0) {
            found(hand_two_pair, top_pair | cards_of(low_pair));
        }
        found(hand_pair, top_pair != 0 ? top_pair : big);
    }
    if (flush && straight) {
        found(hand_straight_flush, mask);
    }
    if (flush) {
        found(hand_flush, mask);
    }
    if (straight) {
        found(hand_straight, mask);
    }
    read.scoring |= c.stones & mask;
    return read;
}

Read read_play(const Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits) {
    if (!c.rules.four_fingers && !c.rules.shortcut) {
        Read read = read_packed(c, mask, count, ranks, suits);
        read.scoring = c.rules.splash ? mask : read.scoring;
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

bool blocked_by_boss(const State& state, HandType type, int count) {
    if (state.round.boss_disabled != 0) {
        return false;
    }
    switch (state.round.blind) {
    case bl_psychic:
        return count < 5;
    case bl_eye:
        return ((state.round.hand_types_seen >> type) & 1) != 0;
    case bl_mouth:
        return state.round.only_hand != hand_types && state.round.only_hand != type;
    default:
        return false;
    }
}

// Puts back what the joker stages touch; all of it if one of them created something.
void restore_scratch(Composer& c) {
    if (c.scratch.next_created != c.state.next_created) {
        c.scratch = c.state;
    }
    std::copy(c.state.jokers, c.state.jokers + c.state.joker_count, c.scratch.jokers);
    std::copy(c.state.hands, c.state.hands + hand_types, c.scratch.hands);
    std::copy(c.state.hand, c.state.hand + c.hand, c.scratch.hand);
    c.scratch.hand_count = c.state.hand_count;
    c.scratch.money = c.state.money;
    c.scratch.round = c.state.round;
    --c.scratch.round.hands_left;
}

// Whether applying all operations at once gives what one after the other gives: few of them, and all numbers
// short.
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
    const bool scoring_face = (read.scoring & c.faces) != 0;
    const std::uint32_t key = std::uint32_t{read.contains} | (std::uint32_t{read.type} << 12) |
                              (static_cast<std::uint32_t>(count) << 16) | (scoring_face ? 1u << 19 : 0u);
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
    Scoring scoring{c.scratch, Luck::worst};
    ScoreRecord record;
    begin_record(c, scoring, record);
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
    restore_scratch(c);
    if (record.op_count > kMaxStageOps || record.too_long) {
        return nullptr;
    }
    JokerStage& stage = c.stages[c.stage_count++];
    stage.key = key;
    stage.luck = scoring.luck_asked;
    if (composes_exactly(record)) {
        stage.count = 1;
        stage.ops[0] = {record.map.chips, record.map.factor, record.map.mult};
        return &stage;
    }
    stage.count = 0;
    for (int i = 0; i < record.op_count; ++i) {
        const ScoreOp& op = record.ops[i];
        stage.ops[stage.count++] = op.kind == ScoreOp::Kind::chips  ? JokerStage::Op{op.amount, 1, 0}
                                   : op.kind == ScoreOp::Kind::mult ? JokerStage::Op{0, 1, op.amount}
                                                                    : JokerStage::Op{0, op.amount, 0};
    }
    return &stage;
}

// Fills in one play; false if it cannot be composed exactly.
bool compose_play(Composer& c, std::uint32_t mask, int count, std::uint64_t ranks, std::uint32_t suits,
                  PlayPreview& out) {
    const Read read = read_play(c, mask, count, ranks, suits);
    const std::uint32_t rest = ((std::uint32_t{1} << c.hand) - 1) & ~mask;
    out.mask = mask;
    out.type = read.type;
    out.exact = true;
    out.blocked = c.boss_may_block && blocked_by_boss(c.state, read.type, count);
    if (out.blocked) {
        out.score = 0;
        return true;
    }
    // Many plays score the same cards as the same hand: one High Card with any small company, say.
    const std::uint32_t key = read.scoring | (std::uint32_t{read.contains} << 8) |
                              (static_cast<std::uint32_t>(count) << 20) | (std::uint32_t{read.type} << 23);
    const std::size_t slot = (read.scoring + 51u * static_cast<std::uint32_t>(count)) & 255u;
    if (c.memo_key[slot] == key) {
        out.score = c.memo_score[slot];
        out.exact = !c.memo_luck[slot] && !(c.hook && rest != 0);
        return true;
    }
    const JokerStage* stage = joker_stage(c, mask, count, read);
    if (stage == nullptr) {
        return false;
    }
    double chips = c.base_chips[read.type];
    double mult = c.base_mult[read.type];
    bool luck = stage->luck;
    int variant = c.chad ? 1 : 0;
    const int first_face = c.photograph ? std::countr_zero(read.scoring & c.faces) : 32;
    for (std::uint32_t left = read.scoring; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        if (((c.debuffed >> i) & 1) == 0) {
            const int which = variant | (i == first_face ? 2 : 0);
            const ScoreMap& map = c.played[i][which];
            chips += map.chips;
            mult = mult * map.factor + map.mult;
            luck = luck || c.luck[i][which];
        }
        variant = 0;
    }
    for (std::uint32_t left = rest & c.held_active; left != 0; left &= left - 1) {
        const ScoreMap& map = c.held[std::countr_zero(left)];
        chips += map.chips;
        mult = mult * map.factor + map.mult;
    }
    luck = luck || (rest & c.held_luck) != 0;
    if (mult > kExactBelow || chips > kExactBelow) {
        return false;
    }
    for (int i = 0; i < stage->count; ++i) {
        const JokerStage::Op& op = stage->ops[i];
        chips += op.chips;
        mult = mult * op.factor + op.mult;
    }
    if (c.state.deck == b_plasma) {
        chips = mult = std::floor((chips + mult) / 2.0);
    }
    out.score = final_score(chips, mult);
    out.exact = !luck && !(c.hook && rest != 0);
    if (c.remembers) {
        c.memo_key[slot] = key;
        c.memo_score[slot] = out.score;
        c.memo_luck[slot] = luck;
    }
    return true;
}

void preview_one(const State& state, std::uint32_t mask, PlayPreview& out) {
    const Preview preview = preview_play(state, mask);
    out = {preview.worst, mask, preview.hand.type, preview.blocked, preview.exact};
}

// Every play that starts with the cards of `mask`, each card added to the right: the sums are built up on the
// way.
void compose_plays(Composer& c, int first, std::uint32_t mask, int size, std::uint64_t ranks,
                   std::uint32_t suits, PlayPreview* out, int& count) {
    for (int i = first; i < c.hand; ++i) {
        const std::uint32_t play = mask | (std::uint32_t{1} << i);
        const std::uint64_t play_ranks = ranks + c.rank_unit[i];
        const std::uint32_t play_suits = suits + c.suit_unit[i];
        if ((play & c.forced) == c.forced) {
            PlayPreview& entry = out[count++];
            if (!compose_play(c, play, size + 1, play_ranks, play_suits, entry)) {
                preview_one(c.state, play, entry);
            }
        }
        if (size + 1 < kMaxPlayed) {
            compose_plays(c, i + 1, play, size + 1, play_ranks, play_suits, out, count);
        }
    }
}

std::uint32_t forced_positions(const State& state) {
    std::uint32_t forced = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        forced |= (state.cards[state.hand[i]].flags & card_forced) != 0 ? std::uint32_t{1} << i : 0;
    }
    return forced;
}

}  // namespace

int preview_each(const State& state, PlayPreview* out) {
    const std::uint32_t forced = forced_positions(state);
    int count = 0;
    legal::each_subset(state.hand_count, 1, kMaxPlayed, [&](std::uint32_t mask) {
        if ((mask & forced) == forced) {
            preview_one(state, mask, out[count++]);
        }
    });
    return count;
}

int preview_all(const State& state, PlayPreview* out) {
    if (state.hand_count > kMaxComposedHand || state.challenge_rules != 0 || hides_something(state)) {
        return preview_each(state, out);
    }
    Composer c(state);
    c.rules = poker_rules(state);
    c.odds = odds_factor(state);
    c.hand = state.hand_count;
    if (!set_up_jokers(c) || !set_up_cards(c)) {
        return preview_each(state, out);
    }
    set_up_base(c);
    c.remembers = c.hand <= 8 && c.held_active == 0 && c.held_luck == 0;
    c.hook = boss_active(state, bl_hook);
    c.boss_may_block =
        boss_active(state, bl_psychic) || boss_active(state, bl_eye) || boss_active(state, bl_mouth);
    int count = 0;
    compose_plays(c, 0, 0, 0, 0, 0, out, count);
    return count;
}

}  // namespace jimbot
