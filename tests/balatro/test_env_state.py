"""Environments that are written down and taken up again: snapshots, replays, and records kept up to date."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.probes.table import playing, shopping

from jimbot.balatro import Action, Game
from jimbot.balatro.env.schema import meanings
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.state import EnvSnapshotError
from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.balatro.game.replay import Replay
from jimbot.balatro.names import get_catalog_kinds
from jimbot.players import create_player

MODES: list[dict[str, Any]] = [{}, {"actions": "candidates", "candidates": 32}]
MODE_NAMES = ["slots", "candidates"]
both_modes = pytest.mark.parametrize("mode", MODES, ids=MODE_NAMES)


def random_actions(masks, rng):
    """One legal action per row of masks."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def rich_starts() -> tuple[bytes, ...]:
    """Runs in the middle, with jokers, consumables and enhanced cards, in every phase."""
    hand = ["S_A;h=m_glass", "H_A;h=m_lucky", "D_K;h=m_steel;l=Red", "C_K", "S_9", "H_9;e=foil", "D_3", "C_2"]
    table = playing(
        hand,
        jokers=["j_joker", "j_vampire", "j_midas_mask", "j_trading"],
        consumables=["c_death", "c_hanged_man", "c_star"],
        consumable_slots=4,
        money=30,
    )
    large = playing([f"{suit}_{rank}" for suit in "SHDC" for rank in "23456789TJQKA"][:24], jokers=["j_dna"])
    won = playing(hand, jokers=["j_joker", "j_certificate"], money=60)
    won.edit(target=0)
    won.step(Action.play(0))
    shop = won.clone()
    shop.step(Action.cash_out())
    hidden = playing(jokers=["j_joker", "j_baron", "j_mime"], blind="bl_house")
    return tuple(game.snapshot() for game in (table, large, won, shop, hidden))


@cache
def grown_runs() -> tuple[bytes, ...]:
    """Runs of the scripted player in all antes it reaches, at every sixth decision."""
    found: list[bytes] = []
    for number in range(8):
        game, player = Game(seed=f"GROWN{number}"), create_player("scripted")
        for decision in range(400):
            if game.over:
                break
            game.step(player.choose(game))
            if decision % 6 == 5 and not game.over:
                found.append(game.snapshot())
    return tuple(found)


def trace(env: BalatroVectorEnv, steps: int, seed: int) -> list[bytes]:
    """Everything that steps of random legal play give, as bytes."""
    rng = np.random.default_rng(seed)
    runs, found = env._runs, []
    for _ in range(steps):
        env.step(random_actions(env.observations()["action_mask"], rng))
        parts = (runs.observations, runs.rewards, runs.terminated, runs.truncated, runs.final_infos)
        found.append(b"".join(part.tobytes() for part in parts))
    return found


# --- records ----------------------------------------------------------------------------------------------------------


@both_modes
@pytest.mark.parametrize("fast", [False, True])
def test_records_kept_up_to_date_are_records_written_anew(mode, fast):
    starts = rich_starts() + grown_runs()
    env = BalatroVectorEnv(
        12, starts=starts, start_chance=0.8, stakes=(1, 8), fast=fast, max_steps=80, **mode
    )
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(150):
        env.step(random_actions(env.observations()["action_mask"], rng))
        for index in range(env.num_envs):
            assert env._runs.observations[index].tobytes() == env._runs.fresh_record(index)


HAPPENED: list[dict[str, Any]] = [
    {"hands_played": 7},
    {"tarots_used": 5},
    {"skips": 3},
    {"unused_discards": 9},
    {"money": 77},
    {"plays": {"Pair": 4, "Flush": 9}},
    {"plays_round": {"Pair": 1}},
    {"levels": {"Pair": 3}},
    {"targets": {"idol": "H_7", "ancient": "Clubs", "castle": "Hearts", "mail": "9"}},
    {"ox_hand": "Flush"},
    {"joker_slots": 9},
    {"hand_size": 6},
    {"vouchers": ["v_observatory"], "consumables": ["c_mercury"]},
]


@pytest.mark.parametrize(
    "joker", ["", *(key for key, kind in get_catalog_kinds().items() if kind == "joker")]
)
def test_what_is_remembered_of_a_build_is_all_it_depends_on(joker):
    """Runs that differ in one thing only share what an environment remembers; each has its own candidates."""
    jokers = [joker] if joker else []
    starts: list[bytes] = []
    for happened in [{}, *HAPPENED]:
        game = shopping(shop_slots=["j_supernova", "j_loyalty_card"], jokers=jokers, money=20)
        game.edit(**happened)
        starts.append(game.snapshot())
    env = BalatroVectorEnv(40, actions="candidates", starts=tuple(starts), start_chance=1.0)
    env.reset(seed=0)
    for index in range(env.num_envs):
        assert env._runs.observations[index].tobytes() == env._runs.fresh_record(index)


