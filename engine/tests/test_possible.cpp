// Possible states: what is accepted can be played, what cannot be played is refused, and bounds hold in play.

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/snapshot.hpp"
#include "fuzz/mutants.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/generate.hpp"
#include "rules/owned.hpp"
#include "rules/pools.hpp"
#include "rules/round.hpp"
#include "rules/run.hpp"
#include "rules/shop.hpp"
#include "tests/check.hpp"

using namespace jimbot;

namespace {

State start(std::string_view seed) {
    State state{};
    RunOptions options;
    options.seed = seed;
    start_run(state, options);
    return state;
}

State in_blind() {
    State state = start("POSSIBLE");
    apply(state, {ActionKind::select_blind});
    return state;
}

State in_shop() {
    State state = in_blind();
    state.round.target = 0;
    apply(state, {ActionKind::play_hand, 0, 0, 0, 1});
    apply(state, {ActionKind::cash_out});
    return state;
}

State in_pack() {
    State state = in_shop();
    state.money = 100;
    apply(state, {ActionKind::open_pack});
    return state;
}

void give_joker(State& state, JokerId id) {
    Item item{};
    item.kind = ItemKind::joker;
    item.id = id;
    item.card.created = state.next_created++;
    add_joker(state, joker_from_item(state, item));
}

// Whether a state is possible, and no longer once it is changed.
void check_refused(const char* what, State state, const std::function<void(State&)>& change) {
    CHECK(possible_state(state));
    change(state);
    if (possible_state(state)) {
        CHECK_EQ(std::string("accepted"), std::string(what));
    }
}

}  // namespace

TEST(possible_states_are_playable) {
    fuzz::Report report;
    for (std::uint64_t game = 0; game < 60; ++game) {
        fuzz::Random random(game);
        const fuzz::GamePlan plan = fuzz::plan_game(3, game);
        State state = start(plan.seed);
        for (int step = 0; step < 60 && state.phase != Phase::game_over; ++step) {
            if (random.one_in(6)) {
                State mutant = state;
                bool possible = true;
                for (int i = random.below(3); i >= 0 && possible; --i) {
                    possible = fuzz::mutate(mutant, random);
                }
                State before;
                Action culprit{};
                if (possible) {
                    const fuzz::Broken broken =
                        fuzz::check_playable(mutant, 10, random, report, before, culprit);
                    CHECK_EQ(broken.detail, std::string());
                }
            }
            if (state.phase == Phase::playing) {
                state.round.target = 0;  // so that shops and later antes are reached
            }
            apply(state, fuzz::choose_action(state, fuzz::legal_list(state), plan, random));
        }
    }
    CHECK(report.mutants > 100);
}

TEST(possible_numbers_have_bounds) {
    const State blind = in_blind();
    check_refused("money", blind, [](State& s) { s.money = kMaxMoney + 1; });
    check_refused("debt", blind, [](State& s) { s.money = -kMaxMoney - 1; });
    check_refused("ante", blind, [](State& s) { s.ante = kMaxAnte + 1; });
    check_refused("low ante", blind, [](State& s) { s.ante = kMinAnte - 1; });
    check_refused("level", blind, [](State& s) { s.hands[hand_pair].level = kMaxLevel + 1; });
    check_refused("negative level", blind, [](State& s) { s.hands[hand_pair].level = -1; });
    check_refused("rounds", blind, [](State& s) { s.rounds = -1; });
    check_refused("inflation", blind, [](State& s) { s.inflation = kMaxCount + 1; });
    check_refused("hand size", blind, [](State& s) { s.base_hand_size = kMaxCount + 1; });
    check_refused("hands left", blind, [](State& s) { s.round.hands_left = -1; });
    check_refused("no hands left", blind, [](State& s) { s.round.hands_left = 0; });
    check_refused("score", blind, [](State& s) { s.round.score = std::nan(""); });
    check_refused("target", blind, [](State& s) { s.round.target = -1; });
    check_refused("cash-out", blind, [](State& s) { s.cash_out.jokers = kMaxMoney + 1; });
    check_refused("created", blind, [](State& s) { s.next_created = kMaxCreated + 1; });
    State jokers = blind;
    give_joker(jokers, j_rocket);
    check_refused("stored infinity", jokers,
                  [](State& s) { s.jokers[0].value = std::numeric_limits<double>::infinity(); });
    check_refused("stored not-a-number", jokers, [](State& s) { s.jokers[0].value = std::nan(""); });
    check_refused("stored debt", jokers, [](State& s) { s.jokers[0].value = -1; });
    check_refused("counter", jokers, [](State& s) { s.jokers[0].counter = kMaxCounter + 1; });
    State shop = in_shop();
    give_joker(shop, j_joker);
    check_refused("face-down joker in the shop", shop, [](State& s) { s.jokers[0].flags = joker_face_down; });
    check_refused("joker of the future", jokers, [](State& s) { s.jokers[0].created = s.next_created; });
}

