"""The environments: Gymnasium's promises, the action space, rewards, fairness, and single equal to vector."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.probes.table import playing, shopping

import jimbot.balatro  # registers the environments
from jimbot import _engine
from jimbot.balatro import Action, Game, IllegalActionError
from jimbot.balatro.env.options import DIFFICULTIES, EnvOptionError, EnvOptions
from jimbot.balatro.env.schema import ACTIONS, INFO_NAMES, REWARD_TERMS, meanings, view_arrays
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv


def random_actions(masks, rng):
    """One legal action per row of masks."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def play_out(env, rng, limit=10_000):
    """Random legal play to the episode's end; the rewards and the last info."""
    rewards, info = [], {}
    for _ in range(limit):
        _, reward, terminated, truncated, info = env.step(random_actions(env.action_masks()[None], rng)[0])
        rewards.append(reward)
        if terminated or truncated:
            return rewards, info
    raise AssertionError("the episode did not end")


def from_game(game, **options: Any):
    env = BalatroEnv(starts=(game.snapshot(),), **options)
    env.reset(seed=0)
    return env


# --- Gymnasium ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_gymnasium_checker(actions):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(BalatroEnv(checked=False, actions=actions), skip_render_check=True)


@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_stable_baselines_checker(actions):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        checker.check_env(BalatroEnv(checked=False, actions=actions), warn=False)


def test_made_by_name():
    env = gymnasium.make("jimbot/Balatro-v0", max_ante=2)
    assert isinstance(env.unwrapped, BalatroEnv)
    vector = gymnasium.make_vec("jimbot/Balatro-v0", num_envs=3, stakes=(1, 2))
    assert isinstance(vector.unwrapped, BalatroVectorEnv)
    assert vector.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP


@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_observations_stay_in_their_space(actions):
    rng = np.random.default_rng(1)
    env = BalatroEnv(max_ante=3, actions=actions)
    for seed in range(30):
        observation, _ = env.reset(seed=seed)
        assert env.observation_space.contains(observation)
        done = False
        while not done:
            observation, _, terminated, truncated, _ = env.step(
                random_actions(env.action_masks()[None], rng)[0]
            )
            assert env.observation_space.contains(observation)
            done = terminated or truncated


# --- actions --------------------------------------------------------------------------------------------------------


def test_every_action_has_a_meaning_of_its_own():
    words = meanings()
    assert len(words) == ACTIONS <= 1000
    assert all(words)
    assert len(set(words)) == ACTIONS


def test_the_mask_is_what_is_legal():
    rng = np.random.default_rng(2)
    env = BalatroEnv()
    checked = 0
    for seed in range(20):
        env.reset(seed=seed)
        done = False
        while not done:
            mask = env.action_masks()
            assert [env._run.legal(0, slot) for slot in range(ACTIONS)] == mask.tolist()
            checked += 1
            _, _, terminated, truncated, _ = env.step(random_actions(mask[None], rng)[0])
            done = terminated or truncated
    assert checked > 100


def test_every_action_is_taken_somewhere():
    """Scenes that offer everything; each index is executed at least once and does not end in a refusal."""
    many = [f"{suit}_{rank}" for suit in "SHDC" for rank in "A23456789TJQK"]
    scenes = [
        playing(many[:32]),
        playing(
            many[:8],
            jokers=["j_joker"] * 20,
            joker_slots=30,
            consumables=["c_pluto"] * 16,
            consumable_slots=20,
        ),
        playing(many[:8], consumables=["c_star", "c_death"]),
        shopping(
            shop_slots=["j_joker", "c_pluto", "c_hermit", "c_mars"],
            shop_vouchers=["v_grabber", "v_blank", "v_hone", "v_telescope", "v_wasteful", "v_magic_trick"],
            money=500,
        ),
        shopping(shop_slots=["c_pluto"] * 4, money=500),
        Game("SCENE"),
    ]
    boss = Game("SCENE")
    boss.edit(vouchers=["v_retcon"], money=50)
    scenes.append(boss)
    won = playing(many[:8])
    won.edit(target=0)
    won.step(Action.play(0))
    scenes.append(won)
    pack = shopping(shop_packs=["p_celestial_mega_1", "p_buffoon_mega_1"], money=100)
    scenes.append(pack.clone())
    pack.step(Action.open_pack(0))
    scenes.append(pack)
    taken: set[int] = set()
    for scene in scenes:
        queue = [from_game(scene)]
        if scene is scenes[2]:
            choosing = from_game(scene)
            choosing.step(meanings().index("use consumable 0"))
            queue.append(choosing)
        for env in queue:
            base = env._run
            for slot in np.flatnonzero(env.action_masks()):
                fresh = from_game(scene)
                if base.pending(0):
                    fresh.step(meanings().index("use consumable 0"))
                before = fresh.game().hash, fresh._run.pending(0)
                fresh.step(slot)
                assert fresh._run.info(0)[INFO_NAMES.index("illegal")] == 0
                if "sort" not in meanings()[slot]:
                    assert (fresh.game().hash, fresh._run.pending(0)) != before, meanings()[slot]
                taken.add(int(slot))
    missing = [meanings()[slot] for slot in range(ACTIONS) if slot not in taken]
    assert missing == []


