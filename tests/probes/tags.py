"""Probes of the 24 tags, gained by skipping blinds."""

from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.table import SEED, keys, playing, probe, shopping, start, win_round
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase


def skipped(*tags: str, game: Game | None = None, **changes: Any) -> Game:
    """A run that has skipped its small blind (and its big blind) for these tags."""
    run = game or start()
    run.edit(skip_tags=[*tags, "tag_skip"][:2], **changes)
    for _ in tags:
        run.step(Action.skip_blind())
    return run


def shop_with(*tags: str, game: Game | None = None, **changes: Any) -> Game:
    """The shop after the round that follows the skipping; tags beyond two are put there by hand."""
    run = skipped(*tags[:2], game=game, **changes)
    if tags[2:]:
        run.edit(tags=list(tags))
    run.edit(boss="bl_hook")
    run.step(Action.select_blind())
    assert run.phase is Phase.PLAYING
    return shopping(run)


def row(game: Game) -> list[Any]:
    """The cards of the shop's slots."""
    assert game.shop
    return [item for item in game.shop.slots if item]


# --- skipping -----------------------------------------------------------------------------------------------------


@probe("tag_skip", met=True, says="pays $5 per blind skipped in the run, this one included")
def _() -> None:
    game = skipped("tag_skip")
    assert game.money == 4 + 5
    assert game.state()["skips"] == 1
    assert game.tags == []
    game.step(Action.skip_blind())
    assert game.money == 4 + 5 + 10
    assert game.state()["next_blind"] == "boss"


@probe("tag_skip", met=False, says="is not gained when the blind is played instead")
def _() -> None:
    game = start()
    game.edit(skip_tags=["tag_skip", "tag_skip"])
    game.step(Action.select_blind())
    assert game.money == 4
    assert game.tags == []
    assert game.state()["skips"] == 0


@probe("tag_handy", met=True, says="pays $1 per hand played in the run")
def _() -> None:
    game = playing()
    game.step(Action.play(0))
    game.step(Action.play(0))
    shopping(game, skip_tags=["tag_handy", "tag_handy"], money=0)
    game.step(Action.leave_shop())
    game.step(Action.skip_blind())
    assert game.money == 3
    assert game.tags == []


@probe("tag_handy", met=False, says="pays nothing before a hand was played")
def _() -> None:
    assert skipped("tag_handy").money == 4


@probe("tag_garbage", met=True, says="pays $1 per discard left at the end of each round of the run")
def _() -> None:
    game = playing()
    game.step(Action.discard(0))
    shopping(game, skip_tags=["tag_garbage", "tag_garbage"], money=0)
    game.step(Action.leave_shop())
    game.step(Action.skip_blind())
    assert game.money == 3


@probe("tag_garbage", met=False, says="pays nothing before a round ended, nor for used discards")
def _() -> None:
    assert skipped("tag_garbage").money == 4
    game = playing(discards_left=1)
    game.step(Action.discard(0))
    shopping(game, skip_tags=["tag_garbage", "tag_garbage"], money=0)
    game.step(Action.leave_shop())
    game.step(Action.skip_blind())
    assert game.money == 0


@probe("tag_economy", met=True, says="doubles the money held, by $40 at most")
def _() -> None:
    assert skipped("tag_economy", money=13).money == 26
    assert skipped("tag_economy", money=40).money == 80
    assert skipped("tag_economy", money=41).money == 81
    assert skipped("tag_economy", "tag_economy", money=7).money == 28


@probe("tag_economy", met=False, says="gives nothing to a run without money or in debt")
def _() -> None:
    assert skipped("tag_economy", money=0).money == 0
    assert skipped("tag_economy", money=-5).money == -5


@probe("tag_orbital", met=True, says="raises the hand named on the blind by three levels at once")
def _() -> None:
    game = start()
    named = game.state()["orbital_hands"]
    skipped("tag_orbital", game=game)
    assert game.hands[named[0]].level == 4
    skipped("tag_orbital", game=(other := start()))
    other.edit(skip_tags=["tag_orbital", "tag_orbital"])
    other.step(Action.skip_blind())
    assert other.hands[named[1]].level == (7 if named[0] == named[1] else 4)


@probe("tag_orbital", met=True, says="names a visible hand for each blind of the ante by the orbital stream")
def _() -> None:
    order = ["Full House", "Flush", "Pair", "High Card", "Straight Flush", "Straight", "Two Pair"]
    order += ["Three of a Kind", "Four of a Kind"]
    for seed in SEEDS[:10]:
        draws = Draws(seed)
        assert start(seed).state()["orbital_hands"] == [draws.element("orbital", order) for _ in range(3)]


