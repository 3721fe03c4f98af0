// The spectral cards: numbers and effects side by side.
#pragma once

#include "catalog/consumable_effects.hpp"

namespace jimbot {

inline constexpr std::
    array<ConsumableEntry, kSpectrals>
        kSpectralEntries =
            {
                {
                    {.key = "c_familiar",
                     .name = "Familiar",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::familiar_create, {kJack, kQueen, kKing}, 3); },
                     .traits = {.scripted = {.worth = 0.1}}},
                    {.key = "c_grim",
                     .name = "Grim",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::grim_create, {kAce}, 2); },
                     .traits = {.scripted = {.worth = 0.12}}},
                    {.key = "c_incantation",
                     .name = "Incantation",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::incantation_create, {2, 3, 4, 5, 6, 7, 8, 9, 10}, 4); },
                     .traits = {.scripted = {.worth = 0.08}}},
                    {.key = "c_talisman",
                     .name = "Talisman",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .use = put_seal<s_gold>,
                     .traits = {.effect = UseEffect::targets, .scripted = {.worth = 0.12, .wants = has_no_seal}}},
                    {.key = "c_aura",
                     .name = "Aura",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .usable = [](const State& state, std::uint32_t mask, int) { return state.cards[state.hand[std::countr_zero(mask)]].edition == e_none; },
                     .use = [](State& state, const std::uint8_t* targets,
                               int) { state.cards[targets[0]].edition = guaranteed_edition(draw(state.streams, Stream::aura, state.ante).real()); },
                     .traits = {.tells_editions = true, .scripted = {.worth = 0.15, .wants = has_no_edition}}},
                    {.key = "c_wraith",
                     .name = "Wraith",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = joker_slot_is_free,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             create_joker(state, JokerSource::wraith);
                             state.money = 0;
                         },
                     .traits = {.scripted = {.worth = 0.35, .worth_now = worth_of_wraith}}},
                    {.key = "c_sigil",
                     .name = "Sigil",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             const Suit suit = kChoiceSuits[draw(state.streams, Stream::sigil, state.ante).index(suit_count)];
                             for (int i = 0; i < state.hand_count; ++i) {
                                 Card& card = state.cards[state.hand[i]];
                                 card.suit = suit;
                                 refresh_debuff(state, card);
                             }
                         },
                     .traits = {.scripted = {.worth = 0.15}}},
                    {.key = "c_ouija",
                     .name = "Ouija",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             const int rank = kMinRank + draw(state.streams, Stream::ouija, state.ante).index(kRanks);
                             for (int i = 0; i < state.hand_count; ++i) {
                                 Card& card = state.cards[state.hand[i]];
                                 card.rank = static_cast<std::uint8_t>(rank);
                                 refresh_debuff(state, card);
                             }
                             state.base_hand_size = bounded_count(state.base_hand_size - 1);
                         },
                     .traits = {.scripted = {.worth = 0.05}}},
                    {.key = "c_ectoplasm",
                     .name = "Ectoplasm",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = has_plain_joker,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             state.jokers[draw_plain_joker(state, Stream::ectoplasm)].edition = e_negative;
                             count_up(state.ectoplasms);
                             state.base_hand_size = bounded_count(state.base_hand_size - state.ectoplasms);
                         },
                     .traits = {.scripted = {.worth = 0.3, .worth_now = worth_of_ectoplasm}}},
                    {.key = "c_immolate",
                     .name = "Immolate",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = two_cards_in_hand,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             std::uint8_t order[kMaxHand] = {};
                             const int count = state.hand_count;
                             std::copy(state.hand, state.hand + count, order);
                             std::sort(order, order + count);
                             const LuaRandom random = draw_generator(state.streams, Stream::immolate, state.ante);
                             shuffle(random, order, count);
                             destroy_cards(state, order, std::min(5, count), DestroyedBy::other_consumable);
                             earn(state, kImmolateDollars);
                         },
                     .traits = {.scripted = {.worth = 0.1, .worth_now = worth_of_immolate}}},
                    {.key = "c_ankh",
                     .name = "Ankh",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = [](const State& state, std::uint32_t, int) { return state.joker_count > 0 && joker_slots(state) > 1; },
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             const int chosen = draw_joker_position(state, Stream::ankh_choice, [](int) { return true; });
                             const std::uint32_t created = state.jokers[chosen].created;
                             destroy_other_jokers(state, chosen);
                             for (int i = 0; i < state.joker_count; ++i) {
                                 if (state.jokers[i].created == created) {
                                     duplicate_joker(state, i);
                                     break;
                                 }
                             }
                         },
                     .traits = {.scripted = {.worth_now = worth_of_sparing_one_joker}}},
                    {.key = "c_deja_vu",
                     .name = "Deja Vu",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .use = put_seal<s_red>,
                     .traits = {.effect = UseEffect::targets, .scripted = {.worth = 0.15, .wants = has_no_seal}}},
                    {.key = "c_hex",
                     .name = "Hex",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .usable = has_plain_joker,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             const int chosen = draw_plain_joker(state, Stream::hex);
                             state.jokers[chosen].edition = e_polychrome;
                             destroy_other_jokers(state, chosen);
                         },
                     .traits = {.scripted = {.worth_now = worth_of_sparing_one_joker}}},
                    {.key = "c_trance",
                     .name = "Trance",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .use = put_seal<s_blue>,
                     .traits = {.effect = UseEffect::targets, .scripted = {.worth = 0.1, .wants = has_no_seal}}},
                    {.key = "c_medium",
                     .name = "Medium",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .use = put_seal<s_purple>,
                     .traits = {.effect = UseEffect::targets, .scripted = {.worth = 0.1, .wants = has_no_seal}}},
                    {.key = "c_cryptid",
                     .name = "Cryptid",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .min_targets = 1,
                     .max_targets = 1,
                     .use =
                         [](State& state, const std::uint8_t* targets, int) {
                             const Card card = state.cards[targets[0]];
                             gain_card(state, card, CardPlace::hand);
                             gain_card(state, card, CardPlace::hand);
                         },
                     .traits = {.scripted = {.worth = 0.2}}},
                    {.key = "c_soul",
                     .name = "The Soul",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .in_pool = false,
                     .usable = joker_slot_is_free,
                     .use = make_a_joker<JokerSource::soul>,
                     .traits = {.scripted = {.worth = 2.0}}},
                    {.key = "c_black_hole",
                     .name = "Black Hole",
                     .kind = ConsumableKind::spectral,
                     .cost = 4,
                     .in_pool = false,
                     .use =
                         [](State& state, const std::uint8_t*, int) {
                             for (int hand = 0; hand < hand_types; ++hand) {
                                 level_up(state, static_cast<HandType>(hand), 1);
                             }
                         },
                     .traits = {.effect = UseEffect::all_levels, .scripted = {.worth = 0.6}}},
                }};

}  // namespace jimbot
