"""Score one played hand: `score(case)`.

Input
=====
`case` is an object with `setup`, `jokers`, `played` and `held`; other keys are ignored. It describes the
moment just before Play is pressed. Everything but `played` may be left out.

setup
    deck                deck key; default "b_red". Matters: b_plasma (balancing), b_abandoned (starting
                        size 40), and for default slots b_black, b_painted, b_nebula, b_magic.
    blind               blind key; default "bl_small".
    blind_disabled      the boss has no effect; default: whether an undebuffed Chicot is owned.
    blind_state         hands_used: hand types The Eye has recorded, default the types of
                        hand_plays_round; only_hand: the type The Mouth has recorded, default none;
                        most_played: the hand type recorded for The Ox, default "High Card".
    hands_left          hands left with the one about to be played (1 = last hand); default 4.
    discards_left       default 3.
    money               default 4; before The Tooth and The Ox take theirs.
    hand_levels         hand type -> level; default 1.
    hand_plays          hand type -> plays in the run before this hand; default 0.
    hand_plays_round    hand type -> plays in the round before this hand; default 0.
    hands_played_run    hands played in the run before this one; default the sum of hand_plays.
    hands_played_round  hands played in the round before this one; default the sum of hand_plays_round.
    luck                "none", "all" or an object, see `chance_outcomes.ChanceOutcomes`; default "none". The
                        second argument of `score` replaces it.
    deck_info           of the full deck, cards on the table included: full_size (default starting_size),
                        starting_size (default by deck), steel, stone, enhanced (default: those on the
                        table); remaining: cards in the draw pile (default full_size less the table).
    targets             ancient_suit, idol_suit ("Spades" ...), idol_rank ("2".."9", "T", "J" ...);
                        default none, which nothing matches.
    tarots_used         default 0.
    skips               blinds skipped in the run; default 0.
    vouchers            list of keys; default none. Matters: v_observatory, and for default slots
                        v_antimatter and v_crystal_ball.
    consumables         list of keys, or of {"key": ..., "edition": "negative"}; default none.
    consumable_slots    limit with the slots of negative consumables; default 2 and what deck, vouchers and
                        negative consumables add.
    joker_slots         limit with the slots of negative jokers; default 5 and what deck, vouchers and
                        negative jokers add.
    challenge           "c_rich_1" (chips capped by money) or "c_double_nothing_1"; default none.

jokers, left to right
    key                 joker key.
    edition             "foil", "holo", "polychrome" or "negative"; default none.
    debuffed            default false.
    sell_value          default max(1, floor((cost + edition) / 2)).
    state               stored values before this hand: x_mult, chips, mult, counter (Seltzer: hands left),
                        hands_played_at_create (Loyalty Card), poker_hand (To Do List); the defaults are
                        those of a new joker (`data.START_STATE`), for To Do List no hand at all.

played and held, left to right
    card                suit letter, underscore, rank letter: "H_K", "S_T".
    enhancement         "m_bonus", "m_mult", "m_wild", "m_glass", "m_steel", "m_stone", "m_gold", "m_lucky".
    edition             "foil", "holo" or "polychrome".
    seal                "Gold", "Red", "Blue" or "Purple"; the last two do nothing here.
    perma_bonus         permanent extra chips; default 0.
    debuffed            default false; the flag already reflects the blind.

Output
======
    hand, scoring_indices, chips, mult, score, money_delta   as in the cases; chips and mult are the two
                        factors of the score and both 0 for a blocked hand; money_delta leaves out The Ox
                        and The Tooth.
    blocked             the blind refused the hand.
    money               money after the hand, everything included.
    jokers              for every joker its key, its `state` after the hand and `destroyed`.
    played_after, held_after   the cards after the hand in the input format, destroyed ones included; copies
                        made by DNA are at the right end of held_after.
    destroyed           indices of played cards that are destroyed.
    levels_after        levels that changed: hand type -> new level.
    created             kinds of the consumables created, in order: "Tarot" or "Spectral".
    blind_state_after   hands_used and only_hand after the hand; of use under The Eye and The Mouth.
    fired               keys of jokers that did something beyond detection and card questions; with
                        "copy:" in front when a copy did it.

All numbers are floats but indices and levels.

Readings
========
Where the rules are silent or can be read in two ways:

1.  Counts of the full deck (Steel Joker, Stone Joker, Driver's License, Erosion) are those at the moment
    the joker is evaluated: what Vampire, Midas Mask and DNA changed in this hand is counted.
2.  "Applied again whenever a card changes or is added": a Stone card that Vampire or Midas Mask turns into a
    card with rank and suit is debuffed at once by a suit boss or The Plant if it matches. Under The Pillar
    every played card is already marked, so a changed or copied one is debuffed. A card is never freed.
3.  DNA's copy is put at the right end of the hand. It is made when DNA's turn comes, so Vampire and Midas
    Mask to the left of DNA have already changed the card. It keeps the debuff of the original.
4.  Vampire's X0.1 and Glass Joker's X0.75 are added once per card, by repeated addition.
5.  Debuffed cards keep their rank where the hand is looked at as a whole: a debuffed Ace serves
    Superposition, and a debuffed single 6 is taken by Sixth Sense.
6.  With several Sixth Sense only the first one acts, for the card is then already destroyed.
7.  A Glass card taken by Sixth Sense counts for Glass Joker like one that shattered. Its own roll is still
    made.
8.  Hanging Chad looks at the first card of the scoring set, even if that card is debuffed and so skipped.
9.  The Ox triggers whenever the type is the recorded one, even if there was no money to lose; debts are also
    set to 0. Its flag and The Arm's are seen by Matador.
10. Vagabond compares the money after The Tooth and The Ox and before anything earned in this hand, To Do
    List's payment included. Bull and Bootstraps count that payment. Both count debts as 0.
11. The Hook: `held` is what is left after it discarded.
12. A debuffed scoring card raises the boss's flag only if the blind is a boss that is not disabled.
13. Flower Pot: a debuffed Wild fills no suit at all, not even its printed one.
14. "Produced at least one effect" is judged by the first trigger of a held card. A failed roll of Reserved
    Parking is no effect, so it leads to no repeat.
15. Raised Fist compares ranks (10 < J < Q < K < A) and uses the rank's chips alone.
16. A straight takes every card of the longest chain of neighbours, so five cards when five are linked, also
    with Four Fingers.
17. A copy of Swashbuckler leaves out the copied Swashbuckler, not the copier.
18. A debuffed joker anywhere in a chain of copiers ends it with nothing.
19. "Rich get Richer": base values and Plasma's balancing are changes of chips too; money counts as it is at
    that moment.
20. A blocked hand still melts Ice Cream and uses up Seltzer (7.14), and its scoring set is reported.
21. Lucky Cat, Wee Joker and Hologram grow where they are asked; a copy to their left in the joker stage
    already uses the grown value.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .data import HANDS, PLANET_HAND
from .jokers_before import AFTER, BEFORE, cards_destroyed, destroyed_by_joker
from .jokers_cards import HELD, PLAYED, RETRIGGER_HELD, RETRIGGER_PLAYED
from .jokers_main import BLOCKED, MAIN, other_joker
from .state import Hand

if TYPE_CHECKING:
    from .cards import Card
    from .jokers_before import Ability


def _run(s: Hand, abilities: dict[str, Ability]) -> None:
    """Let every joker run its ability of one phase, left to right."""
    for joker, copy in s.actors():
        if joker.key in abilities:
            s.note(joker, copy=copy, did=abilities[joker.key](s, joker, copy))


def _press_play(s: Hand) -> None:
    """What happens before the hand is looked at (4)."""
    if s.boss == "bl_tooth":
        s.money -= len(s.played)
    s.money_before = s.money


def _count_play(s: Hand) -> None:
    """The counters of the hand type (7.1)."""
    s.plays[s.hand] += 1
    s.plays_round[s.hand] += 1


def _blind_check(s: Hand) -> None:
    """The blind's look at the hand (7.3)."""
    used: list[str] = list(s.blind_state["hands_used"])
    only: str | None = s.blind_state.get("only_hand")
    if s.boss == "bl_psychic":
        s.blocked = len(s.played) < 5
    elif s.boss == "bl_eye":
        s.blocked = s.hand in used
    elif s.boss == "bl_mouth":
        s.blocked = only is not None and only != s.hand
    if s.blocked:
        s.triggered = True
        return
    s.blind_state["hands_used"] = used if s.hand in used else [*used, s.hand]
    s.blind_state["only_hand"] = only if only is not None else s.hand
    if s.boss == "bl_arm" and s.levels[s.hand] > 1:
        s.levels[s.hand] -= 1
        s.triggered = True
    elif s.boss == "bl_ox" and s.hand == s.blind_state.get("most_played", "High Card"):
        s.money = 0.0
        s.money_before = 0.0
        s.triggered = True