def test_large_hands_are_shown_as_far_as_they_can_be_acted_on():
    fronts = [f"{suit}_{rank}" for suit in "SHDC" for rank in "23456789TJQKA"]
    env = BalatroEnv(starts=(playing(fronts[:20]).snapshot(),))
    observation, _ = env.reset(seed=0)
    hand = [card.card for card in env.game().hand]
    assert (observation["hand"][:, 0] == 1.0).all()
    game = env.game()
    rank = dict(zip("23456789TJQKA", range(2, 15), strict=True))
    shown = np.rint(observation["hand"][:, 5] * 14).astype(int).tolist()
    assert shown == [rank[str(front)[2]] for front in (*hand[:15], hand[-1])]
    words = meanings()
    assert [word for word in words if word.startswith("bring")][-1] == "bring to the front hand card 15"
    env.step(words.index("bring to the front hand card 15"))
    assert [card.card for card in env.game().hand] == [hand[-1], *hand[:-1]]
    small = BalatroEnv(starts=(playing(fronts[:16]).snapshot(),))
    small.reset(seed=0)
    before = [card.card for card in small.game().hand]
    small.step(words.index("bring to the front hand card 15"))
    assert [card.card for card in small.game().hand] == [before[15], *before[:15]]
    assert game.phase is env.game().phase


def test_kept_observations_stay_as_they_are():
    env = BalatroEnv()
    observation, _ = env.reset(seed=0)
    rng = np.random.default_rng(2)
    kept, copies, parts, part_copies = [], [], [], []
    for step in range(200):
        kept.append(observation)
        copies.append({name: array.copy() for name, array in observation.items()})
        if step % 3 == 0:
            del kept[-1], copies[-1]
            parts.append(observation["deck"][3:9])  # a view of a part, without the dict
            part_copies.append(parts[-1].copy())
        action = random_actions(observation["action_mask"][None], rng)[0]
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            observation, _ = env.reset()
    for held, copy in zip(kept, copies, strict=True):
        assert all((held[name] == copy[name]).all() for name in copy)
    assert all((part == copy).all() for part, copy in zip(parts, part_copies, strict=True))


def test_changing_an_observation_changes_nothing_else():
    env = BalatroEnv()
    observation, _ = env.reset(seed=0)
    expected = observation["action_mask"].copy()
    observation["action_mask"][:] = 1
    del observation["hand"]
    again = env.observation()
    assert "hand" in again
    assert (again["action_mask"] == expected).all()


# --- snapshots --------------------------------------------------------------------------------------------------------


@both_modes
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_a_restored_vector_goes_on_bit_for_bit(mode, autoreset):
    options: dict[str, Any] = {"max_steps": 40, "stakes": (1, 5), "autoreset": autoreset, **mode}
    env = BalatroVectorEnv(6, **options)
    env.reset(seed=7)
    trace(env, 57, seed=1)
    kept = env.snapshot()
    shown = env._runs.observations.tobytes()
    expected = trace(env, 80, seed=2)
    other = BalatroVectorEnv(6, threads=2, **options)
    other.reset(seed=99)
    trace(other, 13, seed=3)
    other.restore(kept)
    assert other._runs.observations.tobytes() == shown
    assert (other.observations()["action_mask"] == other._observations["action_mask"]).all()
    assert trace(other, 80, seed=2) == expected
    env.restore(kept)
    assert trace(env, 80, seed=2) == expected
    assert env.snapshot() == other.snapshot()


@both_modes
def test_a_restored_single_environment_goes_on_bit_for_bit(mode):
    def play(env: BalatroEnv, steps: int) -> list[Any]:
        rng, found = np.random.default_rng(5), []
        for _ in range(steps):
            if env._ended:
                env.reset()
            observation, reward, *_, info = env.step(random_actions(env.action_masks()[None], rng)[0])
            found.append((b"".join(array.tobytes() for array in observation.values()), reward, info))
        return found

    env = BalatroEnv(**mode)
    env.reset(seed=11)
    play(env, 30)
    kept = env.snapshot()
    expected = play(env, 120)
    other = BalatroEnv(**mode)
    other.restore(kept)
    assert play(other, 120) == expected
    assert sum(bool(info) for *_, info in expected) > 3


def test_the_finishing_ante_is_part_of_a_snapshot():
    env = BalatroVectorEnv(2, max_ante=2)
    env.reset(seed=0)
    env.set_max_ante(5)
    other = BalatroVectorEnv(2, max_ante=2)
    other.restore(env.snapshot())
    assert other.options.max_ante == 5
    assert other._runs.max_ante == 5


def test_the_finishing_ante_holds_from_the_next_start_on():
    start = playing(["S_A"], blind="bl_hook", target=1.0, ante=2).snapshot()
    env = BalatroVectorEnv(1, max_ante=3, starts=(start,))
    env.reset(seed=0)
    env.set_max_ante(2)
    _, _, terminated, _, _ = env.step([0])
    assert not terminated[0]
    env.reset(seed=0)
    _, _, terminated, _, _ = env.step([0])
    assert terminated[0]


