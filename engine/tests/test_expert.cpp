// The parts of the scripted player: arithmetic, hand model, probability estimates, values of items.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "play/expert.hpp"
#include "play/expert_run.hpp"
#include "play/hand_choice.hpp"
#include "play/joker_order.hpp"
#include "play/outlook.hpp"
#include "play/plain_math.hpp"
#include "play/public_state.hpp"
#include "play/shop_value.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"
#include "vector/episode.hpp"
#include "view/hidden.hpp"
#include "view/preview_all.hpp"

using namespace jimbot;

namespace {

State start(std::string_view seed) {
    State state{};
    RunOptions options;
    options.seed = seed;
    start_run(state, options);
    return state;
}

State in_blind(std::string_view seed) {
    State state = start(seed);
    apply(state, {ActionKind::select_blind});
    return state;
}

void give_joker(State& state, JokerId id) {
    Item item{};
    item.kind = ItemKind::joker;
    item.id = id;
    item.card.created = state.next_created++;
    add_joker(state, joker_from_item(state, item));
}

// The best score of any play of the hand, by exact previews.
double best_preview(const State& state) {
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(state.hand_count)));
    const int count = preview_all(state, plays.data());
    double best = 0;
    for (int i = 0; i < count; ++i) {
        best = std::max(best, plays[static_cast<std::size_t>(i)].blocked
                                  ? 0.0
                                  : plays[static_cast<std::size_t>(i)].score);
    }
    return best;
}

constexpr std::string_view kSeeds[] = {"AAAAAAAA", "7LB2WVPK", "EXPERT11",
                                       "ZZTOP123", "JIMB9999", "C3PQ4R5S"};

}  // namespace

TEST(expert_plain_arithmetic_is_close_to_the_library) {
    for (const double x : {1.0, 1.5, 2.0, 10.0, 300.0, 12345.678, 1e9, 1e100}) {
        CHECK(std::fabs(plain_log(x) - std::log(x)) < 1e-6);
    }
    CHECK_EQ(plain_log(0.5), 0.0);
    for (const double z : {-3.0, -1.0, -0.3, 0.0, 0.5, 1.0, 2.0}) {
        CHECK(std::fabs(plain_normal(z) - 0.5 * std::erfc(-z / std::sqrt(2.0))) < 0.02);
    }
}

TEST(expert_weights_have_names_and_lie_within_their_bounds) {
    std::set<std::string> names;
    for (int id = 0; id < weight_count; ++id) {
        const WeightEntry entry = weight_entry(id);
        CHECK(names.insert(weight_name(id)).second);
        CHECK(entry.low <= entry.value && entry.value <= entry.high);
        CHECK(!entry.text.empty());
    }
    CHECK_EQ(weight_name(w_hand_samples), std::string("hand_samples"));
    CHECK_EQ(weight_name(w_boss_reroll), std::string("boss_reroll"));
    CHECK_EQ(weight_name(w_joker_first), std::string("joker.j_joker"));
    CHECK_EQ(weight_name(w_consumable_first), std::string("consumable.c_fool"));
    CHECK_EQ(weight_name(w_voucher_first), std::string("voucher.v_overstock_norm"));
    CHECK_EQ(weight_name(w_tag_first), std::string("tag.tag_uncommon"));
    CHECK_EQ(weight_name(weight_count - 1), std::string("boss.bl_final_bell"));
}

TEST(expert_model_finds_the_best_play_that_previews_find) {
    const std::vector<std::vector<JokerId>> builds = {{},
                                                      {j_joker, j_duo},
                                                      {j_tribe, j_greedy_joker, j_odd_todd},
                                                      {j_order, j_scary_face},
                                                      {j_baron, j_shoot_the_moon, j_mime},
                                                      {j_four_fingers, j_crazy}};
    const auto model = std::make_unique<HandModel>();
    for (const std::string_view seed : kSeeds) {
        for (const std::vector<JokerId>& build : builds) {
            State state = in_blind(seed);
            for (const JokerId id : build) {
                give_joker(state, id);
            }
            build_hand_model(*model, state, state.round.hands_left - 1, state.round.discards_left);
            const BestPlay best = best_play(*model, state.hand, state.hand_count, state.hand_count);
            const double exact = best_preview(state);
            // Held effects and Four Fingers leave choices that the model does not look through.
            const bool close = !build.empty() && (build[0] == j_baron || build[0] == j_four_fingers);
            CHECK(best.score <= exact + 1.0);
            CHECK(best.score >= (close ? 0.8 : 1.0) * exact - 1.0);
        }
    }
}

