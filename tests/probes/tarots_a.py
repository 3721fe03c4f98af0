"""Probes of the Tarot cards that change playing cards."""

from jimbot.balatro import Action

from .table import keys, playing, probe, refused, shopping
from .using import HAND, fronts, in_pack, used

# --- cards that give an enhancement ---------------------------------------------------------------------------


def _enhancer(key: str, enhancement: str, most: int) -> None:
    what = f"{enhancement[2:].capitalize()} card{'s' if most > 1 else ''}"

    @probe(
        key,
        met=True,
        says=f"turns {'one or two selected cards' if most > 1 else 'the selected card'} into {what}",
    )
    def _() -> None:
        for count in range(1, most + 1):
            game = used(key, *range(1, 1 + count))
            expected = [None, *[enhancement] * count, *[None] * (4 - count)]
            assert [card.enhancement for card in game.hand] == expected
            assert fronts(game) == list(HAND)
            assert keys(game.consumables) == []
            assert game.state()["tarots_used"] == 1
            assert game.state()["last_consumable"] == key

    @probe(key, met=True, says="replaces an enhancement; edition, seal and extra chips stay")
    def _() -> None:
        other = "m_steel" if enhancement != "m_steel" else "m_glass"
        (card,) = used(key, 0, hand=[f"H_K;h={other};e=holo;l=Blue;b=15"]).hand
        assert (card.card, card.enhancement) == ("H_K", enhancement)
        assert (card.edition, card.seal, card.bonus) == ("holo", "Blue", 15)

    @probe(key, met=True, says="works on the hand dealt for an Arcana pack, picked or owned")
    def _() -> None:
        game = in_pack("p_arcana_mega_1", key, "c_hermit", consumables=[key], hand=list(HAND))
        game.step(Action.pick(0, 0))
        game.step(Action.use(0, 1))
        assert [card.enhancement for card in game.hand[:3]] == [enhancement, enhancement, None]
        assert game.state()["tarots_used"] == 2

    @probe(
        key, met=False, says=f"cannot be used on no card, on more than {most}, or without a hand on the table"
    )
    def _() -> None:
        game = playing(HAND, consumables=[key])
        refused(game, Action.use(0))
        refused(game, Action.use(0, *range(most + 1)))
        game = shopping(consumables=[key])
        refused(game, Action.use(0))
        refused(game, Action.use(0, 0))
        game.step(Action.leave_shop())
        refused(game, Action.use(0, 0))


for _key, _enhancement, _most in (
    ("c_magician", "m_lucky", 2),
    ("c_empress", "m_mult", 2),
    ("c_heirophant", "m_bonus", 2),
    ("c_lovers", "m_wild", 1),
    ("c_chariot", "m_steel", 1),
    ("c_justice", "m_glass", 1),
    ("c_devil", "m_gold", 1),
    ("c_tower", "m_stone", 1),
):
    _enhancer(_key, _enhancement, _most)


@probe("c_lovers", met=True, says="a card made Wild falls under a suit boss at once")
def _() -> None:
    game = used("c_lovers", 0, hand=["H_9", "C_9"], blind="bl_club")
    assert [card.debuffed for card in game.hand] == [True, True]


@probe("c_tower", met=True, says="a card made Stone escapes a suit boss at once")
def _() -> None:
    game = used("c_tower", 0, hand=["C_9", "C_8"], blind="bl_club")
    assert [card.debuffed for card in game.hand] == [False, True]


# --- cards that change suit or rank ---------------------------------------------------------------------------


