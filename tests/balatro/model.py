"""The rules of generation stated a second time: slow, in plain Python, from the written description and pools.json.

Nothing here calls the engine. Strings are keys, pools are lists, rounding prints and parses; where the engine takes
short cuts, this does not.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

DATA = json.loads((Path(__file__).resolve().parents[1] / "data" / "pools.json").read_text(encoding="utf-8"))
NUMBERS: dict[str, Any] = DATA["numbers"]
POOLS: dict[str, list[Any]] = DATA["pools"]
ENTRIES: dict[str, dict[str, Any]] = {
    entry["key"]: entry for pool in POOLS.values() for entry in pool if isinstance(entry, dict)
}
RARITIES = {1: "joker_common", 2: "joker_uncommon", 3: "joker_rare", 4: "joker_legendary"}
POOL_NAMES = {"Tarot": "tarot", "Planet": "planet", "Spectral": "spectral"}
MASK = (1 << 64) - 1
NOT_A_NUMBER = struct.unpack(">d", bytes.fromhex("7ff8000000000000"))[0]


# --- numbers --------------------------------------------------------------------------------------------------------


def pseudohash(text: str) -> float:
    """Hash of a string, from its last byte to its first."""
    value = 1.0
    for position in range(len(text), 0, -1):
        if value == 0.0 or math.isnan(value):
            return NOT_A_NUMBER
        constant = NUMBERS["pseudohash"]["C"]
        a = ((constant / value) * ord(text[position - 1])) * math.pi + math.pi * position
        value = a - math.floor(a)
    return value


def advance(value: float) -> float:
    """One use of a stream."""
    x = NUMBERS["stream"]["add"] + value * NUMBERS["stream"]["mul"]
    if math.isnan(x):
        return NOT_A_NUMBER
    return abs(float(f"{x - math.floor(x):.13f}"))


class Generator:
    """LuaJIT's generator: four words, seeded by one double."""

    def __init__(self, seed: float) -> None:
        self.words: list[int] = []
        for shift in NUMBERS["tw223"]["min_shift"]:
            if math.isnan(seed):
                word = 0x7FF8000000000000
            else:
                seed = seed * NUMBERS["tw223"]["seed_mul"] + NUMBERS["tw223"]["seed_add"]
                word = struct.unpack(">Q", struct.pack(">d", seed))[0]
            self.words.append(word + (1 << shift) if word < 1 << shift else word)
        for _ in range(NUMBERS["tw223"]["warmup"]):
            self.step()

    def step(self) -> int:
        """Move all four words on; their combination."""
        output = 0
        for place, parameters in enumerate(NUMBERS["tw223"]["components"]):
            k, q, s = parameters["k"], parameters["q"], parameters["s"]
            z = self.words[place]
            kept = z & (MASK << (64 - k)) & MASK
            z = ((((z << q) & MASK) ^ z) >> (k - s)) ^ ((kept << s) & MASK)
            self.words[place] = z
            output ^= z
        return output

    def real(self) -> float:
        """The next real in [0, 1)."""
        return (
            struct.unpack(">d", struct.pack(">Q", self.step() & ((1 << 52) - 1) | 0x3FF0000000000000))[0]
            - 1.0
        )

    def integer(self, low: int, high: int) -> int:
        """The next integer in [low, high]."""
        return math.floor(self.real() * (high - low + 1)) + low


# --- a run ----------------------------------------------------------------------------------------------------------


