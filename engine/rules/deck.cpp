#include "rules/deck.hpp"

#include <algorithm>
#include <array>

#include "catalog/catalog.hpp"
#include "rules/generate.hpp"

namespace jimbot {

namespace {

constexpr Card card_of_front(int front) {
    Card card{};
    card.rank = static_cast<std::uint8_t>(front_rank(front));
    card.suit = front_suit(front);
    return card;
}

constexpr std::array<Card, kFronts> standard_deck() {
    std::array<Card, kFronts> cards{};
    for (int front = 0; front < kFronts; ++front) {
        cards[static_cast<std::size_t>(front)] = card_of_front(front);
    }
    return cards;
}

constexpr std::array<Card, kFronts> kStandardDeck = standard_deck();

// A card of the deck without counting Stone cards, in creation order; -1 if there is none.
int draw_plain_card(State& state, Stream stream, int stones) {
    const int plain = state.card_count - stones;
    if (plain == 0) {
        return -1;
    }
    int chosen = draw(state.streams, stream, state.ante).index(plain);
    if (stones == 0) {
        return chosen;
    }
    for (int i = 0;; ++i) {
        if (state.cards[i].enhancement != m_stone && chosen-- == 0) {
            return i;
        }
    }
}

}  // namespace

bool add_card(State& state, Card card) {
    if (state.card_count >= kMaxCards) {
        return false;
    }
    card.created = state.next_created++;
    state.cards[state.card_count++] = card;
    return true;
}

void build_deck(State& state) {
    state.card_count = 0;
    if (state.challenge == 0 && state.deck != b_erratic && state.deck != b_abandoned &&
        state.deck != b_checkered) {
        std::copy(kStandardDeck.begin(), kStandardDeck.end(), state.cards);
        for (int i = 0; i < kFronts; ++i) {
            state.cards[i].created = state.next_created++;
        }
        state.card_count = state.starting_cards = kFronts;
        return;
    }
    const ChallengeEntry& challenge = kChallenges[state.challenge];
    const bool own_ranks = std::any_of(challenge.copies_of_rank.begin(), challenge.copies_of_rank.end(),
                                       [](std::uint8_t copies) { return copies != 0; });
    int fronts[kFronts];
    for (int i = 0; i < kFronts; ++i) {
        fronts[i] = state.deck == b_erratic ? draw_front(state, Stream::erratic) : i;
    }
    if (state.deck == b_erratic) {
        std::sort(fronts, fronts + kFronts);
    }
    for (const int front : fronts) {
        Card card = card_of_front(front);
        const bool face = card.rank >= kJack && card.rank <= kKing;
        if (state.deck == b_abandoned && face) {
            continue;
        }
        if (state.deck == b_checkered) {
            card.suit = card.suit == suit_clubs      ? std::uint8_t{suit_spades}
                        : card.suit == suit_diamonds ? std::uint8_t{suit_hearts}
                                                     : card.suit;
        }
        if (challenge.deck_enhancement != m_none && (face || !challenge.enhances_faces_only)) {
            card.enhancement = challenge.deck_enhancement;
        }
        card.seal = challenge.deck_seal;
        const int copies = own_ranks ? challenge.copies_of_rank[card.rank] : 1;
        for (int i = 0; i < copies; ++i) {
            add_card(state, card);
        }
    }
    state.starting_cards = state.card_count;
}

void shuffle_deck(State& state, Stream stream) {
    for (int i = 0; i < state.card_count; ++i) {
        state.cards[i].move_to(CardPlace::draw_pile);
        state.draw_pile[i] = static_cast<std::uint8_t>(i);
    }
    state.draw_count = state.card_count;
    LuaRandom random = draw(state.streams, stream, state.ante);
    shuffle(random, state.draw_pile, state.draw_count);
}

void draw_round_targets(State& state) {
    RoundTargets& targets = state.targets;
    int stones = 0;
    for (int i = 0; i < state.card_count; ++i) {
        stones += state.cards[i].enhancement == m_stone ? 1 : 0;
    }
    const int idol = draw_plain_card(state, Stream::idol, stones);
    targets.idol_rank = idol < 0 ? std::uint8_t{kAce} : state.cards[idol].rank;
    targets.idol_suit = idol < 0 ? std::uint8_t{suit_spades} : state.cards[idol].suit;
    const int mail = draw_plain_card(state, Stream::mail, stones);
    targets.mail_rank = mail < 0 ? std::uint8_t{kAce} : state.cards[mail].rank;
    constexpr Suit kAncientOrder[] = {suit_spades, suit_hearts, suit_clubs, suit_diamonds};
    Suit suits[suit_count];
    int count = 0;
    for (const Suit suit : kAncientOrder) {
        if (suit != targets.ancient_suit) {
            suits[count++] = suit;
        }
    }
    targets.ancient_suit = suits[draw(state.streams, Stream::ancient, state.ante).index(count)];
    const int castle = draw_plain_card(state, Stream::castle, stones);
    targets.castle_suit = castle < 0 ? std::uint8_t{suit_spades} : state.cards[castle].suit;
}

}  // namespace jimbot
