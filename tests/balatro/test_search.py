"""The seed search against the explorer: nothing missed, nothing invented, the same for any number of threads."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbot import _engine
from jimbot.balatro import seeds
from jimbot.balatro.names import EDITIONS, get_catalog_kinds
from jimbot.balatro.seeds.contents import SeedError
from jimbot.balatro.seeds.seed_conditions import ENHANCEMENTS, SEALS, Condition, parse_condition
from jimbot.balatro.seeds.seed_search import (
    SEED_SPACE,
    Match,
    _RunningSearch,
    create_engine_search,
    find,
    search,
)

from .holding import JOKERS, LEGENDARIES, antes_of, holds

SETTINGS: dict[str, Any] = {"deck": "b_red", "stake": 1, "view": "walk", "rerolls": 0}


def keys(*wanted: str) -> list[str]:
    return [key for key, kind in get_catalog_kinds().items() if kind in wanted]


def brute_force(conditions: list[Condition], start: int, count: int, **settings: Any) -> list[int]:
    """Numbers of the seeds that hold all conditions, by looking at everything."""
    antes = max(condition.max_ante for condition in conditions)
    found: list[int] = []
    for number in range(start, start + count):
        seed = _engine.seed_at(number % SEED_SPACE)
        view = antes_of(seed, antes=antes, **settings)
        if all(holds(condition, seed, view) for condition in conditions):
            found.append(number % SEED_SPACE)
    return found


# --- numbering ------------------------------------------------------------------------------------------------------


@given(st.integers(0, SEED_SPACE - 1))
def test_numbers_and_seeds_are_one_to_one(number):
    seed = _engine.seed_at(number)
    assert len(seed) == 8
    assert set(seed) <= set("123456789ABCDEFGHIJKLMNPQRSTUVWXYZ")
    assert _engine.seed_number(seed) == number


@given(st.text(alphabet="123456789ABCDEFGHIJKLMNPQRSTUVWXYZ", min_size=8, max_size=8))
def test_every_seed_has_a_number(seed):
    assert _engine.seed_at(_engine.seed_number(seed)) == seed


def test_first_character_varies_fastest():
    group = [_engine.seed_at(number) for number in range(34 * 5, 34 * 6)]
    assert len({seed[1:] for seed in group}) == 1
    assert "".join(seed[0] for seed in group) == "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
    assert SEED_SPACE == 34**8


@pytest.mark.parametrize("seed", ["", "ABCDEFG", "ABCDEFGHI", "OOOOOOOO", "0ABCDEFG", "abcdefgh"])
def test_other_seeds_have_no_number(seed):
    with pytest.raises(ValueError, match=f"seed '{seed}' has no number"):
        _engine.seed_number(seed)
    with pytest.raises(ValueError, match="is not one's number"):
        _engine.seed_at(SEED_SPACE)


# --- what is found --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        ["j_joker first=2"],
        ["j_blueprint ante<=2"],
        ["joker negative shop ante<=2"],
        ["joker foil pack"],
        ["c_death first=4"],
        ["c_death pack"],
        ["c_pluto shop"],
        ["c_pluto pack ante=2"],
        ["c_medium pack ante<=4"],
        ["c_soul ante<=4"],
        ["c_black_hole ante<=5"],
        ["j_perkeo ante<=6"],
        ["v_telescope"],
        ["v_hieroglyph ante=2-3"],
        ["tag_charm"],
        ["tag_negative ante=2"],
        ["bl_hook"],
        ["bl_plant ante<=5"],
        ["bl_final_heart ante=8"],
        ["p_spectral ante<=2"],
        ["p_buffoon_mega"],
        ["*_K m_steel"],
        ["H_* foil ante<=3"],
        ["card seal=red"],
        ["tag_charm", "bl_hook"],
        ["j_joker ante<=2", "v_grabber ante<=2", "p_standard"],
    ],
)
def test_finds_what_a_full_look_finds(texts):
    conditions = [parse_condition(text) for text in texts]
    start, count = _engine.seed_number("7LB2WVPK"), 1500
    engine_search = create_engine_search(texts, **SETTINGS)
    expected = brute_force(conditions, start, count, **SETTINGS)
    assert engine_search.find_block(start, count, count) == (count, expected)
    assert expected, "the sample is too small to tell"


def random_condition(source: random.Random) -> Condition:
    """Any kind of condition, most of them on early antes."""
    low = source.choice([1, 1, 1, 2, 3])
    antes: dict[str, Any] = {"min_ante": low, "max_ante": low + source.choice([0, 0, 1, 2])}
    place = source.choice(["any", "shop", "pack"])
    where: dict[str, Any] = {**antes, "place": place}
    where["first"] = source.choice([0, 1, 2, 3, 5, 9]) if place == "shop" else 0
    edition = source.choice(["", "", "", *EDITIONS])
    return source.choice(
        [
            lambda: Condition("joker", source.choice(JOKERS), edition, **where),
            lambda: Condition("joker", source.choice(JOKERS), **where),
            lambda: Condition("joker", "", edition, **where),
            lambda: Condition("joker", source.choice(LEGENDARIES), **antes),
            lambda: Condition("consumable", source.choice(keys("tarot", "planet", "spectral")), **where),
            lambda: Condition("pack", source.choice(keys("pack"))[: source.randint(3, 18)], **antes),
            lambda: Condition("voucher", source.choice(keys("voucher")), **antes),
            lambda: Condition("tag", source.choice(keys("tag")), **antes),
            lambda: Condition("boss", source.choice(keys("blind")), **antes),
            lambda: Condition(
                "playing_card",
                source.choice("CDHS*") + "_" + source.choice("2TA*"),
                source.choice(["", "foil"]),
                source.choice(["", *ENHANCEMENTS]),
                source.choice(["", *SEALS]),
                place="pack",
                **antes,
            ),
        ]
    )()


def found_unless_refused(
    conditions: list[Condition], start: int, count: int, settings: dict[str, Any]
) -> list[int]:
    """What the search finds; nothing if it calls a condition impossible, which the full look must then confirm."""
    try:
        engine_search = create_engine_search(conditions, **settings)
    except SeedError as refusal:
        if "no seed can hold" in str(refusal):
            return []
        raise
    return engine_search.find_block(start, count, count)[1]


@pytest.mark.parametrize("salt", range(8))
def test_finds_what_a_full_look_finds_at_random(salt):
    source = random.Random(salt)
    settings: dict[str, Any] = {
        "deck": source.choice(["b_red", "b_ghost", "b_zodiac", "b_magic", "b_erratic"]),
        "stake": source.choice([1, 8]),
        "view": "walk" if salt % 3 else "queue",
        "rerolls": source.choice([0, 1, 3]) if salt % 3 else 0,
    }
    start, count = source.randrange(SEED_SPACE), 200
    sample = [_engine.seed_at((start + place) % SEED_SPACE) for place in range(count)]
    views = [antes_of(seed, antes=5, **settings) for seed in sample]
    total = 0
    for _ in range(40):
        conditions = [random_condition(source) for _ in range(source.choice([1, 1, 2]))]
        expected = [
            (start + place) % SEED_SPACE
            for place, (seed, view) in enumerate(zip(sample, views, strict=True))
            if all(holds(condition, seed, view) for condition in conditions)
        ]
        found = found_unless_refused(conditions, start, count, settings)
        assert found == expected, [*map(str, conditions)]
        total += len(expected)
    assert total > 0


def test_matches_are_where_they_say():
    conditions = [
        "j_blueprint ante<=3",
        "c_death pack ante<=3",
        "tag_charm ante<=3",
        "p_arcana_jumbo ante<=3",
    ]
    for found in find(conditions, count=40, rerolls=2):
        walk = seeds.walk(found.seed, antes=3, policy={"rerolls_per_shop": 2})
        for match in found.matches:
            assert text_at(walk, match) == match.what, (found.seed, match)


def text_at(walk: list[dict[str, Any]], match: Match) -> str:
    """What the walk has at the place of a match."""
    ante = walk[match.ante - 1]
    if match.where == "tag":
        return ante["tags"][match.shop - 1]
    _, rows, packs = ante["shops"][match.shop - 1]
    if match.where == "shop":
        return rows[match.row - 1][match.card - 1]
    key, cards = packs[match.pack - 1][:2]
    assert key == match.pack_key
    return cards[match.card - 1] if match.card else key


def test_match_in_the_queue():
    for found in find(["c_death first=9 ante<=2", "j_joker pack ante<=2"], count=20, view="queue"):
        queue = seeds.explore(found.seed, "queue", antes=2)
        death, joker = found.matches
        assert queue[death.ante - 1][4][death.card - 1] == "c_death"
        key, cards = queue[joker.ante - 1][5][joker.pack - 1]
        assert (key, cards[joker.card - 1].split(";")[0]) == (joker.pack_key, "j_joker")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (("shop", "j_joker", 1, 2, 1, 2, 0, ""), "ante 1, shop 2, card 2"),
        (("shop", "j_joker", 1, 2, 3, 1, 0, ""), "ante 1, shop 2, reroll 2, card 1"),
        (("shop", "j_joker", 4, 0, 0, 15, 0, ""), "ante 4, card 15"),
        (("pack", "c_death", 2, 1, 0, 3, 2, "p_arcana_jumbo_1"), "ante 2, shop 1, Jumbo Arcana Pack, card 3"),
        (
            ("soul", "j_perkeo", 1, 1, 0, 1, 2, "p_arcana_mega_2"),
            "ante 1, shop 1, Mega Arcana Pack, card 1, from The Soul",
        ),
        (("tag", "tag_rare", 1, 2, 0, 0, 0, ""), "ante 1, big blind"),
        (("boss", "bl_hook", 1, 0, 0, 0, 0, ""), "ante 1"),
    ],
)
def test_place_in_words(fields, words):
    assert Match(*fields).place() == words


# --- order, blocks, threads, stops ----------------------------------------------------------------------------------

COMMON = ["j_joker first=2"]


def test_blocks_make_up_the_whole():
    engine_search = create_engine_search(COMMON, **SETTINGS)
    start, count = 1_000_003, 20_000
    _, whole = engine_search.find_block(start, count, count)
    source, parts, done = random.Random(4), list[int](), 0
    while done < count:
        size = min(source.choice([1, 2, 33, 34, 35, 500]), count - done)
        tried, numbers = engine_search.find_block(start + done, size, size)
        assert tried == size
        parts += numbers
        done += size
    assert parts == whole
    assert len(whole) > 100


def test_block_stops_behind_the_last_seed_it_may_report():
    engine_search = create_engine_search(COMMON, **SETTINGS)
    _, whole = engine_search.find_block(0, 20_000, 20_000)
    for wanted in (1, 2, 7):
        tried, numbers = engine_search.find_block(0, 20_000, wanted)
        assert numbers == whole[:wanted]
        assert tried == numbers[-1] + 1


def test_last_seed_is_followed_by_the_first():
    engine_search = create_engine_search(COMMON, **SETTINGS)
    _, numbers = engine_search.find_block(SEED_SPACE - 500, 1000, 1000)
    assert (
        numbers
        == engine_search.find_block(SEED_SPACE - 500, 500, 500)[1] + engine_search.find_block(0, 500, 500)[1]
    )
    assert any(number < 500 for number in numbers)
    assert any(number >= 500 for number in numbers)


def test_threads_change_nothing():
    results = [search(COMMON, start=77, count=300, threads=threads) for threads in (1, 2, 5)]
    assert len({result.found for result in results}) == 1
    assert {result.tried for result in results} == {results[0].found[-1].index - 77 + 1}
    assert [result.threads for result in results] == [1, 2, 5]
    numbers = [found.index for found in results[0].found]
    assert numbers == create_engine_search(COMMON, **SETTINGS).find_block(77, 10**6, 300)[1]


def test_going_on_where_a_search_stopped():
    whole = search(COMMON, count=60)
    first = search(COMMON, count=25)
    second = search(COMMON, start=first.start + first.tried, count=35)
    assert first.found + second.found == whole.found
    assert (first.stopped_by, second.stopped_by) == ("count", "count")


def test_stops_on_time():
    result = search(["j_perkeo negative ante<=1", "j_blueprint negative first=1"], count=None, seconds=0.2)
    assert result.stopped_by == "seconds"
    assert result.tried > 0
    result = search(COMMON, count=None, seconds=0.2)
    assert [found.index for found in result.found] == create_engine_search(COMMON, **SETTINGS).find_block(
        0, result.tried, len(result.found) + 1
    )[1]


def test_interrupt_gives_what_was_found_so_far():
    def interrupt(tried: int, found: int, elapsed: float) -> None:
        assert elapsed > 0
        if found >= 20 and tried >= 1000:
            raise KeyboardInterrupt

    result = search(COMMON, count=10_000_000, on_progress=interrupt, threads=2)
    assert result.stopped_by == "interrupt"
    numbers = [found.index for found in result.found]
    assert len(numbers) >= 20
    assert numbers == create_engine_search(COMMON, **SETTINGS).find_block(0, result.tried, 100_000)[1]


def test_second_interrupt_waits_for_nothing(monkeypatch):
    """Ctrl-C twice: blocks under way are given up, and what is returned still has no gap."""
    accepted = _RunningSearch.accept
    interrupted = False

    def accept(run: _RunningSearch, block: tuple[int, list[int]]) -> None:
        if interrupted:
            raise KeyboardInterrupt
        accepted(run, block)

    def interrupt(tried: int, found: int, elapsed: float) -> None:
        nonlocal interrupted
        interrupted = tried >= 5000 and found > 0 and elapsed > 0
        if interrupted:
            raise KeyboardInterrupt

    monkeypatch.setattr(_RunningSearch, "accept", accept)
    result = search(COMMON, count=10_000_000, on_progress=interrupt, threads=2)
    assert result.stopped_by == "interrupt"
    numbers = [found.index for found in result.found]
    assert numbers == create_engine_search(COMMON, **SETTINGS).find_block(0, result.tried, 100_000)[1]


def test_rerolls_and_decks_count():
    without, with_rerolls = (
        search(["j_blueprint shop"], count=50, rerolls=rerolls).tried for rerolls in (0, 5)
    )
    assert with_rerolls < without / 2
    red, ghost = (search(["c_hex ante<=1"], count=20, deck=deck).tried for deck in ("b_red", "b_ghost"))
    assert ghost < red
    assert find(["c_hex shop"], count=1, deck="b_ghost")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": None}, "a search needs an end: give count, seconds or both"),
        ({"count": 0}, "count must be at least 1, got 0"),
        ({"seconds": 0}, "seconds must be more than 0, got 0"),
        ({"start": -1}, f"start must be 0 to {SEED_SPACE - 1}, got -1"),
        ({"start": SEED_SPACE}, f"start must be 0 to {SEED_SPACE - 1}, got {SEED_SPACE}"),
        ({"threads": 0}, "threads must be 1 to 1024, got 0"),
        ({"deck": "b_rde"}, "unknown deck 'b_rde'; expected one of b_red"),
        ({"stake": 9}, "stake must be 1 (White) to 8 (Gold), got 9"),
        ({"view": "deck"}, "unknown view 'deck'; expected one of walk queue"),
        ({"rerolls": 101}, "rerolls must be 0 to 100, got 101"),
    ],
)
def test_bad_search_is_refused(options, message):
    with pytest.raises(SeedError) as caught:
        search(COMMON, **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("count", [0, _engine.max_conditions + 1])
def test_number_of_conditions_is_limited(count):
    with pytest.raises(
        SeedError, match=f"a search needs 1 to {_engine.max_conditions} conditions, got {count}"
    ):
        search(COMMON * count)
