#include "play/expert_weights.hpp"

#include "catalog/catalog.hpp"

namespace jimbot {

const std::array<WeightEntry, w_general_count> kGeneralWeights = {{
    {"hand_samples", 6, 1, 32, "draws sampled per way to play or discard"},
    {"close_samples", 24, 1, 32, "draws sampled for the ways that look best"},
    {"close_count", 4, 1, 16, "ways that are looked at closely"},
    {"fresh_samples", 6, 1, 32, "hands sampled to know what later hands of the blind will score"},
    {"discard_reach", 1.5, 0, 6, "cards a discard still to come adds to what a hand can be made of"},
    {"hand_left", 0.01, 0, 0.2, "worth of a hand left over, in chance of clearing"},
    {"lucky_clear", 0.6, 0, 1,
     "chance credited to a play that clears the blind only at the mean of its chances"},
    {"spread", 1.0, 0.1, 4, "factor on how far the scores of later hands vary"},
    {"near_miss", 0.05, 0, 0.5, "guides plays when no chance is in sight: weight of the share still missing"},
    {"discard_left", 0.0, 0, 0.1, "worth of a discard left over, in chance of clearing"},
    {"held_gold", 0.03, 0, 0.2, "worth of a gold card or blue seal kept, or a gold seal played"},
    {"glass_risk", 0.02, 0, 0.2, "cost of risking a glass card when the blind is cleared anyway"},
    {"growth", 0.02, 0, 0.1, "worth of letting a scaling joker grow by one step"},
    {"strength_samples", 8, 2, 24, "hands sampled to measure a build"},
    {"strength_reach", 1.4, 0, 4, "cards each discard adds to what the best hand of a round is made of"},
    {"hands_exponent", 0.9, 0, 1.5, "how far hands after the first count, which get no discards"},
    {"horizon", 5, 0, 12, "rounds ahead at which scaling jokers are valued when the build is safe"},
    {"margin_wanted", 0.6, 0.1, 3, "strength over the coming boss at which the build counts as safe"},
    {"boss_grace", 0.15, 0, 1, "strength expected to be gained per blind before the boss"},
    {"dollar", 0.04, 0, 0.2, "worth of a dollar below the interest cap"},
    {"dollar_rich", 0.008, 0, 0.2, "worth of a dollar above the interest cap"},
    {"interest", 0.05, 0, 0.3, "cost of losing a step of interest"},
    {"reserve", 0.01, 0, 0.2, "cost of each dollar short of four"},
    {"weak_discount", 0.6, 0, 1, "how far prices count less when the build is too weak"},
    {"income_rounds", 5, 0, 24, "rounds of income counted for a joker that earns"},
    {"buy_threshold", 0.01, -0.1, 0.5, "net worth a purchase must have"},
    {"replace_threshold", 0.12, 0, 1, "net worth a joker must add to take another's slot"},
    {"empty_slot", 0.1, 0, 1, "worth of filling a joker slot while others are empty"},
    {"reroll_gain", 0.04, 0, 0.6, "worth of a reroll for a safe build"},
    {"reroll_need", 0.08, 0, 1, "what weakness adds to the worth of a reroll"},
    {"reroll_rich", 0.06, 0, 0.6, "what every 25 dollars above the first 25 add to the worth of a reroll"},
    {"reroll_cap", 9, 0, 30, "dearest reroll paid for"},
    {"pack_arcana", 0.16, 0, 1, "worth of an Arcana pack"},
    {"pack_celestial", 0.18, 0, 1, "worth of a Celestial pack"},
    {"pack_standard", 0.06, 0, 1, "worth of a Standard pack"},
    {"pack_buffoon", 0.35, 0, 2, "worth of a Buffoon pack with a joker slot free"},
    {"pack_spectral", 0.12, 0, 1, "worth of a Spectral pack"},
    {"pack_size", 0.35, 0, 1, "what a Jumbo pack adds to that; a Mega pack adds it twice"},
    {"planet_focus", 0.1, 0, 1, "worth of a level of the hand that is always played, beyond its score now"},
    {"playing_card", 0.1, 0, 1, "worth of a card of full quality for the deck"},
    {"voucher_early", 0.6, 0, 1, "share of a voucher's worth that fades with the rounds left"},
    {"edition_foil", 0.03, 0, 0.5, "worth of a foil playing card"},
    {"edition_holo", 0.05, 0, 0.5, "worth of a holographic playing card"},
    {"edition_polychrome", 0.08, 0, 0.5, "worth of a polychrome playing card"},
    {"edition_negative", 0.5, 0, 2, "worth of a negative joker's slot"},
    {"skip_cost", 0.9, 0, 3, "what skipping a blind of ante 1 gives up: money and a shop"},
    {"skip_late", 0.05, -0.5, 0.5, "what every further ante adds to that"},
    {"boss_reroll", 0.35, 0, 2, "weight of a boss above which it is rerolled if that can be paid"},
}};

std::string weight_name(int id) {
    const auto named = [](const char* kind, std::string_view key) { return std::string(kind).append(key); };
    const auto place = static_cast<std::size_t>(id);
    constexpr std::size_t kJoker = w_joker_first - 1;  // items are numbered from 1
    constexpr std::size_t kConsumable = w_consumable_first - 1;
    constexpr std::size_t kVoucher = w_voucher_first - 1;
    constexpr std::size_t kTag = w_tag_first - 1;
    constexpr std::size_t kBoss = w_boss_first - int{kFirstBoss};
    if (id < w_joker_first) {
        return std::string(kGeneralWeights[place].name);
    }
    if (id < w_consumable_first) {
        return named("joker.", kJokers[place - kJoker].key);
    }
    if (id < w_voucher_first) {
        return named("consumable.", kConsumables[place - kConsumable].key);
    }
    if (id < w_tag_first) {
        return named("voucher.", kVouchers[place - kVoucher].key);
    }
    if (id < w_boss_first) {
        return named("tag.", kTagEntries[place - kTag].key);
    }
    return named("boss.", kBlinds[place - kBoss].key);
}

// Items have their defaults in the catalog.
WeightEntry weight_entry(int id) {
    const auto of_item = [](double value, std::string_view text) {
        return WeightEntry{{}, value, -3, 3, text};
    };
    const auto place = static_cast<std::size_t>(id);
    if (id < w_joker_first) {
        WeightEntry entry = kGeneralWeights[place];
        entry.name = {};
        return entry;
    }
    if (id < w_consumable_first) {
        return of_item(kJokers[place - w_joker_first + 1].traits.scripted.worth,
                       "worth of the joker beyond strength and income");
    }
    if (id < w_voucher_first) {
        return of_item(kConsumables[place - w_consumable_first + 1].traits.scripted.worth,
                       "worth of using the card well");
    }
    if (id < w_tag_first) {
        return of_item(kVouchers[place - w_voucher_first + 1].worth, "worth of the voucher");
    }
    if (id < w_boss_first) {
        return of_item(kTagEntries[place - w_tag_first + 1].worth, "worth of the tag");
    }
    return of_item(kBlinds[place - w_boss_first + kFirstBoss].traits.difficulty,
                   "what the boss adds to the difficulty of its target");
}

ExpertWeights::ExpertWeights() : values{} {
    for (int id = 0; id < weight_count; ++id) {
        values[static_cast<std::size_t>(id)] = weight_entry(id).value;
    }
}

}  // namespace jimbot
