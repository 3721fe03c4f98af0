#include "view/columns.hpp"

#include <array>
#include <cstddef>
#include <functional>

#include "catalog/catalog.hpp"
#include "view/identities.hpp"
#include "view/observation.hpp"

namespace jimbot {

namespace {

// A row of the tables below. `index` repeats its position: the compiler compares tables and enumerators.
struct ColumnText {
    int index;
    std::string_view name;
    std::string_view text;
    double low;
    double high;
};

template <std::size_t size> constexpr bool in_order(const std::array<ColumnText, size>& table) {
    for (std::size_t i = 0; i < size; ++i) {
        if (table[i].index != static_cast<int>(i)) {
            return false;
        }
    }
    return true;
}

// The column of an id in a group of one-hot columns; there is none for 0.
constexpr int of_id(int first, int id) { return first + id - 1; }

using G = GlobalColumn;
constexpr std::array<ColumnText, G::count> kGlobalColumns = {{
    {G::phase, "phase_blind_select", "1: a blind is to be chosen", 0, 1},
    {G::phase + 1, "phase_playing", "1: a round is being played", 0, 1},
    {G::phase + 2, "phase_cash_out", "1: a round is won and is to be cashed out", 0, 1},
    {G::phase + 3, "phase_shop", "1: in the shop", 0, 1},
    {G::phase + 4, "phase_pack", "1: a booster pack is open", 0, 1},
    {G::pending, "pending", "1: a chosen consumable waits for its targets", 0, 1},
    {G::ante, "ante", "ante / 8", -2, 2},
    {G::round, "round", "blinds played so far / 24", 0, 2},
    {G::money, "money", "money on a logarithmic scale: log(1 + dollars) / 5, negative for debts", -2, 2},
    {G::money_for_interest, "money_for_interest", "money / 25, between 0 and 1: what earns interest at first",
     0, 1},
    {G::hand_size, "hand_size", "hand size / 12", -2, 2},
    {G::hands_per_round, "hands_per_round", "hands per round / 8", -2, 2},
    {G::discards_per_round, "discards_per_round", "discards per round / 8", -2, 2},
    {G::joker_slots, "joker_slots", "joker slots / 10", -2, 2},
    {G::jokers, "jokers", "jokers owned / 10", 0, 2},
    {G::consumable_slots, "consumable_slots", "consumable slots / 6", -2, 2},
    {G::consumables, "consumables", "consumables owned / 6", 0, 2},
    {G::deck_cards, "deck_cards", "cards of the full deck / 104", 0, 2},
    {G::draw_pile_cards, "draw_pile_cards", "cards of the draw pile / 104", 0, 2},
    {G::reroll_price, "reroll_price", "price of a reroll / 20; 0 outside of the shop", 0, 2},
    {G::stake, "stake", "stake / 8", 0, 1},
    {G::next_blind, "next_small", "1: the small blind is next, or being played", 0, 1},
    {G::next_blind + 1, "next_big", "1: the big blind is", 0, 1},
    {G::next_blind + 2, "next_boss", "1: the boss is", 0, 1},
    {G::pack_choices, "pack_choices", "cards that may still be taken from the open pack / 2", 0, 2},
    {G::skips, "skips", "blinds skipped / 16", 0, 2},
    {G::tarots_used, "tarots_used", "tarot cards used / 25", 0, 2},
    {G::boss_rerolls, "boss_rerolls", "rerolls of this ante's boss / 2", 0, 2},
    {G::sorted_by_suit, "sorted_by_suit", "1: the hand is sorted by suit; 0: by rank", 0, 1},
    {G::hands_played, "hands_played", "hands played in the run / 100", 0, 2},
    {G::won, "won", "1: the boss of ante 8 was beaten", 0, 1},
    {G::credit, "credit", "how far money may fall below 0 / 40", 0, 2},
    {G::hand_cards, "hand_cards", "cards in hand / 16", 0, 2},
    {G::hand_cards_without_row, "hand_cards_without_row", "cards in hand beyond the rows of hand / 16", 0, 1},
}};
static_assert(in_order(kGlobalColumns));

using B = BlindColumn;
constexpr std::array<ColumnText, B::count> kBlindColumns = {{
    {B::playing, "playing", "1: a blind is being played; all but the target is 0 otherwise", 0, 1},
    {B::target, "target", "score to reach, of the next blind between rounds: log(1 + score) / 23", 0, 2},
    {B::score, "score", "score so far: log(1 + score) / 23", 0, 2},
    {B::share, "share", "score so far / target, at most 1", 0, 1},
    {B::missing, "missing", "score still missing: log(1 + score) / 23", 0, 2},
    {B::hands_left, "hands_left", "hands left / 8", -2, 2},
    {B::discards_left, "discards_left", "discards left / 8", -2, 2},
    {B::hands_played, "hands_played", "hands played in this round / 8", 0, 2},
    {B::discards_used, "discards_used", "discards used in this round / 8", 0, 2},
    {B::disabled, "disabled", "1: the boss's effect is disabled", 0, 1},
    {B::last_hand, "last_hand", "(1 + row in levels of the last hand played in this round) / 12; 0: none", 0,
     1},
    {B::only_hand, "only_hand", "(1 + row in levels of the one hand The Mouth allows) / 12; 0: none", 0, 1},
}};
static_assert(in_order(kBlindColumns));

using H = HandColumn;
constexpr std::array<ColumnText, H::count> kHandColumns = {{
    {H::present, "present", "1: there is a card", 0, 1},
    {H::face_down, "face_down", "1: it lies face down; only forced is told of it then", 0, 1},
    {H::forced, "forced", "1: every selection must include it (Cerulean Bell)", 0, 1},
    {H::debuffed, "debuffed", "1: it is debuffed", 0, 1},
    {H::played_this_ante, "played_this_ante", "1: it was played in this ante, which The Pillar asks", 0, 1},
    {H::rank, "rank", "rank / 14: 2 to 10, Jack 11, Queen 12, King 13, Ace 14", 0, 1},
    {H::chips, "chips", "chips of its rank / 11", 0, 1},
    {H::suit, "clubs", "1: its suit is Clubs", 0, 1},
    {H::suit + 1, "diamonds", "1: its suit is Diamonds", 0, 1},
    {H::suit + 2, "hearts", "1: its suit is Hearts", 0, 1},
    {H::suit + 3, "spades", "1: its suit is Spades", 0, 1},
    {of_id(H::enhancement, m_bonus), "bonus_card", "1: it is a Bonus Card", 0, 1},
    {of_id(H::enhancement, m_mult), "mult_card", "1: it is a Mult Card", 0, 1},
    {of_id(H::enhancement, m_wild), "wild_card", "1: it is a Wild Card", 0, 1},
    {of_id(H::enhancement, m_glass), "glass_card", "1: it is a Glass Card", 0, 1},
    {of_id(H::enhancement, m_steel), "steel_card", "1: it is a Steel Card", 0, 1},
    {of_id(H::enhancement, m_stone), "stone_card", "1: it is a Stone Card", 0, 1},
    {of_id(H::enhancement, m_gold), "gold_card", "1: it is a Gold Card", 0, 1},
    {of_id(H::enhancement, m_lucky), "lucky_card", "1: it is a Lucky Card", 0, 1},
    {of_id(H::edition, e_foil), "foil", "1: its edition is Foil", 0, 1},
    {of_id(H::edition, e_holo), "holographic", "1: its edition is Holographic", 0, 1},
    {of_id(H::edition, e_polychrome), "polychrome", "1: its edition is Polychrome", 0, 1},
    {of_id(H::edition, e_negative), "negative", "1: its edition is Negative, which no playing card has", 0,
     1},
    {of_id(H::seal, s_gold), "gold_seal", "1: it has a Gold Seal", 0, 1},
    {of_id(H::seal, s_red), "red_seal", "1: it has a Red Seal", 0, 1},
    {of_id(H::seal, s_blue), "blue_seal", "1: it has a Blue Seal", 0, 1},
    {of_id(H::seal, s_purple), "purple_seal", "1: it has a Purple Seal", 0, 1},
    {H::bonus, "bonus_chips", "permanent extra chips: log(1 + chips) / 5", 0, 2},
}};
static_assert(in_order(kHandColumns));

using J = JokerColumn;
constexpr std::array<ColumnText, J::count> kJokerColumns = {{
    {J::present, "present", "1: there is a joker", 0, 1},
    {J::face_down, "face_down", "1: it lies face down; nothing else is told of it then", 0, 1},
    {J::debuffed, "debuffed", "1: it is debuffed", 0, 1},
    {of_id(J::edition, e_foil), "foil", "1: its edition is Foil", 0, 1},
    {of_id(J::edition, e_holo), "holographic", "1: its edition is Holographic", 0, 1},
    {of_id(J::edition, e_polychrome), "polychrome", "1: its edition is Polychrome", 0, 1},
    {of_id(J::edition, e_negative), "negative", "1: its edition is Negative", 0, 1},
    {J::eternal, "eternal", "1: it is eternal", 0, 1},
    {J::perishable, "perishable", "1: it is perishable", 0, 1},
    {J::rental, "rental", "1: it is rented", 0, 1},
    {J::rounds_left, "rounds_left", "rounds until a perishable joker perishes / 5", 0, 1},
    {J::sell_value, "sell_value", "what selling it brings: log(1 + dollars) / 5", -2, 2},
    {J::value_log, "value_log", "its stored Mult, Chips or XMult: log(1 + value) / 23", -2, 2},
    {J::value, "value", "the same: value / 10", -2, 2},
    {J::counter, "counter", "its stored count of hands, cards or rounds / 25", -2, 2},
    {J::hand, "hand", "(1 + row in levels of the hand To Do List asks for) / 12; 0: none", 0, 1.1},
}};
static_assert(in_order(kJokerColumns));

using C = ConsumableColumn;
constexpr std::array<ColumnText, C::count> kConsumableColumns = {{
    {C::present, "present", "1: there is a consumable", 0, 1},
    {C::negative, "negative", "1: its edition is Negative", 0, 1},
    {C::sell_value, "sell_value", "what selling it brings: log(1 + dollars) / 5", -2, 2},
    {C::max_targets, "max_targets", "hand cards it can be used on at once / 3", 0, 1},
}};
static_assert(in_order(kConsumableColumns));

using I = ItemColumn;
constexpr std::array<ColumnText, I::count> kItemColumns = {{
    {I::present, "present", "1: there is something", 0, 1},
    {I::affordable, "affordable", "1: there is money for it", 0, 1},
    {I::price, "price", "price / 20", 0, 2},
    {I::kind, "joker", "1: it is a joker", 0, 1},
    {I::kind + 1, "consumable", "1: it is a consumable", 0, 1},
    {I::kind + 2, "playing_card", "1: it is a playing card", 0, 1},
    {of_id(I::edition, e_foil), "foil", "1: its edition is Foil, of a joker or a consumable", 0, 1},
    {of_id(I::edition, e_holo), "holographic", "1: its edition is Holographic", 0, 1},
    {of_id(I::edition, e_polychrome), "polychrome", "1: its edition is Polychrome", 0, 1},
    {of_id(I::edition, e_negative), "negative", "1: its edition is Negative", 0, 1},
    {I::eternal, "eternal", "1: it is eternal", 0, 1},
    {I::perishable, "perishable", "1: it is perishable", 0, 1},
    {I::rental, "rental", "1: it is rented", 0, 1},
    {I::enhancement, "enhancement",
     "a playing card's enhancement: its place in deck_enhancements, from 1, / 8", 0, 1},
    {I::seal, "seal", "a playing card's seal / 4: Gold 1, Red 2, Blue 3, Purple 4", 0, 1},
    {I::free, "free", "1: a tag has made it free", 0, 1},
}};
static_assert(in_order(kItemColumns));

using L = LevelColumn;
constexpr std::array<ColumnText, L::count> kLevelColumns = {{
    {L::level, "level", "level / 20", -2, 2},
    {L::played, "played", "times played in the run / 50", 0, 2},
    {L::played_this_round, "played_this_round", "times played in this round / 4", 0, 2},
    {L::chips, "chips", "base chips / 400", 0, 2},
    {L::mult, "mult", "base Mult / 40", 0, 2},
}};
static_assert(in_order(kLevelColumns));

using N = IdentityColumn;
constexpr std::array<ColumnText, N::count> kIdentityColumns = {{
    {N::boss, "boss", "boss of the ante", 0, bl_end - 1},
    {N::blind, "blind", "blind being played; 0 between rounds", 0, bl_end - 1},
    {N::ante_voucher, "ante_voucher", "voucher of the ante; 0 before its first shop and once redeemed", 0,
     v_end - 1},
    {N::small_skip_tag, "small_skip_tag", "tag for skipping the small blind", 0, tag_end - 1},
    {N::big_skip_tag, "big_skip_tag", "tag for skipping the big blind", 0, tag_end - 1},
    {N::deck, "deck", "deck", 0, b_end - 1},
    {N::last_consumable, "last_consumable", "tarot or planet card used last, which The Fool copies", 0,
     c_end - 1},
    {N::pending, "pending", "1 + position of the card that waits for its targets; 0: none", 0,
     kMaxConsumables},
}};
static_assert(in_order(kIdentityColumns));

template <std::size_t size> std::vector<Column> from_table(const std::array<ColumnText, size>& table) {
    std::vector<Column> columns;
    for (const ColumnText& row : table) {
        columns.push_back({std::string(row.name), std::string(row.text), row.low, row.high});
    }
    return columns;
}

// Columns that all hold the same about one thing each, such as the vouchers.
std::vector<Column> one_each(int count, const std::function<std::string(int)>& name, std::string_view text,
                             double high) {
    std::vector<Column> columns;
    for (int i = 0; i < count; ++i) {
        columns.push_back({name(i), std::string(text), 0, high});
    }
    return columns;
}

// Identities of the rows of an array.
std::vector<Column> of_rows(int count, const std::string& row, std::string_view text, double high) {
    return one_each(count, [&](int i) { return row + "_" + std::to_string(i); }, text, high);
}

template <typename Table> std::string key_at(const Table& table, int index) {
    return std::string(table[static_cast<std::size_t>(index)].key);
}

std::string front_name(int front) {
    return {kSuitLetters[front_suit(front)], '_', kRankLetters[front_rank(front)]};
}

constexpr std::string_view kShelf = "shelf identity; 0 nothing";

struct Array {
    std::string_view name;
    std::vector<Column> (*columns)();
};

constexpr Array kArrays[] = {
    {"globals", [] { return from_table(kGlobalColumns); }},
    {"blind", [] { return from_table(kBlindColumns); }},
    {"hand", [] { return from_table(kHandColumns); }},
    {"jokers", [] { return from_table(kJokerColumns); }},
    {"consumables", [] { return from_table(kConsumableColumns); }},
    {"shop", [] { return from_table(kItemColumns); }},
    {"shop_vouchers", [] { return from_table(kItemColumns); }},
    {"shop_packs", [] { return from_table(kItemColumns); }},
    {"pack", [] { return from_table(kItemColumns); }},
    {"deck", [] { return one_each(kFronts, front_name, "cards of this front not seen this round / 4", 2); }},
    {"deck_enhancements",
     [] {
         const auto key = [](int i) {
             return std::string(kEnhancementKeys[1 + static_cast<std::size_t>(i)]);
         };
         return one_each(m_end - 1, key, "cards of the full deck with this enhancement / 26", 2);
     }},
    {"levels", [] { return from_table(kLevelColumns); }},
    {"vouchers",
     [] { return one_each(v_end - 1, [](int i) { return key_at(kVouchers, i + 1); }, "1: redeemed", 1); }},
    {"tags",
     [] {
         const auto key = [](int i) { return key_at(kTagEntries, i + 1); };
         return one_each(tag_end - 1, key, "tags of this kind held / 2", 2);
     }},
    {"identities", [] { return from_table(kIdentityColumns); }},
    {"hand_ids",
     [] {
         return of_rows(kSeenHand, "hand", "front, counted from 1 as in deck; 53 face down, 0 nothing",
                        kCardIdentities - 1);
     }},
    {"joker_ids", [] { return of_rows(kSeenJokers, "joker", "joker; 151 face down, 0 nothing", j_end); }},
    {"consumable_ids",
     [] { return of_rows(kSeenConsumables, "consumable", "consumable; 0 nothing", c_end - 1); }},
    {"shop_ids", [] { return of_rows(kMaxShopSlots, "shop", kShelf, kItemIdentities - 1); }},
    {"shop_voucher_ids", [] { return of_rows(kSeenVouchers, "shop_voucher", kShelf, kItemIdentities - 1); }},
    {"shop_pack_ids", [] { return of_rows(kShopPacks, "shop_pack", kShelf, kItemIdentities - 1); }},
    {"pack_ids", [] { return of_rows(kMaxPackCards, "pack", kShelf, kItemIdentities - 1); }},
};

}  // namespace

std::vector<Column> observation_columns(std::string_view array) {
    for (const Array& each : kArrays) {
        if (each.name == array) {
            return each.columns();
        }
    }
    return {};
}

}  // namespace jimbot
