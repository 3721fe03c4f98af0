"""Everything that is known or changes while one hand is scored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .cards import Card, Rules
from .chance_outcomes import ChanceOutcomes
from .data import BOSSES, EDITION_COST, HANDS, JOKERS, START_STATE, SUIT_BOSS
from .hands import Detection, detect

if TYPE_CHECKING:
    from collections.abc import Iterator


def default_sell_value(key: str, edition: str | None) -> int:
    """Half the undiscounted price, at least 1 (rules 12)."""
    price = JOKERS[key].cost + EDITION_COST.get(edition or "", 0)
    return max(1, price // 2)


@dataclass
class Joker:
    """One owned joker with its stored values."""

    key: str
    edition: str | None = None
    sell_value: float = 0.0
    debuffed: bool = False
    state: dict[str, Any] = field(default_factory=dict)
    destroyed: bool = False

    @classmethod
    def parse(cls, entry: dict[str, Any]) -> Joker:
        """Read a joker of the case format, with the start values for what is not stored."""
        key = entry["key"]
        edition = entry.get("edition")
        state: dict[str, Any] = dict(START_STATE.get(key, {}))
        for name, value in entry.get("state", {}).items():
            state[name] = float(value) if isinstance(value, int | float) else value
        sell_value = entry.get("sell_value", default_sell_value(key, edition))
        return cls(key, edition, float(sell_value), bool(entry.get("debuffed", False)), state)

    def grow(self, name: str, amount: float) -> bool:
        """Add to a stored value."""
        self.state[name] += amount
        return True

    def dump(self) -> dict[str, Any]:
        """Key, stored values and whether the joker destroyed itself."""
        return {"key": self.key, "state": dict(self.state), "destroyed": self.destroyed}


class Hand:
    """The state of one played hand; jokers act on it through its methods."""

    def __init__(self, case: dict[str, Any], luck: str | dict[str, Any] | None) -> None:
        setup: dict[str, Any] = case.get("setup", {})
        self.jokers = [Joker.parse(entry) for entry in case.get("jokers", [])]
        self.played = [Card.parse(entry) for entry in case["played"]]
        self.held = [Card.parse(entry) for entry in case.get("held", [])]
        active = {joker.key for joker in self.jokers if not joker.debuffed}
        self.rules = Rules(
            four_fingers="j_four_fingers" in active,
            shortcut="j_shortcut" in active,
            smeared="j_smeared" in active,
            splash="j_splash" in active,
            pareidolia="j_pareidolia" in active,
        )
        oops = sum(joker.key == "j_oops" and not joker.debuffed for joker in self.jokers)
        self.outcomes = ChanceOutcomes(luck if luck is not None else setup.get("luck", "none"), oops)

        self.deck: str = setup.get("deck", "b_red")
        self.vouchers: list[str] = setup.get("vouchers", [])
        self.challenge: str | None = setup.get("challenge")
        blind = setup.get("blind", "bl_small")
        disabled = setup.get("blind_disabled", "j_chicot" in active)
        self.boss: str | None = blind if blind in BOSSES and not disabled else None
        self.blind_state: dict[str, Any] = dict(setup.get("blind_state", {}))
        self.triggered = False
        self.blocked = False

        self.hands_left = setup.get("hands_left", 4) - 1
        self.discards_left = setup.get("discards_left", 3)
        self.levels: dict[str, int] = dict.fromkeys(HANDS, 1) | setup.get("hand_levels", {})
        self.plays: dict[str, int] = dict.fromkeys(HANDS, 0) | setup.get("hand_plays", {})
        self.plays_round: dict[str, int] = dict.fromkeys(HANDS, 0) | setup.get("hand_plays_round", {})
        self.hands_played_run = setup.get("hands_played_run", sum(self.plays.values()))
        self.hands_played_round = setup.get("hands_played_round", sum(self.plays_round.values()))
        if "hands_used" not in self.blind_state:
            self.blind_state["hands_used"] = [name for name, count in self.plays_round.items() if count]
        self.targets: dict[str, str] = setup.get("targets", {})
        self.tarots_used = setup.get("tarots_used", 0)
        self.skips = setup.get("skips", 0)

        self.money = float(setup.get("money", 4))
        self.money_before = self.money
        self.money_delta = 0.0
        self.joker_slots = setup.get("joker_slots", self._default_joker_slots())
        entries = setup.get("consumables", [])
        self.consumables = [entry if isinstance(entry, str) else entry["key"] for entry in entries]
        self.consumable_slots = setup.get("consumable_slots", self._default_consumable_slots(entries))
        self.created: list[str] = []
        self.deck_info = self._read_deck_info(setup.get("deck_info", {}))

        self.chips = 0.0
        self.mult = 0.0
        self.destroyed: list[int] = []
        self.fired: set[str] = set()
        self.lucky_hit = False
        self.detection: Detection = detect(self.played, self.rules)

    def _default_joker_slots(self) -> int:
        slots = 5 + {"b_black": 1, "b_painted": -1}.get(self.deck, 0) + ("v_antimatter" in self.vouchers)
        return slots + sum(joker.edition == "negative" for joker in self.jokers)

    def _default_consumable_slots(self, entries: list[Any]) -> int:
        ball = "v_crystal_ball" in self.vouchers or self.deck == "b_magic"
        negative = sum(isinstance(entry, dict) and entry.get("edition") == "negative" for entry in entries)
        return 2 - (self.deck == "b_nebula") + ball + negative

    def _read_deck_info(self, given: dict[str, int]) -> dict[str, int]:
        table = self.played + self.held
        starting = 40 if self.deck == "b_abandoned" else 52
        info = {
            "starting_size": starting,
            "full_size": given.get("starting_size", starting),
            "steel": sum(card.enhancement == "m_steel" for card in table),
            "stone": sum(card.stone for card in table),
            "enhanced": sum(card.enhancement is not None for card in table),
        } | given
        info.setdefault("remaining", max(0, info["full_size"] - len(table)))
        return info

    # -- jokers ----------------------------------------------------------------------------------------

    def acting(self, index: int) -> Joker | None:
        """The joker whose ability the joker at `index` runs: itself, a copied one or none (rules 9)."""
        at = index
        for _ in range(len(self.jokers) + 1):
            joker = self.jokers[at]
            if joker.debuffed:
                return None
            if joker.key == "j_blueprint":
                at += 1
            elif joker.key == "j_brainstorm":
                at = 0
            else:
                return joker if at == index or JOKERS[joker.key].copyable else None
            if at >= len(self.jokers):
                return None
        return None

    def actors(self) -> Iterator[tuple[Joker, bool]]:
        """Every ability to run, left to right, and whether it is a copy."""
        for index in range(len(self.jokers)):
            joker = self.acting(index)
            if joker is not None:
                yield joker, joker is not self.jokers[index]

    def note(self, joker: Joker, *, copy: bool, did: bool) -> bool:
        """Record that an ability did something."""
        if did:
            self.fired.add(f"copy:{joker.key}" if copy else joker.key)
        return did

    # -- numbers ---------------------------------------------------------------------------------------

    def set_chips(self, value: float) -> None:
        """Change the chips; one challenge caps them by the money held."""
        if self.challenge == "c_rich_1":
            value = min(value, max(0.0, self.money))
        self.chips = value

    def add_chips(self, amount: float) -> bool:
        """Add chips."""
        if amount:
            self.set_chips(self.chips + amount)
        return bool(amount)

    def add_mult(self, amount: float) -> bool:
        """Add Mult."""
        self.mult += amount
        return bool(amount)

    def times(self, factor: float) -> bool:
        """Multiply Mult."""
        self.mult *= factor
        return factor != 1

    def earn(self, amount: float) -> bool:
        """Gain money by a scoring effect; it counts at once."""
        self.money += amount
        self.money_delta += amount
        return bool(amount)

    @property
    def room(self) -> bool:
        """Whether a consumable slot is free, creations of this hand counted."""
        return len(self.consumables) + len(self.created) < self.consumable_slots

    def create(self, kind: str) -> bool:
        """Create a consumable if there is room."""
        room = self.room
        if room:
            self.created.append(kind)
        return room

    # -- the hand --------------------------------------------------------------------------------------

    @property
    def hand(self) -> str:
        """The type of the played hand."""
        return self.detection.hand

    @property
    def scoring_cards(self) -> list[Card]:
        """The scoring set, left to right."""
        return [self.played[index] for index in self.detection.scoring]

    def contains(self, name: str) -> bool:
        """Whether the played hand contains a hand."""
        return name in self.detection.contains

    @property
    def first_hand(self) -> bool:
        """Whether this is the first hand of the round."""
        return self.hands_played_round == 0

    def _count(self, card: Card, sign: int) -> None:
        """Add a card's enhancement to, or take it from, the counts of the full deck."""
        self.deck_info["steel"] += sign * (card.enhancement == "m_steel")
        self.deck_info["stone"] += sign * card.stone
        self.deck_info["enhanced"] += sign * (card.enhancement is not None)

    def boss_debuffs(self, card: Card, *, played: bool) -> bool:
        """Whether the standing debuff of the boss hits the card."""
        if self.boss in SUIT_BOSS:
            return card.has_boss_suit(SUIT_BOSS[self.boss], self.rules)
        if self.boss == "bl_plant":
            return card.is_face(self.rules, boss=True)
        if self.boss == "bl_pillar":
            return played
        return self.boss == "bl_final_leaf"

    def enhance(self, card: Card, enhancement: str | None) -> None:
        """Change the enhancement of a played card; the boss looks at the changed card again."""
        self._count(card, -1)
        card.enhancement = enhancement
        self._count(card, +1)
        card.debuffed = card.debuffed or self.boss_debuffs(card, played=True)

    def copy_to_hand(self, card: Card) -> None:
        """Put a permanent copy of a card into the hand, rightmost; Hologram sees it at once."""
        copy = replace(card)
        self.held.append(copy)
        self.deck_info["full_size"] += 1
        self._count(copy, +1)
        copy.debuffed = copy.debuffed or self.boss_debuffs(copy, played=True)
        for joker in self.jokers:
            if joker.key == "j_hologram" and not joker.debuffed:
                self.note(joker, copy=False, did=joker.grow("x_mult", 0.25))