@probe("tag_orbital", met=False, says="raises no other hand and never names a hidden one")
def _() -> None:
    game = skipped("tag_orbital")
    assert sorted(hand.level for hand in game.hands.values()) == [1] * 11 + [4]
    named = {hand for seed in SEEDS for hand in start(seed).state()["orbital_hands"]}
    assert not named & {"Five of a Kind", "Flush House", "Flush Five"}
    assert len(named) == 9


@probe("tag_top_up", met=True, says="creates two Common jokers by its own stream")
def _() -> None:
    for seed in SEEDS[:10]:
        game = skipped("tag_top_up", game=start(seed))
        draws, made = Draws(seed), []
        for _ in range(2):
            blank = {"j_cavendish", "j_ticket", *made}
            made.append(draws.pool("Joker1top1", "joker_common", blank.__contains__))
        assert keys(game.jokers) == made
        assert game.money == 4


@probe("tag_top_up", met=False, says="creates only what fits: one with one free slot, none with full slots")
def _() -> None:
    assert len(skipped("tag_top_up", jokers=["j_blueprint"] * 4).jokers) == 5
    assert len(skipped("tag_top_up", jokers=["j_blueprint"] * 5).jokers) == 5
    assert skipped("tag_top_up", jokers=["j_blueprint"] * 5).tags == []


LATE = ("negative", "standard", "meteor", "buffoon", "handy", "garbage", "ethereal", "top_up", "orbital")


def _enter_late_probe(tag: str) -> None:
    @probe(tag, met=False, says="is not offered in ante 1")
    def _() -> None:
        assert tag not in {offered for seed in SEEDS for offered in start(seed).state()["skip_tags"]}

    @probe(tag, met=True, says="may be offered from ante 2 on")
    def _() -> None:
        for number in range(1, 200):
            game = shopping(playing(game=start(f"TAG{number}"), blind="bl_hook"))
            assert game.ante == 2
            if tag in game.state()["skip_tags"]:
                return
        raise AssertionError("never offered")


for _name in LATE:
    _enter_late_probe(f"tag_{_name}")


@probe("tag_skip", met=True, says="is drawn like all tags of an ante by its Tag stream, small blind first")
def _() -> None:
    late = {f"tag_{name}" for name in LATE}
    for seed in SEEDS:
        draws = Draws(seed)
        offered = [draws.pool("Tag1", "tag", late.__contains__) for _ in range(2)]
        assert start(seed).state()["skip_tags"] == offered


# --- packs --------------------------------------------------------------------------------------------------------


def _pack(tag: str, game: Game | None = None, **changes: Any) -> Game:
    run = skipped(tag, game=game, **changes)
    assert run.phase is Phase.PACK
    assert run.money == 4
    assert run.tags == []
    return run


@probe("tag_charm", met=True, says="opens a free Mega Arcana pack: 2 of 5 tarots, with a dealt hand")
def _() -> None:
    game = _pack("tag_charm")
    assert game.pack
    assert game.pack.choices_left == 2
    assert len(game.pack.cards) == 5
    assert all(key in POOLS["tarot"] or key == "c_soul" for key in keys(game.pack.cards))
    assert len(game.hand) == 8
    game.step(Action.skip_pack())
    assert game.phase is Phase.BLIND_SELECT
    assert game.state()["next_blind"] == "big"
    assert game.hand == []
    assert game.state()["deck_size"] == 52


@probe("tag_charm", met=True, says="uses the streams of the ante's Arcana packs")
def _() -> None:
    for seed in SEEDS[:6]:
        game = _pack("tag_charm", start(seed))
        draws, made = Draws(seed), []
        for _ in range(5):
            assert draws.real("soul_Tarot1") <= 0.997
            made.append(draws.pool("Tarotar11", "tarot", made.__contains__))
        assert game.pack
        assert keys(game.pack.cards) == made


@probe("tag_charm", met=True, says="lets the chosen tarot act on the dealt hand")
def _() -> None:
    game = _pack("tag_charm")
    game.edit(pack_cards=["c_chariot", "c_sun", "c_hermit"])
    game.step(Action.pick(0, 3))
    assert game.hand[3].enhancement == "m_steel"
    game.step(Action.pick(1))
    assert game.money == 8
    assert game.phase is Phase.BLIND_SELECT


@probe("tag_meteor", met=True, says="opens a free Mega Celestial pack: 2 of 5 planets, no hand")
def _() -> None:
    game = _pack("tag_meteor")
    assert game.pack
    assert game.pack.choices_left == 2
    assert len(game.pack.cards) == 5
    assert all(key in POOLS["planet"] or key == "c_black_hole" for key in keys(game.pack.cards))
    assert game.hand == []
    game.edit(pack_cards=["c_mars", "c_mars"])
    game.step(Action.pick(0))
    game.step(Action.pick(0))
    assert game.hands["Four of a Kind"].level == 3
    assert game.phase is Phase.BLIND_SELECT


