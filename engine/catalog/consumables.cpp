// Tarots, planets and spectral cards: numbers and effects side by side.
#include <algorithm>
#include <bit>
#include <initializer_list>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"

namespace jimbot {

namespace {

// The order in which suits are chosen at random by spectral cards.
constexpr Suit kChoiceSuits[suit_count] = {suit_spades, suit_hearts, suit_diamonds, suit_clubs};

template <EnhancementId enhancement> void enhance(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        enhance_card(state, state.cards[targets[i]], enhancement);
    }
}

template <Suit suit> void change_suit(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        Card& card = state.cards[targets[i]];
        card.suit = suit;
        refresh_debuff(state, card);
    }
}

template <SealId seal> void put_seal(State& state, const std::uint8_t* targets, int count) {
    for (int i = 0; i < count; ++i) {
        state.cards[targets[i]].seal = seal;
    }
}

template <Pool pool, Stream stream> void create_two(State& state, const std::uint8_t*, int) {
    for (int i = 0; i < 2; ++i) {
        create_consumable(state, pool, stream);
    }
}

template <JokerSource source> void make_a_joker(State& state, const std::uint8_t*, int) { create_joker(state, source); }

bool slot_is_free(const State&, std::uint32_t, int free_slots) { return free_slots > 0; }
bool joker_slot_is_free(const State& state, std::uint32_t, int) { return joker_room(state); }
bool two_cards_in_hand(const State& state, std::uint32_t, int) { return state.hand_count >= 2; }

bool has_plain_joker(const State& state, std::uint32_t, int) {
    for (int i = 0; i < state.joker_count; ++i) {
        if (state.jokers[i].edition == e_none) {
            return true;
        }
    }
    return false;
}

int draw_plain_joker(State& state, Stream stream) {
    return draw_joker_position(state, stream, [&](int i) { return state.jokers[i].edition == e_none; });
}

void destroy_other_jokers(State& state, int kept) {
    std::uint32_t doomed = 0;
    for (int i = 0; i < state.joker_count; ++i) {
        if (i != kept && (state.jokers[i].stickers & sticker_eternal) == 0) {
            doomed |= std::uint32_t{1} << i;
        }
    }
    remove_jokers(state, doomed);
}

// Everything but place and creation number is copied, having been played this ante included.
void copy_onto(State& state, Card& target, const Card& source) {
    const std::uint32_t created = target.created;
    const unsigned own_flags = target.flags & ~unsigned{card_played_this_ante | card_debuffed_for_good};
    const unsigned copied_flags = source.flags & unsigned{card_played_this_ante | card_debuffed_for_good};
    target = source;
    target.created = created;
    target.flags = static_cast<std::uint8_t>(own_flags | copied_flags);
    refresh_debuff(state, target);
}

void destroy_one_and_add(State& state, Stream stream, std::initializer_list<int> ranks, int count) {
    std::uint8_t order[kMaxHand] = {};
    std::copy(state.hand, state.hand + state.hand_count, order);
    std::sort(order, order + state.hand_count);
    const std::uint8_t victim = order[draw(state.streams, Stream::random_destroy, state.ante).index(state.hand_count)];
    destroy_cards(state, &victim, 1, DestroyedBy::other_consumable);
    constexpr EnhancementId kEnhancements[] = {m_bonus, m_mult, m_wild, m_glass, m_steel, m_gold, m_lucky};
    for (int i = 0; i < count; ++i) {
        Card card{};
        int rank = *ranks.begin();
        if (ranks.size() > 1) {
            rank = ranks.begin()[draw(state.streams, stream, state.ante).index(static_cast<int>(ranks.size()))];
        }
        card.rank = static_cast<std::uint8_t>(rank);
        card.suit = kChoiceSuits[draw(state.streams, stream, state.ante).index(suit_count)];
        card.enhancement = kEnhancements[draw(state.streams, Stream::spectral_enhancement, state.ante).index(static_cast<int>(std::size(kEnhancements)))];
        gain_card(state, card, CardPlace::hand);
    }
}

}  // namespace

