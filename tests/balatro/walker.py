"""A scripted player that walks through whole games by ``Game.step`` and writes down what the game shows.

It does what the walk vectors say: blinds named in the policy are skipped and the packs of their tags opened, every
other blind is won; in each shop the rows are read, rerolled as often as the policy says, then both packs are opened
and skipped, and nothing is bought. Only three things are done by hand and not by playing: the target of a blind is set
to 0, so that any hand wins; money is set in shops, so that rerolls and packs can be paid; and the vouchers of the
synthetic vectors count as redeemed from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jimbot.balatro import Action, Game, Phase

MONEY = 10_000


def win_blind(game: Game) -> None:
    """Play one card for a target of 0 (with the forced card, if a boss forces one) and cash out."""
    game.edit(target=0)
    hand = game.state()["hand"]
    forced = [place for place, card in enumerate(hand) if card["forced"]]
    game.step(Action.play(forced[0] if forced else 0))
    assert game.phase in (Phase.ROUND_EVAL, Phase.GAME_OVER)


def open_and_skip(game: Game) -> tuple[str, list[str]]:
    """Key and cards of the open pack, which is then skipped."""
    pack = game.state()["pack"]
    game.step(Action.skip_pack())
    return pack["key"], [card["item"] for card in pack["cards"]]


def visit_shop(game: Game, rerolls: int) -> tuple[list[list[str]], list[list[Any]]]:
    """Rows and packs of the shop that is entered by cashing out and then left."""
    game.step(Action.cash_out())
    game.edit(money=MONEY)
    rows = [shelf(game)]
    for _ in range(rerolls):
        game.step(Action.reroll_shop())
        rows.append(shelf(game))
    packs: list[list[Any]] = []
    for position in range(2):
        game.step(Action.open_pack(position))
        packs.append(list(open_and_skip(game)))
    assert shelf(game) == rows[-1]
    game.step(Action.leave_shop())
    return rows, packs


def shelf(game: Game) -> list[str]:
    """What the card slots of the shop show."""
    return [slot["item"] for slot in game.state()["shop"]["slots"]]


def blinds(game: Game, antes: int) -> Iterator[tuple[int, str]]:
    """Ante and blind of every choice ahead, as long as the caller plays or skips each."""
    while not game.over and game.ante <= antes:
        assert game.phase is Phase.BLIND_SELECT
        yield game.ante, game.state()["next_blind"]


def walk(seed: str, deck: str, stake: int, policy: dict[str, Any], antes: int) -> list[Any]:
    """The antes of a walk in the form of the vector files."""
    game = Game(seed, deck, stake)
    redeemed = policy["vouchers_redeemed_before_first_shop"]
    if redeemed:
        game.edit(vouchers=[*game.state()["vouchers"], *redeemed])
    seen = [[_tags(game), [], []]]
    for ante, blind in blinds(game, antes):
        if blind in policy["skip"]:
            tag = seen[-1][0][0 if blind == "small" else 1]
            game.step(Action.skip_blind())
            while game.phase is Phase.PACK:
                seen[-1][2].append([blind, tag, *open_and_skip(game)])
            continue
        game.step(Action.select_blind())
        win_blind(game)
        if game.over:
            break
        rows, packs = visit_shop(game, policy["rerolls_per_shop"])
        if game.ante > ante:
            seen.append([_tags(game), [], []])
        if not any(entry[1] for entry in seen):
            packs[0].append(1)  # the run's first pack is always the same
        seen[-1][1].append([blind, rows, packs])
    return seen[:antes]


def _tags(game: Game) -> list[str]:
    return game.state()["skip_tags"]


def first_hands(seed: str, deck: str, antes: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Ante, blind (0 to 2) and state just after each blind was chosen; shops are left at once."""
    game = Game(seed, deck)
    for ante, blind in blinds(game, antes):
        game.step(Action.select_blind())
        yield ante, ("small", "big", "boss").index(blind), game.state()
        win_blind(game)
        if not game.over:
            game.step(Action.cash_out())
            game.step(Action.leave_shop())