@probe("tag_standard", met=True, says="opens a free Mega Standard pack: 2 of 5 playing cards")
def _() -> None:
    game = _pack("tag_standard")
    assert game.pack
    assert game.pack.choices_left == 2
    assert [item.kind for item in game.pack.cards if item] == ["playing_card"] * 5
    game.step(Action.pick(0))
    game.step(Action.pick(1))
    assert game.state()["deck_size"] == 54
    assert game.phase is Phase.BLIND_SELECT


@probe("tag_buffoon", met=True, says="opens a free Mega Buffoon pack: 2 of 4 jokers")
def _() -> None:
    game = _pack("tag_buffoon")
    assert game.pack
    assert game.pack.choices_left == 2
    offered = keys(game.pack.cards)
    assert [item.kind for item in game.pack.cards if item] == ["joker"] * 4
    game.step(Action.pick(3))
    game.step(Action.pick(1))
    assert keys(game.jokers) == [offered[3], offered[1]]
    assert game.phase is Phase.BLIND_SELECT


@probe("tag_ethereal", met=True, says="opens a free normal Spectral pack: 1 of 2, with a dealt hand")
def _() -> None:
    game = _pack("tag_ethereal")
    assert game.pack
    assert game.pack.choices_left == 1
    assert len(game.pack.cards) == 2
    assert all(key in POOLS["spectral"] or key == "c_soul" for key in keys(game.pack.cards))
    assert len(game.hand) == 8


@probe("tag_ethereal", met=True, says="makes Hallucination and Red Card react to its pack")
def _() -> None:
    game = _pack("tag_ethereal", jokers=["j_red_card", "j_hallucination", "j_oops"])
    assert len(game.consumables) == 1
    game.step(Action.skip_pack())
    assert game.jokers[0].value == 3


def _enter_pack_probe(tag: str) -> None:
    @probe(tag, met=False, says="opens nothing when the blind that offers it is played")
    def _() -> None:
        game = start()
        game.edit(skip_tags=[tag, tag])
        game.step(Action.select_blind())
        assert game.phase is Phase.PLAYING
        assert game.pack is None
        assert game.tags == []


for _tag in ("tag_charm", "tag_meteor", "tag_standard", "tag_buffoon", "tag_ethereal"):
    _enter_pack_probe(_tag)


# --- the boss, the round, the cash-out ----------------------------------------------------------------------------


@probe("tag_boss", met=True, says="draws another boss at once and for nothing")
def _() -> None:
    game = start()
    first = game.state()["boss"]
    skipped("tag_boss", game=game)
    draws = Draws(SEED)
    early = ["bl_club", "bl_goad", "bl_head", "bl_hook", "bl_manacle", "bl_pillar", "bl_psychic", "bl_window"]
    assert draws.element("boss", early) == first
    early.remove(first)
    assert game.state()["boss"] == draws.element("boss", early)
    assert game.money == 4
    assert game.tags == []


@probe("tag_boss", met=False, says="leaves the boss when the blind is played")
def _() -> None:
    game = start()
    first = game.state()["boss"]
    game.edit(skip_tags=["tag_boss", "tag_boss"])
    shopping(game)
    assert game.state()["boss"] == first


@probe("tag_juggle", met=True, says="adds three to the hand size of the next round")
def _() -> None:
    game = skipped("tag_juggle")
    assert game.tags == ["tag_juggle"]
    game.step(Action.select_blind())
    assert len(game.hand) == 11
    assert game.tags == []


@probe("tag_juggle", met=True, says="adds up when two are held")
def _() -> None:
    game = skipped("tag_juggle", "tag_juggle", boss="bl_hook")
    game.step(Action.select_blind())
    assert len(game.hand) == 14


@probe("tag_juggle", met=False, says="is gone in the round after")
def _() -> None:
    game = shop_with("tag_juggle")
    assert game.state()["hand_size"] == 8
    game.step(Action.leave_shop())
    game.edit(boss="bl_hook")
    game.step(Action.select_blind())
    assert len(game.hand) == 8


@probe("tag_investment", met=True, says="pays $25 in the cash-out after a boss")
def _() -> None:
    game = skipped("tag_investment", "tag_investment")
    assert game.tags == ["tag_investment", "tag_investment"]
    playing(game=game, blind="bl_hook", money=0)
    win_round(game)
    assert game.state()["cash_out"]["tags"] == 50
    game.step(Action.cash_out())
    assert game.money == 5 + 3 + 50
    assert game.tags == []


@probe("tag_investment", met=False, says="waits through small and big blinds")
def _() -> None:
    game = skipped("tag_investment")
    game.step(Action.select_blind())
    win_round(game)
    assert game.state()["cash_out"]["tags"] == 0
    game.step(Action.cash_out())
    assert game.tags == ["tag_investment"]
