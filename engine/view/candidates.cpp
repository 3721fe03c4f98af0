#include "view/candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "view/odds.hpp"
#include "view/offers.hpp"
#include "view/scales.hpp"
#include "view/strength.hpp"

namespace jimbot {

namespace {

// --- choosing ---

// The order of the encoding: kind, positions, cards. It says nothing of merit. The last bits are the offer's
// number, so that keys can be sorted by themselves.
constexpr int kNumberBits = 9;
static_assert(kMaxOffers <= 1 << kNumberBits);

std::uint64_t encoding(const Candidate& candidate, int number) {
    const auto small = [](std::uint8_t position) { return std::uint64_t{position} & 31u; };
    const std::uint64_t before = candidate.before.kind == ActionKind::count ? 0 : 1;
    return (std::uint64_t{static_cast<std::uint8_t>(candidate.action.kind)} << 57) |
           (small(candidate.action.a) << 52) | (small(candidate.action.b) << 47) | (before << 46) |
           (std::uint64_t{candidate.action.mask} << 14) | (small(candidate.before.a) << kNumberBits) |
           static_cast<std::uint64_t>(number);
}

const Offer& offer_of(const Offers& offers, std::uint64_t key) {
    return offers.list[key & ((std::uint64_t{1} << kNumberBits) - 1)];
}

// Keeps the `limit` offers that stand highest among their kind, in the order of their encoding.
int choose_offers(Offers& offers, int limit, const Offer** chosen) {
    std::uint64_t* keys = offers.keys;
    int count = offers.count;
    for (int i = 0; i < count; ++i) {
        keys[i] = encoding(offers.list[i].candidate, i);
    }
    if (count > limit) {
        std::nth_element(keys, keys + limit, keys + count, [&](std::uint64_t a, std::uint64_t b) {
            const std::uint32_t first = offer_of(offers, a).rank;
            const std::uint32_t second = offer_of(offers, b).rank;
            return first != second ? first < second : a < b;
        });
        count = limit;
    }
    // Offers come kind by kind, so little is out of order.
    for (int i = 1; i < count; ++i) {
        const std::uint64_t key = keys[i];
        int at = i;
        for (; at > 0 && keys[at - 1] > key; --at) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
    for (int i = 0; i < count; ++i) {
        chosen[i] = &offer_of(offers, keys[i]);
    }
    return count;
}

// --- describing ---

// In halves: compilers write such small blocks in line, and one twice the size by a slow instruction.
void clear_row(float* row) {
    constexpr std::size_t kHalf = kCandidateFeatures / 2;
    std::memset(row, 0, kHalf * sizeof(float));
    std::memset(row + kHalf, 0, (kCandidateFeatures - kHalf) * sizeof(float));
}

float limited(double value) { return static_cast<float>(std::clamp(value, -2.0, 2.0)); }

float log_of(double score) { return std::log2(static_cast<float>(std::clamp(score, 1e-3, 1e38))); }

// Numbers that hold for all candidates of a state.
struct Shared {
    const Table& table;
    Unseen unseen;
    DrawOdds odds;
    float need_log;
    float best_log;
    int interest;
    float hands_left;
    float discards_left;
    std::optional<StrengthMeter> strength;
    double margin = 0;  // the build's strength against the next target, in doublings

    explicit Shared(const Table& t)
        : table(t), unseen(t.state.phase == Phase::playing ? count_unseen(t.state, t.rules) : Unseen{}),
          odds(unseen), need_log(log_of(t.need)), best_log(log_of(t.best_mean)),
          interest(interest_on(t.state, t.state.money)), hands_left(bounded<8>(t.state.round.hands_left)),
          discards_left(bounded<8>(t.state.round.discards_left)) {}
};

// The build is measured where it can be changed at leisure, and where all jokers are seen.
bool build_matters(const State& state) {
    if (state.phase != Phase::shop && state.phase != Phase::pack && state.phase != Phase::blind_select) {
        return false;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            return false;
        }
    }
    return state.card_count > 0;
}

double strength_of_use(Shared& shared, const Offer& offer, int id) {
    if (!shared.strength) {
        return 0.0;
    }
    StrengthMeter& strength = *shared.strength;
    if (is_planet(id)) {
        return strength.with_level(kConsumables[static_cast<std::size_t>(id)].hand);
    }
    constexpr int kMeasuredUses = 2;  // of each consumable
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    if (entry.traits.effect == UseEffect::all_levels) {
        return strength.with_all_levels();
    }
    const bool targeted = entry.traits.effect == UseEffect::targets &&
                          offer.candidate.action.mask != 0;  // bought alone, it has none
    if (!targeted || offer.rank >= kMeasuredUses) {
        return 0;
    }
    const State& state = shared.table.state;
    State changed = state;
    if (offer.candidate.before.kind != ActionKind::count) {
        apply(changed, offer.candidate.before);
    }
    std::uint8_t targets[kMaxHand];
    int count = 0;
    for (std::uint32_t left = offer.candidate.action.mask; left != 0; left &= left - 1) {
        targets[count++] = changed.hand[std::countr_zero(left)];
    }
    entry.use(changed, targets, count);
    return strength.with_changed_cards(changed);
}

double strength_change(Shared& shared, const Offer& offer) {
    const State& state = shared.table.state;
    if (!shared.strength) {
        return 0.0;
    }
    StrengthMeter& strength = *shared.strength;
    const Action& action = offer.candidate.action;
    const auto of_item = [&](const Item& item) {
        return item.kind == ItemKind::joker        ? strength.with_joker(joker_from_item(state, item))
               : item.kind == ItemKind::consumable ? strength_of_use(shared, offer, item.id)
                                                   : 0.0;
    };
    switch (action.kind) {
    case ActionKind::buy_card:
    case ActionKind::buy_and_use:
        return of_item(state.shop.slots[action.a]);
    case ActionKind::pick_card:
        return of_item(state.pack.cards[action.a]);
    case ActionKind::redeem_voucher:
        return strength.with_voucher(static_cast<VoucherId>(state.shop.vouchers[action.a].id));
    case ActionKind::sell_joker:
        return strength.without_joker(action.a);
    case ActionKind::use_consumable:
        return strength_of_use(shared, offer, state.consumables[action.a].id);
    default:
        return 0;
    }
}

void describe_scores(const Shared& shared, const Offer& offer, float* row) {
    const double need = shared.table.need;
    const float mean = log_of(offer.mean);
    row[feature_mean] = limited((mean - shared.need_log) / 4.0f);
    row[feature_worst] = offer.worst == offer.mean ? row[feature_mean]
                                                   : limited((log_of(offer.worst) - shared.need_log) / 4.0f);
    row[feature_best] =
        offer.best == offer.mean ? row[feature_mean] : limited((log_of(offer.best) - shared.need_log) / 4.0f);
    row[feature_share] = static_cast<float>(std::clamp(offer.mean / need, 0.0, 1.0));
    row[feature_clears] = offer.worst >= need ? 1.0f : 0.0f;
    row[feature_may_clear] = offer.best >= need ? 1.0f : 0.0f;
    row[feature_below_best] = limited((mean - shared.best_log) / 4.0f);
}

// What is used and what is kept of the hand.
void describe_cards(const Shared& shared, std::uint32_t mask, bool discard, float* row) {
    const HandShape& shape = shared.table.shape;
    std::uint64_t ranks = shape.ranks;
    std::uint32_t suits = shape.suits;
    int sum = 0;
    int count = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        ranks -= shape.rank_unit[i];
        suits -= shape.suit_unit[i];
        sum += shape.rank[i];
        ++count;
    }
    row[feature_cards] = bounded<5>(count);
    row[feature_rank] = static_cast<float>(sum) / static_cast<float>(14 * std::max(1, count));
    row[feature_kept_suit] = bounded<5>(most_of_a_suit(suits));
    row[feature_kept_rank] = bounded<4>(most_of_a_rank(ranks));
    const unsigned there = rank_bits(ranks);
    const int run = most_of_a_straight_of(there);
    row[feature_kept_straight] = bounded<5>(run);
    if (discard) {
        const DrawProbabilities probabilities = shared.odds.probabilities(ranks, suits, there, run, count);
        row[feature_flush_chance] = probabilities.flush;
        row[feature_straight_chance] = probabilities.straight;
        row[feature_kind_chance] = probabilities.kind;
        row[feature_any_chance] = probabilities.any;
    }
}

void describe(Shared& shared, const Offer& offer, float* row) {
    const State& state = shared.table.state;
    const Action& action = offer.candidate.action;
    clear_row(row);
    row[feature_kind + static_cast<int>(action.kind)] = 1.0f;
    if (offer.hand < hand_types) {
        row[feature_hand + offer.hand] = 1.0f;
    }
    if (offer.scored) {
        describe_scores(shared, offer, row);
    }
    if (action.mask != 0) {
        describe_cards(shared, action.mask, action.kind == ActionKind::discard, row);
    }
    row[feature_hands_left] = shared.hands_left - (action.kind == ActionKind::play_hand ? 1.0f / 8.0f : 0.0f);
    row[feature_discards_left] =
        shared.discards_left - (action.kind == ActionKind::discard ? 1.0f / 8.0f : 0.0f);
    if (offer.money != 0) {
        row[feature_money] = dollars(offer.money);
        row[feature_interest] =
            static_cast<float>(interest_on(state, state.money + offer.money) - shared.interest) / 20.0f;
    }
    if (shared.strength) {
        const double change = strength_change(shared, offer);
        row[feature_strength] = limited(change / 4.0);
        row[feature_margin] = limited((shared.margin + change) / 8.0);
    }
    row[feature_edition] = static_cast<float>(offer.edition) / 4.0f;
    row[feature_position] = bounded<8>(action.a);
}

}  // namespace

