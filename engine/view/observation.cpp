#include "view/observation.hpp"

#include <algorithm>
#include <cstring>

#include "catalog/catalog.hpp"
#include "rules/blind.hpp"
#include "rules/owned.hpp"
#include "rules/shop.hpp"
#include "view/observe_parts.hpp"
#include "view/scales.hpp"
#include "view/visibility.hpp"

namespace jimbot {

namespace {

void observe_globals(const State& state, const Pending& pending, float* out) {
    for (int phase = 0; phase < static_cast<int>(Phase::game_over); ++phase) {
        out[GlobalColumn::phase + phase] = static_cast<int>(state.phase) == phase ? 1.0f : 0.0f;
    }
    out[GlobalColumn::pending] = pending.active() ? 1.0f : 0.0f;
    out[GlobalColumn::ante] = bounded<8>(state.ante);
    out[GlobalColumn::round] = bounded<24>(state.rounds);
    out[GlobalColumn::money] = dollars(state.money);
    out[GlobalColumn::money_for_interest] = bounded<25>(std::clamp(state.money, 0, 25));
    out[GlobalColumn::hand_size] = bounded<12>(hand_size(state));
    out[GlobalColumn::hands_per_round] = bounded<8>(hands_per_round(state));
    out[GlobalColumn::discards_per_round] = bounded<8>(discards_per_round(state));
    out[GlobalColumn::joker_slots] = bounded<10>(joker_slots(state));
    out[GlobalColumn::jokers] = bounded<10>(state.joker_count);
    out[GlobalColumn::consumable_slots] = bounded<6>(consumable_slots(state));
    out[GlobalColumn::consumables] = bounded<6>(state.consumable_count);
    out[GlobalColumn::deck_cards] = bounded<104>(state.card_count);
    out[GlobalColumn::draw_pile_cards] = bounded<104>(state.draw_count);
    out[GlobalColumn::reroll_price] = state.phase == Phase::shop ? bounded<20>(reroll_price(state)) : 0.0f;
    out[GlobalColumn::stake] = bounded<8>(state.stake);
    for (int blind = 0; blind < 3; ++blind) {
        out[GlobalColumn::next_blind + blind] = state.blind_on_deck == blind ? 1.0f : 0.0f;
    }
    out[GlobalColumn::pack_choices] = bounded<2>(state.pack.choices_left);
    out[GlobalColumn::skips] = bounded<16>(state.skips);
    out[GlobalColumn::tarots_used] = bounded<25>(state.tarots_used);
    out[GlobalColumn::boss_rerolls] = bounded<2>(state.boss_rerolls);
    out[GlobalColumn::sorted_by_suit] = static_cast<float>(state.sort_mode);
    out[GlobalColumn::hands_played] = bounded<100>(state.hands_played);
    out[GlobalColumn::won] = state.won != 0 ? 1.0f : 0.0f;
    out[GlobalColumn::credit] = bounded<40>(-money_floor(state));
    out[GlobalColumn::hand_cards] = bounded<16>(state.hand_count);
    out[GlobalColumn::hand_cards_without_row] = bounded<16>(std::max(0, state.hand_count - kSeenHand));
}

void observe_blind(const State& state, ObservationCache& cache, float* out) {
    const Round& round = state.round;
    const bool playing = round.blind != bl_none;
    const double target = next_target(state);
    const double score = playing ? round.score : -1.0;
    if (!cache.filled || target != cache.target || score != cache.score) {
        cache.target = target;
        cache.score = score;
        out[BlindColumn::playing] = playing ? 1.0f : 0.0f;
        out[BlindColumn::target] = logarithm(target);
        out[BlindColumn::score] = playing ? logarithm(score) : 0.0f;
        out[BlindColumn::share] =
            playing ? static_cast<float>(std::clamp(score / std::max(1.0, target), 0.0, 1.0)) : 0.0f;
        out[BlindColumn::missing] = playing ? logarithm(std::max(0.0, target - score)) : 0.0f;
    }
    if (!playing) {
        std::memset(out + BlindColumn::hands_left, 0,
                    (BlindColumn::count - BlindColumn::hands_left) * sizeof(float));
        return;
    }
    out[BlindColumn::hands_left] = bounded<8>(round.hands_left);
    out[BlindColumn::discards_left] = bounded<8>(round.discards_left);
    out[BlindColumn::hands_played] = bounded<8>(round.hands_played);
    out[BlindColumn::discards_used] = bounded<8>(round.discards_used);
    out[BlindColumn::disabled] = round.boss_disabled != 0 ? 1.0f : 0.0f;
    out[BlindColumn::last_hand] =
        round.last_hand < hand_types ? static_cast<float>(round.last_hand + 1) / 12.0f : 0.0f;
    out[BlindColumn::only_hand] =
        round.only_hand < hand_types ? static_cast<float>(round.only_hand + 1) / 12.0f : 0.0f;
}

void observe_levels(const State& state, ObservationCache& cache, Observation& out) {
    if (cache.filled && std::memcmp(state.hands, cache.hands, sizeof cache.hands) == 0) {
        return;
    }
    for (int i = 0; i < hand_types; ++i) {
        const HandStats& stats = state.hands[i];
        if (cache.filled && std::memcmp(&stats, &cache.hands[i], sizeof stats) == 0) {
            continue;
        }
        cache.hands[i] = stats;
        const HandBase base = hand_base(static_cast<HandType>(i), stats.level);
        out.levels[i][LevelColumn::level] = bounded<20>(stats.level);
        out.levels[i][LevelColumn::played] = bounded<50>(stats.played);
        out.levels[i][LevelColumn::played_this_round] = bounded<4>(stats.played_this_round);
        out.levels[i][LevelColumn::chips] = bounded<400>(base.chips);
        out.levels[i][LevelColumn::mult] = bounded<40>(base.mult);
    }
}

void observe_tags(const State& state, ObservationCache& cache, Observation& out) {
    const std::size_t size = state.tag_count * sizeof(Tag);
    if (state.tag_count == cache.tag_count && std::memcmp(state.tags, cache.tags, size) == 0) {
        return;
    }
    std::memcpy(cache.tags, state.tags, size);
    cache.tag_count = state.tag_count;
    clear(out.tags);
    for (int i = 0; i < state.tag_count; ++i) {
        float& held = out.tags[state.tags[i].id - 1];
        held = std::min(2.0f, held + 0.5f);
    }
}

void observe_identities(const State& state, const Pending& pending, Observation& out) {
    std::int16_t* const ids = out.identities;
    ids[IdentityColumn::boss] = state.boss;
    ids[IdentityColumn::blind] = state.round.blind;
    ids[IdentityColumn::ante_voucher] =
        ante_voucher_seen(state) ? std::int16_t{state.voucher} : std::int16_t{v_none};
    ids[IdentityColumn::small_skip_tag] = state.blind_tags[0];
    ids[IdentityColumn::big_skip_tag] = state.blind_tags[1];
    ids[IdentityColumn::deck] = state.deck;
    ids[IdentityColumn::last_consumable] = state.last_consumable;
    ids[IdentityColumn::pending] = static_cast<std::int16_t>(pending.active() ? 1 + pending.position : 0);
}

}  // namespace

void observe(const State& state, const Pending& pending, ObservationCache& cache, Observation& out) {
    if (!cache.filled) {
        clear(out);
        cache = {};
    }
    const bool astronomer = has_passive(state, passive_free_planets);
    const bool prices = state.vouchers != cache.vouchers || state.inflation != cache.inflation ||
                        astronomer != cache.astronomer;
    observe_globals(state, pending, out.globals);
    observe_blind(state, cache, out.blind);
    const bool hidden = observe_hand(state, cache, out);
    observe_jokers(state, prices, cache, out);
    observe_consumables(state, prices, cache, out);
    observe_shelves(state, cache, out);
    const bool same_cards =
        cache.filled && state.card_count == cache.card_count && state.next_created == cache.next_created;
    observe_deck(state, hidden, same_cards, cache, out);
    observe_enhancements(state, same_cards, cache, out);
    observe_levels(state, cache, out);
    observe_tags(state, cache, out);
    if (state.vouchers != cache.vouchers) {
        for (int id = 1; id < v_end; ++id) {
            out.vouchers[id - 1] = redeemed(state, static_cast<VoucherId>(id)) ? 1.0f : 0.0f;
        }
    }
    observe_identities(state, pending, out);
    cache.vouchers = state.vouchers;
    cache.inflation = state.inflation;
    cache.astronomer = astronomer;
    cache.filled = true;
}

}  // namespace jimbot