TEST(possible_indices_have_bounds) {
    const State blind = in_blind();
    check_refused("tag of the ante", blind, [](State& s) { s.blind_tags[0] = tag_none; });
    check_refused("tag's hand", blind, [](State& s) { s.tags[s.tag_count++] = {tag_orbital, hand_types}; });
    check_refused("two forced cards", blind, [](State& s) {
        s.cards[s.hand[0]].flags |= card_forced;
        s.cards[s.hand[1]].flags |= card_forced;
    });
    check_refused("forced in the pile", blind,
                  [](State& s) { s.cards[s.draw_pile[0]].flags |= card_forced; });
    check_refused("unknown card", blind, [](State& s) { s.cards[0].flags |= card_unknown; });
    check_refused("hand in the shop", blind, [](State& s) {
        s.phase = Phase::shop;
        s.round.blind = bl_none;
    });
    check_refused("blind in the shop", in_shop(), [](State& s) { s.round.blind = bl_small; });
    const State pack = in_pack();
    check_refused("pack that returns to a pack", pack, [](State& s) { s.pack_returns_to = Phase::pack; });
    check_refused("pack without choices", pack, [](State& s) { s.pack.choices_left = 0; });
    check_refused("cards of one number", pack, [](State& s) {
        s.pack.cards[0] = {};
        s.pack.cards[0].kind = ItemKind::playing_card;
        s.pack.cards[0].card = s.cards[3];
    });
}

TEST(possible_streams_are_those_of_the_seed) {
    const State blind = in_blind();
    check_refused("seed's hash", blind, [](State& s) { s.streams.seed_hash = std::nan(""); });
    check_refused("part of a hash", blind, [](State& s) { s.streams.seed_partial[5] = 0.25; });
    check_refused("letter", blind, [](State& s) { s.streams.seed[0] = 'a'; });
    check_refused("other seed", blind, [](State& s) { s.streams.seed[0] = 'Q'; });
    check_refused("rest of the seed", start("AB"), [](State& s) { s.streams.seed[5] = 'A'; });
    check_refused("value", blind, [](State& s) { s.streams.run[0] = 2.0; });
    check_refused("negative value", blind, [](State& s) { s.streams.run[0] = -0.5; });
    State broken = blind;
    broken.streams.run[0] = kNotANumber;  // as some streams of real seeds are
    CHECK(possible_state(broken));
}

TEST(bounds_hold_in_play) {
    State state = in_blind();
    state.money = kMaxMoney - 3;
    earn(state, 10);
    CHECK_EQ(state.money, kMaxMoney);
    earn(state, -10);
    CHECK_EQ(state.money, kMaxMoney - 10);
    state.money = -kMaxMoney + 3;
    earn(state, -kMaxMoney);
    CHECK_EQ(state.money, -kMaxMoney);
    state.hands[hand_pair].level = kMaxLevel - 1;
    level_up(state, hand_pair, 3);
    CHECK_EQ(state.hands[hand_pair].level, kMaxLevel);
    level_up(state, hand_pair, -1);
    CHECK_EQ(state.hands[hand_pair].level, kMaxLevel - 1);
    CashOut rows{};
    rows.jokers = rows.tags = rows.interest = kMaxMoney;
    CHECK_EQ(cash_out_total(rows), kMaxMoney);
    rows = {3, 4, 0, 0, 25, 5};
    CHECK_EQ(cash_out_total(rows), 37);
    state.ante = kMaxAnte;
    begin_next_ante(state);
    CHECK_EQ(state.ante, kMaxAnte);
    state.ante = kMinAnte;
    redeem_voucher(state, v_hieroglyph);
    CHECK_EQ(state.ante, kMinAnte);
}

TEST(counters_stay_at_their_largest_number) {
    State state = in_blind();
    state.round.target = 1e12;
    state.hands_played = state.round.hands_played = UINT16_MAX;
    state.round.hands_left = 9;
    state.hands[hand_high_card].played = UINT16_MAX;
    state.hands[hand_high_card].played_this_round = UINT8_MAX;
    CHECK_EQ(apply(state, {ActionKind::play_hand, 0, 0, 0, 1}), Refusal::none);
    CHECK_EQ(state.hands_played, UINT16_MAX);
    CHECK_EQ(state.round.hands_played, UINT16_MAX);
    CHECK_EQ(state.hands[hand_high_card].played, UINT16_MAX);
    CHECK_EQ(state.hands[hand_high_card].played_this_round, UINT8_MAX);
    state = in_shop();
    state.money = 1'000;
    state.reroll_growth = 0;
    apply(state, {ActionKind::reroll_shop});
    CHECK_EQ(state.reroll_growth, 1);
    state.money = kMaxMoney;
    state.reroll_growth = kMaxCount;
    CHECK_EQ(apply(state, {ActionKind::reroll_shop}), Refusal::none);
    CHECK_EQ(state.reroll_growth, kMaxCount);
}

TEST(every_boss_locked_is_no_boss_locked) {
    State locked = start("LOCKED");
    State open = locked;
    locked.locked_blinds = ~std::uint32_t{0};
    for (int i = 0; i < 40; ++i) {
        locked.ante = open.ante = static_cast<std::int16_t>(1 + i % 16);
        const BlindId boss = draw_boss(locked);
        CHECK(boss > bl_big && boss < bl_end);
        CHECK_EQ(boss, draw_boss(open));
    }
    State one = start("LOCKED");
    one.locked_blinds = ~bit(bl_hook);
    for (int i = 0; i < 20; ++i) {
        CHECK_EQ(draw_boss(one), bl_hook);
    }
}

TEST(every_pack_locked_is_no_pack_locked) {
    State locked = start("LOCKED");
    State open = locked;
    locked.locked_packs = ~std::uint32_t{0};
    locked.first_pack_given = open.first_pack_given = 1;
    for (int i = 0; i < 20; ++i) {
        const PackId pack = draw_booster(locked);
        CHECK(pack > p_none && pack < p_end);
        CHECK_EQ(pack, draw_booster(open));
    }
    State one = start("LOCKED");
    one.locked_packs = ~bit(p_arcana_normal_1);
    CHECK_EQ(draw_booster(one), p_arcana_normal_1);
}