constinit const std::array<FeatureText, kCandidateFeatures> kCandidateTexts = {{
    {"play", "1: play these hand cards"},
    {"discard", "1: discard these hand cards"},
    {"select_blind", "1: play the blind"},
    {"skip_blind", "1: skip the blind"},
    {"reroll_boss", "1: reroll the boss"},
    {"cash_out", "1: cash out"},
    {"buy", "1: buy a card of the shop"},
    {"buy_and_use", "1: buy a consumable and use it at once"},
    {"redeem", "1: buy a voucher"},
    {"open", "1: buy and open a booster pack"},
    {"reroll_shop", "1: reroll the shop"},
    {"leave_shop", "1: leave the shop"},
    {"sell_joker", "1: sell a joker"},
    {"sell_consumable", "1: sell a consumable"},
    {"use", "1: use a consumable"},
    {"pick", "1: take a card of the open pack"},
    {"skip_pack", "1: skip the rest of the pack"},
    {"move_joker", "1: move a joker, which raises the best play"},
    {"move_card", "1: bring a hand card to the front, which raises the best play"},
    {"sort", "1: sort the hand the other way"},
    {"flush_five", "1: the hand played, or raised by a planet"},
    {"flush_house", "likewise"},
    {"five_of_a_kind", "likewise"},
    {"straight_flush", "likewise"},
    {"four_of_a_kind", "likewise"},
    {"full_house", "likewise"},
    {"flush", "likewise"},
    {"straight", "likewise"},
    {"three_of_a_kind", "likewise"},
    {"two_pair", "likewise"},
    {"pair", "likewise"},
    {"high_card", "likewise"},
    {"worst", "score against what is needed, with every chance at its worst: log2(score / need) / 4"},
    {"mean", "the same with every chance at its mean"},
    {"best", "the same with every chance at its best"},
    {"share", "share of the need, at most 1"},
    {"clears", "1: clears the blind whatever the chance outcomes"},
    {"may_clear", "1: clears the blind with the best chance outcomes"},
    {"below_best", "score against the best play: log2(score / best) / 4"},
    {"cards", "cards selected, in fives"},
    {"rank", "mean rank of the selected cards, 1 for Aces"},
    {"kept_suit", "most cards of one suit that stay in the hand, in fives"},
    {"kept_rank", "most cards of one rank that stay in the hand, in fours"},
    {"kept_straight", "most cards of one straight that stay in the hand, in fives"},
    {"hands_left", "hands left afterwards, in eights"},
    {"discards_left", "discards left afterwards, in eights"},
    {"money", "change of money, logarithmic"},
    {"interest", "change of the interest at the end of the round, in 20 dollars"},
    {"strength", "change of the build's strength, in four doublings of the score"},
    {"margin", "strength of a round of the build afterwards against the next target, in eight doublings"},
    {"flush_chance", "chance that the draw after the discard makes a flush possible"},
    {"straight_chance", "the same for a straight"},
    {"kind_chance", "chance to draw one more of a rank that is kept, grouped ranks first"},
    {"any_chance", "chance of any of the three, taken as independent"},
    {"edition", "edition of the joker or card, in fours"},
    {"position", "its position, in eights"},
}};

