"""The probe table and the few helpers its entries are written with.

A probe is a function that sets up a run, acts through ``Game.step`` and asserts what follows. It names the item it is
about and whether the item's trigger is met:

    @probe("j_joker", met=True, says="adds 4 Mult")
    def _() -> None:
        assert score_of(["H_A"], jokers=["j_joker"]) == (5 + 11) * (1 + 4)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jimbot.balatro import Action, Game, Phase

SEED = "PROBE"
"""Seed of runs whose randomness a probe does not care about."""

FAR = 1e12
"""A target that no probe's hand reaches, so that the round goes on."""


@dataclass(frozen=True)
class Probe:
    """One entry of the table."""

    item: str
    met: bool
    says: str
    run: Callable[[], None]
    where: str


PROBES: list[Probe] = []


def probe(item: str, *, met: bool, says: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Enter the decorated function as a probe of ``item`` with its trigger met or not met."""

    def enter(run: Callable[[], None]) -> Callable[[], None]:
        where = f"{run.__module__.rsplit('.', 1)[-1]}:{run.__code__.co_firstlineno}"
        PROBES.append(Probe(item, met, says, run, where))
        return run

    return enter


def start(seed: str = SEED, **options: Any) -> Game:
    """A new run at the blind-select screen; options of ``Game``."""
    return Game(seed, **options)


def playing(
    hand: Sequence[str] | None = None,
    *,
    jokers: Sequence[str] = (),
    blind: str = "bl_small",
    game: Game | None = None,
    target: float = FAR,
    **changes: Any,
) -> Game:
    """A run in the middle of a blind with this hand and these jokers.

    The blind is selected through ``step``, with the jokers owned by then, so that everything that happens on selection
    happens. ``changes`` are given to ``Game.edit`` afterwards, together with the hand and the target. The hand keeps
    the order given until the next draw.
    """
    run = game or start()
    place = {"bl_small": "small", "bl_big": "big"}.get(blind, "boss")
    run.edit(next_blind=place, **({"boss": blind} if place == "boss" else {}))
    if jokers:
        run.edit(jokers=list(jokers))
    run.step(Action.select_blind())
    if hand is not None:
        changes["hand"] = list(hand)
    run.edit(target=target, **changes)
    return run


def play(game: Game, *positions: int) -> float:
    """Play these positions (all cards if none are named) and return what the hand scored."""
    before = game.blind.score
    chosen = positions or tuple(range(len(game.hand)))
    game.step(Action.play(*chosen))
    return game.blind.score - before


def score_of(
    played: Sequence[str],
    *,
    held: Sequence[str] = (),
    jokers: Sequence[str] = (),
    blind: str = "bl_small",
    **changes: Any,
) -> float:
    """What these played cards score, with ``held`` kept in hand."""
    game = playing([*played, *held], jokers=jokers, blind=blind, **changes)
    return play(game, *range(len(played)))


def win_round(game: Game) -> Game:
    """Beat the blind being played with the first card of the hand; the run is then at the cash-out."""
    game.edit(target=0)
    game.step(Action.play(0))
    assert game.phase in (Phase.ROUND_EVAL, Phase.GAME_OVER)
    return game


def shopping(game: Game | None = None, *, jokers: Sequence[str] = (), **changes: Any) -> Game:
    """A run in the shop after its blind; ``changes`` (say ``shop_slots``, ``money``) are given to ``Game.edit``."""
    run = game or playing(jokers=jokers)
    if run.phase is Phase.BLIND_SELECT:
        run.step(Action.select_blind())
    if run.phase is Phase.PLAYING:
        win_round(run)
    run.step(Action.cash_out())
    if changes:
        run.edit(**changes)
    return run


def next_round(game: Game, blind: str | None = None) -> Game:
    """Leave the shop and select the next blind (a boss if named)."""
    game.step(Action.leave_shop())
    if blind:
        game.edit(boss=blind, next_blind="boss")
    game.step(Action.select_blind())
    return game


def refused(game: Game, action: Action) -> str:
    """The reason the action is refused; fails if it is legal. Nothing may change."""
    before = game.hash
    reason = game.why_not(action)
    assert reason is not None, f"{game.describe(action)} is legal"
    assert game.hash == before
    return reason


def keys(cards: Sequence[Any]) -> list[str]:
    """Keys of jokers, consumables or shelf items."""
    return [card.key for card in cards if card is not None]
