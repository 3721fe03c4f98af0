"""Making, vectorizing and examining environments; the examination finds what is wrong with bad ones."""

# ruff: noqa: ANN003, ARG005, D101 - the bad environments are as short as can be

from __future__ import annotations

import functools
import logging
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete

from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.errors import JimbotError
from jimbot.training import (
    Severity,
    create_balatro_env,
    make_vectorized_env,
    setup_logging,
    validate_environment,
)
from jimbot.training.envs.main_guard import is_guarded

# --- making ---------------------------------------------------------------------------------------------------------


def test_create_balatro_env_follows_its_seed():
    first, second, other = (create_balatro_env(seed, max_ante=2) for seed in (1, 1, 2))
    observations = [env.reset()[0] for env in (first, second, other)]
    assert all((observations[0][name] == observations[1][name]).all() for name in observations[0])
    assert first.game().seed == second.game().seed != other.game().seed
    assert first.options.max_ante == 2


@pytest.mark.parametrize(
    "creator",
    [
        create_balatro_env,
        BalatroEnv,
        functools.partial(create_balatro_env, max_ante=3),
        functools.partial(functools.partial(BalatroEnv, max_ante=5), max_ante=3),
        functools.partial(create_balatro_env, seed=3, render_mode=None, checked=False),
    ],
)
def test_balatro_is_native(creator):
    env = make_vectorized_env(creator, 3, seed=1)
    assert isinstance(env, BalatroVectorEnv)
    assert env.num_envs == 3
    if isinstance(creator, functools.partial) and "max_ante" in creator.keywords:
        assert env.options.max_ante == 3


@pytest.mark.parametrize("checked", [True, False])
def test_a_native_vector_is_checked_if_asked(checked):
    env = make_vectorized_env(functools.partial(create_balatro_env, checked=checked), 2)
    assert isinstance(env, BalatroVectorEnv)
    assert env.checked == checked


def test_the_seed_decides():
    numbers = []
    for seed in (4, 4, 5):
        env = make_vectorized_env(create_balatro_env, 2, seed=seed)
        assert isinstance(env, BalatroVectorEnv)
        numbers.append([env._runs.info(i) for i in range(2)])
    assert numbers[0] == numbers[1] != numbers[2]


def test_what_is_not_native_is_sync():
    rendered = functools.partial(create_balatro_env, render_mode="ansi")
    for creator in (rendered, functools.partial(gymnasium.make, "CartPole-v1")):
        env = make_vectorized_env(creator, 2, seed=0)
        assert isinstance(env, gymnasium.vector.SyncVectorEnv)
        assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
        env.step(env.action_space.sample() * 0 + (0 if creator is not rendered else 529))
        env.close()
    assert isinstance(make_vectorized_env(create_balatro_env, 2, kind="sync"), gymnasium.vector.SyncVectorEnv)


def test_processes():
    env = make_vectorized_env(functools.partial(gymnasium.make, "CartPole-v1"), 2, seed=0, kind="subprocess")
    try:
        assert isinstance(env, gymnasium.vector.AsyncVectorEnv)
        observations, rewards, *_ = env.step(np.array([0, 1]))
        assert observations.shape == (2, 4)
        assert rewards.tolist() == [1.0, 1.0]
    finally:
        env.close()


SCRIPT = """
import functools, gymnasium
from jimbot.training.utils import make_vectorized_env
creator = functools.partial(gymnasium.make, "CartPole-v1")
def main():
    env = make_vectorized_env(creator, 2, seed=0, kind="subprocess")
    print(env.step(env.action_space.sample())[1])
    env.close()
"""


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("main()", "script.py, line 10: environments in processes of their own import this script again"),
        ('if __name__ == "__main__":\n    main()', None),
    ],
)
def test_a_script_without_a_guard_is_told_so_once(tmp_path, end, message):
    script = tmp_path / "script.py"
    script.write_text(f"{SCRIPT}\n{end}\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr.count("Traceback") == (
        message is not None
    )  # the script's own, none of another process
    assert (message or "") in done.stderr
    assert (done.stdout == "[1. 1.]\n") == (message is None)


