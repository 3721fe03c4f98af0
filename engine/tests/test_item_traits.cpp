// What entries of consumables and blinds say about themselves, held against what their hooks do.
#include <algorithm>
#include <bit>

#include "catalog/catalog.hpp"
#include "core/snapshot.hpp"
#include "play/expert_weights.hpp"
#include "rules/blind.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"
#include "tests/check.hpp"
#include "view/preview.hpp"

using namespace jimbot;

namespace {

// A hand of the first blind, with two jokers and some money.
State in_blind() {
    RunOptions options;
    options.seed = "7LB2WVPK";
    State state;
    start_run(state, options);
    CHECK(apply(state, Action{ActionKind::select_blind}) == Refusal::none);
    state.money = 13;
    return state;
}

State with_stream(const State& state, std::uint64_t start) {
    State copy = state;
    use_fast_streams(copy.streams, start);
    return copy;
}

// Whether random numbers were drawn since with_stream.
bool drew(const State& state, std::uint64_t start) {
    Streams fresh = state.streams;
    use_fast_streams(fresh, start);
    return fresh.fast_state != state.streams.fast_state;
}

// The state without its streams.
std::uint64_t hash_without_streams(State state) {
    state.streams = {};
    return state_hash(state);
}

void use_on(State& state, const ConsumableEntry& entry, std::uint32_t mask) {
    std::uint8_t targets[kMaxHand];
    int count = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        targets[count++] = state.hand[std::countr_zero(left)];
    }
    entry.use(state, targets, count);
}

// The state after a blind's hook for a played hand, without chance's part in it.
State after_hand_played(const State& state, const BlindEntry& blind, std::uint64_t start) {
    State copy = with_stream(state, start);
    blind.hooks.hand_played(copy, 3);
    return copy;
}

bool same_hand(const State& a, const State& b) {
    return a.hand_count == b.hand_count && std::equal(a.hand, a.hand + a.hand_count, b.hand);
}

}  // namespace

TEST(consumables_that_say_they_change_their_targets_do_nothing_else) {
    const State state = in_blind();
    int held = 0;
    for (const ConsumableEntry& entry : kConsumables) {
        if (entry.traits.effect != UseEffect::targets) {
            continue;
        }
        ++held;
        const std::uint32_t mask = (std::uint32_t{1} << entry.max_targets) - 1;
        State one = with_stream(state, 1);
        State other = with_stream(state, 2);
        use_on(one, entry, mask);
        use_on(other, entry, mask);
        CHECK_EQ(hash_without_streams(one), hash_without_streams(other));
        CHECK(!drew(one, 1));
        CHECK(hash_without_streams(one) != hash_without_streams(state));
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const std::uint8_t index = state.hand[std::countr_zero(left)];
            one.cards[index] = state.cards[index];
        }
        CHECK_EQ(hash_without_streams(one), hash_without_streams(state));
    }
    CHECK_EQ(held, 18);
}

TEST(the_consumable_of_all_levels_raises_all_levels) {
    State state = in_blind();
    for (const ConsumableEntry& entry : kConsumables) {
        if (entry.traits.effect != UseEffect::all_levels) {
            continue;
        }
        State used = state;
        entry.use(used, nullptr, 0);
        for (int hand = 0; hand < hand_types; ++hand) {
            level_up(state, static_cast<HandType>(hand), 1);
        }
        CHECK_EQ(state_hash(used), state_hash(state));
        return;
    }
    CHECK(false);
}

TEST(consumables_with_chance_in_them_do_not_say_that_they_can_be_foreseen) {
    const State state = in_blind();
    int chance = 0;
    for (const ConsumableEntry& entry : kConsumables) {
        if (entry.use == nullptr || entry.max_targets == 0) {
            continue;
        }
        State one = with_stream(state, 1);
        use_on(one, entry, (std::uint32_t{1} << entry.max_targets) - 1);
        if (drew(one, 1)) {
            ++chance;
            CHECK(entry.traits.effect == UseEffect::unknown);
        }
    }
    CHECK(chance > 0);  // Aura
}

