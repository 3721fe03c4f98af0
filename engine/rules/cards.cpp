#include "rules/cards.hpp"

#include <array>

#include "core/pairs.hpp"
#include "rules/blind.hpp"
#include "rules/poker.hpp"
#include "rules/pools.hpp"

namespace jimbot {

namespace {

// Shifts every stored card index at or above `from` by `by`.
void shift_indices(State& state, int from, int by) {
    const auto shift = [&](std::uint8_t& index) {
        if (index >= from) {
            index = static_cast<std::uint8_t>(index + by);
        }
    };
    for (int i = 0; i < state.hand_count; ++i) {
        shift(state.hand[i]);
    }
    for (int i = 0; i < state.draw_count; ++i) {
        shift(state.draw_pile[i]);
    }
}

void drop_index(std::uint8_t* list, std::uint8_t& count, int index) {
    std::uint8_t* const end = std::remove(list, list + count, static_cast<std::uint8_t>(index));
    count = static_cast<std::uint8_t>(end - list);
}

// Where a card stands in the two sort orders, by rank and by suit: the highest comes first. Clubs count more
// than Diamonds here, although creation order has Clubs first.
constexpr std::size_t place_index(int rank, int suit) {
    return static_cast<std::size_t>(rank) * suit_count + static_cast<std::size_t>(suit);
}
using PlaceTable = std::array<std::uint8_t, place_index(kAce + 1, 0)>;
constexpr int kSuitValue[suit_count] = {1, 0, 2, 3};
constexpr int place_value(int rank, int suit) { return rank * suit_count + kSuitValue[suit]; }

template <typename Place> constexpr PlaceTable tabulate_places(Place place) {
    PlaceTable table{};
    for (int rank = kMinRank; rank <= kAce; ++rank) {
        for (int suit = 0; suit < suit_count; ++suit) {
            table[place_index(rank, suit)] = static_cast<std::uint8_t>(place(rank, suit));
        }
    }
    return table;
}

constexpr int kAboveStones = 64;
constexpr PlaceTable kSortPlaces[] = {
    tabulate_places([](int rank, int suit) { return kAboveStones + place_value(rank, suit); }),
    tabulate_places([](int rank, int suit) { return kAboveStones + kSuitValue[suit] * 16 + rank; }),
};
// Stone cards come last, the lowest of them first.
constexpr PlaceTable kStonePlaces =
    tabulate_places([](int rank, int suit) { return kAboveStones - 4 - place_value(rank, suit); });

}  // namespace

bool is_face_card(const State& state, const Card& card) {
    if ((card.flags & card_debuffed) != 0) {
        return false;
    }
    const int rank = rank_of(card);
    return (rank >= kJack && rank <= kKing) || has_passive(state, passive_all_faces);
}

Card front_card(int front) {
    Card card{};
    card.rank = static_cast<std::uint8_t>(front_rank(front));
    card.suit = front_suit(front);
    return card;
}

int count_enhanced(const State& state, EnhancementId enhancement) {
    int count = 0;
    for (int i = 0; i < state.card_count; ++i) {
        count += state.cards[i].enhancement == enhancement ? 1 : 0;
    }
    return count;
}

bool comes_off(State& state, Stream stream, int one_in) {
    return draw(state.streams, stream, state.ante).real() <
           static_cast<double>(odds_factor(state)) / static_cast<double>(one_in);
}

bool gain_card(State& state, Card card, CardPlace place) {
    card.created = state.next_created++;
    return gain_made_card(state, card, place);
}

bool gain_made_card(State& state, const Card& card, CardPlace place) {
    if (state.card_count >= kMaxCards) {
        return false;
    }
    int index = state.card_count;
    while (index > 0 && state.cards[index - 1].created > card.created) {
        --index;
    }
    if (index < state.card_count) {
        std::copy_backward(state.cards + index, state.cards + state.card_count,
                           state.cards + state.card_count + 1);
        shift_indices(state, index, 1);
    }
    ++state.card_count;
    Card& added = state.cards[index];
    added = card;
    added.flags = static_cast<std::uint8_t>(card.flags & (card_debuffed_for_good | card_played_this_ante));
    if (place == CardPlace::hand && state.hand_count < kMaxHand) {
        added.move_to(CardPlace::hand);
        state.hand[state.hand_count++] = static_cast<std::uint8_t>(index);
    } else {
        added.move_to(CardPlace::draw_pile);
        state.draw_pile[state.draw_count++] = static_cast<std::uint8_t>(index);
    }
    refresh_debuff(state, added);
    each_joker(state, [](const JokerHooks& hooks, Turn& turn) {
        if (hooks.cards_added != nullptr) {
            hooks.cards_added(turn, 1);
        }
    });
    return true;
}

void enhance_card(State& state, Card& card, EnhancementId enhancement) {
    card.enhancement = enhancement;
    card.flags =
        static_cast<std::uint8_t>(card.flags & ~card_played_this_ante);  // a changed card counts as unplayed
    refresh_debuff(state, card);
}

void destroy_cards(State& state, const std::uint8_t* indices, int count, DestroyedBy by) {
    if (count == 0) {
        return;
    }
    Card gone[kMaxHand];
    std::uint8_t order[kMaxHand] = {};
    for (int i = 0; i < count; ++i) {
        gone[i] = state.cards[indices[i]];
        order[i] = indices[i];
    }
    std::sort(order, order + count);
    for (int i = count - 1; i >= 0; --i) {
        const int index = order[i];
        drop_index(state.hand, state.hand_count, index);
        drop_index(state.draw_pile, state.draw_count, index);
        std::copy(state.cards + index + 1, state.cards + state.card_count, state.cards + index);
        --state.card_count;
        shift_indices(state, index + 1, -1);
    }
    announce_destroyed(state, gone, count, by);
}

void announce_destroyed(State& state, const Card* cards, int count, DestroyedBy by) {
    each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
        if (count > 0 && hooks.cards_destroyed != nullptr) {
            hooks.cards_destroyed(turn, cards, count, by);
        }
    });
}

