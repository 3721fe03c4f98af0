// The run for Python: actions, clones, resampled copies, snapshots, previews.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/convert.hpp"
#include "bindings/game_state.hpp"
#include "core/snapshot.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/run.hpp"
#include "rules/scoring.hpp"
#include "view/hidden.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

Action action_of(int kind, int a, int b, std::uint32_t mask) {
    if (kind < 0 || kind >= static_cast<int>(ActionKind::count) || a < 0 || a > 255 || b < 0 || b > 255) {
        throw nb::value_error("an action has a kind of ActionKind and positions from 0 to 255");
    }
    return {static_cast<ActionKind>(kind), static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0,
            mask};
}

int challenge_from_key(const std::string& key) {
    if (key.empty()) {
        return 0;
    }
    std::string message = "unknown challenge '" + key + "'; expected one of ";
    for (std::size_t id = 1; id < kChallenges.size(); ++id) {
        if (kChallenges[id].key == key) {
            return static_cast<int>(id);
        }
        message.append(id > 1 ? ", " : "").append(kChallenges[id].key);
    }
    throw nb::value_error(message.c_str());
}

void start(GameState* self, const std::string& seed, const std::string& deck, int stake,
           const std::string& challenge, bool fresh_profile, bool endless) {
    const std::string checked = checked_seed(seed);
    RunOptions options;
    options.seed = checked;
    options.deck = deck_from_key(deck);
    if (!kDecks[options.deck].selectable) {
        throw nb::value_error("b_challenge is the deck of challenges and cannot be chosen");
    }
    options.stake = checked_stake(stake);
    options.challenge = challenge_from_key(challenge);
    options.profile = fresh_profile ? Profile::fresh : Profile::everything_unlocked;
    options.endless = endless;
    new (self) GameState();
    start_run(self->state, options);
}

// The action and its record are one call, which holds the GIL throughout: threads that share a game may take
// actions in any order, but it is the recorded order. The tuple is made before, because making it may let
// another thread run.
int apply_recorded(GameState& game, int kind, int a, int b, std::uint32_t mask,
                   std::optional<nb::list> record) {
    const Action action = action_of(kind, a, b, mask);
    const nb::tuple entry = nb::make_tuple(kind, a, b, mask);
    const Refusal refusal = apply(game.state, action);
    if (refusal == Refusal::none && record) {
        record->append(entry);
    }
    return static_cast<int>(refusal);
}

nb::list legal_actions(const GameState& game) {
    nb::list result;
    each_legal_action(game.state, [&](const Action& action) {
        result.append(nb::make_tuple(static_cast<int>(action.kind), action.a, action.b, action.mask));
    });
    return result;
}

nb::bytes snapshot(const GameState& game) {
    std::vector<unsigned char> bytes(kSnapshotSize);
    write_snapshot(game.state, bytes.data());
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

GameState restore(const nb::bytes& bytes) {
    GameState game;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.c_str());
    switch (read_snapshot(game.state, data, bytes.size())) {
    case SnapshotError::none:
        return game;
    case SnapshotError::wrong_size:
        throw nb::value_error("not a whole snapshot: the bytes are too few or too many");
    case SnapshotError::not_a_snapshot:
        throw nb::value_error("not a snapshot of a run: the bytes do not start like one");
    case SnapshotError::other_version:
        throw nb::value_error(
            "a snapshot of another version of the engine; replay the run from its actions instead");
    case SnapshotError::damaged:
        throw nb::value_error("the snapshot is damaged: its checksum does not fit");
    case SnapshotError::impossible:
        std::memcpy(static_cast<void*>(&game.state), data + sizeof(SnapshotHeader), sizeof(State));
        throw nb::value_error(
            ("the snapshot holds a run that cannot exist: " + std::string(impossible_part(game.state)))
                .c_str());
    }
    throw nb::value_error("unreadable snapshot");
}

nb::list positions(unsigned mask) {
    nb::list result;
    for (int i = 0; i < 32; ++i) {
        if (((mask >> i) & 1) != 0) {
            result.append(i);
        }
    }
    return result;
}

