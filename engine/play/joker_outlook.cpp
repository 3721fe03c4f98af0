#include "play/joker_outlook.hpp"

namespace jimbot {

namespace {

double growth_of(const State& state, const ScriptedTraits& traits) {
    return traits.growth != nullptr ? traits.growth(state) : traits.growth_per_round;
}

}  // namespace

void project_jokers(State& state, double rounds, const JokerTraitsTable& table) {
    int kept = 0;
    const int count = state.joker_count;
    for (int i = 0; i < count; ++i) {
        Joker joker = state.jokers[i];
        const ScriptedTraits& traits = table[joker.id].scripted;
        const double growth = growth_of(state, traits);
        joker.value += growth * rounds;
        bool gone = growth < 0 && joker.value <= traits.gone_at;
        if (traits.counter_loss_per_round > 0) {
            joker.counter -= static_cast<std::int32_t>(rounds * traits.counter_loss_per_round);
            gone = joker.counter <= 0;
        }
        if (traits.usual_value > 0) {
            joker.value = traits.usual_value;
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
    const ScriptedTraits& traits = kJokerTraits[joker.id].scripted;
    return traits.income != nullptr ? traits.income(state, joker) : traits.income_per_round;
}

}  // namespace jimbot
