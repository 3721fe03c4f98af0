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

// 0, 1, 2, ...: a draw pile before it is shuffled.
constexpr std::array<std::uint8_t, kMaxCards> kInOrder = [] {
    std::array<std::uint8_t, kMaxCards> indices{};
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::uint8_t>(i);
    }
    return indices;
}();

// The streams of the round's targets, in the order in which they are drawn from.
constexpr Stream kTargetStreams[kTargetDraws] = {Stream::idol, Stream::mail, Stream::ancient, Stream::castle};

int count_stones(const State& state) {
    int stones = 0;
    for (int i = 0; i < state.card_count; ++i) {
        stones += state.cards[i].enhancement == m_stone ? 1 : 0;
    }
    return stones;
}

// A card of the deck without counting Stone cards, of which there are others, in creation order.
const Card& plain_card(const State& state, Draw draw, int stones) {
    int chosen = draw.index(state.card_count - stones);
    if (stones == 0) {
        return state.cards[chosen];
    }
    for (int i = 0;; ++i) {
        if (state.cards[i].enhancement != m_stone && chosen-- == 0) {
            return state.cards[i];
        }
    }
}

Suit other_ancient_suit(int suit_before, Draw draw) {
    constexpr Suit kOrder[] = {suit_spades, suit_hearts, suit_clubs, suit_diamonds};
    Suit suits[suit_count + 1];
    int count = 0;
    for (const Suit suit : kOrder) {
        suits[count] = suit;
        count += suit != suit_before ? 1 : 0;
    }
    return suits[draw.index(count)];
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
    const DeckEntry& deck = kDecks[state.deck];
    if (state.challenge == 0 && deck.has_faces && !deck.has_two_suits && !deck.has_random_cards) {
        std::copy(kStandardDeck.begin(), kStandardDeck.end(), state.cards);
        for (int i = 0; i < kFronts; ++i) {
            state.cards[i].created = state.next_created++;
        }
        state.card_count = state.starting_cards = state.draw_count = kFronts;
        return;
    }
    const ChallengeEntry& challenge = kChallenges[state.challenge];
    const bool own_ranks = std::any_of(challenge.copies_of_rank.begin(), challenge.copies_of_rank.end(),
                                       [](std::uint8_t copies) { return copies != 0; });
    int fronts[kFronts];
    for (int i = 0; i < kFronts; ++i) {
        fronts[i] = deck.has_random_cards ? draw_front(state, Stream::erratic) : i;
    }
    if (deck.has_random_cards) {
        std::sort(fronts, fronts + kFronts);
    }
    for (const int front : fronts) {
        Card card = card_of_front(front);
        const bool face = card.rank >= kJack && card.rank <= kKing;
        if (face && !deck.has_faces) {
            continue;
        }
        if (deck.has_two_suits) {
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
    state.starting_cards = state.draw_count = state.card_count;
}

void shuffle_deck(State& state, Stream stream) {
    if (state.draw_count != state.card_count) {
        for (int i = 0; i < state.card_count; ++i) {
            state.cards[i].move_to(CardPlace::draw_pile);
        }
        state.draw_count = state.card_count;
    }
    std::copy(kInOrder.begin(), kInOrder.begin() + state.card_count, state.draw_pile);
    shuffle(draw_generator(state.streams, stream, state.ante), state.draw_pile, state.draw_count);
}

void draw_round_targets(State& state) {
    RoundTargets& targets = state.targets;
    const int stones = count_stones(state);
    if (stones == state.card_count) {
        // Nothing but Stone cards: the targets of cards are not drawn.
        targets.idol_rank = targets.mail_rank = kAce;
        targets.idol_suit = targets.castle_suit = suit_spades;
        targets.ancient_suit =
            other_ancient_suit(targets.ancient_suit, draw(state.streams, Stream::ancient, state.ante));
        return;
    }
    double reals[kTargetDraws];
    if (state.streams.fast_state == 0) {
        draw_several(state.streams, kTargetStreams, kTargetDraws, state.ante, reals);
    } else {
        for (int i = 0; i < kTargetDraws; ++i) {
            reals[i] = draw(state.streams, kTargetStreams[i], state.ante).real();
        }
    }
    settle_round_targets(state, reals, stones);
}

void settle_round_targets(State& state, const double* reals, int stones) {
    RoundTargets& targets = state.targets;
    const Card& idol = plain_card(state, Draw(reals[0]), stones);
    targets.idol_rank = idol.rank;
    targets.idol_suit = idol.suit;
    targets.mail_rank = plain_card(state, Draw(reals[1]), stones).rank;
    targets.ancient_suit = other_ancient_suit(targets.ancient_suit, Draw(reals[2]));
    targets.castle_suit = plain_card(state, Draw(reals[3]), stones).suit;
}

}  // namespace jimbot
