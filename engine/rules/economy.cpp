#include "rules/economy.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.hpp"
#include "rules/challenge.hpp"
#include "rules/owned.hpp"
#include "rules/vouchers.hpp"

namespace jimbot {

namespace {

constexpr int kUsualInterestCap = 25;
constexpr int kRerollPrice = 5;
constexpr int kVoucherPrice = 10;
constexpr int kPlayingCardPrice = 1;

int edition_price(int edition) {
    constexpr int kPrices[e_end] = {0, 2, 3, 5, 5};
    return kPrices[edition];
}

int discounted(const State& state, int base, int edition) {
    const int discount = voucher_max<&VoucherEntry::discount>(state, 0);
    const double full = static_cast<double>(base + edition_price(edition) + state.inflation) + 0.5;
    return std::max(1, static_cast<int>(std::floor(full * static_cast<double>(100 - discount) / 100.0)));
}

int joker_price(const State& state, int id, int edition, int stickers) {
    return (stickers & sticker_rental) != 0
               ? 1
               : discounted(state, kJokers[static_cast<std::size_t>(id)].cost, edition);
}

int consumable_price(const State& state, int id, int edition) {
    if (is_planet(id) && has_passive(state, passive_free_planets)) {
        return 0;
    }
    return discounted(state, kConsumables[static_cast<std::size_t>(id)].cost, edition);
}

int pack_price(const State& state, const PackEntry& pack) {
    if (pack.kind == PackKind::celestial && has_passive(state, passive_free_planets)) {
        return 0;
    }
    return discounted(state, pack.cost, e_none);
}

}  // namespace

int price_of(const State& state, const Item& item) {
    if (item.free != 0) {
        return 0;
    }
    switch (item.kind) {
    case ItemKind::joker:
        return joker_price(state, item.id, item.edition, item.stickers);
    case ItemKind::consumable:
        return consumable_price(state, item.id, item.edition);
    case ItemKind::playing_card:
        return discounted(state, kPlayingCardPrice, item.card.edition);
    case ItemKind::voucher:
        return discounted(state, kVoucherPrice, e_none);
    case ItemKind::pack:
        return pack_price(state, kPacks[item.id]);
    case ItemKind::none:
        break;
    }
    return 0;
}

int sell_value(const State& state, const Joker& joker) {
    return std::max(1, joker_price(state, joker.id, joker.edition, joker.stickers) / 2) + joker.sell_bonus;
}

int sell_value(const State& state, const Consumable& consumable) {
    return std::max(1, consumable_price(state, consumable.id, consumable.edition) / 2) +
           consumable.sell_bonus;
}

int reroll_price(const State& state) {
    if (state.free_rerolls > 0) {
        return 0;
    }
    const int base =
        state.cheap_rerolls != 0 ? 0 : kRerollPrice - voucher_sum<&VoucherEntry::reroll_discount>(state);
    return std::max(0, base + state.reroll_growth);
}

int money_floor(const State& state) {
    int floor = 0;
    each_passive(state, [&](const JokerPassive& passive) { floor -= passive.debt; });
    return floor;
}

bool can_pay(const State& state, int price) {
    return price <= 0 || price <= state.money - money_floor(state);
}

bool pays_interest(const State& state) {
    return kDecks[state.deck].pays_interest && !has_rule(state, rule_no_interest);
}

int interest_cap(const State& state) {
    return pays_interest(state) ? voucher_max<&VoucherEntry::interest_cap>(state, kUsualInterestCap) : 0;
}

int interest_on(const State& state, int money) {
    const int steps = std::clamp(money, 0, interest_cap(state)) / kInterestStep;
    if (steps == 0) {
        return 0;
    }
    int rate = 1;
    each_passive(state, [&](const JokerPassive& passive) { rate += passive.interest; });
    return rate * steps;
}

int blind_reward(const State& state) {
    const BlindEntry& blind = kBlinds[state.round.blind];
    if (has_rule(state, rule_no_reward) ||
        (has_rule(state, rule_small_big_no_reward) && blind.kind <= BlindKind::big) ||
        (state.stake >= 2 && blind.kind == BlindKind::small)) {
        return 0;
    }
    return blind.reward;
}

void earn(State& state, int dollars) {
    state.money = static_cast<std::int32_t>(
        std::clamp(std::int64_t{state.money} + dollars, -std::int64_t{kMaxMoney}, std::int64_t{kMaxMoney}));
}

}  // namespace jimbot
