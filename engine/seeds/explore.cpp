#include "seeds/explore.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/generate.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

PackView view_pack(State& state, PackId id, bool first_of_run) {
    open_pack_contents(state, id);
    PackView view{id, {state.pack.cards, state.pack.cards + state.pack.count}, first_of_run};
    close_pack(state);
    return view;
}

// Leaves only the listed consumables in the run.
void keep_consumables(State& state, const std::vector<ConsumableId>& held) {
    const std::vector<Consumable> owned(state.consumables, state.consumables + state.consumable_count);
    state.consumable_count = 0;
    for (const Consumable& card : owned) {
        if (std::find(held.begin(), held.end(), card.id) != held.end()) {
            state.consumables[state.consumable_count++] = card;
        }
    }
    for (const Consumable& card : owned) {
        release_consumable(state, card.id);  // does nothing for those still owned
    }
}

// Tags that change what later shops show.
bool alters_shops(TagId tag) {
    const TagTiming timing = kTagEntries[tag].timing;
    return timing == TagTiming::store_joker_create || timing == TagTiming::store_joker_modify ||
           timing == TagTiming::tag_add || tag == tag_top_up;
}

ShopView view_shop(State& state, After after, int rerolls) {
    ShopView view{after, {}, {}};
    const bool first_of_run = state.first_pack_given == 0;
    stock_shop(state);
    for (int row = 0;; ++row) {
        view.rows.emplace_back(state.shop.slots, state.shop.slots + state.shop.slot_count);
        if (row == rerolls) {
            break;
        }
        restock_slots(state);
    }
    for (int i = 0; i < kShopPacks; ++i) {
        view.packs.push_back(
            view_pack(state, static_cast<PackId>(state.shop.packs[i].id), first_of_run && i == 0));
    }
    clear_shop(state);
    return view;
}

}  // namespace

std::vector<QueueAnte> explore_queue(std::string_view seed, DeckId deck, int stake, int antes,
                                     int shop_items) {
    State state;
    start_generation(state, seed, deck, stake);
    keep_consumables(state, {});
    std::vector<QueueAnte> result;
    for (int ante = 1; ante <= antes; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        QueueAnte view{};
        view.boss = draw_boss(state);
        view.voucher = draw_voucher(state, Stream::voucher);
        view.tags[0] = draw_tag(state);
        view.tags[1] = draw_tag(state);
        for (int i = 0; i < shop_items; ++i) {
            view.shop.push_back(make_shop_card(state));
            release_item(state, view.shop.back());
        }
        const int packs = ante == 1 ? 4 : 6;
        for (int i = 0; i < packs; ++i) {
            const bool first_of_run = state.first_pack_given == 0;
            view.packs.push_back(view_pack(state, draw_booster(state), first_of_run));
        }
        result.push_back(std::move(view));
    }
    return result;
}

std::vector<WalkAnte> explore_walk(std::string_view seed, DeckId deck, int stake, int antes,
                                   const WalkPolicy& policy) {
    State state;
    start_generation(state, seed, deck, stake);
    keep_consumables(state, policy.held);
    for (const VoucherId voucher : policy.vouchers) {
        redeem_voucher(state, voucher);
    }
    std::vector<WalkAnte> result;
    for (int ante = 1; ante <= antes; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        WalkAnte view{};
        state.voucher = view.voucher = draw_voucher(state, Stream::voucher);
        view.tags[0] = draw_tag(state);
        view.tags[1] = draw_tag(state);
        view.boss = draw_boss(state);
        if ((policy.skip[0] && alters_shops(view.tags[0])) ||
            (policy.skip[1] && alters_shops(view.tags[1]))) {
            break;
        }
        if (ante > 1) {
            view.shops.push_back(view_shop(state, After::boss, policy.rerolls));
        }
        for (int blind = 0; blind < 2; ++blind) {
            const After after = blind == 0 ? After::small : After::big;
            if (!policy.skip[blind]) {
                view.shops.push_back(view_shop(state, after, policy.rerolls));
                continue;
            }
            const PackId pack = kTagEntries[view.tags[blind]].pack;
            if (pack != p_none) {
                view.tag_packs.push_back({after, view.tags[blind], view_pack(state, pack, false)});
            }
        }
        result.push_back(std::move(view));
    }
    return result;
}

}  // namespace jimbot
