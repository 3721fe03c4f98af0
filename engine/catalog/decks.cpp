// Decks and stakes.
#include "catalog/catalog.hpp"

namespace jimbot {

constexpr std::array<DeckEntry, b_end> kDecks = {{
    {.key = "", .name = ""},
    {.key = "b_red", .name = "Red Deck", .discards = 1},
    {.key = "b_blue", .name = "Blue Deck", .hands = 1},
    {.key = "b_yellow", .name = "Yellow Deck", .money = 10},
    {.key = "b_green", .name = "Green Deck", .pays_interest = false, .dollars_per_hand = 2, .dollars_per_discard = 1},
    {.key = "b_black", .name = "Black Deck", .hands = -1, .joker_slots = 1},
    {.key = "b_magic", .name = "Magic Deck", .vouchers = {v_crystal_ball}, .consumables = {c_fool, c_fool}},
    {.key = "b_nebula", .name = "Nebula Deck", .vouchers = {v_telescope}, .consumable_slots = -1},
    {.key = "b_ghost", .name = "Ghost Deck", .consumables = {c_hex}, .spectral_rate = 2},
    {.key = "b_abandoned", .name = "Abandoned Deck", .has_faces = false},
    {.key = "b_checkered", .name = "Checkered Deck", .has_two_suits = true},
    {.key = "b_zodiac", .name = "Zodiac Deck", .vouchers = {v_tarot_merchant, v_planet_merchant, v_overstock_norm}},
    {.key = "b_painted", .name = "Painted Deck", .hand_size = 2, .joker_slots = -1},
    {.key = "b_anaglyph", .name = "Anaglyph Deck", .boss_tag = tag_double},
    {.key = "b_plasma", .name = "Plasma Deck", .target_factor = 2, .balances_score = true},
    {.key = "b_erratic", .name = "Erratic Deck", .has_random_cards = true},
    {.key = "b_challenge", .name = "Challenge Deck", .selectable = false},
}};
static_assert(keys_match(kDecks, kDeckKeys), "the decks stand in the order of core/ids.hpp");

constinit const std::array<StakeEntry, 9> kStakes = {{
    {.key = "", .name = ""},
    {.key = "stake_white", .name = "White Stake"},
    {.key = "stake_red", .name = "Red Stake"},
    {.key = "stake_green", .name = "Green Stake"},
    {.key = "stake_black", .name = "Black Stake"},
    {.key = "stake_blue", .name = "Blue Stake"},
    {.key = "stake_purple", .name = "Purple Stake"},
    {.key = "stake_orange", .name = "Orange Stake"},
    {.key = "stake_gold", .name = "Gold Stake"},
}};

}  // namespace jimbot
