"""Probes of the 20 challenges I: what they start with and what they ban."""

from collections import Counter
from functools import cache
from typing import Any

from tests.probes.draws import POOLS
from tests.probes.table import keys, playing, probe, shopping, start

from jimbot.balatro import Action

RANKS = "23456789TJQKA"
USUAL: dict[str, Any] = {
    "money": 4, "hands_per_round": 4, "discards_per_round": 3, "hand_size": 8, "joker_slots": 5,
    "consumable_slots": 2, "vouchers": [], "deck_size": 52, "stake": 1, "ante": 1,
}  # fmt: skip
START: dict[str, dict[str, Any]] = {
    "c_omelette_1": {},
    "c_city_1": {},
    "c_rich_1": {"money": 100, "vouchers": ["v_money_tree", "v_seed_money"]},
    "c_knife_1": {},
    "c_xray_1": {},
    "c_mad_world_1": {"deck_size": 32, "joker_slots": 6},
    "c_luxury_1": {"hand_size": 10},
    "c_non_perishable_1": {},
    "c_medusa_1": {},
    "c_double_nothing_1": {},
    "c_typecast_1": {},
    "c_inflation_1": {},
    "c_bram_poker_1": {"vouchers": ["v_illusion", "v_magic_trick"]},
    "c_fragile_1": {"joker_slots": 7},
    "c_monolith_1": {"joker_slots": 6},
    "c_blast_off_1": {
        "hands_per_round": 2, "discards_per_round": 2, "joker_slots": 4,
        "vouchers": ["v_planet_merchant", "v_planet_tycoon"],
    },
    "c_five_card_1": {"hand_size": 5, "joker_slots": 7, "discards_per_round": 6},
    "c_golden_needle_1": {"hands_per_round": 1, "discards_per_round": 6, "money": 10},
    "c_cruelty_1": {"joker_slots": 3},
    "c_jokerless_1": {"joker_slots": 0},
}  # fmt: skip
"""What differs from the usual start; Negative jokers bring their own slot."""
JOKERS: dict[str, list[tuple[str, str | None, str]]] = {
    "c_omelette_1": [("j_egg", None, "")] * 5,
    "c_city_1": [("j_ride_the_bus", None, "E"), ("j_shortcut", None, "E")],
    "c_knife_1": [("j_ceremonial", None, "EX")],
    "c_mad_world_1": [("j_pareidolia", "negative", "E"), ("j_business", None, "E")],
    "c_medusa_1": [("j_marble", None, "E")],
    "c_inflation_1": [("j_credit_card", None, "")],
    "c_bram_poker_1": [("j_vampire", None, "E")],
    "c_fragile_1": [("j_oops", "negative", "E")] * 2,
    "c_monolith_1": [("j_obelisk", None, "E"), ("j_marble", "negative", "E")],
    "c_blast_off_1": [("j_constellation", None, "E"), ("j_rocket", None, "E")],
    "c_five_card_1": [("j_card_sharp", None, ""), ("j_joker", None, "")],
    "c_golden_needle_1": [("j_credit_card", None, "")],
}
PACKS = {
    kind: {key for key in POOLS["booster"] if key.startswith(f"p_{kind}_")}
    for kind in ("standard", "buffoon")
}
BANNED: dict[str, set[str]] = {
    "c_omelette_1": {
        "v_seed_money", "v_money_tree", "j_to_the_moon", "j_rocket", "j_golden", "j_satellite",
    },
    "c_non_perishable_1": {
        "j_gros_michel", "j_ice_cream", "j_cavendish", "j_turtle_bean", "j_ramen", "j_diet_cola", "j_selzer",
        "j_popcorn", "j_mr_bones", "j_invisible", "j_luchador",
    },
    "c_inflation_1": {"v_clearance_sale", "v_liquidation"},
    "c_fragile_1": {
        "c_magician", "c_empress", "c_heirophant", "c_chariot", "c_devil", "c_tower", "c_lovers", "c_incantation",
        "c_grim", "c_familiar", "j_marble", "j_vampire", "j_midas_mask", "j_certificate", "v_magic_trick",
        "v_illusion", *PACKS["standard"], "tag_standard",
    },
    "c_blast_off_1": {"v_grabber", "v_nacho_tong", "j_burglar"},
    "c_five_card_1": {"j_juggler", "j_troubadour", "j_turtle_bean"},
    "c_golden_needle_1": {"v_grabber", "v_nacho_tong", "j_burglar"},
    "c_jokerless_1": {
        "c_judgement", "c_wraith", "c_soul", "v_antimatter", *PACKS["buffoon"], "tag_rare", "tag_uncommon",
        "tag_holo", "tag_polychrome", "tag_negative", "tag_foil", "tag_buffoon", "tag_top_up",
    },
}  # fmt: skip
BANNED_BLINDS = {
    "c_mad_world_1": (4, {"bl_plant"}),
    "c_non_perishable_1": (8, {"bl_final_leaf"}),
    "c_typecast_1": (8, {"bl_final_leaf"}),
    "c_jokerless_1": (8, {"bl_final_acorn", "bl_final_heart", "bl_final_leaf"}),
}
"""By challenge: the ante to look at and the bosses missing there."""


