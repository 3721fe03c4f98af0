// A run as plain Python values.

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "rules/shop.hpp"
#include "view/visibility.hpp"

namespace jimbot::bindings {

namespace {

constexpr std::string_view kPhaseNames[] = {"blind_select", "playing", "round_eval",
                                            "shop",         "pack",    "game_over"};

nb::object key_or_none(std::string_view key) {
    return key.empty() ? nb::object(nb::none()) : nb::object(text(key));
}

nb::dict card_dict(const Card& card, bool public_only) {
    nb::dict result;
    const bool hidden = public_only && (card.flags & card_face_down) != 0;
    result["face_down"] = (card.flags & card_face_down) != 0;
    result["forced"] = (card.flags & card_forced) != 0;
    if (hidden) {
        result["card"] = nb::none();
        return result;
    }
    result["card"] = front_text(card);
    result["enhancement"] = key_or_none(kEnhancementKeys[card.enhancement]);
    result["edition"] = key_or_none(kEditionNames[card.edition]);
    result["seal"] = key_or_none(kSealNames[card.seal]);
    result["bonus"] = card.bonus;
    result["debuffed"] = (card.flags & card_debuffed) != 0;
    result["played_this_ante"] = (card.flags & card_played_this_ante) != 0;
    if (!public_only) {
        result["created"] = card.created;
    }
    return result;
}

nb::dict joker_dict(const State& state, const Joker& joker, bool public_only) {
    nb::dict result;
    result["face_down"] = (joker.flags & joker_face_down) != 0;
    if (public_only && (joker.flags & joker_face_down) != 0) {
        result["key"] = nb::none();
        return result;
    }
    result["key"] = text(kJokers[joker.id].key);
    result["name"] = text(kJokers[joker.id].name);
    result["edition"] = key_or_none(kEditionNames[joker.edition]);
    result["eternal"] = (joker.stickers & sticker_eternal) != 0;
    result["perishable"] = (joker.stickers & sticker_perishable) != 0;
    result["rental"] = (joker.stickers & sticker_rental) != 0;
    result["pinned"] = (joker.stickers & sticker_pinned) != 0;
    result["rounds_left"] = (joker.stickers & sticker_perishable) != 0
                                ? nb::object(nb::int_(joker.rounds_left))
                                : nb::object(nb::none());
    result["debuffed"] = joker.debuffed();
    result["value"] = joker.value;
    result["counter"] = joker.counter;
    result["hand"] = has_own_hand(joker.id) && joker.hand < hand_types
                         ? nb::object(text(kPokerHands[joker.hand].name))
                         : nb::object(nb::none());
    result["sell_value"] = sell_value(state, joker);
    if (!public_only) {
        result["created"] = joker.created;
    }
    return result;
}

nb::dict consumable_dict(const State& state, const Consumable& card, bool public_only) {
    nb::dict result;
    result["key"] = text(kConsumables[card.id].key);
    result["name"] = text(kConsumables[card.id].name);
    result["edition"] = key_or_none(kEditionNames[card.edition]);
    result["sell_value"] = sell_value(state, card);
    if (!public_only) {
        result["created"] = card.created;
    }
    return result;
}

nb::object item_object(const State& state, const Item& item) {
    if (item.kind == ItemKind::none) {
        return nb::none();
    }
    constexpr std::string_view kKinds[] = {"none", "joker", "consumable", "playing_card", "voucher", "pack"};
    nb::dict result;
    result["kind"] = text(kKinds[static_cast<std::size_t>(item.kind)]);
    result["item"] = item_text(item);
    result["price"] = price_of(state, item);
    switch (item.kind) {
    case ItemKind::joker:
        result["key"] = text(kJokers[item.id].key);
        result["hand"] = has_own_hand(item.id) && item.hand < hand_types
                             ? nb::object(text(kPokerHands[item.hand].name))
                             : nb::object(nb::none());
        break;
    case ItemKind::consumable:
        result["key"] = text(kConsumables[item.id].key);
        break;
    case ItemKind::voucher:
        result["key"] = text(kVouchers[item.id].key);
        break;
    case ItemKind::pack:
        result["key"] = text(kPacks[item.id].key);
        break;
    default:
        result["card"] = card_dict(item.card, true);
        break;
    }
    return result;
}

nb::list item_objects(const State& state, const Item* items, int count) {
    nb::list result;
    for (int i = 0; i < count; ++i) {
        result.append(item_object(state, items[i]));
    }
    return result;
}

// Cards a player cannot place: the draw pile and face-down cards of the hand, in order of their fronts.
nb::list unseen_cards(const State& state) {
    std::vector<std::string> cards;
    const auto add = [&](const Card& card) {
        Item item{};
        item.kind = ItemKind::playing_card;
        item.card = card;
        cards.push_back(item_text(item));
    };
    for (int i = 0; i < state.draw_count; ++i) {
        add(state.cards[state.draw_pile[i]]);
    }
    for (int i = 0; i < state.hand_count; ++i) {
        const Card& card = state.cards[state.hand[i]];
        if ((card.flags & card_face_down) != 0) {
            add(card);
        }
    }
    std::sort(cards.begin(), cards.end());
    nb::list result;
    for (const std::string& card : cards) {
        result.append(card);
    }
    return result;
}

nb::dict blind_dict(const State& state) {
    const Round& round = state.round;
    nb::dict result;
    result["key"] = key_or_none(kBlinds[round.blind].key);
    result["target"] = round.target;
    result["score"] = round.score;
    result["hands_left"] = round.hands_left;
    result["discards_left"] = round.discards_left;
    result["hands_played"] = round.hands_played;
    result["discards_used"] = round.discards_used;
    result["disabled"] = round.boss_disabled != 0;
    result["last_hand"] = round.last_hand < hand_types && round.blind != bl_none
                              ? nb::object(text(kPokerHands[round.last_hand].name))
                              : nb::object(nb::none());
    return result;
}

nb::dict hands_dict(const State& state) {
    nb::dict result;
    for (int i = 0; i < hand_types; ++i) {
        const HandStats& stats = state.hands[i];
        const PokerHandEntry& entry = kPokerHands[static_cast<std::size_t>(i)];
        nb::dict hand;
        hand["level"] = stats.level;
        hand["played"] = stats.played;
        hand["played_this_round"] = stats.played_this_round;
        hand["visible"] = stats.visible != 0;
        const HandBase base = hand_base(static_cast<HandType>(i), stats.level);
        hand["chips"] = static_cast<int>(base.chips);
        hand["mult"] = static_cast<int>(base.mult);
        result[text(entry.name)] = hand;
    }
    return result;
}

// What the round's target jokers look for. A player can read it off the joker and nowhere else.
nb::dict targets_dict(const State& state, bool public_only) {
    const RoundTargets& targets = state.targets;
    const auto told = [&](RoundTarget target) { return !public_only || target_in_sight(state, target); };
    const auto suit_name = [](int suit) {
        return suit == suit_count ? nb::object(nb::none()) : nb::object(text(kSuitNames[suit]));
    };
    Card idol{};
    idol.rank = targets.idol_rank;
    idol.suit = targets.idol_suit;
    nb::dict result;
    result["idol"] =
        told(RoundTarget::idol_card) && idol.rank != 0 ? nb::cast(front_text(idol)) : nb::object(nb::none());
    result["mail"] = told(RoundTarget::mail_rank) ? nb::cast(std::string(1, kRankLetters[targets.mail_rank]))
                                                  : nb::object(nb::none());
    result["castle"] =
        told(RoundTarget::castle_suit) ? suit_name(targets.castle_suit) : nb::object(nb::none());
    result["ancient"] =
        told(RoundTarget::ancient_suit) ? suit_name(targets.ancient_suit) : nb::object(nb::none());
    return result;
}

nb::list orbital_hands_list(const State& state, bool public_only) {
    nb::list result;
    for (int blind = 0; blind < 3; ++blind) {
        const bool told = !public_only || orbital_hand_seen(state, blind);
        result.append(told ? nb::object(text(kPokerHands[state.orbital_hands[blind]].name))
                           : nb::object(nb::none()));
    }
    return result;
}

nb::dict shop_dict(const State& state) {
    nb::dict result;
    result["slots"] = item_objects(state, state.shop.slots, state.shop.slot_count);
    result["vouchers"] = item_objects(state, state.shop.vouchers, state.shop.voucher_count);
    result["packs"] = item_objects(state, state.shop.packs, kShopPacks);
    result["reroll_price"] = reroll_price(state);
    return result;
}

nb::dict cash_out_dict(const CashOut& rows) {
    nb::dict result;
    result["reward"] = rows.reward;
    result["hands"] = rows.hands;
    result["discards"] = rows.discards;
    result["jokers"] = rows.jokers;
    result["tags"] = rows.tags;
    result["interest"] = rows.interest;
    return result;
}

nb::list redeemed_list(const State& state) {
    nb::list result;
    for (int id = 1; id < v_end; ++id) {
        if (redeemed(state, static_cast<VoucherId>(id))) {
            result.append(text(kVouchers[static_cast<std::size_t>(id)].key));
        }
    }
    return result;
}

void describe_table(nb::dict& result, const State& state, bool public_only) {
    nb::list hand;
    for (int i = 0; i < state.hand_count; ++i) {
        hand.append(card_dict(state.cards[state.hand[i]], public_only));
    }
    result["hand"] = hand;
    nb::list jokers;
    std::vector<std::string_view> face_down;
    for (int i = 0; i < state.joker_count; ++i) {
        jokers.append(joker_dict(state, state.jokers[i], public_only));
        if ((state.jokers[i].flags & joker_face_down) != 0) {
            face_down.push_back(kJokers[state.jokers[i].id].key);
        }
    }
    result["jokers"] = jokers;
    std::sort(face_down.begin(), face_down.end());
    nb::list face_down_keys;
    for (const std::string_view key : face_down) {
        face_down_keys.append(text(key));
    }
    result["face_down_jokers"] = face_down_keys;
    nb::list consumables;
    for (int i = 0; i < state.consumable_count; ++i) {
        consumables.append(consumable_dict(state, state.consumables[i], public_only));
    }
    result["consumables"] = consumables;
    nb::list tags;
    for (int i = 0; i < state.tag_count; ++i) {
        nb::dict tag;
        tag["key"] = text(kTagEntries[state.tags[i].id].key);
        tag["hand"] = kTagEntries[state.tags[i].id].has_hand
                          ? nb::object(text(kPokerHands[state.tags[i].hand].name))
                          : nb::object(nb::none());
        tags.append(tag);
    }
    result["tags"] = tags;
    result["unseen"] = unseen_cards(state);
    result["deck_size"] = state.card_count;
    result["draw_pile_size"] = state.draw_count;
    if (!public_only) {
        nb::list pile;
        for (int i = state.draw_count - 1; i >= 0; --i) {
            pile.append(card_dict(state.cards[state.draw_pile[i]], false));
        }
        result["draw_pile"] = pile;
        nb::list discards;
        for (int i = 0; i < state.card_count; ++i) {
            if (state.cards[i].place() == CardPlace::discard_pile) {
                discards.append(card_dict(state.cards[i], false));
            }
        }
        result["discard_pile"] = discards;
    }
}

}  // namespace

nb::dict describe_state(const State& state, bool public_only) {
    nb::dict result;
    result["phase"] = text(kPhaseNames[static_cast<std::size_t>(state.phase)]);
    result["ante"] = state.ante;
    result["round"] = state.rounds;
    result["money"] = state.money;
    result["won"] = state.won != 0;
    result["endless"] = state.endless != 0;
    result["deck"] = text(kDecks[state.deck].key);
    result["stake"] = state.stake;
    result["challenge"] = key_or_none(kChallenges[state.challenge].key);
    constexpr std::string_view kBlindNames[] = {"small", "big", "boss"};
    result["next_blind"] = text(kBlindNames[state.blind_on_deck]);
    result["boss"] = text(kBlinds[state.boss].key);
    const bool voucher_seen = ante_voucher_seen(state);
    result["ante_voucher"] =
        public_only && !voucher_seen ? nb::object(nb::none()) : key_or_none(kVouchers[state.voucher].key);
    result["ante_voucher_seen"] = voucher_seen;
    nb::list offered;
    offered.append(text(kTagEntries[state.blind_tags[0]].key));
    offered.append(text(kTagEntries[state.blind_tags[1]].key));
    result["skip_tags"] = offered;
    result["orbital_hands"] = orbital_hands_list(state, public_only);
    result["blind"] = blind_dict(state);
    result["hand_size"] = hand_size(state);
    result["hands_per_round"] = hands_per_round(state);
    result["discards_per_round"] = discards_per_round(state);
    result["joker_slots"] = joker_slots(state);
    result["consumable_slots"] = consumable_slots(state);
    result["vouchers"] = redeemed_list(state);
    result["hands"] = hands_dict(state);
    result["targets"] = targets_dict(state, public_only);
    result["shop"] = state.shop.open != 0 ? nb::object(shop_dict(state)) : nb::object(nb::none());
    if (state.pack.id != p_none) {
        nb::dict pack;
        pack["key"] = text(kPacks[state.pack.id].key);
        pack["cards"] = item_objects(state, state.pack.cards, state.pack.count);
        pack["choices_left"] = state.pack.choices_left;
        result["pack"] = pack;
    } else {
        result["pack"] = nb::none();
    }
    result["cash_out"] =
        state.phase == Phase::round_eval ? nb::object(cash_out_dict(state.cash_out)) : nb::object(nb::none());
    describe_table(result, state, public_only);
    result["hands_played"] = state.hands_played;
    result["tarots_used"] = state.tarots_used;
    result["skips"] = state.skips;
    result["unused_discards"] = state.unused_discards;
    result["boss_rerolls"] = state.boss_rerolls;
    result["ox_hand"] = text(kPokerHands[state.ox_hand].name);
    result["last_consumable"] = key_or_none(kConsumables[state.last_consumable].key);
    if (!public_only) {
        result["seed"] = std::string(state.streams.seed, state.streams.seed_length);
    }
    return result;
}

}  // namespace jimbot::bindings
