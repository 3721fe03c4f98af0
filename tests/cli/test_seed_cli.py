"""``jimbot seed``: pages, exact JSON, the search, and one clear line for bad input."""

from __future__ import annotations

import json

import pytest

from jimbot.balatro import seeds
from jimbot.balatro.seeds import seed_search as search
from jimbot.cli.seed import page as seed_page


def json_of(finished):
    assert finished.code == 0, finished.err
    assert finished.err == ""
    return json.loads(finished.out)


# --- pages ----------------------------------------------------------------------------------------------------------


def test_page_of_a_seed(jimbot):
    finished = jimbot("seed", "7LB2WVPK", "--antes", "2")
    assert finished.code == 0
    lines = finished.out.splitlines()
    assert lines[0].startswith("7LB2WVPK  Red Deck, White Stake")
    assert [line for line in lines if line.startswith("╭")] == [
        "╭─ Ante 1 ─────────────────────────────────────────────────────────────────────────────────────────╮",
        "╭─ Ante 2 ─────────────────────────────────────────────────────────────────────────────────────────╮",
    ]
    for part in (
        "boss The Club   voucher Grabber   tags Juggle / Coupon",
        "after the small blind   Venus · Walkie Talkie",
        "  Standard              9♣ · Bonus Q♣ · Gold 10♥",
        "after ante 1's boss     The Fool · 8 Ball",
        "  Standard              Steel Q♥ Gold Seal · 9♠ · J♥ Purple Seal",
    ):
        assert part in finished.out
    assert all(len(line) <= 100 for line in lines)


def test_page_holds_everything_the_walk_holds(jimbot):
    page = jimbot("seed", "LANM6JB4", "--stake", "8", "--deck", "b_zodiac", "--rerolls", "2").out
    words = " ".join(page.replace("│", " ").split())
    for ante in seeds.walk("LANM6JB4", deck="b_zodiac", stake=8, policy={"rerolls_per_shop": 2}):
        for _, rows, packs in ante["shops"]:
            for items in [*rows, *(pack[1] for pack in packs)]:
                for item in items:
                    assert seed_page.style_item(item).plain in words
    assert "2 rerolls a shop" in page
    assert "reroll 2" in page


def test_page_of_the_queue(jimbot):
    page = jimbot("seed", "LANM6JB4", "--view", "queue", "--stake", "8", "--antes", "1").out
    assert "1 Negative Blueprint eternal" in page
    assert "15 Raised Fist eternal" in page
    assert "Mega Arcana             The High Priestess · The Empress" in page


def test_page_of_decks(jimbot):
    page = jimbot("seed", "7LB2WVPK", "--view", "deck").out
    assert "ante 8 boss" in page
    assert "10♠ x52" in page


def test_page_of_other_sources(jimbot):
    page = jimbot("seed", "7LB2WVPK", "--view", "misc", "--antes", "1").out
    assert "Judgement               Red Card · Astronomer · Faceless Joker" in page
    assert "The Soul, antes 1 to 5   Yorick · Canio" in page
    assert set(seed_page.SOURCES) == set(seeds.explore("A", "misc", antes=1)["antes"][0])


def test_editions_are_colored(jimbot, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    page = jimbot("seed", "LANM6JB4", "--antes", "1").out
    negative, plain = "\x1b[1;7mNegative\x1b[0m", "\x1b["
    assert negative in page
    monkeypatch.delenv("FORCE_COLOR")
    assert plain not in jimbot("seed", "LANM6JB4", "--antes", "1").out


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("j_blueprint;e=negative;s=ER", "Negative Blueprint eternal rental"),
        ("S_A;h=m_glass;e=foil;l=Red", "Foil Glass A♠ Red Seal"),
        ("c_pluto", "Pluto"),
    ],
)
def test_items_are_spelled_out(item, words):
    assert seed_page.style_item(item).plain == words


def test_kinds_have_colors():
    styles = [
        seed_page.get_item_style(key)
        for key in ("j_joker", "c_fool", "c_mercury", "c_familiar", "H_A", "S_A")
    ]
    assert styles == ["", "magenta", "cyan", "blue", "red", ""]


