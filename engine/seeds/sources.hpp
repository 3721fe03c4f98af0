// Single sources of a seed: what each card or joker that makes something would make, and deck orders.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace jimbot {

// The first results of one source in one ante, each with fresh streams and nothing else in existence.
struct SourceView {
    std::string_view name;  // the game's suffix, such as "jud"
    std::vector<Item> items;
};

struct MiscView {
    std::vector<std::vector<SourceView>> antes;
    std::vector<Item> soul;
    std::vector<VoucherId> voucher_tag;
    std::vector<int> misprint;
    std::vector<bool> lucky_mult;
    std::vector<bool> lucky_money;
    std::vector<BlindId> bosses;
    std::vector<VoucherId> vouchers_if_all_bought;
    std::vector<EditionId> aura;
    std::vector<EditionId> wheel_of_fortune;  // e_none: a miss
    std::vector<RoundTargets> targets;
};

MiscView explore_misc(std::string_view seed, DeckId deck, int stake, int antes);

// Cards in drawing order.
using CardList = std::vector<Card>;

struct DeckView {
    CardList run_start;                        // order after the run-start shuffle
    CardList first_blind;                      // order at the first blind
    std::vector<std::vector<CardList>> hands;  // [ante][blind]: the first cards drawn
};

DeckView explore_deck(std::string_view seed, DeckId deck, int stake, int antes, int hand_size);

// The fronts an Erratic deck is made of, in the order they are drawn.
std::vector<int> explore_erratic_draws(std::string_view seed);

}  // namespace jimbot