// Builds that do not compose have only those plays previewed in which every card scores.
TEST(expert_previews_leave_out_only_plays_with_idle_cards) {
    for (const std::string_view seed : kSeeds) {
        for (const JokerId id : {j_joker, j_flower_pot, j_seeing_double, j_wee}) {
            State state = in_blind(seed);
            give_joker(state, id);
            std::vector<PlayPreview> all(static_cast<std::size_t>(count_plays(state.hand_count)));
            std::vector<PlayPreview> most = all;
            all.resize(static_cast<std::size_t>(preview_all(state, all.data())));
            most.resize(static_cast<std::size_t>(preview_most(state, most.data())));
            CHECK_EQ(most.size() == all.size(), id == j_joker);
            double best = 0;
            for (const PlayPreview& play : most) {
                best = std::max(best, play.score);
                const auto same = std::find_if(all.begin(), all.end(), [&](const PlayPreview& other) {
                    return other.mask == play.mask;
                });
                CHECK(same != all.end() && same->score == play.score && same->type == play.type);
            }
            CHECK_EQ(best, best_preview(state));
        }
    }
    State dark = in_blind("AAAAAAAA");  // nothing is known to score: every play is previewed
    for (int i = 0; i < dark.hand_count; ++i) {
        dark.cards[dark.hand[i]].flags |= card_face_down;
    }
    dark = public_state(dark);
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(dark.hand_count)));
    CHECK(preview_most(dark, plays.data()) > 0);
}

// Types that cannot be the best are left out by a bound; with no bounds the search finds the same. `enough`
// may end a search early, but never below what was enough.
TEST(expert_model_bounds_leave_no_better_play_out) {
    const std::vector<std::vector<JokerId>> builds = {{},
                                                      {j_photograph, j_hanging_chad},
                                                      {j_raised_fist, j_mime},
                                                      {j_blackboard, j_flower_pot, j_seeing_double},
                                                      {j_baron, j_shoot_the_moon, j_scary_face},
                                                      {j_splash, j_triboulet, j_odd_todd},
                                                      {j_four_fingers, j_shortcut, j_smeared}};
    constexpr EnhancementId kMany[] = {m_none, m_none, m_glass, m_steel, m_stone, m_mult, m_wild};
    const auto model = std::make_unique<HandModel>();
    const auto unbounded = std::make_unique<HandModel>();
    std::uint64_t random = 11;
    int pruned = 0;
    for (const std::string_view seed : kSeeds) {
        for (const std::vector<JokerId>& build : builds) {
            State state = in_blind(seed);
            for (const JokerId id : build) {
                give_joker(state, id);
            }
            const bool plain = random_below(random, 2) == 0;
            for (int i = 0; i < state.card_count && !plain; ++i) {
                state.cards[i].enhancement = kMany[random_below(random, 7)];
            }
            build_hand_model(*model, state, 2, 2);
            *unbounded = *model;
            std::fill(std::begin(unbounded->most), std::end(unbounded->most), 1e300);
            for (int trial = 0; trial < 40; ++trial) {
                std::uint8_t cards[kMaxModelHand];
                std::uint8_t deck[kMaxCards];
                const int count = 1 + random_below(random, 14);
                for (int i = 0; i < state.card_count; ++i) {
                    deck[i] = static_cast<std::uint8_t>(i);
                }
                for (int i = 0; i < count; ++i) {
                    std::swap(deck[i], deck[i + random_below(random, state.card_count - i)]);
                    cards[i] = deck[i];
                }
                const BestPlay best = best_play(*model, cards, count, 8);
                const BestPlay any = best_play(*unbounded, cards, count, 8);
                CHECK_EQ(best.score, any.score);
                CHECK_EQ(best.mask, any.mask);
                CHECK(best.score > 0 && best.mask != 0 && best.mask < (1u << count));
                for (int type = 0; type < hand_types; ++type) {
                    pruned += model->most[type] <= best.score ? 1 : 0;
                }
                for (const double share : {0.5, 1.0, 1.5}) {
                    const double enough = share * best.score;
                    const double found = best_play(*model, cards, count, 8, enough).score;
                    CHECK(found <= best.score);
                    CHECK_EQ(found >= enough, best.score >= enough);
                }
            }
        }
    }
    CHECK(pruned > 1000);
}

