#include "bindings/convert.hpp"

#include <nanobind/nanobind.h>

namespace jimbot::bindings {

namespace {

template <typename Table> int find_key(const Table& table, std::string_view key, const char* what) {
    for (std::size_t id = 1; id < table.size(); ++id) {
        if (table[id].key == key) {
            return static_cast<int>(id);
        }
    }
    std::string message = "unknown ";
    message.append(what).append(" '").append(key).append("'; expected one of ");
    for (std::size_t id = 1; id < table.size(); ++id) {
        message.append(id > 1 ? ", " : "").append(table[id].key);
    }
    throw nb::value_error(message.c_str());
}

std::string card_text(const Card& card) {
    std::string result = front_text(card);
    if (card.enhancement != m_none) {
        result.append(";h=").append(kEnhancementKeys[card.enhancement]);
    }
    if (card.edition != e_none) {
        result.append(";e=").append(kEditionNames[card.edition]);
    }
    if (card.seal != s_none) {
        result.append(";l=").append(kSealNames[card.seal]);
    }
    return result;
}

}  // namespace

std::string item_text(const Item& item) {
    switch (item.kind) {
    case ItemKind::playing_card:
        return card_text(item.card);
    case ItemKind::voucher:
        return std::string(kVouchers[item.id].key);
    case ItemKind::pack:
        return std::string(kPacks[item.id].key);
    case ItemKind::none:
        return {};
    case ItemKind::joker:
    case ItemKind::consumable:
        break;
    }
    std::string result(item.kind == ItemKind::joker ? kJokers[item.id].key : kConsumables[item.id].key);
    if (item.edition != e_none) {
        result.append(";e=").append(kEditionNames[item.edition]);
    }
    if (item.stickers != 0) {
        result.append(";s=");
        result.append((item.stickers & sticker_eternal) != 0 ? "E" : "");
        result.append((item.stickers & sticker_perishable) != 0 ? "P" : "");
        result.append((item.stickers & sticker_rental) != 0 ? "R" : "");
    }
    return result;
}

DeckId deck_from_key(std::string_view key) { return static_cast<DeckId>(find_key(kDecks, key, "deck")); }

VoucherId voucher_from_key(std::string_view key) {
    return static_cast<VoucherId>(find_key(kVouchers, key, "voucher"));
}

ConsumableId consumable_from_key(std::string_view key) {
    return static_cast<ConsumableId>(find_key(kConsumables, key, "consumable"));
}

int checked_stake(int stake) {
    if (stake < 1 || stake > 8) {
        const std::string message = "stake must be 1 (White) to 8 (Gold), got " + std::to_string(stake);
        throw nb::value_error(message.c_str());
    }
    return stake;
}

std::string checked_seed(std::string_view seed) {
    bool good = !seed.empty() && seed.size() <= kMaxSeedLength;
    for (const char c : seed) {
        good = good && ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'));
    }
    if (!good) {
        const std::string message =
            "seed '" + std::string(seed) + "' is not possible: a seed has 1 to 8 characters from 0-9 and A-Z";
        throw nb::value_error(message.c_str());
    }
    return std::string(seed);
}

}  // namespace jimbot::bindings
