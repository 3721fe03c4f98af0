"""The state of every random number generator of a process, as a tree that a checkpoint can hold.

JAX has no hidden state: its keys are arrays, and belong into the trainer's own tree.
"""

from __future__ import annotations

import random
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.training.checkpoints.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = ["own_generators", "rng_state", "saved_rng_state", "set_rng_state"]


def rng_state(generators: Mapping[str, np.random.Generator] | None = None) -> dict[str, Any]:
    """The states of Python's ``random``, of NumPy's global generator, of torch if it is imported, and of yours.

    Args:
        generators: NumPy generators to save too, by any name.
    """
    version, numbers, gauss_next = random.getstate()
    state: dict[str, Any] = {
        "python": {"version": version, "numbers": np.array(numbers, np.uint32), "gauss_next": gauss_next},
        "numpy": np.random.get_state(legacy=False),  # noqa: NPY002 - libraries draw from it, so it is saved
        "generators": {name: generator.bit_generator.state for name, generator in (generators or {}).items()},
    }
    torch = sys.modules.get("torch")
    if torch is not None:
        state["torch"] = torch_state(torch)
    return state


def set_rng_state(
    state: Mapping[str, Any], generators: Mapping[str, np.random.Generator] | None = None
) -> None:
    """Put every generator where ``rng_state`` found it; the next draws are the same to the bit.

    Args:
        state: what ``rng_state`` gave, from a checkpoint or not.
        generators: those of the same names, of the same kinds; their states are replaced in place.
    """
    given = dict(generators or {})
    try:
        saved: dict[str, Any] = state["generators"]
        check_generators(saved, given)
        torch = sys.modules.get("torch")
        if "torch" in state and torch is None:
            raise CheckpointError(
                "the state holds torch's generators, and torch is not imported; import it first"
            )
        python = state["python"]
        numbers = tuple(int(number) for number in python["numbers"])
        random.setstate((python["version"], numbers, python["gauss_next"]))
        np.random.set_state(state["numpy"])  # noqa: NPY002
        for name, generator in given.items():
            generator.bit_generator.state = saved[name]
        if "torch" in state:
            set_torch_state(torch, state["torch"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"this is not a state of random number generators: {error!r}") from error


@contextmanager
def saved_rng_state() -> Generator[None]:
    """Within, random numbers are drawn as usual; afterwards every generator is where it was before.

    Evaluation uses this, so that it does not change what training draws.
    """
    state = rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def own_generators(state: Mapping[str, Any]) -> dict[str, Any]:
    """A saved state without torch's generators if this run has not imported torch.

    Something else, such as cloning, may have imported it before the checkpoint; a trainer that does without it
    continues without it.
    """
    return {name: each for name, each in state.items() if name != "torch" or "torch" in sys.modules}


def check_generators(saved: Mapping[str, Any], given: Mapping[str, np.random.Generator]) -> None:
    """The same names and kinds on both sides; checked before anything is changed."""
    if saved.keys() != given.keys():
        raise CheckpointError(
            f"the state holds the generators {sorted(saved)}, and {sorted(given)} were given"
        )
    for name, generator in given.items():
        kind = type(generator.bit_generator).__name__
        if saved[name]["bit_generator"] != kind:
            raise CheckpointError(f"generator {name!r} is a {kind}, and was a {saved[name]['bit_generator']}")


def torch_state(torch: Any) -> dict[str, Any]:
    """uint8 arrays: of the processor, and of every graphics card."""
    state: dict[str, Any] = {"cpu": torch.get_rng_state().numpy().copy(), "cuda": []}
    if torch.cuda.is_available():
        state["cuda"] = [one.cpu().numpy() for one in torch.cuda.get_rng_state_all()]
    return state


def set_torch_state(torch: Any, state: Mapping[str, Any]) -> None:
    """Put torch's generators back; graphics cards that are not there any more are left out."""
    torch.set_rng_state(torch.from_numpy(np.array(state["cpu"], np.uint8)))
    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    for index, one in enumerate(state["cuda"][:cards]):
        torch.cuda.set_rng_state(torch.from_numpy(np.array(one, np.uint8)), index)
