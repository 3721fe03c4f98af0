// Small ids for everything the game names by a key. An enumerator is the game's own key, and its value is the
// item's place in the game's order, so that pools are plain index ranges. Each list below is written once:
// the enumerators and the texts of their keys both come from it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// A build may add jokers of its own (engine/DESIGN.md, "Adding content"): JIMBOT_EXTRA_IDS then names a
// header that lists their ids, as the lists below do; their table entries are in JIMBOT_EXTRA_JOKERS.
#ifdef JIMBOT_EXTRA_IDS
#include JIMBOT_EXTRA_IDS
#else
#define JIMBOT_EXTRA_JOKER_IDS(X)
#endif

// clang-format off
// The 150 jokers, in collection order. Those that a build adds follow them.
#define JIMBOT_JOKER_IDS(X) \
    X(j_joker) X(j_greedy_joker) X(j_lusty_joker) X(j_wrathful_joker) X(j_gluttenous_joker) X(j_jolly) \
    X(j_zany) X(j_mad) X(j_crazy) X(j_droll) X(j_sly) X(j_wily) X(j_clever) X(j_devious) X(j_crafty) \
    X(j_half) X(j_stencil) X(j_four_fingers) X(j_mime) X(j_credit_card) X(j_ceremonial) X(j_banner) \
    X(j_mystic_summit) X(j_marble) X(j_loyalty_card) X(j_8_ball) X(j_misprint) X(j_dusk) X(j_raised_fist) \
    X(j_chaos) X(j_fibonacci) X(j_steel_joker) X(j_scary_face) X(j_abstract) X(j_delayed_grat) X(j_hack) \
    X(j_pareidolia) X(j_gros_michel) X(j_even_steven) X(j_odd_todd) X(j_scholar) X(j_business) \
    X(j_supernova) X(j_ride_the_bus) X(j_space) X(j_egg) X(j_burglar) X(j_blackboard) X(j_runner) \
    X(j_ice_cream) X(j_dna) X(j_splash) X(j_blue_joker) X(j_sixth_sense) X(j_constellation) X(j_hiker) \
    X(j_faceless) X(j_green_joker) X(j_superposition) X(j_todo_list) X(j_cavendish) X(j_card_sharp) \
    X(j_red_card) X(j_madness) X(j_square) X(j_seance) X(j_riff_raff) X(j_vampire) X(j_shortcut) \
    X(j_hologram) X(j_vagabond) X(j_baron) X(j_cloud_9) X(j_rocket) X(j_obelisk) X(j_midas_mask) \
    X(j_luchador) X(j_photograph) X(j_gift) X(j_turtle_bean) X(j_erosion) X(j_reserved_parking) X(j_mail) \
    X(j_to_the_moon) X(j_hallucination) X(j_fortune_teller) X(j_juggler) X(j_drunkard) X(j_stone) \
    X(j_golden) X(j_lucky_cat) X(j_baseball) X(j_bull) X(j_diet_cola) X(j_trading) X(j_flash) X(j_popcorn) \
    X(j_trousers) X(j_ancient) X(j_ramen) X(j_walkie_talkie) X(j_selzer) X(j_castle) X(j_smiley) \
    X(j_campfire) X(j_ticket) X(j_mr_bones) X(j_acrobat) X(j_sock_and_buskin) X(j_swashbuckler) \
    X(j_troubadour) X(j_certificate) X(j_smeared) X(j_throwback) X(j_hanging_chad) X(j_rough_gem) \
    X(j_bloodstone) X(j_arrowhead) X(j_onyx_agate) X(j_glass) X(j_ring_master) X(j_flower_pot) \
    X(j_blueprint) X(j_wee) X(j_merry_andy) X(j_oops) X(j_idol) X(j_seeing_double) X(j_matador) \
    X(j_hit_the_road) X(j_duo) X(j_trio) X(j_family) X(j_order) X(j_tribe) X(j_stuntman) X(j_invisible) \
    X(j_brainstorm) X(j_satellite) X(j_shoot_the_moon) X(j_drivers_license) X(j_cartomancer) \
    X(j_astronomer) X(j_burnt) X(j_bootstraps) X(j_caino) X(j_triboulet) X(j_yorick) X(j_chicot) \
    X(j_perkeo)

