"""``jimbot play``: scripted sessions, one clear line for wrong input, and a replay at the end."""

from __future__ import annotations

import io

import pytest
from tests.probes.table import playing, shopping, start

from jimbot.balatro import Action, ActionKind, Game, Replay
from jimbot.cli import play
from jimbot.cli.play import commands as play_commands
from jimbot.cli.play.commands import CommandError, list_decisions, read_action


@pytest.fixture
def session(jimbot, monkeypatch):
    """A function that plays the lines of a session and returns what was printed."""

    def run(*lines: str, arguments: tuple[str, ...] = ("7LB2WVPK",)):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return jimbot("play", *arguments)

    return run


def test_a_round_from_start_to_shop(session, tmp_path):
    saved = tmp_path / "run.replay"
    lines = ["n", "h", "preview 1 2", "p 1 4 5 7 8", "h", "p 1 2 3 4 5", "?", "l", "q"]
    finished = session(*lines, arguments=("7LB2WVPK", "--save", str(saved)))
    assert (finished.code, finished.err) == (0, "")
    for part in (
        "7LB2WVPK  Red Deck, White Stake",
        "-> play the blind",
        "p 1 4 5 7 8  Straight  220",
        "p 1 2  Pair  64",
        ": Straight, 220",
        "220 of 300",
        "sort rank    sort the hand by rank, or by suit",
        "left in ante 1, round 1",
        "replay written to",
    ):
        assert part in finished.out
    game = Replay.load(saved).play()
    assert [encoded[0] for encoded in game.actions or []] == [
        ActionKind.SELECT_BLIND,
        ActionKind.PLAY_HAND,
        ActionKind.PLAY_HAND,
    ]


def test_a_run_to_its_end(session):
    finished = session("n", "p 1", "p 1", "p 1", "p 1", "never read")
    assert finished.code == 0
    assert "the run is lost in ante 1" in finished.out
    assert "left in" not in finished.out


def test_numbers_take_listed_decisions(session):
    finished = session("1", "2", "q")
    assert "-> skip the blind" in finished.out
    assert "-> play the blind" in finished.out


def test_end_of_input_leaves_cleanly(session, tmp_path):
    saved = tmp_path / "run.replay"
    finished = session("n", arguments=("A", "--save", str(saved)))
    assert (finished.code, finished.err) == (0, "")
    assert len(Replay.load(saved).actions) == 1


def test_interrupt_leaves_cleanly_and_saves(jimbot, monkeypatch, tmp_path):
    saved = tmp_path / "run.replay"
    answers = iter(["n"])

    def read(_prompt):
        for line in answers:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    finished = jimbot("play", "A", "--save", str(saved))
    assert (finished.code, finished.err) == (130, "")
    assert len(Replay.load(saved).actions) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("zz", "'zz' is not a command; enter ? for a list"),
        ("p", "p wants at least one position, got none"),
        ("p x", "p wants positions, counted from 1, got 'x'"),
        ("p 0", "p wants positions, counted from 1, got '0'"),
        ("p 1 1", "a card can be named once only"),
        ("p 1 2 3 4 5 6", "p 1 2 3 4 5 6: "),
        ("p 31", "p 31: "),
        ("p 99999999999999999999", "got '99999999999999999999'"),
        ("d ²", "got '²'"),
        ("b 1", "b 1: this action does not belong to the current phase"),
        ("b 1 2", "b wants one position, got 2"),
        ("n", "the round is not over: play cards with p, or discard with d"),
        ("k now", "k stands alone, got 'now' after it"),
        ("s 1", "s wants j 2 or c 1"),
        ("s j 1", "s j 1: "),
        ("m j 1", "m wants 2 positions, got 1"),
        ("sort", "sort wants rank or suit"),
        ("77", "there is no decision 77; enter l for the list"),
        ("preview", "p wants at least one position, got none"),
    ],
)
def test_wrong_input_gives_one_line(session, line, message):
    right = session("n").out
    finished = session("n", line)
    assert (finished.code, finished.err) == (0, "")
    added = finished.out.removesuffix("> \nleft in ante 1, round 1\n").removeprefix(
        right.removesuffix("> \nleft in ante 1, round 1\n")
    )
    assert added.count("\n") == 1
    assert added.startswith("> ")
    assert message in added


def test_hints_are_for_rounds(session):
    assert "hints are for rounds" in session("h").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("!",), "'!'"),
        (("A", "--deck", "b_x"), "b_x"),
        (("A", "--stake", "9"), "stake"),
        (("A", "--challenge", "c_omelette_1", "--stake", "2"), "a challenge brings its own deck"),
        (("A", "--save", "no/such/place.replay"), "cannot write no/such/place.replay: there is no directory"),
    ],
)
def test_bad_arguments_get_one_line(session, arguments, message):
    finished = session("q", arguments=arguments)
    assert (finished.code, finished.out) == (2, "")
    assert finished.err.startswith("jimbot: error: ")
    assert finished.err.count("\n") == 1
    assert message in finished.err


