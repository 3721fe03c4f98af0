"""The candidate feature ``interest``: what an action changes about the interest that the run really pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.balatro.test_candidates import COLUMN, row_of
from tests.probes.table import playing, shopping, win_round

from jimbot.balatro import Action, Game

PRICE = 5
"""Price of the joker on the shelf (Half Joker)."""


def feature(money: int, jokers: Sequence[str], vouchers: Sequence[str], **options: Any) -> float:
    """Dollars of interest that buying the joker is said to change."""
    game = shopping(Game("INTEREST", **options))
    game.edit(jokers=list(jokers), vouchers=list(vouchers), shop_slots=["j_half"], money=money)
    row = row_of(game, Action.buy(0))
    return float(row[COLUMN["interest"]]) * 20.0


def paid(money: int, jokers: Sequence[str], vouchers: Sequence[str], **options: Any) -> int:
    """Interest on the cash-out screen of a round that ends with this much money."""
    game = playing(game=Game("INTEREST", **options))
    game.edit(jokers=list(jokers), vouchers=list(vouchers), money=money)
    return int(win_round(game).state()["cash_out"]["interest"])


@pytest.mark.parametrize(
    ("money", "jokers", "vouchers", "options", "change"),
    [
        pytest.param(12, [], [], {}, -1, id="a step less"),
        pytest.param(4 + PRICE, [], [], {}, -1, id="the only step"),
        pytest.param(40, [], [], {}, 0, id="above the cap of 25 before and after"),
        pytest.param(40, [], ["v_seed_money"], {}, -1, id="below the cap of Seed Money"),
        pytest.param(70, [], ["v_seed_money"], {}, 0, id="above the cap of Seed Money"),
        pytest.param(70, [], ["v_seed_money", "v_money_tree"], {}, -1, id="below the cap of Money Tree"),
        pytest.param(12, ["j_to_the_moon"], [], {}, -2, id="To the Moon doubles a step"),
        pytest.param(12, ["j_to_the_moon", "j_to_the_moon"], [], {}, -3, id="two of them add up"),
        pytest.param(12, ["j_to_the_moon;d=1"], [], {}, -1, id="debuffed, it gives nothing"),
        pytest.param(40, ["j_to_the_moon"], [], {}, 0, id="To the Moon leaves the cap alone"),
        pytest.param(12, [], [], {"deck": "b_green"}, 0, id="Green Deck pays none"),
        pytest.param(12, ["j_to_the_moon"], [], {"deck": "b_green"}, 0, id="nor with To the Moon"),
        pytest.param(12, [], [], {"challenge": "c_mad_world_1"}, 0, id="a challenge without interest"),
        pytest.param(12, [], [], {"challenge": "c_city_1"}, -1, id="a challenge with interest"),
    ],
)
def test_the_feature_is_what_the_cash_out_pays(money, jokers, vouchers, options, change):
    assert feature(money, jokers, vouchers, **options) == pytest.approx(change)
    before = paid(money, jokers, vouchers, **options)
    after = paid(money - PRICE, jokers, vouchers, **options)
    assert after - before == change


def test_a_free_action_changes_no_interest():
    game = shopping(money=12)
    assert row_of(game, Action.leave_shop())[COLUMN["interest"]] == 0.0