// 22 tarots, 12 planets and 18 spectral cards.
#define JIMBOT_CONSUMABLE_IDS(X) \
    X(c_fool) X(c_magician) X(c_high_priestess) X(c_empress) X(c_emperor) X(c_heirophant) X(c_lovers) \
    X(c_chariot) X(c_justice) X(c_hermit) X(c_wheel_of_fortune) X(c_strength) X(c_hanged_man) X(c_death) \
    X(c_temperance) X(c_devil) X(c_tower) X(c_star) X(c_moon) X(c_sun) X(c_judgement) X(c_world) \
    X(c_mercury) X(c_venus) X(c_earth) X(c_mars) X(c_jupiter) X(c_saturn) X(c_uranus) X(c_neptune) \
    X(c_pluto) X(c_planet_x) X(c_ceres) X(c_eris) X(c_familiar) X(c_grim) X(c_incantation) X(c_talisman) \
    X(c_aura) X(c_wraith) X(c_sigil) X(c_ouija) X(c_ectoplasm) X(c_immolate) X(c_ankh) X(c_deja_vu) \
    X(c_hex) X(c_trance) X(c_medium) X(c_cryptid) X(c_soul) X(c_black_hole)

// The 32 vouchers; every even one requires the one before it.
#define JIMBOT_VOUCHER_IDS(X) \
    X(v_overstock_norm) X(v_overstock_plus) X(v_clearance_sale) X(v_liquidation) X(v_hone) X(v_glow_up) \
    X(v_reroll_surplus) X(v_reroll_glut) X(v_crystal_ball) X(v_omen_globe) X(v_telescope) X(v_observatory) \
    X(v_grabber) X(v_nacho_tong) X(v_wasteful) X(v_recyclomancy) X(v_tarot_merchant) X(v_tarot_tycoon) \
    X(v_planet_merchant) X(v_planet_tycoon) X(v_seed_money) X(v_money_tree) X(v_blank) X(v_antimatter) \
    X(v_magic_trick) X(v_illusion) X(v_hieroglyph) X(v_petroglyph) X(v_directors_cut) X(v_retcon) \
    X(v_paint_brush) X(v_palette)

// The 24 tags.
#define JIMBOT_TAG_IDS(X) \
    X(tag_uncommon) X(tag_rare) X(tag_negative) X(tag_foil) X(tag_holo) X(tag_polychrome) \
    X(tag_investment) X(tag_voucher) X(tag_boss) X(tag_standard) X(tag_charm) X(tag_meteor) X(tag_buffoon) \
    X(tag_handy) X(tag_garbage) X(tag_ethereal) X(tag_coupon) X(tag_double) X(tag_juggle) X(tag_d_six) \
    X(tag_top_up) X(tag_skip) X(tag_orbital) X(tag_economy)

// The 30 blinds: small, big, 23 bosses and 5 showdown bosses.
#define JIMBOT_BLIND_IDS(X) \
    X(bl_small) X(bl_big) X(bl_hook) X(bl_ox) X(bl_house) X(bl_wall) X(bl_wheel) X(bl_arm) X(bl_club) \
    X(bl_fish) X(bl_psychic) X(bl_goad) X(bl_water) X(bl_window) X(bl_manacle) X(bl_eye) X(bl_mouth) \
    X(bl_plant) X(bl_serpent) X(bl_pillar) X(bl_needle) X(bl_head) X(bl_tooth) X(bl_flint) X(bl_mark) \
    X(bl_final_acorn) X(bl_final_leaf) X(bl_final_vessel) X(bl_final_heart) X(bl_final_bell)

// The 32 booster packs.
#define JIMBOT_PACK_IDS(X) \
    X(p_arcana_normal_1) X(p_arcana_normal_2) X(p_arcana_normal_3) X(p_arcana_normal_4) \
    X(p_arcana_jumbo_1) X(p_arcana_jumbo_2) X(p_arcana_mega_1) X(p_arcana_mega_2) X(p_celestial_normal_1) \
    X(p_celestial_normal_2) X(p_celestial_normal_3) X(p_celestial_normal_4) X(p_celestial_jumbo_1) \
    X(p_celestial_jumbo_2) X(p_celestial_mega_1) X(p_celestial_mega_2) X(p_standard_normal_1) \
    X(p_standard_normal_2) X(p_standard_normal_3) X(p_standard_normal_4) X(p_standard_jumbo_1) \
    X(p_standard_jumbo_2) X(p_standard_mega_1) X(p_standard_mega_2) X(p_buffoon_normal_1) \
    X(p_buffoon_normal_2) X(p_buffoon_jumbo_1) X(p_buffoon_mega_1) X(p_spectral_normal_1) \
    X(p_spectral_normal_2) X(p_spectral_jumbo_1) X(p_spectral_mega_1)

// The 15 decks and the plain one of the challenges.
#define JIMBOT_DECK_IDS(X) \
    X(b_red) X(b_blue) X(b_yellow) X(b_green) X(b_black) X(b_magic) X(b_nebula) X(b_ghost) X(b_abandoned) \
    X(b_checkered) X(b_zodiac) X(b_painted) X(b_anaglyph) X(b_plasma) X(b_erratic) X(b_challenge)
// clang-format on

