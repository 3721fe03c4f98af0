// Jokers 126 to 150 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart
    kJokers126To150 =
        {
            {
                {.key = "j_oops", .name = "Oops! All 6s", .rarity = Rarity::uncommon, .cost = 4, .copyable = false, .unlocked_at_start = false, .passive = {.odds_factor = 2}},
                {.key = "j_idol",
                 .name = "The Idol",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .unlocked_at_start = false,
                 .passive = {.target = RoundTarget::idol_card},
                 .hooks = {.played =
                               [](Scoring& s, Turn&, Card& card, int) {
                                   const RoundTargets& targets = s.state.targets;
                                   if (rank_of(card) == targets.idol_rank && s.is_suit(card, targets.idol_suit)) {
                                       s.times_mult(2);
                                   }
                               }},
                 .traits = multiplies_per_card(Reads::targets)},
                {.key = "j_seeing_double",
                 .name = "Seeing Double",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .unlocked_at_start = false,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   if (club_and_other_suit(s)) {
                                       s.times_mult(2);
                                   }
                               }},
                 .traits = multiplies(Reads::rest_of_play, {.model = ModelRule::club_and_other_score})},
                {.key = "j_matador",
                 .name = "Matador",
                 .rarity = Rarity::uncommon,
                 .cost = 7,
                 .unlocked_at_start = false,
                 .hooks =
                     {
                         .main = pay_if_boss_triggered,
                         .blocked = pay_if_boss_triggered,
                     },
                 .traits = adds(Reads::hand_type, {.income_per_round = 0.5})},
                {.key = "j_hit_the_road",
                 .name = "Hit the Road",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .start_value = 1,
                 .hooks = {
                     .main = times_stored,
                     .discard =
                         [](Turn& t, Card& card, const DiscardView&) {
                             if (!t.copy && rank_of(card) == kJack && (card.flags & card_debuffed) == 0) {
                                 t.joker.value += 0.5;
                             }
                             return false;
                         },
                     .end_of_round =
                         [](Turn& t, bool) {
                             if (!t.copy) {
                                 t.joker.value = 1;
                             }
                         },
                 },
                 .traits = {.reads = Reads::nothing, .multiplies = Multiplies::in_joker_stage, .wanted_discards = WantedDiscards::jacks, .scripted = {.usual_value = 1.5}}},
                {.key = "j_duo",
                 .name = "The Duo",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.main = xmult_if_contains<hand_pair, 2>},
                 .traits = multiplies(Reads::hand_type)},
                {.key = "j_trio",
                 .name = "The Trio",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.main = xmult_if_contains<hand_three_of_a_kind, 3>},
                 .traits = multiplies(Reads::hand_type)},
                {.key = "j_family",
                 .name = "The Family",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.main = xmult_if_contains<hand_four_of_a_kind, 4>},
                 .traits = multiplies(Reads::hand_type)},
                {.key = "j_order",
                 .name = "The Order",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.main = xmult_if_contains<hand_straight, 3>},
                 .traits = multiplies(Reads::hand_type)},
                {.key = "j_tribe",
                 .name = "The Tribe",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.main = xmult_if_contains<hand_flush, 2>},
                 .traits = multiplies(Reads::hand_type)},
                {.key = "j_stuntman",
                 .name = "Stuntman",
                 .rarity = Rarity::rare,
                 .cost = 7,
                 .unlocked_at_start = false,
                 .hand_size = -2,
                 .hooks = {.main = [](Scoring& s, Turn&) { s.add_chips(250); }},
                 .traits = adds(Reads::nothing)},
                {.key = "j_invisible",
                 .name = "Invisible Joker",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .copyable = false,
                 .can_be_eternal = false,
                 .unlocked_at_start = false,
                 .hooks = {
                     .end_of_round = [](Turn& t, bool) { t.joker.counter = std::min(kMaxCounter, t.joker.counter + 1); },
                     .self_sold =
                         [](Turn& t) {
                             if (t.joker.counter < 2 || t.state.joker_count > joker_slots(t.state)) {
                                 return;
                             }
                             const int chosen = draw_joker_position(t.state, Stream::invisible, [&](int i) { return i != t.position; });
                             if (chosen >= 0) {
                                 duplicate_joker(t.state, chosen);
                             }
                         },
                     .duplicated = [](Joker& copy) { copy.counter = 0; },
                 },
                 .traits = {.scripted = {.worth = 0.1}}},
                {.key = "j_brainstorm",
                 .name = "Brainstorm",
                 .rarity = Rarity::rare,
                 .cost = 10,
                 .unlocked_at_start = false,
                 .passive = {.copies = Copies::leftmost},
                 .traits = {.scripted = {.worth = 0.3}}},
                {.key = "j_satellite",
                 .name = "Satellite",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .copyable = false,
                 .unlocked_at_start = false,
                 .hooks = {.payout = [](const State& state, const Joker&) { return std::popcount(state.planets_used); }},
                 .traits = {.scripted = {.income = planet_income}}},
                {.key = "j_shoot_the_moon",
                 .name = "Shoot the Moon",
                 .rarity = Rarity::common,
                 .cost = 5,
                 .unlocked_at_start = false,
                 .hooks = {.held =
                               [](Scoring& s, Turn&, Card& card, int) {
                                   if (rank_of(card) != kQueen) {
                                       return false;
                                   }
                                   s.add_mult(13);
                                   return true;
                               }},
                 .traits = adds(Reads::nothing)},
                {.key = "j_drivers_license",
                 .name = "Driver's License",
                 .rarity = Rarity::rare,
                 .cost = 7,
                 .unlocked_at_start = false,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   int enhanced = 0;
                                   for (int i = 0; i < s.state.card_count; ++i) {
                                       enhanced += s.state.cards[i].enhancement != m_none ? 1 : 0;
                                   }
                                   if (enhanced >= 16) {
                                       s.times_mult(3);
                                   }
                               }},
                 .traits = multiplies(Reads::nothing)},
                {.key = "j_cartomancer",
                 .name = "Cartomancer",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .unlocked_at_start = false,
                 .hooks = {.blind_selected = [](Turn& t) { create_consumable(t.state, Pool::tarot, Stream::tarot_cartomancer); }},
                 .traits = {.scripted = {.worth = 0.25}}},
                {.key = "j_astronomer",
                 .name = "Astronomer",
                 .rarity = Rarity::uncommon,
                 .cost = 8,
                 .copyable = false,
                 .unlocked_at_start = false,
                 .passive = {.rules = passive_free_planets},
                 .traits = {.scripted = {.worth = 0.15}}},
                {.key = "j_burnt",
                 .name = "Burnt Joker",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .unlocked_at_start = false,
                 .hooks = {.pre_discard =
                               [](Turn& t, const DiscardView& view) {
                                   if (t.state.round.discards_used == 0 && !view.by_boss) {
                                       level_up(t.state, read_hand(t.state, view.cards, view.count, poker_rules(t.state)).type, 1);
                                   }
                               }},
                 .traits = {.scripted = {.worth = 0.3, .discard_worth = first_discard_raises_level}}},
                {.key = "j_bootstraps",
                 .name = "Bootstraps",
                 .rarity = Rarity::uncommon,
                 .cost = 7,
                 .unlocked_at_start = false,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   if (s.state.money >= 5) {
                                       const int fives = s.state.money / 5;
                                       s.add_mult(2.0 * fives);
                                   }
                               }},
                 .traits = adds(Reads::money)},
                {.key = "j_caino",
                 .name = "Canio",
                 .rarity = Rarity::legendary,
                 .cost = 20,
                 .unlocked_at_start = false,
                 .start_value = 1,
                 .hooks =
                     {
                         .main = times_stored,
                         .cards_destroyed =
                             [](Turn& t, const Card* cards, int count, DestroyedBy) {
                                 for (int i = 0; i < count && !t.copy; ++i) {
                                     t.joker.value += is_face_card(t.state, cards[i]) ? 1 : 0;
                                 }
                             },
                     },
                 .traits = multiplies(Reads::nothing, {.growth_per_round = 0.15})},
                {.key = "j_triboulet",
                 .name = "Triboulet",
                 .rarity = Rarity::legendary,
                 .cost = 20,
                 .unlocked_at_start = false,
                 .hooks =
                     {.played =
                          [](Scoring& s, Turn&, Card& card, int) {
                              if (rank_in(card, {kKing, kQueen})) {
                                  s.times_mult(2);
                              }
                          }},
                 .traits = multiplies_per_card(Reads::nothing)},
                {.key = "j_yorick",
                 .name = "Yorick",
                 .rarity = Rarity::legendary,
                 .cost = 20,
                 .unlocked_at_start = false,
                 .start_value = 1,
                 .start_counter = 23,
                 .hooks =
                     {
                         .main = times_stored,
                         .discard =
                             [](Turn& t, Card&, const DiscardView&) {
                                 if (!t.copy && --t.joker.counter <= 0) {
                                     t.joker.counter = 23;
                                     t.joker.value += 1;
                                 }
                                 return false;
                             },
                     },
                 .traits = multiplies(Reads::nothing, {.growth_per_round = 0.3, .discard_worth = grows_with_discards})},
                {.key = "j_chicot",
                 .name = "Chicot",
                 .rarity = Rarity::legendary,
                 .cost = 20,
                 .copyable = false,
                 .unlocked_at_start = false,
                 .hooks =
                     {
                         .blind_selected = [](Turn& t) { disable_boss(t.state); },
                         .gained = disable_boss,
                     },
                 .traits = {.scripted = {.worth = 0.4}}},
                {.key = "j_perkeo",
                 .name = "Perkeo",
                 .rarity = Rarity::legendary,
                 .cost = 20,
                 .unlocked_at_start = false,
                 .hooks = {.shop_left =
                               [](Turn& t) {
                                   if (t.state.consumable_count > 0) {
                                       duplicate_random_consumable(t.state);
                                   }
                               }},
                 .traits = {.scripted = {.worth = 0.5}}},
            }};

}  // namespace jimbot
