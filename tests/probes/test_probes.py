"""Runs the probe table and checks that it covers every item of the game, met and not met."""

from collections import Counter

import pytest
from tests.probes.collect import all_probes
from tests.probes.document import FIDELITY, fidelity_page
from tests.probes.items import all_items
from tests.probes.table import Probe

TABLE = all_probes()


def _name(probe: Probe) -> str:
    return f"{probe.item}-{'met' if probe.met else 'not'}-{probe.where}"


@pytest.mark.parametrize("probe", TABLE, ids=_name)
def test_probe(probe: Probe) -> None:
    """The item does what the probe says."""
    probe.run()


@pytest.mark.parametrize("kind", all_items())
def test_every_item_is_probed_met_and_not_met(kind: str) -> None:
    """Each item of the kind has a probe with its trigger met and one with it not met."""
    met = Counter(probe.item for probe in TABLE if probe.met)
    unmet = Counter(probe.item for probe in TABLE if not probe.met)
    missing = [item for item in all_items()[kind] if not (met[item] and unmet[item])]
    assert missing == []


def test_items_are_complete() -> None:
    """The list of items has the counts the game has."""
    counts = {kind: len(items) for kind, items in all_items().items()}
    assert counts == {
        "Jokers": 150,
        "Tarots": 22,
        "Planets": 12,
        "Spectral cards": 18,
        "Enhancements": 8,
        "Editions": 4,
        "Seals": 4,
        "Stickers": 4,
        "Poker hands": 12,
        "Booster packs": 32,
        "Vouchers": 32,
        "Tags": 24,
        "Blinds": 30,
        "Decks": 15,
        "Stakes": 8,
        "Challenges": 20,
        "Rules": 9,
    }


def test_probes_name_known_items() -> None:
    """No probe is about something the game does not have."""
    known = {item for items in all_items().values() for item in items}
    assert sorted({probe.item for probe in TABLE} - known) == []


def test_fidelity_page_is_current() -> None:
    """docs/reference/fidelity.md is what the table says; ``make docs`` writes it anew."""
    assert FIDELITY.read_text(encoding="utf-8") == fidelity_page()
