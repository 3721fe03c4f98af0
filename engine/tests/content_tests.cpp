// Jokers that the game does not have: an id and a table entry are all that the rules and the previews need.
// This program is built with the tables of content_ids.hpp and content_jokers.hpp.

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"
#include "rules/scoring.hpp"
#include "tests/check.hpp"
#include "view/preview_all.hpp"

using namespace jimbot;

namespace {

void give_joker(State& state, JokerId id) {
    Item item{};
    item.kind = ItemKind::joker;
    item.id = id;
    item.card.created = state.next_created++;
    add_joker(state, joker_from_item(state, item));
}

State start(std::initializer_list<JokerId> jokers) {
    State state{};
    start_run(state, {.seed = "7LB2WVPK"});
    for (const JokerId id : jokers) {
        give_joker(state, id);
    }
    return state;
}

// A round whose hand is a pair of Kings of this suit and of Clubs, and nothing else.
State with_kings(std::initializer_list<JokerId> jokers, Suit suit) {
    State state = start(jokers);
    apply(state, {ActionKind::select_blind});
    state.round.target = 1e9;
    state.hand_count = 2;
    for (int i = 0; i < 2; ++i) {
        Card& card = state.cards[state.hand[i]];
        card.rank = kKing;
        card.suit = i == 0 ? suit : suit_clubs;
    }
    return state;
}

double play_pair(State& state) {
    const double before = state.round.score;
    CHECK(apply(state, {.kind = ActionKind::play_hand, .mask = 3}) == Refusal::none);
    return state.round.score - before;
}

constexpr double kPairChips = 10 + 10 + 10;
constexpr double kPairMult = 2;

std::size_t at(Pool pool) { return static_cast<std::size_t>(pool); }

}  // namespace

TEST(made_up_jokers_stand_behind_those_of_the_game) {
    CHECK_EQ(int{j_test_tally}, int{j_perkeo} + 1);
    CHECK_EQ(kJokers[j_test_tally].key, std::string_view("j_test_tally"));
    CHECK_EQ(kPoolLengths[at(Pool::common)], 62);
    CHECK_EQ(kPoolLengths[at(Pool::uncommon)], 64);
    CHECK_EQ(kPoolLengths[at(Pool::rare)], 21);
    CHECK_EQ(kPoolLengths[at(Pool::legendary)], 6);
    CHECK_EQ(kPoolMembers[at(Pool::common)][61], int{j_test_tally});
}

TEST(a_made_up_joker_scores_and_keeps_its_own_numbers) {
    State state = with_kings({j_test_tally}, suit_hearts);
    CHECK_EQ(play_pair(state), (kPairChips + 20) * (kPairMult + 3));
    CHECK_EQ(state.jokers[0].value, 20.0);

    State spades = with_kings({j_test_tally}, suit_spades);  // no Heart: only the chips
    CHECK_EQ(play_pair(spades), (kPairChips + 20) * kPairMult);

    State debuffed = with_kings({j_test_tally}, suit_hearts);
    debuffed.jokers[0].flags |= joker_perished;
    CHECK_EQ(play_pair(debuffed), kPairChips * kPairMult);
}

TEST(blueprint_copies_a_made_up_joker_without_growing_it) {
    State state = with_kings({j_blueprint, j_test_tally}, suit_hearts);
    // The tally grows once, after the copy; both then add its chips, and both see the Heart.
    CHECK_EQ(play_pair(state), (kPairChips + 2 * 20) * (kPairMult + 2 * 3));
    CHECK_EQ(state.jokers[1].value, 20.0);

    State behind = with_kings({j_test_tally, j_blueprint}, suit_hearts);  // nothing to its right
    CHECK_EQ(play_pair(behind), (kPairChips + 20) * (kPairMult + 3));
}

TEST(a_made_up_joker_copies_others) {
    State state = with_kings({j_test_tally, j_test_mirror}, suit_hearts);
    CHECK_EQ(play_pair(state), (kPairChips + 2 * 20) * (kPairMult + 2 * 3));

    State leftmost = with_kings({j_test_mirror, j_test_tally}, suit_hearts);  // it would copy itself
    CHECK_EQ(play_pair(leftmost), (kPairChips + 20) * (kPairMult + 3));

    State lens = start({j_test_lens, j_test_mirror});  // what cannot be copied counts once
    CHECK_EQ(odds_factor(lens), 3);
}