def _suit(key: str, letter: str, boss: str) -> None:
    @probe(key, met=True, says="changes the suit of one to three cards and nothing else about them")
    def _() -> None:
        hand = ["S_9;h=m_glass;e=foil;l=Red;b=5", "H_7", "D_5;h=m_wild", "C_3"]
        for count in (1, 2, 3):
            before = playing(hand).hand
            after = used(key, *range(count), hand=hand).hand
            for position, (old, new) in enumerate(zip(before, after, strict=True)):
                changed = f"{letter}_{old.rank}" if position < count else old.card
                assert (new.card, new.enhancement, new.edition) == (changed, old.enhancement, old.edition)
                assert (new.seal, new.bonus) == (old.seal, old.bonus)

    @probe(key, met=True, says="a suit boss takes hold of the changed card at once, or lets go of it")
    def _() -> None:
        other = "H" if letter != "H" else "S"
        game = used(key, 0, hand=[f"{other}_9", f"{letter}_8"], blind=boss)
        assert [card.debuffed for card in game.hand] == [True, True]
        away = {"H": "bl_head", "S": "bl_goad"}[other]
        game = used(key, 0, hand=[f"{other}_9", f"{other}_8"], blind=away)
        assert [card.debuffed for card in game.hand] == [False, True]

    @probe(key, met=False, says="cannot be used on no card, on four, or without a hand on the table")
    def _() -> None:
        game = playing(HAND, consumables=[key])
        refused(game, Action.use(0))
        refused(game, Action.use(0, 0, 1, 2, 3))
        refused(shopping(consumables=[key]), Action.use(0, 0))


for _key, _letter, _boss in (
    ("c_star", "D", "bl_window"),
    ("c_moon", "C", "bl_club"),
    ("c_sun", "H", "bl_head"),
    ("c_world", "S", "bl_goad"),
):
    _suit(_key, _letter, _boss)


@probe("c_strength", met=True, says="raises the rank by one, King to Ace and Ace to 2")
def _() -> None:
    for low, high in zip("23456789TJQKA", "3456789TJQKA2", strict=True):
        (card,) = used("c_strength", 0, hand=[f"D_{low};h=m_bonus;e=polychrome;l=Gold;b=10"]).hand
        assert card.card == f"D_{high}"
        assert (card.enhancement, card.edition, card.seal, card.bonus) == (
            "m_bonus",
            "polychrome",
            "Gold",
            10,
        )


@probe("c_strength", met=True, says="takes two cards, each by its own rank, and Stone by its hidden one")
def _() -> None:
    game = used("c_strength", 0, 1, hand=["S_K", "H_4;h=m_stone", "D_4"])
    assert fronts(game) == ["S_A", "H_5", "D_4"]
    assert game.hand[1].enhancement == "m_stone"


@probe("c_strength", met=True, says="The Plant takes hold of a ten made Jack and lets go of a King made Ace")
def _() -> None:
    game = used("c_strength", 0, 1, hand=["S_K", "H_T", "D_4"], blind="bl_plant")
    assert [card.debuffed for card in game.hand] == [False, True, False]


@probe("c_strength", met=False, says="cannot be used on no card, on three, or without a hand on the table")
def _() -> None:
    game = playing(HAND, consumables=["c_strength"])
    refused(game, Action.use(0))
    refused(game, Action.use(0, 0, 1, 2))
    refused(shopping(consumables=["c_strength"]), Action.use(0, 0))


@probe("c_death", met=True, says="makes the left of two cards a full copy of the right one")
def _() -> None:
    game = used(
        "c_death", 0, 2, hand=["H_2;h=m_gold;e=foil;l=Blue;b=3", "S_5", "D_K;h=m_glass;e=holo;l=Red;b=25"]
    )
    copy, _, original = game.hand
    assert copy == original
    assert (copy.card, copy.enhancement, copy.edition, copy.seal, copy.bonus) == (
        "D_K",
        "m_glass",
        "holo",
        "Red",
        25,
    )
    assert game.state()["deck_size"] == playing(["H_2", "S_5", "D_K"]).state()["deck_size"]


@probe(
    "c_death",
    met=True,
    says="a plain right card takes everything from the left one; left is where it lies now",
)
def _() -> None:
    game = playing(["H_2;h=m_gold;e=foil;l=Blue;b=3", "D_K"], consumables=["c_death"])
    game.step(Action.use(0, 0, 1))
    assert game.hand[0] == game.hand[1]
    assert (game.hand[0].card, game.hand[0].enhancement, game.hand[0].bonus) == ("D_K", None, 0)
    game = playing(["H_2", "D_K"], consumables=["c_death"])
    game.step(Action.move_card(0, 1))
    game.step(Action.use(0, 0, 1))
    assert fronts(game) == ["H_2", "H_2"]


@probe("c_death", met=True, says="a copy of a debuffed card's suit is debuffed too")
def _() -> None:
    game = used("c_death", 0, 1, hand=["H_2", "C_K"], blind="bl_club")
    assert [card.debuffed for card in game.hand] == [True, True]


