"""Demonstrations by the engine: the labels, episodes and digests of one game at a time, for many games at once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from jimbot import _engine
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.players.scripted_player import ScriptedPlayer, default_weights, weight_table
from jimbot.training.behavioral_cloning import CloningError, TrajectoryCollector
from jimbot.training.cloning.data import Demonstrations, EngineObservations
from jimbot.training.cloning.trajectories import NOT_A_LABEL, replay
from jimbot.training.cloning.vector_collector import rebuild_rows
from jimbot.training.cloning.vector_episodes import create_store, play_episodes
from jimbot.training.cloning.vector_experts import Labels, ScriptedExpert
from jimbot.training.env_wrapper import CurriculumWrapper, wrap_balatro_env

MODES = {
    "slots": {},
    "candidates": {"actions": "candidates", "fast": True},
    # Few candidates, large and hidden hands, all stickers: choices that no candidate and few indices do.
    "odd slots": {"decks": ("b_painted", "b_plasma"), "stakes": (1, 8), "max_ante": 4},
    "odd candidates": {
        "actions": "candidates",
        "candidates": 16,
        "decks": ("b_painted", "b_plasma"),
        "stakes": (1, 8),
        "max_ante": 4,
    },
}
COMPARED = (
    "seed",
    "kind_names",
    "numbers",
    "replaced",
    "substituted",
    "unexpressed",
    "truncated",
    "digest",
)
ARRAYS = ("actions", "labels", "rewards", "kinds")


class OneAtATime:
    """The scripted player without anything by which the engine could know it."""

    def __init__(self) -> None:
        self.player = ScriptedPlayer()

    def choose(self, game):
        return self.player.choose(game)


def differences(first, second):
    """Where two lists of trajectories differ."""
    found = []
    for one, other in zip(first, second, strict=True):
        found += [name for name in COMPARED if getattr(one, name) != getattr(other, name)]
        found += [name for name in ARRAYS if not np.array_equal(getattr(one, name), getattr(other, name))]
    return found


def first_legal(observation):
    """A learner that is no expert."""
    return int(np.argmax(observation["action_mask"]))


def contrary(observation):
    """A learner that does much: the last legal action, now and then another."""
    legal = np.flatnonzero(observation["action_mask"])
    return int(legal[int(observation["globals"].sum() * 1000) % len(legal)])


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("threads", [1, 3])
def test_the_engine_collects_what_is_collected_one_game_at_a_time(mode, threads):
    options = MODES[mode]
    many = TrajectoryCollector("scripted", BalatroEnv(**options), seed=11, threads=threads).collect(4)
    single = TrajectoryCollector(OneAtATime(), BalatroEnv(**options), seed=11).collect(4)
    assert differences(many, single) == []
    assert sum(map(len, many)) > 300
    assert all(each.rows is not None for each in many)
    assert all(each.rows is None for each in single)


@pytest.mark.parametrize("mode", list(MODES))
def test_a_learners_states_get_the_same_labels(mode):
    options = {**MODES[mode], "max_steps": 150}
    many = TrajectoryCollector("scripted", BalatroEnv(**options), seed=5).relabel(contrary, 5)
    single = TrajectoryCollector(OneAtATime(), BalatroEnv(**options), seed=5).relabel(contrary, 5)
    assert differences(many, single) == []
    assert any((each.actions != each.labels).any() for each in many)


def test_a_policy_of_batches_plays_what_the_single_one_plays():
    def batch(observation):
        return np.argmax(observation["action_mask"], axis=1)

    env = BalatroEnv(**MODES["candidates"], max_steps=40)
    many = TrajectoryCollector("scripted", env, seed=2).relabel(first_legal, 3, batch_policy=batch)
    single = TrajectoryCollector("scripted", env, seed=2).relabel(first_legal, 3)
    assert differences(many, single) == []


def test_choices_that_need_several_indices_go_on_step_by_step():
    """With slots, cards beyond the window and targets are chosen over several steps."""
    options = {"decks": ("b_painted",), "max_ante": 3}
    shown = TrajectoryCollector("scripted", BalatroEnv(**options), seed=1).collect(3)
    names = shown[0].kind_names
    done = {names[kind] for each in shown for kind in each.kinds}
    assert {"bring to the front hand card", "target hand cards", "play hand cards"} <= done
    assert sum(each.substituted + each.replaced for each in shown) == 0


def test_labels_do_not_depend_on_threads_or_neighbors():
    options = MODES["candidates"]
    weights = ScriptedPlayer().weights

    def labels(games, threads):
        vector = BalatroVectorEnv(games, threads=threads, **options)
        vector.reset(seed=list(range(games)))
        expert, found = _engine.ExpertLabels(vector.runs, weights), []
        actions, kinds = np.zeros(games, np.int32), np.zeros(games, np.uint8)
        for _ in range(60):
            expert.label(np.ones(games, np.uint8), True, actions, kinds)
            found.append((actions[:4].tolist(), kinds[:4].tolist()))
            vector.step(actions)
        vector.close()
        return found

    assert labels(4, 1) == labels(4, 2) == labels(9, 3)


def test_only_wanted_games_are_labeled():
    vector = BalatroVectorEnv(3, **MODES["candidates"])
    vector.reset(seed=1)
    actions, kinds = np.full(3, -7, np.int32), np.full(3, 77, np.uint8)
    wanted = np.array([1, 0, 1], np.uint8)
    _engine.ExpertLabels(vector.runs, ScriptedPlayer().weights).label(wanted, False, actions, kinds)
    assert (actions[[0, 2]] >= 0).all()
    assert (actions[1], kinds[1]) == (-7, 77)


def test_weights_reach_the_engine():
    env = BalatroEnv(**MODES["candidates"], max_ante=2)
    lowest = {weight.name: weight.low for weight in weight_table()}
    plain = TrajectoryCollector("scripted", env, seed=3).collect(3)
    same = TrajectoryCollector(ScriptedPlayer(default_weights()), env, seed=3).collect(3)
    other = TrajectoryCollector(ScriptedPlayer(lowest), env, seed=3).collect(3)
    assert differences(plain, same) == []
    assert differences(plain, other) != []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda env: _engine.ExpertLabels(env, [1.0]), "one value per weight"),
        (lambda env: _engine.restart(env, [0], []), "one start per game"),
        (lambda env: _engine.restart(env, [2], [1]), "no such game"),
        (lambda _: _engine.PackedRecords(6), "words of four bytes"),
        (lambda env: _engine.PackedRecords(8).append(env, np.ones(2, np.uint8)), "another size"),
        (lambda env: _engine.digest_records(env, np.ones(1, np.uint8), np.ones(2, np.uint32)), "one entry"),
        (
            lambda _: _engine.PackedRecords(8).unpack(np.zeros(1, np.int64), np.zeros((1, 8), np.uint8)),
            "no such row",
        ),
        (
            lambda _: _engine.PackedRecords(8).unpack(np.zeros(1, np.int64), np.zeros((1, 9), np.uint8)),
            "one record per row",
        ),
    ],
)
def test_what_does_not_fit_is_refused(wrong, message):
    vector = BalatroVectorEnv(2)
    with pytest.raises((ValueError, IndexError), match=message):
        wrong(vector.runs)


def test_restarted_games_play_the_episode_of_their_seed_and_leave_the_others():
    options = MODES["candidates"]
    vector = BalatroVectorEnv(3, **options)
    vector.reset(seed=[1, 2, 3])
    for _ in range(5):
        vector.step(np.zeros(3, np.int64))
    before = {name: array.copy() for name, array in vector.observations().items()}
    vector.restart([1], [77])
    after, single = vector.observations(), BalatroEnv(**options).reset(seed=77)[0]
    for name, array in after.items():
        assert np.array_equal(array[1], single[name])
        assert np.array_equal(array[[0, 2]], before[name][[0, 2]])


# --- observations in little memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["slots", "candidates"])
def test_kept_observations_are_those_of_the_episode(mode):
    trajectory = TrajectoryCollector("scripted", BalatroEnv(**MODES[mode], max_ante=2), seed=9).collect(1)[0]
    seen = [{name: array.copy() for name, array in observation.items()} for observation in replay(trajectory)]
    data = Demonstrations.of([trajectory])
    assert isinstance(data.seen, EngineObservations)
    rows = np.random.default_rng(0).permutation(len(data))
    kept = data.observations(rows)
    for name, array in kept.items():
        assert np.array_equal(array, np.stack([seen[row][name] for row in rows]))


def test_a_tenth_of_the_memory_is_needed():
    shown = TrajectoryCollector("scripted", BalatroEnv(**MODES["candidates"]), seed=9).collect(8)
    rows = shown[0].rows
    assert rows is not None
    store = rows.store
    assert store.rows == sum(map(len, shown))
    assert store.nbytes < 0.2 * store.rows * store.record_size


def test_observations_of_loaded_episodes_are_rebuilt_and_mixed_with_kept_ones():
    env = BalatroEnv(**MODES["candidates"], max_ante=2)
    shown = TrajectoryCollector("scripted", env, seed=4).collect(4)
    bare = [dataclasses.replace(each, rows=None) for each in shown]
    kept, rebuilt = Demonstrations.of(shown), Demonstrations.of(bare)
    mixed = Demonstrations.of([shown[0], bare[1], shown[2], bare[3]])
    rows = np.random.default_rng(1).integers(len(kept), size=50)
    wanted = {name: array.copy() for name, array in kept.observations(rows).items()}
    for other in (rebuilt, mixed):
        found = other.observations(rows)
        assert all(np.array_equal(found[name], array) for name, array in wanted.items())


@pytest.mark.parametrize("damage", ["digest", "shorter", "longer"])
def test_an_episode_that_goes_another_way_is_refused(damage):
    options = {**MODES["candidates"], "max_ante": 1}
    good = TrajectoryCollector("scripted", BalatroEnv(**options), seed=4).collect(1)[0]
    changed = {
        "digest": {"digest": good.digest ^ 1},
        "shorter": {"actions": good.actions[:-1]},
        "longer": {"actions": np.append(good.actions, 0)},
    }[damage]
    with pytest.raises(CloningError, match="went another way"):
        rebuild_rows([dataclasses.replace(good, rows=None, **changed)], options)
    assert len(rebuild_rows([good], options)) == 1


# --- who is asked how ------------------------------------------------------------------------------------------------


class FirstWithProbabilities:
    """An expert of whole vectors that knows more than its choice."""

    def __init__(self) -> None:
        self.asked = 0

    def label(self, vector, wanted, *, follow):
        self.asked += 1
        mask = vector.observations()["action_mask"].astype(np.float32)
        actions = mask.argmax(1).astype(np.int32)
        return Labels(actions, np.zeros(len(mask), np.uint8), mask / mask.sum(1, keepdims=True))


def test_an_expert_of_vectors_is_asked_for_whole_vectors():
    expert = FirstWithProbabilities()
    env = BalatroEnv(**MODES["candidates"], max_steps=30)
    shown = TrajectoryCollector(expert, env, seed=1).collect(6)
    assert all((each.labels == each.actions).all() for each in shown)
    assert expert.asked == max(map(len, shown)) < sum(map(len, shown))
    with pytest.raises(CloningError, match="labels whole vectors"):
        TrajectoryCollector(expert, BalatroEnv(checked=False))


def test_the_single_environment_is_used_where_the_engine_cannot_play_it():
    plain = BalatroEnv(**MODES["candidates"], max_ante=1)
    curriculum = CurriculumWrapper(BalatroEnv(**MODES["candidates"]), initial_max_ante=1)
    tolerant = BalatroEnv(checked=False, max_ante=1, **MODES["candidates"])
    assert TrajectoryCollector("scripted", plain).collect(1)[0].rows is not None
    assert TrajectoryCollector("scripted", wrap_balatro_env(plain)).collect(1)[0].rows is not None
    for env in (curriculum, tolerant):
        assert TrajectoryCollector("scripted", env).collect(1)[0].rows is None
    assert TrajectoryCollector("greedy", plain).collect(1)[0].rows is None


def test_a_changed_environment_gives_episodes_of_its_own():
    env = BalatroEnv(**MODES["candidates"], max_ante=1)
    collector = TrajectoryCollector("scripted", env, seed=8)
    first = collector.collect(3)
    env.set_max_ante(2)
    second = collector.collect(3)
    assert max(each.numbers["ante"] for each in first) <= 2
    assert max(each.numbers["blinds"] for each in first) <= 3
    assert max(each.numbers["blinds"] for each in second) > 3


def test_illegal_choices_are_replaced_counted_and_not_learned():
    class Wrong:
        def label(self, vector, wanted, *, follow):
            count = vector.num_envs
            return Labels(np.full(count, NOT_A_LABEL, np.int32), np.full(count, 3, np.uint8))

    env = BalatroEnv(**MODES["candidates"], max_steps=25)
    shown = TrajectoryCollector(Wrong(), env, seed=1).collect(2)
    again = TrajectoryCollector(Wrong(), env, seed=1).collect(2)
    assert all(each.replaced == len(each) and (each.labels == NOT_A_LABEL).all() for each in shown)
    assert differences(shown, again) == []
    with pytest.raises(CloningError, match="step 1 of seed"):
        TrajectoryCollector(Wrong(), env, seed=1, illegal="raise").collect(1)


def test_many_episodes_on_few_games_are_those_of_their_seeds(monkeypatch):
    from jimbot.training.cloning import vector_episodes

    options = {**MODES["candidates"], "max_ante": 1}

    def chosen(turn):
        expert_labels = expert.label(turn.vector, turn.wanted, follow=True)
        return {"actions": expert_labels.actions[turn.games].astype(np.int64)}

    found = []
    for games in (2, 7):
        monkeypatch.setattr(vector_episodes, "SIDE_BY_SIDE", games)
        expert, told = ScriptedExpert(ScriptedPlayer()), []
        played = play_episodes(
            options,
            range(50, 57),
            chosen,
            store=create_store(64),
            progress=lambda done, of, told=told: told.append((done, of)),
        )
        assert told[-1] == (7, 7)
        found.append([(each.digest, each.columns["actions"].tolist(), each.numbers) for each in played])
    assert found[0] == found[1]