# --- JSON -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["walk", "queue", "deck", "misc"])
def test_json_is_what_explore_returns(view, jimbot):
    options = ("--view", view, "--antes", "3", "--stake", "8", "--deck", "b_ghost", "--json")
    value = json_of(jimbot("seed", "7lb2wvpk", *options))
    assert value == seeds.explore("7LB2WVPK", view, deck="b_ghost", stake=8, antes=3)


def test_json_with_rerolls(jimbot):
    value = json_of(jimbot("seed", "show", "A", "--rerolls", "3", "--json"))
    assert value == seeds.explore("A", "walk", policy={"rerolls_per_shop": 3})


def test_options_may_come_before_the_seed(jimbot):
    assert json_of(jimbot("seed", "--json", "--antes", "1", "A")) == seeds.explore("A", "walk", antes=1)


@pytest.mark.parametrize("word", ["FIND", "find", "SHOW", "show"])
def test_seed_that_spells_a_command(word, jimbot):
    assert json_of(jimbot("seed", "show", word, "--json")) == seeds.explore(word, "walk")


def test_commands_are_lower_case(jimbot):
    assert json_of(jimbot("seed", "FIND", "--json")) == seeds.explore("FIND", "walk")


# --- find -----------------------------------------------------------------------------------------------------------


def test_find_by_flags(jimbot):
    flags = (
        "--joker",
        "j_blueprint",
        "--edition",
        "negative",
        "--place",
        "shop",
        "--ante",
        "2",
        "--count",
        "3",
    )
    value = json_of(jimbot("seed", "find", *flags, "--json"))
    assert value["conditions"] == ["j_blueprint negative shop ante<=2"]
    expected = search.find(["j_blueprint negative shop ante<=2"], count=3)
    assert [found["seed"] for found in value["found"]] == [found.seed for found in expected]
    assert [found["index"] for found in value["found"]] == [found.index for found in expected]
    assert value["found"][0]["matches"][0]["what"] == "j_blueprint;e=negative"
    assert (value["stopped_by"], value["start"], value["tried"]) == ("count", 0, expected[-1].index + 1)


def test_find_by_words_and_every_flag(jimbot):
    flags = ("--consumable", "c_death", "--voucher", "v_grabber", "--tag", "tag_charm", "--boss", "bl_hook")
    more = (
        "--pack",
        "p_standard",
        "--where",
        "joker foil",
        "--where",
        "The Fool",
        "--ante",
        "4",
        "--count",
        "2",
    )
    value = json_of(jimbot("seed", "find", *flags, *more, "--json", "--threads", "1", "--start", "5000"))
    assert value["conditions"] == [
        "joker foil ante=1",
        "c_fool ante=1",
        "c_death ante<=4",
        "p_standard ante<=4",
        "v_grabber ante<=4",
        "tag_charm ante<=4",
        "bl_hook ante<=4",
    ]
    assert len(value["found"]) == 2
    assert (value["threads"], value["start"]) == (1, 5000)
    assert [len(found["matches"]) for found in value["found"]] == [7, 7]


def test_find_in_another_world(jimbot):
    options = (
        "--deck",
        "b_ghost",
        "--stake",
        "8",
        "--view",
        "queue",
        "--where",
        "c_hex first=9",
        "--count",
        "2",
    )
    value = json_of(jimbot("seed", "find", *options, "--json"))
    assert (value["deck"], value["stake"], value["view"], value["rerolls"]) == ("b_ghost", 8, "queue", 0)
    for found in value["found"]:
        assert "c_hex" in seeds.explore(found["seed"], "queue", deck="b_ghost", stake=8, antes=1)[0][4][:9]


def test_find_prints_a_table(jimbot):
    finished = jimbot(
        "seed", "find", "--joker", "any", "--edition", "polychrome", "--place", "shop", "--count", "2"
    )
    assert finished.code == 0
    assert "joker polychrome shop ante=1" in finished.out
    assert finished.out.count("Polychrome ") == 2
    assert "2 seeds found in" in finished.out
    assert "continue with --start" in finished.out