class Run:
    """One run: its streams, what exists, what is redeemed, how often each boss has been used."""

    def __init__(
        self, seed: str, deck: str = "b_red", stake: int = 1, vouchers: tuple[str, ...] = ()
    ) -> None:
        self.seed = seed
        self.seed_hash = pseudohash(seed)
        self.stake = stake
        self.ante = 1
        self.deck = DATA["decks"].get(deck, {})
        self.redeemed = {*self.deck.get("voucher", []), *vouchers}
        self.existing: set[str] = set()
        self.streams: dict[str, float] = {}
        self.boss_uses = {entry["key"]: 0 for entry in POOLS["boss_by_key"]}
        self.first_pack_given = False

    # Streams.

    def generator(self, key: str) -> Generator:
        """A generator seeded by the next value of a stream."""
        value = advance(self.streams[key] if key in self.streams else pseudohash(key + self.seed))
        self.streams[key] = value
        return Generator((value + self.seed_hash) / 2)

    def real(self, key: str) -> float:
        """One real of a stream."""
        return self.generator(key).real()

    def index(self, key: str, count: int) -> int:
        """One index below ``count`` of a stream."""
        return self.generator(key).integer(1, count) - 1

    # Pools.

    def draw(self, keys: list[str], pool_key: str, available: set[str], fallback: str) -> str:
        """A key of a pool; drawn again from further streams while it is not available."""
        if not available & set(keys):
            self.index(pool_key, len(keys))
            return fallback
        drawn, again = keys[self.index(pool_key, len(keys))], 2
        while drawn not in available:
            drawn = keys[self.index(f"{pool_key}_resample{again}", len(keys))]
            again += 1
        return drawn

    def draw_center(self, pool: str, pool_key: str, kind: str) -> str:
        """A joker or consumable that neither exists nor is kept out by a gate. No card is enhanced or played here."""
        gates = ("enhancement_gate", "yes_pool_flag", "softlock", "never_from_pool")
        open_keys = {
            entry["key"]
            for entry in POOLS[pool]
            if entry["key"] not in self.existing and not any(gate in entry for gate in gates)
        }
        keys = [entry["key"] for entry in POOLS[pool]]
        return self.draw(keys, pool_key, open_keys, DATA["fallback_when_pool_empty"][kind])

    def draw_voucher(self, pool_key: str | None = None) -> str:
        """A voucher that is not redeemed and whose requirement is."""
        available = {
            entry["key"]
            for entry in POOLS["voucher"]
            if entry["key"] not in self.redeemed and self.redeemed.issuperset(entry.get("requires", []))
        }
        keys = [entry["key"] for entry in POOLS["voucher"]]
        return self.draw(keys, pool_key or f"Voucher{self.ante}", available, "v_blank")

    def draw_tag(self) -> str:
        """A tag that may come in this ante."""
        available = {entry["key"] for entry in POOLS["tag"] if entry.get("min_ante", 1) <= self.ante}
        return self.draw([entry["key"] for entry in POOLS["tag"]], f"Tag{self.ante}", available, "tag_handy")

    def draw_boss(self) -> str:
        """One of the least used bosses that may come in this ante."""
        showdown = self.ante >= 2 and self.ante % 8 == 0
        candidates = [
            entry["key"]
            for entry in POOLS["boss_by_key"]
            if (
                entry.get("showdown", False)
                if showdown
                else entry.get("min_ante", math.inf) <= max(1, self.ante)
            )
        ]
        fewest = min(self.boss_uses[key] for key in candidates)
        least_used = sorted(key for key in candidates if self.boss_uses[key] == fewest)
        boss = least_used[self.index("boss", len(least_used))]
        self.boss_uses[boss] += 1
        return boss

    # Cards.

    def make_joker(self, append: str, rarity: int | None = None) -> str:
        """A joker as an item string: rarity, key, stickers, edition."""
        if rarity is None:
            roll = self.real(f"rarity{self.ante}{append}")
            rarity = 3 if roll > 0.95 else 2 if roll > 0.7 else 1
        pool_key = "Joker4" if rarity == 4 else f"Joker{rarity}{append}{self.ante}"
        key = self.draw_center(RARITIES[rarity], pool_key, "Joker")
        self.existing.add(key)
        if key == "j_todo_list":
            self.generator("to_do")
        stickers = self.roll_stickers(key, append)
        edition = self.roll_edition(self.real(f"edi{append}{self.ante}"), 1, negative=True)
        return key + (f";e={edition}" if edition else "") + (f";s={stickers}" if stickers else "")

    def roll_stickers(self, key: str, append: str) -> str:
        """Letters of the stickers; only jokers of shops and packs roll."""
        if append not in ("sho", "buf", "rta", "uta"):
            return ""
        in_pack = append == "buf"
        stickers = ""
        roll = self.real(f"{'packetper' if in_pack else 'etperpoll'}{self.ante}")
        if roll > 0.7 and self.stake >= 4 and ENTRIES[key].get("eternal_compat", True):
            stickers += "E"
        if 0.4 < roll <= 0.7 and self.stake >= 7 and ENTRIES[key].get("perishable_compat", True):
            stickers += "P"
        if self.stake >= 8 and self.real(f"{'packssjr' if in_pack else 'ssjr'}{self.ante}") > 0.7:
            stickers += "R"
        return stickers

    def roll_edition(self, roll: float, modifier: float, *, negative: bool) -> str:
        """The edition that a roll gives."""
        rate = 4 if "v_glow_up" in self.redeemed else 2 if "v_hone" in self.redeemed else 1
        if negative and roll > 1 - 0.003 * modifier:
            return "negative"
        for edition in ("polychrome", "holo", "foil"):
            if roll > 1 - NUMBERS["edition"][edition] * rate * modifier:
                return edition
        return ""

    def make_consumable(self, kind: str, append: str, *, in_pack: bool) -> str:
        """A consumable; in packs one of the hidden cards may take its place."""
        hidden = ""
        if in_pack and kind != "Planet" and "c_soul" not in self.existing:
            hidden = "c_soul" if self.real(f"soul_{kind}{self.ante}") > 0.997 else hidden
        if in_pack and kind != "Tarot" and "c_black_hole" not in self.existing:
            hidden = "c_black_hole" if self.real(f"soul_{kind}{self.ante}") > 0.997 else hidden
        key = hidden or self.draw_center(POOL_NAMES[kind], f"{kind}{append}{self.ante}", kind)
        self.existing.add(key)
        return key

    def make_playing_card(self, append: str, *, enhanced: bool) -> str:
        """A playing card: enhancement, then front."""
        enhancement = ""
        if enhanced:
            enhancement = POOLS["enhanced"][
                self.index(f"Enhanced{append}{self.ante}", len(POOLS["enhanced"]))
            ]
        front = POOLS["playing_card_fronts"][self.index(f"front{append}{self.ante}", 52)]
        return front + (f";h={enhancement}" if enhancement else "")

    def make_shop_card(self) -> str:
        """What one slot of a shop shows: its kind by weight, then the card."""
        rates = {
            "Joker": 20,
            "Tarot": merchant_rate(self.redeemed, "tarot"),
            "Planet": merchant_rate(self.redeemed, "planet"),
            "PlayingCard": 4 if "v_magic_trick" in self.redeemed else 0,
            "Spectral": self.deck.get("spectral_rate", 0),
        }
        x = self.real(f"cdt{self.ante}") * sum(rates.values())
        illusion = "v_illusion" in self.redeemed
        enhanced = illusion and self.real("illusion") > 0.6
        lower, chosen = 0.0, "Joker"
        for kind, rate in rates.items():
            if lower < x <= lower + rate:
                chosen = kind
                break
            lower += rate
        if chosen == "Joker":
            return self.make_joker("sho")
        if chosen != "PlayingCard":
            return self.make_consumable(chosen, "sho", in_pack=False)
        card = self.make_playing_card("sho", enhanced=enhanced)
        if illusion and self.real("illusion") > 0.8:
            roll = self.real("illusion")
            card += f";e={'polychrome' if roll > 0.85 else 'holo' if roll > 0.5 else 'foil'}"
        return card

    def make_standard_card(self) -> str:
        """A card of a Standard Pack: enhancement, front, edition, seal."""
        card = self.make_playing_card("sta", enhanced=self.real(f"stdset{self.ante}") > 0.6)
        edition = self.roll_edition(self.real(f"standard_edition{self.ante}"), 2, negative=False)
        card += f";e={edition}" if edition else ""
        if self.real(f"stdseal{self.ante}") > 0.8:
            roll = self.real(f"stdsealtype{self.ante}")
            card += ";l=" + next(
                seal for seal, above in NUMBERS["standard_pack"]["seal_type"] if roll > above
            )
        return card

    # Packs and shops.

    def draw_pack(self) -> str:
        """The pack of a slot, by weight; the run begins with a Buffoon Pack."""
        if not self.first_pack_given:
            self.first_pack_given = True
            return "p_buffoon_normal_1"
        total = 0.0
        for entry in POOLS["booster"]:
            total += entry["weight"]
        x = self.real(f"shop_pack{self.ante}") * total
        cumulative = 0.0
        for entry in POOLS["booster"]:
            cumulative += entry["weight"]
            if cumulative >= x and cumulative - entry["weight"] <= x:
                return entry["key"]
        raise AssertionError("no pack for this roll")

    def pack_card(self, kind: str) -> str:
        """One card of a pack of this kind."""
        if kind == "Arcana":
            if "v_omen_globe" in self.redeemed and self.real("omen_globe") > 0.8:
                return self.make_consumable("Spectral", "ar2", in_pack=True)
            return self.make_consumable("Tarot", "ar1", in_pack=True)
        if kind == "Celestial":
            return self.make_consumable("Planet", "pl1", in_pack=True)
        if kind == "Spectral":
            return self.make_consumable("Spectral", "spe", in_pack=True)
        return self.make_joker("buf") if kind == "Buffoon" else self.make_standard_card()

    def open_pack(self, key: str) -> list[str]:
        """The cards of a pack, which is opened and closed with nothing taken."""
        entry = ENTRIES[key]
        cards = [self.pack_card(entry["kind"]) for _ in range(entry["cards"])]
        self.release(cards)
        return cards

    def release(self, cards: list[str]) -> None:
        """Cards are gone, and their keys free again."""
        self.existing -= {card.split(";")[0] for card in cards}

    def slots(self) -> int:
        """Card slots of a shop."""
        return 2 + ("v_overstock_norm" in self.redeemed) + ("v_overstock_plus" in self.redeemed)

    def visit_shop(self, after: str, rerolls: int) -> list[Any]:
        """Look at a shop, reroll it, open both packs, leave."""
        first = not self.first_pack_given
        rows = [[self.make_shop_card() for _ in range(self.slots())]]
        packs = [self.draw_pack(), self.draw_pack()]
        for _ in range(rerolls):
            self.release(rows[-1])
            rows.append([self.make_shop_card() for _ in range(self.slots())])
        opened: list[list[Any]] = [[pack, self.open_pack(pack)] for pack in packs]
        if first:
            opened[0].append(1)
        self.release(rows[-1])
        return [after, rows, opened]


