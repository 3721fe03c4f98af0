"""Every recorded hand scores what independent calculators agree on."""

import json
from pathlib import Path

import pytest

from jimbot.balatro import explain_case, score_case
from jimbot.balatro.scoring import CaseError

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


@pytest.mark.parametrize(
    ("change", "message"),
    [
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
