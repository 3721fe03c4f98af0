// Jokers 76 to 100 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart
    kJokers076To100 =
        {
            {
                {.key = "j_midas_mask",
                 .name = "Midas Mask",
                 .rarity = Rarity::uncommon,
                 .cost = 7,
                 .copyable = false,
                 .hooks = {.before =
                               [](Scoring& s, Turn&) {
                                   for (int i = 0; i < s.played_count; ++i) {
                                       if (s.scores(i) && s.is_face(s.card(i))) {
                                           enhance_card(s.state, s.card(i), m_gold);
                                       }
                                   }
                               }},
                 .traits = adds(Reads::hand_type | Reads::rest_of_play, {.worth = 0.1})},
                {.key = "j_luchador",
                 .name = "Luchador",
                 .rarity = Rarity::uncommon,
                 .cost = 5,
                 .can_be_eternal = false,
                 .hooks = {.self_sold = [](Turn& t) { disable_boss(t.state); }},
                 .traits = {.scripted = {.worth = 0.05, .disables_boss_when_sold = true}}},
                {.key = "j_photograph",
                 .name = "Photograph",
                 .rarity = Rarity::common,
                 .cost = 5,
                 .hooks = {.played =
                               [](Scoring& s, Turn&, Card&, int position) {
                                   if (position == s.first_face) {
                                       s.times_mult(2);
                                   }
                               }},
                 .traits = multiplies_per_card(Reads::first_face, {.model = ModelRule::face_scores})},
                {.key = "j_gift",
                 .name = "Gift Card",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .copyable = false,
                 .hooks = {.end_of_round =
                               [](Turn& t, bool) {
                                   for (int i = 0; i < t.state.joker_count; ++i) {
                                       t.state.jokers[i].sell_bonus = saturated(t.state.jokers[i].sell_bonus + 1);
                                   }
                                   for (int i = 0; i < t.state.consumable_count; ++i) {
                                       t.state.consumables[i].sell_bonus = saturated(t.state.consumables[i].sell_bonus + 1);
                                   }
                               }},
                 .traits = {.scripted = {.income_per_round = 1.0}}},
                {.key = "j_turtle_bean",
                 .name = "Turtle Bean",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .copyable = false,
                 .can_be_eternal = false,
                 .start_counter = 5,
                 .passive = {.counter_is_hand_size = true},
                 .hooks = {.end_of_round =
                               [](Turn& t, bool) {
                                   if (t.joker.counter <= 1) {
                                       t.destroy_self();
                                   } else {
                                       --t.joker.counter;
                                   }
                               }},
                 .traits = {.scripted = {.counter_loss_per_round = 1.0}}},
                {.key = "j_erosion",
                 .name = "Erosion",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   const int missing = s.state.starting_cards - s.state.card_count;
                                   if (missing > 0) {
                                       s.add_mult(4.0 * missing);
                                   }
                               }},
                 .traits = adds(Reads::nothing)},
                {.key = "j_reserved_parking",
                 .name = "Reserved Parking",
                 .rarity = Rarity::common,
                 .cost = 6,
                 .hooks = {.held =
                               [](Scoring& s, Turn&, Card& card, int) {
                                   if (!s.is_face(card) || s.chance(Stream::parking, 2) < 1.0) {
                                       return false;
                                   }
                                   s.pay(1);
                                   return true;
                               }},
                 .traits = adds(Reads::nothing, {.income_per_round = 1.2})},
                {.key = "j_mail",
                 .name = "Mail-In Rebate",
                 .rarity = Rarity::common,
                 .cost = 4,
                 .passive = {.target = RoundTarget::mail_rank},
                 .hooks = {.discard =
                               [](Turn& t, Card& card, const DiscardView&) {
                                   if (rank_of(card) == t.state.targets.mail_rank && (card.flags & card_debuffed) == 0) {
                                       earn(t.state, 5);
                                   }
                                   return false;
                               }},
                 .traits = {.wanted_discards = WantedDiscards::target_rank, .scripted = {.income_per_round = 2.5}}},
                {.key = "j_to_the_moon",
                 .name = "To the Moon",
                 .rarity = Rarity::uncommon,
                 .cost = 5,
                 .copyable = false,
                 .passive = {.interest = 1},
                 .traits = {.scripted = {.income = interest_income}}},
                {.key = "j_hallucination",
                 .name = "Hallucination",
                 .rarity = Rarity::common,
                 .cost = 4,
                 .hooks = {.pack_opened =
                               [](Turn& t) {
                                   if (consumable_room(t.state) && comes_off(t.state, Stream::hallucination, 2)) {
                                       create_consumable(t.state, Pool::tarot, Stream::tarot_hallucination);
                                   }
                               }},
                 .traits = {.scripted = {.worth = 0.15}}},
                {.key = "j_fortune_teller",
                 .name = "Fortune Teller",
                 .rarity = Rarity::common,
                 .cost = 6,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   if (s.state.tarots_used > 0) {
                                       s.add_mult(s.state.tarots_used);
                                   }
                               }},
                 .traits = adds(Reads::nothing, {.worth = 0.05})},
                {.key = "j_juggler", .name = "Juggler", .rarity = Rarity::common, .cost = 4, .copyable = false, .hand_size = 1},
                {.key = "j_drunkard", .name = "Drunkard", .rarity = Rarity::common, .cost = 4, .copyable = false, .discards = 1},
                {.key = "j_stone",
                 .name = "Stone Joker",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .needs_in_deck = m_stone,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   const int stones = count_enhanced(s.state, m_stone);
                                   if (stones > 0) {
                                       s.add_chips(25.0 * stones);
                                   }
                               }},
                 .traits = adds(Reads::nothing)},
                {.key = "j_golden",
                 .name = "Golden Joker",
                 .rarity = Rarity::common,
                 .cost = 6,
                 .copyable = false,
                 .hooks = {.payout = [](const State&, const Joker&) { return 4; }},
                 .traits = {.scripted = {.income_per_round = 4.0}}},
                {.key = "j_lucky_cat",
                 .name = "Lucky Cat",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .can_be_perishable = false,
                 .needs_in_deck = m_lucky,
                 .start_value = 1,
                 .hooks =
                     {
                         .played =
                             [](Scoring& s, Turn& t, Card&, int) {
                                 if (!t.copy && s.lucky_weight > 0) {
                                     t.joker.value += 0.25 * s.lucky_weight;
                                 }
                             },
                         .main = times_stored,
                     },
                 .traits = multiplies(Reads::rest_of_play, {.growth_per_round = 0.12})},
                {.key = "j_baseball",
                 .name = "Baseball Card",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .hooks = {.other =
                               [](Scoring& s, Turn&, const Joker& other) {
                                   if (kJokers[other.id].rarity == Rarity::uncommon) {
                                       s.times_mult(1.5);
                                   }
                               }},
                 .traits = multiplies(Reads::nothing)},
                {.key = "j_bull",
                 .name = "Bull",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .hooks = {.main =
                               [](Scoring& s, Turn&) {
                                   if (s.state.money > 0) {
                                       s.add_chips(2.0 * s.state.money);
                                   }
                               }},
                 .traits = adds(Reads::money)},
                {.key = "j_diet_cola",
                 .name = "Diet Cola",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .can_be_eternal = false,
                 .hooks = {.self_sold = [](Turn& t) { gain_tag(t.state, {tag_double, 0}); }},
                 .traits = {.scripted = {.worth = 0.05}}},
                {.key = "j_trading",
                 .name = "Trading Card",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .copyable = false,
                 .hooks = {.discard =
                               [](Turn& t, Card&, const DiscardView& view) {
                                   if (t.copy || t.state.round.discards_used > 0 || view.count != 1) {
                                       return false;
                                   }
                                   earn(t.state, 3);
                                   return true;
                               }},
                 .traits = {.wanted_discards = WantedDiscards::single_card, .scripted = {.worth = 0.05, .income_per_round = 2.0}}},
                {.key = "j_flash",
                 .name = "Flash Card",
                 .rarity = Rarity::uncommon,
                 .cost = 5,
                 .can_be_perishable = false,
                 .hooks =
                     {
                         .main = add_stored_mult,
                         .rerolled = [](Turn& t) { t.joker.value += t.copy ? 0 : 2; },
                     },
                 .traits = adds(Reads::nothing, {.growth_per_round = 1.5})},
                {.key = "j_popcorn",
                 .name = "Popcorn",
                 .rarity = Rarity::common,
                 .cost = 5,
                 .can_be_eternal = false,
                 .start_value = 20,
                 .hooks =
                     {
                         .main = add_stored_mult,
                         .end_of_round =
                             [](Turn& t, bool) {
                                 if (t.copy) {
                                     return;
                                 }
                                 if (t.joker.value - 4 <= 0) {
                                     t.destroy_self();
                                 } else {
                                     t.joker.value -= 4;
                                 }
                             },
                     },
                 .traits = adds(Reads::nothing, {.growth_per_round = -4.0})},
                {.key = "j_trousers",
                 .name = "Spare Trousers",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .can_be_perishable = false,
                 .hooks =
                     {
                         .before =
                             [](Scoring& s, Turn& t) {
                                 if (!t.copy && (s.contains(hand_two_pair) || s.contains(hand_full_house))) {
                                     t.joker.value += 2;
                                 }
                             },
                         .main = add_stored_mult,
                     },
                 .traits = adds(Reads::hand_type, {.growth = growth_by_two_pairs, .play_growth = grows_with<hand_two_pair, hand_full_house, hand_flush_house>})},
                {.key = "j_ancient",
                 .name = "Ancient Joker",
                 .rarity = Rarity::rare,
                 .cost = 8,
                 .passive = {.target = RoundTarget::ancient_suit},
                 .hooks =
                     {.played =
                          [](Scoring& s, Turn&, Card& card, int) {
                              if (s.is_suit(card, s.state.targets.ancient_suit)) {
                                  s.times_mult(1.5);
                              }
                          }},
                 .traits = multiplies_per_card(Reads::targets)},
                {.key = "j_ramen",
                 .name = "Ramen",
                 .rarity = Rarity::uncommon,
                 .cost = 6,
                 .can_be_eternal = false,
                 .start_value = 2,
                 .hooks =
                     {
                         .main = times_stored,
                         .discard =
                             [](Turn& t, Card&, const DiscardView&) {
                                 if (!t.copy) {
                                     if (t.joker.value - 0.01 <= 1) {
                                         t.destroy_self();
                                     } else {
                                         t.joker.value -= 0.01;
                                     }
                                 }
                                 return false;
                             },
                     },
                 .traits = multiplies(Reads::nothing, {.growth_per_round = -0.08, .gone_at = 1.0, .discard_worth = shrinks_with_cards})},
            }};

}  // namespace jimbot
