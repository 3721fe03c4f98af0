"""Probes of the Spectral cards that change playing cards."""

from collections.abc import Sequence

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws, by_creation
from .table import playing, probe, refused, shopping, start
from .using import HAND, fronts, in_pack, used

SUITS = "SHDC"
NO_STONE = [key for key in POOLS["enhanced"] if key != "m_stone"]
CREATORS = {"c_familiar": (3, "JQK"), "c_grim": (2, "A"), "c_incantation": (4, "23456789T")}


def _no_hand(key: str, says: str = "needs at least two cards in hand") -> None:
    """The refusals of a Spectral card that looks at the whole hand."""

    @probe(key, met=False, says=says)
    def _() -> None:
        refused(playing(["S_9"], consumables=[key]), Action.use(0))
        game = shopping(consumables=[key])
        refused(game, Action.use(0))
        game.step(Action.leave_shop())
        refused(game, Action.use(0))
        refused(in_pack("p_celestial_normal_1", consumables=[key]), Action.use(0))
        refused(in_pack("p_spectral_normal_1", key, hand=["S_9"]), Action.pick(0))


def _one_card(key: str) -> None:
    """The refusals of a Spectral card for one selected card."""

    @probe(key, met=False, says="needs exactly one selected card of a hand on the table")
    def _() -> None:
        game = playing(HAND, consumables=[key])
        refused(game, Action.use(0))
        refused(game, Action.use(0, 0, 1))
        refused(shopping(consumables=[key]), Action.use(0, 0))


# Familiar, Grim, Incantation


def _new_cards(seed: str, key: str, hand: Sequence[str]) -> tuple[int, list[tuple[str, str]]]:
    """Position of the card destroyed, and rank and suit with the enhancement of the cards created."""
    count, ranks = CREATORS[key]
    draws = Draws(seed)
    destroyed = draws.element("random_destroy", range(len(hand)))
    created = []
    for _ in range(count):
        stream = f"{key[2:]}_create"
        rank = draws.element(stream, ranks) if len(ranks) > 1 else ranks
        suit = draws.element(stream, SUITS)
        created.append((f"{suit}_{rank}", draws.element("spe_card", NO_STONE)))
    return destroyed, created


def _creator(key: str) -> None:
    count, ranks = CREATORS[key]

    @probe(
        key,
        met=True,
        says=f"destroys one random card and adds {count} enhanced cards of ranks {ranks}, none Stone",
    )
    def _() -> None:
        for number in range(1, 20):
            game = playing(HAND, game=start(f"GHOST{number}"), consumables=[key])
            size = game.state()["deck_size"]
            game.step(Action.use(0))
            destroyed, created = _new_cards(game.seed, key, HAND)
            kept = [front for position, front in enumerate(HAND) if position != destroyed]
            found = [(card.card, card.enhancement) for card in game.hand]
            assert sorted(found[: len(kept)]) == sorted((front, None) for front in kept)
            assert found[len(kept) :] == created
            assert game.state()["deck_size"] == size - 1 + count
            assert all(front[2] in ranks for front, _ in created)

    @probe(key, met=True, says="Hologram counts the new cards, Canio the destroyed face, Glass Joker nothing")
    def _() -> None:
        jokers = ["j_hologram;v=1", "j_caino;v=1", "j_glass;v=1"]
        game = used(key, hand=["S_K;h=m_glass", "H_Q;h=m_glass"], jokers=jokers)
        assert [joker.value for joker in game.jokers] == [1 + 0.25 * count, 2, 1]

    @probe(key, met=True, says="the boss's debuff falls on the new cards at once")
    def _() -> None:
        game = used(key, blind="bl_final_leaf")
        assert all(card.debuffed for card in game.hand)

    @probe(key, met=True, says="works on the hand dealt for a pack; the new cards stay in the deck")
    def _() -> None:
        game = in_pack("p_spectral_normal_1", key, hand=list(HAND))
        size = game.state()["deck_size"]
        game.step(Action.pick(0))
        assert game.state()["deck_size"] == size - 1 + count
        assert sum(card["enhancement"] is not None for card in game.state()["draw_pile"]) == count

    _no_hand(key)


