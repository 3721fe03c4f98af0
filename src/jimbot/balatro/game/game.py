"""One run of Balatro, complete and exact: ``Game(seed).step(action)``.

The engine holds the run; this class gives it readable objects, refuses illegal actions with a reason, and keeps the
actions so that a run can be replayed.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from jimbot import _engine
from jimbot.balatro.game.actions import Action, ActionKind, Encoded
from jimbot.balatro.game.descriptions import describe_action
from jimbot.balatro.game.parts import (
    PHASES,
    Blind,
    Card,
    ConsumableCard,
    HandLevel,
    JokerCard,
    Pack,
    Phase,
    Plain,
    Shop,
    parse_card,
    parse_items,
    parse_joker,
)
from jimbot.balatro.seeds.contents import SeedError, normalize_seed
from jimbot.errors import JimbotError, add_suggestion

if TYPE_CHECKING:
    from collections.abc import Callable

PROFILES = ("all", "fresh")

_DIGITS = "123456789"
_EARLY_LETTERS = "ABCDEFGHIJKLMN"
_LATE_LETTERS = "PQRSTUVWXYZ"


class PlayPreview(NamedTuple):
    """A legal play and the score it would get."""

    action: Action
    hand: str
    score: float
    """With the worst outcome of everything random."""
    exact: bool
    """Whether nothing random decides the score."""
    blocked: bool
    """Whether the boss refuses the hand."""


class IllegalActionError(JimbotError, ValueError):
    """Raised for an action that is illegal now. The run is unchanged."""


class NotAnActionError(JimbotError, TypeError):
    """Raised for a value that is not an action. The run is unchanged."""


def _ask_engine(ask: Callable[..., int], action: Action, *more: Any) -> int:
    """Pass an action to the engine; returns 0 or the number of the refusal, and raises if it is not an action."""
    if not isinstance(action, Action):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may be untyped
        raise NotAnActionError(
            f"{action!r:.60} is not an action; make one, as in Action.play(0, 1) or Action.select_blind(), or take one "
            "of game.legal_actions()"
        )
    try:
        return ask(*action.encode(), *more)
    except (TypeError, ValueError):
        raise NotAnActionError(
            f"{action!r} is not an action; its kind must be of ActionKind and its positions whole numbers, 0 to 255"
        ) from None


def random_seed(rng: random.Random | None = None) -> str:
    """Draw a seed as the game does: eight characters of 1-9, A-N and P-Z."""
    source = rng or random.SystemRandom()

    def character() -> str:
        if source.random() > 0.7:
            return source.choice(_DIGITS)
        return source.choice(_EARLY_LETTERS if source.random() > 0.45 else _LATE_LETTERS)

    return "".join(character() for _ in range(8))


class Game:
    """A run in progress. ``profile`` is "all" (everything unlocked) or "fresh" (a new player's pools).

    A seed is read as the game reads a typed one: small letters are capitals, 0 is the letter O. ``raw_seed=True`` takes
    it verbatim, as the game takes a seed from a program; a 0 then stays a 0, which is another run.
    """

    def __init__(
        self,
        seed: str | None = None,
        deck: str = "b_red",
        stake: int = 1,
        challenge: str | None = None,
        profile: str = "all",
        *,
        endless: bool = False,
        raw_seed: bool = False,
    ) -> None:
        if profile not in PROFILES:
            raise SeedError(f"unknown profile '{profile}'; expected all or fresh")
        if challenge is not None and (stake != 1 or deck != "b_red"):
            raise SeedError(
                "a challenge brings its own deck and runs at White Stake; leave deck and stake out"
            )
        self.seed = random_seed() if seed is None else normalize_seed(seed, raw=raw_seed)
        self.deck = deck
        self.stake = stake
        self.challenge = challenge
        self.profile = profile
        self.endless = endless
        try:
            self._run = _engine.GameState(
                self.seed, deck, stake, challenge or "", profile == "fresh", endless
            )
        except ValueError as error:
            raise SeedError(add_suggestion(str(error))) from None
        self._actions: list[Encoded] | None = []

    # --- acting ------------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Return every legal action; empty when the run is over."""
        return [Action.decode(encoded) for encoded in self._run.legal_actions()]

    def why_not(self, action: Action) -> str | None:
        """Return why an action is illegal now, or None if it is legal."""
        refusal = _ask_engine(self._run.check, action)
        return _engine.refusal_text(refusal) if refusal else None

    def step(self, action: Action) -> Phase:
        """Take an action and return the next phase. An illegal action raises and changes nothing."""
        refusal = _ask_engine(self._run.apply_recorded, action, self._actions)
        if refusal:
            raise IllegalActionError(f"{self.describe(action)}: {_engine.refusal_text(refusal)}")
        return self.phase

    def preview(self, action: Action) -> Plain:
        """Compute the score of a play without playing it.

        ``hand``, ``scoring_indices``, ``chips``, ``mult``, ``score`` (the worst case), ``expected``, ``best``,
        ``money``, ``blocked``, and ``exact``: whether nothing random is involved.
        """
        _ask_engine(self._run.check, action)
        if action.kind != ActionKind.PLAY_HAND:
            name = ActionKind(action.kind).name.lower()
            raise IllegalActionError(f"only plays have a score to preview, not {name}")
        try:
            return self._run.preview(action.encode()[3])
        except ValueError as error:
            raise IllegalActionError(f"{self.describe(action)}: {error}") from None

    def preview_all(self) -> list[PlayPreview]:
        """Compute the scores of all legal plays in one pass; empty outside of a round."""
        return [
            PlayPreview(Action.decode((ActionKind.PLAY_HAND, 0, 0, mask)), hand, score, exact, blocked)
            for mask, hand, score, exact, blocked in self._run.preview_all()
        ]

    # --- copies ------------------------------------------------------------------------------------------------

    def clone(self) -> Game:
        """Return an independent copy, including hidden cards and future random numbers."""
        return self._with(self._run.clone(), self.actions)

    def _with(self, run: _engine.GameState, actions: list[Encoded] | None) -> Game:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__ | {"_run": run, "_actions": actions})
        return copy

    def resample_hidden(self, seed: int) -> Game:
        """Return a copy with the same public view in which everything hidden is drawn anew (a determinization).

        Draw order, face-down cards and jokers, choices not shown yet, and all random numbers to come are fresh.
        """
        run = self._run.clone()
        run.resample_hidden(seed & 0xFFFFFFFFFFFFFFFF)
        return self._with(run, None)

    def snapshot(self) -> bytes:
        """Serialize the whole run as versioned, checksummed bytes."""
        return self._run.snapshot()

    @classmethod
    def restore(cls, snapshot: bytes) -> Game:
        """Restore a run from a snapshot; other or damaged bytes raise."""
        try:
            run = _engine.GameState.restore(snapshot)
        except ValueError as error:
            raise SnapshotError(str(error)) from None
        game = object.__new__(cls)
        plain = run.describe()
        game.seed, game.deck, game.stake = plain["seed"], plain["deck"], plain["stake"]
        game.challenge, game.endless, game.profile = plain["challenge"], plain["endless"], "all"
        game._run = run
        game._actions = None
        return game

    def edit(self, **changes: Any) -> None:
        """Change parts of the run by hand, for puzzles, tests and calculators.

        Cards and jokers are given in one-line form: ``hand=["S_A;h=m_glass"]``, ``jokers=["j_blueprint;e=foil"]``.
        Every value is checked before anything is changed: one that is of another type or out of its range is refused
        by name, and the run stays as it was. An edited run can no longer be replayed from its seed.
        """
        try:
            self._run.edit(changes)
        except (ValueError, TypeError, RuntimeError) as error:
            raise EditError(str(error)) from None
        self._actions = None

    @property
    def actions(self) -> list[Encoded] | None:
        """The actions taken so far in encoded form; None if the run did not come from its seed alone."""
        return None if self._actions is None else list(self._actions)

    # --- looking -----------------------------------------------------------------------------------------------

    def state(self) -> Plain:
        """Return the complete state as plain values, with hidden cards and the seed. For tools, not for players."""
        return self._run.describe()

    def public_view(self, *, hidden: bool = False) -> Plain:
        """Return what a player may know as plain JSON-able values; with ``hidden``, the complete ``state``."""
        return self._run.describe() if hidden else self._run.public_view()

    @property
    def engine_state(self) -> _engine.GameState:
        """The run as an engine object, for players that run in the engine. Changes to it change this run."""
        return self._run

    @property
    def hash(self) -> int:
        """A 64-bit hash of the whole run."""
        return self._run.hash()

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return PHASES[self._run.phase]

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.phase is Phase.GAME_OVER

    @property
    def won(self) -> bool:
        """Whether the boss of ante 8 was beaten."""
        return self._run.won

    @property
    def ante(self) -> int:
        """The current ante."""
        return self._run.ante

    @property
    def round(self) -> int:
        """Blinds played so far."""
        return self._run.round

    @property
    def money(self) -> int:
        """Dollars held."""
        return self._run.money

    @property
    def blind(self) -> Blind:
        """The blind being played."""
        plain = self._run.public_view()["blind"]
        return Blind(**{field: plain[field] for field in Blind.__dataclass_fields__})

    @property
    def hand(self) -> list[Card]:
        """Cards in hand as a player sees them, left to right; of a face-down card only its back is known."""
        return self.hand_cards()

    def hand_cards(self, *, hidden: bool = False) -> list[Card]:
        """Return the cards in hand, left to right; with ``hidden``, face-down cards are revealed."""
        return [parse_card(card) for card in self.public_view(hidden=hidden)["hand"]]

    @property
    def jokers(self) -> list[JokerCard]:
        """Owned jokers as a player sees them, left to right; of a face-down joker only its back is known."""
        return self.owned_jokers()

    def owned_jokers(self, *, hidden: bool = False) -> list[JokerCard]:
        """Return the owned jokers, left to right; with ``hidden``, face-down jokers are revealed."""
        return [parse_joker(joker) for joker in self.public_view(hidden=hidden)["jokers"]]

    @property
    def consumables(self) -> list[ConsumableCard]:
        """Owned consumables, left to right."""
        return [
            ConsumableCard(card["key"], card["name"], card["edition"], card["sell_value"])
            for card in self._run.public_view()["consumables"]
        ]

    @property
    def shop(self) -> Shop | None:
        """The open shop."""
        plain = self._run.public_view()["shop"]
        if plain is None:
            return None
        return Shop(
            parse_items(plain["slots"]),
            parse_items(plain["vouchers"]),
            parse_items(plain["packs"]),
            plain["reroll_price"],
        )

    @property
    def pack(self) -> Pack | None:
        """The open booster pack."""
        plain = self._run.public_view()["pack"]
        return plain and Pack(plain["key"], parse_items(plain["cards"]), plain["choices_left"])

    @property
    def hands(self) -> dict[str, HandLevel]:
        """Levels and counts of the poker hands by name."""
        return {name: HandLevel(**plain) for name, plain in self._run.public_view()["hands"].items()}

    @property
    def tags(self) -> list[str]:
        """Held tags, oldest first."""
        return [tag["key"] for tag in self._run.public_view()["tags"]]

    def describe(self, action: Action) -> str:
        """Describe an action in words."""
        _ask_engine(self._run.check, action)
        return describe_action(self._run.public_view(), action)

    def __repr__(self) -> str:
        return f"Game({self.seed}, {self.deck}, stake {self.stake}: ante {self.ante}, {self.phase}, ${self.money})"


class SnapshotError(JimbotError, ValueError):
    """Raised for bytes that are not a snapshot of this engine's version."""


class EditError(JimbotError, ValueError):
    """Raised for an invalid change of a run."""
