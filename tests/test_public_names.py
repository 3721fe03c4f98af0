"""The names at the top of the package, and how Gymnasium gets to know the environments."""

from __future__ import annotations

import json

import gymnasium
import pytest

import jimbot

HEAVY = ("numpy", "gymnasium", "pydantic", "torch", "jax", "jimbot._engine")


@pytest.mark.parametrize("name", jimbot.__all__)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(jimbot, name)
    assert name in dir(jimbot)
    if name != "__version__":
        assert value.__doc__
        assert value.__module__.startswith("jimbot.")


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'jimbot' has no attribute 'Blatro'"):
        _ = jimbot.Blatro  # pyright: ignore[reportAttributeAccessIssue]


def test_importing_the_package_imports_no_library(run_python):
    done = run_python("-c", "import json, sys, jimbot; dir(jimbot); print(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    assert not set(HEAVY) & set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium, jimbot; gymnasium.make('jimbot/Balatro-v0').reset(seed=1)",
        "import jimbot, gymnasium; gymnasium.make('jimbot/Balatro-v0').reset(seed=1)",
        "import jimbot, gymnasium; gymnasium.make('jimbot/Therapy-v0').reset(seed=1)",
        "import jimbot; from gymnasium import make; make('jimbot/Balatro-v0').reset(seed=1)",
        "import jimbot, gymnasium.spaces; gymnasium.make('jimbot/Balatro-v0').reset(seed=1)",
        "import jimbot, gymnasium; gymnasium.make_vec('jimbot/Balatro-v0', num_envs=2).reset(seed=1)",
        "import gymnasium; gymnasium.make('jimbot:jimbot/Balatro-v0').reset(seed=1)",
        "import gymnasium; gymnasium.make_vec('jimbot:jimbot/Balatro-v0', num_envs=2).reset(seed=1)",
        "import jimbot; jimbot.make().reset(seed=1)",
        "import jimbot.balatro, gymnasium; gymnasium.make('jimbot/Balatro-v0').reset(seed=1)",
    ],
)
def test_gymnasium_knows_the_environments(code, run_python):
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr


def test_without_jimbot_the_environments_are_unknown(run_python):
    done = run_python("-c", "import gymnasium; gymnasium.make('jimbot/Balatro-v0')")
    assert "NamespaceNotFound" in done.stderr


def test_import_hook_changes_nothing_else_about_gymnasium(run_python):
    code = """
import importlib, importlib.util, sys
import jimbot
assert importlib.util.find_spec("gymnasium") and "gymnasium" not in sys.modules
hooks = len(sys.meta_path)
import gymnasium
assert len(sys.meta_path) == hooks - 1
assert gymnasium.__loader__.exec_module.__self__ is gymnasium.__loader__
importlib.reload(gymnasium)
importlib.reload(jimbot)
assert len(sys.meta_path) == hooks - 1
gymnasium.make("jimbot/Balatro-v0")
"""
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr


def test_importing_jimbot_works_without_gymnasium(run_python):
    code = """
import sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name == "gymnasium":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hide())
import jimbot
try:
    import gymnasium
except ModuleNotFoundError:
    print("absent")
"""
    assert run_python("-c", code).stdout == "absent\n"


def test_registering_loads_no_engine(run_python):
    done = run_python("-c", "import jimbot, gymnasium, sys; sys.exit('jimbot._engine' in sys.modules)")
    assert done.returncode == 0


def test_make_gives_one_environment_or_many():
    one = jimbot.make(max_ante=2, actions="candidates")
    assert isinstance(one.unwrapped, jimbot.BalatroEnv)
    assert one.spec is not None
    assert one.spec.kwargs == {"max_ante": 2, "actions": "candidates"}
    many = jimbot.make(num_envs=3)
    assert isinstance(many, jimbot.BalatroVectorEnv)
    assert many.num_envs == 3
    many.close()
    other = jimbot.make("CartPole-v1")
    assert isinstance(other, gymnasium.Env)
    other.close()
