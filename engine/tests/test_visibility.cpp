// What is hidden changes nothing that a player is given: states that differ in hidden parts alone.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/snapshot.hpp"
#include "play/expert.hpp"
#include "play/public_state.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"
#include "view/observation.hpp"
#include "view/visibility.hpp"

using namespace jimbot;

namespace {

State start() {
    RunOptions options;
    options.seed = "7LB2WVPK";
    State state;
    start_run(state, options);
    return state;
}

void take(State& state, ActionKind kind, std::uint32_t mask = 0) {
    CHECK(apply(state, Action{kind, 0, 0, 0, mask}) == Refusal::none);
}

State in_blind() {
    State state = start();
    take(state, ActionKind::select_blind);
    return state;
}

State in_shop() {
    State state = in_blind();
    state.round.target = 0;
    take(state, ActionKind::play_hand, 1);
    take(state, ActionKind::cash_out);
    return state;
}

std::vector<unsigned char> observation_bytes(const State& state) {
    const auto out = std::make_unique<Observation>();
    const auto cache = std::make_unique<ObservationCache>();
    observe(state, Pending{}, *cache, *out);
    std::vector<unsigned char> bytes(sizeof(Observation));
    std::memcpy(bytes.data(), out.get(), bytes.size());
    return bytes;
}

bool looks_the_same(const State& a, const State& b) {
    return observation_bytes(a) == observation_bytes(b) &&
           state_hash(public_state(a)) == state_hash(public_state(b)) &&
           expert_action(a, ExpertWeights{}) == expert_action(b, ExpertWeights{});
}

}  // namespace

TEST(order_of_the_draw_pile_is_not_seen) {
    for (const State& state : {start(), in_blind(), in_shop()}) {
        State other = state;
        std::reverse(other.draw_pile, other.draw_pile + other.draw_count);
        CHECK(state_hash(other) != state_hash(state));
        CHECK(looks_the_same(state, other));
    }
}

TEST(random_streams_are_not_seen) {
    for (const State& state : {start(), in_blind(), in_shop()}) {
        State other = state;
        use_fast_streams(other.streams, 3);
        CHECK(looks_the_same(state, other));
        start_streams(other.streams, "OTHER");
        CHECK(looks_the_same(state, other));
    }
}

TEST(the_voucher_is_seen_from_the_first_shop_on) {
    for (const State& state : {start(), in_blind(), in_shop()}) {
        State other = state;
        other.voucher = state.voucher == v_blank ? v_hone : v_blank;
        CHECK_EQ(ante_voucher_seen(state), state.phase == Phase::shop);
        CHECK_EQ(observation_bytes(state) == observation_bytes(other), state.phase != Phase::shop);
    }
}

TEST(hidden_choices_become_equal_and_seen_ones_stay) {
    State state = in_shop();
    State other = state;
    state.targets = {kKing, suit_hearts, 7, suit_clubs, suit_diamonds};
    other.targets = {3, suit_spades, kAce, suit_hearts, suit_spades};
    state.blind_tags[0] = other.blind_tags[0] = tag_economy;
    state.orbital_hands[0] = hand_pair;
    other.orbital_hands[0] = hand_flush;
    state.shop.slots[0] = other.shop.slots[0] = {};
    state.shop.slots[1] = other.shop.slots[1] = {};
    CHECK(state_hash(state) != state_hash(other));
    State hidden = state;
    State hidden_other = other;
    hide_unseen_choices(hidden);
    hide_unseen_choices(hidden_other);
    CHECK_EQ(state_hash(hidden), state_hash(hidden_other));
    state.shop.slots[0].kind = ItemKind::joker;
    state.shop.slots[0].id = j_castle;
    CHECK(target_in_sight(state, RoundTarget::castle_suit));
    CHECK(!target_in_sight(state, RoundTarget::idol_card));
    hide_unseen_choices(state);
    CHECK_EQ(state.targets.castle_suit, suit_clubs);
    CHECK_EQ(state.targets.idol_rank, 0);
    CHECK_EQ(state.targets.ancient_suit, suit_count);
    CHECK_EQ(state.voucher, hidden.voucher);
}