@pytest.mark.parametrize(
    ("source", "line", "guarded"),
    [
        ("main()", 1, False),
        ("if __name__ == '__main__':\n    main()", 2, True),
        ("if __name__ == '__main__':\n    print()\nmain()", 3, False),
        ("if other:\n    main()", 2, False),
        ("if __name__ != '__main__':\n    raise SystemExit\nmain()", 3, True),
    ],
)
def test_guards_of_scripts(source, line, guarded):
    assert is_guarded(source, line) == guarded


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((create_balatro_env, 2, None, "threads"), "unknown kind 'threads'"),
        ((create_balatro_env, 0), "n_envs must be at least 1"),
        ((functools.partial(gymnasium.make, "CartPole-v1"), 2, None, "native"), "only Balatro is native"),
        (
            (functools.partial(create_balatro_env, render_mode="ansi"), 2, None, "native"),
            "only Balatro is native",
        ),
    ],
)
def test_impossible_vectors(arguments, message):
    with pytest.raises(JimbotError, match=message):
        make_vectorized_env(*arguments)


# --- examining ------------------------------------------------------------------------------------------------------


class Counting(gymnasium.Env):
    """Ten steps of counting; subclasses break one thing each."""

    observation_space: gymnasium.Space = Box(0.0, 10.0, (2,), np.float32)
    action_space: gymnasium.Space = Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.count = 0
        return self.look(), {}

    def step(self, action):
        self.count += 1
        return self.look(), self.pay(), self.count >= 10, False, {}

    def look(self):
        return np.array([self.count, 1.0], np.float32)

    def pay(self):
        return 1.0


class Masked(Counting):
    """Counting with a mask: action 2 is never legal, and changes nothing."""

    observation_space = Dict(
        {"count": Box(0.0, 10.0, (1,), np.float32), "action_mask": Box(0, 1, (3,), np.uint8)}
    )

    def step(self, action):
        return (self.look(), 0.0, False, False, {}) if action == 2 else super().step(action)

    def look(self):
        return {"count": np.array([self.count], np.float32), "action_mask": self.mask()}

    def mask(self):
        return np.array([1, 1, 0], np.uint8)


def changed(base: type, **members):
    """An environment with some members replaced."""
    return type("Bad", (base,), members)()


class FourResults(Counting):
    def step(self, action):
        return super().step(action)[:4]


class Executing(Masked):
    def step(self, action):
        return Counting.step(self, action)


class Raising(Counting):
    def step(self, action):
        raise RuntimeError("the engine fell out")


class NoSeed(Counting):
    def reset(self):  # pyright: ignore[reportIncompatibleMethodOverride]
        return super().reset()


LUCK = np.random.default_rng(0)

