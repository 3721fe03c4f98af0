#include "core/snapshot.hpp"

#include <bit>
#include <cstring>

namespace jimbot {

namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

constexpr char kMagic[8] = {'J', 'I', 'M', 'B', 'O', 'T', 'S', '\0'};

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93;
    h ^= h >> 32;
    return h;
}

std::uint64_t hash_bytes(const unsigned char* bytes, std::size_t size) {
    std::uint64_t h = 0x9e3779b97f4a7c15 ^ size;
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes + at, 8);
        h = mix(h ^ word) + 0x9e3779b97f4a7c15;
    }
    for (; at < size; ++at) {
        h = mix(h ^ bytes[at]) + 0x9e3779b97f4a7c15;
    }
    return mix(h);
}

bool possible_item(const Item& item) {
    switch (item.kind) {
    case ItemKind::none:
        return true;
    case ItemKind::joker:
        return item.id > j_none && item.id < j_end && item.edition < e_end && item.hand <= hand_types;
    case ItemKind::consumable:
        return item.id > c_none && item.id < c_end && item.edition < e_end;
    case ItemKind::voucher:
        return item.id > v_none && item.id < v_end;
    case ItemKind::pack:
        return item.id > p_none && item.id < p_end;
    case ItemKind::playing_card:
        return item.card.rank >= kMinRank && item.card.rank <= kAce && item.card.suit < suit_count &&
               item.card.enhancement < m_end && item.card.edition < e_end && item.card.seal < s_end;
    }
    return false;
}

bool possible_cards(const State& state) {
    if (state.card_count > kMaxCards || state.hand_count > kMaxHand || state.draw_count > state.card_count) {
        return false;
    }
    int places[4] = {};
    for (int i = 0; i < state.card_count; ++i) {
        const Card& card = state.cards[i];
        if (card.rank < kMinRank || card.rank > kAce || card.suit >= suit_count ||
            card.enhancement >= m_end || card.edition >= e_end || card.seal >= s_end ||
            (i > 0 && card.created <= state.cards[i - 1].created) || card.created >= state.next_created) {
            return false;
        }
        ++places[static_cast<int>(card.place())];
    }
    bool seen[kMaxCards] = {};
    const auto list_fits = [&](const std::uint8_t* list, int count, CardPlace place) {
        for (int i = 0; i < count; ++i) {
            if (list[i] >= state.card_count || seen[list[i]] || state.cards[list[i]].place() != place) {
                return false;
            }
            seen[list[i]] = true;
        }
        return count == places[static_cast<int>(place)];
    };
    return list_fits(state.hand, state.hand_count, CardPlace::hand) &&
           list_fits(state.draw_pile, state.draw_count, CardPlace::draw_pile);
}

bool possible_owned(const State& state) {
    if (state.joker_count > kMaxJokers || state.consumable_count > kMaxConsumables ||
        state.tag_count > kMaxTags) {
        return false;
    }
    for (int i = 0; i < state.joker_count; ++i) {
        const Joker& joker = state.jokers[i];
        if (joker.id == j_none || joker.id >= j_end || joker.edition >= e_end || joker.hand > hand_types) {
            return false;
        }
    }
    for (int i = 0; i < state.consumable_count; ++i) {
        const Consumable& card = state.consumables[i];
        if (card.id == c_none || card.id >= c_end || card.edition >= e_end) {
            return false;
        }
    }
    for (int i = 0; i < state.tag_count; ++i) {
        if (state.tags[i].id == tag_none || state.tags[i].id >= tag_end || state.tags[i].hand > hand_types) {
            return false;
        }
    }
    return true;
}

