#include "bindings/parse.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "rules/owned.hpp"
#include "rules/pools.hpp"

namespace jimbot::bindings {

namespace {

constexpr int kPerishableRounds = 5;

std::uint8_t parse_stickers(const Spec& spec) {
    std::uint8_t stickers = 0;
    const std::string* letters = spec.find("s");
    for (const char letter : letters == nullptr ? std::string() : *letters) {
        const std::size_t at = std::string_view("EPRX").find(letter);
        if (at == std::string_view::npos) {
            fail("'" + spec.key + "': unknown sticker in '" + *letters + "'; expected E, P, R or X (pinned)");
        }
        stickers = static_cast<std::uint8_t>(stickers | (1u << at));
    }
    return stickers;
}

}  // namespace

Spec parse_spec(const std::string& text, std::string_view allowed) {
    Spec spec;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find(';', start), text.size());
        const std::string part = text.substr(start, end - start);
        if (start == 0) {
            spec.key = part;
        } else {
            const std::size_t equals = part.find('=');
            const std::string name = part.substr(0, equals);
            if (equals == std::string::npos || name.size() != 1 ||
                allowed.find(name) == std::string_view::npos) {
                std::string message = "'";
                message.append(text).append("': cannot read '").append(part);
                message.append("'; expected letter=value with a letter of ").append(allowed);
                fail(message);
            }
            if (spec.find(name) != nullptr) {
                std::string message = "'";
                message.append(text).append("': the letter ").append(name).append(" is given twice");
                fail(message);
            }
            spec.fields.emplace_back(name, part.substr(equals + 1));
        }
        start = end + 1;
    }
    return spec;
}

double real_letter(const Spec& spec, std::string_view letter, double low, double high, double fallback) {
    const std::string* value = spec.find(letter);
    if (value == nullptr) {
        return fallback;
    }
    double result = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), result);
    if (error != std::errc{} || end != value->data() + value->size()) {
        fail("'" + spec.key + "': " + std::string(letter) + "='" + *value + "' is not a number");
    }
    if (!(result >= low && result <= high)) {  // not-a-number is not within bounds
        fail("'" + spec.key + "': " + std::string(letter) + " must be " + bounds_text(low, high) + ", got " +
             *value);
    }
    return result;
}

int whole_letter(const Spec& spec, std::string_view letter, int low, int high, int fallback) {
    const double result = real_letter(spec, letter, low, high, fallback);
    if (result != std::floor(result)) {
        fail("'" + spec.key + "': " + std::string(letter) + " must be a whole number, got " +
             *spec.find(letter));
    }
    return static_cast<int>(result);
}

bool flag_letter(const Spec& spec, std::string_view letter) {
    return whole_letter(spec, letter, 0, 1, 0) == 1;
}

std::uint8_t parse_rank(const std::string& letter) {
    const std::size_t rank =
        letter.size() == 1 ? std::string_view(kRankLetters).find(letter[0], kMinRank) : std::string::npos;
    if (rank == std::string::npos) {
        fail("'" + letter + "' is not a rank; expected one of 2-9 T J Q K A");
    }
    return static_cast<std::uint8_t>(rank);
}

std::uint8_t parse_suit(const std::string& name) {
    for (std::uint8_t suit = 0; suit < suit_count; ++suit) {
        if (name == kSuitNames[suit]) {
            return suit;
        }
    }
    fail("unknown suit '" + name + "'; expected Clubs, Diamonds, Hearts or Spades");
}