void require_play(const State& state, std::uint32_t mask) {
    const Refusal refusal = check_action(state, Action{ActionKind::play_hand, 0, 0, 0, mask});
    if (refusal != Refusal::none) {
        throw nb::value_error(std::string(refusal_text(refusal)).c_str());
    }
}

nb::dict preview(const GameState& game, std::uint32_t mask) {
    require_play(game.state, mask);
    const Preview seen = preview_play(game.state, mask);
    nb::dict result;
    result["hand"] = text(kPokerHands[seen.hand.type].name);
    result["scoring_indices"] = positions(seen.hand.scoring);
    result["blocked"] = seen.blocked;
    result["exact"] = seen.exact;
    result["chips"] = seen.chips;
    result["mult"] = seen.mult;
    result["score"] = seen.worst;
    result["expected"] = seen.mean;
    result["best"] = seen.best;
    result["money"] = seen.money;
    return result;
}

// Every legal play as (mask, hand, score, exact, blocked).
nb::list preview_every_play(const GameState& game) {
    nb::list result;
    if (game.state.phase != Phase::playing) {
        return result;
    }
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(game.state.hand_count)));
    const int count = preview_all(game.state, plays.data());
    for (int i = 0; i < count; ++i) {
        const PlayPreview& play = plays[static_cast<std::size_t>(i)];
        result.append(nb::make_tuple(play.mask, text(kPokerHands[play.type].name), play.score, play.exact,
                                     play.blocked));
    }
    return result;
}

Outcomes outcomes_of(const std::string& name) {
    constexpr std::pair<std::string_view, Outcomes> kOutcomes[] = {
        {"worst", Outcomes::worst}, {"best", Outcomes::best}, {"streams", Outcomes::streams}};
    for (const auto& [known, outcomes] : kOutcomes) {
        if (known == name) {
            return outcomes;
        }
    }
    throw nb::value_error(("unknown outcomes '" + name + "'; expected worst, best or streams").c_str());
}

// Scores a play on a copy and returns every step. `outcomes` says how chances turn out: all of them badly
// ("worst"), all of them well ("best"), or as the seed has it ("streams").
nb::dict score_play(const GameState& game, std::uint32_t mask, const std::string& outcomes) {
    require_play(game.state, mask);
    State copy = game.state;
    std::vector<ScoreStep> trace;
    Scoring scoring{copy, outcomes_of(outcomes), &trace};
    score_on_copy(scoring, mask);
    // Shattered cards are announced, as play would; nothing is taken off the copy.
    Card gone[kMaxPlayed];
    int gone_count = 0;
    for (int i = 0; i < scoring.played_count; ++i) {
        if (((scoring.destroyed >> i) & 1) != 0) {
            gone[gone_count++] = scoring.card(i);
        }
    }
    announce_destroyed(copy, gone, gone_count, DestroyedBy::scoring);
    constexpr std::string_view kWho[] = {"base",       "played_card", "held_card", "joker",
                                         "consumable", "deck",        "blind"};
    nb::list steps;
    for (const ScoreStep& step : trace) {
        nb::dict entry;
        entry["who"] = text(kWho[static_cast<std::size_t>(step.who)]);
        entry["index"] = step.index;
        entry["what"] = step.what;
        entry["amount"] = step.amount;
        entry["chips"] = step.chips;
        entry["mult"] = step.mult;
        steps.append(entry);
    }
    nb::dict result;
    result["hand"] = text(kPokerHands[scoring.hand.type].name);
    result["scoring_indices"] = positions(scoring.hand.scoring);
    result["chips"] = scoring.chips;
    result["mult"] = scoring.mult;
    result["score"] = scoring.score;
    result["blocked"] = scoring.blocked;
    result["money_before"] = scoring.money_before;
    result["money_delta"] = copy.money - scoring.money_before;  // what The Ox takes is not counted
    result["steps"] = steps;
    result["destroyed"] = positions(scoring.destroyed);
    result["doomed_jokers"] = positions(scoring.moment.doomed);
    result["after"] = describe_state(copy, false);
    nb::list played;  // the cards as they are after the hand, destroyed ones included
    for (int i = 0; i < scoring.played_count; ++i) {
        Item item{};
        item.kind = ItemKind::playing_card;
        item.card = scoring.card(i);
        nb::dict card;
        card["card"] = item_text(item);
        card["bonus"] = item.card.bonus;
        card["debuffed"] = (item.card.flags & card_debuffed) != 0;
        played.append(card);
    }
    result["played_after"] = played;
    return result;
}

}  // namespace

}  // namespace jimbot::bindings

