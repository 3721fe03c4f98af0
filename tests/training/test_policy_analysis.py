"""Looking at a policy and exporting it: the report holds what was played, the exports say what the network says."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest

from jimbot import _engine
from jimbot.balatro.env.schema import action_space, observation_space
from jimbot.balatro.names import get_name
from jimbot.networks import (
    COMPACT_SIZES,
    ObservationNormalizer,
    initialize_tensors,
    make_network_spec,
    save_policy,
)
from jimbot.players.evaluation import play_runs
from jimbot.training import analyze, export
from jimbot.training.analysis.policy_analysis import Confidence, analyze_policy
from jimbot.training.analysis.verdict import describe_policy
from jimbot.training.runs import plots

TINY = {
    **COMPACT_SIZES,
    "features_dim": 16,
    "policy_net_arch": (8,),
    "value_net_arch": (8,),
    "card_encoder": (8, 8),
    "joker_encoder": (8, 8),
}


@pytest.fixture
def balatro_policy(tmp_path):
    """A new policy for Balatro's fixed actions."""
    spec = make_network_spec(observation_space(), action_space(), **TINY)
    save_policy(tmp_path / "new", spec, initialize_tensors(spec, 3), metadata={"env": "jimbot/Balatro-v0"})
    return tmp_path / "new"


@pytest.fixture
def cartpole_policy(tmp_path):
    """A new policy for CartPole with statistics of observations."""
    env = gymnasium.make("CartPole-v1")
    spec = make_network_spec(env.observation_space, env.action_space, **{**TINY, "features_dim": 0})
    normalizer = ObservationNormalizer({"observation": (4,)})
    normalizer.update(np.random.default_rng(0).normal(2.0, 3.0, (100, 4)))
    save_policy(tmp_path / "pole", spec, initialize_tensors(spec, 5), normalizer, {"env": "CartPole-v1"})
    return tmp_path / "pole"


def test_confidence_counts_choices_and_not_what_was_forced():
    sure = Confidence()
    sure.add(np.array([[0.9, 0.1], [0.5, 0.5], [1.0, 0.0]], np.float32), np.array([True, True, False]))
    assert (sure.choices, sure.forced) == (2, 1)
    assert sure.mean == pytest.approx(0.7)
    assert sure.counts[9] == 1
    assert sure.counts[5] == 1
    assert sure.mean_entropy == pytest.approx((0.325083 + 0.693147) / 2, abs=1e-5)


def test_the_report_of_a_policy(balatro_policy, tmp_path, capsys):
    numbers = tmp_path / "numbers.json"
    given = ["--checkpoint", str(balatro_policy), "--episodes", "12", "--json", str(numbers)]
    assert analyze.main(given) == 0
    assert "12 unseen episodes" in capsys.readouterr().out
    found = json.loads(numbers.read_text())
    result = found["evaluation"]
    assert found["score"][0] == pytest.approx(np.mean(result["rewards"]))
    assert found["score"][1] <= found["score"][0] <= found["score"][2]
    assert found["wins"][0] == 0.0 < found["wins"][2]
    assert sum(found["endings"].values()) == 12
    assert sum(found["hands"].values()) > 12  # every run plays some hands
    decisions = sum(found["confidence"]["counts"]) + found["confidence"]["forced"]
    assert decisions == sum(result["lengths"])  # every step of every run, once
    assert result["clear_curve"][0]["reached"] == 12
    page = (balatro_policy / "analysis.html").read_text()
    for heading in (
        "Next to other players",
        "Replays",
        "Results",
        "What runs are lost to",
        "Blinds",
        "Poker hands played",
        "Reward ledger",
        "Confidence of decisions",
    ):
        assert heading in page
    assert "It wins 0.0 % of 12 unseen games" in page.split("<h2>")[0]  # the verdict comes first
    for axis in ("blinds cleared (three per ante)", "runs won, %", "share of decisions, %"):
        assert axis in page
    assert "http" not in page.replace("http-equiv", "")  # it needs nothing but itself


def test_references_play_the_policys_own_games(balatro_policy):
    found = analyze_policy(balatro_policy, 6)
    assert found.contestant is not None
    assert [each.name for each in found.references] == ["random", "scripted"]
    seeds = [int(number) for number in found.result.numbers["seed_number"]]
    for each in found.references:
        assert each.blinds is not None
        assert each.blinds.tolist() == [run.blinds for run in play_runs(each.name, seeds)]
    scripted = found.to_dict()["references"][1]
    assert scripted["policy_minus_reference"]["blinds"]["high"] < 0
    assert sum(found.to_dict()["lost_to"].values()) == 6
    verdict = describe_policy(found)
    assert "blinds fewer than scripted play" in verdict
    assert verdict.count(". ") == 1  # two sentences
    assert f"most are to {next(iter(found.contestant.lost_to or {}))}" in verdict


def test_replays_are_the_best_the_median_and_a_typical_loss(balatro_policy):
    image = pytest.importorskip("PIL.Image")
    found, page = analyze.write_analysis(balatro_policy, episodes=8)
    blinds = found.result.numbers["blinds"]
    ended = {kind: replay.play(verify=False) for kind, replay in found.replays.items()}
    seeds = [_engine.seed_at(int(number)) for number in found.result.numbers["seed_number"]]
    assert blinds[seeds.index(ended["best"].seed)] == blinds.max()
    killer = next(iter(found.contestant.lost_to)) if found.contestant and found.contestant.lost_to else ""
    assert get_name(ended["typical loss"].public_view()["blind"]["key"]) == killer
    text = page.read_text()
    for kind in ("best", "median", "typical-loss"):
        with image.open(page.with_name(f"analysis-{kind}.gif")) as picture:
            assert picture.n_frames > 2
        assert f'src="analysis-{kind}.gif"' in text