// Jokers that do the same to every hand are worked out once. Beside a joker that looks at the hand, and adds
// nothing to it, every hand type is worked out by itself, and comes to the same.
TEST(expert_model_shares_only_what_holds_for_every_hand) {
    const auto shared = std::make_unique<HandModel>();
    const auto apart = std::make_unique<HandModel>();
    int different = 0;
    for (int id = 0; id < static_cast<int>(kJokers.size()); ++id) {
        State state = in_blind("7LB2WVPK");
        state.money = 37;
        for (HandStats& hand : state.hands) {
            hand.played = static_cast<std::uint16_t>(2 + (&hand - state.hands));
            hand.played_this_round = static_cast<std::uint8_t>((&hand - state.hands) % 2);
        }
        give_joker(state, static_cast<JokerId>(id));
        state.jokers[0].value = 7;
        state.jokers[0].counter = 3;
        State looked = state;
        give_joker(state, j_credit_card);
        give_joker(looked, j_todo_list);
        looked.jokers[1].sell_bonus = static_cast<decltype(looked.jokers[1].sell_bonus)>(
            looked.jokers[1].sell_bonus + sell_value(state, state.jokers[1]) -
            sell_value(looked, looked.jokers[1]));
        build_hand_model(*shared, state, 2, 2);
        build_hand_model(*apart, looked, 2, 2);
        for (int type = hand_straight_flush; type < hand_types; ++type) {
            const ModelStage& one = shared->stages[type];
            const ModelStage& other = apart->stages[type];
            CHECK(one.chips == other.chips && one.mult == other.mult && one.factor == other.factor);
            CHECK(one.base_chips == other.base_chips && one.base_mult == other.base_mult);
            const ModelStage& last = shared->stages[hand_high_card];
            different +=
                one.chips != last.chips || one.mult != last.mult || one.factor != last.factor ? 1 : 0;
        }
    }
    CHECK(different > 50);
}

TEST(expert_model_respects_what_a_boss_refuses) {
    State state = in_blind("AAAAAAAA");
    const auto model = std::make_unique<HandModel>();
    state.round.blind = bl_mouth;
    state.round.only_hand = hand_pair;
    build_hand_model(*model, state, 2, 2);
    CHECK_EQ(model->allowed, 1 << hand_pair);
    state.round.blind = bl_eye;
    state.round.hand_types_seen = 1u << hand_pair;
    build_hand_model(*model, state, 2, 2);
    CHECK_EQ((model->allowed >> hand_pair) & 1, 0);
    CHECK_EQ((model->allowed >> hand_flush) & 1, 1);
}

// With one hand left and no discards the probability is the share of draws that reach the target: count them.
TEST(expert_chance_agrees_with_counting_every_draw) {
    const ExpertWeights weights;
    for (const std::string_view seed : kSeeds) {
        State state = public_state(in_blind(seed));
        state.round.hands_left = 1;
        state.round.discards_left = 1;
        const auto outlook = std::make_unique<Outlook>(weights);
        look_out(*outlook, state, 17);
        Holding holding{};
        for (int i = 0; i < state.hand_count - 1; ++i) {
            holding.cards[holding.count++] = state.hand[i];
        }
        holding.drawn = 1;
        holding.hands_left = 1;
        std::vector<double> scores;
        for (int i = 0; i < outlook->pool_count; ++i) {
            std::uint8_t cards[kMaxHand];
            std::copy(holding.cards, holding.cards + holding.count, cards);
            cards[holding.count] = outlook->pool[i];
            scores.push_back(best_play(outlook->model, cards, holding.count + 1, 8).score);
        }
        std::sort(scores.begin(), scores.end());
        holding.needed = scores[scores.size() * 2 / 3];
        const auto reaching = std::count_if(scores.begin(), scores.end(),
                                            [&](double score) { return score >= holding.needed; });
        const double exact = static_cast<double>(reaching) / static_cast<double>(scores.size());
        const double found = chance_of_clearing(*outlook, holding, 0, outlook->samples);
        CHECK(std::fabs(found - exact) < 0.25);
        holding.needed = scores.front();
        CHECK(chance_of_clearing(*outlook, holding, 0, outlook->samples) >= 1.0);
        holding.needed = 1e12;
        CHECK(chance_of_clearing(*outlook, holding, 0, outlook->samples) <= 0.0);
    }
}

