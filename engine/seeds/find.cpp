#include "seeds/find.hpp"

#include "rules/generate.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"
#include "seeds/gates.hpp"

namespace jimbot {

namespace {

// One seed under examination. The run is followed in the order of the game, but only as far as a condition
// still open asks for it: every ante has its own streams, and a pack's contents do not outlive the pack.
class Examination {
public:
    Examination(const SearchPlan& plan, std::string_view seed, Match* matches)
        : plan_(plan), search_(plan.search), matches_(matches) {
        start_generation(state_, seed, search_.deck, search_.stake);
        const int held = state_.consumable_count;
        state_.consumable_count = 0;  // the deck's own consumables count as used up
        for (int i = 0; i < held; ++i) {
            release_consumable(state_, state_.consumables[i].id);
        }
        open_ = (1U << search_.condition_count) - 1;
    }

    bool holds() {
        for (int ante = 1; ante <= plan_.last_ante && open_ != 0; ++ante) {
            begin_ante(ante);
            look_at_single_draws();
            look_at_shops();
            if (any_open([&](const Condition& condition) { return condition.max_ante <= ante; })) {
                return false;
            }
        }
        return open_ == 0;
    }

private:
    template <typename Test> bool any_open(Test test) const {
        for (int i = 0; i < search_.condition_count; ++i) {
            if (((open_ >> i) & 1U) != 0 && test(search_.conditions[i])) {
                return true;
            }
        }
        return false;
    }

    // Closes the open conditions of this ante that `test` accepts, and notes where they were met.
    template <typename Test> void close(const Match& match, Test test) {
        for (int i = 0; i < search_.condition_count; ++i) {
            const Condition& condition = search_.conditions[i];
            if (((open_ >> i) & 1U) != 0 && active_in(condition, state_.ante) && test(condition)) {
                open_ &= ~(1U << i);
                if (matches_ != nullptr) {
                    matches_[i] = match;
                }
            }
        }
    }

    Match match_here(FoundIn where) const {
        Match match{};
        match.where = where;
        match.ante = static_cast<std::uint8_t>(state_.ante);
        match.shop = shop_;
        match.row = row_;
        match.pack = pack_;
        return match;
    }

    void begin_ante(int ante) {
        state_.ante = static_cast<std::int16_t>(ante);
        state_.first_pack_given = ante > 1 ? 1 : 0;
        cards_seen_ = 0;
        shop_ = pack_ = 0;
        row_ = 0;
    }

    void look_at_single_draws() {
        const auto wants = [&](Wanted wanted) {
            return any_open([&](const Condition& condition) {
                return condition.wanted == wanted && active_in(condition, state_.ante);
            });
        };
        if (any_open([](const Condition& condition) { return condition.wanted == Wanted::boss; })) {
            // Bosses are chosen among the least used, so those of earlier antes matter too.
            close_single(FoundIn::boss, Wanted::boss, draw_boss(state_), 0);
        }
        if (wants(Wanted::voucher)) {
            close_single(FoundIn::voucher, Wanted::voucher, draw_voucher(state_, Stream::voucher), 0);
        }
        if (wants(Wanted::tag)) {
            close_single(FoundIn::tag, Wanted::tag, draw_tag(state_), 1);
            close_single(FoundIn::tag, Wanted::tag, draw_tag(state_), 2);
        }
    }

    void close_single(FoundIn where, Wanted wanted, int id, int blind) {
        Match match = match_here(where);
        match.id = static_cast<std::uint8_t>(id);
        match.shop = static_cast<std::uint8_t>(blind);
        close(match,
              [&](const Condition& condition) { return condition.wanted == wanted && condition.id == id; });
    }

    // Whether more shop cards, or more packs, of this ante can close a condition.
    bool shop_wanted() const {
        return any_open([&](const Condition& condition) {
            return active_in(condition, state_.ante) && shop_may_hold(condition) &&
                   (condition.first_items == 0 || cards_seen_ < condition.first_items);
        });
    }
    bool packs_wanted() const {
        return any_open([&](const Condition& condition) {
            return active_in(condition, state_.ante) && condition.place != Place::shop &&
                   condition.wanted <= Wanted::pack;
        });
    }
    bool contents_wanted(PackKind kind) const {
        return any_open([&](const Condition& condition) {
            return active_in(condition, state_.ante) && pack_may_hold(kind, condition);
        });
    }
    // A condition of this ante's shop whose cards have all been seen ends the search of this seed.
    bool lost() const {
        return any_open([&](const Condition& condition) {
            return condition.max_ante == state_.ante && condition.place == Place::shop &&
                   condition.first_items != 0 && cards_seen_ >= condition.first_items;
        });
    }

    void look_at_shops() {
        if (search_.view == SearchView::queue) {
            look_at_queue();
            return;
        }
        for (int shop = 1; shop <= shops_of(state_.ante); ++shop) {
            if ((!shop_wanted() && !packs_wanted()) || lost()) {
                return;
            }
            shop_ = static_cast<std::uint8_t>(shop);
            pack_ = 0;
            Item row[kMaxShopSlots];
            look_at_rows(row);
            row_ = 0;
            for (int i = 0; i < kShopPacks && packs_wanted(); ++i) {
                look_at_pack();
            }
            release_row(row);
        }
    }