def test_find_without_conditions_has_its_own(jimbot):
    value = json_of(jimbot("seed", "find", "--count", "1", "--seconds", "60", "--json"))
    assert value["conditions"] == ["j_blueprint negative shop ante=1 first=2", "j_brainstorm ante=1"]


def test_find_stops_on_time(jimbot):
    finished = jimbot(
        "seed",
        "find",
        "--where",
        "j_perkeo negative",
        "--where",
        "j_blueprint negative first=1",
        "--seconds",
        "0.2",
    )
    assert finished.code == 0
    assert "0 seeds found in" in finished.out


def test_interrupted_find_shows_what_it_has(jimbot, monkeypatch):
    def interrupted(*_: object, **__: object) -> search.SearchResult:
        found = search.find(["j_joker"], count=2)
        return search.SearchResult(tuple(found), 0, 100, 0.5, 1, "interrupt")

    monkeypatch.setattr("jimbot.cli.seed.search.search", interrupted)
    finished = jimbot("seed", "find", "--joker", "j_joker")
    assert finished.code == 130
    assert "2 seeds found" in finished.out


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["7LB2-VPK"], "seed '7LB2-VPK' is not possible: a seed has 1 to 8 characters from 1-9 and A-Z"),
        (["ABCDEFGHI"], "seed 'ABCDEFGHI' is not possible"),
        (["A", "--deck", "b_rde"], "unknown deck 'b_rde'; expected one of b_red, b_blue"),
        (["A", "--stake", "9"], "stake must be 1 (White) to 8 (Gold), got 9"),
        (["A", "--antes", "0"], "antes must be 1 to 39, got 0"),
        (["A", "--view", "shop"], "unknown view 'shop'; expected queue, walk, deck or misc"),
        (["A", "--view", "shop", "--json"], "unknown view 'shop'; expected queue, walk, deck or misc"),
        (["A", "--rerolls", "-1"], "rerolls_per_shop must be 0 to 1000, got -1"),
        (["A", "--view", "queue", "--rerolls", "1"], "rerolls belong to the walk view, not to 'queue'"),
        (
            ["find", "--joker", "j_bluprint"],
            "condition 'j_bluprint': 'j_bluprint' is not understood; did you mean",
        ),
        (["find", "--joker", "c_death"], "--joker expects a joker, got 'c_death'"),
        (["find", "--joker", "any", "--edition", "shiny"], "unknown edition 'shiny'; expected foil, holo"),
        (["find", "--joker", "any", "--place", "bag"], "unknown place 'bag'; expected any, shop, pack"),
        (["find", "--where", "nonsense"], "condition 'nonsense': 'nonsense' is not understood"),
        (
            ["find", "--joker", "j_perkeo", "--place", "shop"],
            "no seed can hold 'j_perkeo' there: legendary jokers",
        ),
        (["find", "--ante", "40", "--joker", "any"], "joker ante<=40: antes are 1 to 39"),
        (["find", "--count", "0"], "count must be at least 1, got 0"),
        (["find", "--view", "deck"], "unknown view 'deck'; expected one of walk queue"),
        (["find", "--view", "queue", "--rerolls", "1"], "rerolls belong to the walk view, not to 'queue'"),
        (["find", "--stake", "0"], "stake must be 1 (White) to 8 (Gold), got 0"),
        (["find", "--deck", "red"], "unknown deck 'red'; expected one of b_red"),
    ],
)
def test_bad_input_gets_one_line(arguments, message, jimbot):
    finished = jimbot("seed", *arguments)
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.startswith(f"jimbot: error: {message}")
    assert finished.err.count("\n") == 1


def test_help_tells_the_words(jimbot):
    finished = jimbot("seed", "find", "--help")
    assert finished.code == 0
    for part in ("j_blueprint negative shop ante<=2", "ante=N-M", "--threads", "Ctrl-C"):
        assert part in finished.out
    assert "find" in jimbot("seed", "--help").out
