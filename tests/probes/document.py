"""Writes docs/reference/fidelity.md from the probe table: ``python -m tests.probes.document``."""

import json
from collections import Counter
from pathlib import Path

from tests.probes.collect import all_probes
from tests.probes.doubts import DOUBTS
from tests.probes.items import all_items

from jimbot import _engine

ROOT = Path(__file__).resolve().parents[2]
FIDELITY = ROOT / "docs" / "reference" / "fidelity.md"
DATA = ROOT / "tests" / "data"

_HEAD = """# Fidelity

What this engine is known to do as the real game does, item by item. Every item has probes: small runs, acted through
`Game.step`, with the item's trigger met (+) and not met (-). The page is written from the probe table by `make docs`,
and a test holds that it is current.

Evidence besides the probes:

- **cases** - recorded hands whose chips, mult and score independent calculators agree on, and which contain the item;
- **reference** - the item takes part in the comparison with the independent scoring model of `tests/reference`;
- **vectors** - the item appears in the seed vectors, made by independent tools that agree, and is generated exactly.

Open doubts, where the sources of the rules are unsure, are named with the item and argued in `engine/DIFFERENCES.md`.
"""

_REFERENCE_KINDS = {"Jokers", "Enhancements", "Editions", "Poker hands"}


def _case_counts() -> Counter[str]:
    counts: Counter[str] = Counter()
    for name in ("scoring_cases.json", "scoring_cases_contested.json"):
        for case in json.loads((DATA / name).read_text())["cases"]:
            found = {joker["key"] for joker in case["jokers"]}
            found |= {"e_" + joker["edition"] for joker in case["jokers"] if joker.get("edition")}
            for card in [*case["played"], *case["held"]]:
                found |= {card.get("enhancement", ""), "e_" + card.get("edition", "")}
                found.add("seal_" + card.get("seal", "").lower())
            found |= {"hand:" + case["expect"]["hand"], case["setup"]["blind"], case["setup"]["deck"]}
            found |= set(case["setup"].get("vouchers", [])) | set(case["setup"].get("consumables", []))
            counts.update(found)
    return counts


def _vector_words() -> set[str]:
    """Keys that occur in the seed vectors."""
    words: set[str] = set()
    for path in sorted((DATA / "vectors").glob("*.json")):
        for part in path.read_text().split('"')[1::2]:
            words.update(part.replace("h=", "").split(";"))
            if ";e=" in part:
                words.add("e_" + part.split(";e=")[1].split(";")[0])
            if ";l=" in part:
                words.add("seal_" + part.split(";l=")[1].split(";")[0].lower())
    return words


def fidelity_page() -> str:
    """The page's text."""
    table = all_probes()
    names = _engine.catalog_names()
    cases, words = _case_counts(), _vector_words()
    total = len(table)
    lines = [_HEAD]
    lines.append(f"{total} probes of {sum(map(len, all_items().values()))} items.\n")
    for kind, items in all_items().items():
        lines.append(f"## {kind}\n")
        for item in items:
            evidence = [f"{cases[item]} cases"] if cases[item] else []
            evidence += ["reference"] if kind in _REFERENCE_KINDS else []
            evidence += ["vectors"] if item in words else []
            title = names.get(item, item.split(":")[-1])
            suffix = f" - {', '.join(evidence)}" if evidence else ""
            lines.append(f"**{title}** `{item}`{suffix}\n")
            lines += [f"- {'+' if probe.met else '-'} {probe.says}" for probe in table if probe.item == item]
            if item in DOUBTS:
                lines.append(f"- ? {DOUBTS[item]}")
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Write the page."""
    FIDELITY.write_text(fidelity_page(), encoding="utf-8")
    print(f"wrote {FIDELITY.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
