#include "play/joker_outlook.hpp"

#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "rules/economy.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

struct PerRound {
    int id;
    double amount;
};

// How Joker::value changes in a round of ordinary play: about two and a half hands and two discards of four
// cards, a tarot or planet every other round, a sale now and then.
constexpr PerRound kGrowth[] = {
    {j_ceremonial, 1.0},  {j_ride_the_bus, 1.2},   {j_runner, 4.0},
    {j_ice_cream, -13.0}, {j_constellation, 0.07}, {j_green_joker, 1.0},
    {j_red_card, 0.5},    {j_madness, 0.5},        {j_square, 2.0},
    {j_vampire, 0.06},    {j_hologram, 0.08},      {j_obelisk, 0.05},
    {j_lucky_cat, 0.12},  {j_flash, 1.5},          {j_popcorn, -4.0},
    {j_trousers, 1.2},    {j_ramen, -0.08},        {j_castle, 6.0},
    {j_campfire, 0.05},   {j_glass, 0.1},          {j_wee, 9.0},
    {j_yorick, 0.3},      {j_caino, 0.15},
};

// Dollars in such a round.
constexpr PerRound kIncome[] = {
    {j_golden, 4.0},   {j_delayed_grat, 1.5}, {j_business, 2.0},  {j_reserved_parking, 1.2}, {j_mail, 2.5},
    {j_faceless, 1.5}, {j_todo_list, 2.0},    {j_rough_gem, 2.0}, {j_ticket, 1.0},           {j_egg, 2.0},
    {j_gift, 1.0},     {j_trading, 2.0},      {j_matador, 0.5},
};

template <std::size_t count> double amount_of(const PerRound (&table)[count], int id) {
    for (const PerRound& entry : table) {
        if (entry.id == id) {
            return entry.amount;
        }
    }
    return 0.0;
}

// Whether every fourth hand of the run or more was one of these.
bool plays_often(const State& state, HandType first, HandType second) {
    return state.hands[first].played + state.hands[second].played > state.hands_played / 4;
}

double growth_of(const State& state, const Joker& joker) {
    if (joker.id == j_runner && plays_often(state, hand_straight, hand_straight_flush)) {
        return 25.0;
    }
    if (joker.id == j_trousers && plays_often(state, hand_two_pair, hand_full_house)) {
        return 4.0;
    }
    return amount_of(kGrowth, joker.id);
}

}  // namespace

void project_jokers(State& state, double rounds) {
    int kept = 0;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        Joker joker = state.jokers[i];
        const double growth = growth_of(state, joker);
        joker.value += growth * rounds;
        bool gone = growth < 0 && joker.value <= (joker.id == j_ramen ? 1.0 : 0.0);
        if (joker.id == j_turtle_bean || joker.id == j_selzer) {
            joker.counter -= static_cast<std::int32_t>(rounds * (joker.id == j_selzer ? 2.5 : 1.0));
            gone = joker.counter <= 0;
        }
        if (joker.id == j_hit_the_road) {
            joker.value = 1.5;  // resets every round; Jacks are discarded now and then
        }
        if (!gone) {
            state.jokers[kept++] = joker;
        }
    }
    state.joker_count = static_cast<std::uint8_t>(kept);
    state.tarots_used = static_cast<std::uint16_t>(state.tarots_used + static_cast<int>(0.5 * rounds));
    int most = hand_high_card;
    for (int type = 0; type < hand_types; ++type) {
        most = state.hands[type].played > state.hands[most].played ? type : most;
    }
    state.hands[most].played =
        static_cast<std::uint16_t>(state.hands[most].played + static_cast<int>(1.5 * rounds));
}

double joker_income(const State& state, const Joker& joker) {
    switch (joker.id) {
    case j_rocket:
        return 2.0 + joker.value;
    case j_cloud_9: {
        int nines = 0;
        for (int i = 0; i < state.card_count; ++i) {
            nines += state.cards[i].rank == 9 ? 1 : 0;
        }
        return nines;
    }
    case j_satellite:
        return 0.5 + std::popcount(state.planets_used);
    case j_to_the_moon:
        return std::clamp(state.money, 0, interest_cap(state)) / static_cast<double>(kInterestStep);
    default:
        return amount_of(kIncome, joker.id);
    }
}

bool multiplies(int id) {
    switch (id) {
    case j_stencil:
    case j_loyalty_card:
    case j_steel_joker:
    case j_blackboard:
    case j_constellation:
    case j_cavendish:
    case j_card_sharp:
    case j_madness:
    case j_vampire:
    case j_hologram:
    case j_obelisk:
    case j_lucky_cat:
    case j_ramen:
    case j_campfire:
    case j_acrobat:
    case j_throwback:
    case j_glass:
    case j_flower_pot:
    case j_seeing_double:
    case j_hit_the_road:
    case j_duo:
    case j_trio:
    case j_family:
    case j_order:
    case j_tribe:
    case j_drivers_license:
    case j_caino:
    case j_yorick:
    case j_baseball:
        return true;
    default:
        return false;
    }
}

}  // namespace jimbot
