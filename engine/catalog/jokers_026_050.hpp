// Jokers 26 to 50 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart kJokers026To050 = {{
    {.key = "j_8_ball",
     .name = "8 Ball",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (rank_of(card) == 8 && consumable_room(s.state) && s.chance(Stream::eight_ball, 4) >= 1.0) {
                           create_consumable(s.state, Pool::tarot, Stream::tarot_eight_ball);
                       }
                   }},
     .traits = {.reads = Reads::rest_of_play, .idle = odds_are_plain, .multiplies = Multiplies::never, .scripted = {.worth = 0.1}}},
    {.key = "j_misprint",
     .name = "Misprint",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       s.rolled = true;
                       switch (s.outcomes) {
                       case Outcomes::streams:
                           s.add_mult(draw(s.state.streams, Stream::misprint, s.state.ante).integer(0, 23));
                           break;
                       case Outcomes::worst:
                           s.add_mult(0);
                           break;
                       case Outcomes::best:
                           s.add_mult(23);
                           break;
                       case Outcomes::mean:
                           s.add_mult(11.5);
                           break;
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_dusk",
     .name = "Dusk",
     .rarity = Rarity::uncommon,
     .cost = 5,
     .hooks = {.retrigger = [](const Scoring& s, const Joker&, const Card&, int) { return s.state.round.hands_left == 0 ? 1 : 0; }},
     .traits = adds(Reads::nothing, {.worth = 0.25})},
    {.key = "j_raised_fist",
     .name = "Raised Fist",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.held =
                   [](Scoring& s, Turn&, Card& card, int position) {
                       if (position != lowest_held(s.state)) {
                           return false;
                       }
                       s.add_mult(2.0 * rank_chips(card.rank));
                       return true;
                   }},
     .traits = adds(Reads::rest_of_play, {.model = ModelRule::lowest_held_rank})},
    {.key = "j_chaos", .name = "Chaos the Clown", .rarity = Rarity::common, .cost = 4, .copyable = false, .passive = {.free_rerolls = 1}, .traits = {.scripted = {.worth = 0.15}}},
    {.key = "j_fibonacci",
     .name = "Fibonacci",
     .rarity = Rarity::uncommon,
     .cost = 8,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (rank_in(card, {kAce, 2, 3, 5, 8})) {
                           s.add_mult(8);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_steel_joker",
     .name = "Steel Joker",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .needs_in_deck = m_steel,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       const int steel = count_enhanced(s.state, m_steel);
                       if (steel > 0) {
                           s.times_mult(1.0 + 0.2 * steel);
                       }
                   }},
     .traits = multiplies(Reads::nothing)},
    {.key = "j_scary_face",
     .name = "Scary Face",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (s.is_face(card)) {
                           s.add_chips(30);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_abstract",
     .name = "Abstract Joker",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks = {.main = [](Scoring& s, Turn&) { s.add_mult(3.0 * s.state.joker_count); }},
     .traits = adds(Reads::nothing)},
    {.key = "j_delayed_grat",
     .name = "Delayed Gratification",
     .rarity = Rarity::common,
     .cost = 4,
     .copyable = false,
     .hooks = {.payout = [](const State& state, const Joker&) { return state.round.discards_used == 0 ? 2 * state.round.discards_left : 0; }},
     .traits = {.scripted = {.income_per_round = 1.5, .discard_worth = first_discard_costs_gold}}},
    {.key = "j_hack",
     .name = "Hack",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .hooks = {.retrigger = [](const Scoring&, const Joker&, const Card& card, int) { return rank_in(card, {2, 3, 4, 5}) ? 1 : 0; }},
     .traits = adds(Reads::nothing)},
    {.key = "j_pareidolia", .name = "Pareidolia", .rarity = Rarity::uncommon, .cost = 5, .copyable = false, .passive = {.rules = passive_all_faces}},
    {.key = "j_gros_michel",
     .name = "Gros Michel",
     .rarity = Rarity::common,
     .cost = 5,
     .can_be_eternal = false,
     .gate = PoolGate::before_extinction,
     .hooks = {
         .main = [](Scoring& s, Turn&) { s.add_mult(15); },
         .end_of_round =
             [](Turn& t, bool) {
                 if (!t.copy && comes_off(t.state, Stream::gros_michel, 6)) {
                     t.state.gros_michel_extinct = 1;
                     t.destroy_self();
                 }
             },
     },
     .traits = adds(Reads::nothing, {.worth = -0.1})},
    {.key = "j_even_steven",
     .name = "Even Steven",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (rank_in(card, {2, 4, 6, 8, 10})) {
                      s.add_mult(4);
                  }
              }},
     .traits = adds(Reads::nothing)},
    {.key = "j_odd_todd",
     .name = "Odd Todd",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (rank_in(card, {kAce, 3, 5, 7, 9})) {
                      s.add_chips(31);
                  }
              }},
     .traits = adds(Reads::nothing)},
    {.key = "j_scholar",
     .name = "Scholar",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (rank_in(card, {kAce})) {
                      s.add_chips(20);
                      s.add_mult(4);
                  }
              }},
     .traits = adds(Reads::nothing)},
    {.key = "j_business",
     .name = "Business Card",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (s.is_face(card) && s.chance(Stream::business, 2) >= 1.0) {
                      s.pay(2);
                  }
              }},
     .traits = adds(Reads::nothing, {.income_per_round = 2.0})},
    {.key = "j_supernova",
     .name = "Supernova",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.main = [](Scoring& s, Turn&) { s.add_mult(s.state.hands[s.hand.type].played); }},
     .traits = adds(Reads::hand_type)},
    {.key = "j_ride_the_bus",
     .name = "Ride the Bus",
     .rarity = Rarity::common,
     .cost = 6,
     .can_be_perishable = false,
     .hooks =
         {
             .before =
                 [](Scoring& s, Turn& t) {
                     if (t.copy) {
                         return;
                     }
                     bool faces = false;
                     for (int i = 0; i < s.played_count; ++i) {
                         faces = faces || (s.scores(i) && s.is_face(s.card(i)));
                     }
                     t.joker.value = faces ? 0 : t.joker.value + 1;
                 },
             .main = add_stored_mult,
         },
     .traits = adds(Reads::scoring_face, {.growth_per_round = 1.2, .play_growth = lost_to_faces})},
    {.key = "j_space",
     .name = "Space Joker",
     .rarity = Rarity::uncommon,
     .cost = 5,
     .hooks =
         {.before =
              [](Scoring& s, Turn&) {
                  if (s.chance(Stream::space, 4) >= 1.0) {
                      level_up(s.state, s.hand.type, 1);
                  }
              }},
     .traits = {.reads = Reads::hand_type | Reads::rest_of_play, .idle = odds_are_plain, .multiplies = Multiplies::never, .scripted = {.worth = 0.3}}},
    {.key = "j_egg",
     .name = "Egg",
     .rarity = Rarity::common,
     .cost = 4,
     .copyable = false,
     .hooks = {.end_of_round = [](Turn& t, bool) { t.joker.sell_bonus = saturated(t.joker.sell_bonus + 3); }},
     .traits = {.scripted = {.income_per_round = 2.0}}},
    {.key = "j_burglar",
     .name = "Burglar",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .hooks = {.blind_selected =
                   [](Turn& t) {
                       t.state.round.discards_left = 0;
                       t.state.round.hands_left = bounded_count(t.state.round.hands_left + 3);
                   }},
     .traits = {.scripted = {.hands_when_selected = 3, .loses_discards_when_selected = true}}},
    {.key = "j_blackboard",
     .name = "Blackboard",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       for (int i = 0; i < s.state.hand_count; ++i) {
                           const Card& card = s.state.cards[s.state.hand[i]];
                           if (!flush_suit(card, suit_clubs, s.rules.smeared) && !flush_suit(card, suit_spades, s.rules.smeared)) {
                               return;
                           }
                       }
                       s.times_mult(3);
                   }},
     .traits = multiplies(Reads::rest_of_play, {.model = ModelRule::held_all_black})},
    {.key = "j_runner",
     .name = "Runner",
     .rarity = Rarity::common,
     .cost = 5,
     .can_be_perishable = false,
     .hooks =
         {
             .before =
                 [](Scoring& s, Turn& t) {
                     if (!t.copy && s.contains(hand_straight)) {
                         t.joker.value += 15;
                     }
                 },
             .main = add_stored_chips,
         },
     .traits = adds(Reads::hand_type, {.growth = growth_by_straights, .play_growth = grows_with<hand_straight, hand_straight_flush>})},
    {.key = "j_ice_cream",
     .name = "Ice Cream",
     .rarity = Rarity::common,
     .cost = 5,
     .can_be_eternal = false,
     .start_value = 100,
     .hooks =
         {
             .main = add_stored_chips,
             .after =
                 [](Scoring&, Turn& t) {
                     if (t.copy) {
                         return;
                     }
                     if (t.joker.value - 5 <= 0) {
                         t.destroy_self();
                     } else {
                         t.joker.value -= 5;
                     }
                 },
         },
     .traits = adds(Reads::nothing, {.growth_per_round = -13.0})},
}};

}  // namespace jimbot
