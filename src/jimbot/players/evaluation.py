"""How good a player is: whole runs on given seeds, wins with their interval, blind by blind.

Evaluation seeds are those of the environment: seeds no training episode ever starts on. Develop and tune on
``training_seeds``, report on ``evaluation_seeds``.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jimbot import _engine
from jimbot.balatro.game.game import Game
from jimbot.balatro.game.parts import Phase
from jimbot.errors import JimbotError
from jimbot.players import PLAYERS, create_player
from jimbot.players.scripted_player import Weights, weight_list
from jimbot.statistics.evaluation_sets import player_members
from jimbot.statistics.intervals import mean_interval, standard_error, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "BlindCount",
    "Evaluation",
    "EvaluationError",
    "RunRecord",
    "evaluate_player",
    "evaluation_seeds",
    "play_runs",
    "training_seeds",
]

BLINDS = ("small", "big", "boss")
WIN_ANTE = 8
MOST_STEPS = 10_000
"""Decisions after which a run counts as lost; no run of a player that means to win takes as many."""
BLOCK = 50
"""Runs between two reports of progress."""
SEEDS_PER_GROUP = 64
"""Of so many successive seed numbers the last is an evaluation seed (engine/vector/episode.hpp)."""


class EvaluationError(JimbotError, ValueError):
    """An evaluation that makes no sense."""


def evaluation_seeds(count: int, first: int = 0, *, sealed: bool = False) -> list[int]:
    """Seed numbers that no training episode starts on.

    Args:
        count: how many.
        first: the first of them; 0 begins with the set.
        sealed: whether to take those that nothing is ever chosen on (``EvaluationSet.SEALED``).
    """
    try:
        return [_engine.evaluation_seed(number) for number in player_members(count, first, sealed=sealed)]
    except JimbotError as error:
        raise EvaluationError(str(error)) from None


def training_seeds(count: int, stream: int = 0) -> list[int]:
    """Seed numbers outside of the evaluation set; every ``stream`` gives other ones."""
    import random

    if count < 1:
        raise EvaluationError(f"expected at least one seed, got {count}")
    rng = random.Random(stream)
    groups = _engine.seed_space // SEEDS_PER_GROUP
    return [
        rng.randrange(groups) * SEEDS_PER_GROUP + rng.randrange(SEEDS_PER_GROUP - 1) for _ in range(count)
    ]


@dataclass(frozen=True)
class RunRecord:
    """How one run went.

    Attributes:
        seed: the seed.
        won: whether the last ante's boss was beaten.
        ante: the ante it ended in.
        blinds: blinds cleared.
        reached: a bit per blind that was played, three per ante from ante 1.
        cleared: a bit per blind that was cleared.
        last_blind: key of the last blind played.
        jokers: keys of the jokers held at the end.
        best_hand: the best score of a single hand.
        money: dollars held at the end.
        steps: decisions taken.
    """

    seed: str
    won: bool
    ante: int
    blinds: int
    reached: int
    cleared: int
    last_blind: str
    jokers: list[str]
    best_hand: float
    money: int
    steps: int


@dataclass(frozen=True)
class BlindCount:
    """One blind of the 24: how many runs played it and how many cleared it."""

    ante: int
    blind: str
    reached: int
    cleared: int


@dataclass(frozen=True)
class Evaluation:
    """A player measured on some seeds.

    Attributes:
        player: its name.
        deck: key of the deck.
        stake: 1 to 8.
        episodes: runs played.
        wins: runs won.
        win_rate: their share.
        win_interval: its 95 % Wilson interval.
        mean_blinds: blinds cleared per run.
        blinds_error: standard error of that.
        blinds_interval: its 95 % t interval; None for a single run.
        mean_ante: ante a run ends in.
        mean_steps: decisions per run.
        curve: the 24 blinds in order.
        causes: how many runs were lost to each blind, by key, most first.
        seconds: time it took.
    """

    player: str
    deck: str
    stake: int
    episodes: int
    wins: int
    win_rate: float
    win_interval: tuple[float, float]
    mean_blinds: float
    blinds_error: float
    blinds_interval: tuple[float, float] | None
    mean_ante: float
    mean_steps: float
    curve: list[BlindCount]
    causes: dict[str, int]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain values."""
        blinds = None if self.blinds_interval is None else list(self.blinds_interval)
        return asdict(self) | {"win_interval": list(self.win_interval), "blinds_interval": blinds}

    @staticmethod
    def of(player: str, deck: str, stake: int, runs: Sequence[RunRecord], seconds: float) -> Evaluation:
        """The summary of some runs."""
        if not runs:
            raise EvaluationError("there are no runs to summarize; give at least one seed")
        count = len(runs)
        wins = sum(run.won for run in runs)
        blinds = [run.blinds for run in runs]
        interval = wilson_interval(wins, count)
        spread = mean_interval(blinds) if count > 1 else None
        causes = Counter(run.last_blind for run in runs if not run.won)
        return Evaluation(
            player=player,
            deck=deck,
            stake=stake,
            episodes=count,
            wins=wins,
            win_rate=wins / count,
            win_interval=(interval.low, interval.high),
            mean_blinds=sum(blinds) / count,
            blinds_error=standard_error(blinds),
            blinds_interval=None if spread is None else (spread.low, spread.high),
            mean_ante=sum(run.ante for run in runs) / count,
            mean_steps=sum(run.steps for run in runs) / count,
            curve=[
                BlindCount(
                    1 + index // len(BLINDS),
                    BLINDS[index % len(BLINDS)],
                    sum(run.reached >> index & 1 for run in runs),
                    sum(run.cleared >> index & 1 for run in runs),
                )
                for index in range(WIN_ANTE * len(BLINDS))
            ],
            causes=dict(sorted(causes.items(), key=lambda pair: (-pair[1], pair[0]))),
            seconds=seconds,
        )


