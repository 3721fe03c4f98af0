"""MLflow on a real sqlite store, read back with MLflow's own client; and servers that are not there."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.tracking.helpers import evaluation, log_steps, metrics, run_in

from jimbot.tracking import TrackerSet, TrackerWarning, TrackingError, create_trackers
from jimbot.tracking.mlflow.logger import MLflowLogger
from jimbot.tracking.mlflow.store import (
    Store,
    connect,
    copy_run,
    explain_unreachable,
    make_local_uri,
    open_store,
)

pytest.importorskip("mlflow")

# MLflow and SQLAlchemy use things of each other that they have deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


def runs_in(store: Store, experiment: str = "jimbot") -> list[Any]:
    found = store.client.get_experiment_by_name(experiment)
    return list(store.client.search_runs([found.experiment_id])) if found else []


def history(store: Store, run: Any, name: str) -> list[tuple[int, float, int]]:
    found = store.client.get_metric_history(run.info.run_id, name)
    return sorted((each.step, each.value, each.timestamp) for each in found)


def tracked(directory: Path, **options: Any) -> TrackerSet:
    return create_trackers(["mlflow"], run_in(directory / "run", run_id="one"), {"mlflow": options})


# --- the tracker ------------------------------------------------------------------------------------------------------


def test_run_comes_back(store_directory):
    kept = store_directory / "model"
    kept.mkdir()
    (kept / "weights").write_text("1 2 3")
    with tracked(store_directory).start() as trackers:
        trackers.log(metrics(10, **{"train/loss": 0.5, "odd (name)": 2, "nan": math.nan}))
        trackers.log(metrics(20, **{"train/loss": 0.25}))
        trackers.log(evaluation(20, mean=3.0))
        trackers.log_text(20, "note", "hello")
        trackers.log_artifact(20, kept)
        trackers.log_checkpoint(20, "checkpoints/20")
    assert trackers.names == ["jsonl", "csv", "mlflow"]
    store = connect(make_local_uri(store_directory))
    (run,) = runs_in(store)
    assert (run.info.run_name, run.info.status) == ("a run", "FINISHED")
    assert run.data.params == {"learning_rate": "0.0003", "network.layers": "[256, 256]", "algorithm": "PPO"}
    assert run.data.tags["purpose"] == "test"
    assert run.data.tags["provenance.commit"] == "abc"
    assert run.data.tags["last_checkpoint"] == "checkpoints/20"
    assert history(store, run, "train/loss") == [(10, 0.5, 1_700_000_010_000), (20, 0.25, 1_700_000_020_000)]
    assert history(store, run, "evaluation/mean") == [(20, 3.0, 1_700_000_020_500)]
    assert history(store, run, "odd _name_") == [(10, 2.0, 1_700_000_010_000)]
    assert math.isnan(run.data.metrics["nan"])
    files = Path(store.client.download_artifacts(run.info.run_id, ""))
    assert (files / "model" / "weights").read_text() == "1 2 3"
    assert (files / "text" / "note-20.txt").read_text() == "hello"


def test_resumed_run_is_the_same_run(store_directory):
    first = tracked(store_directory).start()
    log_steps(first, 1, 6)
    first.end("interrupted")
    second = create_trackers(["mlflow"], run_in(store_directory / "run", run_id="one")).resume(None)
    log_steps(second, 7, 8)
    second.end()
    store = connect(make_local_uri(store_directory))
    (run,) = runs_in(store)
    assert [step for step, _, _ in history(store, run, "loss")] == list(range(1, 9))
    assert run.info.status == "FINISHED"


def test_absent_server_is_one_warning_and_a_local_run(store_directory, closed_port):
    uri = f"http://user:secret@127.0.0.1:{closed_port}"
    with pytest.warns(TrackerWarning, match="cannot be reached: .*refused") as caught:  # noqa: PT031
        trackers = tracked(store_directory, uri=uri).start()
        log_steps(trackers, 1, 3)
        trackers.end()
    assert len(caught) == 1
    assert "secret" not in str(caught[0].message)
    assert trackers.names == ["jsonl", "csv", "mlflow"]
    store = connect(make_local_uri(store_directory))
    (run,) = runs_in(store)
    assert len(history(store, run, "loss")) == 3


# --- the logger -------------------------------------------------------------------------------------------------------


def test_logger_keeps_metrics_back_and_sends_them_together(store_directory, monkeypatch):
    logger = MLflowLogger("batches", directory=store_directory, batch_size=10)
    logger.start_run({"gamma": 0.99})
    sent: list[int] = []
    send = logger.store.client.log_batch

    def counting(run_id: str, **batch: Any) -> None:
        sent.append(len(batch["metrics"]))
        send(run_id, **batch)

    monkeypatch.setattr(logger.store.client, "log_batch", counting)
    for step in range(12):
        logger.log_metrics({"reward": step, "loss": -step}, step)
    assert sent == [10, 10]
    logger.end_run()
    assert sent == [10, 10, 4]
    assert len(history(logger.store, logger.store.client.get_run(logger.run_id), "loss")) == 12


def test_logger_keeps_files_and_figures(store_directory):
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    with MLflowLogger("files", "with files", directory=store_directory) as logger:
        logger.log_figure(figure, "plots/curve.png")
        logger.log_text("a report", "report.md")
        with pytest.raises(TrackingError, match="there is no file"):
            logger.log_artifact(store_directory / "nothing")
    files = Path(logger.store.client.download_artifacts(logger.run_id, ""))
    assert (files / "plots" / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (files / "report.md").read_text() == "a report"


@pytest.mark.parametrize(
    ("error", "status"), [(None, "FINISHED"), (ValueError("odd"), "FAILED"), (KeyboardInterrupt(), "KILLED")]
)
def test_logger_ends_its_run(store_directory, error, status):
    logger = MLflowLogger("endings", directory=store_directory)
    if error is None:
        with logger:
            pass
    else:
        with pytest.raises(type(error)), logger:
            raise error
    assert logger.store.client.get_run(logger.run_id).info.status == status


def test_changed_parameter_becomes_a_tag(store_directory):
    for steps in (100, 200):
        logger = MLflowLogger("changes", directory=store_directory)
        logger.start_run({"total_timesteps": steps, "seed": 1}, origin="mine")
        logger.end_run()
    (run,) = runs_in(logger.store, "changes")
    assert run.data.params == {"total_timesteps": "100", "seed": "1"}
    assert run.data.tags["changed.total_timesteps"] == "200"
    assert "changed.seed" not in run.data.tags


def test_models_are_registered_and_found(store_directory):
    with MLflowLogger("models", directory=store_directory) as logger:
        for number in (1, 2, 3):
            model = store_directory / f"model{number}"
            model.mkdir()
            (model / "policy.json").write_text(str(number))
            alias, stage = {1: ("champion", None), 2: (None, "Production"), 3: (None, None)}[number]
            version = logger.register_model(
                model, "cartpole", alias=alias, stage=stage, tags={"reward": number}
            )
            assert version == number
    assert (logger.load_registered("cartpole", "champion") / "policy.json").read_text() == "1"
    assert (logger.load_registered("cartpole", "production") / "policy.json").read_text() == "2"
    assert (logger.load_registered("cartpole") / "policy.json").read_text() == "3"
    copied = logger.load_registered("cartpole", "champion", store_directory / "copy")
    assert copied.is_relative_to(store_directory / "copy")
    assert logger.store.client.get_model_version("cartpole", "2").tags == {
        "reward": "2",
        "stage": "Production",
    }
    with pytest.raises(TrackingError, match="no alias 'best'; its aliases are champion, production"):
        logger.load_registered("cartpole", "best")
    with pytest.raises(TrackingError, match=r"no registered model 'pong' in .*; the models are cartpole"):
        logger.load_registered("pong")
    with pytest.raises(TrackingError, match="is not the directory of a model"):
        logger.register_model(store_directory / "nothing", "cartpole")


def test_runs_are_compared(store_directory):
    for name, reward in (("slow", 1.0), ("fast", 2.0)):
        with MLflowLogger("races", name, directory=store_directory) as logger:
            logger.log_params({"speed": name})
            for step in range(3):
                logger.log_metrics({"reward": reward * step, "loss": 0.0}, step)
    rows = logger.compare_runs(metrics=["reward"])
    assert [row["name"] for row in rows] == ["fast", "slow"]
    assert [row["metrics.reward"] for row in rows] == [4.0, 2.0]
    assert rows[0]["params.speed"] == "fast"
    assert "metrics.loss" not in rows[0]
    assert rows[0]["seconds"] >= 0
    picture = logger.plot_comparison("reward", store_directory / "reward.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(TrackingError, match="no run of the experiment 'races' has the metric 'height'"):
        logger.plot_comparison("height", store_directory / "height.png")
    with pytest.raises(
        TrackingError, match=r"no experiment 'walks' in .*; the experiments are Default, races"
    ):
        logger.compare_runs("walks")


def test_fallback_is_uploaded_once(empty_store, tmp_path, closed_port):
    import shutil

    for place in ("here", "server"):
        shutil.copytree(empty_store / "mlflow", tmp_path / place / "mlflow")
    with pytest.warns(TrackerWarning, match="the run is kept in sqlite"):
        logger = MLflowLogger("x", "a run", f"http://127.0.0.1:{closed_port}", tmp_path / "here")
    with logger:
        logger.log_params({"seed": 3})
        for step in range(5):
            logger.log_metric("reward", step, step, time=1_700_000_000 + step)
        logger.log_text("hello", "note.txt")
    server = make_local_uri(tmp_path / "server")
    first = logger.upload_fallback(server)
    assert logger.upload_fallback(server) == first
    target = connect(server)
    (run,) = runs_in(target, "x")
    assert first == {logger.run_id: run.info.run_id}
    assert (run.info.run_name, run.info.status) == ("a run", "FINISHED")
    assert run.data.params == {"seed": "3"}
    assert history(target, run, "reward") == [
        (step, float(step), (1_700_000_000 + step) * 1000) for step in range(5)
    ]
    assert (Path(target.client.download_artifacts(run.info.run_id, "note.txt"))).read_text() == "hello"
    with pytest.raises(TrackingError, match="cannot be reached"):
        logger.upload_fallback(f"http://127.0.0.1:{closed_port}")


def test_server_that_goes_away_is_replaced_by_the_local_store(store_directory, monkeypatch):
    from mlflow.exceptions import MlflowException

    logger = MLflowLogger("x", directory=store_directory)
    logger.start_run({"seed": 1})
    gone = Store(logger.store.client, "http://server", None)
    monkeypatch.setattr(logger, "store", gone)

    def fail(*_: Any, **__: Any) -> None:
        raise MlflowException("connection lost")

    monkeypatch.setattr(gone.client, "log_batch", fail)
    logger.log_metric("reward", 1.0, 1)
    with pytest.warns(
        TrackerWarning, match="the MLflow server http://server failed: connection lost; the run continues"
    ):
        logger.flush()
    assert logger.store.is_fallback
    logger.end_run()
    run = logger.store.client.get_run(logger.run_id)
    assert run.data.metrics == {"reward": 1.0}
    assert run.data.params == {"seed": "1"}


# --- stores -----------------------------------------------------------------------------------------------------------


def test_address_of_the_environment_counts(store_directory, monkeypatch, tmp_path):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", make_local_uri(store_directory))
    assert open_store(None, tmp_path / "elsewhere").uri == make_local_uri(store_directory)
    assert not (tmp_path / "elsewhere").exists()


def test_odd_address_is_refused(tmp_path):
    with pytest.raises(TrackingError, match="not an address of MLflow"):
        open_store("somewhere", tmp_path)


def test_any_answer_is_an_answer(line_server, closed_port):
    assert explain_unreachable(line_server.address) is None  # it answers 501: it knows no GET
    assert "refused" in (explain_unreachable(f"http://127.0.0.1:{closed_port}") or "")
    assert explain_unreachable("sqlite:///x.db") is None


def test_long_and_odd_parameters_fit(store_directory):
    with MLflowLogger("odd", directory=store_directory) as logger:
        logger.log_params(
            {"long": "x" * 10_000, "a?b": None, **{f"p{number}": number for number in range(150)}}
        )
    params = logger.store.client.get_run(logger.run_id).data.params
    assert len(params) == 152
    assert len(params["long"]) == 6000
    assert params["a_b"] == "None"


def test_copy_completes_a_run_that_was_begun_there(empty_store, tmp_path):
    import shutil

    stores = {}
    for place in ("here", "server"):
        shutil.copytree(empty_store / "mlflow", tmp_path / place / "mlflow")
        logger = MLflowLogger("x", directory=tmp_path / place)
        logger.start_run(origin="same")
        logger.log_metric("reward", 1.0, 1 if place == "server" else 2, time=5.0)
        logger.end_run()
        stores[place] = logger.store
    (run,) = runs_in(stores["here"], "x")
    copy_run(stores["here"], run, stores["server"], stores["server"].experiment_id("x"))
    (merged,) = runs_in(stores["server"], "x")
    assert [step for step, _, _ in history(stores["server"], merged, "reward")] == [1, 2]


def test_code_blocks_of_the_document_work(store_directory, root, monkeypatch):
    """The blocks on MLflow also leave the picture and the registered policy that they speak of."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("stable_baselines3")
    text = (root / "docs" / "guides" / "tracking.md").read_text(encoding="utf-8")
    section = text.partition("## MLflow\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)
    assert len(blocks) == 2
    monkeypatch.chdir(store_directory)
    shutil.copytree(store_directory / "mlflow", store_directory / "models" / "mlflow")  # where runs are
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "tracking.md", "exec"), names)
    assert (store_directory / "reward.png").exists()
    assert (names["place"] / "policy.safetensors").exists()