@probe("c_death", met=False, says="needs exactly two cards")
def _() -> None:
    game = playing(HAND, consumables=["c_death"])
    for cards in ((), (0,), (0, 1, 2)):
        refused(game, Action.use(0, *cards))


@probe("c_hanged_man", met=True, says="destroys one or two cards for good, without drawing others")
def _() -> None:
    for cards in ((1,), (1, 3)):
        game = playing(HAND, consumables=["c_hanged_man"])
        size = game.state()["deck_size"]
        game.step(Action.use(0, *cards))
        assert fronts(game) == [front for position, front in enumerate(HAND) if position not in cards]
        assert game.state()["deck_size"] == size - len(cards)
        assert game.state()["discard_pile"] == []


@probe("c_hanged_man", met=True, says="Canio counts destroyed faces and Glass Joker destroyed Glass cards")
def _() -> None:
    jokers = ["j_caino;v=1", "j_glass;v=1"]
    game = used("c_hanged_man", 0, 1, hand=["S_K;h=m_glass", "S_9;h=m_glass", "S_2"], jokers=jokers)
    assert [joker.value for joker in game.jokers] == [2, 1 + 2 * 0.75]


@probe("c_hanged_man", met=False, says="a debuffed face destroyed is nothing to Canio")
def _() -> None:
    game = used("c_hanged_man", 0, hand=["S_K", "S_2"], jokers=["j_caino;v=1"], blind="bl_plant")
    assert game.jokers[0].value == 1


@probe("c_hanged_man", met=False, says="cannot be used on no card, on three, or without a hand on the table")
def _() -> None:
    game = playing(HAND, consumables=["c_hanged_man"])
    refused(game, Action.use(0))
    refused(game, Action.use(0, 0, 1, 2))
    refused(shopping(consumables=["c_hanged_man"]), Action.use(0, 0))


@probe("c_hanged_man", met=True, says="with the last card of the hand gone, a new hand is drawn")
def _() -> None:
    game = used("c_hanged_man", 0, 1, hand=["S_9", "H_7"], draw_pile=["D_5", "C_3"])
    assert fronts(game) == ["D_5", "C_3"]


@probe("c_hanged_man", met=False, says="with the last card of hand and deck gone, the run is lost")
def _() -> None:
    assert used("c_hanged_man", 0, 1, hand=["S_9", "H_7"], draw_pile=[]).over


@probe(
    "c_death", met=True, says="the copy is as played or unplayed in The Pillar's eyes as the card it copies"
)
def _() -> None:
    game = used("c_death", 0, 1, hand=["H_2", "C_K;p=1"], blind="bl_pillar")
    assert [card.debuffed for card in game.hand] == [True, True]
    game = used("c_death", 0, 1, hand=["H_2;p=1", "C_K"], blind="bl_pillar")
    assert [card.debuffed for card in game.hand] == [False, False]


@probe("c_empress", met=True, says="a new enhancement makes The Pillar forget that the card was played")
def _() -> None:
    game = used("c_empress", 0, hand=["H_2;p=1", "C_K;p=1"], blind="bl_pillar")
    assert [card.debuffed for card in game.hand] == [False, True]


@probe("c_magician", met=False, says="Cerulean Bell's forced card is part of the selection, also for a Tarot")
def _() -> None:
    game = playing(blind="bl_final_bell", consumables=["c_magician", "c_lovers"])
    forced = [card.forced for card in game.hand].index(True)
    one, two = [position for position in range(8) if position != forced][:2]
    refused(game, Action.use(0, one))
    refused(game, Action.use(0, one, two))
    refused(game, Action.use(1, one))
    game.step(Action.use(1, forced))
    game.step(Action.use(0, *sorted((forced, one))))
    assert [position for position in range(8) if game.hand[position].enhancement] == sorted((forced, one))


@probe("c_tower", met=False, says="packs that deal no hand leave nothing to select")
def _() -> None:
    for pack in ("p_celestial_normal_1", "p_standard_normal_1", "p_buffoon_normal_1"):
        refused(in_pack(pack, consumables=["c_tower"]), Action.use(0, 0))