@cache
def offered(challenge: str | None) -> frozenset[str]:
    """Everything that shops, packs, tags and vouchers of the first two antes show on many seeds."""
    seen: set[str] = set()
    for number in range(1, 41):
        game = start(f"OFFER{number}", challenge=challenge)
        for blind in ("bl_small", "bl_hook"):
            state = game.state()
            seen |= {state["ante_voucher"], *state["skip_tags"]}
            playing(game=game, blind=blind)
            shopping(game, jokers=[], joker_slots=0, consumables=[], money=1000)
            assert game.shop
            for _ in range(10):
                seen |= {*keys(game.shop.slots), *keys(game.shop.packs)}
                game.step(Action.reroll_shop())
            for pack in ("p_arcana_mega_1", "p_spectral_mega_1"):
                game.edit(shop_packs=[pack], consumables=[])
                game.step(Action.open_pack(0))
                assert game.pack
                seen |= set(keys(game.pack.cards))
                game.step(Action.skip_pack())
            game.step(Action.leave_shop())
    return frozenset(seen)


@cache
def bosses(challenge: str | None, ante: int) -> frozenset[str]:
    """The bosses of an ante on many seeds."""
    found: set[str] = set()
    for number in range(1, 120):
        game = start(f"BOSS{number}", challenge=challenge)
        game.edit(ante=ante - 1)
        found.add(shopping(playing(game=game, blind="bl_hook")).state()["boss"])
    return frozenset(found)


def fronts(challenge: str) -> Counter[str]:
    """The cards of the challenge's deck."""
    return Counter(card["card"] for card in start(challenge=challenge).state()["draw_pile"])


def _enter_start_probes(challenge: str, changed: dict[str, Any]) -> None:
    @probe(challenge, met=True, says="starts with its own values, on White Stake")
    def _() -> None:
        state = start(challenge=challenge).state()
        state["vouchers"] = sorted(state["vouchers"])
        assert {field: state[field] for field in USUAL} == USUAL | changed

    @probe(challenge, met=True, says="deals its first round accordingly")
    def _() -> None:
        game = start(challenge=challenge)
        game.step(Action.select_blind())
        values = USUAL | changed
        assert len(game.hand) == values["hand_size"]
        assert game.blind.hands_left == values["hands_per_round"]
        assert game.blind.discards_left == values["discards_per_round"]
        assert game.blind.target == 300

    @probe(challenge, met=True, says="starts with its jokers and consumables")
    def _() -> None:
        game = start(challenge=challenge)
        owned = [
            (joker.key, joker.edition, "E" * joker.eternal + "X" * joker.pinned) for joker in game.jokers
        ]
        assert owned == JOKERS.get(challenge, [])
        cards = ["c_empress", "c_emperor"] if challenge == "c_bram_poker_1" else []
        assert keys(game.consumables) == cards

    banned = BANNED.get(challenge, set())

    if banned:

        @probe(challenge, met=False, says="offers nothing that it bans")
        def _() -> None:
            assert not banned & offered(challenge)
            assert banned & offered(None)

    if challenge in BANNED_BLINDS:
        ante, missing = BANNED_BLINDS[challenge]

        @probe(challenge, met=False, says="never meets the bosses that it bans")
        def _() -> None:
            assert missing <= bosses(None, ante)
            assert not missing & bosses(challenge, ante)


