"""Every recorded hand scores what independent calculators agree on."""

import json
from pathlib import Path

import pytest

from jimbot.balatro import explain_case, score_case
from jimbot.balatro.game.scoring import CaseError

DATA = Path(__file__).resolve().parents[1] / "data"


def cases(name: str) -> list[dict]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]


AGREED = cases("scoring_cases.json")
CONTESTED = cases("scoring_cases_contested.json")


@pytest.mark.parametrize("case", AGREED + CONTESTED, ids=lambda case: case["id"])
def test_case(case):
    """Hand, scoring cards, chips, mult, score and money are the expected ones."""
    result = score_case(case)
    expected = dict(case["expect"])
    if case.get("fp_sensitive"):
        assert abs(result.pop("score") - expected.pop("score")) <= 1
    assert result == expected


def test_all_cases_are_there():
    assert (len(AGREED), len(CONTESTED)) == (326, 5)


def test_steps_lead_to_the_result():
    """The last step's chips and mult are the factors of the score."""
    for case in AGREED:
        result = explain_case(case)
        if not result["blocked"]:
            assert (result["steps"][-1]["chips"], result["steps"][-1]["mult"]) == (
                result["chips"],
                result["mult"],
            )


def loyalty_mult(hands_played: int, **state: int) -> int:
    """Mult of a High Card with a Loyalty Card after so many hands of the run."""
    case = {
        "setup": {"hands_played_run": hands_played},
        "jokers": [{"key": "j_loyalty_card", **({"state": state} if state else {})}],
        "played": [{"card": "S_A"}],
    }
    return score_case(case)["mult"]


def test_loyalty_card_counts_from_the_first_hand_of_the_run():
    """X4 on every sixth hand; without a statement the card has seen all hands of the run."""
    assert [loyalty_mult(hands) for hands in range(12)] == [1, 1, 1, 1, 1, 4] * 2
    for created in (0, 1, 3, 7):
        stated = [
            loyalty_mult(hands, hands_played_at_create=created) for hands in range(created, created + 12)
        ]
        assert stated == [1, 1, 1, 1, 1, 4] * 2
    assert loyalty_mult(5, counter=0) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"jokers": [{"key": "j_loyalty_card", "state": {"hands_played_at_create": 1.5}}]},
            "c must be a whole number",
        ),
        ({"jokers": [{"key": "j_yorick", "state": {"counter": True}}]}, "c='True' is not a number"),
        ({"setup": {"money": 2**33}}, "money: expected -1000000000 to 1000000000"),
        ({"setup": {"hand_levels": {"Pair": 10**7}}}, "levels: Pair: expected 0 to 1000000"),
        ({"played": []}, "1 to 5 played cards"),
        ({"played": [{"card": "X_A"}]}, "'X_A' is not a card"),
        ({"played": [{"card": "S_A", "shine": 1}]}, "unknown card field 'shine'"),
        ({"jokers": [{"key": "j_nobody"}]}, "unknown joker 'j_nobody'"),
        ({"jokers": [{"key": "j_joker", "state": {"mood": 1}}]}, "unknown state 'mood'"),
        ({"setup": {"luck": "some"}}, "unknown luck 'some'"),
        ({"setup": {"weather": "fine"}}, "unknown setup field 'weather'"),
        ({"setup": {"blind": "bl_none"}}, "unknown blind 'bl_none'"),
        ({"setup": {"deck_info": {"steel": 99}}}, "enhanced cards off the table"),
    ],
)
def test_bad_case(change, message):
    with pytest.raises(CaseError, match=message):
        score_case({"played": [{"card": "S_A"}]} | change)
