#include "view/hidden.hpp"

#include <utility>

#include "rules/blind.hpp"
#include "rules/challenge.hpp"
#include "view/visibility.hpp"

namespace jimbot {

namespace {

int below(std::uint64_t& random, int count) {
    return static_cast<int>(((next_fast(random) >> 32) * static_cast<std::uint64_t>(count)) >> 32);
}

// Whether a consumable is owned that says of every card whether it has an edition (Aura).
bool knows_editions(const State& state) {
    for (int i = 0; i < state.consumable_count; ++i) {
        if (kConsumables[state.consumables[i].id].traits.tells_editions) {
            return true;
        }
    }
    return false;
}

// Exchanges two cards: each takes the other's index and place, which keeps creation order intact.
void exchange(State& state, std::uint8_t& a, std::uint8_t& b) {
    const unsigned flags_first = state.cards[a].flags & kPlaceFlags;
    const unsigned flags_second = state.cards[b].flags & kPlaceFlags;
    set_place_flags(state.cards[a], flags_second);
    set_place_flags(state.cards[b], flags_first);
    std::swap(a, b);
}

// How many of `places` face-down cards are face cards, if every face card is dealt face down and every fourth
// of the others: Fisher's noncentral hypergeometric distribution over `faces` and `others`.
int draw_face_count(std::uint64_t& random, int places, int faces, int others) {
    constexpr double kOddsOfFaces = 4.0;
    const int least = places > others ? places - others : 0;
    const int most = places < faces ? places : faces;
    double weights[kMaxHand + 1];
    double total = 0.0;
    double weight = 1.0;
    for (int count = least; count <= most; ++count) {
        weights[count - least] = weight;
        total += weight;
        weight *= kOddsOfFaces * (faces - count) * (places - count) /
                  (static_cast<double>(count + 1) * (others - places + count + 1));
    }
    double left = total * static_cast<double>(next_fast(random) >> 11) * 0x1p-53;
    int count = least;
    while (count < most && left >= weights[count - least]) {
        left -= weights[count - least];
        ++count;
    }
    return count;
}

// What is known about face-down cards: The Mark turns exactly the face cards down, and an Aura says which
// cards have an edition. Every other blind says nothing about what it hides.
class KnownClasses {
public:
    explicit KnownClasses(const State& state)
        : state_(state), hides_(active_blind(state).traits.hides), editions_(knows_editions(state)) {}

    int of(const Card& card) const {
        return (hides_ != nullptr && hides_(state_, card) ? kFace : 0) +
               (editions_ && card.edition != e_none ? kEdition : 0);
    }

    // Under X-ray Vision other cards lie face down as well, so The Mark tells less: how many of the first
    // `places` cards are face cards is drawn.
    void draw_faces(std::uint64_t& random, std::uint8_t* const* hidden, int places, int count) {
        mixed_ = hides_ != nullptr && has_rule(state_, rule_face_down_one_in_four);
        if (!mixed_) {
            return;
        }
        for (const int edition : {0, kEdition}) {
            int faces = 0;
            int others = 0;
            Group& group = groups_[edition / kEdition];
            for (int i = 0; i < count; ++i) {
                const int known = of(state_.cards[*hidden[i]]);
                if ((known & kEdition) == edition) {
                    ++((known & kFace) != 0 ? faces : others);
                    group.places += i < places ? 1 : 0;
                }
            }
            group.faces = draw_face_count(random, group.places, faces, others);
        }
    }

    // The class of the card that is to lie where this one does.
    int replacement(std::uint64_t& random, const Card& card) {
        const int known = of(card);
        if (!mixed_) {
            return known;
        }
        Group& group = groups_[(known & kEdition) / kEdition];
        const bool face = below(random, group.places--) < group.faces;
        group.faces -= face ? 1 : 0;
        return (known & kEdition) + (face ? kFace : 0);
    }

private:
    static constexpr int kFace = 1;
    static constexpr int kEdition = 2;

    struct Group {
        int places = 0;  // that are still to be filled
        int faces = 0;   // that go there
    };

    const State& state_;
    bool (*hides_)(const State&, const Card&);
    bool editions_;
    bool mixed_ = false;
    Group groups_[2];  // without and with an edition
};

void resample_cards(State& state, std::uint64_t& random) {
    for (int i = state.draw_count - 1; i > 0; --i) {
        std::swap(state.draw_pile[i], state.draw_pile[below(random, i + 1)]);
    }
    // A face-down card of the hand may be any unseen card that fits what is known about it.
    std::uint8_t* hidden[kMaxHand + kMaxCards];
    int count = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        if ((state.cards[state.hand[i]].flags & card_face_down) != 0) {
            hidden[count++] = &state.hand[i];
        }
    }
    const int face_down = count;
    if (face_down == 0) {
        return;
    }
    for (int i = 0; i < state.draw_count; ++i) {
        hidden[count++] = &state.draw_pile[i];
    }
    KnownClasses classes(state);
    classes.draw_faces(random, hidden, face_down, count);
    for (int i = 0; i < face_down; ++i) {
        int fitting[kMaxHand + kMaxCards];
        fitting[0] = i;  // never needed: a class is drawn only while cards of it are left
        int choices = 0;
        const int wanted = classes.replacement(random, state.cards[*hidden[i]]);
        for (int j = i; j < count; ++j) {
            if (classes.of(state.cards[*hidden[j]]) == wanted) {
                fitting[choices++] = j;
            }
        }
        const int chosen = fitting[below(random, choices)];
        if (chosen != i) {
            exchange(state, *hidden[i], *hidden[chosen]);
        }
    }
}

// Face-down jokers change places. Whether one can be sold or moved is seen, so only jokers that agree in that
// change places with each other.
void resample_jokers(State& state, std::uint64_t& random) {
    constexpr unsigned kSeen = sticker_eternal | sticker_pinned;
    for (int i = state.joker_count - 1; i > 0; --i) {
        if ((state.jokers[i].flags & joker_face_down) == 0) {
            continue;
        }
        int fitting[kMaxJokers];
        int choices = 0;
        for (int j = 0; j <= i; ++j) {
            const Joker& other = state.jokers[j];
            if ((other.flags & joker_face_down) != 0 &&
                (other.stickers & kSeen) == (state.jokers[i].stickers & kSeen)) {
                fitting[choices++] = j;
            }
        }
        std::swap(state.jokers[i], state.jokers[fitting[below(random, choices)]]);
    }
}

}  // namespace

void resample_hidden(State& state, std::uint64_t seed) {
    std::uint64_t random = seed ^ 0x6a09e667f3bcc908;
    resample_cards(state, random);
    resample_jokers(state, random);
    const std::uint64_t future = next_fast(random);
    use_fast_streams(state.streams, ~future);
    redraw_unseen_choices(state);
    use_fast_streams(state.streams, future);
}

}  // namespace jimbot
