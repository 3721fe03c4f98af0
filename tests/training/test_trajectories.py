"""Demonstrations: collected, labeled in both ways to act, stored, damaged, filtered, played again."""

# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import numpy as np
import pytest
from tests.training.tiny_envs import Drifting, Identity, Ladder, MaskedBandit

from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.game import Game
from jimbot.errors import JimbotError
from jimbot.training.behavioral_cloning import (
    CloningError,
    ExpertEvaluator,
    TrajectoryCollector,
    filter_trajectories,
    load_trajectories,
    save_trajectories,
)
from jimbot.training.cloning.action_labels import express_as_slots, slot_index
from jimbot.training.cloning.experts import create_teacher
from jimbot.training.cloning.trajectories import NOT_A_LABEL, replay
from jimbot.training.env_wrapper import wrap_balatro_env
from jimbot.training.utils import create_balatro_env

MODES = {"slots": {}, "candidates": {"actions": "candidates"}}


@pytest.fixture(scope="module", params=list(MODES))
def shown(request):
    """A few short episodes of the scripted player, in either way to act."""
    env = create_balatro_env(max_ante=2, **MODES[request.param])
    return TrajectoryCollector("scripted", env, seed=3).collect(4)


def best_of_bandit(observation):
    return int(np.flatnonzero(observation["action_mask"]).max())


# --- collecting ------------------------------------------------------------------------------------------------------


def test_the_scripted_player_can_be_expressed_in_both_ways_to_act(shown):
    assert sum(each.unexpressed + each.replaced for each in shown) == 0
    for each in shown:
        assert (each.labels == each.actions).all()
        assert each.numbers["blinds"] >= 3  # random play clears about one


def test_with_slots_nothing_is_substituted():
    env = create_balatro_env(max_ante=2)
    shown = TrajectoryCollector("scripted", env, seed=3).collect(4)
    assert sum(each.substituted for each in shown) == 0


def test_with_slots_the_environment_plays_what_the_player_plays():
    env = create_balatro_env(max_ante=1)
    trajectory = TrajectoryCollector("scripted", env, seed=5).collect(1)[0]
    game = create_balatro_env(max_ante=1)
    game.reset(seed=trajectory.seed)
    own, player = game.game(), create_teacher("scripted", game).player
    while not own.over and own.ante < 2:
        own.step(player.choose(own))
    assert trajectory.numbers["ante"] >= 1
    assert trajectory.won == (own.ante >= 2)


def test_the_same_seed_gives_the_same_demonstrations():
    def collect(seed):
        return TrajectoryCollector("scripted", create_balatro_env(max_ante=1), seed=seed).collect(2)

    first, second, other = collect(1), collect(1), collect(2)
    assert [each.actions.tolist() for each in first] == [each.actions.tolist() for each in second]
    assert [each.seed for each in first] != [each.seed for each in other]


def test_a_second_collection_goes_on_with_other_episodes():
    collector = TrajectoryCollector("random", create_balatro_env())
    assert collector.collect(1)[0].seed != collector.collect(1)[0].seed


def test_an_illegal_choice_is_replaced_counted_and_not_learned():
    env = MaskedBandit()
    shown = TrajectoryCollector(lambda _: 0, env, seed=1).collect(40)
    replaced = [each for each in shown if each.replaced]
    legal = [each for each in shown if not each.replaced]
    assert replaced
    assert legal
    assert all(each.labels[0] == NOT_A_LABEL != each.actions[0] for each in replaced)
    assert all(each.labels[0] == each.actions[0] == 0 for each in legal)
    assert ExpertEvaluator.evaluate(shown)["illegal_share"] == len(replaced) / 40


def test_an_illegal_choice_raises_if_asked():
    collector = TrajectoryCollector(lambda _: 7, create_balatro_env(), illegal="raise")
    with pytest.raises(CloningError, match=r"chose 7 at step 1 of seed \d+, which is not legal"):
        collector.collect(1)


