// Formulas that have one function each (interest, bases of hand types, the next blind, rates of shops), and
// what the tables promise.

#include <array>
#include <string_view>

#include "catalog/catalog.hpp"
#include "play/build_strength.hpp"
#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "rules/game.hpp"
#include "rules/generate.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

State start(DeckId deck = b_red) {
    State state{};
    start_run(state, {.seed = "7LB2WVPK", .deck = deck});
    return state;
}

void give_joker(State& state, JokerId id) {
    Item item{};
    item.kind = ItemKind::joker;
    item.id = id;
    item.card.created = state.next_created++;
    add_joker(state, joker_from_item(state, item));
}

State in_boss(BlindId boss) {
    State state = start();
    state.blind_on_deck = 2;
    state.boss = boss;
    apply(state, {ActionKind::select_blind});
    return state;
}

}  // namespace

TEST(interest_is_paid_per_five_dollars_up_to_the_cap) {
    const State state = start();
    for (const auto& [money, paid] : {std::array{-7, 0}, {0, 0}, {4, 0}, {5, 1}, {24, 4}, {25, 5}, {90, 5}}) {
        CHECK_EQ(interest_on(state, money), paid);
    }
    CHECK_EQ(interest_cap(state), 25);
}

TEST(vouchers_raise_the_cap_of_interest_and_jokers_its_rate) {
    State state = start();
    state.vouchers = bit(v_seed_money);
    CHECK_EQ(interest_on(state, 90), 10);
    state.vouchers |= bit(v_money_tree);
    CHECK_EQ(interest_on(state, 90), 18);
    give_joker(state, j_to_the_moon);
    CHECK_EQ(interest_on(state, 90), 36);
    CHECK_EQ(interest_on(state, 4), 0);
    set_joker_flags(state, state.jokers[0], joker_perished);
    CHECK_EQ(interest_on(state, 90), 18);
}

TEST(green_deck_and_some_challenges_pay_no_interest) {
    State green = start(b_green);
    give_joker(green, j_to_the_moon);
    CHECK_EQ(interest_on(green, 90), 0);
    CHECK_EQ(interest_cap(green), 0);
    State challenge = start();
    challenge.challenge_rules = rule_no_interest;
    CHECK_EQ(interest_on(challenge, 90), 0);
    challenge.challenge_rules = rule_no_hand_money;  // another rule changes nothing
    CHECK_EQ(interest_on(challenge, 90), 5);
}

TEST(spending_costs_the_scripted_player_the_interest_that_is_paid) {
    const ExpertWeights weights;
    const Standing standing{.strength = 0, .margin = 0, .weakness = 0, .horizon = 0, .rounds_left = 20};
    const auto cost = [&](State& state, int money) {
        state.money = money;
        return money_cost(state, weights, standing, 5);
    };
    State red = start();
    const double step = weights[w_interest];
    const double below = 5 * weights[w_dollar];
    const double above = 5 * weights[w_dollar_rich];
    CHECK_EQ(cost(red, 20), below + step);
    CHECK_EQ(cost(red, 40), above);
    State moon = start();
    give_joker(moon, j_to_the_moon);
    CHECK_EQ(cost(moon, 20), below + 2 * step);
    State green = start(b_green);
    CHECK_EQ(cost(green, 20), above);  // no dollar earns anything by being kept
    State challenge = start();
    challenge.challenge_rules = rule_no_interest;
    CHECK_EQ(cost(challenge, 20), above);
}

TEST(a_hand_starts_from_its_level) {
    CHECK_EQ(hand_base(hand_pair, 1).chips, 10.0);
    CHECK_EQ(hand_base(hand_pair, 1).mult, 2.0);
    CHECK_EQ(hand_base(hand_pair, 4).chips, 55.0);
    CHECK_EQ(hand_base(hand_pair, 4).mult, 5.0);
    CHECK_EQ(hand_base(hand_high_card, 0).chips, 0.0);  // never below nothing
    CHECK_EQ(hand_base(hand_high_card, 0).mult, 1.0);
}