def _base_values(s: Hand) -> None:
    """Chips and Mult of the hand's level (7.5)."""
    info = HANDS[s.hand]
    above = s.levels[s.hand] - 1
    chips = float(max(0, info.chips + above * info.level_chips))
    mult = float(max(1, info.mult + above * info.level_mult))
    if s.boss == "bl_flint":
        chips = float(max(0, math.floor(chips / 2 + 0.5)))
        mult = float(max(1, math.floor(mult / 2 + 0.5)))
        s.triggered = True
    s.set_chips(chips)
    s.mult = mult


def _trigger(s: Hand, card: Card) -> None:
    """One trigger of a scoring card and the answers of the jokers (7.6)."""
    s.lucky_hit = False
    s.add_chips(card.chips)
    lucky = card.enhancement == "m_lucky"
    if card.enhancement == "m_mult":
        s.add_mult(4)
    if lucky and s.outcomes.roll("lucky_mult", 5):
        s.lucky_hit = True
        s.add_mult(20)
    if card.seal == "Gold":
        s.earn(3)
    if lucky and s.outcomes.roll("lucky_money", 15):
        s.lucky_hit = True
        s.earn(20)
    if card.enhancement == "m_glass":
        s.times(2)
    if card.edition == "foil":
        s.add_chips(50)
    elif card.edition == "holo":
        s.add_mult(10)
    elif card.edition == "polychrome":
        s.times(1.5)
    for joker, copy in s.actors():
        if joker.key in PLAYED:
            s.note(joker, copy=copy, did=PLAYED[joker.key](s, joker, card, copy))