def test_cards_beyond_the_window_are_reached():
    game = playing(["S_2", "H_3", "D_4", "C_5", "S_7", "H_8", "D_9", "C_T", "S_K", "H_K"])
    env = from_game(game)
    words = meanings()
    env.step(words.index("bring to the front hand card 9"))
    env.step(words.index("bring to the front hand card 9"))
    assert [card.card for card in env.game().hand][:2] == ["S_K", "H_K"]
    before = env.game().blind.score
    env.step(words.index("play hand cards 0 1"))
    assert env.game().blind.score - before == (10 + 20) * 2


def test_targets_are_chosen_in_a_second_step():
    env = from_game(playing(["S_2", "H_3", "D_4"], consumables=["c_death", "c_star"]))
    words = meanings()
    env.step(words.index("use consumable 0"))
    legal = {words[slot] for slot in np.flatnonzero(env.action_masks())}
    assert {text for text in legal if text.startswith("target")} == {
        "target hand cards 0 1",
        "target hand cards 0 2",
        "target hand cards 1 2",
    }
    env.step(words.index("give up choosing targets"))
    assert [card.key for card in env.game().consumables] == ["c_death", "c_star"]
    env.step(words.index("use consumable 0"))
    env.step(words.index("target hand cards 0 2"))
    assert [card.card for card in env.game().hand] == ["D_4", "H_3", "D_4"]


def test_illegal_actions():
    env = BalatroEnv()
    with pytest.raises(IllegalActionError, match="call reset"):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(IllegalActionError, match=r"leave the shop .* is not legal now"):
        env.step(meanings().index("leave the shop"))
    with pytest.raises(IllegalActionError, match="action 100000"):
        env.step(100_000)
    loose = BalatroEnv(checked=False)
    loose.reset(seed=0)
    before = loose.game().hash
    _, reward, terminated, _, _ = loose.step(meanings().index("leave the shop"))
    assert (loose.game().hash, reward, terminated) == (before, 0.0, False)
    assert loose._run.info(0)[INFO_NAMES.index("illegal")] == 1


# --- rewards and episodes ---------------------------------------------------------------------------------------------


def test_the_ledger_adds_up_to_the_return():
    rng = np.random.default_rng(3)
    env = BalatroEnv(
        rewards={"blind": 1.0, "win": 5.0, "loss": 2.0, "progress": 0.5, "money": 0.25}, discount=1.0
    )
    for seed in range(20):
        env.reset(seed=seed)
        rewards, info = play_out(env, rng)
        assert sum(info["ledger"].values()) == pytest.approx(sum(rewards), abs=1e-4)
        assert set(info["ledger"]) == set(REWARD_TERMS)
        assert info["ledger"]["loss"] == (0.0 if info["won"] else -2.0)
        assert info["ledger"]["blind"] == info["blinds"] == sum(info["cleared"])


def test_potential_terms_telescope():
    """With discount 1 a potential term sums to its value at the start, negated: money $4 of $50."""
    rng = np.random.default_rng(4)
    env = BalatroEnv(rewards={"blind": 0.0, "win": 0.0, "progress": 1.0, "money": 1.0})
    env.reset(seed=5)
    _, info = play_out(env, rng)
    assert info["ledger"]["progress"] == pytest.approx(0.0, abs=1e-9)
    assert info["ledger"]["money"] == pytest.approx(-4 / 50)


