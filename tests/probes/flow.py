"""Probes of the flow of a run: phases, winning and losing, endless antes, cash-out, prices, rerolls, profiles."""

import json
from pathlib import Path
from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.table import (
    FAR,
    keys,
    next_round,
    play,
    playing,
    probe,
    refused,
    shopping,
    start,
    win_round,
)
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase

ENDLESS = {
    1: (110000, 560000, 7200000, 3.0e8, 4.7e10, 2.9e13, 7.7e16, 8.6e20),
    3: (230000, 1100000, 14000000, 6.0e8, 9.4e10, 5.8e13, 1.5e17, 1.7e21),
    6: (460000, 2200000, 29000000, 1.2e9, 1.8e11, 1.1e14, 3.0e17, 3.4e21),
}
"""Bases of antes 9 to 16 by the first stake that uses them."""
WRONG_EVERYWHERE = (Action.play(0), Action.discard(0), Action.cash_out(), Action.reroll_shop())


def target(ante: int, place: str = "small", **options: Any) -> float:
    """The target of a blind of this ante."""
    game = start(**options)
    game.edit(ante=ante, next_blind=place, boss="bl_hook")
    game.step(Action.select_blind())
    return game.blind.target


def close(value: float, expected: float) -> bool:
    """Whether a large target is the expected one, but for the last binary digits."""
    return abs(value - expected) <= 1e-9 * expected


# --- endless antes ------------------------------------------------------------------------------------------------


@probe(
    "rule:endless", met=True, says="asks for the scores of antes 9 to 16 cut to two digits, for every stake"
)
def _() -> None:
    for stake, bases in ENDLESS.items():
        for ante, base in enumerate(bases, 9):
            assert close(target(ante, stake=stake), base), (stake, ante)
            assert close(target(ante, "big", stake=stake), base * 1.5)
            assert close(target(ante, "boss", stake=stake), base * 2)


@probe("rule:endless", met=True, says="goes on after the boss of ante 8 when the run is an endless one")
def _() -> None:
    game = start(endless=True)
    game.edit(ante=8)
    win_round(playing(game=game, blind="bl_final_leaf"))
    assert game.phase is Phase.ROUND_EVAL
    assert game.won
    game.step(Action.cash_out())
    assert game.ante == 9
    game.step(Action.leave_shop())
    game.step(Action.select_blind())
    assert game.blind.target == 110000
    assert game.won


@probe("rule:endless", met=True, says="brings ordinary bosses in ante 9 and showdown bosses in ante 16")
def _() -> None:
    for seed in SEEDS[:12]:
        for ante, final in ((9, False), (15, False), (16, True), (24, True)):
            game = start(seed, endless=True)
            game.edit(ante=ante - 1)
            shopping(playing(game=game, blind="bl_hook"))
            assert game.ante == ante
            assert game.state()["boss"].startswith("bl_final_") == final


@probe("rule:endless", met=False, says="asks for 100 in ante 0 and below")
def _() -> None:
    for ante in (0, -1, -5):
        assert target(ante) == 100
        assert target(ante, "big") == 150
        assert target(ante, "boss", stake=8) == 200
        assert target(ante, deck="b_plasma") == 200


@probe("rule:endless", met=False, says="is over with the boss of ante 8 when the run is not an endless one")
def _() -> None:
    game = start()
    game.edit(ante=8)
    win_round(playing(game=game, blind="bl_final_leaf"))
    assert game.phase is Phase.GAME_OVER
    assert game.won
    assert game.legal_actions() == []


# --- phases -------------------------------------------------------------------------------------------------------


@probe(
    "rule:phases",
    met=True,
    says="leads from blind to cash-out to shop to the next blind, three blinds an ante",
)
def _() -> None:
    game = start()
    for number, (place, blind) in enumerate((("small", "bl_small"), ("big", "bl_big"), ("boss", None)), 1):
        assert game.phase is Phase.BLIND_SELECT
        assert game.state()["next_blind"] == place
        boss = game.state()["boss"]
        assert game.step(Action.select_blind()) is Phase.PLAYING
        assert game.blind.key == (blind or boss)
        assert game.round == number
        win_round(game)
        assert game.phase is Phase.ROUND_EVAL
        assert game.step(Action.cash_out()) is Phase.SHOP
        assert game.step(Action.leave_shop()) is Phase.BLIND_SELECT
    assert game.ante == 2
    assert game.state()["next_blind"] == "small"


@probe("rule:phases", met=True, says="returns all cards to the deck after a round and deals anew")
def _() -> None:
    game = playing()
    game.step(Action.discard(0, 1, 2))
    game.step(Action.play(0, 1))
    win_round(game)
    state = game.state()
    assert (len(state["draw_pile"]), state["hand"], state["discard_pile"]) == (52, [], [])
    next_round(shopping(game))
    assert (len(game.hand), len(game.state()["draw_pile"])) == (8, 44)
    assert (game.blind.hands_left, game.blind.discards_left, game.blind.score) == (4, 4, 0)


