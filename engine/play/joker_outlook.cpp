#include "play/joker_outlook.hpp"

#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "rules/owned.hpp"

namespace jimbot {

namespace {

struct Growth {
    double value = 0;  // of Joker::value per round
    double limit = 0;  // it falls no lower than this; below it the joker is gone
};

// Ordinary play: about two and a half hands and two discards of four cards per round, a tarot or planet every
// other round, a sale now and then.
Growth growth_of(const State& state, const Joker& joker) {
    switch (joker.id) {
    case j_ceremonial:
        return {1.0, 0};
    case j_ride_the_bus:
        return {1.2, 0};
    case j_runner:
        return {state.hands[hand_straight].played > state.hands_played / 4 ? 25.0 : 4.0, 0};
    case j_ice_cream:
        return {-13.0, 0};
    case j_constellation:
        return {0.07, 0};
    case j_green_joker:
        return {1.0, 0};
    case j_red_card:
        return {0.5, 0};
    case j_madness:
        return {0.5, 0};
    case j_square:
        return {2.0, 0};
    case j_vampire:
        return {0.06, 0};
    case j_hologram:
        return {0.08, 0};
    case j_obelisk:
        return {0.05, 0};
    case j_lucky_cat:
        return {0.12, 0};
    case j_flash:
        return {1.5, 0};
    case j_popcorn:
        return {-4.0, 0};
    case j_trousers:
        return {state.hands[hand_two_pair].played + state.hands[hand_full_house].played >
                        state.hands_played / 4
                    ? 4.0
                    : 1.2,
                0};
    case j_ramen:
        return {-0.08, 1};
    case j_castle:
        return {6.0, 0};
    case j_campfire:
        return {0.05, 0};
    case j_glass:
        return {0.1, 0};
    case j_wee:
        return {9.0, 0};
    case j_yorick:
        return {0.3, 0};
    case j_caino:
        return {0.15, 0};
    case j_hit_the_road:
        return {0.0, 0};
    default:
        return {};
    }
}

}  // namespace

void project_jokers(State& state, double rounds) {
    int kept = 0;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        Joker joker = state.jokers[i];
        const Growth growth = growth_of(state, joker);
        joker.value += growth.value * rounds;
        bool gone = growth.value < 0 && joker.value <= growth.limit;
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
    case j_golden:
        return 4.0;
    case j_rocket:
        return 1.0 + joker.value + 1.0;
    case j_delayed_grat:
        return 1.5;
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
        return std::min(5.0, state.money / 5.0);
    case j_business:
        return 2.0;
    case j_reserved_parking:
        return 1.2;
    case j_mail:
        return 2.5;
    case j_faceless:
        return 1.5;
    case j_todo_list:
        return 2.0;
    case j_rough_gem:
        return 2.0;
    case j_ticket:
        return 1.0;
    case j_egg:
        return 2.0;
    case j_gift:
        return 1.0;
    case j_trading:
        return 2.0;
    case j_matador:
        return 0.5;
    default:
        return 0.0;
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
