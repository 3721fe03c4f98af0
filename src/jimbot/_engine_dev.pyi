"""Benchmarks and the conformance battery of the engine. Only in development builds (``make setup``), not in wheels."""

def measure_seeds(name: str, seconds: float) -> tuple[int, float, float]:
    """Repeat one kind of work for so many seconds: operations, seconds, checksum. Releases the GIL.

    ``name``: divisions, hashes, seedings, draws, explorations or find.
    """

def measure_game(name: str, seconds: float) -> tuple[int, float, float]:
    """The same for one kind of work of the whole game: operations, seconds, checksum. Releases the GIL.

    ``name``: mock, decisions, fast_decisions, clones, resampled_copies, previews or all_previews.
    """

def measure_env(name: str, seconds: float, games: int, threads: int) -> tuple[int, float, float, int]:
    """Random legal play in an environment, all in C++: steps, seconds, sum of rewards, episodes. Releases the GIL.

    ``name``: mock, steps, fast_steps or candidates.
    """

episode_size: int
"""Bytes of an episode in memory, without its observations."""

def conformance(batch: int, first: int, games: int, threads: int, checked: bool) -> tuple[str, list[str]]:
    """Play random games with every invariant of the engine checked: the report and the failures, as JSON.

    Games are those of a batch from number ``first`` on. Without ``checked`` they are only played, which gives the
    same hash. Releases the GIL.
    """
