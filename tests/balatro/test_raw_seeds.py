"""Seeds with a 0: typed ones are read with the letter O, as in the game; raw ones keep it and give another run."""

from __future__ import annotations

import random

import pytest

from jimbot import _engine
from jimbot.balatro import Action, Game, Replay, seeds
from jimbot.balatro.env.options import EnvOptionError
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.state import make_replay
from jimbot.balatro.game.rng import pseudohash, stream
from jimbot.balatro.seeds.contents import SeedError, normalize_seed

RAW = ["0", "00000000", "A0B", "0ABCDEF1", "1234567" + "0"]
VIEWS = ["queue", "walk", "deck", "misc"]


def run_on(game: Game, steps: int) -> Game:
    """The game some random steps later."""
    rng = random.Random(1)
    for _ in range(steps):
        if not game.over:
            game.step(rng.choice(game.legal_actions()))
    return game


@pytest.mark.parametrize("seed", RAW)
def test_typed_zero_is_the_letter(seed):
    assert normalize_seed(seed) == seed.replace("0", "O")
    assert Game(seed).hash == Game(seed.replace("0", "O")).hash
    assert seeds.explore(seed, antes=1) == seeds.explore(seed.replace("0", "O"), antes=1)


@pytest.mark.parametrize("seed", RAW)
def test_raw_zero_is_a_zero(seed):
    assert normalize_seed(seed, raw=True) == seed
    game = Game(seed, raw_seed=True)
    assert game.seed == game.state()["seed"] == seed
    assert game.hash != Game(seed).hash
    game.step(Action.select_blind())
    typed = Game(seed)
    typed.step(Action.select_blind())
    assert [card.card for card in game.hand] != [card.card for card in typed.hand]


@pytest.mark.parametrize("seed", RAW)
def test_streams_hash_the_raw_string(seed):
    """Every stream starts from the hash of its key and the seed, and is mixed with the hash of the seed."""
    draws = _engine.engine_stream(seed, 0, 1, 0, 3)
    key = _engine.stream_key(0, 1, 0)
    assert draws == [use.seed for use in stream(seed, key, 3)]
    first = stream(seed, key)[0]
    assert first.seed == (first.state + pseudohash(seed)) / 2
    assert pseudohash(seed) != pseudohash(seed.replace("0", "O"))


@pytest.mark.parametrize("view", VIEWS)
def test_views_take_raw_seeds(view):
    raw = seeds.explore("A0B", view, antes=1, raw_seed=True)
    assert raw != seeds.explore("A0B", view, antes=1)
    assert seeds.explore("AOB", view, antes=1) == seeds.explore("A0B", view, antes=1)
    assert seeds.explore("AOB", view, antes=1, raw_seed=True) == seeds.explore("AOB", view, antes=1)


def test_view_of_a_raw_seed_is_its_run():
    assert seeds.walk("A0B", antes=1, raw_seed=True)[0]["boss"] == Game("A0B", raw_seed=True).state()["boss"]
    assert seeds.walk("A0B", antes=1)[0]["boss"] == Game("AOB").state()["boss"]


@pytest.mark.parametrize("seed", RAW)
def test_raw_seed_survives_snapshot_clone_and_replay(seed):
    game = run_on(Game(seed, raw_seed=True), 12)
    restored = Game.restore(game.snapshot())
    assert (restored.seed, restored.hash) == (seed, game.hash)
    assert run_on(game.clone(), 5).hash == run_on(restored, 5).hash
    replay = Replay.from_bytes(Replay.of(game).to_bytes())
    assert replay.seed == seed
    assert replay.play().hash == game.hash
    assert replay.play().seed == seed


def test_environment_starts_from_a_raw_seed():
    env = BalatroEnv(starts=(Game("A0B", raw_seed=True).snapshot(),))
    env.reset(seed=0)
    assert env.game().seed == "A0B"
    replay = make_replay(env._run.replay(0))
    assert (replay.seed, replay.play().hash) == ("A0B", Game("A0B", raw_seed=True).hash)


def test_raw_seeds_have_no_number():
    """Only seeds that the game rolls are numbered; they hold neither 0 nor O."""
    with pytest.raises(ValueError, match="seed '0ABCDEF1' has no number"):
        _engine.seed_number("0ABCDEF1")
    with pytest.raises(EnvOptionError, match="seed 'OABCDEF1' has no number"):
        BalatroEnv().reset(options={"seed": "0ABCDEF1"})
    for number in (0, 1, 12345, _engine.seed_space - 1):
        seed = _engine.seed_at(number)
        assert "0" not in seed
        assert Game(seed, raw_seed=True).hash == Game(seed).hash
        assert _engine.seed_number(seed) == number


@pytest.mark.parametrize("seed", ["", "abc", " A0", "A0 ", "A-0", "123456789", "Ö0"])
def test_raw_seeds_are_taken_exactly_or_not_at_all(seed):
    with pytest.raises(SeedError) as caught:
        Game(seed, raw_seed=True)
    allowed = "0-9 and A-Z, exactly as the game is given it"
    assert str(caught.value) == f"seed '{seed}' is not possible: a seed has 1 to 8 characters from {allowed}"


@pytest.mark.parametrize("seed", [5, None, b"ABC", 1.5, ["A"]], ids=repr)
def test_seeds_are_texts(seed):
    with pytest.raises(SeedError, match="a seed is a text such as '7LB2WVPK', got"):
        normalize_seed(seed)