def test_clearing_a_blind_and_winning_are_paid():
    game = playing(["S_A"], blind="bl_hook", target=1.0, ante=2)
    env = from_game(game, max_ante=2, rewards={"progress": 0.0})
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["won"], info["ending"]) == (6.0, True, True, "won")
    env = from_game(game, max_ante=3, rewards={"progress": 0.0})
    _, reward, terminated, _, _ = env.step(0)
    assert (reward, terminated) == (1.0, False)


def test_episodes_are_cut_off():
    env = BalatroEnv(max_steps=3)
    env.reset(seed=0)
    env.step(meanings().index("play the blind"))
    for _ in range(2):
        _, _, terminated, truncated, info = env.step(meanings().index("sort the hand by rank"))
    assert (terminated, truncated, info["ending"]) == (False, True, "cut_off")


def test_training_and_evaluation_seeds_never_meet():
    evaluation = [_engine.evaluation_seed(number) for number in range(20_000)]
    assert len(set(evaluation)) == len(evaluation)
    assert all(number % 64 == 63 for number in evaluation)
    env = BalatroVectorEnv(64)
    env.reset(seed=1)
    seeds = {env._runs.info(i)[INFO_NAMES.index("seed_number")] for i in range(64)}
    assert len(seeds) == 64
    assert all(int(number) % 64 != 63 for number in seeds)


def test_reset_on_a_given_seed():
    env = BalatroEnv()
    env.reset(options={"seed": "7LB2WVPK"})
    assert env.game().hash == Game("7LB2WVPK").hash
    first = env.reset(options={"evaluation": 3})[0]
    again = env.reset(options={"evaluation": 3})[0]
    assert all((first[name] == again[name]).all() for name in first)
    with pytest.raises(EnvOptionError, match="8 characters"):
        env.reset(options={"seed": "SHORT"})
    with pytest.raises(EnvOptionError, match="unknown reset option"):
        env.reset(options={"sead": "7LB2WVPK"})


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 3}, "unknown option 'speed'"),
        ({"decks": "b_nobody"}, "unknown deck"),
        ({"stakes": 9}, "stake must be"),
        ({"max_ante": 0}, "max_ante must be"),
        ({"max_steps": 0}, "max_steps must be"),
        ({"seeds": "some"}, "training or evaluation"),
        ({"discount": 2.0}, "discount must be"),
        ({"rewards": {"luck": 1.0}}, "unknown reward term"),
        ({"difficulty": "cruel"}, "unknown difficulty"),
        ({"difficulty": "easy", "max_ante": 3}, "give one or the other"),
        ({"starts": (b"nothing",)}, "snapshot"),
        ({"render_mode": "film"}, "unknown render_mode"),
    ],
)
def test_impossible_options(options, message):
    with pytest.raises(ValueError, match=message):
        BalatroEnv(**options)


def test_a_finished_run_is_no_start():
    game = playing(["S_2"], hands_left=1)
    game.step(Action.play(0))
    with pytest.raises(EnvOptionError, match="over already"):
        BalatroEnv(starts=(game.snapshot(),))


def test_difficulties_are_settings():
    for name, settings in DIFFICULTIES.items():
        options = EnvOptions.of({"difficulty": name})
        assert {key: getattr(options, key) for key in settings} == settings


def test_decks_and_stakes_are_drawn():
    env = BalatroVectorEnv(64, decks=("b_red", "b_ghost"), stakes=(1, 5))
    env.reset(seed=0)
    plains = [env._runs.game(i).describe() for i in range(64)]
    drawn = {(plain["deck"], plain["stake"]) for plain in plains}
    assert drawn == {("b_red", 1), ("b_red", 5), ("b_ghost", 1), ("b_ghost", 5)}


# --- vector ------------------------------------------------------------------------------------------


def roll(threads: int, steps: int = 200, fast: bool = False) -> bytes:
    env = BalatroVectorEnv(16, threads=threads, fast=fast)
    observations, _ = env.reset(seed=9)
    rng = np.random.default_rng(0)
    trace = []
    for _ in range(steps):
        env.step(random_actions(observations["action_mask"], rng))
        trace.append(
            env._runs.observations.tobytes() + env._runs.rewards.tobytes() + env._runs.terminated.tobytes()
        )
    return b"".join(trace)