constexpr std::array<ConsumableEntry, c_end> kConsumables =
    {
        {
            {.key = "", .name = ""},
            {.key = "c_fool",
             .name = "The Fool",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .usable = [](const State& state, std::uint32_t, int free_slots) { return state.last_consumable != c_none && state.last_consumable != c_fool && free_slots > 0; },
             .use = [](State& state, const std::uint8_t*, int) { create_given_consumable(state, static_cast<ConsumableId>(state.last_consumable)); }},
            {.key = "c_magician", .name = "The Magician", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 2, .use = enhance<m_lucky>},
            {.key = "c_high_priestess",
             .name = "The High Priestess",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .usable = slot_is_free,
             .use = create_two<Pool::planet, Stream::planet_high_priestess>},
            {.key = "c_empress", .name = "The Empress", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 2, .use = enhance<m_mult>},
            {.key = "c_emperor", .name = "The Emperor", .kind = ConsumableKind::tarot, .cost = 3, .usable = slot_is_free, .use = create_two<Pool::tarot, Stream::tarot_emperor>},
            {.key = "c_heirophant", .name = "The Hierophant", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 2, .use = enhance<m_bonus>},
            {.key = "c_lovers", .name = "The Lovers", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 1, .use = enhance<m_wild>},
            {.key = "c_chariot", .name = "The Chariot", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 1, .use = enhance<m_steel>},
            {.key = "c_justice", .name = "Justice", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 1, .use = enhance<m_glass>},
            {.key = "c_hermit",
             .name = "The Hermit",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .use = [](State& state, const std::uint8_t*, int) { earn(state, std::clamp(state.money, 0, 20)); }},
            {.key = "c_wheel_of_fortune",
             .name = "The Wheel of Fortune",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .usable = has_plain_joker,
             .use =
                 [](State& state, const std::uint8_t*, int) {
                     if (!comes_off(state, Stream::wheel_of_fortune, 4)) {
                         return;
                     }
                     Joker& joker = state.jokers[draw_plain_joker(state, Stream::wheel_of_fortune)];
                     joker.edition = guaranteed_edition(draw(state.streams, Stream::wheel_of_fortune, state.ante).real());
                 }},
            {.key = "c_strength",
             .name = "Strength",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .min_targets = 1,
             .max_targets = 2,
             .use =
                 [](State& state, const std::uint8_t* targets, int count) {
                     for (int i = 0; i < count; ++i) {
                         Card& card = state.cards[targets[i]];
                         card.rank = static_cast<std::uint8_t>(card.rank == kAce ? kMinRank : card.rank + 1);
                         refresh_debuff(state, card);
                     }
                 }},
            {.key = "c_hanged_man",
             .name = "The Hanged Man",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .min_targets = 1,
             .max_targets = 2,
             .use = [](State& state, const std::uint8_t* targets, int count) { destroy_cards(state, targets, count, DestroyedBy::hanged_man); }},
            {.key = "c_death",
             .name = "Death",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .min_targets = 2,
             .max_targets = 2,
             .use = [](State& state, const std::uint8_t* targets, int) { copy_onto(state, state.cards[targets[0]], state.cards[targets[1]]); }},
            {.key = "c_temperance",
             .name = "Temperance",
             .kind = ConsumableKind::tarot,
             .cost = 3,
             .use =
                 [](State& state, const std::uint8_t*, int) {
                     int total = 0;
                     for (int i = 0; i < state.joker_count; ++i) {
                         total += sell_value(state, state.jokers[i]);
                     }
                     earn(state, std::min(50, total));
                 }},
            {.key = "c_devil", .name = "The Devil", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 1, .use = enhance<m_gold>},
            {.key = "c_tower", .name = "The Tower", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 1, .use = enhance<m_stone>},
            {.key = "c_star", .name = "The Star", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 3, .use = change_suit<suit_diamonds>},
            {.key = "c_moon", .name = "The Moon", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 3, .use = change_suit<suit_clubs>},
            {.key = "c_sun", .name = "The Sun", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 3, .use = change_suit<suit_hearts>},
            {.key = "c_judgement", .name = "Judgement", .kind = ConsumableKind::tarot, .cost = 3, .usable = joker_slot_is_free, .use = make_a_joker<JokerSource::judgement>},
            {.key = "c_world", .name = "The World", .kind = ConsumableKind::tarot, .cost = 3, .min_targets = 1, .max_targets = 3, .use = change_suit<suit_spades>},
            {.key = "c_mercury", .name = "Mercury", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_pair},
            {.key = "c_venus", .name = "Venus", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_three_of_a_kind},
            {.key = "c_earth", .name = "Earth", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_full_house},
            {.key = "c_mars", .name = "Mars", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_four_of_a_kind},
            {.key = "c_jupiter", .name = "Jupiter", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush},
            {.key = "c_saturn", .name = "Saturn", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_straight},
            {.key = "c_uranus", .name = "Uranus", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_two_pair},
            {.key = "c_neptune", .name = "Neptune", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_straight_flush},
            {.key = "c_pluto", .name = "Pluto", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_high_card},
            {.key = "c_planet_x", .name = "Planet X", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_five_of_a_kind},
            {.key = "c_ceres", .name = "Ceres", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush_house},
            {.key = "c_eris", .name = "Eris", .kind = ConsumableKind::planet, .cost = 3, .hand = hand_flush_five},
            {.key = "c_familiar",
             .name = "Familiar",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .usable = two_cards_in_hand,
             .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::familiar_create, {kJack, kQueen, kKing}, 3); }},
            {.key = "c_grim",
             .name = "Grim",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .usable = two_cards_in_hand,
             .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::grim_create, {kAce}, 2); }},
            {.key = "c_incantation",
             .name = "Incantation",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .usable = two_cards_in_hand,
             .use = [](State& state, const std::uint8_t*, int) { destroy_one_and_add(state, Stream::incantation_create, {2, 3, 4, 5, 6, 7, 8, 9, 10}, 4); }},
            {.key = "c_talisman", .name = "Talisman", .kind = ConsumableKind::spectral, .cost = 4, .min_targets = 1, .max_targets = 1, .use = put_seal<s_gold>},
            {.key = "c_aura",
             .name = "Aura",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .min_targets = 1,
             .max_targets = 1,
             .usable = [](const State& state, std::uint32_t mask, int) { return state.cards[state.hand[std::countr_zero(mask)]].edition == e_none; },
             .use = [](State& state, const std::uint8_t* targets,
                       int) { state.cards[targets[0]].edition = guaranteed_edition(draw(state.streams, Stream::aura, state.ante).real()); }},
            {.key = "c_wraith",
             .name = "Wraith",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .usable = joker_slot_is_free,
             .use =
                 [](State& state, const std::uint8_t*, int) {
                     create_joker(state, JokerSource::wraith);
                     state.money = 0;
                 }},
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
                 }},
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
                 }},
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
                 }},
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
                     earn(state, 20);
                 }},
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
                 }},
            {.key = "c_deja_vu", .name = "Deja Vu", .kind = ConsumableKind::spectral, .cost = 4, .min_targets = 1, .max_targets = 1, .use = put_seal<s_red>},
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
                 }},
            {.key = "c_trance", .name = "Trance", .kind = ConsumableKind::spectral, .cost = 4, .min_targets = 1, .max_targets = 1, .use = put_seal<s_blue>},
            {.key = "c_medium", .name = "Medium", .kind = ConsumableKind::spectral, .cost = 4, .min_targets = 1, .max_targets = 1, .use = put_seal<s_purple>},
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
                 }},
            {.key = "c_soul",
             .name = "The Soul",
             .kind = ConsumableKind::spectral,
             .cost = 4,
             .in_pool = false,
             .usable = joker_slot_is_free,
             .use = make_a_joker<JokerSource::soul>},
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
                 }},
        }};
static_assert(keys_match(kConsumables, kConsumableKeys), "the consumables stand in the order of core/ids.hpp");

}  // namespace jimbot