Card parse_card(const std::string& text) {
    const Spec spec = parse_spec(text, "helbdfp");
    Card card{};
    const bool three = spec.key.size() == 3 && spec.key[1] == '_';
    const std::size_t suit = three ? std::string_view(kSuitLetters).find(spec.key[0]) : std::string::npos;
    const std::size_t rank =
        three ? std::string_view(kRankLetters).find(spec.key[2], kMinRank) : std::string::npos;
    if (suit == std::string::npos || rank == std::string::npos) {
        fail("'" + text +
             "' is not a card; expected a suit of C D H S, _, a rank of 2-9 T J Q K A, as in S_A");
    }
    card.suit = static_cast<std::uint8_t>(suit);
    card.rank = static_cast<std::uint8_t>(rank);
    card.enhancement = optional_index(spec, "h", kEnhancementKeys, "enhancement");
    card.edition = optional_index(spec, "e", kEditionNames, "edition");
    card.seal = optional_index(spec, "l", kSealNames, "seal");
    card.bonus = static_cast<std::uint16_t>(whole_letter(spec, "b", 0, UINT16_MAX, 0));
    card.flags = static_cast<std::uint8_t>((flag_letter(spec, "d") ? card_debuffed : 0) |
                                           (flag_letter(spec, "f") ? card_face_down : 0) |
                                           (flag_letter(spec, "p") ? card_played_this_ante : 0));
    return card;
}

Item parse_item(State& state, const std::string& text) {
    Item item{};
    item.card.created = state.next_created++;
    item.hand = hand_types;
    if (text.starts_with("j_")) {
        const Spec spec = parse_spec(text, "estr");
        item.kind = ItemKind::joker;
        item.id = id_of(kJokers, spec.key, "joker");
        item.edition = optional_index(spec, "e", kEditionNames, "edition");
        item.stickers = parse_stickers(spec);
        item.free = flag_letter(spec, "r") ? 1 : 0;
        if (const std::string* hand = spec.find("t")) {
            item.hand = hand_of(*hand);
        }
    } else if (text.starts_with("c_")) {
        const Spec spec = parse_spec(text, "er");
        item.kind = ItemKind::consumable;
        item.id = id_of(kConsumables, spec.key, "consumable");
        item.edition = optional_index(spec, "e", kEditionNames, "edition");
        item.free = flag_letter(spec, "r") ? 1 : 0;
    } else if (text.starts_with("v_")) {
        item.kind = ItemKind::voucher;
        item.id = id_of(kVouchers, text, "voucher");
    } else if (text.starts_with("p_")) {
        item.kind = ItemKind::pack;
        item.id = id_of(kPacks, text, "pack");
    } else {
        const std::uint32_t created = item.card.created;
        item.kind = ItemKind::playing_card;
        item.card = parse_card(text);
        item.card.created = created;
        item.edition = item.card.edition;
    }
    return item;
}

Joker parse_joker(State& state, const std::string& text) {
    const Spec spec = parse_spec(text, "esvcbdtn");
    Item item{};
    item.kind = ItemKind::joker;
    item.id = id_of(kJokers, spec.key, "joker");
    item.edition = optional_index(spec, "e", kEditionNames, "edition");
    item.stickers = parse_stickers(spec);
    item.card.created = state.next_created++;
    item.hand = hand_types;
    Joker joker = joker_from_item(state, item);
    joker.value = real_letter(spec, "v", 0, kMaxStored, joker.value);
    joker.counter = whole_letter(spec, "c", -kMaxCounter, kMaxCounter, joker.counter);
    joker.sell_bonus = static_cast<std::int16_t>(whole_letter(spec, "b", INT16_MIN, INT16_MAX, 0));
    joker.rounds_left =
        static_cast<std::uint8_t>(whole_letter(spec, "n", 0, kPerishableRounds, joker.rounds_left));
    joker.flags = flag_letter(spec, "d") ? std::uint8_t{joker_perished} : std::uint8_t{0};
    if (const std::string* hand = spec.find("t")) {
        joker.hand = *hand == "none" ? std::uint8_t{hand_types} : hand_of(*hand);
    } else if (has_own_hand(joker.id)) {
        joker.hand = draw_visible_hand(state, Stream::to_do, hand_types);
    }
    return joker;
}

}  // namespace jimbot::bindings
