// Playing cards: ranks, suits, fronts and the card itself.
#pragma once

#include <cstdint>

#include "core/ids.hpp"

namespace jimbot {

// Suits in the byte order of their letters, which is the order cards are created in.
enum Suit : std::uint8_t { suit_clubs, suit_diamonds, suit_hearts, suit_spades, suit_count };

inline constexpr int kMinRank = 2;
inline constexpr int kJack = 11;
inline constexpr int kQueen = 12;
inline constexpr int kKing = 13;
inline constexpr int kAce = 14;
inline constexpr int kRanks = 13;
inline constexpr int kFronts = 52;

inline constexpr char kSuitLetters[] = "CDHS";
inline constexpr const char* kSuitNames[] = {"Clubs", "Diamonds", "Hearts", "Spades"};
// Rank letters by rank (index 2..14).
inline constexpr char kRankLetters[] = "..23456789TJQKA";
// Ranks in the byte order of their letters: 2-9, A, J, K, Q, T.
inline constexpr std::uint8_t kRanksByLetter[kRanks] = {2, 3,    4,     5,     6,      7, 8,
                                                        9, kAce, kJack, kKing, kQueen, 10};

// A front is one of the 52 pictures, numbered in the byte order of their names (C_2 ... S_T).
constexpr Suit front_suit(int front) { return static_cast<Suit>(front / kRanks); }
constexpr int front_rank(int front) { return kRanksByLetter[front % kRanks]; }

enum CardFlag : std::uint8_t {
    card_debuffed = 1,
    card_face_down = 2,
    card_played_this_ante = 4,
    card_forced = 8,
    card_debuffed_for_good = 16,
    card_unknown = 32,  // in previews only: a face-down card, which has no rank, no suit and no effect there
};

// Where a card is. Kept in the two top bits of Card::flags.
enum class CardPlace : std::uint8_t { draw_pile, hand, discard_pile, table };

// One playing card. `created` orders cards by when their object was made, which
// is the order random choices see.
struct Card {
    std::uint32_t created;
    std::uint16_t bonus;  // permanent extra chips
    std::uint8_t rank;    // 2..14
    std::uint8_t suit;
    std::uint8_t enhancement;
    std::uint8_t edition;
    std::uint8_t seal;
    std::uint8_t flags;

    CardPlace place() const { return static_cast<CardPlace>(flags >> 6); }
    void move_to(CardPlace place) {
        flags = static_cast<std::uint8_t>((flags & 0x3f) | (static_cast<unsigned>(place) << 6));
    }
};
static_assert(sizeof(Card) == 12);

// A card that scores its chips and does nothing else.
inline bool only_scores_chips(const Card& card) {
    return card.enhancement == m_none && card.edition == e_none && card.seal == s_none;
}

// Whether a card shows no rank and no suit.
inline bool is_blank(const Card& card) {
    return card.enhancement == m_stone || (card.flags & card_unknown) != 0;
}

}  // namespace jimbot
