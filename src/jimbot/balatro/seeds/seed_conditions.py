"""The conditions of a seed search, and the short language they are written in.

A condition is a line of words: what, then where and when, in any order::

    j_blueprint negative shop ante<=2      Blueprint, Negative, in a shop, by ante 2
    The Soul pack                          The Soul in a pack of ante 1
    joker polychrome first=2               any Polychrome joker among the first two shop cards of ante 1
    tag_negative ante=2-4                  a Negative Tag in ante 2, 3 or 4
    j_perkeo ante<=2                       a Soul by ante 2 that, used first, gives Perkeo
    *_K m_steel seal=red                   a Steel King with a Red Seal in a Standard Pack
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Literal, get_args

from jimbot.balatro.names import EDITIONS, get_catalog_kinds, get_catalog_names
from jimbot.balatro.seeds.contents import MAX_ANTES, SeedError

Wanted = Literal["joker", "consumable", "playing_card", "pack", "voucher", "tag", "boss"]
Place = Literal["any", "shop", "pack"]

WANTED_KINDS: dict[str, Wanted] = {
    "joker": "joker",
    "tarot": "consumable",
    "planet": "consumable",
    "spectral": "consumable",
    "voucher": "voucher",
    "tag": "tag",
    "blind": "boss",
    "pack": "pack",
}
ENHANCEMENTS = ("m_bonus", "m_mult", "m_wild", "m_glass", "m_steel", "m_stone", "m_gold", "m_lucky")
SEALS = ("gold", "red", "blue", "purple")
EDITION_WORDS = {**{key: key for key in EDITIONS}, "holographic": "holo"}

FRONT = re.compile(r"[CDHS*]_[2-9TJQKA*]", re.IGNORECASE)
ANTE = re.compile(r"ante(<=|=|>=)(\d+)(?:-(\d+))?", re.IGNORECASE)
ALLOWED_WORDS = (
    "a key or name, then any of foil, holo, polychrome, negative, shop, pack, ante<=N, ante=N, ante=N-M, ante>=N, "
    "first=N, and for playing cards m_glass, ..., seal=red"
)


@dataclass(frozen=True)
class Condition:
    """One condition that a seed must meet.

    Attributes:
        wanted: what kind of thing.
        key: the game's key; empty for any joker; for packs the beginning of a key (``p_arcana_mega``); for playing
            cards a front in which ``*`` stands for any suit or rank.
        edition: ``foil``, ``holo``, ``polychrome``, ``negative``, or empty for any.
        enhancement: of a playing card, such as ``m_glass``; empty for any.
        seal: of a playing card, such as ``red``; empty for any.
        place: where a joker, consumable or playing card must be.
        min_ante: first ante that counts.
        max_ante: last ante that counts.
        first: only the first so many shop cards of an ante count; 0 for all.
    """

    wanted: Wanted
    key: str = ""
    edition: str = ""
    enhancement: str = ""
    seal: str = ""
    place: Place = "any"
    min_ante: int = 1
    max_ante: int = 1
    first: int = 0

    def __post_init__(self) -> None:
        if self.wanted not in get_args(Wanted):
            raise SeedError(
                f"unknown kind of condition '{self.wanted}'; expected {', '.join(get_args(Wanted))}"
            )
        if self.edition and self.edition not in EDITIONS:
            raise SeedError(f"unknown edition '{self.edition}'; expected {', '.join(EDITIONS)}")
        if self.edition and self.wanted not in ("joker", "playing_card"):
            raise SeedError(f"{self}: only jokers and playing cards come with an edition")
        if (self.enhancement or self.seal) and self.wanted != "playing_card":
            raise SeedError(f"{self}: only playing cards have enhancements and seals")
        if self.enhancement and self.enhancement not in ENHANCEMENTS:
            raise SeedError(f"unknown enhancement '{self.enhancement}'; expected {', '.join(ENHANCEMENTS)}")
        if self.seal and self.seal not in SEALS:
            raise SeedError(f"unknown seal '{self.seal}'; expected {', '.join(SEALS)}")
        if self.place not in get_args(Place):
            raise SeedError(f"unknown place '{self.place}'; expected {', '.join(get_args(Place))}")
        if self.place != "any" and self.wanted not in ("joker", "consumable", "playing_card"):
            raise SeedError(
                f"{self}: only jokers, consumables and playing cards are looked for in a shop or pack"
            )
        if not 1 <= self.min_ante <= self.max_ante <= MAX_ANTES:
            raise SeedError(f"{self}: antes are 1 to {MAX_ANTES}, the first not after the last")
        if self.first < 0 or (self.first and self.place != "shop"):
            raise SeedError(f"{self}: first=N counts shop cards, N at least 1")

    def __str__(self) -> str:
        """The condition in the words that ``parse_condition`` reads."""
        words = [self.key or self.wanted, self.edition, self.enhancement]
        words += [f"seal={self.seal}" if self.seal else "", self.place if self.place != "any" else ""]
        if self.min_ante == self.max_ante:
            words.append(f"ante={self.max_ante}")
        elif self.min_ante == 1:
            words.append(f"ante<={self.max_ante}")
        else:
            words.append(f"ante={self.min_ante}-{self.max_ante}")
        words.append(f"first={self.first}" if self.first else "")
        return " ".join(filter(None, words))

    def to_engine(self) -> tuple[str, str, str, str, str, str, int, int, int]:
        """Return the tuple that the compiled engine takes."""
        return (
            self.wanted,
            self.key,
            self.edition,
            self.enhancement,
            self.seal.capitalize(),
            self.place,
            self.min_ante,
            self.max_ante,
            self.first,
        )


def parse_condition(text: str) -> Condition:
    """Parse a condition. SeedError names the word that is not understood."""
    words = text.split()
    if not words:
        raise SeedError(f"an empty condition; expected {ALLOWED_WORDS}")
    condition, rest = _read_subject(words, text)
    for word in rest:
        condition = _read_word(condition, word, text)
    return condition


def _read_subject(words: list[str], text: str) -> tuple[Condition, list[str]]:
    """Split a condition into its subject and the other words. The longest name wins: ``Negative Tag`` is a tag."""
    for length in range(len(words), 0, -1):
        for begin in range(len(words) - length + 1):
            subject = _parse_subject(" ".join(words[begin : begin + length]))
            if subject is not None:
                return subject, words[:begin] + words[begin + length :]
    unknown = [word for word in words if not _is_modifier(word)]
    if not unknown:
        raise SeedError(f"condition '{text}' does not say what to look for; expected {ALLOWED_WORDS}")
    raise SeedError(f"condition '{text}': {_explain_unknown(unknown[0])}")


def _parse_subject(phrase: str) -> Condition | None:
    plain = simplify_name(phrase)
    if plain == "joker":
        return Condition("joker")
    if plain == "card":
        return Condition("playing_card", "*_*", place="pack")
    if FRONT.fullmatch(phrase):
        return Condition("playing_card", phrase.upper(), place="pack")
    key = plain if get_condition_kind(plain) is not None else map_names_to_keys().get(plain, "")
    kind = get_condition_kind(key)
    return Condition(kind, key) if kind is not None else None


def _is_modifier(word: str) -> bool:
    try:
        _read_word(Condition("playing_card", "*_*"), word, word)
    except SeedError as error:
        return "not understood" not in str(error)
    return True


def _read_word(condition: Condition, word: str, text: str) -> Condition:
    lower = word.lower()
    ante = ANTE.fullmatch(lower)
    if lower in EDITION_WORDS:
        return replace(condition, edition=EDITION_WORDS[lower])
    if lower in ("shop", "pack"):
        return replace(condition, place=lower)
    if lower in ENHANCEMENTS:
        return replace(condition, enhancement=lower)
    if lower.startswith("seal="):
        return replace(condition, seal=lower.removeprefix("seal="))
    if re.fullmatch(r"first=\d+", lower):
        place = "shop" if condition.place == "any" else condition.place
        return replace(condition, place=place, first=int(lower.removeprefix("first=")))
    if ante is not None and (ante[3] is None or ante[1] == "="):
        return _set_antes(condition, ante[1], int(ante[2]), int(ante[3] or ante[2]))
    raise SeedError(f"condition '{text}': '{word}' is not understood; expected {ALLOWED_WORDS}")


def _set_antes(condition: Condition, sign: str, low: int, high: int) -> Condition:
    if sign == "<=":
        return replace(condition, min_ante=1, max_ante=high)
    if sign == ">=":
        return replace(condition, min_ante=low, max_ante=8)
    return replace(condition, min_ante=low, max_ante=high)


def _explain_unknown(word: str) -> str:
    known = [key for key in get_catalog_names() if get_condition_kind(key) is not None]
    close = get_close_matches(word.lower(), [*known, *map_names_to_keys()], n=1)
    return f"'{word}' is not understood; " + (
        f"did you mean '{close[0]}'?" if close else f"expected {ALLOWED_WORDS}"
    )


def get_condition_kind(key: str) -> Wanted | None:
    """Return the kind of condition a key makes; None for decks, stakes, challenges and unknown keys."""
    if key.startswith("p_") and any(each.startswith(key) for each in get_catalog_names()):
        return "pack"
    return WANTED_KINDS.get(get_catalog_kinds().get(key, ""))


def simplify_name(text: str) -> str:
    """Return a name in lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.strip().lower())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@cache
def map_names_to_keys() -> dict[str, str]:
    """Return the key of every simplified name that a condition may use. Packs of one name share the start of a key."""
    found: dict[str, str] = {}
    for key, name in get_catalog_names().items():
        if get_condition_kind(key) is not None:
            found.setdefault(
                simplify_name(name), key.rstrip("0123456789").rstrip("_") if key.startswith("p_") else key
            )
    return found
