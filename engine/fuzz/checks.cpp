#include "fuzz/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/snapshot.hpp"
#include "fuzz/invariants.hpp"
#include "rules/blind.hpp"
#include "rules/game.hpp"
#include "view/hidden.hpp"
#include "view/preview_all.hpp"

namespace jimbot::fuzz {

namespace {

constexpr int kAnyActions = 12;
constexpr int kPreviews = 3;
constexpr int kWidestSelection = 12;

const Action& pick(const std::vector<Action>& actions, Random& random) {
    return actions[static_cast<std::size_t>(random.below(static_cast<int>(actions.size())))];
}

std::uint64_t packed(const Action& action) {
    return (static_cast<std::uint64_t>(action.kind) << 56) | (static_cast<std::uint64_t>(action.a) << 48) |
           (static_cast<std::uint64_t>(action.b) << 40) | action.mask;
}

bool takes_mask(ActionKind kind) {
    return kind == ActionKind::play_hand || kind == ActionKind::discard || kind == ActionKind::buy_and_use ||
           kind == ActionKind::use_consumable || kind == ActionKind::pick_card;
}

bool takes_a(ActionKind kind) {
    switch (kind) {
    case ActionKind::play_hand:
    case ActionKind::discard:
    case ActionKind::select_blind:
    case ActionKind::skip_blind:
    case ActionKind::reroll_boss:
    case ActionKind::cash_out:
    case ActionKind::reroll_shop:
    case ActionKind::leave_shop:
    case ActionKind::skip_pack:
        return false;
    default:
        return true;
    }
}

bool takes_b(ActionKind kind) { return kind == ActionKind::move_joker || kind == ActionKind::move_card; }

// The action with the parts cleared that its kind does not read.
Action canonical(Action action) {
    action.unused = 0;
    action.a = takes_a(action.kind) ? action.a : std::uint8_t{0};
    action.b = takes_b(action.kind) ? action.b : std::uint8_t{0};
    action.mask = takes_mask(action.kind) ? action.mask : 0;
    return action;
}

// Calls visit(action) for every action of a kind, with positions and selections beyond what any state has.
template <typename Visit> void each_action_of(ActionKind kind, int width, Visit visit) {
    const int last_a = !takes_a(kind) ? 0 : takes_mask(kind) ? kMaxConsumables : kMaxHand;
    const int last_b = takes_b(kind) ? kMaxHand : 0;
    const std::uint32_t masks = takes_mask(kind) ? std::uint32_t{1} << width : 1;
    for (int a = 0; a <= last_a; ++a) {
        for (int b = 0; b <= last_b; ++b) {
            for (std::uint32_t mask = 0; mask < masks; ++mask) {
                visit(Action{kind, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, mask});
            }
        }
    }
}

Broken check_accepted(const State& state, const Action& action, const std::vector<Action>& legal) {
    const Action plain = canonical(action);
    if (std::find(legal.begin(), legal.end(), plain) == legal.end()) {
        return {"legal actions", "an accepted action is not listed: " + action_text(action)};
    }
    State one = state;
    State other = state;
    if (apply(one, action) != apply(other, plain) || !same(one, other)) {
        return {"legal actions", "a part that should not be read changes the action: " + action_text(action)};
    }
    return {};
}

bool same_preview(const Preview& a, const Preview& b) {
    return a.exact == b.exact && a.blocked == b.blocked && a.worst == b.worst && a.mean == b.mean &&
           a.best == b.best && a.money == b.money && a.hand.type == b.hand.type &&
           a.hand.scoring == b.hand.scoring;
}

}  // namespace

bool same(const State& a, const State& b) {
    // States have no padding: equal runs are equal bytes.
    return std::memcmp(reinterpret_cast<const unsigned char*>(&a), reinterpret_cast<const unsigned char*>(&b),
                       sizeof a) == 0;
}

std::string action_text(const Action& action) {
    return std::to_string(static_cast<int>(action.kind)) + "," + std::to_string(action.a) + "," +
           std::to_string(action.b) + "," + std::to_string(action.mask);
}

Broken check_samples(const State& state, const std::vector<Action>& legal, Random& random, Report& report,
                     Action& culprit) {
    std::vector<Action> of_kind[kActionKinds];
    for (const Action& action : legal) {
        of_kind[static_cast<std::size_t>(action.kind)].push_back(action);
    }
    for (const std::vector<Action>& actions : of_kind) {
        if (actions.empty()) {
            continue;
        }
        culprit = pick(actions, random);
        State copy = state;
        ++report.applied;
        if (apply(copy, culprit) != Refusal::none) {
            return {"legal actions", "a listed action is refused: " + action_text(culprit)};
        }
        std::string broken = broken_invariant(copy);
        broken = broken.empty() ? broken_step(state, culprit, copy) : broken;
        if (!broken.empty()) {
            return {broken.substr(0, broken.find(':')), broken};
        }
    }
    return {};
}

Broken check_any_actions(const State& state, const std::vector<Action>& legal, Random& random,
                         Report& report) {
    for (int i = 0; i < kAnyActions; ++i) {
        const Action action = any_action(state, legal, random);
        const Refusal refusal = check_action(state, action);
        if (refusal == Refusal::none) {
            if (Broken broken = check_accepted(state, action, legal)) {
                return broken;
            }
            continue;
        }
        State copy = state;
        ++report.refused;
        if (apply(copy, action) != refusal || !same(copy, state)) {
            return {"refusal", "a refused action changed the state: " + action_text(action)};
        }
        if (refusal_text(refusal).empty()) {
            return {"refusal", "a refusal has no text"};
        }
    }
    return {};
}

Broken check_all_actions(const State& state, const std::vector<Action>& legal) {
    std::vector<std::uint64_t> listed;
    listed.reserve(legal.size());
    for (const Action& action : legal) {
        listed.push_back(packed(action));
    }
    std::sort(listed.begin(), listed.end());
    if (std::adjacent_find(listed.begin(), listed.end()) != listed.end()) {
        return {"legal actions", "an action is listed twice"};
    }
    Broken broken;
    std::size_t accepted = 0;
    for (int kind = 0; kind < kActionKinds; ++kind) {
        each_action_of(static_cast<ActionKind>(kind), std::min(kWidestSelection, state.hand_count + 1),
                       [&](const Action& action) {
                           if (check_action(state, action) != Refusal::none) {
                               return;
                           }
                           ++accepted;
                           if (!std::binary_search(listed.begin(), listed.end(), packed(action))) {
                               broken = {"legal actions",
                                         "an accepted action is not listed: " + action_text(action)};
                           }
                       });
    }
    if (!broken && state.hand_count < kWidestSelection && accepted != listed.size()) {
        broken = {"legal actions",
                  std::to_string(listed.size()) + " listed, " + std::to_string(accepted) + " accepted"};
    }
    return broken;
}

Broken check_previews(const State& state, const std::vector<Action>& legal, Random& random, Report& report) {
    for (int i = 0; i < kPreviews && state.phase == Phase::playing; ++i) {
        const Action& action = pick(legal, random);
        if (action.kind != ActionKind::play_hand) {
            continue;
        }
        const State copy = state;
        const Preview preview = preview_play(state, action.mask);
        ++report.previews;
        if (!same(copy, state)) {
            return {"preview", "a preview changed the state"};
        }
        if (std::isnan(preview.worst) || std::isnan(preview.mean) || std::isnan(preview.best)) {
            return {"preview", "a preview is not a number: " + action_text(action)};
        }
        if (preview.worst > preview.best || (preview.exact && preview.worst != preview.best)) {
            return {"preview", "worst and best do not fit: " + action_text(action)};
        }
    }
    return {};
}

Broken check_all_previews(const State& state, const std::vector<Action>& legal) {
    if (state.phase != Phase::playing || state.hand_count > kWidestSelection) {
        return {};
    }
    std::vector<PlayPreview> all(static_cast<std::size_t>(count_plays(state.hand_count)));
    all.resize(static_cast<std::size_t>(preview_all(state, all.data())));
    const auto is_play = [](const Action& action) { return action.kind == ActionKind::play_hand; };
    if (std::cmp_not_equal(all.size(), std::count_if(legal.begin(), legal.end(), is_play))) {
        return {"preview of all plays", std::to_string(all.size()) + " previews are not one per legal play"};
    }
    for (const PlayPreview& seen : all) {
        const Action action{ActionKind::play_hand, 0, 0, 0, seen.mask};
        const Preview preview = preview_play(state, seen.mask);
        if (check_action(state, action) != Refusal::none || seen.score != preview.worst ||
            seen.type != preview.hand.type || seen.blocked != preview.blocked ||
            seen.exact != preview.exact) {
            return {"preview of all plays", "is not the preview of the play: " + action_text(action)};
        }
    }
    return {};
}

Broken check_play(const State& before, const Preview& preview, const State& after, Report& report) {
    // The sums are compared, not the differences: adding to a large score loses low digits.
    const double worst = before.round.score + preview.worst;
    const double best = before.round.score + preview.best;
    const std::string scored = ", scored " + std::to_string(after.round.score - before.round.score);
    if (preview.exact) {
        ++report.exact_plays;
        if (after.round.score != worst) {
            return {"preview", "previewed " + std::to_string(preview.worst) + scored};
        }
        // The end of a round changes money as well.
        const int earned = after.money - before.money;
        if (after.phase == Phase::playing && earned != preview.money) {
            return {"preview",
                    "previewed $" + std::to_string(preview.money) + ", earned $" + std::to_string(earned)};
        }
        return {};
    }
    if (blind_interferes(before, true) || hides_something(before)) {
        return {};  // previews know neither The Hook's discards nor face-down cards
    }
    ++report.chance_plays;
    if (after.round.score < worst || after.round.score > best) {
        return {"preview", "previewed " + std::to_string(preview.worst) + " to " +
                               std::to_string(preview.best) + scored};
    }
    return {};
}

Broken check_snapshot(const State& state, Random& random) {
    unsigned char bytes[kSnapshotSize];
    unsigned char again[kSnapshotSize];
    write_snapshot(state, bytes);
    State read;
    std::memset(static_cast<void*>(&read), 0x5a, sizeof read);
    if (read_snapshot(read, bytes, kSnapshotSize) != SnapshotError::none || !same(read, state)) {
        return {"snapshot", "a snapshot does not give the state back"};
    }
    write_snapshot(read, again);
    if (std::memcmp(bytes, again, kSnapshotSize) != 0) {
        return {"snapshot", "a snapshot of the restored state is another one"};
    }
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(kSnapshotSize)));
    bytes[at] = static_cast<unsigned char>(bytes[at] ^ (1 + random.below(255)));
    if (read_snapshot(read, bytes, kSnapshotSize) == SnapshotError::none || !same(read, state)) {
        return {"snapshot", "a damaged snapshot is read"};
    }
    return {};
}

