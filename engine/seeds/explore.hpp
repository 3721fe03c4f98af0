// What a seed contains, in the views people read: the analysers' queue, the shops of a played run, deck
// orders, and single sources. Built from the same rules the game runs on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/state.hpp"

namespace jimbot {

struct PackView {
    PackId id;
    std::vector<Item> cards;
    bool first_of_run = false;
};

struct QueueAnte {
    BlindId boss;
    VoucherId voucher;
    TagId tags[2];
    std::vector<Item> shop;
    std::vector<PackView> packs;
};

// Seed-analyser view: shop cards are made one at a time with nothing else in
// existence, packs on an empty shelf.
std::vector<QueueAnte> explore_queue(std::string_view seed, DeckId deck, int stake, int antes,
                                     int shop_items);

struct WalkPolicy {
    int rerolls = 0;
    bool skip[2] = {false, false};         // small, big
    std::vector<VoucherId> vouchers = {};  // as if redeemed before the first shop
    std::vector<ConsumableId> held = {};   // starting consumables that stay; the deck's others are gone
};

enum class After : std::uint8_t { boss, small, big };

struct ShopView {
    After after;
    std::vector<std::vector<Item>> rows;
    std::vector<PackView> packs;
};

struct TagPackView {
    After blind;
    TagId tag;
    PackView pack;
};

struct WalkAnte {
    BlindId boss;
    VoucherId voucher;
    TagId tags[2];
    std::vector<ShopView> shops;
    std::vector<TagPackView> tag_packs;
};

// Played view: every shop as it appears when each blind not skipped is won and nothing is bought. Ends before
// the first ante in which a skipped blind gives a tag that changes later shops.
std::vector<WalkAnte> explore_walk(std::string_view seed, DeckId deck, int stake, int antes,
                                   const WalkPolicy& policy);

}  // namespace jimbot