#define JIMBOT_ENUMERATOR(id) id,
#define JIMBOT_KEY_TEXT(id) #id,

namespace jimbot {

enum JokerId : std::uint8_t {
    j_none = 0,
    JIMBOT_JOKER_IDS(JIMBOT_ENUMERATOR) JIMBOT_EXTRA_JOKER_IDS(JIMBOT_ENUMERATOR) j_end
};
enum ConsumableId : std::uint8_t { c_none = 0, JIMBOT_CONSUMABLE_IDS(JIMBOT_ENUMERATOR) c_end };
enum VoucherId : std::uint8_t { v_none = 0, JIMBOT_VOUCHER_IDS(JIMBOT_ENUMERATOR) v_end };
enum TagId : std::uint8_t { tag_none = 0, JIMBOT_TAG_IDS(JIMBOT_ENUMERATOR) tag_end };
enum BlindId : std::uint8_t { bl_none = 0, JIMBOT_BLIND_IDS(JIMBOT_ENUMERATOR) bl_end };
enum PackId : std::uint8_t { p_none = 0, JIMBOT_PACK_IDS(JIMBOT_ENUMERATOR) p_end };
enum DeckId : std::uint8_t { b_none = 0, JIMBOT_DECK_IDS(JIMBOT_ENUMERATOR) b_end };

// The key of every id; the empty text for none.
inline constexpr std::array<std::string_view, j_end> kJokerKeys = {
    "", JIMBOT_JOKER_IDS(JIMBOT_KEY_TEXT) JIMBOT_EXTRA_JOKER_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, c_end> kConsumableKeys = {
    "", JIMBOT_CONSUMABLE_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, v_end> kVoucherKeys = {"", JIMBOT_VOUCHER_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, tag_end> kTagKeys = {"", JIMBOT_TAG_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, bl_end> kBlindKeys = {"", JIMBOT_BLIND_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, p_end> kPackKeys = {"", JIMBOT_PACK_IDS(JIMBOT_KEY_TEXT)};
inline constexpr std::array<std::string_view, b_end> kDeckKeys = {"", JIMBOT_DECK_IDS(JIMBOT_KEY_TEXT)};

#undef JIMBOT_ENUMERATOR
#undef JIMBOT_KEY_TEXT

// Whether every entry of a table has the key of its id, for static_assert beside the table.
template <typename Entry, std::size_t size>
constexpr bool keys_match(const std::array<Entry, size>& table,
                          const std::array<std::string_view, size>& keys) {
    for (std::size_t id = 0; id < size; ++id) {
        if (table[id].key != keys[id]) {
            return false;
        }
    }
    return true;
}

inline constexpr int kTarots = c_world - c_fool + 1;
inline constexpr int kPlanets = c_eris - c_mercury + 1;
inline constexpr int kSpectrals = c_black_hole - c_familiar + 1;
static_assert(kTarots + kPlanets + kSpectrals == c_end - 1,
              "tarots, planets and spectral cards follow each other");

// The blinds behind small and big are bosses.
inline constexpr BlindId kFirstBoss = bl_hook;
constexpr bool is_boss(int blind) { return blind >= kFirstBoss; }

// The deck of a run if nobody chooses another.
inline constexpr DeckId kUsualDeck = b_red;

constexpr bool is_tarot(int id) { return id >= c_fool && id <= c_world; }
constexpr bool is_planet(int id) { return id >= c_mercury && id <= c_eris; }
constexpr bool is_spectral(int id) { return id >= c_familiar && id <= c_black_hole; }

// Card enhancements, in pool order.
enum EnhancementId : std::uint8_t {
    m_none = 0,
    m_bonus,
    m_mult,
    m_wild,
    m_glass,
    m_steel,
    m_stone,
    m_gold,
    m_lucky,
    m_end,
};

// Editions. Playing cards, jokers and consumables share them.
enum EditionId : std::uint8_t { e_none = 0, e_foil, e_holo, e_polychrome, e_negative, e_end };

// Seals of playing cards.
enum SealId : std::uint8_t { s_none = 0, s_gold, s_red, s_blue, s_purple, s_end };

// Stickers of jokers, as bits.
enum Sticker : std::uint8_t {
    sticker_eternal = 1,
    sticker_perishable = 2,
    sticker_rental = 4,
    sticker_pinned = 8
};

// Poker hands, strongest first.
enum HandType : std::uint8_t {
    hand_flush_five,
    hand_flush_house,
    hand_five_of_a_kind,
    hand_straight_flush,
    hand_four_of_a_kind,
    hand_full_house,
    hand_flush,
    hand_straight,
    hand_three_of_a_kind,
    hand_two_pair,
    hand_pair,
    hand_high_card,
    hand_types,
};

}  // namespace jimbot
