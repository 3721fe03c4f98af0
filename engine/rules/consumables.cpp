#include "rules/consumables.hpp"

#include <bit>

#include "catalog/catalog.hpp"
#include "core/bits.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/pools.hpp"

namespace jimbot {

Refusal can_use(const State& state, int id, std::uint32_t mask, int free_slots) {
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    const int selected = count_bits(mask);
    if (selected != 0 && (state.hand_count == 0 || std::bit_width(mask) > state.hand_count)) {
        return Refusal::bad_selection;
    }
    const std::uint32_t forced = entry.max_targets > 0 ? forced_positions(state) : 0;
    if ((mask & forced) != forced) {
        return Refusal::forced_card_missing;  // Cerulean Bell's card stays selected, whatever is done with it
    }
    if (selected < entry.min_targets || selected > entry.max_targets) {
        return Refusal::wrong_targets;
    }
    if (entry.usable != nullptr && !entry.usable(state, mask, free_slots)) {
        return Refusal::not_usable_now;
    }
    return Refusal::none;
}

void use_consumable(State& state, int id, std::uint32_t mask) {
    const ConsumableEntry& entry = kConsumables[static_cast<std::size_t>(id)];
    std::uint8_t targets[kMaxHand];
    int count = 0;
    for (int i = 0; i < state.hand_count; ++i) {
        if (((mask >> i) & 1) != 0) {
            targets[count++] = state.hand[i];
        }
    }
    if (is_tarot(id)) {
        count_up(state.tarots_used);
    } else if (is_planet(id)) {
        state.planets_used =
            static_cast<std::uint16_t>(state.planets_used | (1u << consumable_place(id).index));
    }
    if (is_planet(id)) {
        level_up(state, entry.hand, 1);
    } else {
        entry.use(state, targets, count);
    }
    if (!is_spectral(id)) {
        state.last_consumable = static_cast<std::uint8_t>(id);
    }
    each_joker(state, [&](const JokerHooks& hooks, Turn& turn) {
        if (hooks.consumable_used != nullptr) {
            hooks.consumable_used(turn, id);
        }
    });
    release_consumable(state, id);
}

}  // namespace jimbot
