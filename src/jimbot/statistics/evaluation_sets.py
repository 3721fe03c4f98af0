"""Which seeds are for what: every set of episodes that jimbot measures on, by name.

A number that was looked at while something was chosen is no measurement any more. So whoever chooses (the best
checkpoint, the winner of a search) and whoever reports draws from different sets, all of them are named here, and none
overlap. Training never meets any of them.

A set is a number. In a Gymnasium environment, episode ``i`` of set ``n`` is ``reset(seed=seeds_of_set(n, 1, i)[0])``.
A native vector of Balatro starts from the set's first seed and draws its games out of the 28 billion, one in 64 of all,
that are kept for evaluation; two sets of a thousand episodes share a game once in 28 000 times. Players without a
network play members of that share by number (``PLAYER_MEMBERS``).
"""

from __future__ import annotations

from enum import IntEnum

from jimbot.errors import JimbotError

__all__ = [
    "FIRST_EVALUATION_SEED",
    "FRESH_TRAINING_SEEDS",
    "JAX_EVALUATION_KEY",
    "PLAYER_MEMBERS",
    "SEALED_PLAYER_MEMBERS",
    "SEEDS_PER_SET",
    "THERAPY_FURTHER_SEEDS",
    "THERAPY_TEST_SEEDS",
    "EvaluationSet",
    "player_members",
    "seeds_of_set",
]

FIRST_EVALUATION_SEED = 2**31
"""Training episodes are seeded below this number, evaluation episodes from it on."""
SEEDS_PER_SET = 1_000_000
"""Every set has so many episodes."""
LAST_SET = (2**32 - FIRST_EVALUATION_SEED) // SEEDS_PER_SET - 1
"""Of the sets that fit into 32 bits."""

FRESH_TRAINING_SEEDS = 1_000_003
"""Added to a configuration's seed when the best of a search are trained anew: seeds that no trial has used."""
JAX_EVALUATION_KEY = 20_240_000
"""``jimbot.training.jax_trainer`` folds the number of a set into the random key of this seed."""
THERAPY_TEST_SEEDS = range(1_000_000, 2_000_000)
"""Seeds of the therapy environment whose clients therapists are reported on."""
THERAPY_FURTHER_SEEDS = range(2_000_000, 3_000_000)
"""Those of other clients, for a second look."""


class EvaluationSet(IntEnum):
    """The sets of evaluation episodes. Their values stay as they are, so that results remain comparable."""

    SELECTION = 0
    """Chooses the best policy of a training run, ends it early, and prunes the trials of a search."""
    CONFIRMATION = 1
    """Measures a new best policy again, before it is believed; the last measurement of the JAX trainer."""
    FINALISTS = 2
    """Chooses the winner of a search among its best; what quick training reports."""
    EXPERIMENT = 3
    """What experiments and benchmarks report of every training run."""
    PARITY = 7
    """Compares the training libraries on one configuration."""
    TEST = 10
    """What ``jimbot evaluate`` and the studies report of a finished policy."""
    ANALYSIS = 11
    """What ``jimbot analyze`` plays."""
    SEALED = 2_000
    """Kept for a last measurement. Never choose, tune, select or stop on it, and never print it before the end."""

    @property
    def first_seed(self) -> int:
        """The seed of its first episode."""
        return FIRST_EVALUATION_SEED + self * SEEDS_PER_SET

    @property
    def seeds(self) -> range:
        """The seeds of all its episodes."""
        return range(self.first_seed, self.first_seed + SEEDS_PER_SET)


def seeds_of_set(evaluation_set: int, episodes: int, first: int = 0) -> range:
    """The seeds of some episodes of a set.

    Args:
        evaluation_set: an ``EvaluationSet``, or the number of a set of one's own.
        episodes: how many.
        first: the first of them; 0 begins with the set.
    """
    if not 0 <= evaluation_set <= LAST_SET:
        raise JimbotError(f"evaluation_set must be 0 to {LAST_SET}, got {evaluation_set}")
    if episodes < 1 or first < 0 or first + episodes > SEEDS_PER_SET:
        raise JimbotError(
            f"an evaluation set has the episodes 0 to {SEEDS_PER_SET - 1}; {episodes} from {first} on are not in it"
        )
    start = FIRST_EVALUATION_SEED + int(evaluation_set) * SEEDS_PER_SET + first
    return range(start, start + episodes)


SEALED_PLAYER_MEMBERS = range(
    EvaluationSet.SEALED * SEEDS_PER_SET, EvaluationSet.SEALED * SEEDS_PER_SET + SEEDS_PER_SET
)
"""The members of Balatro's evaluation share that are kept as ``EvaluationSet.SEALED`` is."""
PLAYER_MEMBERS = range(SEALED_PLAYER_MEMBERS.start)
"""The members that scripted and other players are reported on."""


def player_members(count: int, first: int = 0, *, sealed: bool = False) -> range:
    """Members of Balatro's evaluation share to play on.

    Args:
        count: how many.
        first: the first of them, counted from the beginning of the set.
        sealed: whether they are the sealed ones.
    """
    members = SEALED_PLAYER_MEMBERS if sealed else PLAYER_MEMBERS
    if count < 1 or first < 0 or first + count > len(members):
        raise JimbotError(
            f"expected at least one seed, all of them from number 0 to {len(members) - 1} of the set; got {count} "
            f"from {first} on"
        )
    return members[first : first + count]