for _challenge, _changed in START.items():
    _enter_start_probes(_challenge, _changed)

STANDARD = Counter(POOLS["playing_card_fronts"])


@probe("c_city_1", met=True, says="has a deck of 4 to 10 once and Jack, Queen, King twice in every suit")
def _() -> None:
    expected = Counter(
        {f"{suit}_{rank}": 2 if rank in "JQK" else 1 for suit in "CDHS" for rank in RANKS[2:12]}
    )
    assert fronts("c_city_1") == expected


@probe("c_mad_world_1", met=True, says="has a deck of 2 to 9, and Erosion counts from 32 cards")
def _() -> None:
    assert fronts("c_mad_world_1") == Counter(f"{suit}_{rank}" for suit in "CDHS" for rank in RANKS[:8])


@probe("c_medusa_1", met=True, says="makes the deck's face cards Stone cards")
def _() -> None:
    assert fronts("c_medusa_1") == STANDARD
    for card in start(challenge="c_medusa_1").state()["draw_pile"]:
        assert card["enhancement"] == ("m_stone" if card["card"][2] in "JQK" else None)


@probe("c_double_nothing_1", met=True, says="puts a Red Seal on every card")
def _() -> None:
    assert fronts("c_double_nothing_1") == STANDARD
    assert all(card["seal"] == "Red" for card in start(challenge="c_double_nothing_1").state()["draw_pile"])


@probe("c_fragile_1", met=True, says="makes every card Glass")
def _() -> None:
    assert fronts("c_fragile_1") == STANDARD
    assert all(
        card["enhancement"] == "m_glass" for card in start(challenge="c_fragile_1").state()["draw_pile"]
    )


def _enter_plain_deck_probe(challenge: str) -> None:
    @probe(challenge, met=False, says="has the plain deck without seals or enhancements")
    def _() -> None:
        assert fronts(challenge) == STANDARD
        pile = start(challenge=challenge).state()["draw_pile"]
        assert all(card["seal"] is None and card["enhancement"] is None for card in pile)


for _challenge in START:
    if _challenge not in ("c_city_1", "c_mad_world_1", "c_medusa_1", "c_double_nothing_1", "c_fragile_1"):
        _enter_plain_deck_probe(_challenge)


@probe("c_jokerless_1", met=False, says="offers no joker at all, in slots or in packs")
def _() -> None:
    assert not any(key.startswith("j_") for key in offered("c_jokerless_1"))


@probe("c_bram_poker_1", met=False, says="offers no joker in shop slots, but in Buffoon packs")
def _() -> None:
    for number in range(1, 20):
        game = shopping(start(f"BRAM{number}", challenge="c_bram_poker_1"), money=100)
        assert game.shop
        for _ in range(5):
            assert not any(item and item.kind == "joker" for item in game.shop.slots)
            game.step(Action.reroll_shop())
    game.edit(shop_packs=["p_buffoon_normal_1"])
    game.step(Action.open_pack(0))
    assert game.pack
    assert [item.kind for item in game.pack.cards if item] == ["joker", "joker"]


@probe(
    "c_jokerless_1",
    met=False,
    says="lets no card of a pack become The Soul, which the same seed shows elsewhere",
)
def _() -> None:
    found = []
    for challenge in (None, "c_jokerless_1"):
        game = shopping(start("SOUL87", challenge=challenge), shop_packs=["p_arcana_jumbo_1"], money=20)
        game.step(Action.open_pack(0))
        assert game.pack
        found.append("c_soul" in keys(game.pack.cards))
    assert found == [True, False]