bool possible_shelves(const State& state) {
    if (state.shop.slot_count > kMaxShopSlots || state.shop.voucher_count > kMaxShopVouchers ||
        state.pack.count > kMaxPackCards || state.pack.id >= p_end ||
        (state.phase == Phase::pack) != (state.pack.id != p_none)) {
        return false;
    }
    for (const Item& item : state.shop.slots) {
        if (!possible_item(item) || item.kind == ItemKind::voucher || item.kind == ItemKind::pack) {
            return false;
        }
    }
    for (const Item& item : state.shop.vouchers) {
        if (!possible_item(item) || (item.kind != ItemKind::none && item.kind != ItemKind::voucher)) {
            return false;
        }
    }
    for (const Item& item : state.shop.packs) {
        if (!possible_item(item) || (item.kind != ItemKind::none && item.kind != ItemKind::pack)) {
            return false;
        }
    }
    for (const Item& item : state.pack.cards) {
        if (!possible_item(item)) {
            return false;
        }
    }
    return true;
}

bool possible_run(const State& state) {
    const RoundTargets& targets = state.targets;
    const Streams& streams = state.streams;
    return state.phase <= Phase::game_over && state.pack_returns_to <= Phase::game_over &&
           state.deck > b_none && state.deck < b_end && state.stake >= 1 && state.stake <= 8 &&
           state.challenge <= 20 && state.blind_on_deck <= 2 && state.boss > bl_big && state.boss < bl_end &&
           state.voucher < v_end && state.blind_tags[0] < tag_end && state.blind_tags[1] < tag_end &&
           state.round.blind < bl_end && (state.phase != Phase::playing || state.round.blind != bl_none) &&
           state.round.only_hand <= hand_types && state.round.last_hand <= hand_types &&
           state.ox_hand < hand_types && state.last_consumable < c_end && targets.idol_rank <= kAce &&
           targets.mail_rank <= kAce && targets.idol_suit < suit_count && targets.castle_suit < suit_count &&
           targets.ancient_suit <= suit_count && state.orbital_hands[0] < hand_types &&
           state.orbital_hands[1] < hand_types && state.orbital_hands[2] < hand_types &&
           state.sort_mode <= 1 && streams.seed_length >= 1 && streams.seed_length <= kMaxSeedLength &&
           streams.resample_used <= kResampleSlots - 8;
}

// Free redraw slots must exist, or a search for one would not end.
bool possible_streams(const Streams& streams) {
    int used = 0;
    for (const std::uint32_t key : streams.resample_key) {
        used += key != 0 ? 1 : 0;
    }
    return used == streams.resample_used;
}

}  // namespace

std::uint64_t state_hash(const State& state) {
    return hash_bytes(reinterpret_cast<const unsigned char*>(&state), sizeof state);
}

void write_snapshot(const State& state, unsigned char* out) {
    SnapshotHeader header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kSnapshotVersion;
    header.size = sizeof(State);
    header.checksum = state_hash(state);
    std::memcpy(out, &header, sizeof header);
    std::memcpy(out + sizeof header, &state, sizeof state);
}

SnapshotError read_snapshot(State& state, const unsigned char* bytes, std::size_t size) {
    SnapshotHeader header;
    if (size < sizeof header) {
        return SnapshotError::wrong_size;
    }
    std::memcpy(&header, bytes, sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
        return SnapshotError::not_a_snapshot;
    }
    if (header.version != kSnapshotVersion) {
        return SnapshotError::other_version;
    }
    if (size != kSnapshotSize || header.size != sizeof(State)) {
        return SnapshotError::wrong_size;
    }
    if (hash_bytes(bytes + sizeof header, sizeof(State)) != header.checksum) {
        return SnapshotError::damaged;
    }
    State read;
    std::memcpy(&read, bytes + sizeof header, sizeof read);
    if (!possible_state(read)) {
        return SnapshotError::impossible;
    }
    state = read;
    return SnapshotError::none;
}

bool possible_state(const State& state) {
    return possible_run(state) && possible_streams(state.streams) && possible_cards(state) &&
           possible_owned(state) && possible_shelves(state);
}

}  // namespace jimbot