def test_save_into_a_directory_is_refused_before_playing(session, tmp_path):
    finished = session("q", arguments=("A", "--save", str(tmp_path)))
    assert (finished.code, finished.out) == (2, "")
    assert "it is a directory" in finished.err
    assert list(tmp_path.iterdir()) == []


def test_input_that_is_no_text(jimbot, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="utf-8"))
    finished = jimbot("play", "A")
    assert (finished.code, finished.err) == (2, "jimbot: error: the input is not text in UTF-8\n")


def test_random_seed_and_challenge(session):
    assert session("q", arguments=()).code == 0
    assert "The Omelette" in session("q", arguments=("A", "--challenge", "c_omelette_1")).out


# --- commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("p 1 3 5", Action.play(0, 2, 4)),
        ("P 5,3,1", Action.play(0, 2, 4)),
        ("d 2 4", Action.discard(1, 3)),
        ("u 1 3", Action.use(0, 2)),
        ("s j 2", Action.sell_joker(1)),
        ("s c 1", Action.sell_consumable(0)),
        ("m j 2 1", Action.move_joker(1, 0)),
        ("m c 8 1", Action.move_card(7, 0)),
        ("sort suit", Action.sort_hand("suit")),
    ],
)
def test_commands_of_a_round(line, action):
    game = playing(jokers=["j_joker", "j_duo"], consumables=["c_chariot"])
    assert read_action(line, game) == action


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("b 1", Action.buy(0)),
        ("bu 2", Action.buy_and_use(1)),
        ("v 1", Action.redeem(0)),
        ("v", Action.redeem(0)),
        ("o 2", Action.open_pack(1)),
        ("r", Action.reroll_shop()),
        ("n", Action.leave_shop()),
    ],
)
def test_commands_of_the_shop(line, action):
    assert read_action(line, shopping(money=100, shop_slots=["j_joker", "c_pluto"])) == action


def test_commands_of_the_other_phases():
    game = start()
    assert read_action("n", game) == Action.select_blind()
    assert read_action("k", game) == Action.skip_blind()
    with pytest.raises(CommandError, match="r: "):
        read_action("r", game)
    game = shopping(money=100)
    game.step(Action.open_pack(0))
    assert read_action("t 1", game) == Action.pick(0)
    assert read_action("k", game) == read_action("n", game) == Action.skip_pack()


def test_listed_decisions_are_legal_and_read_back():
    packs = shopping(money=100)
    packs.step(Action.open_pack(1))
    rich = shopping(money=100, shop_slots=["j_joker;e=foil", "c_pluto"], consumables=["c_fool", "c_pluto"])
    for game in (start(), playing(jokers=["j_joker", "j_duo"], consumables=["c_chariot"]), rich, packs):
        listed = list_decisions(game)
        assert [each.number for each in listed if each.number] == list(
            range(1, 1 + sum(each.action is not None for each in listed))
        )
        groups = [each.group for each in listed]
        assert sorted(groups, key=play_commands.GROUP_ORDER.index) == groups
        for each in listed:
            if each.action is not None:
                assert game.why_not(each.action) is None
                assert read_action(each.command, game) == each.action
                assert read_action(str(each.number), game) == each.action


def test_prices_and_names_are_listed():
    rich = shopping(money=100, shop_slots=["j_joker;e=foil"], consumables=["c_pluto"], jokers=["j_duo"])
    words = [each.words for each in list_decisions(rich)]
    for part in (
        "buy Foil Joker for $",
        "redeem Crystal Ball for $10",
        "sell The Duo for $",
        "reroll the shop for $5",
    ):
        assert any(line.startswith(part) for line in words)


def test_hidden_jokers_stay_hidden_in_the_list():
    game = playing(["S_9"], jokers=["j_baron", "j_duo"], blind="bl_final_acorn")
    assert all("Baron" not in each.words and "Duo" not in each.words for each in list_decisions(game))


def test_luck_is_told_in_previews():
    line = play.format_preview(Action.play(0), playing(["S_A;h=m_lucky"])).plain
    assert "at least; " in line
    assert "at best" in line
    refused = play.format_preview(Action.play(0), playing(["S_A", "S_K"], blind="bl_psychic")).plain
    assert refused.endswith("the blind refuses it")


def test_moves_count_from_one():
    game = Game("A")
    game.step(Action.select_blind())
    assert play_commands.describe_action_from_one(game.public_view(), Action.move_card(7, 0)).endswith(
        "to position 1"
    )
