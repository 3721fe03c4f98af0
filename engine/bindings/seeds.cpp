// Seed views for Python: plain lists, dicts and strings.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/convert.hpp"
#include "seeds/explore.hpp"
#include "seeds/sources.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

constexpr std::string_view kAfterNames[] = {"boss", "small", "big"};

nb::list items_list(const std::vector<Item>& items) {
    nb::list result;
    for (const Item& item : items) {
        result.append(item_text(item));
    }
    return result;
}

nb::list pack_list(const PackView& pack, bool mark_first) {
    nb::list result;
    result.append(text(kPacks[pack.id].key));
    result.append(items_list(pack.cards));
    if (mark_first && pack.first_of_run) {
        result.append(1);
    }
    return result;
}

nb::list queue_view(const std::string& seed, const std::string& deck, int stake, int antes, int shop_items) {
    nb::list result;
    for (const QueueAnte& ante :
         explore_queue(checked_seed(seed), deck_from_key(deck), checked_stake(stake), antes, shop_items)) {
        nb::list row;
        row.append(text(kBlinds[ante.boss].key));
        row.append(text(kVouchers[ante.voucher].key));
        row.append(text(kTagEntries[ante.tags[0]].key));
        row.append(text(kTagEntries[ante.tags[1]].key));
        row.append(items_list(ante.shop));
        nb::list packs;
        for (const PackView& pack : ante.packs) {
            packs.append(pack_list(pack, false));
        }
        row.append(packs);
        result.append(row);
    }
    return result;
}

nb::list walk_view(const std::string& seed, const std::string& deck, int stake, int antes, int rerolls,
                   bool skip_small, bool skip_big, const std::vector<std::string>& vouchers,
                   const std::vector<std::string>& held) {
    WalkPolicy policy;
    policy.rerolls = rerolls;
    policy.skip[0] = skip_small;
    policy.skip[1] = skip_big;
    for (const std::string& key : vouchers) {
        policy.vouchers.push_back(voucher_from_key(key));
    }
    for (const std::string& key : held) {
        policy.held.push_back(consumable_from_key(key));
    }
    nb::list result;
    for (const WalkAnte& ante :
         explore_walk(checked_seed(seed), deck_from_key(deck), checked_stake(stake), antes, policy)) {
        nb::dict view;
        view["boss"] = text(kBlinds[ante.boss].key);
        view["voucher"] = text(kVouchers[ante.voucher].key);
        nb::list tags;
        tags.append(text(kTagEntries[ante.tags[0]].key));
        tags.append(text(kTagEntries[ante.tags[1]].key));
        view["tags"] = tags;
        nb::list shops;
        for (const ShopView& shop : ante.shops) {
            nb::list entry;
            entry.append(text(kAfterNames[static_cast<std::size_t>(shop.after)]));
            nb::list rows;
            for (const auto& row : shop.rows) {
                rows.append(items_list(row));
            }
            entry.append(rows);
            nb::list packs;
            for (const PackView& pack : shop.packs) {
                packs.append(pack_list(pack, true));
            }
            entry.append(packs);
            shops.append(entry);
        }
        view["shops"] = shops;
        nb::list tag_packs;
        for (const TagPackView& opened : ante.tag_packs) {
            nb::list entry;
            entry.append(text(kAfterNames[static_cast<std::size_t>(opened.blind)]));
            entry.append(text(kTagEntries[opened.tag].key));
            entry.append(text(kPacks[opened.pack.id].key));
            entry.append(items_list(opened.pack.cards));
            tag_packs.append(entry);
        }
        view["tag_packs"] = tag_packs;
        result.append(view);
    }
    return result;
}

template <typename List, typename Convert> nb::list mapped(const List& values, Convert convert) {
    nb::list result;
    for (const auto& value : values) {
        result.append(convert(value));
    }
    return result;
}

