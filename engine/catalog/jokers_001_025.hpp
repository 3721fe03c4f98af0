// Jokers 1 to 25 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart kJokers001To025 = {{
    {.key = "j_joker", .name = "Joker", .rarity = Rarity::common, .cost = 2, .hooks = {.main = [](Scoring& s, Turn&) { s.add_mult(4); }}, .traits = adds(Reads::nothing)},
    {.key = "j_greedy_joker", .name = "Greedy Joker", .rarity = Rarity::common, .cost = 5, .hooks = {.played = mult_for_suit<suit_diamonds, 3>}, .traits = adds(Reads::nothing)},
    {.key = "j_lusty_joker", .name = "Lusty Joker", .rarity = Rarity::common, .cost = 5, .hooks = {.played = mult_for_suit<suit_hearts, 3>}, .traits = adds(Reads::nothing)},
    {.key = "j_wrathful_joker", .name = "Wrathful Joker", .rarity = Rarity::common, .cost = 5, .hooks = {.played = mult_for_suit<suit_spades, 3>}, .traits = adds(Reads::nothing)},
    {.key = "j_gluttenous_joker",
     .name = "Gluttonous Joker",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.played = mult_for_suit<suit_clubs, 3>},
     .traits = adds(Reads::nothing)},
    {.key = "j_jolly", .name = "Jolly Joker", .rarity = Rarity::common, .cost = 3, .hooks = {.main = mult_if_contains<hand_pair, 8>}, .traits = adds(Reads::hand_type)},
    {.key = "j_zany", .name = "Zany Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = mult_if_contains<hand_three_of_a_kind, 12>}, .traits = adds(Reads::hand_type)},
    {.key = "j_mad", .name = "Mad Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = mult_if_contains<hand_two_pair, 10>}, .traits = adds(Reads::hand_type)},
    {.key = "j_crazy", .name = "Crazy Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = mult_if_contains<hand_straight, 12>}, .traits = adds(Reads::hand_type)},
    {.key = "j_droll", .name = "Droll Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = mult_if_contains<hand_flush, 10>}, .traits = adds(Reads::hand_type)},
    {.key = "j_sly", .name = "Sly Joker", .rarity = Rarity::common, .cost = 3, .hooks = {.main = chips_if_contains<hand_pair, 50>}, .traits = adds(Reads::hand_type)},
    {.key = "j_wily", .name = "Wily Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = chips_if_contains<hand_three_of_a_kind, 100>}, .traits = adds(Reads::hand_type)},
    {.key = "j_clever", .name = "Clever Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = chips_if_contains<hand_two_pair, 80>}, .traits = adds(Reads::hand_type)},
    {.key = "j_devious", .name = "Devious Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = chips_if_contains<hand_straight, 100>}, .traits = adds(Reads::hand_type)},
    {.key = "j_crafty", .name = "Crafty Joker", .rarity = Rarity::common, .cost = 4, .hooks = {.main = chips_if_contains<hand_flush, 80>}, .traits = adds(Reads::hand_type)},
    {.key = "j_half",
     .name = "Half Joker",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (s.played_count <= 3) {
                           s.add_mult(20);
                       }
                   }},
     .traits = adds(Reads::played_count)},
    {.key = "j_stencil",
     .name = "Joker Stencil",
     .rarity = Rarity::uncommon,
     .cost = 8,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       const int factor = joker_slots(s.state) - s.state.joker_count + count_jokers(s.state, j_stencil);
                       if (factor > 1) {
                           s.times_mult(factor);
                       }
                   }},
     .traits = multiplies(Reads::nothing)},
    {.key = "j_four_fingers",
     .name = "Four Fingers",
     .rarity = Rarity::uncommon,
     .cost = 7,
     .copyable = false,
     .passive = {.rules = passive_four_fingers},
     .traits = {.scripted = {.worth = 0.1}}},
    {.key = "j_mime", .name = "Mime", .rarity = Rarity::uncommon, .cost = 5, .passive = {.held_retriggers = 1}, .traits = {.scripted = {.worth = 0.05}}},
    {.key = "j_credit_card", .name = "Credit Card", .rarity = Rarity::common, .cost = 1, .copyable = false, .passive = {.debt = 20}},
    {.key = "j_ceremonial",
     .name = "Ceremonial Dagger",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .can_be_perishable = false,
     .hooks =
         {
             .main = add_stored_mult,
             .blind_selected =
                 [](Turn& t) {
                     const int victim = t.position + 1;
                     if (t.copy || victim >= t.state.joker_count || t.is_doomed(victim)) {
                         return;
                     }
                     const Joker& other = t.state.jokers[victim];
                     if ((other.stickers & sticker_eternal) != 0) {
                         return;
                     }
                     t.joker.value = std::max(0.0, t.joker.value + 2 * sell_value(t.state, other));
                     t.destroy(victim);
                     --t.moment.reserved;
                 },
         },
     .traits = adds(Reads::nothing, {.worth = 0.1, .growth_per_round = 1.0, .destroys_right_neighbor = true})},
    {.key = "j_banner",
     .name = "Banner",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (s.state.round.discards_left > 0) {
                           s.add_chips(30.0 * s.state.round.discards_left);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_mystic_summit",
     .name = "Mystic Summit",
     .rarity = Rarity::common,
     .cost = 5,
     .hooks = {.main =
                   [](Scoring& s, Turn&) {
                       if (s.state.round.discards_left == 0) {
                           s.add_mult(15);
                       }
                   }},
     .traits = adds(Reads::nothing)},
    {.key = "j_marble",
     .name = "Marble Joker",
     .rarity = Rarity::uncommon,
     .cost = 6,
     .hooks = {.blind_selected =
                   [](Turn& t) {
                       Card card = front_card(draw_front(t.state, Stream::marble_front));
                       card.enhancement = m_stone;
                       gain_card(t.state, card, CardPlace::draw_pile);
                   }},
     .traits = {.scripted = {.worth = -0.1}}},
    {.key = "j_loyalty_card",
     .name = "Loyalty Card",
     .rarity = Rarity::uncommon,
     .cost = 5,
     .hooks = {
         .main =
             [](Scoring& s, Turn& t) {
                 const int hands = s.state.hands_played - t.joker.counter;
                 if (((4 - hands) % 6 + 6) % 6 == 5) {
                     s.times_mult(4);
                 }
             },
         .created = remember_hands_played,
     },
     .traits = multiplies(Reads::nothing, {.worth = 0.1})},
}};

}  // namespace jimbot
