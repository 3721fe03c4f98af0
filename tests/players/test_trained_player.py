"""A policy as a player of runs: what it does in a run is what it does in the environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.probes.table import playing

from jimbot.balatro import Action, Game
from jimbot.balatro.env.schema import meanings
from jimbot.balatro.env.single import BalatroEnv
from jimbot.players.run_player import TrainedPlayer, TrainedPlayerError


class Seeded:
    """A policy that draws legal actions; the same observation always gets the same one."""

    def __call__(self, obs: Any) -> Any:
        """int[1]: an action."""
        seed = int.from_bytes(obs["hand"].tobytes()[:64] + obs["globals"].tobytes()[:64], "little") % 2**63
        legal = np.flatnonzero(obs["action_mask"][0])
        return np.array([np.random.default_rng(seed).choice(legal)])


@pytest.mark.parametrize(
    "options", [{}, {"actions": "candidates", "candidates": 32}], ids=["slots", "candidates"]
)
@pytest.mark.parametrize("seed", ["7LB2WVPK", "PWIFWTXJ", "ABCDEFGH"])
def test_a_run_is_played_as_in_the_environment(seed, options):
    env = BalatroEnv(max_steps=40, **options)
    observation, _ = env.reset(options={"seed": seed})
    policy, done = Seeded(), False
    while not done:
        batch = {name: part[None] for name, part in observation.items()}
        observation, _, terminated, truncated, _ = env.step(policy(batch)[0])
        done = terminated or truncated
    game, player = Game(seed), TrainedPlayer(policy, **options)
    taken = []
    for expected in env.actions_taken():
        taken.append(player.choose(game))
        assert taken[-1] == expected
        game.step(taken[-1])
    assert len(taken) > 3
    assert game.hash == env.game().hash


def test_targets_are_part_of_one_action():
    words = meanings()
    plan = [words.index("use consumable 0"), words.index("target hand cards 0 2")]
    coming = iter(plan)
    player = TrainedPlayer(lambda _obs: np.array([next(coming)]))
    game = playing(["S_2", "H_3", "D_4"], consumables=["c_death"])
    assert player.choose(game) == Action.use(0, 0, 2)


def test_another_run_is_looked_at_anew():
    words = meanings()
    seen: list[float] = []

    def policy(obs: Any) -> Any:
        seen.append(float(obs["hand"].sum()))
        return np.array([np.flatnonzero(obs["action_mask"][0])[0]])

    player = TrainedPlayer(policy)
    first, second = playing(["S_2", "H_3"]), playing(["S_A", "H_K", "D_Q"])
    assert player.choose(first) == Action.play(0)
    assert player.choose(second) == Action.play(0)
    assert player.choose(second) == Action.play(0)  # it was not taken: the player looks again
    assert seen[0] != seen[1] == seen[2]
    assert words[0] == "play hand cards 0"


def test_a_policy_that_does_nothing_is_stuck():
    words = meanings()
    use, give_up = words.index("use consumable 0"), words.index("give up choosing targets")
    player = TrainedPlayer(lambda obs: np.array([use if obs["action_mask"][0, use] else give_up]))
    with pytest.raises(TrainedPlayerError, match="chose 100 times without doing anything in ante 1"):
        player.choose(playing(["S_2", "H_3"], consumables=["c_death"]))
