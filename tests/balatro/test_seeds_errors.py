"""Bad input to the seed explorer gets one line that says what is allowed; odd legal input is read as in the game."""

from __future__ import annotations

from typing import Any

import pytest

from jimbot.balatro import seeds
from jimbot.balatro.seeds.contents import MAX_ANTES, SeedError
from jimbot.errors import JimbotError


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(SeedError) as caught:
        seeds.explore(*arguments, **options)
    assert isinstance(caught.value, JimbotError)
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("seed", ["", " ", "ABCDEFGHI", "AB CD", "AB-CD", "ÄÖÜ", "7LB2WVPK!", "ß", "ﬁ"])
def test_impossible_seed(seed):
    assert refusal(seed) == f"seed '{seed}' is not possible: a seed has 1 to 8 characters from 1-9 and A-Z"


def test_impossible_seed_stays_on_one_line():
    assert refusal("A\nB").startswith("seed 'A\\nB' is not possible")


@pytest.mark.parametrize("view", ["queue", "walk", "deck", "misc"])
def test_every_view_checks_seed_deck_stake_and_antes(view):
    assert "seed '***' is not possible" in refusal("***", view)
    assert refusal("A", view, stake=9) == "stake must be 1 (White) to 8 (Gold), got 9"
    assert refusal("A", view, stake=0) == "stake must be 1 (White) to 8 (Gold), got 0"
    assert refusal("A", view, antes=0) == f"antes must be 1 to {MAX_ANTES}, got 0"
    assert refusal("A", view, antes=40) == f"antes must be 1 to {MAX_ANTES}, got 40"


@pytest.mark.parametrize("view", ["queue", "walk", "misc"])
def test_unknown_deck(view):
    message = refusal("A", view, deck="b_rde")
    assert message.startswith("unknown deck 'b_rde'; expected one of b_red, b_blue, ")
    assert "b_erratic" in message


def test_unknown_view():
    assert refusal("A", "shop") == "unknown view 'shop'; expected queue, walk, deck or misc"


@pytest.mark.parametrize("view", ["queue", "deck", "misc"])
def test_policy_belongs_to_the_walk(view):
    assert refusal("A", view, policy={}) == f"a policy belongs to the walk view only, not to '{view}'"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"reroll": 1}, "unknown policy key 'reroll'; expected "),
        ({"skip": ["boss"]}, "cannot skip 'boss'; expected small or big"),
        ({"rerolls_per_shop": -1}, "rerolls_per_shop must be 0 to 1000, got -1"),
        ({"rerolls_per_shop": 1001}, "rerolls_per_shop must be 0 to 1000, got 1001"),
        (
            {"vouchers_redeemed_before_first_shop": ["v_x"]},
            "unknown voucher 'v_x'; expected one of v_overstock_norm",
        ),
        ({"consumables_held_throughout": ["c_x"]}, "unknown consumable 'c_x'; expected one of c_fool"),
        ({"deck": "b_x"}, "unknown deck 'b_x'; expected one of b_red"),
    ],
)
def test_bad_policy(policy, message):
    assert refusal("A", "walk", policy=policy).startswith(message)


def test_policy_and_argument_may_not_name_two_decks():
    message = refusal("A", "walk", deck="b_ghost", policy={"deck": "b_zodiac"})
    assert message == "the policy says deck 'b_zodiac' but deck is 'b_ghost'"


@pytest.mark.parametrize(
    ("typed", "read"), [("7lb2wvpk", "7LB2WVPK"), (" 7LB2WVPK ", "7LB2WVPK"), ("0", "O"), ("o0", "OO")]
)
def test_seed_is_read_as_the_game_reads_it(typed, read):
    assert seeds.normalize_seed(typed) == read
    assert seeds.explore(typed, antes=1) == seeds.explore(read, antes=1)


@pytest.mark.parametrize("length", range(1, 9))
def test_every_length_of_seed_works(length):
    assert len(seeds.explore("O9ZAI1KB"[:length], "walk", antes=2)) == 2


def test_all_antes_of_a_long_run():
    for view in ("queue", "walk"):
        antes = seeds.explore("7LB2WVPK", view, antes=MAX_ANTES)
        assert len(antes) == MAX_ANTES
        assert antes[:8] == seeds.explore("7LB2WVPK", view)


def test_many_rerolls():
    (ante,) = seeds.walk("7LB2WVPK", antes=1, policy={"rerolls_per_shop": 1000})
    assert [len(shop[1]) for shop in ante["shops"]] == [1001, 1001]
    short = seeds.walk("7LB2WVPK", antes=1, policy={"rerolls_per_shop": 3})[0]
    assert ante["shops"][0][1][:4] == short["shops"][0][1]