@pytest.mark.parametrize("fast", [False, True])
def test_threads_change_nothing(fast):
    one = roll(1, fast=fast)
    assert roll(2, fast=fast) == one
    assert roll(3, fast=fast) == one


def test_vector_equals_single_environments():
    vector = BalatroVectorEnv(5)
    observations, _ = vector.reset(seed=4)
    singles = [BalatroEnv(starts=(vector._runs.game(i).snapshot(),)) for i in range(5)]
    own = [single.reset(seed=0)[0] for single in singles]
    alive = [True] * 5
    rng = np.random.default_rng(1)
    for _ in range(60):
        for i in range(5):
            if alive[i]:
                assert all((observations[name][i] == own[i][name]).all() for name in own[i])
        actions = random_actions(observations["action_mask"], rng)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for i in range(5):
            if not alive[i]:
                continue
            last, reward, ended, cut, _ = singles[i].step(actions[i])
            assert (reward, ended, cut) == (rewards[i], terminated[i], truncated[i])
            own[i] = last
            if ended or cut:
                alive[i] = False
                assert all((infos["final_obs"][name][i] == last[name]).all() for name in last)
    assert not any(alive)


def test_final_infos_are_told_at_the_end():
    env = BalatroVectorEnv(8)
    observations, _ = env.reset(seed=2)
    rng = np.random.default_rng(5)
    ends = 0
    for _ in range(100):
        observations, _, terminated, truncated, infos = env.step(
            random_actions(observations["action_mask"], rng)
        )
        ended = terminated | truncated
        assert ("final_info" in infos) == ended.any()
        if ended.any():
            ends += int(ended.sum())
            assert (infos["_final_info"] == ended).all()
            assert (infos["final_info"]["steps"][ended] > 0).all()
    assert ends > 10


def test_next_step_autoreset_waits():
    env = BalatroVectorEnv(1, autoreset="next_step", max_steps=1)
    env.reset(seed=0)
    _, _, _, truncated, _ = env.step([meanings().index("play the blind")])
    assert truncated[0]
    observations, rewards, terminated, truncated, _ = env.step([0])
    assert (float(rewards[0]), bool(terminated[0]), bool(truncated[0])) == (0.0, False, False)
    assert observations["globals"][0, 0] == 1.0  # at the blind-select screen of a new run


def test_curriculum_changes_the_finishing_ante():
    env = BalatroVectorEnv(2, max_ante=2)
    env.set_max_ante(3)
    assert env.options.max_ante == 3
    with pytest.raises(EnvOptionError, match="max_ante"):
        env.set_max_ante(0)


# --- fairness ------------------------------------------------------------------------------------------


def observe(game: Game) -> bytes:
    env = from_game(game)
    return env._run.observations.tobytes()


def test_twins_give_identical_observations():
    rng = np.random.default_rng(6)
    compared = 0
    for number in range(40):
        game = Game(f"TWIN{number % 9 + 1}{'ABCDE'[number % 5]}", stake=1 + number % 8)
        for step in range(60):
            if game.over:
                break
            twin = game.resample_hidden(number * 1000 + step)
            assert observe(twin) == observe(game)
            compared += 1
            actions = game.legal_actions()
            game.step(actions[int(rng.integers(len(actions)))])
    assert compared > 200


@pytest.mark.parametrize("boss", ["bl_house", "bl_wheel", "bl_fish", "bl_mark", "bl_final_acorn"])
def test_hidden_cards_are_not_observed(boss):
    game = playing(jokers=["j_joker", "j_baron", "j_mime"], blind=boss)
    for seed in range(20):
        assert observe(game.resample_hidden(seed)) == observe(game)


def test_rendering():
    env = BalatroEnv(render_mode="ansi")
    env.reset(options={"seed": "7LB2WVPK"})
    assert "Small Blind" in env.render()
    picture = BalatroEnv(render_mode="rgb_array")
    picture.reset(seed=0)
    assert picture.render().shape == (540, 960, 3)
    silent = BalatroEnv()
    silent.reset(seed=0)
    assert silent.render() is None


def test_views_look_into_the_buffer():
    env = BalatroVectorEnv(2)
    env.reset(seed=0)
    views = view_arrays(env._runs.observations)
    assert all(np.shares_memory(view, env._runs.observations) for view in views.values())
    assert jimbot.balatro is not None
