"""The words in which people ask for seeds."""

from __future__ import annotations

import pytest

from jimbot.balatro.names import describe_item, get_catalog_names, get_name, read_item
from jimbot.balatro.seeds.contents import SeedError
from jimbot.balatro.seeds.seed_conditions import (
    Condition,
    get_condition_kind,
    map_names_to_keys,
    parse_condition,
    simplify_name,
)
from jimbot.balatro.seeds.seed_search import create_engine_search


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("j_blueprint", Condition("joker", "j_blueprint")),
        ("Blueprint", Condition("joker", "j_blueprint")),
        (
            "negative j_blueprint shop ante<=2",
            Condition("joker", "j_blueprint", "negative", place="shop", max_ante=2),
        ),
        ("joker polychrome first=2", Condition("joker", "", "polychrome", place="shop", first=2)),
        ("j_joker holographic", Condition("joker", "j_joker", "holo")),
        ("the soul pack", Condition("consumable", "c_soul", place="pack")),
        ("ante=2-4 tag_negative", Condition("tag", "tag_negative", min_ante=2, max_ante=4)),
        ("Negative Tag ante=2", Condition("tag", "tag_negative", min_ante=2, max_ante=2)),
        ("seance ANTE>=3", Condition("joker", "j_seance", min_ante=3, max_ante=8)),
        ("Séance", Condition("joker", "j_seance")),
        ("mega arcana pack", Condition("pack", "p_arcana_mega")),
        ("p_arcana", Condition("pack", "p_arcana")),
        ("p_buffoon_normal_2", Condition("pack", "p_buffoon_normal_2")),
        ("The Hook", Condition("boss", "bl_hook")),
        ("v_blank", Condition("voucher", "v_blank")),
        ("*_K m_steel seal=Red", Condition("playing_card", "*_K", "", "m_steel", "red", "pack")),
        ("s_a foil", Condition("playing_card", "S_A", "foil", place="pack")),
        ("card seal=gold ante<=2", Condition("playing_card", "*_*", "", "", "gold", "pack", max_ante=2)),
    ],
)
def test_words_are_understood(text, condition):
    assert parse_condition(text) == condition
    assert parse_condition(str(condition)) == condition


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty condition; expected a key or name"),
        ("j_bluprint", "condition 'j_bluprint': 'j_bluprint' is not understood; did you mean 'j_blueprint'?"),
        ("negative shop", "condition 'negative shop' does not say what to look for; expected a key or name"),
        ("blueprint shiny", "condition 'blueprint shiny': 'shiny' is not understood; expected a key or name"),
        ("blueprint brainstorm", "condition 'blueprint brainstorm': 'brainstorm' is not understood"),
        ("j_joker ante<=1-2", "condition 'j_joker ante<=1-2': 'ante<=1-2' is not understood"),
        ("j_joker ante<=40", "j_joker ante<=40: antes are 1 to 39, the first not after the last"),
        ("j_joker ante=0", "j_joker ante=0: antes are 1 to 39"),
        ("j_joker ante=3-2", "j_joker ante=3-2: antes are 1 to 39"),
        ("j_joker pack first=2", "j_joker pack ante=1 first=2: first=N counts shop cards"),
        ("c_death negative", "c_death negative ante=1: only jokers and playing cards come with an edition"),
        ("tag_rare shop", "tag_rare shop ante=1: only jokers, consumables and playing cards are looked for"),
        ("joker m_glass", "joker m_glass ante=1: only playing cards have enhancements and seals"),
        ("card seal=green", "unknown seal 'green'; expected gold, red, blue, purple"),
        ("b_red", "condition 'b_red': 'b_red' is not understood"),
        ("stake_gold", "condition 'stake_gold': 'stake_gold' is not understood"),
        ("c_omelette_1", "condition 'c_omelette_1': 'c_omelette_1' is not understood"),
        ("p_x", "condition 'p_x': 'p_x' is not understood"),
    ],
)
def test_other_words_are_refused_in_one_line(text, message):
    with pytest.raises(SeedError) as caught:
        parse_condition(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"wanted": "deck"}, "unknown kind of condition 'deck'; expected joker, consumable"),
        ({"wanted": "joker", "edition": "shiny"}, "unknown edition 'shiny'; expected foil, holo"),
        ({"wanted": "joker", "place": "bag"}, "unknown place 'bag'; expected any, shop, pack"),
        (
            {"wanted": "playing_card", "key": "*_*", "enhancement": "m_x"},
            "unknown enhancement 'm_x'; expected m_bonus",
        ),
    ],
)
def test_bad_fields_are_refused(fields, message):
    with pytest.raises(SeedError) as caught:
        Condition(**fields)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("j_perkeo shop", "legendary jokers come from The Soul, which is in packs only"),
        ("j_cavendish", "it never comes as long as nothing is bought and no card is enhanced"),
        ("j_steel_joker", "it never comes as long as nothing is bought and no card is enhanced"),
        ("c_soul shop", "it is in packs only"),
        ("c_eris", "it comes only after its hand has been played"),
        ("c_hex shop", "only the Ghost Deck has Spectral cards in its shops"),
        ("card shop", "playing cards are in shops only after Magic Trick"),
        ("tag_orbital", "it does not come that early"),
        ("v_retcon ante<=8", "the deck has it already, or another voucher must be redeemed first"),
        ("bl_small", "it is no boss, and comes in every ante"),
        ("bl_ox ante<=5", "it does not come that early, nor in antes 8, 16, 24 and 32"),
        ("bl_hook ante=8", "it does not come that early, nor in antes 8, 16, 24 and 32"),
        ("bl_final_leaf ante<=7", "it comes only in antes 8, 16, 24 and 32"),
    ],
)
def test_impossible_wishes_are_refused(text, reason):
    with pytest.raises(SeedError) as caught:
        create_engine_search([text], deck="b_red", stake=1, view="walk", rerolls=0)
    key = parse_condition(text).key
    assert str(caught.value) == f"no seed can hold '{key}' there: {reason}"


def test_names_are_clear():
    """No two things have one name, packs of a kind and size excepted: what is typed means one thing."""
    wanted = {
        key: simplify_name(name)
        for key, name in get_catalog_names().items()
        if get_condition_kind(key) is not None
    }
    for key, name in wanted.items():
        if not key.startswith("p_"):
            assert map_names_to_keys()[name] == key
            if key != "j_joker":  # the word alone means any joker
                assert parse_condition(name).key == key
        assert parse_condition(key).key == key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("j_blueprint;e=negative;s=ER", "Negative Blueprint (Eternal, Rental)"),
        ("c_soul", "The Soul"),
        ("S_A;h=m_glass;e=foil;l=Red", "Foil Glass A♠ (Red Seal)"),
        ("H_T", "10♥"),
        ("p_arcana_mega_1", "Mega Arcana Pack"),
        ("unheard_of", "unheard_of"),
    ],
)
def test_items_in_words(text, words):
    assert describe_item(text) == words


def test_items_taken_apart():
    item = read_item("C_2;h=m_lucky;e=holo;l=Blue")
    assert (item.key, item.enhancement, item.edition, item.seal, item.stickers) == (
        "C_2",
        "m_lucky",
        "holo",
        "Blue",
        "",
    )
    assert read_item("j_joker;s=P").stickers == "P"
    assert get_name("b_ghost") == "Ghost Deck"
    assert get_name("stake_gold") == "Gold Stake"