TEST(a_card_that_tells_editions_cannot_be_used_on_one) {
    State state = in_blind();
    const auto usable = [&](const ConsumableEntry& entry) { return entry.usable(state, 1, 1); };
    for (const ConsumableEntry& entry : kConsumables) {
        if (entry.max_targets == 0 || entry.usable == nullptr) {
            CHECK(!entry.traits.tells_editions);
            continue;
        }
        Card& card = state.cards[state.hand[0]];
        card.edition = e_none;
        const bool without = usable(entry);
        card.edition = e_foil;
        CHECK_EQ(entry.traits.tells_editions, without != usable(entry));
    }
}

TEST(blinds_do_to_a_played_hand_what_they_say) {
    const State state = in_blind();
    int unforeseen = 0;
    for (const BlindEntry& blind : kBlinds) {
        if (blind.hooks.hand_played == nullptr) {
            CHECK(blind.traits.play_effect == PlayEffect::unknown);
            continue;
        }
        State before = with_stream(state, 1);
        State after = after_hand_played(state, blind, 1);
        switch (blind.traits.play_effect) {
        case PlayEffect::held_cards:
            CHECK(!same_hand(after, after_hand_played(state, blind, 2)));
            ++unforeseen;
            break;
        case PlayEffect::money:
            CHECK(after.money != before.money);
            after.money = before.money;
            CHECK_EQ(state_hash(after), state_hash(before));
            break;
        case PlayEffect::later:
            after.round = before.round;
            CHECK_EQ(state_hash(after), state_hash(before));
            break;
        case PlayEffect::unknown:
            CHECK(false);  // every blind of the game is foreseen as far as it can be
            break;
        }
    }
    CHECK_EQ(unforeseen, 1);
}

TEST(previews_are_inexact_while_held_cards_are_at_risk) {
    State state = in_blind();
    const std::uint32_t all = (std::uint32_t{1} << state.hand_count) - 1;
    for (int id = kFirstBoss; id < bl_end; ++id) {
        state.round.blind = static_cast<std::uint8_t>(id);
        const bool risk = kBlinds[static_cast<std::size_t>(id)].traits.play_effect == PlayEffect::held_cards;
        CHECK_EQ(blind_interferes(state, true), risk);
        CHECK(!blind_interferes(state, false));
        if (risk) {
            CHECK(!preview_play(state, 1).exact);
            state.round.boss_disabled = 1;
            CHECK(preview_play(state, 1).exact);
            CHECK(!blind_interferes(state, true));
            state.round.boss_disabled = 0;
            State few = state;
            few.hand_count = 3;
            CHECK(preview_play(few, all & 7u).exact);
        }
    }
}

TEST(blinds_that_say_what_they_hide_hide_exactly_that) {
    const State state = in_blind();
    int told = 0;
    for (int id = kFirstBoss; id < bl_end; ++id) {
        const BlindEntry& blind = kBlinds[static_cast<std::size_t>(id)];
        if (blind.traits.hides == nullptr) {
            continue;
        }
        ++told;
        State playing = with_stream(state, 1);
        playing.round.blind = static_cast<std::uint8_t>(id);
        int hidden = 0;
        for (int i = 0; i < state.card_count; ++i) {
            const bool hides = blind.traits.hides(playing, state.cards[i]);
            CHECK_EQ(hides, blind.hooks.face_down(playing, state.cards[i]));
            hidden += hides ? 1 : 0;
        }
        CHECK_EQ(hidden, 12);
    }
    CHECK_EQ(told, 1);
}

TEST(weights_of_items_are_those_of_their_entries) {
    const ExpertWeights weights;
    CHECK_EQ(weights.voucher(v_antimatter), kVouchers[v_antimatter].worth);
    CHECK_EQ(weights.voucher(v_overstock_norm), 0.4);
    CHECK_EQ(weights.tag(tag_negative), 1.2);
    CHECK_EQ(weights.consumable(c_soul), 2.0);
    CHECK_EQ(weights.consumable(c_hermit), 0.0);
    CHECK_EQ(weights.boss(bl_needle), 0.7);
    CHECK_EQ(weights.boss(bl_final_vessel), 0.0);
    CHECK_EQ(weights.boss(bl_big), 0.0);
    CHECK_EQ(weight_name(w_boss_first), "boss.bl_hook");
    CHECK_EQ(weight_entry(w_voucher_first).value, 0.4);
}
