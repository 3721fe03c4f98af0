// Jokers 101 to 125 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart kJokers101To125 = {{
    {.key = "j_walkie_talkie",
     .name = "Walkie Talkie",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (rank_in(card, {10, 4})) {
                           s.add_chips(10);
                           s.add_mult(4);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_selzer",
     .name = "Seltzer",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .can_be_eternal = false,
     .start_counter = 10,
     .hooks = {
         .retrigger = [](const Scoring&, const Joker&, const Card&, int) { return 1; },
         .after =
             [](Scoring&, Turn& t) {
                 if (t.copy) {
                     return;
                 }
                 if (t.joker.counter <= 1) {
                     t.destroy_self();
                 } else {
                     --t.joker.counter;
                 }
             },
     },
     .traits = adds(Reads::nothing, {.counter_loss_per_round = 2.5})},
    {.key = "j_castle",
     .name = "Castle",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .can_be_perishable = false,
     .passive = {.target = RoundTarget::castle_suit},
     .hooks =
         {
             .main = add_stored_chips,
             .discard =
                 [](Turn& t, Card& card, const DiscardView&) {
                     const bool smeared = has_passive(t.state, passive_smeared);
                     if (!t.copy && counts_as_suit(card, t.state.targets.castle_suit, smeared)) {
                         t.joker.value += 3;
                     }
                     return false;
                 },
         },
     .traits = {.reads = Reads::nothing,
                .multiplies = Multiplies::never,
                .wanted_discards = WantedDiscards::target_suit,
                .scripted = {.growth_per_round = 6.0, .discard_worth = grows_with_discards}}},
    {.key = "j_smiley",
     .name = "Smiley Face",
     .rarity = Rarity::common,
     .cost = 4,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (s.is_face(card)) {
                           s.add_mult(5);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_campfire",
     .name = "Campfire",
     .rarity = Rarity::rare,
     .cost = 9,
     .start_value = 1,
     .hooks = {
         .main = times_stored,
         .end_of_round =
             [](Turn& t, bool boss) {
                 if (!t.copy && boss) {
                     t.joker.value = 1;
                 }
             },
         .card_sold = [](Turn& t) { t.joker.value += t.copy ? 0 : 0.25; },
     },
     .traits = multiplies(Reads::nothing, {.worth = 0.1, .growth_per_round = 0.05})},
    {.key = "j_ticket",
     .name = "Golden Ticket",
     .rarity = Rarity::common,
     .cost = 5,
     .unlocked_at_start = false,
     .needs_in_deck = m_gold,
     .hooks = {.played =
                   [](Scoring& s, Turn&, Card& card, int) {
                       if (card.enhancement == m_gold) {
                           s.pay(4);
                       }
                   }},
     .traits = adds(Reads::nothing, {.income_per_round = 1.0})},
    {.key = "j_mr_bones",
     .name = "Mr. Bones",
     .rarity = Rarity::uncommon,
     .cost = 5,
     .copyable = false,
     .can_be_eternal = false,
     .unlocked_at_start = false,
     .hooks = {.saves_run =
                   [](Turn& t) {
                       if (t.state.round.score < 0.25 * t.state.round.target) {
                           return false;
                       }
                       t.destroy_self();
                       return true;
                   }},
     .traits = {.scripted = {.worth = 0.25}}},
    {.key = "j_acrobat",
     .name = "Acrobat",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .unlocked_at_start = false,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (s.state.round.hands_left == 0) {
                           s.times_mult(3);
                       }
                   }},
     .traits = multiplies(Reads::nothing, {.worth = 0.35})},
    {.key = "j_sock_and_buskin",
     .name = "Sock and Buskin",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .unlocked_at_start = false,
     .hooks = {.retrigger = [](const Scoring& s, const Joker&, const Card& card, int) { return s.is_face(card) ? 1 : 0; }},
     .traits = adds(Reads::nothing)},
    {.key = "j_swashbuckler",
     .name = "Swashbuckler",
     .rarity = Rarity::common,
     .cost = 4,
     .unlocked_at_start = false,
     .hooks = {.main =
                   [](Scoring& s, Turn& t) {
                       int total = 0;
                       for (int i = 0; i < s.state.joker_count; ++i) {
                           total += &s.state.jokers[i] == &t.joker ? 0 : sell_value(s.state, s.state.jokers[i]);
                       }
                       if (total > 0) {
                           s.add_mult(total);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_troubadour", .name = "Troubadour", .rarity = Rarity::uncommon, .cost = 6, .copyable = false, .unlocked_at_start = false, .hand_size = 2, .hands = -1},
    {.key = "j_certificate",
     .name = "Certificate",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .unlocked_at_start = false,
     .hooks = {.first_hand =
                   [](Turn& t) {
                       Card card = front_card(draw_front(t.state, Stream::certificate_front));
                       card.seal = seal_for(draw(t.state.streams, Stream::certificate_seal, t.state.ante).real());
                       gain_card(t.state, card, CardPlace::hand);
                       sort_hand(t.state);
                   }},
     .traits = {.scripted = {.worth = 0.15}}},
    {.key = "j_smeared", .name = "Smeared Joker", .rarity = Rarity::uncommon, .cost = 7, .copyable = false, .unlocked_at_start = false, .passive = {.rules = passive_smeared}},
    {.key = "j_throwback",
     .name = "Throwback",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .unlocked_at_start = false,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (s.state.skips > 0) {
                           s.times_mult(1.0 + 0.25 * s.state.skips);
                       }
                   }},
     .traits = multiplies(Reads::nothing)},
    {.key = "j_hanging_chad",
     .name = "Hanging Chad",
     .rarity = Rarity::common,
     .cost = 4,
     .unlocked_at_start = false,
     .hooks = {.retrigger = [](const Scoring& s, const Joker&, const Card&, int position) { return position == std::countr_zero(unsigned{s.hand.scoring}) ? 2 : 0; }},
     .traits = adds(Reads::first_card, {.model = ModelRule::first_card_again})},
    {.key = "j_rough_gem",
     .name = "Rough Gem",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .unlocked_at_start = false,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (s.is_suit(card, suit_diamonds)) {
                      s.pay(1);
                  }
              }},
     .traits = adds(Reads::nothing, {.income_per_round = 2.0})},
    {.key = "j_bloodstone",
     .name = "Bloodstone",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .unlocked_at_start = false,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (s.is_suit(card, suit_hearts)) {
                      const double hit = s.chance(Stream::bloodstone, 2);
                      if (hit > 0) {
                          s.times_mult(1.0 + 0.5 * hit);
                      }
                  }
              }},
     .traits = multiplies_per_card(Reads::nothing)},
    {.key = "j_arrowhead",
     .name = "Arrowhead",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .unlocked_at_start = false,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (s.is_suit(card, suit_spades)) {
                      s.add_chips(50);
                  }
              }},
     .traits = adds(Reads::nothing)},
    {.key = "j_onyx_agate",
     .name = "Onyx Agate",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .unlocked_at_start = false,
     .hooks =
         {.played =
              [](Scoring& s, Turn&, Card& card, int) {
                  if (s.is_suit(card, suit_clubs)) {
                      s.add_mult(7);
                  }
              }},
     .traits = adds(Reads::nothing)},
    {.key = "j_glass",
     .name = "Glass Joker",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .can_be_perishable = false,
     .unlocked_at_start = false,
     .needs_in_deck = m_glass,
     .start_value = 1,
     .hooks =
         {
             .main = times_stored,
             .cards_destroyed =
                 [](Turn& t, const Card* cards, int count, DestroyedBy by) {
                     if (t.copy || by == DestroyedBy::other_consumable) {
                         return;
                     }
                     for (int i = 0; i < count; ++i) {
                         if (cards[i].enhancement == m_glass) {
                             t.joker.value += 0.75;
                         }
                     }
                 },
         },
     .traits = multiplies(Reads::nothing, {.growth_per_round = 0.1})},
    {.key = "j_ring_master", .name = "Showman", .rarity = Rarity::uncommon, .cost = 5, .copyable = false, .unlocked_at_start = false, .passive = {.rules = passive_duplicates}},
    {.key = "j_flower_pot",
     .name = "Flower Pot",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .unlocked_at_start = false,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (covers_all_suits(s)) {
                           s.times_mult(3);
                       }
                   }},
     .traits = multiplies(Reads::rest_of_play, {.model = ModelRule::all_suits_score})},
    {.key = "j_blueprint",
     .name = "Blueprint",
     .rarity = Rarity::rare,
     .cost = 10,
     .unlocked_at_start = false,
     .passive = {.copies = Copies::right_neighbor},
     .traits = {.scripted = {.worth = 0.3}}},
    {.key = "j_wee",
     .name = "Wee Joker",
     .rarity = Rarity::rare,
     .cost = 8,
     .can_be_perishable = false,
     .unlocked_at_start = false,
     .hooks =
         {
             .played =
                 [](Scoring&, Turn& t, Card& card, int) {
                     if (!t.copy && rank_of(card) == 2) {
                         t.joker.value += 8;
                     }
                 },
             .main = add_stored_chips,
         },
     .traits = adds(Reads::rest_of_play, {.growth_per_round = 9.0})},
    {.key = "j_merry_andy", .name = "Merry Andy", .rarity = Rarity::uncommon, .cost = 7, .copyable = false, .unlocked_at_start = false, .hand_size = -1, .discards = 3},
}};

}  // namespace jimbot