for _key in CREATORS:
    _creator(_key)


# seals


def _sealer(key: str, seal: str) -> None:
    @probe(key, met=True, says=f"puts a {seal} Seal on the selected card, in place of any other")
    def _() -> None:
        other = "Red" if seal != "Red" else "Gold"
        for old in ("", f";l={other}", f";l={seal}"):
            game = used(key, 1, hand=["S_9", f"H_K{old};h=m_steel;e=foil;b=5", "D_2;l=Blue"])
            card = game.hand[1]
            assert (card.card, card.seal, card.enhancement, card.edition, card.bonus) == (
                *("H_K", seal),
                *("m_steel", "foil", 5),
            )
            assert [game.hand[0].seal, game.hand[2].seal] == [None, "Blue"]

    @probe(key, met=True, says="leaves no trace for The Fool or Fortune Teller: it is no Tarot")
    def _() -> None:
        state = used(key, 0).state()
        assert (state["last_consumable"], state["tarots_used"]) == (None, 0)

    _one_card(key)


for _key, _seal in (
    ("c_talisman", "Gold"),
    ("c_deja_vu", "Red"),
    ("c_trance", "Blue"),
    ("c_medium", "Purple"),
):
    _sealer(_key, _seal)


# Aura


@probe(
    "c_aura", met=True, says="gives the selected card Foil, Holographic or Polychrome, as the stream has it"
)
def _() -> None:
    found = set()
    for number in range(1, 30):
        game = playing(HAND, game=start(f"AURA{number}"), consumables=["c_aura"])
        game.step(Action.use(0, 2))
        edition = Draws(game.seed).guaranteed_edition("aura")
        assert [card.edition for card in game.hand] == [None, None, edition, None, None]
        found.add(edition)
    assert found == {"foil", "holo", "polychrome"}


@probe("c_aura", met=False, says="cannot be used on a card that has an edition")
def _() -> None:
    for edition in ("foil", "holo", "polychrome"):
        game = playing([f"S_9;e={edition}", "H_7"], consumables=["c_aura"])
        refused(game, Action.use(0, 0))
        game.step(Action.use(0, 1))


_one_card("c_aura")


# Sigil, Ouija


@probe("c_sigil", met=True, says="turns the whole hand into one suit, drawn from the stream")
def _() -> None:
    found = set()
    for number in range(1, 20):
        hand = ["S_9;h=m_wild;e=foil;l=Red;b=5", "H_7;h=m_stone", "D_5"]
        game = playing(hand, game=start(f"SIGIL{number}"), consumables=["c_sigil"])
        game.step(Action.use(0))
        suit = Draws(game.seed).element("sigil", SUITS)
        found.add(suit)
        assert fronts(game) == [f"{suit}_9", f"{suit}_7", f"{suit}_5"]
        first = game.hand[0]
        assert (first.enhancement, first.edition, first.seal, first.bonus) == ("m_wild", "foil", "Red", 5)
        assert game.state()["hand_size"] == 8
    assert found == set(SUITS)


@probe("c_sigil", met=True, says="a suit boss looks at the hand again")
def _() -> None:
    suit = Draws(start().seed).element("sigil", SUITS)
    boss = {"S": "bl_goad", "H": "bl_head", "D": "bl_window", "C": "bl_club"}
    game = used("c_sigil", blind=boss[suit])
    assert all(card.debuffed for card in game.hand)
    other = "H" if suit != "H" else "S"
    game = used("c_sigil", hand=[f"{other}_9", f"{other}_7"], blind=boss[other])
    assert not any(card.debuffed for card in game.hand)


_no_hand("c_sigil")


def _ouija_rank(game: Game) -> str:
    return Draws(game.seed).element("ouija", "23456789TJQKA")


@probe("c_ouija", met=True, says="turns the whole hand into one rank, drawn from the stream, suits kept")
def _() -> None:
    found = set()
    for number in range(1, 30):
        hand = ["S_9;h=m_glass;e=holo;l=Blue;b=5", "H_7", "D_5"]
        game = playing(hand, game=start(f"OUIJA{number}"), consumables=["c_ouija"])
        game.step(Action.use(0))
        rank = _ouija_rank(game)
        found.add(rank)
        assert fronts(game) == [f"S_{rank}", f"H_{rank}", f"D_{rank}"]
        first = game.hand[0]
        assert (first.enhancement, first.edition, first.seal, first.bonus) == ("m_glass", "holo", "Blue", 5)
    assert len(found) > 6