Broken check_resampled(const State& state, const std::vector<Action>& legal, Random& random, Report& report) {
    State copy = state;
    resample_hidden(copy, random.next());
    ++report.resampled;
    if (const std::string broken = broken_invariant(copy); !broken.empty()) {
        return {"resampled copy", "of a valid state is not valid: " + broken};
    }
    if (public_digest(copy) != public_digest(state)) {
        return {"resampled copy", "a player can see a difference", true};
    }
    if (legal_list(copy) != legal) {
        return {"resampled copy", "other actions are legal", true};
    }
    for (int i = 0; i < kPreviews && state.phase == Phase::playing; ++i) {
        const Action& action = pick(legal, random);
        if (action.kind == ActionKind::play_hand &&
            !same_preview(preview_play(state, action.mask), preview_play(copy, action.mask))) {
            return {"resampled preview", "knows what a player cannot: " + action_text(action), true};
        }
    }
    const Action& action = pick(legal, random);
    State original = state;
    if (apply(copy, action) != Refusal::none || apply(original, action) != Refusal::none) {
        return {"resampled copy", "a listed action is refused"};
    }
    if (const std::string broken = broken_invariant(copy); !broken.empty()) {
        return {"resampled copy", "after " + action_text(action) + ": " + broken};
    }
    report.resampled_apart += public_digest(copy) != public_digest(original) ? 1u : 0u;
    return {};
}

}  // namespace jimbot::fuzz