    // The first row and its rerolls; the last one stays on the shelf.
    void look_at_rows(Item (&row)[kMaxShopSlots]) {
        for (int number = 0; number <= search_.rerolls; ++number) {
            if (number > 0) {
                release_row(row);
            }
            row_ = static_cast<std::uint16_t>(number + 1);
            for (int slot = 0; slot < plan_.shop_slots; ++slot) {
                row[slot] = make_shop_card(state_);
                look_at_shop_card(row[slot], slot + 1);
            }
            // Without packs nobody asks for the rest of this shop.
            if (!packs_wanted() && (!shop_wanted() || lost())) {
                break;
            }
        }
    }

    void release_row(const Item (&row)[kMaxShopSlots]) {
        for (int slot = 0; slot < plan_.shop_slots; ++slot) {
            release_item(state_, row[slot]);
        }
    }

    void look_at_queue() {
        for (int i = 0; i < search_.queue_items && shop_wanted() && !lost(); ++i) {
            const Item item = make_shop_card(state_);
            look_at_shop_card(item, i + 1);
            release_item(state_, item);
        }
        for (int i = 0; i < packs_of(state_.ante) && packs_wanted() && !lost(); ++i) {
            look_at_pack();
        }
    }

    void look_at_shop_card(const Item& item, int position) {
        ++cards_seen_;
        Match match = match_here(FoundIn::shop);
        match.card = static_cast<std::uint16_t>(position);
        match.item = item;
        close(match, [&](const Condition& condition) {
            return shop_may_hold(condition) && fits(condition, item) &&
                   (condition.first_items == 0 || cards_seen_ <= condition.first_items);
        });
    }

    void look_at_pack() {
        const PackId id = draw_booster(state_);
        ++pack_;
        Match match = match_here(FoundIn::pack);
        match.pack_id = id;
        close(match, [&](const Condition& condition) {
            return condition.wanted == Wanted::pack && (condition.packs & bit(id)) != 0;
        });
        const PackKind kind = kPacks[id].kind;
        if (!contents_wanted(kind)) {
            return;
        }
        open_pack_contents(state_, id);
        for (int i = 0; i < state_.pack.count; ++i) {
            match.card = static_cast<std::uint16_t>(i + 1);
            match.item = state_.pack.cards[i];
            close(match, [&](const Condition& condition) {
                return pack_may_hold(kind, condition) && fits(condition, match.item);
            });
            if (match.item.kind == ItemKind::consumable && match.item.id == c_soul) {
                look_at_soul(match);
            }
        }
        close_pack(state_);
    }

    // What The Soul gives if it is the first one used. The streams are put back: it has not been used.
    void look_at_soul(Match match) {
        if (!any_open(is_legendary)) {
            return;
        }
        const Streams before = state_.streams;
        match.where = FoundIn::soul;
        match.item = make_joker(state_, JokerSource::soul);
        release_item(state_, match.item);
        state_.streams = before;
        close(match, [&](const Condition& condition) {
            return is_legendary(condition) && fits(condition, match.item);
        });
    }

    static bool accepts(std::uint8_t wanted, std::uint8_t actual) {
        return wanted == kAny || wanted == actual;
    }

    static bool fits(const Condition& condition, const Item& item) {
        switch (item.kind) {
        case ItemKind::joker:
            return condition.wanted == Wanted::joker && (condition.id == 0 || condition.id == item.id) &&
                   accepts(condition.edition, item.edition);
        case ItemKind::consumable:
            return condition.wanted == Wanted::consumable && condition.id == item.id;
        case ItemKind::playing_card:
            return condition.wanted == Wanted::playing_card && accepts(condition.rank, item.card.rank) &&
                   accepts(condition.suit, item.card.suit) && accepts(condition.edition, item.card.edition) &&
                   accepts(condition.enhancement, item.card.enhancement) &&
                   accepts(condition.seal, item.card.seal);
        default:
            return false;
        }
    }

    const SearchPlan& plan_;
    const Search& search_;
    Match* matches_;
    State state_;
    std::uint32_t open_;  // conditions not met yet, one bit each
    int cards_seen_ = 0;  // shop cards of this ante
    std::uint16_t row_ = 0;
    std::uint8_t shop_ = 0;
    std::uint8_t pack_ = 0;
};

}  // namespace

bool check_seed(const SearchPlan& plan, std::string_view seed, Match* matches) {
    return Examination(plan, seed, matches).holds();
}

BlockResult find_block(const SearchPlan& plan, std::uint64_t start, std::uint64_t count, std::uint64_t* found,
                       int max_found) {
    BlockResult result;
    while (result.tried < count && result.found < max_found) {
        const std::uint64_t index = (start + result.tried) % kSeedSpace;
        const int first = static_cast<int>(index % kLanes);
        const std::uint64_t left = count - result.tried;
        const int end =
            left < static_cast<std::uint64_t>(kLanes - first) ? first + static_cast<int>(left) : kLanes;
        SeedBatch batch(index / kLanes);
        Lanes lanes = lanes_of((lane_bit(end) - 1) & ~(lane_bit(first) - 1));
        for (int i = 0; i < plan.search.condition_count && lanes.count > 0; ++i) {
            narrow(plan, plan.search.conditions[plan.order[i]], batch, lanes);
        }
        int decided = end;
        for (int i = 0; i < lanes.count; ++i) {
            const std::uint64_t number = index - static_cast<std::uint64_t>(first) + lanes.lane[i];
            char seed[kRandomSeedLength];
            write_seed(number, seed);
            if (check_seed(plan, {seed, kRandomSeedLength})) {
                found[result.found++] = number;
                if (result.found == max_found) {
                    decided = lanes.lane[i] + 1;
                    break;
                }
            }
        }
        result.tried += static_cast<std::uint64_t>(decided - first);
    }
    return result;
}

}  // namespace jimbot