nb::dict misc_view(const std::string& seed, const std::string& deck, int stake, int antes) {
    const MiscView misc = explore_misc(checked_seed(seed), deck_from_key(deck), checked_stake(stake), antes);
    nb::dict view;
    view["antes"] = mapped(misc.antes, [](const std::vector<SourceView>& sources) {
        nb::dict ante;
        for (const SourceView& source : sources) {
            ante[text(source.name)] = items_list(source.items);
        }
        return ante;
    });
    const auto voucher_text = [](VoucherId id) { return text(kVouchers[id].key); };
    const auto edition_text = [](EditionId id) {
        return id == e_none ? nb::object(nb::none()) : nb::object(text(kEditionNames[id]));
    };
    view["soul"] = items_list(misc.soul);
    view["voucher_tag"] = mapped(misc.voucher_tag, voucher_text);
    view["misprint"] = mapped(misc.misprint, [](int value) { return value; });
    view["lucky_mult"] = mapped(misc.lucky_mult, [](bool hit) { return hit ? 1 : 0; });
    view["lucky_money"] = mapped(misc.lucky_money, [](bool hit) { return hit ? 1 : 0; });
    view["bosses32"] = mapped(misc.bosses, [](BlindId id) { return text(kBlinds[id].key); });
    view["vouchers_if_all_bought24"] = mapped(misc.vouchers_if_all_bought, voucher_text);
    view["aura"] = mapped(misc.aura, edition_text);
    view["wheel_of_fortune"] = mapped(misc.wheel_of_fortune, edition_text);
    view["idol"] = mapped(misc.targets, [](const RoundTargets& t) {
        Card card{};
        card.rank = t.idol_rank;
        card.suit = t.idol_suit;
        return front_text(card);
    });
    view["mail"] =
        mapped(misc.targets, [](const RoundTargets& t) { return std::string(1, kRankLetters[t.mail_rank]); });
    view["castle"] = mapped(
        misc.targets, [](const RoundTargets& t) { return std::string(1, kSuitLetters[t.castle_suit]); });
    view["ancient"] =
        mapped(misc.targets, [](const RoundTargets& t) { return text(kSuitNames[t.ancient_suit]); });
    return view;
}

nb::list cards_list(const CardList& cards) {
    return mapped(cards, [](const Card& card) { return front_text(card); });
}

nb::dict deck_view(const std::string& seed, const std::string& deck, int stake, int antes, int hand_size) {
    const DeckView cards =
        explore_deck(checked_seed(seed), deck_from_key(deck), checked_stake(stake), antes, hand_size);
    nb::dict view;
    view["shuffle"] = cards_list(cards.run_start);
    view["nr1_1"] = cards_list(cards.first_blind);
    view["hands"] =
        mapped(cards.hands, [](const std::vector<CardList>& blinds) { return mapped(blinds, cards_list); });
    return view;
}

nb::list erratic_draws(const std::string& seed) {
    return mapped(explore_erratic_draws(checked_seed(seed)), [](int front) {
        Card card{};
        card.rank = static_cast<std::uint8_t>(front_rank(front));
        card.suit = front_suit(front);
        return front_text(card);
    });
}

}  // namespace

}  // namespace jimbot::bindings

void bind_seeds(nb::module_& m);

void bind_seeds(nb::module_& m) {
    using namespace jimbot::bindings;
    m.def(
        "check_seed", [](const std::string& seed) { return checked_seed(seed); }, nb::arg("seed"),
        "The seed itself, or ValueError saying what a seed may be.");
    m.def("queue_view", &queue_view, nb::arg("seed"), nb::arg("deck"), nb::arg("stake"), nb::arg("antes"),
          nb::arg("shop_items"), "Per ante: boss, voucher, tags, shop queue, packs.");
    m.def("walk_view", &walk_view, nb::arg("seed"), nb::arg("deck"), nb::arg("stake"), nb::arg("antes"),
          nb::arg("rerolls"), nb::arg("skip_small"), nb::arg("skip_big"), nb::arg("vouchers"),
          nb::arg("held"),
          "Per ante: boss, voucher, tags, shops with rows and packs, packs of skipped tags.");
    m.def("misc_view", &misc_view, nb::arg("seed"), nb::arg("deck"), nb::arg("stake"), nb::arg("antes"),
          "First results of every other source.");
    m.def("deck_view", &deck_view, nb::arg("seed"), nb::arg("deck"), nb::arg("stake"), nb::arg("antes"),
          nb::arg("hand_size"),
          "Deck orders at run start and at the first blind, and the first cards of each blind.");
    m.def("erratic_draws", &erratic_draws, nb::arg("seed"), "Fronts of an Erratic deck in draw order.");
}