def _score_cards(s: Hand) -> None:
    """The scoring cards, left to right (7.6)."""
    for card in s.scoring_cards:
        if card.debuffed:
            s.triggered = s.triggered or s.boss is not None
            continue
        triggers = 1 + (card.seal == "Red")
        for joker, copy in s.actors():
            extra, test = RETRIGGER_PLAYED.get(joker.key, (0, None))
            if test is not None and s.note(joker, copy=copy, did=test(s, card)):
                triggers += extra
        for _ in range(triggers):
            _trigger(s, card)


def _hold(s: Hand, card: Card) -> bool:
    """One trigger of a held card; whether it had any effect (7.7)."""
    effect = card.enhancement == "m_steel"
    if effect:
        s.times(1.5)
    for joker, copy in s.actors():
        if joker.key in HELD and s.note(joker, copy=copy, did=HELD[joker.key](s, joker, card, copy)):
            effect = True
    return effect


def _hold_cards(s: Hand) -> None:
    """The held cards, left to right (7.7)."""
    for card in s.held:
        if card.debuffed or not _hold(s, card):
            continue
        extra = int(card.seal == "Red")
        for joker, copy in s.actors():
            if joker.key in RETRIGGER_HELD:
                s.note(joker, copy=copy, did=True)
                extra += RETRIGGER_HELD[joker.key]
        for _ in range(extra):
            _hold(s, card)


def _joker_stage(s: Hand) -> None:
    """The jokers, left to right, with their editions (7.8)."""
    for index, joker in enumerate(s.jokers):
        edition = None if joker.debuffed else joker.edition
        if edition == "foil":
            s.add_chips(50)
        elif edition == "holo":
            s.add_mult(10)
        actor = s.acting(index)
        if actor is not None and actor.key in MAIN:
            copy = actor is not joker
            s.note(actor, copy=copy, did=MAIN[actor.key](s, actor, copy))
        other_joker(s, joker)
        if edition == "polychrome":
            s.times(1.5)


def _final_effects(s: Hand) -> None:
    """Consumables and the deck (7.9 and 7.10)."""
    if "v_observatory" in s.vouchers:
        for key in s.consumables:
            if PLANET_HAND.get(key) == s.hand:
                s.times(1.5)
    if s.deck == "b_plasma":
        total = s.chips + s.mult
        half = math.floor(total / 2) if math.isfinite(total) else total
        s.set_chips(float(half))
        s.mult = float(half)


def _destroy_cards(s: Hand) -> None:
    """Which scoring cards are destroyed (7.11)."""
    for index in s.detection.scoring:
        card = s.played[index]
        taken = destroyed_by_joker(s, card)
        glass = card.enhancement == "m_glass" and not card.debuffed
        if (glass and s.outcomes.roll("glass", 4)) or taken:
            s.destroyed.append(index)
    cards_destroyed(s, [s.played[index] for index in s.destroyed])


def _after(s: Hand) -> None:
    """What happens after the score was added (7.14)."""
    _run(s, AFTER)
    if s.challenge == "c_double_nothing_1":
        for card in s.scoring_cards:
            card.debuffed = True


def score(case: dict[str, Any], luck: str | dict[str, Any] | None = None) -> dict[str, Any]:
    """Score one hand; see the head of this file for the formats."""
    s = Hand(case, luck)
    levels = dict(s.levels)
    _press_play(s)
    _count_play(s)
    _blind_check(s)
    if s.blocked:
        _run(s, BLOCKED)
    else:
        _run(s, BEFORE)
        _base_values(s)
        _score_cards(s)
        _hold_cards(s)
        _joker_stage(s)
        _final_effects(s)
        _destroy_cards(s)
    product = s.chips * s.mult
    total = float(math.floor(product)) if math.isfinite(product) else product
    _after(s)
    return {
        "hand": s.hand,
        "scoring_indices": list(s.detection.scoring),
        "chips": float(s.chips),
        "mult": float(s.mult),
        "score": total,
        "money_delta": s.money_delta,
        "blocked": s.blocked,
        "money": s.money,
        "jokers": [joker.dump() for joker in s.jokers],
        "played_after": [card.dump() for card in s.played],
        "held_after": [card.dump() for card in s.held],
        "destroyed": s.destroyed,
        "levels_after": {name: level for name, level in s.levels.items() if level != levels[name]},
        "created": s.created,
        "blind_state_after": {name: s.blind_state.get(name) for name in ("hands_used", "only_hand")},
        "fired": sorted(s.fired),
    }