TEST(blinds_change_what_a_hand_starts_from) {
    State plain = start();
    plain.hands[hand_flush].level = 2;
    CHECK_EQ(base_if_played(plain, hand_flush).chips, 50.0);
    CHECK_EQ(base_if_played(plain, hand_flush).mult, 6.0);

    State arm = in_boss(bl_arm);
    arm.hands[hand_flush].level = 2;
    CHECK_EQ(base_if_played(arm, hand_flush).chips, 35.0);
    CHECK_EQ(base_if_played(arm, hand_pair).chips, 10.0);  // level 1 stays
    disable_boss(arm);
    CHECK_EQ(base_if_played(arm, hand_flush).chips, 50.0);

    State flint = in_boss(bl_flint);
    CHECK_EQ(base_if_played(flint, hand_flush).chips, 18.0);  // 17.5 is rounded up
    CHECK_EQ(base_if_played(flint, hand_flush).mult, 2.0);
    CHECK_EQ(base_if_played(flint, hand_high_card).chips, 3.0);
    CHECK_EQ(base_if_played(flint, hand_high_card).mult, 1.0);
    disable_boss(flint);
    CHECK_EQ(base_if_played(flint, hand_flush).chips, 35.0);
}

TEST(the_next_blind_is_the_one_on_deck) {
    State state = start();
    state.boss = bl_wall;
    for (const auto& [on_deck, blind] : {std::array{0, int{bl_small}}, {1, int{bl_big}}, {2, int{bl_wall}}}) {
        state.blind_on_deck = static_cast<std::uint8_t>(on_deck);
        CHECK_EQ(int{next_blind(state)}, blind);
    }
    CHECK_EQ(next_target(state), 1200.0);
    state.blind_on_deck = 0;
    apply(state, {ActionKind::select_blind});
    state.round.target = 7;
    CHECK_EQ(next_target(state), 7.0);  // of the round being played
}

TEST(vouchers_and_decks_set_the_rates_of_shops) {
    using Rates = std::array<double, kShopTypes>;
    State state = start();
    CHECK(shop_rates(state) == Rates{20, 4, 4, 0, 0});
    state.vouchers =
        bit(v_tarot_merchant) | bit(v_planet_merchant) | bit(v_planet_tycoon) | bit(v_magic_trick);
    CHECK(shop_rates(state) == Rates{20, 9.6, 32, 4, 0});
    CHECK(shop_rates(start(b_ghost)) == Rates{20, 4, 4, 0, 2});
    state.challenge_rules = rule_no_shop_jokers;
    CHECK_EQ(shop_rates(state)[0], 0.0);
}

TEST(every_tag_says_what_it_does_at_its_moment) {
    for (std::size_t id = 1; id < tag_end; ++id) {
        const TagEntry& tag = kTagEntries[id];
        switch (tag.timing) {
        case TagTiming::store_joker_create:
            CHECK(tag.create_joker != nullptr);
            break;
        case TagTiming::store_joker_modify:
            CHECK(tag.edition != e_none);
            break;
        case TagTiming::new_blind_choice:
            CHECK((tag.pack != p_none) != (tag.apply != nullptr));
            break;
        case TagTiming::eval:
            CHECK(tag.dollars > 0);
            break;
        case TagTiming::tag_add:  // one more of every tag that is gained
            CHECK(tag.apply == nullptr);
            break;
        default:
            CHECK(tag.apply != nullptr);
            break;
        }
    }
}

TEST(a_run_is_as_large_as_the_design_says) {
    CHECK_EQ(sizeof(State), 8160u);
    constexpr std::array<int, kPools> kLengths = {61, 64, 20, 5, 22, 12, 18};
    for (std::size_t pool = 0; pool < kPools; ++pool) {
        CHECK_EQ(kPoolLengths[pool], kLengths[pool]);
    }
}