def test_an_environment_that_takes_illegal_actions_gets_them():
    env = create_balatro_env(checked=False, max_steps=20)
    trajectory = TrajectoryCollector(lambda _: 7, env).collect(1)[0]
    assert trajectory.actions.tolist() == trajectory.labels.tolist() == [7] * 20
    assert trajectory.truncated
    assert trajectory.replaced == 0


def test_a_player_object_and_wrapped_environments_work():
    class Skips:
        def choose(self, game):
            actions = {each.kind: each for each in game.legal_actions()}
            return actions.get(ActionKind.SKIP_BLIND) or next(iter(actions.values()))

    trajectory = TrajectoryCollector(Skips(), wrap_balatro_env(create_balatro_env())).collect(1)[0]
    assert trajectory.actions[0] == slot_index()["skip the blind"]


@pytest.mark.parametrize(
    ("expert", "env", "message"),
    [
        ("scripted", Identity, "scripted plays Balatro, and the environment is Identity"),
        ("nobody", Identity, "there is no expert 'nobody'"),
        (3, Identity, "an expert is a player's name"),
    ],
)
def test_experts_that_are_none(expert, env, message):
    with pytest.raises(CloningError, match=message):
        TrajectoryCollector(expert, env())


# --- labels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "hand", "pending", "expected"),
    [
        (Action.play(0, 2), 8, None, ["play hand cards 0 2"]),
        (Action.discard(7), 8, None, ["discard hand cards 7"]),
        (Action.play(1, 9), 10, None, ["bring to the front hand card 9", "play hand cards 0 2"]),
        (
            Action.play(8, 9),
            10,
            None,
            ["bring to the front hand card 9", "bring to the front hand card 9", "play hand cards 0 1"],
        ),
        (Action.use(1, 3, 4), 8, None, ["use consumable 1", "target hand cards 3 4"]),
        (Action.use(1, 3), 8, (ActionKind.USE_CONSUMABLE, 1), ["target hand cards 3"]),
        (Action.use(0, 3), 8, (ActionKind.USE_CONSUMABLE, 1), ["give up choosing targets"]),
        (Action.cash_out(), 8, (ActionKind.PICK_CARD, 1), ["give up choosing targets"]),
        (Action.pick(2), 8, None, ["take pack card 2"]),
        (Action.move_joker(3, 1), 8, None, ["move one to the left joker 3", "move one to the left joker 2"]),
        (Action.move_joker(0, 2), 8, None, ["move one to the left joker 1", "move one to the left joker 2"]),
        (Action.sort_hand("suit"), 8, None, ["sort the hand by suit"]),
        (Action.move_card(3, 0), 8, None, ["bring to the front hand card 3"]),
        (Action.move_card(3, 2), 8, None, []),
        (Action.play(17), 20, None, []),
        (Action.play(19), 20, None, ["bring to the front hand card 15", "play hand cards 0"]),
    ],
)
def test_actions_as_fixed_actions(action, hand, pending, expected):
    indices = express_as_slots(action, hand, pending).indices
    assert [list(slot_index())[index] for index in indices] == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (Action.use(0, 3), "target hand cards 3"),
        (Action.use(1, 3), "give up choosing targets"),
        (Action.play(0), "give up choosing targets"),
    ],
)
def test_a_label_in_the_middle_of_choosing_targets_goes_on_or_gives_up(chosen, expected):
    class Chooses:
        def choose(self, _):
            return chosen

    game = Game("TARGETS")
    game.edit(consumables=["c_chariot", "c_justice"])
    game.step(Action.select_blind())
    env = create_balatro_env(starts=[game.snapshot()])
    observation, _ = env.reset(seed=1)
    teacher, names = create_teacher(Chooses(), env), list(slot_index())
    teacher.begin()
    for index in (names.index("use consumable 0"), names.index("bring to the front hand card 2")):
        observation, *_ = env.step(index)
        teacher.see(index)
    label = teacher.advise(observation).label
    assert names[label] == expected
    assert observation["action_mask"][label]
    env.step(label)
    teacher.see(label)
    assert teacher.advise(observation).indices[0] != names.index("give up choosing targets")


# --- files -----------------------------------------------------------------------------------------------------------


