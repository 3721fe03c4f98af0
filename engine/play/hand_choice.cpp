#include "play/hand_choice.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "catalog/joker_traits.hpp"
#include "core/bits.hpp"
#include "play/keep_sets.hpp"
#include "play/outlook.hpp"
#include "play/plain_math.hpp"
#include "play/public_state.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"

namespace jimbot {

namespace {

constexpr std::uint32_t at(int position) { return std::uint32_t{1} << position; }

struct Play {
    std::uint32_t mask;
    double score;   // expected
    double chance;  // that it clears the blind by itself
    HandType type;
};

// What a play leaves behind besides its score, in the unit of a chance: money, growth, cards worth keeping.
double side_worth(const State& state, const ExpertWeights& w, const PlayPreview& play) {
    double worth = 0;
    bool face = false;
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & (card_face_down | card_debuffed)) != 0) {
            continue;
        }
        const bool played = (play.mask & at(i)) != 0;
        face = face || (played && face_rank(card));
        worth += !played && card.enhancement == m_gold ? w[w_held_gold] : 0.0;
        worth += !played && card.seal == s_blue ? w[w_held_gold] : 0.0;
        worth += played && card.seal == s_gold ? w[w_held_gold] : 0.0;
        worth += played && card.enhancement == m_lucky ? 0.3 * w[w_held_gold] : 0.0;
        worth -= played && card.enhancement == m_glass ? w[w_glass_risk] : 0.0;
    }
    const PlayMade made{play.type, count_bits(play.mask), face};
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        const auto growth = kJokerTraits[joker.id].scripted.play_growth;
        worth += growth != nullptr ? w[w_growth] * growth(joker, made) : 0.0;
    }
    return worth;
}

// The play that clears the blind for certain and leaves most behind; mask 0 if there is none.
std::uint32_t clearing_play(const State& state, const ExpertWeights& w,
                            const std::vector<PlayPreview>& plays) {
    const double needed = state.round.target - state.round.score;
    std::uint32_t best = 0;
    double most = 0;
    for (const PlayPreview& play : plays) {
        if (play.blocked || play.score < needed || (!play.exact && blind_interferes(state, true))) {
            continue;
        }
        const double worth = side_worth(state, w, play) + 1e-6 * count_bits(play.mask);
        if (best == 0 || worth > most) {
            best = play.mask;
            most = worth;
        }
    }
    return best;
}

// The best play of each hand type, the best types first.
std::vector<Play> leading_plays(const State& state, const ExpertWeights& w,
                                const std::vector<PlayPreview>& plays) {
    const PlayPreview* best[hand_types] = {};
    for (const PlayPreview& play : plays) {
        const PlayPreview*& known = best[play.type];
        if (!play.blocked &&
            (known == nullptr || play.score > known->score ||
             (play.score == known->score && count_bits(play.mask) < count_bits(known->mask)))) {
            known = &play;
        }
    }
    const double needed = state.round.target - state.round.score;
    std::vector<Play> leading;
    for (const PlayPreview* play : best) {
        if (play == nullptr) {
            continue;
        }
        Play entry{play->mask, play->score, play->score >= needed ? 1.0 : 0.0, play->type};
        if (!play->exact) {
            const Preview seen = preview_play(state, play->mask);
            entry.score = seen.mean;
            entry.chance = seen.worst >= needed  ? 1.0
                           : seen.mean >= needed ? w[w_lucky_clear]
                           : seen.best >= needed ? 0.3 * w[w_lucky_clear]
                                                 : 0.0;
        }
        leading.push_back(entry);
    }
    std::sort(leading.begin(), leading.end(), [](const Play& a, const Play& b) {
        return a.score != b.score ? a.score > b.score : a.mask < b.mask;
    });
    return leading;
}

Holding holding_after(const Outlook& o, const State& state, std::uint32_t given) {
    Holding h{};
    for (int i = 0; i < state.hand_count; ++i) {
        if ((given & at(i)) != 0) {
            continue;
        }
        if (is_face_down(state, i)) {
            ++h.unknown;
        } else {
            h.cards[h.count++] = state.hand[i];
        }
    }
    const int draws = active_blind(state).draws;
    h.drawn = draws > 0 ? draws : std::max(0, o.hand_size - h.count - h.unknown);
    h.needed = o.needed;
    h.hands_left = o.hands_left;
    h.discards_left = o.discards_left;
    return h;
}

