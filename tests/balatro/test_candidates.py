"""Candidates: what is listed is legal, public, complete enough to play well from, and described truthfully."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.balatro.test_env_state import random_actions, rich_starts
from tests.probes.table import playing, shopping

from jimbot import _engine
from jimbot.balatro import Action, ActionKind, Game, IllegalActionError, Phase
from jimbot.balatro.env.options import EnvOptionError
from jimbot.balatro.env.schema import CANDIDATE_FEATURES, meanings
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

COLUMN = {name: column for column, name in enumerate(CANDIDATE_FEATURES)}
KINDS = len(ActionKind)


def at(game: Game, **options: Any) -> tuple[BalatroEnv, dict[str, Any]]:
    """An environment that stands at a run, and its observation."""
    env = BalatroEnv(actions="candidates", starts=(game.snapshot(),), **options)
    return env, env.reset(seed=0)[0]


def listed(game: Game, **options: Any) -> list[tuple[tuple[Action, ...], np.ndarray[Any, Any]]]:
    """Candidates of a run with their rows."""
    env, observation = at(game, **options)
    actions = env.candidate_actions()
    assert int(observation["action_mask"].sum()) == len(actions)
    return list(zip(actions, observation["candidates"], strict=False))


def kinds(game: Game, **options: Any) -> set[ActionKind]:
    """Kinds of action that are listed."""
    return {actions[-1].kind for actions, _ in listed(game, **options)}


def row_of(game: Game, action: Action) -> np.ndarray[Any, Any]:
    """The row of an action that must be listed."""
    rows = [row for actions, row in listed(game) if actions[-1] == action]
    assert len(rows) == 1, action
    return rows[0]


# --- legality and shape -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [16, 64, 256])
def test_every_candidate_is_legal_and_listed_once(count):
    rng = np.random.default_rng(count)
    env = BalatroEnv(
        actions="candidates",
        candidates=count,
        starts=rich_starts(),
        start_chance=0.8,
        stakes=(1, 8),
        max_steps=60,
    )
    checked = 0
    for seed in range(25):
        observation, _ = env.reset(seed=seed)
        done = False
        while not done:
            game = env.game()
            candidates = env.candidate_actions()
            assert 1 <= len(candidates) <= count
            assert len(set(candidates)) == len(candidates)
            assert observation["action_mask"].tolist() == [1] * len(candidates) + [0] * (
                count - len(candidates)
            )
            encoded = [actions[-1].encode() for actions in candidates]
            assert [kind for kind, *_ in encoded] == sorted(kind for kind, *_ in encoded)
            assert env.observation_space.contains(observation)
            assert not observation["candidates"][len(candidates) :].any()
            assert not observation["candidate_ids"][len(candidates) :].any()
            hot = observation["candidates"][: len(candidates), :KINDS]
            assert hot.argmax(axis=1).tolist() == [kind for kind, *_ in encoded]
            assert (hot.sum(axis=1) == 1).all()
            for actions in candidates:
                copy = game.clone()
                for action in actions:
                    copy.step(action)  # raises if it is not legal
                checked += 1
            observation, _, terminated, truncated, _ = env.step(
                random_actions(env.action_masks()[None], rng)[0]
            )
            done = terminated or truncated
        assert env._run.info(0)[list(_engine.info_names).index("illegal")] == 0
    assert checked > 2000


def test_the_step_takes_the_candidate_it_names():
    rng = np.random.default_rng(3)
    env = BalatroEnv(actions="candidates", starts=rich_starts(), max_steps=30)
    for seed in range(20):
        env.reset(seed=seed)
        done = False
        while not done:
            copy, candidates = env.game(), env.candidate_actions()
            chosen = int(rng.integers(len(candidates)))
            for action in candidates[chosen]:
                copy.step(action)
            _, _, terminated, truncated, _ = env.step(chosen)
            assert env.game().hash == copy.hash
            done = terminated or truncated


def test_an_index_without_a_candidate_is_refused():
    env, observation = at(Game("7LB2WVPK"))
    count = int(observation["action_mask"].sum())
    with pytest.raises(IllegalActionError, match=f"no candidate {count} now"):
        env.step(count)
    loose, _ = at(Game("7LB2WVPK"), checked=False)
    before = loose.game().hash
    loose.step(count)
    loose.step(-1)
    assert loose.game().hash == before
    assert loose._run.info(0)[list(_engine.info_names).index("illegal")] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": "words"}, "unknown actions 'words'; expected slots or candidates"),
        ({"actions": "candidates", "candidates": 15}, "candidates must be 16 to 256, got 15"),
        ({"actions": "candidates", "candidates": 257}, "candidates must be 16 to 256, got 257"),
        ({"candidates": 32}, "candidates is a number for actions='candidates'"),
    ],
)
def test_impossible_options(options, message):
    with pytest.raises(EnvOptionError, match=message):
        BalatroEnv(**options)
    with pytest.raises(EnvOptionError, match=message):
        BalatroVectorEnv(2, **options)


# --- what is listed ---------------------------------------------------------------------------------------------------


def test_all_kinds_are_listed_where_they_matter():
    hand = ["S_A", "H_A", "D_9;e=polychrome", "C_9;h=m_glass", "S_5", "H_4", "D_3", "C_2"]
    table = playing(
        hand,
        jokers=["j_duo", "j_joker", "j_blueprint", "j_hanging_chad"],
        consumables=["c_death", "c_pluto"],
        money=30,
    )
    found = kinds(table)
    assert {
        ActionKind.PLAY_HAND,
        ActionKind.DISCARD,
        ActionKind.SELL_JOKER,
        ActionKind.SELL_CONSUMABLE,
        ActionKind.USE_CONSUMABLE,
        ActionKind.MOVE_JOKER,
        ActionKind.MOVE_CARD,
        ActionKind.SORT_HAND,
    } <= found
    shop = shopping(
        shop_slots=["j_joker", "c_pluto"],
        shop_vouchers=["v_grabber"],
        shop_packs=["p_arcana_mega_1", "p_buffoon_mega_1"],
        money=50,
    )
    found |= kinds(shop)
    for pack in range(2):
        opened = shop.clone()
        opened.step(Action.open_pack(pack))
        found |= kinds(opened)
    start = Game("SCENE")
    found |= kinds(start)
    start.edit(vouchers=["v_retcon"], money=50)
    found |= kinds(start)
    won = playing(hand)
    won.edit(target=0)
    won.step(Action.play(0))
    found |= kinds(won)
    assert found == set(ActionKind)


@pytest.mark.parametrize("count", [16, 64])
def test_no_kind_that_is_offered_is_crowded_out(count):
    """Whatever K is: the first of every kind comes before the second of any."""
    table = playing(
        [f"{suit}_{rank}" for suit in "SHDC" for rank in "23"],
        jokers=["j_joker"] * 5,
        consumables=["c_star", "c_magician", "c_pluto"],
        consumable_slots=5,
    )
    assert kinds(table, candidates=count) == kinds(table, candidates=256)


def test_the_best_play_is_always_listed():
    for number in range(40):
        game = Game(f"BEST{number + 11}".replace("0", "O"))
        game.step(Action.select_blind())
        previews = game.preview_all()
        best = max(preview.score for preview in previews)
        by_type: dict[str, float] = {}
        for preview in previews:
            by_type[preview.hand] = max(by_type.get(preview.hand, 0.0), preview.score)
        plays = [actions[-1] for actions, _ in listed(game) if actions[-1].kind is ActionKind.PLAY_HAND]
        scores = {play: game.preview(play) for play in plays}
        assert max(preview["score"] for preview in scores.values()) == best
        shown: dict[str, float] = {}
        for preview in scores.values():
            shown[preview["hand"]] = max(shown.get(preview["hand"], 0.0), preview["score"])
        assert shown == by_type


def random_table(rng: np.random.Generator) -> Game:
    """A hand of a worn deck: few ranks or few suits, enhancements, and jokers that score by hand and card."""
    ranks = "23456789TJQKA"
    some = rng.permutation(list(ranks))[: rng.integers(3, 13)]
    suits = rng.permutation(list("SHDC"))[: rng.integers(1, 5)]
    extras = ["", "", "", "", ";h=m_wild", ";h=m_bonus", ";h=m_glass", ";e=foil", ";l=Red", ";h=m_steel"]
    hand = [
        f"{rng.choice(suits)}_{rng.choice(some)}{rng.choice(extras)}" for _ in range(int(rng.integers(3, 11)))
    ]
    jokers = ["j_jolly", "j_photograph", "j_smeared", "j_greedy_joker", "j_duo", "j_half", "j_four_fingers"]
    return playing(hand, jokers=[str(key) for key in rng.permutation(jokers)[: rng.integers(0, 3)]])


def test_the_best_play_of_every_kind_is_listed_with_company():
    """Of every type of hand the highest score is listed, and with as many cards as can go along for it."""
    rng = np.random.default_rng(7)
    filled = 0
    for _ in range(150):
        game = random_table(rng)
        best: dict[str, float] = {}
        most: dict[str, int] = {}
        for play in game.preview_all():
            size = len(play.action.cards)
            if play.score > best.get(play.hand, -1.0):
                best[play.hand], most[play.hand] = play.score, size
            elif play.score == best[play.hand]:
                most[play.hand] = max(most[play.hand], size)
        shown = dict.fromkeys(best, -1.0)
        widest = dict.fromkeys(best, 0)
        for actions, _ in listed(game):
            if actions[-1].kind is ActionKind.PLAY_HAND:
                play = game.preview(actions[-1])
                shown[play["hand"]] = max(shown[play["hand"]], play["score"])
                if play["score"] == best[play["hand"]]:
                    widest[play["hand"]] = max(widest[play["hand"]], len(actions[-1].cards))
        assert shown == best
        assert all(widest[hand] >= most[hand] - 1 for hand in best)
        filled += sum(widest[hand] == most[hand] for hand in best) / len(best)
    assert filled > 148  # a card is left out only where no exchange of one card keeps the hand what it is


def test_discards_toward_flush_straight_and_pairs():
    def kept(game: Game) -> list[set[str]]:
        cards = [str(card.card) for card in game.hand]
        return [
            {card for place, card in enumerate(cards) if place not in actions[-1].cards}
            for actions, _ in listed(game)
            if actions[-1].kind is ActionKind.DISCARD
        ]

    assert {"S_K", "S_9", "S_6", "S_2"} in kept(
        playing(["S_K", "S_9", "S_6", "S_2", "H_A", "D_7", "C_T", "H_3"])
    )
    assert {"S_6", "H_7", "D_8", "C_9"} in kept(
        playing(["S_6", "H_7", "D_8", "C_9", "S_2", "D_2", "C_K", "H_K"])
    )
    pairs = kept(playing(["S_K", "H_K", "D_4", "C_4", "S_9", "D_7", "C_J", "H_2"]))
    assert {"S_K", "H_K", "D_4", "C_4"} in pairs
    assert {"S_K", "H_K", "D_4", "C_4", "S_9", "D_7", "C_J"} in pairs  # only the lowest card goes


def test_death_changes_the_worse_card_into_the_better_one():
    game = playing(["S_A", "H_9", "D_2"], consumables=["c_death"])
    outcomes = []
    for actions, _ in listed(game):
        if actions[-1].kind is ActionKind.USE_CONSUMABLE:
            copy = game.clone()
            for action in actions:
                copy.step(action)
            outcomes.append(sorted(str(card.card) for card in copy.hand))
    assert ["H_9", "S_A", "S_A"] in outcomes


def test_moves_are_listed_only_if_they_raise_the_best_play():
    hand = ["S_A", "H_A", "D_9", "C_7", "S_5", "H_4", "D_J", "C_2"]
    well = playing(hand, jokers=["j_joker", "j_duo"])
    badly = playing(hand, jokers=["j_duo", "j_joker"])
    assert ActionKind.MOVE_JOKER not in kinds(well)
    moves = [
        (actions[-1], row) for actions, row in listed(badly) if actions[-1].kind is ActionKind.MOVE_JOKER
    ]
    assert moves
    assert all(row[COLUMN["below_best"]] > 0 for _, row in moves)
    assert ActionKind.MOVE_JOKER not in kinds(playing(hand, jokers=["j_joker", "j_jolly"]))


def test_large_hands_and_slow_jokers_have_plays():
    fronts = [f"{suit}_{rank}" for suit in "SHDC" for rank in "A23456789TJQK"]
    for game in (
        playing(fronts[:13]),
        playing(fronts[:32]),
        playing(fronts[:8], jokers=["j_hiker", "j_blackboard"]),
        playing(jokers=["j_joker", "j_mime"], blind="bl_house"),
        playing(fronts[:8], blind="bl_final_bell"),
    ):
        assert {ActionKind.PLAY_HAND, ActionKind.DISCARD} <= kinds(game)


# --- what the rows say ------------------------------------------------------------------------------------------------


def test_scores_are_those_of_the_preview():
    compared = 0
    for jokers in ([], ["j_misprint", "j_bloodstone"], ["j_hiker"]):
        game = playing(
            ["S_A", "H_A", "H_9;h=m_lucky", "H_7", "H_5", "H_4", "D_3", "C_2"], jokers=jokers, target=600.0
        )
        need = 600.0
        for actions, row in listed(game):
            if actions[-1].kind is not ActionKind.PLAY_HAND:
                continue
            preview = game.preview(actions[-1])
            for name, field in (("worst", "score"), ("mean", "expected"), ("best", "best")):
                expected = math.log2(max(preview[field], 1e-3) / need) / 4
                assert row[COLUMN[name]] == pytest.approx(np.clip(expected, -2, 2), abs=1e-5)
            assert row[COLUMN["share"]] == pytest.approx(min(1.0, preview["expected"] / need), abs=1e-6)
            assert row[COLUMN["clears"]] == (preview["score"] >= need)
            assert row[COLUMN["may_clear"]] == (preview["best"] >= need)
            hand = CANDIDATE_FEATURES[KINDS + int(row[KINDS : KINDS + 12].argmax())]
            assert hand == preview["hand"].lower().replace(" ", "_")
            assert row[COLUMN["hands_left"]] == pytest.approx((game.blind.hands_left - 1) / 8)
            assert row[COLUMN["cards"]] == pytest.approx(len(actions[-1].cards) / 5)
            compared += 1
    assert compared > 20


def choose(n: int, k: int) -> int:
    return math.comb(n, k) if 0 <= k <= n else 0


def test_chances_of_a_discard_are_exact():
    """Flush and pair chances against the counts of combinations of the 44 unseen cards."""
    hand = ["S_K", "S_9", "S_6", "S_2", "H_A", "D_7", "C_T", "H_3"]
    game = playing(hand)
    cards = [str(card.card) for card in game.hand]
    unseen = [card["card"] for card in game.state()["draw_pile"]]
    assert len(unseen) == 44
    seen = 0
    for actions, row in listed(game):
        action = actions[-1]
        if action.kind is not ActionKind.DISCARD:
            continue
        kept = [card for place, card in enumerate(cards) if place not in action.cards]
        draws = len(action.cards)
        suits = {suit: sum(card[0] == suit for card in kept) for suit in "SHDC"}
        flush = 0.0
        for suit, have in suits.items():
            left = sum(card[0] == suit for card in unseen)
            ways = sum(
                choose(left, k) * choose(44 - left, draws - k) for k in range(max(0, 5 - have), draws + 1)
            )
            flush = max(flush, ways / choose(44, draws)) if have >= 2 else flush
        assert row[COLUMN["flush_chance"]] == pytest.approx(flush, abs=1e-6)
        ranks = {card[2] for card in kept}
        outs = sum(card[2] in ranks for card in unseen)
        kind = 1 - choose(44 - outs, draws) / choose(44, draws)
        assert row[COLUMN["kind_chance"]] == pytest.approx(kind, abs=1e-6)
        seen += 1
    assert seen > 5


def test_chance_of_a_straight_is_exact():
    game = playing(["S_6", "H_7", "D_8", "C_9", "S_2", "D_2", "C_K", "H_K"])
    cards = [str(card.card) for card in game.hand]
    action = Action.discard(*(place for place, card in enumerate(cards) if card[2] in "2K"))
    unseen = [card["card"][2] for card in game.state()["draw_pile"]]
    both = [rank in "5T" for rank in unseen]
    fives = sum(rank == "5" for rank in unseen)
    assert sum(both) == 2 * fives
    draws = 4
    one = 1 - choose(44 - fives, draws) / choose(44, draws)
    assert row_of(game, action)[COLUMN["straight_chance"]] == pytest.approx(one, abs=1e-6)


def test_strength_prefers_jokers_that_help():
    shop = shopping(shop_slots=["j_cavendish", "j_credit_card"], money=50, jokers=["j_joker"])
    good = row_of(shop, Action.buy(0))[COLUMN["strength"]]
    useless = row_of(shop, Action.buy(1))[COLUMN["strength"]]
    assert good == pytest.approx(math.log2(3) / 4, abs=0.02)  # X3 Mult is log2(3) doublings, in fours
    assert useless == 0
    sold = row_of(shop, Action.sell_joker(0))
    assert sold[COLUMN["strength"]] < 0
    assert row_of(shop, Action.leave_shop())[COLUMN["strength"]] == 0
    assert sold[COLUMN["money"]] > 0 > row_of(shop, Action.buy(0))[COLUMN["money"]]
    rich = shopping(shop_slots=["j_cavendish", "j_credit_card"], money=50, jokers=["j_joker", "j_duo"])
    margins = [row_of(game, Action.leave_shop())[COLUMN["margin"]] for game in (shop, rich)]
    assert margins[1] > margins[0]


def test_planets_and_vouchers_change_the_strength():
    shop = shopping(
        shop_slots=["c_jupiter", "c_eris"],
        shop_vouchers=["v_grabber", "v_hone"],
        money=50,
        consumables=["c_jupiter"],
    )
    assert row_of(shop, Action.buy_and_use(0))[COLUMN["strength"]] > 0
    assert row_of(shop, Action.use(0))[COLUMN["strength"]] > 0
    assert row_of(shop, Action.buy_and_use(1))[COLUMN["strength"]] == 0  # Flush Five: no typical hand is one
    assert row_of(shop, Action.redeem(0))[COLUMN["strength"]] == pytest.approx(math.log2(5 / 4) / 4, abs=0.02)
    assert row_of(shop, Action.redeem(1))[COLUMN["strength"]] == 0


@pytest.mark.parametrize("key", ["c_death", "c_strength", "c_chariot", "c_world", "c_deja_vu", "c_lovers"])
def test_a_consumable_bought_without_targets_changes_no_strength(key):
    """It once changed the cards that the last consumable listed had as targets."""
    pack = shopping(shop_packs=["p_arcana_normal_1"], consumables=["c_death"], money=50)
    pack.step(Action.open_pack(0))
    shop = shopping(shop_slots=[key], money=50, jokers=["j_steel_joker"])
    env = BalatroVectorEnv(
        40, actions="candidates", starts=(pack.snapshot(), shop.snapshot()), start_chance=1.0
    )
    observation, _ = env.reset(seed=0)
    rows = observation["candidates"]
    bought = rows[:, :, CANDIDATE_FEATURES.index("buy")] == 1
    assert bought.any()
    assert not rows[bought][:, COLUMN["strength"]].any()


# --- fairness, vectors ------------------------------------------------------------------------------------------------


def test_twins_have_identical_candidates():
    rng = np.random.default_rng(6)
    compared, phases = 0, set[Phase]()
    games = [Game(f"TWIN{number % 9 + 1}{'ABCDE'[number % 5]}", stake=1 + number % 8) for number in range(20)]
    games += [Game.restore(start) for start in rich_starts()]
    for number, game in enumerate(games):
        for step in range(25):
            if game.over:
                break
            phases.add(game.phase)
            if game.phase is Phase.PLAYING and rng.random() < 0.2:
                game.edit(target=0)
            env, _ = at(game)
            twin, _ = at(game.resample_hidden(number * 1000 + step))
            assert twin._run.observations.tobytes() == env._run.observations.tobytes()
            assert twin.candidate_actions() == env.candidate_actions()
            compared += 1
            actions = env.candidate_actions()[int(rng.integers(len(env.candidate_actions())))]
            for action in actions:
                game.step(action)
    assert compared > 150
    assert phases >= {Phase.PLAYING, Phase.SHOP, Phase.BLIND_SELECT, Phase.PACK}


@pytest.mark.parametrize("boss", ["bl_house", "bl_wheel", "bl_fish", "bl_mark", "bl_final_acorn", "bl_hook"])
def test_hidden_cards_do_not_change_candidates(boss):
    game = playing(jokers=["j_joker", "j_baron", "j_mime"], blind=boss, consumables=["c_star", "c_death"])
    env, _ = at(game)
    for seed in range(15):
        twin, _ = at(game.resample_hidden(seed))
        assert twin._run.observations.tobytes() == env._run.observations.tobytes()


def test_vector_equals_single_environments():
    vector = BalatroVectorEnv(5, actions="candidates", candidates=32)
    observations, _ = vector.reset(seed=4)
    singles = [
        BalatroEnv(actions="candidates", candidates=32, starts=(vector._runs.game(i).snapshot(),))
        for i in range(5)
    ]
    own = [single.reset(seed=0)[0] for single in singles]
    alive = [True] * 5
    rng = np.random.default_rng(1)
    for _ in range(80):
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


def test_threads_change_nothing():
    def roll(threads: int) -> bytes:
        env = BalatroVectorEnv(
            7, threads=threads, actions="candidates", starts=rich_starts(), start_chance=0.5
        )
        observations, _ = env.reset(seed=9)
        rng = np.random.default_rng(0)
        found = []
        for _ in range(80):
            env.step(random_actions(observations["action_mask"], rng))
            found.append(env._runs.observations.tobytes() + env._runs.rewards.tobytes())
        return b"".join(found)

    assert roll(1) == roll(2) == roll(3)


def test_candidates_and_slots_play_the_same_game():
    """A play by its candidate and by its fixed index lead to the same state."""
    game = playing(["S_A", "H_A", "D_9", "C_7", "S_5", "H_4", "D_3", "C_2"])
    by_slot = BalatroEnv(starts=(game.snapshot(),))
    by_slot.reset(seed=0)
    by_slot.step(meanings().index("play hand cards 0 1"))
    env, _ = at(game)
    index = env.candidate_actions().index((Action.play(0, 1),))
    env.step(index)
    assert env.game().hash == by_slot.game().hash
