#include "fuzz/mutants.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/snapshot.hpp"
#include "fuzz/keys.hpp"
#include "play/expert.hpp"
#include "rules/game.hpp"
#include "vector/vector_env.hpp"
#include "view/hidden.hpp"
#include "view/preview_all.hpp"

namespace jimbot::fuzz {

namespace {

// --- changes ---

// A number at or near one of its bounds, or anywhere between.
int extreme(Random& random, int low, int high) {
    switch (random.below(4)) {
    case 0:
        return low;
    case 1:
        return high;
    case 2:
        return high - random.below(3);
    default:
        return static_cast<int>(
            low +
            static_cast<std::int64_t>(
                random.next() % (std::uint64_t{1} + static_cast<std::uint64_t>(std::int64_t{high} - low))));
    }
}

void mutate_numbers(State& state, Random& random) {
    state.money = extreme(random, -kMaxMoney, kMaxMoney);
    state.ante = static_cast<std::int16_t>(extreme(random, kMinAnte, kMaxAnte));
    for (HandStats& hand : state.hands) {
        hand.level = extreme(random, 0, kMaxLevel);
        hand.played = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
        hand.played_this_round = static_cast<std::uint8_t>(extreme(random, 0, 255));
        hand.visible = static_cast<std::uint8_t>(random.below(2));
    }
    state.hands_played = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
    state.tarots_used = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
    state.unused_discards = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
    state.skips = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
}

void mutate_counts(State& state, Random& random) {
    const auto count = [&](std::int16_t& value, int low) {
        value = random.one_in(2) ? value : bounded_count(extreme(random, low, kMaxCount));
    };
    count(state.rounds, 0);
    count(state.reroll_growth, 0);
    count(state.free_rerolls, 0);
    count(state.inflation, 0);
    count(state.base_hands, -kMaxCount);
    count(state.base_discards, -kMaxCount);
    count(state.base_hand_size, -kMaxCount);
    count(state.base_joker_slots, -kMaxCount);
    count(state.base_consumable_slots, -kMaxCount);
    count(state.round.hands_left, 0);
    count(state.round.discards_left, 0);
    count(state.round.hand_size_bonus, 0);
    state.round.score = random.one_in(2) ? std::numeric_limits<double>::infinity() : 0;
    state.round.target = random.one_in(2) ? std::numeric_limits<double>::infinity() : 1e300;
    state.cash_out.jokers = extreme(random, 0, kMaxMoney);
    state.cash_out.tags = extreme(random, 0, kMaxMoney);
    state.cash_out.interest = extreme(random, 0, kMaxMoney);
}

void mutate_locks(State& state, Random& random) {
    const auto bits = [&](auto& mask) {
        using Mask = std::remove_reference_t<decltype(mask)>;
        mask = random.one_in(2) ? static_cast<Mask>(~Mask{0}) : static_cast<Mask>(random.next());
    };
    bits(state.locked_blinds);
    bits(state.locked_tags);
    bits(state.locked_vouchers);
    bits(state.locked_packs);
    bits(random.one_in(2) ? state.vouchers : state.locked_vouchers);
    bits(state.challenge_rules);
    for (int pool = 0; pool < kPools; ++pool) {
        bits(random.one_in(2) ? state.locked[pool] : state.existing[pool]);
    }
    for (std::uint8_t& uses : state.boss_uses) {
        uses = static_cast<std::uint8_t>(extreme(random, 0, 255));
    }
}

void mutate_jokers(State& state, Random& random) {
    state.joker_count = static_cast<std::uint8_t>(1 + random.below(kMaxJokers));
    for (int i = 0; i < state.joker_count; ++i) {
        Joker& joker = state.jokers[i];
        joker = {};
        joker.value = random.one_in(3) ? kMaxStored : static_cast<double>(random.below(100));
        joker.counter = random.one_in(2) ? extreme(random, -kMaxCounter, kMaxCounter) : random.below(24);
        joker.created = state.next_created++;
        joker.sell_bonus = static_cast<std::int16_t>(random.one_in(2) ? extreme(random, -32'768, 32'767) : 0);
        joker.id = static_cast<std::uint8_t>(1 + random.below(j_end - 1));
        joker.edition = static_cast<std::uint8_t>(random.below(e_end));
        joker.stickers = static_cast<std::uint8_t>(random.one_in(2) ? random.below(256) : 0);
        joker.flags = static_cast<std::uint8_t>(random.one_in(4) ? random.below(256) : 0);
        joker.rounds_left = static_cast<std::uint8_t>(random.below(256));
        joker.hand = static_cast<std::uint8_t>(random.below(hand_types + 1));
    }
    state.consumable_count = static_cast<std::uint8_t>(random.below(kMaxConsumables + 1));
    for (int i = 0; i < state.consumable_count; ++i) {
        state.consumables[i] = {state.next_created++,
                                static_cast<std::int16_t>(extreme(random, -32'768, 32'767)),
                                static_cast<std::uint8_t>(1 + random.below(c_end - 1)),
                                static_cast<std::uint8_t>(random.below(e_end))};
    }
}

void mutate_cards(State& state, Random& random) {
    const bool stones = random.one_in(4);
    for (int i = 0; i < state.card_count; ++i) {
        Card& card = state.cards[i];
        card.bonus = static_cast<std::uint16_t>(extreme(random, 0, 65'535));
        card.enhancement = static_cast<std::uint8_t>(stones ? int{m_stone} : random.below(m_end));
        card.edition = static_cast<std::uint8_t>(random.below(e_end));
        card.seal = static_cast<std::uint8_t>(random.below(s_end));
        constexpr unsigned kChanged =
            card_debuffed | card_face_down | card_played_this_ante | card_debuffed_for_good;
        card.flags = static_cast<std::uint8_t>((card.flags & ~kChanged) | (random.next() & kChanged));
    }
}

// Single bytes, mostly behind the random streams, which are more than half of a state.
void mutate_bytes(State& state, Random& random) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&state);
    const auto streams = static_cast<int>(sizeof(Streams));
    const auto all = static_cast<int>(sizeof(State));
    for (int i = random.below(8); i >= 0; --i) {
        const int at = random.one_in(8) ? random.below(all) : streams + random.below(all - streams);
        bytes[at] = static_cast<unsigned char>(random.one_in(4) ? 255 : random.below(256));
    }
}

// --- play ---

Broken check_views(const State& state, const std::vector<Action>& legal, Random& random) {
    if (state.phase == Phase::playing && state.hand_count <= 12) {
        std::vector<PlayPreview> all(static_cast<std::size_t>(count_plays(state.hand_count)));
        preview_all(state, all.data());
    }
    for (const Action& action : legal) {
        if (action.kind == ActionKind::play_hand && random.one_in(64)) {
            preview_play(state, action.mask);
        }
    }
    State copy = state;
    resample_hidden(copy, random.next());
    if (!possible_state(copy)) {
        return {"mutant", std::string("a resampled copy is impossible: ") + impossible_part(copy)};
    }
    if (legal.empty()) {
        return {};
    }
    static const ExpertWeights weights;
    const Action choice = expert_action(state, weights);
    // Which of the face-down jokers is Eternal, say, the player cannot know.
    if (check_action(state, choice) != Refusal::none && !hides_something(state)) {
        return {"mutant", "the scripted player chose an illegal action: " + action_text(choice)};
    }
    return {};
}

// The array of a record that a byte belongs to.
std::string_view field_at(const RecordLayout& layout, std::ptrdiff_t offset) {
    std::string_view name = "padding";
    for (const ObservationField& field : record_schema(layout)) {
        name = field.offset <= offset ? field.name : name;
    }
    return name;
}

Broken first_difference(VectorEnv& env, std::string_view when) {
    Records fresh(1, env.layout());
    for (int i = 0; i < env.count(); ++i) {
        const unsigned char* kept = env.records.at(static_cast<std::size_t>(i));
        env.write_fresh(i, fresh.at(0));
        const auto [differs, anew] = std::mismatch(kept, kept + fresh.size(), fresh.at(0));
        if (differs != kept + fresh.size()) {
            std::string detail("the record kept up to date is not the record written anew ");
            detail.append(when).append(", in ").append(field_at(env.layout(), differs - kept));
            return {"records", detail};
        }
    }
    return {};
}

Broken check_environment(VectorEnv& env, Random& random, Report& report) {
    constexpr int kSteps = 24;
    if (Broken broken = first_difference(env, "after a reset")) {
        return broken;
    }
    for (int step = 0; step < kSteps; ++step) {
        env.step_random();
        report.records += static_cast<std::uint64_t>(env.count());
        if (Broken broken = first_difference(env, "after a step")) {
            return broken;
        }
    }
    const std::string bytes = env.snapshot("");
    env.reset(random.next());
    if (Broken broken = first_difference(env, "after another reset")) {
        return broken;
    }
    env.restore(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return first_difference(env, "after a restore");
}

}  // namespace

bool mutate(State& state, Random& random) {
    switch (random.below(8)) {
    case 0:
        mutate_numbers(state, random);
        break;
    case 1:
        mutate_counts(state, random);
        break;
    case 2:
        mutate_locks(state, random);
        break;
    case 3:
        mutate_jokers(state, random);
        break;
    case 4:
        mutate_cards(state, random);
        break;
    default:
        mutate_bytes(state, random);
        break;
    }
    return possible_state(state);
}

Broken check_playable(State state, int steps, Random& random, Report& report, State& before,
                      Action& culprit) {
    GamePlan plan;
    plan.unsettled = true;
    ++report.mutants;
    for (int step = 0; step < steps && state.phase != Phase::game_over; ++step) {
        const std::vector<Action> legal = legal_list(state);
        before = state;
        if (Broken broken = check_views(state, legal, random)) {
            return broken;
        }
        if (legal.empty()) {
            return {};
        }
        culprit = choose_action(state, legal, plan, random);
        if (apply(state, culprit) != Refusal::none) {
            return {"mutant", "a listed action is refused: " + action_text(culprit)};
        }
        if (!possible_state(state)) {
            return {"mutant",
                    action_text(culprit) + " leads to an impossible state: " + impossible_part(state)};
        }
    }
    return {};
}

Broken check_records(const std::vector<State>& starts, Random& random, Report& report) {
    EpisodeOptions options;
    std::copy_if(starts.begin(), starts.end(), std::back_inserter(options.starts),
                 [](const State& state) { return state.phase != Phase::game_over; });
    options.start_chance = random.one_in(2) ? 1.0 : 0.8;
    options.max_steps = 3 + random.below(20);
    options.max_ante = kMaxAnte;
    options.fast = random.one_in(2);
    options.candidates = random.one_in(2) ? 0 : 32;
    constexpr int kGames = 3;
    VectorEnv env(kGames, options, 1, random.one_in(2) ? Autoreset::same_step : Autoreset::next_step);
    env.reset(random.next());
    return check_environment(env, random, report);
}

}  // namespace jimbot::fuzz
