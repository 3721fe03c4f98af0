"""Short scenes for probes of jokers: cards played or thrown away, and what is left of it."""

from collections.abc import Sequence
from typing import Any

from tests.probes.draws import Draws
from tests.probes.table import SEED, keys, play, playing

from jimbot.balatro import Action, Game

ACE = 5 + 11
"""What a lone Ace scores as a High Card."""

SEEDS = [f"PROBE{letter}{digit}" for letter in "ABCDEFGHIJKLMN" for digit in range(1, 10)]
"""Seeds in which chances come off and fail."""


def grown(game: Game, position: int = 0) -> float:
    """The stored value of a joker."""
    return game.jokers[position].value


def fronts(cards: Sequence[Any]) -> list[str | None]:
    """Fronts of cards in hand."""
    return [card.card for card in cards]


def deck_size(game: Game) -> int:
    """How many playing cards are owned."""
    return game.state()["deck_size"]


def from_pool(kind: str, source: str, count: int = 1, seed: str = SEED) -> list[str]:
    """The first Tarots or Spectrals that the streams of ante 1 give a source, none of them twice."""
    draws, found = Draws(seed), list[str]()
    for _ in range(count):
        blank = ("c_soul", "c_black_hole", *found)
        found.append(draws.pool(f"{kind}{source}1", kind.lower(), lambda key, no=blank: key in no))
    return found


def thrown(*hand: str, jokers: Sequence[str], **changes: Any) -> int:
    """Money gained by discarding these cards."""
    game = playing([*hand, "D_2"], jokers=jokers, **changes)
    before = game.money
    game.step(Action.discard(*range(len(hand))))
    return game.money - before


def made(*hand: str, jokers: Sequence[str], **changes: Any) -> list[str]:
    """Consumables held after these cards were played."""
    game = playing([*hand, "D_2"], jokers=jokers, **changes)
    play(game, *range(len(hand)))
    return keys(game.consumables)


def earned(
    *hand: str, jokers: Sequence[str], held: Sequence[str] = (), game: Game | None = None, **changes: Any
) -> int:
    """Money gained by playing these cards."""
    run = playing([*hand, *held], jokers=jokers, game=game, **changes)
    before = run.money
    play(run, *range(len(hand)))
    return run.money - before