@probe(
    "rule:phases", met=True, says="draws the next voucher when the boss falls, tags and boss at the cash-out"
)
def _() -> None:
    second = set(POOLS["voucher"][1::2])
    for seed in SEEDS[:10]:
        game = start(seed)
        before = game.state()
        draws = Draws(seed)
        first = draws.pool("Voucher1", "voucher", second.__contains__)
        assert before["ante_voucher"] == first
        win_round(playing(game=game, blind=before["boss"]))
        state = game.state()
        assert state["ante"] == 2
        assert state["ante_voucher"] == draws.pool("Voucher2", "voucher", second.__contains__)
        assert state["boss"] == before["boss"]
        game.step(Action.cash_out())
        state = game.state()
        assert state["skip_tags"] == [draws.pool("Tag2", "tag", lambda _: False) for _ in range(2)]
        assert state["boss"] != before["boss"]


@probe("rule:phases", met=True, says="deals the hand from the end of the deck shuffled for the round")
def _() -> None:
    for seed in SEEDS[:10]:
        game = start(seed)
        game.step(Action.select_blind())
        order = Draws(seed).shuffled("nr1", POOLS["playing_card_fronts"])
        assert {card.card for card in game.hand} == set(order[-8:])
        assert [card["card"] for card in game.state()["draw_pile"]] == order[-9::-1]


@probe("rule:phases", met=True, says="does not open a shop after a skipped blind")
def _() -> None:
    game = start()
    game.edit(skip_tags=["tag_juggle", "tag_juggle"])
    assert game.step(Action.skip_blind()) is Phase.BLIND_SELECT
    assert game.step(Action.skip_blind()) is Phase.BLIND_SELECT
    assert game.round == 0
    assert game.money == 4
    refused(game, Action.skip_blind())


@probe("rule:phases", met=True, says="lets jokers be sold and moved and consumables be used in every phase")
def _() -> None:
    game = start()

    def use_all() -> None:
        game.edit(jokers=["j_joker", "j_egg"], consumables=["c_mars", "c_fool"])
        level = game.hands["Four of a Kind"].level
        game.step(Action.move_joker(0, 1))
        assert keys(game.jokers) == ["j_egg", "j_joker"]
        game.step(Action.sell_joker(1))
        game.step(Action.use(0))
        assert game.hands["Four of a Kind"].level == level + 1
        game.step(Action.sell_consumable(0))
        assert game.consumables == []

    use_all()
    game.step(Action.select_blind())
    use_all()
    win_round(game)
    use_all()
    game.step(Action.cash_out())
    use_all()
    game.edit(shop_packs=["p_arcana_normal_1"], money=10)
    game.step(Action.open_pack(0))
    use_all()


@probe("rule:phases", met=False, says="refuses what belongs to another phase")
def _() -> None:
    game = start()
    for action in (*WRONG_EVERYWHERE, Action.leave_shop(), Action.buy(0), Action.skip_pack(), Action.pick(0)):
        refused(game, action)
    game.step(Action.select_blind())
    for action in (Action.select_blind(), Action.skip_blind(), Action.cash_out(), Action.reroll_shop()):
        refused(game, action)
    win_round(game)
    for action in (Action.play(0), Action.discard(0), Action.leave_shop(), Action.select_blind()):
        refused(game, action)
    game.step(Action.cash_out())
    for action in (Action.play(0), Action.cash_out(), Action.select_blind(), Action.skip_pack()):
        refused(game, action)


@probe("rule:phases", met=False, says="refuses hands of none or six cards and discards without discards left")
def _() -> None:
    game = playing()
    refused(game, Action.play())
    refused(game, Action.discard())
    refused(game, Action.play(0, 1, 2, 3, 4, 5))
    refused(game, Action.discard(0, 1, 2, 3, 4, 5))
    refused(game, Action.play(8))
    for _ in range(4):
        game.step(Action.discard(0))
    refused(game, Action.discard(0))


# --- winning and losing -------------------------------------------------------------------------------------------


@probe("rule:win", met=True, says="ends the round as soon as the score meets the target exactly")
def _() -> None:
    game = playing(["S_A", "H_2"], target=16)
    game.step(Action.play(0))
    assert game.phase is Phase.ROUND_EVAL


@probe("rule:win", met=True, says="adds up the hands of the round")
def _() -> None:
    game = playing(["S_A", "H_2"], target=32)
    game.step(Action.play(0))
    assert game.phase is Phase.PLAYING
    game.edit(hand=["S_A", "H_2"])
    game.step(Action.play(0))
    assert game.phase is Phase.ROUND_EVAL
    assert game.state()["cash_out"]["hands"] == 2


@probe("rule:win", met=True, says="wins the run with the boss of ante 8, not before")
def _() -> None:
    for ante, blind, won in ((8, "bl_final_bell", True), (8, "bl_big", False), (7, "bl_hook", False)):
        game = start()
        game.edit(ante=ante)
        playing(game=game, blind=blind, target=0)
        game.step(Action.play(next((place for place, card in enumerate(game.hand) if card.forced), 0)))
        assert game.won == won
        assert (game.phase is Phase.GAME_OVER) == won