def test_snapshots_that_do_not_fit_are_refused():
    env = BalatroVectorEnv(3)
    env.reset(seed=1)
    kept = env.snapshot()
    before = env._runs.observations.tobytes()
    damaged = bytearray(kept)
    damaged[len(kept) // 2] ^= 1
    other_version = bytearray(kept)
    other_version[8] += 1
    for bytes_, message in (
        (b"", "too few"),
        (b"nothing of the kind" * 20, "do not start like one"),
        (Game("7LB2WVPK").snapshot(), "do not start like one"),
        (kept[:-1], "damaged"),
        (kept + b"x", "damaged"),
        (bytes(damaged), "damaged"),
        (bytes(other_version), "another version"),
        (BalatroVectorEnv(4).snapshot(), "4 games does not fit an environment of 3"),
        (BalatroVectorEnv(3, stakes=2).snapshot(), "other options"),
        (BalatroVectorEnv(3, actions="candidates").snapshot(), "other options"),
        (BalatroVectorEnv(3, autoreset="next_step").snapshot(), "other options"),
    ):
        with pytest.raises(EnvSnapshotError, match=message):
            env.restore(bytes_)
    assert env._runs.observations.tobytes() == before
    assert env.snapshot() == kept
    with pytest.raises(EnvSnapshotError, match="other options"):
        BalatroEnv().restore(BalatroVectorEnv(1).snapshot())


def with_checksum(snapshot: bytes) -> bytes:
    """The snapshot with the checksum that its changed bytes have."""
    head, body = bytearray(snapshot[:56]), snapshot[56:]
    mask = 2**64 - 1
    value = 0x9E3779B97F4A7C15 ^ len(body)
    whole = len(body) // 8 * 8
    for word in (*np.frombuffer(body[:whole], "<u8").tolist(), *body[whole:]):
        value = (value ^ word) * 0xD6E8FEB86659FD93 & mask
        value ^= value >> 32
    head[48:56] = value.to_bytes(8, "little")
    return bytes(head) + body


@both_modes
def test_snapshots_with_changed_bytes_are_refused_or_go_on(mode):
    """Whatever is taken can be stepped, told about and replayed: nothing is read that is not there."""
    env = BalatroVectorEnv(2, starts=rich_starts(), start_chance=0.5, max_steps=8, **mode)
    env.reset(seed=3)
    trace(env, 20, seed=4)
    kept = env.snapshot()
    assert with_checksum(kept) == kept
    rng = np.random.default_rng(9)
    taken = 0
    for _ in range(150):
        changed = bytearray(kept)
        for place in rng.integers(56, len(kept), rng.integers(1, 5)):
            changed[place] = int(rng.choice([0, 1, 127, 128, 255, int(rng.integers(256))]))
        try:
            env.restore(with_checksum(bytes(changed)))
        except EnvSnapshotError:
            continue
        taken += 1
        trace(env, 12, seed=5)
        assert all(isinstance(env.outcomes(index), list) for index in range(2))
        assert all(text.isascii() for text in env._ends["seed"].tolist() + env._ends["blind"].tolist())
        Game.restore(Game.restore(env._runs.game(0).snapshot()).snapshot())
    assert 10 < taken < 150


# --- replays ----------------------------------------------------------------------------------------------------------


@both_modes
@pytest.mark.parametrize("options", [{}, {"fast": True}, {"given": True}, {"fast": True, "given": True}])
def test_episodes_can_be_replayed(mode, options):
    chosen: dict[str, Any] = {**options, **mode}
    if chosen.pop("given", False):
        chosen["starts"] = rich_starts()
    env = BalatroEnv(decks=("b_red", "b_plasma"), stakes=(1, 8), max_steps=60, **chosen)
    rng = np.random.default_rng(4)
    longest = 0
    for seed in range(12):
        env.reset(seed=seed)
        info: dict[str, Any] = {}
        while not info:
            *_, info = env.step(random_actions(env.action_masks()[None], rng)[0])
        replay = info["replay"]
        end = replay.play()
        assert end.hash == env.game().hash
        assert (end.seed, replay.seed) == (info["seed"], info["seed"])
        assert Replay.from_bytes(replay.to_bytes()) == replay
        longest = max(longest, len(replay.actions))
    assert longest > 5


@both_modes
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_the_last_episode_of_a_vector_can_be_replayed(mode, autoreset):
    env = BalatroVectorEnv(4, max_steps=50, autoreset=autoreset, **mode)
    env.reset(seed=5)
    assert env.replay(0) is None
    rng = np.random.default_rng(6)
    replayed = 0
    for _ in range(120):
        *_, terminated, truncated, infos = env.step(random_actions(env.observations()["action_mask"], rng))
        for index in np.flatnonzero(terminated | truncated):
            replay = env.replay(int(index))
            assert replay is not None
            end = replay.play()
            final = {name: infos["final_info"][name][index] for name in ("ante", "money", "round", "seed")}
            assert (end.ante, end.money, end.round) == (final["ante"], final["money"], final["round"])
            assert end.seed == replay.seed == final["seed"]
            replayed += 1
    assert replayed > 10
    kept = env.snapshot()
    other = BalatroVectorEnv(4, max_steps=50, autoreset=autoreset, **mode)
    other.restore(kept)
    assert [other.replay(i) for i in range(4)] == [env.replay(i) for i in range(4)]