BAD = {
    "wrong type": (
        changed(Counting, look=lambda self: np.array([self.count, 1.0], np.float64)),
        "observation has type float64, expected float32",
    ),
    "wrong shape": (
        changed(Counting, look=lambda self: np.zeros(3, np.float32)),
        "observation has shape (3,), expected (2,)",
    ),
    "out of bounds": (
        changed(Counting, look=lambda self: np.array([99, 1], np.float32)),
        "observation leaves its bounds: 1.0 to 99.0",
    ),
    "not finite": (
        changed(Counting, look=lambda self: np.array([np.nan, 1], np.float32)),
        "observation holds values that are not finite",
    ),
    "no array": (
        changed(Counting, look=lambda self: [0.0, 1.0]),
        "observation is list, expected an array",
    ),
    "reward not a number": (
        changed(Counting, pay=lambda self: float("nan")),
        "reward is nan, expected a finite number",
    ),
    "reward an array": (
        changed(Counting, pay=lambda self: np.ones(1)),
        "reward is ndarray, expected a number",
    ),
    "random observation": (
        changed(Counting, look=lambda self: LUCK.random(2).astype(np.float32)),
        "the same seed and actions gave another observation after reset",
    ),
    "random reward": (
        changed(Counting, pay=lambda self: LUCK.random()),
        "the same seed and actions gave another reward at step 1",
    ),
    "empty mask": (
        changed(Masked, mask=lambda self: np.zeros(3, np.uint8)),
        "action_mask allows no action although the episode is not over",
    ),
    "short mask": (
        changed(Masked, mask=lambda self: np.ones(2, np.uint8)),
        "observation['action_mask'] has shape (2,), expected (3,)",
    ),
    "mask without discrete actions": (
        changed(Masked, action_space=Box(0, 1, (1,))),
        "action_mask needs a Discrete action space, got Box",
    ),
    "mask of another length": (
        changed(Masked, action_space=Discrete(5)),
        "action_mask has shape (3,), expected (5,)",
    ),
    "masked action executed": (Executing(), "masked action 2 was executed: the observation changed"),
    "missing key": (
        changed(Masked, look=lambda self: {"action_mask": self.mask()}),
        "observation lacks 'count'",
    ),
    "four results": (
        FourResults(),
        "returned tuple of 4, expected (observation, reward, terminated, truncated, info)",
    ),
    "raising": (Raising(), "raised RuntimeError: the engine fell out"),
    "no seed": (NoSeed(), "raised TypeError: NoSeed.reset() got an unexpected keyword argument 'seed'"),
    "no space": (
        changed(Counting, action_space=None),
        "action_space is NoneType, expected a gymnasium.Space",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_found(name, capsys):
    env, text = BAD[name]
    report = validate_environment(env, steps=30)
    assert not report
    assert capsys.readouterr().out == f"{report}\n"
    assert text in [each.text for each in report.errors]
    assert str(report).startswith(f"{type(env).__name__}: {len(report.errors)} errors")


@pytest.mark.parametrize("thing", [None, 3, "CartPole-v1", object()])
def test_anything_can_be_examined(thing):
    assert not validate_environment(thing).ok


@pytest.mark.parametrize("env", [Counting(), Masked()], ids=["plain", "masked"])
def test_good_environments_are_fit(env, capsys):
    report = validate_environment(env, steps=30, verbose=False)
    assert report
    assert capsys.readouterr().out == ""
    assert report.findings == []
    assert (report.steps, report.episodes) == (30, 3)


def test_cartpole_is_fit():
    report = validate_environment(gymnasium.make("CartPole-v1"), steps=500)
    assert report.ok, str(report)
    assert [each.severity for each in report.findings] == [Severity.NOTE]  # its velocities are unbounded
    assert report.episodes > 5


@pytest.mark.parametrize("checked", [True, False])
def test_balatro_is_fit(checked):
    report = validate_environment(create_balatro_env(checked=checked), steps=300)
    assert report.ok, str(report)
    assert report.episodes > 5
    refused = [each for each in report.findings if "a masked action is refused" in each.text]
    assert bool(refused) == checked


def test_endless_environments_are_noted():
    report = validate_environment(
        changed(Counting, step=lambda self, action: (np.zeros(2, np.float32), 0.0, False, False, {})),
        steps=20,
    )
    assert report.ok
    assert [str(each) for each in report.findings] == ["warning: ends: no episode ended within 20 steps"]


# --- logging --------------------------------------------------------------------------------------------------------


@pytest.fixture
def quiet_logger():
    yield
    logger = logging.getLogger("jimbot")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()
    logger.propagate = True
    logger.setLevel(logging.NOTSET)


@pytest.mark.usefixtures("quiet_logger")
def test_logging_goes_where_it_should(tmp_path, capsys):
    file = tmp_path / "run.log"
    setup_logging("DEBUG", file)
    setup_logging("warning", file)  # replaces the first
    logging.getLogger("jimbot.training").info("too quiet")
    logging.getLogger("jimbot.training").warning("loud %s", "enough")
    logging.getLogger("elsewhere").warning("not ours")
    assert file.read_text().count("WARNING jimbot.training: loud enough") == 1
    assert "too quiet" not in file.read_text()
    assert capsys.readouterr().err.count("loud enough") == 1


@pytest.mark.usefixtures("quiet_logger")
def test_impossible_logging(tmp_path):
    with pytest.raises(JimbotError, match="unknown level 'LOUD'"):
        setup_logging("LOUD")
    with pytest.raises(JimbotError, match="cannot write the log"):
        setup_logging("INFO", tmp_path / "nowhere" / "run.log")
