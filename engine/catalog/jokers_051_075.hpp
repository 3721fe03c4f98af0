// Jokers 51 to 75 in collection order: numbers and effects side by side.
#pragma once

#include "catalog/joker_effects.hpp"
#include "catalog/joker_trait_functions.hpp"

namespace jimbot {

inline constexpr JokerPart kJokers051To075 =
    {
        {
            {.key = "j_dna",
             .name = "DNA",
             .rarity = Rarity::rare,
             .cost = 8,
             .hooks = {.before =
                           [](Scoring& s, Turn&) {
                               if (s.state.round.hands_played == 0 && s.played_count == 1) {
                                   gain_card(s.state, s.card(0), CardPlace::hand);
                               }
                           }},
             .traits = {.reads = Reads::hand_type | Reads::rest_of_play, .idle = first_hand_is_over, .multiplies = Multiplies::never, .scripted = {.worth = 0.25}}},
            {.key = "j_splash", .name = "Splash", .rarity = Rarity::common, .cost = 3, .copyable = false, .passive = {.rules = passive_splash}},
            {.key = "j_blue_joker",
             .name = "Blue Joker",
             .rarity = Rarity::common,
             .cost = 5,
             .hooks = {.main =
                           [](Scoring& s, Turn&) {
                               if (s.state.draw_count > 0) {
                                   s.add_chips(2.0 * s.state.draw_count);
                               }
                           }},
             .traits = adds(Reads::nothing)},
            {.key = "j_sixth_sense",
             .name = "Sixth Sense",
             .rarity = Rarity::uncommon,
             .cost = 6,
             .copyable = false,
             .hooks = {.destroys =
                           [](Scoring& s, Turn&, const Card& card) {
                               if (s.played_count != 1 || s.state.round.hands_played != 0 || rank_of(card) != 6) {
                                   return false;
                               }
                               create_consumable(s.state, Pool::spectral, Stream::spectral_sixth_sense);
                               return true;
                           }},
             .traits = {.scripted = {.worth = 0.05}}},
            {.key = "j_constellation",
             .name = "Constellation",
             .rarity = Rarity::uncommon,
             .cost = 6,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks =
                 {
                     .main = times_stored,
                     .consumable_used =
                         [](Turn& t, int id) {
                             if (!t.copy && is_planet(id)) {
                                 t.joker.value += 0.1;
                             }
                         },
                 },
             .traits = multiplies(Reads::nothing, {.worth = 0.1, .growth_per_round = 0.07, .planet_worth = 0.08})},
            {.key = "j_hiker",
             .name = "Hiker",
             .rarity = Rarity::uncommon,
             .cost = 5,
             .hooks = {.played = [](Scoring&, Turn&, Card& card, int) { card.bonus = static_cast<std::uint16_t>(std::min(65535, card.bonus + 5)); }},
             .traits = adds(Reads::rest_of_play, {.worth = 0.25, .play_growth = grows_with_cards<5>, .growth_counts_cards = true})},
            {.key = "j_faceless",
             .name = "Faceless Joker",
             .rarity = Rarity::common,
             .cost = 4,
             .hooks = {.discard =
                           [](Turn& t, Card&, const DiscardView& view) {
                               if (view.position == view.count - 1) {
                                   int faces = 0;
                                   for (int i = 0; i < view.count; ++i) {
                                       faces += is_face_card(t.state, t.state.cards[view.cards[i]]) ? 1 : 0;
                                   }
                                   if (faces >= 3) {
                                       earn(t.state, 5);
                                   }
                               }
                               return false;
                           }},
             .traits = {.wanted_discards = WantedDiscards::faces, .scripted = {.income_per_round = 1.5, .discard_worth = three_faces_bring_gold}}},
            {.key = "j_green_joker",
             .name = "Green Joker",
             .rarity = Rarity::common,
             .cost = 4,
             .can_be_perishable = false,
             .hooks = {
                 .before = [](Scoring&, Turn& t) { t.joker.value += t.copy ? 0 : 1; },
                 .main = add_stored_mult,
                 .discard =
                     [](Turn& t, Card&, const DiscardView& view) {
                         if (!t.copy && view.position == view.count - 1) {
                             t.joker.value = std::max(0.0, t.joker.value - 1);
                         }
                         return false;
                     },
             },
             .traits = adds(Reads::nothing, {.growth_per_round = 1.0, .discard_worth = shrinks_by_a_step})},
            {.key = "j_superposition",
             .name = "Superposition",
             .rarity = Rarity::common,
             .cost = 4,
             .hooks = {.main =
                           [](Scoring& s, Turn&) {
                               bool ace = false;
                               for (int i = 0; i < s.played_count; ++i) {
                                   ace = ace || (s.scores(i) && rank_of(s.card(i)) == kAce);
                               }
                               if (ace && s.contains(hand_straight)) {
                                   create_consumable(s.state, Pool::tarot, Stream::tarot_superposition);
                               }
                           }},
             .traits = adds(Reads::nothing, {.worth = 0.1})},
            {.key = "j_todo_list",
             .name = "To Do List",
             .rarity = Rarity::common,
             .cost = 4,
             .hooks = {
                 .before =
                     [](Scoring& s, Turn& t) {
                         if (s.hand.type == t.joker.hand) {
                             s.pay(4);
                         }
                     },
                 .end_of_round =
                     [](Turn& t, bool) {
                         if (!t.copy) {
                             t.joker.hand = draw_visible_hand(t.state, Stream::to_do, t.joker.hand);
                         }
                     },
                 .draw_hand = [](State& state) { return draw_visible_hand(state, Stream::to_do, hand_types); },
             },
             .traits = adds(Reads::hand_type, {.income_per_round = 2.0, .play_growth = grows_with_own_hand})},
            {.key = "j_cavendish",
             .name = "Cavendish",
             .rarity = Rarity::common,
             .cost = 4,
             .can_be_eternal = false,
             .gate = PoolGate::after_extinction,
             .hooks = {
                 .main = [](Scoring& s, Turn&) { s.times_mult(3); },
                 .end_of_round =
                     [](Turn& t, bool) {
                         if (!t.copy && comes_off(t.state, Stream::cavendish, 1000)) {
                             t.destroy_self();
                         }
                     },
             },
             .traits = multiplies(Reads::nothing)},
            {.key = "j_card_sharp",
             .name = "Card Sharp",
             .rarity = Rarity::uncommon,
             .cost = 6,
             .hooks = {.main =
                           [](Scoring& s, Turn&) {
                               if (s.state.hands[s.hand.type].played_this_round > 1) {
                                   s.times_mult(3);
                               }
                           }},
             .traits = multiplies(Reads::hand_type, {.worth = 0.2})},
            {.key = "j_red_card",
             .name = "Red Card",
             .rarity = Rarity::common,
             .cost = 5,
             .can_be_perishable = false,
             .hooks =
                 {
                     .main = add_stored_mult,
                     .pack_skipped = [](Turn& t) { t.joker.value += t.copy ? 0 : 3; },
                 },
             .traits = adds(Reads::nothing, {.growth_per_round = 0.5})},
            {.key = "j_madness",
             .name = "Madness",
             .rarity = Rarity::uncommon,
             .cost = 7,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks =
                 {
                     .main = times_stored,
                     .blind_selected =
                         [](Turn& t) {
                             if (t.copy || is_boss(t.state.round.blind)) {
                                 return;
                             }
                             t.joker.value += 0.5;
                             const int victim = draw_joker_position(
                                 t.state, Stream::madness, [&](int i) { return i != t.position && (t.state.jokers[i].stickers & sticker_eternal) == 0 && !t.is_doomed(i); });
                             if (victim >= 0) {
                                 t.destroy(victim);
                             }
                         },
                 },
             .traits = multiplies(Reads::nothing, {.worth = -0.8, .growth_per_round = 0.5})},
            {.key = "j_square",
             .name = "Square Joker",
             .rarity = Rarity::common,
             .cost = 4,
             .can_be_perishable = false,
             .hooks =
                 {
                     .before =
                         [](Scoring& s, Turn& t) {
                             if (!t.copy && s.played_count == 4) {
                                 t.joker.value += 4;
                             }
                         },
                     .main = add_stored_chips,
                 },
             .traits = adds(Reads::played_count, {.growth_per_round = 2.0, .play_growth = grows_with_cards<4>, .growth_counts_cards = true})},
            {.key = "j_seance",
             .name = "Seance",
             .rarity = Rarity::uncommon,
             .cost = 6,
             .hooks = {.main =
                           [](Scoring& s, Turn&) {
                               if (s.contains(hand_straight_flush)) {
                                   create_consumable(s.state, Pool::spectral, Stream::spectral_seance);
                               }
                           }},
             .traits = adds(Reads::nothing)},
            {.key = "j_riff_raff",
             .name = "Riff-Raff",
             .rarity = Rarity::common,
             .cost = 6,
             .hooks = {.blind_selected = [](Turn& t) { order_jokers(t, JokerSource::riff_raff, 2); }},
             .traits = {.scripted = {.worth = 0.15}}},
            {.key = "j_vampire",
             .name = "Vampire",
             .rarity = Rarity::uncommon,
             .cost = 7,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks =
                 {
                     .before =
                         [](Scoring& s, Turn& t) {
                             if (t.copy) {
                                 return;
                             }
                             for (int i = 0; i < s.played_count; ++i) {
                                 Card& card = s.card(i);
                                 if (s.scores(i) && card.enhancement != m_none && (card.flags & card_debuffed) == 0) {
                                     enhance_card(s.state, card, m_none);
                                     t.joker.value += 0.1;
                                 }
                             }
                         },
                     .main = times_stored,
                 },
             .traits = multiplies(Reads::hand_type | Reads::rest_of_play, {.worth = 0.1, .growth_per_round = 0.06})},
            {.key = "j_shortcut", .name = "Shortcut", .rarity = Rarity::uncommon, .cost = 7, .copyable = false, .passive = {.rules = passive_shortcut}},
            {.key = "j_hologram",
             .name = "Hologram",
             .rarity = Rarity::uncommon,
             .cost = 7,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks =
                 {
                     .main = times_stored,
                     .cards_added =
                         [](Turn& t, int count) {
                             for (int i = 0; i < count && !t.copy; ++i) {
                                 t.joker.value += 0.25;
                             }
                         },
                 },
             .traits = multiplies(Reads::nothing, {.worth = 0.1, .growth_per_round = 0.08})},
            {.key = "j_vagabond",
             .name = "Vagabond",
             .rarity = Rarity::rare,
             .cost = 8,
             .hooks = {.main =
                           [](Scoring& s, Turn&) {
                               if (s.money_before <= 4) {
                                   create_consumable(s.state, Pool::tarot, Stream::tarot_vagabond);
                               }
                           }},
             .traits = adds(Reads::nothing, {.worth = 0.1})},
            {.key = "j_baron",
             .name = "Baron",
             .rarity = Rarity::rare,
             .cost = 8,
             .hooks = {.held =
                           [](Scoring& s, Turn&, Card& card, int) {
                               if (rank_of(card) != kKing) {
                                   return false;
                               }
                               s.times_mult(1.5);
                               return true;
                           }},
             .traits = multiplies_per_card(Reads::nothing)},
            {.key = "j_cloud_9",
             .name = "Cloud 9",
             .rarity = Rarity::uncommon,
             .cost = 7,
             .copyable = false,
             .hooks =
                 {.payout =
                      [](const State& state, const Joker&) {
                          int nines = 0;
                          for (int i = 0; i < state.card_count; ++i) {
                              nines += rank_of(state.cards[i]) == 9 ? 1 : 0;
                          }
                          return nines;
                      }},
             .traits = {.scripted = {.income = nine_income}}},
            {.key = "j_rocket",
             .name = "Rocket",
             .rarity = Rarity::uncommon,
             .cost = 6,
             .copyable = false,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks = {
                 .end_of_round = [](Turn& t, bool boss) { t.joker.value += boss ? 2 : 0; },
                 .payout = [](const State&, const Joker& joker) { return static_cast<int>(std::min<double>(kMaxMoney, joker.value)); },
             },
             .traits = {.scripted = {.income = rocket_income}}},
            {.key = "j_obelisk",
             .name = "Obelisk",
             .rarity = Rarity::rare,
             .cost = 8,
             .can_be_perishable = false,
             .start_value = 1,
             .hooks =
                 {
                     .before =
                         [](Scoring& s, Turn& t) {
                             if (t.copy) {
                                 return;
                             }
                             bool most_played = true;
                             for (int type = 0; type < hand_types; ++type) {
                                 const HandStats& other = s.state.hands[type];
                                 if (type != s.hand.type && other.visible != 0 && other.played >= s.state.hands[s.hand.type].played) {
                                     most_played = false;
                                 }
                             }
                             t.joker.value = most_played ? 1 : t.joker.value + 0.2;
                         },
                     .main = times_stored,
                 },
             .traits = multiplies(Reads::hand_type, {.worth = -0.2, .growth_per_round = 0.05})},
        }};

}  // namespace jimbot