def test_replays_can_be_left_out(balatro_policy, capsys):
    assert analyze.main(["--checkpoint", str(balatro_policy), "--episodes", "3", "--no-gifs"]) == 0
    assert capsys.readouterr().out.startswith("It wins 0.0 % of 3 unseen games")
    assert not list(balatro_policy.glob("*.gif"))
    assert "<img" not in (balatro_policy / "analysis.html").read_text()


def test_another_environment_is_compared_with_random_play(cartpole_policy):
    found = analyze_policy(cartpole_policy, 5)
    assert [each.name for each in found.references] == ["random"]
    assert "random play, which gets" in describe_policy(found)
    assert not found.replays


def test_entropy_is_plotted_as_entropy(tmp_path, monkeypatch):
    events = [
        SimpleNamespace(kind="metrics", step=step, numbers=lambda: {"train/entropy_loss": -1.5})
        for step in (1, 2)
    ]
    monkeypatch.setattr(plots, "read_events", lambda _: events)
    assert plots.learning_curves(tmp_path)["train/entropy"] == ([1, 2], [1.5, 1.5])
    logged = SimpleNamespace(
        kind="metrics", step=3, numbers=lambda: {"train/entropy_loss": -1.5, "train/entropy": 0.5}
    )
    monkeypatch.setattr(plots, "read_events", lambda _: [logged])
    assert plots.learning_curves(tmp_path)["train/entropy"] == ([3], [0.5])


def test_what_cannot_be_analyzed(tmp_path, balatro_policy, capsys):
    assert analyze.main(["--checkpoint", str(tmp_path / "nowhere")]) == 2
    assert "there is no policy file" in capsys.readouterr().err
    nowhere = str(tmp_path / "no" / "page.html")
    assert analyze.main(["--checkpoint", str(balatro_policy), "--output", nowhere]) == 2
    assert "there is no directory" in capsys.readouterr().err


def test_statistics_are_part_of_what_is_exported(cartpole_policy, tmp_path, capsys):
    given = ["--checkpoint", str(cartpole_policy), "--output", str(tmp_path / "out"), "--format", "torch"]
    assert export.main(given) == 0
    assert "on 1,000 observations" in capsys.readouterr().out
    interface = json.loads((tmp_path / "out/interface.json").read_text())
    assert interface["inputs"] == [{"name": "observation", "shape": [None, 4], "type": "float32"}]
    assert interface["largest_differences"]["torch"] <= 1e-5
    assert interface["compared_observations"] == 1_000


def test_an_export_that_differs_is_refused():
    from jimbot.training.exporters.onnx_format import ExportError, compare

    logits, values = np.array([[0.5, -1e9]], np.float32), np.array([1.0], np.float32)
    assert compare((logits, values), (logits, values), "onnx") == 0.0
    with pytest.raises(ExportError, match=r"differs from the network by 0\.001"):
        compare((logits + 0.001, values), (logits, values), "onnx")
    with pytest.raises(ExportError, match="allows other actions"):
        compare((np.zeros((1, 2), np.float32), values), (logits, values), "onnx")


def test_playing_what_is_not_there_gives_one_line(root, tmp_path, run_python):
    script = str(root / "examples" / "play_exported.py")
    done = run_python(script, "nowhere")
    assert done.returncode == 1
    assert done.stderr == (
        "play_exported.py: error: there is no nowhere/interface.json; "
        "write it with: python -m jimbot.training.export --checkpoint RUN --output nowhere\n"
    )
    (tmp_path / "broken").mkdir()
    for name in ("interface.json", "policy.onnx"):
        (tmp_path / "broken" / name).write_text("{}")
    done = run_python(script, "broken")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "error: broken holds nothing to play" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_onnx_of_balatro_plays_alone(root, tmp_path, actions):
    """Both kinds of heads; then a game played by a process that has neither torch nor jimbot's training."""
    listed = 0 if actions == "slots" else 200
    spec = make_network_spec(observation_space(listed), action_space(listed), **TINY)
    metadata = {"env": "jimbot/Balatro-v0"}
    save_policy(tmp_path / "run", spec, initialize_tensors(spec, 3), metadata=metadata)
    (tmp_path / "run/config.yaml").write_text(
        "env_kwargs: {actions: candidates, candidates: 200}\n" if listed else "env_kwargs: {}\n"
    )
    found = export.export_run(tmp_path / "run", tmp_path / "out")
    assert max(found.differences.values()) <= 1e-5
    assert set(found.files) == {"policy", "torch", "onnx"}
    guard = "import sys; sys.modules['torch'] = None; sys.modules['jimbot.training'] = None; "
    script = f"{guard}sys.argv = ['x', {str(tmp_path / 'out')!r}]; import runpy; "
    script += f"runpy.run_path({str(root / 'examples' / 'play_exported.py')!r})"
    played = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert "blinds cleared" in played.stdout, played.stderr