// The hand types that will be allowed once a hand of this type is played.
std::uint16_t allowed_after(const State& state, HandType type) {
    const BlindHooks& hooks = active_blind(state).hooks;
    if (hooks.blocks == nullptr || hooks.hand_read == nullptr) {
        return allowed_types(state);
    }
    State after = state;
    blind_reads_hand(after, type, kMaxPlayed);
    return allowed_types(after);
}

// A way to go on: what is left in hand, and what it is worth beside the chance of clearing the blind.
struct Candidate {
    Action action;
    Holding holding;
    std::uint16_t allowed;  // hand types allowed from then on
    double extra;           // added to the chance
    double least;           // the chance is at least this
    double most;            // and at most this
    double value;
};

struct Candidates {
    Candidate list[kMaxKeepSets + 16];
    int count = 0;

    void add(const Candidate& candidate) {
        if (count < static_cast<int>(std::size(list))) {
            list[count++] = candidate;
        }
    }
};

double value_of(Outlook& o, const Candidate& c, bool closely) {
    restrict_types(o, c.allowed);
    const double chance = closely ? chance_step_by_step(o, c.holding, 0, o.samples)
                                  : chance_of_clearing(o, c.holding, 0, o.quick_samples);
    return std::clamp(chance, c.least, c.most) + c.extra;
}

// All candidates by a few samples, then the best of them by many.
Action best_of(Outlook& o, Candidates& all) {
    for (int i = 0; i < all.count; ++i) {
        all.list[i].value = value_of(o, all.list[i], false);
    }
    const auto better = [](const Candidate& a, const Candidate& b) { return a.value > b.value; };
    std::stable_sort(all.list, all.list + all.count, better);
    const int close = std::min(all.count, rounded(o.weights[w_close_count]));
    if (close > 1 && o.samples > o.quick_samples) {
        for (int i = 0; i < close; ++i) {
            all.list[i].value = value_of(o, all.list[i], true);
        }
        std::stable_sort(all.list, all.list + close, better);
    }
    return all.list[0].action;
}

double score_of(const State& state, const std::vector<PlayPreview>& plays, std::uint32_t mask, HandType type,
                double expected) {
    const auto known =
        std::find_if(plays.begin(), plays.end(), [&](const PlayPreview& play) { return play.mask == mask; });
    const PlayPreview play = known != plays.end() ? *known : preview_one(state, mask);
    return play.blocked || play.type != type ? -1.0
           : play.exact                      ? play.score
                                             : std::min(play.score, expected);
}

// Whether the blind lets some hand score with many cards and not with few (The Psychic).
bool blind_counts_cards(const State& state) {
    if (active_blind(state).hooks.blocks == nullptr) {
        return false;
    }
    for (int type = 0; type < hand_types; ++type) {
        const auto hand = static_cast<HandType>(type);
        for (int count = 1; count < kMaxPlayed; ++count) {
            if (blind_blocks(state, hand, count) != blind_blocks(state, hand, kMaxPlayed)) {
                return true;
            }
        }
    }
    return false;
}

// Whether cards that do not score may still be worth playing for their number.
bool number_matters(const State& state) {
    bool matters = blind_counts_cards(state);
    for (int i = 0; i < state.joker_count; ++i) {
        const ResolvedTraits& traits = kJokerTraits[state.jokers[i].id];
        matters = matters || (!state.jokers[i].debuffed() && (reads_any(traits.reads, Reads::played_count) ||
                                                              traits.scripted.growth_counts_cards));
    }
    return matters;
}