TEST(a_made_up_joker_changes_the_rules_while_it_is_active) {
    State state = start({});
    const int size = hand_size(state);
    Card card = front_card(0);
    Item planet{};
    planet.kind = ItemKind::consumable;
    planet.id = c_pluto;
    const auto expect = [&](bool active) {
        CHECK_EQ(is_face_card(state, card), active);
        CHECK_EQ(poker_rules(state).smeared, active);
        CHECK_EQ(poker_rules(state).four_fingers, false);
        CHECK_EQ(odds_factor(state), active ? 3 : 1);
        CHECK_EQ(money_floor(state), active ? -10 : 0);
        CHECK_EQ(interest_on(state, 12), active ? 2 * 3 : 2);
        CHECK_EQ(price_of(state, planet), active ? 0 : 3);
        CHECK_EQ(hand_size(state), size + (active ? 1 : 0));
        CHECK_EQ(state.free_rerolls, active ? 2 : 0);
    };
    expect(false);
    give_joker(state, j_test_lens);
    expect(true);
    set_joker_flags(state, state.jokers[0], joker_perished);
    expect(false);
    set_joker_flags(state, state.jokers[0], 0);
    expect(true);
    remove_joker(state, 0);
    expect(false);
}

TEST(a_made_up_joker_is_drawn_from_its_pool) {
    State state = start({});
    const auto pool = at(Pool::common);
    const PoolPlace place = kJokerPlaces[j_test_tally];
    state.locked[pool] = ~(std::uint64_t{1} << place.index);
    CHECK_EQ(draw_from_pool(state, Pool::common, Stream::joker_common_shop), int{j_test_tally});
    give_joker(state, j_test_tally);  // it exists now: the empty pool gives what it always gives
    CHECK_EQ(draw_from_pool(state, Pool::common, Stream::joker_common_shop), int{j_joker});
    remove_joker(state, 0);
    CHECK_EQ(draw_from_pool(state, Pool::common, Stream::joker_common_shop), int{j_test_tally});

    State open = start({});
    int drawn = 0;
    constexpr int kDraws = 6200;
    for (int i = 0; i < kDraws; ++i) {
        drawn += draw_from_pool(open, Pool::common, Stream::joker_common_shop) == j_test_tally ? 1 : 0;
    }
    CHECK(drawn > 60 && drawn < 140);  // one in 61 that are available
}

TEST(a_made_up_joker_is_bought_and_sold) {
    State state = start({});
    state.phase = Phase::shop;
    state.money = 6;
    state.shop.slot_count = 1;
    Item& item = state.shop.slots[0];
    item.kind = ItemKind::joker;
    item.id = j_test_tally;
    item.card.created = state.next_created++;
    CHECK(apply(state, {ActionKind::buy_card}) == Refusal::none);
    CHECK_EQ(state.joker_count, 1);
    CHECK_EQ(state.money, 0);
    CHECK(apply(state, {ActionKind::sell_joker}) == Refusal::none);
    CHECK_EQ(state.joker_count, 0);
    CHECK_EQ(state.money, 3);
}

TEST(every_preview_of_a_made_up_joker_is_what_the_play_scores) {
    for (const std::initializer_list<JokerId> jokers : {std::initializer_list<JokerId>{j_test_tally},
                                                        {j_test_mirror, j_test_tally, j_blueprint},
                                                        {j_test_lens, j_test_tally, j_test_mirror}}) {
        State state = start(jokers);
        apply(state, {ActionKind::select_blind});
        state.round.target = 1e9;
        const auto plays =
            std::make_unique<PlayPreview[]>(static_cast<std::size_t>(count_plays(state.hand_count)));
        const int count = preview_all(state, plays.get());
        CHECK(count > 200);
        int wrong = 0;
        for (int i = 0; i < count; ++i) {
            State copy = state;
            apply(copy, {.kind = ActionKind::play_hand, .mask = plays[static_cast<std::size_t>(i)].mask});
            wrong += copy.round.score != plays[static_cast<std::size_t>(i)].score ? 1 : 0;
        }
        CHECK_EQ(wrong, 0);
    }
}