@probe("c_ouija", met=True, says="takes one card of hand size for good, from the next draw on")
def _() -> None:
    game = used("c_ouija", hand=[f"S_{rank}" for rank in "AKQJT987"])
    assert (game.state()["hand_size"], len(game.hand)) == (7, 8)
    game.step(Action.discard(0, 1))
    assert len(game.hand) == 7
    shopping(game).step(Action.leave_shop())
    game.step(Action.select_blind())
    assert len(game.hand) == 7


@probe("c_ouija", met=False, says="the run is lost when hand size is gone and the hand is empty")
def _() -> None:
    game = used("c_ouija", hand=["S_9", "H_7"], hand_size=1)
    game.step(Action.play(0, 1))
    assert game.over


_no_hand("c_ouija")


# Immolate


@probe("c_immolate", met=True, says="destroys five random cards of the hand and pays $20")
def _() -> None:
    hand = [f"{suit}_{rank}" for suit in "SH" for rank in "K852"]
    for number in range(1, 12):
        game = playing(hand, game=start(f"FLAME{number}"), consumables=["c_immolate"])
        order = by_creation(game.state()["hand"])
        size = game.state()["deck_size"]
        game.step(Action.use(0))
        gone = Draws(game.seed).shuffled("immolate", order)[:5]
        assert fronts(game) == [front for position, front in enumerate(hand) if position not in gone]
        assert (game.money, game.state()["deck_size"]) == (24, size - 5)


@probe(
    "c_immolate",
    met=True,
    says="destroys the whole hand if it holds fewer than five cards; a new one is drawn",
)
def _() -> None:
    game = used("c_immolate", hand=["S_9", "H_7", "D_5"], draw_pile=["C_3", "S_2"])
    assert (fronts(game), game.money, game.state()["deck_size"]) == (["C_3", "S_2"], 24, 2)


@probe("c_immolate", met=True, says="Canio counts the faces that are not debuffed, Glass Joker nothing")
def _() -> None:
    hand = ["S_K;h=m_glass", "H_Q", "D_J", "C_9"]
    game = used("c_immolate", hand=hand, jokers=["j_caino;v=1", "j_glass;v=1"], blind="bl_goad")
    assert [joker.value for joker in game.jokers] == [3, 1]


_no_hand("c_immolate")


# Cryptid


@probe("c_cryptid", met=True, says="adds two full copies of the selected card to hand and deck")
def _() -> None:
    game = playing(["S_9", "H_K;h=m_glass;e=holo;l=Gold;b=15", "D_2"], consumables=["c_cryptid"])
    size = game.state()["deck_size"]
    game.step(Action.use(0, 1))
    original = next(card for card in game.hand if card.card == "H_K")
    assert sum(card == original for card in game.hand) == 3
    assert (original.enhancement, original.edition, original.seal, original.bonus) == (
        "m_glass",
        "holo",
        "Gold",
        15,
    )
    assert (len(game.hand), game.state()["deck_size"]) == (5, size + 2)


@probe("c_cryptid", met=True, says="Hologram counts both copies, and a boss's debuff falls on them")
def _() -> None:
    game = used("c_cryptid", 0, hand=["S_9", "H_7"], jokers=["j_hologram;v=1"], blind="bl_goad")
    assert game.jokers[0].value == 1.5
    assert [card.card for card in game.hand if card.debuffed] == ["S_9"] * 3


@probe("c_cryptid", met=True, says="copies made from a pack's dealt hand are in the deck afterwards")
def _() -> None:
    game = in_pack("p_spectral_normal_1", "c_cryptid", hand=["S_9;h=m_gold", "H_7"])
    game.step(Action.pick(0, 0))
    pile = game.state()["draw_pile"]
    assert sum((card["card"], card["enhancement"]) == ("S_9", "m_gold") for card in pile) == 3


_one_card("c_cryptid")