// A play as it is and with useless cards thrown in, which brings new cards for the hands to come.
void add_play(Candidates& all, const Outlook& o, const State& state, const std::vector<PlayPreview>& plays,
              const Play& play, const KeepSets& sets) {
    std::uint32_t tried[4] = {};
    int count = 0;
    const auto add = [&](std::uint32_t mask, double score) {
        if (count == 4 || std::find(tried, tried + count, mask) != tried + count) {
            return;
        }
        tried[count++] = mask;
        Holding h = holding_after(o, state, mask);
        h.needed -= score;
        --h.hands_left;
        if (active_blind(state).traits.hides_draws_after_play) {  // a discard brings cards to be seen
            h.drawn = h.discards_left > 0 ? h.drawn : 0;
            h.discards_left = std::max(0, h.discards_left - 1);
        }
        const double cleared = play.chance * (1.0 + o.weights[w_hand_left] * h.hands_left);
        const bool chance_decides = h.needed <= 0 && play.chance > 0;
        all.add({{ActionKind::play_hand, 0, 0, 0, mask},
                 h,
                 allowed_after(state, play.type),
                 0.0,
                 play.chance > 0 ? cleared : -1e300,
                 chance_decides ? cleared : 1e300,
                 0.0});
    };
    add(play.mask, play.score);
    if (o.hands_left <= 1) {
        return;
    }
    for (int i = 0; i < std::min(sets.count, 3); ++i) {
        const std::uint32_t filled = play.mask | (cards_to_give(o.model, state, sets.masks[i] | play.mask,
                                                                kMaxPlayed - count_bits(play.mask)) &
                                                  ~forced_positions(state));
        const double score =
            count_bits(filled) <= kMaxPlayed ? score_of(state, plays, filled, play.type, play.score) : -1.0;
        if (score >= 0.98 * play.score) {
            add(filled, score);
        }
    }
}

// What a discard itself brings or costs, in the unit of a chance.
double discard_worth(const State& state, const ExpertWeights& w, std::uint32_t mask) {
    double worth = -w[w_discard_left];
    const int cards = count_bits(mask);
    int faces = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((mask & at(i)) == 0 || (card.flags & (card_face_down | card_debuffed)) != 0) {
            continue;
        }
        faces += face_rank(card) ? 1 : 0;
        worth += card.seal == s_purple ? w[w_held_gold] : 0.0;
    }
    const DiscardMade made{cards, faces, state.round.discards_used == 0};
    for (int i = 0; i < state.joker_count; ++i) {
        const auto worth_of = kJokerTraits[state.jokers[i].id].scripted.discard_worth;
        if (worth_of != nullptr) {
            const SideWorth side = worth_of(made);
            worth += w[w_growth] * side.growth + w[w_held_gold] * side.gold;
        }
    }
    return worth;
}

}  // namespace

Action choose_hand(const State& state, const ExpertWeights& weights, std::uint64_t random) {
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(state.hand_count)));
    plays.resize(static_cast<std::size_t>(number_matters(state) ? preview_all(state, plays.data())
                                                                : preview_most(state, plays.data())));
    if (const std::uint32_t mask = clearing_play(state, weights, plays); mask != 0) {
        return {ActionKind::play_hand, 0, 0, 0, mask};
    }
    const std::vector<Play> leading = leading_plays(state, weights, plays);
    Outlook o(weights);
    look_out(o, state, random);
    const KeepSets sets = find_keep_sets(o.model, state, leading.empty() ? 0 : leading[0].mask);
    Candidates all;
    for (std::size_t i = 0; i < std::min<std::size_t>(leading.size(), 4); ++i) {
        add_play(all, o, state, plays, leading[i], sets);
    }
    if (o.discards_left > 0) {
        for (int i = 0; i < sets.count; ++i) {
            const std::uint32_t given = cards_to_give(o.model, state, sets.masks[i], kMaxPlayed);
            if (given == 0) {
                continue;
            }
            Holding h = holding_after(o, state, given);
            --h.discards_left;
            all.add({{ActionKind::discard, 0, 0, 0, given},
                     h,
                     o.model.allowed,
                     discard_worth(state, weights, given),
                     -1e300,
                     1e300,
                     0.0});
        }
    }
    if (all.count == 0) {  // every play is refused: the first one legal is as good as any
        return {ActionKind::play_hand, 0, 0, 0, plays.empty() ? 1u : plays[0].mask};
    }
    return best_of(o, all);
}

}  // namespace jimbot