void bind_game(nb::module_& m);

void bind_game(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    nb::class_<GameState>(m, "GameState", "One run of the game.")
        .def("__init__", &start, nb::arg("seed"), nb::arg("deck"), nb::arg("stake"), nb::arg("challenge"),
             nb::arg("fresh_profile"), nb::arg("endless"))
        .def(
            "clone", [](const GameState& game) { return game; }, "A copy that shares nothing.")
        .def(
            "resample_hidden", [](GameState& game, std::uint64_t seed) { resample_hidden(game.state, seed); },
            nb::arg("seed"), "Draws everything a player cannot know anew, in place.")
        .def(
            "use_fast_streams",
            [](GameState& game, std::uint64_t start) { use_fast_streams(game.state.streams, start); },
            nb::arg("start"), "Leaves the seed's streams: later draws come from a fast generator.")
        .def(
            "hash", [](const GameState& game) { return state_hash(game.state); },
            "A 64-bit hash of the whole run.")
        .def("snapshot", &snapshot, "The run as versioned, checksummed bytes.")
        .def_static("restore", &restore, nb::arg("bytes"),
                    "A run from a snapshot; ValueError if it is not one.")
        .def(
            "check",
            [](const GameState& game, int kind, int a, int b, std::uint32_t mask) {
                return static_cast<int>(check_action(game.state, action_of(kind, a, b, mask)));
            },
            nb::arg("kind"), nb::arg("a"), nb::arg("b"), nb::arg("mask"), "0, or why the action is refused.")
        .def(
            "apply",
            [](GameState& game, int kind, int a, int b, std::uint32_t mask) {
                return static_cast<int>(apply(game.state, action_of(kind, a, b, mask)));
            },
            nb::arg("kind"), nb::arg("a"), nb::arg("b"), nb::arg("mask"),
            "Takes the action; 0, or why it is refused (then nothing changed).")
        .def("apply_recorded", &apply_recorded, nb::arg("kind"), nb::arg("a"), nb::arg("b"), nb::arg("mask"),
             nb::arg("record").none(), "The same; an action that is taken is appended to the record.")
        .def("legal_actions", &legal_actions, "All legal actions as (kind, a, b, mask).")
        .def(
            "describe", [](const GameState& game) { return describe_state(game.state, false); },
            "The complete run as plain values.")
        .def(
            "public_view", [](const GameState& game) { return describe_state(game.state, true); },
            "What a player may know, as plain values.")
        .def("preview", &preview, nb::arg("mask"), "What playing these hand positions would score.")
        .def("preview_all", &preview_every_play, "Every legal play as (mask, hand, score, exact, blocked).")
        .def("score_play", &score_play, nb::arg("mask"), nb::arg("outcomes"),
             "Scores a play on a copy, step by step.")
        .def(
            "edit", [](GameState& game, const nb::dict& changes) { edit_state(game.state, changes); },
            nb::arg("changes"), "Changes parts of the run by hand.")
        .def_prop_ro("phase", [](const GameState& game) { return static_cast<int>(game.state.phase); })
        .def_prop_ro("ante", [](const GameState& game) { return game.state.ante; })
        .def_prop_ro("round", [](const GameState& game) { return game.state.rounds; })
        .def_prop_ro("money", [](const GameState& game) { return game.state.money; })
        .def_prop_ro("won", [](const GameState& game) { return game.state.won != 0; });
    m.def(
        "refusal_text",
        [](int refusal) {
            if (refusal < 0 || refusal >= static_cast<int>(Refusal::count)) {
                throw nb::value_error("not a refusal");
            }
            return std::string(refusal_text(static_cast<Refusal>(refusal)));
        },
        nb::arg("refusal"), "One line for a refusal code.");
    m.attr("state_size") = sizeof(State);
    m.attr("snapshot_size") = kSnapshotSize;
}
