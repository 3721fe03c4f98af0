"""Properties of the random numbers: rounding, streams by id and by key, the generator, the shuffle."""

from __future__ import annotations

import math
import random
import struct

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from jimbot import _engine
from jimbot.balatro import seeds
from jimbot.balatro.game import rng

from . import model

SEED_TEXT = st.text(alphabet="123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=8)
UNIT = st.floats(min_value=0, max_value=1, exclude_max=True, allow_subnormal=True)
STREAMS = range(_engine.stream_count)
RUN_STREAMS = _engine.run_stream_count
NAN_DRAW = 0.99249255698284466


def bits(value: float) -> bytes:
    return struct.pack(">d", value)


def by_key(seed: str, stream: int, ante: int, resample: int, count: int) -> list[float]:
    """Generator seeds of a stream, from its key text alone."""
    key = _engine.stream_key(stream, ante, resample)
    return [use.seed for use in rng.stream(seed, key, count)]


# --- rounding -------------------------------------------------------------------------------------------------------


def is_tie(x: float) -> bool:
    """Exactly between two numbers of thirteen decimals, where builds of the game differ."""
    return (x * 2**14).is_integer() and not (x * 2**13).is_integer()


@given(UNIT)
@settings(max_examples=2000)
@example(0.0)
@example(math.nextafter(1.0, 0.0))
@example(5e-324)
def test_rounding_is_printing_and_parsing(x):
    assume(not is_tie(x))
    assert bits(rng.round13(x)) == bits(float(f"{x:.13f}"))


@given(st.integers(0, 10**13 - 1), st.integers(-6, 6))
@settings(max_examples=4000)
def test_rounding_next_to_a_tie(n, steps):
    """The doubles around n + 1/2 units of the last decimal: where multiplying and rounding goes wrong."""
    x = (2 * n + 1) / (2 * 10**13)
    for _ in range(abs(steps)):
        x = math.nextafter(x, 1.0 if steps > 0 else 0.0)
    assume(0 <= x < 1 and not is_tie(x))
    assert bits(rng.round13(x)) == bits(float(f"{x:.13f}"))


def test_rounding_of_many_values():
    source = random.Random(13)
    wrong_if_naive = 0
    for _ in range(100_000):
        x = source.random()
        exact = float(f"{x:.13f}")
        assert rng.round13(x) == exact, x
        wrong_if_naive += round(x * 1e13) / 1e13 != exact
    # The obvious formula is wrong once in a few thousand values: the sample is able to tell.
    assert wrong_if_naive > 5


@given(UNIT)
def test_rounding_twice_changes_nothing(x):
    assert rng.round13(rng.round13(x)) == rng.round13(x)


# --- streams --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("resample", [0, 2, 3, 11])
@pytest.mark.parametrize("ante", [1, 8, 0, -1, 12])
def test_stream_by_id_is_stream_by_key(ante, resample):
    for stream in STREAMS:
        for seed in ("7LB2WVPK", "A", "3EMYBP31"):
            actual = _engine.engine_stream(seed, stream, ante, resample, 3)
            expected = by_key(seed, stream, ante, resample, 3)
            assert list(map(bits, actual)) == list(map(bits, expected)), _engine.stream_key(
                stream, ante, resample
            )


def test_stream_keys_are_distinct():
    keys = {
        _engine.stream_key(stream, ante, again) for stream in STREAMS for ante in (1, 2) for again in (0, 2)
    }
    per_run, per_ante = RUN_STREAMS, len(STREAMS) - RUN_STREAMS
    assert len(keys) == 2 * per_run + 4 * per_ante


@pytest.mark.parametrize(
    ("key", "ante", "resample"),
    [
        ("boss", 3, 0),
        ("Joker4", 2, 0),
        ("Joker1sho-1", -1, 0),
        ("rarity12buf", 12, 0),
        ("Tarotar10_resample2", 0, 2),
        ("Voucher_fromtag_resample11", 5, 11),
        ("soul_Spectral8", 8, 0),
    ],
)
def test_key_text(key, ante, resample):
    assert key in {_engine.stream_key(stream, ante, resample) for stream in STREAMS}


@given(SEED_TEXT, st.data())
@settings(max_examples=200)
def test_streams_do_not_influence_each_other(seed, data):
    """However uses are mixed, each stream goes its own way; antes may go back by two."""
    ante = data.draw(st.integers(-1, 12))
    one_use = st.tuples(
        st.sampled_from(STREAMS), st.integers(ante, ante + 2), st.sampled_from([0, 0, 0, 2, 3])
    )
    uses = data.draw(st.lists(one_use, max_size=60))
    counts: dict[str, int] = {}
    for use, actual in zip(uses, _engine.engine_draws(seed, uses), strict=True):
        key = _engine.stream_key(*use)
        counts[key] = counts.get(key, 0) + 1
        assert bits(actual) == bits(rng.stream(seed, key, counts[key])[-1].seed)


def test_returning_to_an_ante_continues_its_streams():
    stream = next(each for each in STREAMS if _engine.stream_key(each, 5, 0) == "cdt5")
    for away in ([6], [6, 7], [6, 7, 6], [4], [4, 3]):
        visits = [5, 5, *away, 5]
        drawn = _engine.engine_draws("7LB2WVPK", [(stream, ante, 0) for ante in visits])
        assert drawn[-1] == by_key("7LB2WVPK", stream, 5, 0, 3)[-1], away


def test_run_streams_do_not_depend_on_the_ante():
    for stream in range(RUN_STREAMS):
        uses = [(stream, ante, 0) for ante in (1, 2, 9)]
        assert list(map(bits, _engine.engine_draws("7LB2WVPK", uses))) == list(
            map(bits, by_key("7LB2WVPK", stream, 1, 0, 3))
        )


@given(SEED_TEXT, st.sampled_from(["boss", "Joker1sho1", "cdt2", "Tarotar11_resample2"]))
def test_stream_is_the_model_of_a_stream(seed, key):
    run = model.Run(seed)
    for use in rng.stream(seed, key, 3):
        generator = run.generator(key)
        assert bits(use.state) == bits(run.streams[key])
        assert rng.reals(use.seed, 3) == [generator.real() for _ in range(3)]


# --- the path of not-a-number ---------------------------------------------------------------------------------------


def test_not_a_number_draws_the_last_card_for_ever():
    uses = rng.stream("7LB2WVPK", "erratic", 52)
    assert math.isnan(rng.pseudohash("erratic7LB2WVPK"))
    for use in uses:
        assert bits(use.state).hex() == "7ff8000000000000"
        assert rng.reals(use.seed, 2)[0] == NAN_DRAW
    deck = seeds.explore("7LB2WVPK", "deck")
    assert deck["erratic_draws"] == ["S_T"] * 52
    assert deck["erratic_hands"] == [[["S_T"] * 8] * 3] * 2


def test_sign_of_not_a_number_decides():
    assert rng.reals(math.nan)[0] == NAN_DRAW
    assert rng.reals(math.copysign(math.nan, -1.0))[0] == 0.99401821283724456


# --- the generator --------------------------------------------------------------------------------------------------


@given(UNIT)
def test_generator_is_the_model_of_it(seed):
    generator = model.Generator(seed)
    assert rng.reals(seed, 4) == [generator.real() for _ in range(4)]


def test_known_values():
    assert rng.reals(0.0, 2) == [0.79420629243124097, 0.69885246563716397]
    assert rng.pseudohash("7LB2WVPK") == 0.17691054639954018
    assert rng.pseudohash("boss7LB2WVPK") == 0.21622050174181595


@given(UNIT, st.integers(-1000, 1000), st.integers(0, 1000))
def test_integers_stay_in_their_bounds(seed, low, width):
    high = low + width
    drawn = rng.integers(seed, low, high, 20)
    assert all(low <= value <= high for value in drawn)
    assert drawn == [math.floor(real * (width + 1)) + low for real in rng.reals(seed, 20)]


@given(UNIT)
def test_every_integer_comes(seed):
    assert set(rng.integers(seed, 1, 4, 200)) == {1, 2, 3, 4}


def test_integers_need_an_order():
    with pytest.raises(ValueError, match="low must not exceed high, got 2 and 1"):
        rng.integers(0.5, 2, 1)


@given(UNIT, st.integers(0, 120))
def test_shuffle_is_a_permutation_in_the_games_order(seed, count):
    items = list(range(count))
    shuffled = rng.shuffle(seed, items)
    assert sorted(shuffled) == items
    generator = model.Generator(seed)
    for last in range(count - 1, 0, -1):
        other = generator.integer(1, last + 1) - 1
        items[last], items[other] = items[other], items[last]
    assert shuffled == items


@given(st.text(max_size=30))
def test_hash_lies_in_the_unit_interval(text):
    value = rng.pseudohash(text)
    assert math.isnan(value) or 0 <= value < 1 or (text == "" and value == 1)


@given(SEED_TEXT, st.sampled_from(["", "boss", "Joker3sho8"]))
def test_hash_is_the_model_of_it(seed, key):
    assert bits(rng.pseudohash(key + seed)) == bits(model.pseudohash(key + seed))


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: _engine.engine_stream("A", len(STREAMS), 1, 0, 1), "stream must be 0 to"),
        (lambda: _engine.stream_key(-1, 1, 0), "stream must be 0 to"),
        (lambda: _engine.engine_stream("A", 0, 1, 0, -1), "count must not be negative"),
        (lambda: _engine.shuffled(0.5, -1), "count must not be negative"),
        (lambda: _engine.engine_draws("a", []), "seed 'a' is not possible"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