@probe("rule:win", met=False, says="goes on one point below the target")
def _() -> None:
    game = playing(["S_A", "H_2"], target=17)
    game.step(Action.play(0))
    assert game.phase is Phase.PLAYING
    assert game.blind.score == 16


@probe("rule:loss", met=True, says="is lost when the last hand leaves the score below the target")
def _() -> None:
    game = playing(["S_A", "H_2"], target=17, hands_left=1)
    game.step(Action.play(0))
    assert game.phase is Phase.GAME_OVER
    assert not game.won
    assert game.legal_actions() == []
    refused(game, Action.cash_out())


@probe("rule:loss", met=True, says="is lost when no cards are left to play or draw")
def _() -> None:
    game = playing(["S_A", "H_2"], draw_pile=[], target=FAR)
    game.step(Action.play(0, 1))
    assert game.phase is Phase.GAME_OVER
    game = playing(["S_A", "H_2"], draw_pile=[], target=FAR)
    game.step(Action.discard(0, 1))
    assert game.phase is Phase.GAME_OVER


@probe("rule:loss", met=True, says="is lost when the hand size is 0 and a hand is to be drawn")
def _() -> None:
    game = start()
    game.edit(hand_size=0)
    game.step(Action.select_blind())
    assert game.phase is Phase.GAME_OVER


@probe("rule:loss", met=False, says="is won, not lost, when the last hand meets the target")
def _() -> None:
    game = playing(["S_A", "H_2"], target=16, hands_left=1)
    game.step(Action.play(0))
    assert game.phase is Phase.ROUND_EVAL
    assert game.state()["cash_out"]["hands"] == 0


@probe(
    "rule:loss", met=False, says="is averted by Mr. Bones at a quarter of the target, which costs the reward"
)
def _() -> None:
    game = playing(["S_A", "H_2"], jokers=["j_mr_bones"], target=64, hands_left=1)
    game.step(Action.play(0))
    assert game.phase is Phase.ROUND_EVAL
    assert game.jokers == []
    assert game.state()["cash_out"]["reward"] == 0
    game = playing(["S_A", "H_2"], jokers=["j_mr_bones"], target=65, hands_left=1)
    game.step(Action.play(0))
    assert game.phase is Phase.GAME_OVER


@probe("rule:loss", met=False, says="is not lost with cards in hand and an empty draw pile")
def _() -> None:
    game = playing(["S_A", "H_2"], draw_pile=[], target=FAR)
    game.step(Action.play(0))
    assert game.phase is Phase.PLAYING
    assert len(game.hand) == 1


# --- profiles -----------------------------------------------------------------------------------------------------

_POOLS = json.loads((Path(__file__).resolve().parent.parent / "data" / "pools.json").read_text())["pools"]
LOCKED = {
    entry["key"]
    for name in ("joker_common", "joker_uncommon", "joker_rare", "voucher")
    for entry in _POOLS[name]
    if entry.get("locked_on_fresh_profile")
}
UNDISCOVERED = {entry["key"] for entry in _POOLS["tag"] if entry.get("requires_discovered")}


def _shown(profile: str) -> set[str]:
    seen: set[str] = set()
    for number in range(1, 31):
        game = Game(f"FRESH{number}", profile=profile)
        state = game.state()
        seen |= {state["ante_voucher"], *state["skip_tags"]}
        shopping(game, money=1000)
        assert game.shop
        for _ in range(15):
            game.step(Action.reroll_shop())
            seen |= set(keys(game.shop.slots))
    return seen


@probe(
    "rule:profile", met=True, says="keeps locked jokers, vouchers and undiscovered tags from a fresh profile"
)
def _() -> None:
    assert len(LOCKED) == 45 - 5 + 16
    assert len(UNDISCOVERED) == 5
    assert not _shown("fresh") & (LOCKED | UNDISCOVERED)


@probe("rule:profile", met=False, says="offers everything to a profile that has it all")
def _() -> None:
    seen = _shown("all")
    assert len(seen & LOCKED) > 5
    assert seen & UNDISCOVERED


@probe("rule:profile", met=True, says="draws again where a locked voucher or an undiscovered tag came up")
def _() -> None:
    late = {entry["key"] for entry in _POOLS["tag"] if entry.get("min_ante", 1) > 1}
    assert len(late) == 9
    blank = late | UNDISCOVERED
    for seed in SEEDS:
        fresh, full = Game(seed, profile="fresh").state(), Game(seed).state()
        assert fresh["boss"] == full["boss"]
        assert fresh["ante_voucher"] == full["ante_voucher"]
        draws = Draws(seed)
        assert fresh["skip_tags"] == [draws.pool("Tag1", "tag", blank.__contains__) for _ in range(2)]


@probe("rule:win", met=False, says="does not carry the score over to the next round")
def _() -> None:
    game = playing(["S_A", "H_2"])
    assert play(game, 0) == 16
    next_round(shopping(game))
    assert game.blind.score == 0