def test_demonstrations_survive_a_file(shown, tmp_path):
    path = save_trajectories(shown, tmp_path / "deep" / "shown.trajectories")
    found = load_trajectories(path)
    assert path.stat().st_size < 30 * sum(map(len, shown))
    for before, after in zip(shown, found, strict=True):
        assert before.seed == after.seed
        assert before.numbers == after.numbers
        assert before.kind_names == after.kind_names
        for name in ("actions", "labels", "rewards", "kinds"):
            assert (getattr(before, name) == getattr(after, name)).all()
            assert getattr(before, name).dtype == getattr(after, name).dtype
    old, new = shown[0].transitions, found[0].transitions
    assert len(old) == len(shown[0])
    assert all((a.observation["hand"] == b.observation["hand"]).all() for a, b in zip(old, new, strict=True))
    assert new[-1].done
    assert not new[0].done
    assert (new[0].next_observation["action_mask"] == new[1].observation["action_mask"]).all()


def test_a_file_of_a_registered_environment_describes_it(tmp_path):
    import gymnasium

    env = gymnasium.make("CartPole-v1", max_episode_steps=30)
    shown = TrajectoryCollector(lambda obs: int(obs[2] > 0), env).collect(3)
    found = load_trajectories(save_trajectories(shown, tmp_path / "cartpole"))
    assert len(list(replay(found[0]))) == len(shown[0])


def test_a_file_without_a_description_needs_the_environment(tmp_path):
    path = save_trajectories(
        TrajectoryCollector(best_of_bandit, MaskedBandit()).collect(2), tmp_path / "bandit"
    )
    with pytest.raises(CloningError, match="give it as env"):
        list(replay(load_trajectories(path)[0]))
    assert len(load_trajectories(path, env=MaskedBandit())[1].transitions) == 1


def test_every_damaged_byte_is_found(tmp_path):
    path = save_trajectories(TrajectoryCollector(best_of_bandit, MaskedBandit()).collect(2), tmp_path / "x")
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(CloningError, match=r"damaged|does not start"):
            load_trajectories(path)
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(CloningError):
            load_trajectories(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(JimbotError, match="cannot read the demonstrations"):
        load_trajectories(tmp_path / "nothing")


def test_an_episode_that_goes_another_way_is_refused(shown, tmp_path):
    found = load_trajectories(save_trajectories(shown, tmp_path / "x"))
    found[0].actions[len(found[0]) // 2] += 1
    with pytest.raises(JimbotError, match=r"went another way|not legal|no candidate"):
        list(replay(found[0]))


def test_an_environment_that_its_seed_does_not_determine_is_refused():
    trajectory = TrajectoryCollector(lambda _: 0, Drifting()).collect(6)[0]
    with pytest.raises(CloningError, match="not determined by its seed"):
        trajectory.transitions  # noqa: B018


# --- filters ---------------------------------------------------------------------------------------------------------


def test_filters():
    draws = np.random.default_rng(0)

    def sometimes(_):
        return int(draws.random() < 0.8)

    shown = TrajectoryCollector(sometimes, Ladder()).collect(40)
    won = filter_trajectories(shown, won=True)
    lost = filter_trajectories(shown, won=False)
    assert won
    assert lost
    assert len(won) + len(lost) == 40
    assert all(each.total_reward == 1.0 for each in won)
    assert filter_trajectories(shown, min_return=0.5) == won
    far = filter_trajectories(shown, min_ante=4)
    assert 0 < len(far) < 40
    assert all(each.numbers["ante"] >= 4 for each in far)
    best = filter_trajectories(shown, best_share=0.1)
    assert len(best) == 4
    assert min(each.total_reward for each in best) >= sorted(each.total_reward for each in shown)[-4]
    assert len(filter_trajectories(shown, where=lambda each: len(each) == 1)) < 40
    with pytest.raises(CloningError, match="best_share"):
        filter_trajectories(shown, best_share=0.0)


def test_filters_by_ante_pass_nothing_where_there_are_no_antes():
    shown = TrajectoryCollector(best_of_bandit, MaskedBandit()).collect(2)
    assert filter_trajectories(shown, min_ante=0) == []