int list_candidates(const State& state, const CandidateRows& out, int previous, StrengthMemo& memo) {
    Table table(state, out.limit);
    Offers offers;
    const bool playing = state.phase == Phase::playing;
    if (playing) {
        table.need = std::max(1.0, state.round.target - state.round.score);
        offer_plays(table, offers);
        offer_discards(table, offers);
    }
    int count = 0;
    if (state.phase != Phase::game_over) {
        offer_choices(table, offers);
        if (playing) {
            offer_orders(table, offers);
        }
        const Offer* chosen[kMaxOffers];
        count = choose_offers(offers, out.limit, chosen);
        Shared shared(table);
        if (build_matters(state)) {
            shared.strength.emplace(state, memo);
            shared.margin = shared.strength->own() - log_of(next_target(state));
        }
        for (int i = 0; i < count; ++i) {
            out.list[i] = chosen[i]->candidate;
            describe(shared, *chosen[i], out.features[i]);
            out.ids[i][0] = chosen[i]->ids[0];
            out.ids[i][1] = chosen[i]->ids[1];
        }
    }
    std::memset(out.mask, 0, static_cast<std::size_t>(out.limit));
    std::memset(out.mask, 1, static_cast<std::size_t>(count));
    for (int i = count; i < previous; ++i) {
        clear_row(out.features[i]);
        out.ids[i][0] = out.ids[i][1] = 0;
    }
    return count;
}

}  // namespace jimbot