TEST(expert_discards_towards_the_hand_that_can_still_win) {
    State state = in_blind("AAAAAAAA");
    // Four hearts to a flush; nothing else comes near the target.
    int next = 0;
    const auto put = [&](int rank, int suit) {
        Card& card = state.cards[state.hand[next++]];
        card.rank = static_cast<std::uint8_t>(rank);
        card.suit = static_cast<std::uint8_t>(suit);
    };
    put(13, suit_hearts);
    put(11, suit_hearts);
    put(9, suit_hearts);
    put(7, suit_hearts);
    put(12, suit_clubs);
    put(6, suit_spades);
    put(3, suit_diamonds);
    put(2, suit_clubs);
    state.round.hands_left = 1;
    state.round.discards_left = 2;
    state.round.target = 200;
    const Action action = choose_hand(public_state(state), ExpertWeights{}, 5);
    CHECK(action.kind == ActionKind::discard);
    CHECK_EQ(action.mask & 0x0fu, 0u);
}

TEST(expert_clears_a_blind_when_it_can) {
    const ExpertWeights weights;
    int clearable = 0;
    for (const std::string_view seed : kSeeds) {
        State state = in_blind(seed);
        state.round.target = best_preview(state);
        const Action action = choose_hand(public_state(state), weights, 3);
        CHECK(action.kind == ActionKind::play_hand);
        apply(state, action);
        CHECK(state.phase == Phase::round_eval);
        ++clearable;
    }
    CHECK_EQ(clearable, 6);
}

TEST(expert_multipliers_are_worth_more_than_additions_to_a_grown_build) {
    const ExpertWeights weights;
    const auto gain_of = [&](const State& state, JokerId id) {
        Item item{};
        item.kind = ItemKind::joker;
        item.id = id;
        return joker_gain(BuildView(state, weights, nullptr), item);
    };
    State young = start("AAAAAAAA");
    CHECK(gain_of(young, j_jolly).gain > gain_of(young, j_duo).gain);
    State grown = start("AAAAAAAA");
    grown.ante = 7;
    for (const JokerId id : {j_abstract, j_jolly, j_half, j_sly}) {
        give_joker(grown, id);
    }
    grown.hands[hand_pair].level = 10;
    CHECK(gain_of(grown, j_duo).gain > gain_of(grown, j_joker).gain + 0.3);
    CHECK_EQ(gain_of(grown, j_duo).replaces, -1);
    give_joker(grown, j_credit_card);
    const JokerGain full = gain_of(grown, j_duo);
    CHECK_EQ(full.replaces, 4);
    CHECK(full.gain > 0);
}

TEST(expert_puts_what_multiplies_last_and_copiers_beside_the_best) {
    const ExpertWeights weights;
    State state = start("AAAAAAAA");
    for (const JokerId id : {j_duo, j_joker, j_blueprint}) {
        give_joker(state, id);
    }
    const DeckSamples samples = sample_deck(state, weights, nullptr);
    Action action{};
    int moves = 0;
    while (moves < 10 && next_joker_move(state, weights, samples, action)) {
        CHECK(apply(state, action) == Refusal::none);
        ++moves;
    }
    CHECK(moves < 10);
    CHECK_EQ(state.jokers[0].id, j_joker);
    CHECK_EQ(state.jokers[1].id, j_blueprint);
    CHECK_EQ(state.jokers[2].id, j_duo);
}