def evaluate_player(
    name: str,
    seeds: Sequence[int],
    *,
    deck: str = "b_red",
    stake: int = 1,
    weights: Weights | None = None,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Play a run on every seed number and summarize; the arguments are those of ``play_runs``."""
    begun = time.perf_counter()
    runs = play_runs(
        name, seeds, deck=deck, stake=stake, weights=weights, threads=threads, on_progress=on_progress
    )
    return Evaluation.of(name, deck, stake, runs, time.perf_counter() - begun)


def play_runs(
    name: str,
    seeds: Sequence[int],
    *,
    deck: str = "b_red",
    stake: int = 1,
    weights: Weights | None = None,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> list[RunRecord]:
    """Play a run on every seed number.

    Args:
        name: of a player of ``jimbot.players``.
        seeds: seed numbers.
        deck: key of the deck.
        stake: 1 to 8.
        weights: of the scripted player, if others than its defaults.
        threads: for the scripted player, which plays in the engine.
        on_progress: gets the number of runs done.
    """
    if name not in PLAYERS:
        raise EvaluationError(f"unknown player '{name}'; expected one of {', '.join(PLAYERS)}")
    if weights is not None and name != "scripted":
        raise EvaluationError(f"only the scripted player has weights, not {name}")
    runs: list[RunRecord] = []
    for start in range(0, len(seeds), BLOCK):
        block = seeds[start : start + BLOCK]
        if name == "scripted":
            runs += scripted_runs(block, deck, stake, weight_list(weights), threads)
        else:
            runs += [played_run(name, seed, deck, stake) for seed in block]
        if on_progress is not None:
            on_progress(len(runs))
    return runs


def scripted_runs(
    seeds: Sequence[int], deck: str, stake: int, weights: list[float], threads: int
) -> list[RunRecord]:
    """Runs of the scripted player, played in the engine on threads."""
    try:
        columns = _engine.expert_play(seeds, deck, stake, weights, threads, WIN_ANTE)
    except ValueError as error:
        raise EvaluationError(str(error)) from None
    return [
        RunRecord(
            seed=_engine.seed_at(seed),
            won=bool(columns["won"][i]),
            ante=int(columns["ante"][i]),
            blinds=int(columns["blinds"][i]),
            reached=int(columns["reached"][i]),
            cleared=int(columns["cleared"][i]),
            last_blind=columns["last_blind"][i],
            jokers=columns["jokers"][i],
            best_hand=float(columns["best_hand"][i]),
            money=int(columns["money"][i]),
            steps=int(columns["steps"][i]),
        )
        for i, seed in enumerate(seeds)
    ]


def played_run(name: str, seed: int, deck: str, stake: int) -> RunRecord:
    """A run of any player, step by step."""
    game = Game(_engine.seed_at(seed), deck, stake)
    player = create_player(name, seed)
    reached = cleared = steps = 0
    last_blind, best_hand = "", 0.0
    while not game.over and steps < MOST_STEPS:
        before = game.public_view()
        phase = game.step(player.choose(game))
        steps += 1
        if before["phase"] != Phase.PLAYING:
            continue
        index = len(BLINDS) * (max(1, before["ante"]) - 1) + BLINDS.index(before["next_blind"])
        last_blind = before["blind"]["key"]
        reached |= 1 << index
        best_hand = max(best_hand, game.public_view()["blind"]["score"] - before["blind"]["score"])
        if phase is Phase.ROUND_EVAL or game.won:
            cleared |= 1 << index
    view = game.public_view()
    return RunRecord(
        seed=game.seed,
        won=game.won,
        ante=game.ante,
        blinds=cleared.bit_count(),
        reached=reached,
        cleared=cleared,
        last_blind=last_blind,
        jokers=[joker["key"] for joker in view["jokers"]],
        best_hand=best_hand,
        money=game.money,
        steps=steps,
    )
