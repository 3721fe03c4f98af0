// What effects do to chips, mult and money while a hand is scored.
#include <algorithm>
#include <cmath>

#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "rules/economy.hpp"
#include "rules/scoring.hpp"

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
    rolled = true;
    switch (outcomes) {
    case Outcomes::streams:
        return draw(state.streams, stream, state.ante).real() < probability ? 1.0 : 0.0;
    case Outcomes::worst:
        return probability >= 1.0 ? 1.0 : 0.0;
    case Outcomes::best:
        return 1.0;
    case Outcomes::mean:
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

}  // namespace jimbot