int index_of_card(const State& state, std::uint32_t created) {
    const Card* const found =
        std::lower_bound(state.cards, state.cards + state.card_count, created,
                         [](const Card& card, std::uint32_t number) { return card.created < number; });
    return static_cast<int>(found - state.cards);
}

void remove_from_hand(State& state, int index) { drop_index(state.hand, state.hand_count, index); }

void sort_hand(State& state) {
    // One word per card: its place in the order above its index, so that one comparison decides. A card's new
    // place is the number of words above its own. They are counted eight at a time, without a branch that
    // could be mispredicted.
    constexpr int kBlock = 8;
    constexpr int kBlocks = kMaxHand / kBlock;
    std::int16_t words[kMaxHand];
    WordPair blocks[kBlocks];
    const PlaceTable& places = kSortPlaces[state.sort_mode != 0 ? 1 : 0];
    const int count = state.hand_count;
    const auto pack_four = [&](int first) {
        std::uint64_t four = 0;
        for (int i = first; i < std::min(count, first + kBlock / 2); ++i) {
            const int index = state.hand[i];
            const Card& card = state.cards[index];
            const std::size_t value = place_index(card.rank, card.suit);
            const unsigned place = card.enhancement == m_stone ? kStonePlaces[value] : places[value];
            const unsigned word = (place << 8) | static_cast<unsigned>(0xff - index);  // the older card first
            words[i] = static_cast<std::int16_t>(word);
            four |= std::uint64_t{word} << (16 * (i - first));
        }
        return four;
    };
    for (int first = 0; first < count; first += kBlock) {
        const std::uint64_t left = pack_four(first);
        blocks[first / kBlock] = WordPair{left, pack_four(first + kBlock / 2)};
    }
    for (int first = 0; first < count; first += kBlock) {
        const auto numbers = same_bits<ShortOctet>(blocks[first / kBlock]);
        ShortOctet above = {};
        for (int i = 0; i < count; ++i) {
            count_below(above, numbers, words[i]);
        }
        for (int i = first; i < std::min(count, first + kBlock); ++i) {
            state.hand[above[i - first]] = static_cast<std::uint8_t>(0xff - (words[i] & 0xff));
        }
    }
}

void replace_jokers(State& state, const Moment& moment) {
    remove_jokers(state, moment.doomed);
    for (int i = 0; i < moment.ordered; ++i) {
        create_joker(state, moment.orders[i]);
    }
}

void order_jokers(Turn& turn, JokerSource source, int most) {
    Moment& moment = turn.moment;
    const int free = joker_slots(turn.state) - turn.state.joker_count - moment.reserved;
    const int count = std::clamp(free, 0, std::min(most, kMaxJokers - moment.ordered));
    moment.reserved += count;
    for (int i = 0; i < count; ++i) {
        moment.orders[moment.ordered++] = source;
    }
}

void create_joker(State& state, JokerSource source) {
    add_joker(state, joker_from_item(state, make_joker(state, source)));
}

void duplicate_joker(State& state, int position) {
    Joker copy = state.jokers[position];
    copy.created = state.next_created++;
    copy.edition = copy.edition == e_negative ? std::uint8_t{e_none} : copy.edition;
    if (kJokers[copy.id].hooks.duplicated != nullptr) {
        kJokers[copy.id].hooks.duplicated(copy);
    }
    add_joker(state, copy);
}

void duplicate_random_consumable(State& state) {
    std::uint8_t order[kMaxConsumables] = {};
    for (int i = 0; i < state.consumable_count; ++i) {
        order[i] = static_cast<std::uint8_t>(i);
    }
    std::sort(order, order + state.consumable_count, [&](std::uint8_t a, std::uint8_t b) {
        return state.consumables[a].created < state.consumables[b].created;
    });
    const int chosen = order[draw(state.streams, Stream::perkeo, state.ante).index(state.consumable_count)];
    Consumable copy = state.consumables[chosen];
    copy.created = state.next_created++;
    copy.edition = e_negative;
    add_consumable(state, copy);
}

}  // namespace jimbot