def merchant_rate(redeemed: set[str], kind: str) -> float:
    """Rate of tarots or planets in shops."""
    return 32 if f"v_{kind}_tycoon" in redeemed else 9.6 if f"v_{kind}_merchant" in redeemed else 4


# --- views ----------------------------------------------------------------------------------------------------------


def queue(seed: str, deck: str, stake: int, antes: int) -> list[list[Any]]:
    """The queue view: every shop card alone in the world, every pack on an empty shelf."""
    run = Run(seed, deck, stake)
    result: list[list[Any]] = []
    for ante in range(1, antes + 1):
        run.ante = ante
        row: list[Any] = [run.draw_boss(), run.draw_voucher(), run.draw_tag(), run.draw_tag()]
        shop: list[str] = []
        for _ in range(15):
            shop.append(run.make_shop_card())
            run.release(shop[-1:])
        keys = [run.draw_pack() for _ in range(4 if ante == 1 else 6)]
        result.append([*row, shop, [[key, run.open_pack(key)] for key in keys]])
    return result


def walk(
    seed: str,
    deck: str,
    stake: int,
    antes: int,
    rerolls: int,
    vouchers: tuple[str, ...],
    held: tuple[str, ...],
) -> list[dict[str, Any]]:
    """The walk view without skips."""
    run = Run(seed, deck, stake, vouchers)
    run.existing.update(held)
    result: list[dict[str, Any]] = []
    for ante in range(1, antes + 1):
        run.ante = ante
        view: dict[str, Any] = {"voucher": run.draw_voucher(), "tags": [run.draw_tag(), run.draw_tag()]}
        view["boss"] = run.draw_boss()
        blinds = ("small", "big") if ante == 1 else ("boss", "small", "big")
        view["shops"] = [run.visit_shop(after, rerolls) for after in blinds]
        view["tag_packs"] = []
        result.append(view)
    return result