// Every joker that multiplies per card used to keep its place among those that add.
TEST(expert_puts_what_multiplies_per_card_behind_what_adds) {
    const ExpertWeights weights;
    const auto ids_in_order = [&](const std::vector<std::pair<JokerId, EditionId>>& jokers) {
        State state = start("AAAAAAAA");
        state.base_joker_slots = 8;
        for (const auto& [id, edition] : jokers) {
            give_joker(state, id);
            state.jokers[state.joker_count - 1].edition = edition;
        }
        arrange_jokers(state, weights, sample_deck(state, weights, nullptr));
        std::vector<int> ids;
        for (int i = 0; i < state.joker_count; ++i) {
            ids.push_back(state.jokers[i].id);
        }
        return ids;
    };
    for (const JokerId id : {j_photograph, j_ancient, j_idol, j_bloodstone, j_triboulet, j_baron}) {
        CHECK(ids_in_order({{id, e_none}, {j_smiley, e_none}}) == std::vector<int>({j_smiley, id}));
        CHECK(ids_in_order({{j_duo, e_none}, {id, e_holo}, {j_smiley, e_polychrome}, {j_joker, e_none}}) ==
              std::vector<int>({j_joker, j_smiley, id, j_duo}));
    }
    CHECK(ids_in_order({{j_smiley, e_none}, {j_joker, e_none}}) == std::vector<int>({j_smiley, j_joker}));
}

// Two Burglars give six hands, and two Constellations grow with every planet.
TEST(expert_counts_every_joker_of_a_kind) {
    const ExpertWeights weights;
    const auto strength_with = [&](std::initializer_list<JokerId> jokers) {
        State state = start("AAAAAAAA");
        for (const JokerId id : jokers) {
            give_joker(state, id);
        }
        return measure_strength(state, weights, sample_deck(state, weights, nullptr), 0.0).round_log;
    };
    CHECK(strength_with({j_burglar, j_burglar}) > strength_with({j_burglar, j_credit_card}) + 0.1);
    const auto planet_with = [&](std::initializer_list<JokerId> jokers) {
        State state = start("AAAAAAAA");
        for (const JokerId id : jokers) {
            give_joker(state, id);
        }
        return best_use(BuildView(state, weights, nullptr), c_mercury).worth;
    };
    const double one =
        planet_with({j_constellation, j_credit_card}) - planet_with({j_credit_card, j_credit_card});
    const double two =
        planet_with({j_constellation, j_constellation}) - planet_with({j_credit_card, j_credit_card});
    CHECK(one > 0.07 && one < 0.09);
    CHECK(two > 0.15 && two < 0.17);
}

TEST(expert_sees_the_same_in_every_twin) {
    const ExpertWeights weights;
    std::uint64_t random = 7;
    for (int game = 0; game < 12; ++game) {
        State state = start(kSeeds[static_cast<std::size_t>(game) % std::size(kSeeds)]);
        if (game % 2 == 1) {
            state.boss = game % 4 == 1 ? bl_house : game % 3 == 0 ? bl_mark : bl_wheel;
            state.blind_on_deck = 2;
        }
        for (int step = 0; step < 40 && state.phase != Phase::game_over; ++step) {
            State copy = state;
            resample_hidden(copy, next_fast(random));
            const State a = public_state(state);
            const State b = public_state(copy);
            CHECK(std::memcmp(a.hand, b.hand, sizeof a.hand) == 0);
            CHECK(std::memcmp(a.draw_pile, b.draw_pile, sizeof a.draw_pile) == 0);
            CHECK(std::memcmp(a.cards, b.cards, sizeof a.cards) == 0);
            const Action chosen = expert_action(state, weights);
            CHECK(chosen == expert_action(copy, weights));
            CHECK(apply(state, chosen) == Refusal::none);
        }
    }
}

TEST(expert_memory_changes_no_choice) {
    const ExpertWeights weights;
    const auto memory = std::make_unique<StrengthMemory>();
    State state = start("7LB2WVPK");
    for (int step = 0; step < 120 && state.phase != Phase::game_over; ++step) {
        const Action chosen = expert_action(state, weights, memory.get());
        CHECK(chosen == expert_action(state, weights));
        apply(state, chosen);
    }
    CHECK(state.rounds > 3);
}

TEST(expert_runs_end_and_are_repeatable) {
    const ExpertWeights weights;
    std::uint64_t random = 5;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t seed = training_seed(random);
        const auto first = std::make_unique<ExpertRun>();
        const auto second = std::make_unique<ExpertRun>();
        play_expert_run(*first, seed, {}, weights);
        play_expert_run(*second, seed, {}, weights);
        CHECK(!first->cut_off);
        CHECK(first->blinds > 0);
        CHECK_EQ(first->steps, second->steps);
        CHECK(std::memcmp(&first->state, &second->state, sizeof(State)) == 0);
    }
}
