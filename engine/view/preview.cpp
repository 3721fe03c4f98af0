#include "view/preview.hpp"

#include <algorithm>

#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "view/put_back.hpp"

namespace jimbot {

namespace {

// Face-down jokers take the places they have in the order of their creation: their real order is not known.
void order_hidden_jokers(State& copy) {
    Joker hidden[kMaxJokers];
    int count = 0;
    for (int i = 0; i < copy.joker_count; ++i) {
        if ((copy.jokers[i].flags & joker_face_down) != 0) {
            hidden[count++] = copy.jokers[i];
        }
    }
    if (count < 2) {
        return;
    }
    std::sort(hidden, hidden + count, [](const Joker& a, const Joker& b) { return a.created < b.created; });
    for (int i = 0, next = 0; i < copy.joker_count; ++i) {
        if ((copy.jokers[i].flags & joker_face_down) != 0) {
            copy.jokers[i] = hidden[next++];
        }
    }
}

}  // namespace

void score_on_copy(Scoring& scoring, std::uint32_t mask) {
    State& copy = scoring.state;
    order_hidden_jokers(copy);
    int kept = 0;
    for (int i = 0; i < copy.hand_count; ++i) {
        const std::uint8_t index = copy.hand[i];
        if ((copy.cards[index].flags & card_face_down) != 0) {
            copy.cards[index].flags |= card_unknown;
        }
        if (((mask >> i) & 1) != 0) {
            copy.cards[index].flags |= card_played_this_ante;
            scoring.played[scoring.played_count++] = index;
        } else {
            copy.hand[kept++] = index;
        }
    }
    copy.hand_count = static_cast<std::uint8_t>(kept);
    --copy.round.hands_left;
    if (const BlindEntry& blind = active_blind(copy); blind.traits.play_effect == PlayEffect::money) {
        blind.hooks.hand_played(copy, scoring.played_count);
    }
    score_hand(scoring);
}

bool blind_interferes(const State& state, bool holds_cards) {
    const BlindEntry& blind = active_blind(state);
    return blind.hooks.hand_played != nullptr &&
           (blind.traits.play_effect == PlayEffect::unknown ||
            (blind.traits.play_effect == PlayEffect::held_cards && holds_cards));
}

bool hides_something(const State& state) {
    for (int i = 0; i < state.hand_count; ++i) {
        if ((state.cards[state.hand[i]].flags & card_face_down) != 0) {
            return true;
        }
    }
    for (int i = 0; i < state.joker_count; ++i) {
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            return true;
        }
    }
    return false;
}

Scoring& Rehearsal::score(std::uint32_t mask, Outcomes outcomes) {
    if (touched_) {
        put_back_play(copy_, state_);
    }
    touched_ = true;
    scoring_.emplace(copy_, outcomes);
    score_on_copy(*scoring_, mask);
    return *scoring_;
}

Preview preview_play(const State& state, std::uint32_t mask) {
    Rehearsal rehearsal(state);
    const Scoring& worst = rehearsal.score(mask, Outcomes::worst);
    Preview preview{};
    preview.hand = worst.hand;
    preview.blocked = worst.blocked;
    preview.chips = worst.chips;
    preview.mult = worst.mult;
    preview.worst = worst.score;
    preview.money = rehearsal.after().money - state.money;
    const bool interferes = blind_interferes(state, rehearsal.after().hand_count > 0);
    const bool rolled = worst.rolled;
    preview.exact = !rolled && !hides_something(state) && !interferes;
    preview.best = preview.mean = preview.worst;
    if (rolled) {
        preview.best = rehearsal.score(mask, Outcomes::best).score;
        preview.mean = rehearsal.score(mask, Outcomes::mean).score;
    }
    return preview;
}

}  // namespace jimbot
