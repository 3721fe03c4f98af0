// What a seed search asks for, and where it was found. Plain numbers: no strings, no heap.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/state.hpp"

namespace jimbot {

enum class Wanted : std::uint8_t { joker, consumable, playing_card, pack, voucher, tag, boss };

// Where a joker, consumable or playing card must be seen.
enum class Place : std::uint8_t { any, shop, pack };

inline constexpr std::uint8_t kAny = 255;

// One demand on a seed. A legendary joker is met by a pack that holds The Soul if the run's first Soul, used
// in that ante, gives that joker.
struct Condition {
    Wanted wanted = Wanted::joker;
    Place place = Place::any;
    std::uint8_t id = 0;          // joker, consumable, voucher, tag or blind; of jokers 0 means any
    std::uint8_t edition = kAny;  // of jokers and playing cards
    std::uint8_t rank = kAny;     // this and the next three: of playing cards
    std::uint8_t suit = kAny;
    std::uint8_t enhancement = kAny;
    std::uint8_t seal = kAny;
    std::uint32_t packs = 0;  // the packs that will do, bit = id - 1
    std::uint8_t min_ante = 1;
    std::uint8_t max_ante = 1;
    std::uint16_t first_items = 0;  // only the first so many shop cards of an ante count; 0: all of them
};

inline constexpr int kMaxConditions = 16;
inline constexpr int kMaxSearchRerolls = 100;
inline constexpr int kMaxSearchItems = 1000;

// walk: what a player sees who buys nothing and rerolls a fixed number of times in every shop.
// queue: every shop card made alone, every pack opened on an empty shelf.
enum class SearchView : std::uint8_t { walk, queue };

struct Search {
    DeckId deck = kUsualDeck;
    int stake = 1;
    SearchView view = SearchView::walk;
    int rerolls = 0;       // per shop, of the walk
    int queue_items = 15;  // shop cards per ante, of the queue
    int condition_count = 0;
    Condition conditions[kMaxConditions] = {};
};

enum class FoundIn : std::uint8_t { boss, voucher, tag, shop, pack, soul };

// Where a condition was met. Numbers count from one; those that make no sense for the place are zero.
struct Match {
    FoundIn where;
    std::uint8_t ante;
    std::uint8_t shop;   // of the ante (walk); of tags: 1 small, 2 big
    std::uint16_t row;   // of the shop (walk)
    std::uint16_t card;  // in the row, the queue or the pack
    std::uint8_t pack;   // of the shop (walk) or of the ante (queue)
    std::uint8_t pack_id;
    std::uint8_t id;  // of a boss, voucher or tag
    Item item;        // of a shop card or pack card; of `soul`: the legendary joker
};

}  // namespace jimbot
