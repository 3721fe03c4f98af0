#include "bindings/parse.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "rules/owned.hpp"
#include "rules/pools.hpp"

namespace jimbot::bindings {

namespace {

std::uint8_t parse_stickers(const Spec& spec) {
    std::uint8_t stickers = 0;
    const std::string* letters = spec.find("s");
    for (const char letter : letters == nullptr ? std::string() : *letters) {
        const std::size_t at = std::string_view("EPRX").find(letter);
        if (at == std::string_view::npos) {
            fail("unknown sticker '" + std::string(1, letter) + "'; expected E, P, R or X (pinned)");
        }
        stickers = static_cast<std::uint8_t>(stickers | (1u << at));
    }
    return stickers;
}

}  // namespace

Card parse_card(const std::string& text) {
    const Spec spec = parse_spec(text, "helbdfp");
    Card card{};
    const std::size_t suit =
        spec.key.size() == 3 && spec.key[1] == '_' ? std::string_view(kSuitLetters).find(spec.key[0]) : 9;
    const std::size_t rank = spec.key.size() == 3 ? std::string_view(kRankLetters).find(spec.key[2], 2) : 0;
    if (suit >= suit_count || rank < 2 || rank > kAce) {
        fail("'" + text +
             "' is not a card; expected a suit of C D H S, _, a rank of 2-9 T J Q K A, as in S_A");
    }
    card.suit = static_cast<std::uint8_t>(suit);
    card.rank = static_cast<std::uint8_t>(rank);
    card.enhancement = optional_index(spec, "h", kEnhancementKeys, "enhancement");
    card.edition = optional_index(spec, "e", kEditionNames, "edition");
    card.seal = optional_index(spec, "l", kSealNames, "seal");
    card.bonus = static_cast<std::uint16_t>(std::clamp(number(spec, "b", 0), 0.0, 65535.0));
    card.flags = static_cast<std::uint8_t>((number(spec, "d", 0) != 0 ? card_debuffed : 0) |
                                           (number(spec, "f", 0) != 0 ? card_face_down : 0) |
                                           (number(spec, "p", 0) != 0 ? card_played_this_ante : 0));
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
        item.free = number(spec, "r", 0) != 0;
        if (const std::string* hand = spec.find("t")) {
            item.hand = hand_of(*hand);
        }
    } else if (text.starts_with("c_")) {
        const Spec spec = parse_spec(text, "er");
        item.kind = ItemKind::consumable;
        item.id = id_of(kConsumables, spec.key, "consumable");
        item.edition = optional_index(spec, "e", kEditionNames, "edition");
        item.free = number(spec, "r", 0) != 0;
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
    joker.value = number(spec, "v", joker.value);
    joker.counter = static_cast<std::int32_t>(number(spec, "c", joker.counter));
    joker.sell_bonus = static_cast<std::int16_t>(number(spec, "b", 0));
    joker.rounds_left = static_cast<std::uint8_t>(number(spec, "n", joker.rounds_left));
    joker.flags = number(spec, "d", 0) != 0 ? std::uint8_t{joker_perished} : std::uint8_t{0};
    if (const std::string* hand = spec.find("t")) {
        joker.hand = *hand == "none" ? std::uint8_t{hand_types} : hand_of(*hand);
    } else if (has_own_hand(joker.id)) {
        joker.hand = draw_visible_hand(state, Stream::to_do, hand_types);
    }
    return joker;
}

std::vector<std::string> strings(nb::handle value, const char* field) {
    std::vector<std::string> result;
    if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value)) {
        fail(std::string(field) + " must be a list of strings");
    }
    for (const nb::handle entry : nb::borrow(value)) {
        result.push_back(nb::cast<std::string>(entry));
    }
    return result;
}

}  // namespace jimbot::bindings
