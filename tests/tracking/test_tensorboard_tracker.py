"""TensorBoard files, read back with TensorBoard's own reader."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracking.helpers import evaluation, log_steps, metrics, run_in

from jimbot.tracking import TrackerSet, TrackerWarning, create_trackers

pytest.importorskip("tensorboard")


def tracked(directory: Path) -> TrackerSet:
    return create_trackers(["tensorboard"], run_in(directory, run_id="one"))


def read(directory: Path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(directory / "tensorboard"), size_guidance={"scalars": 0, "tensors": 0})
    accumulator.Reload()
    return accumulator


def points(directory: Path, tag: str) -> list[tuple[int, float]]:
    return [(each.step, each.value) for each in read(directory).Scalars(tag)]


def test_numbers_come_back(tmp_path):
    with tracked(tmp_path).start() as trackers:
        trackers.log(metrics(10, loss=0.5, **{"train/odd": math.nan}, won=True))
        trackers.log(metrics(20, loss=0.25))
        trackers.log(evaluation(20, loss=3))
        trackers.log_episode(21, {"reward": 7.5})
    assert points(tmp_path, "loss") == [(10, 0.5), (20, 0.25)]
    assert points(tmp_path, "won") == [(10, 1.0)]
    assert points(tmp_path, "evaluation/loss") == [(20, 3.0)]
    assert points(tmp_path, "episode/reward") == [(21, 7.5)]
    assert math.isnan(points(tmp_path, "train/odd")[0][1])
    assert read(tmp_path).Scalars("loss")[0].wall_time == 1_700_000_010.0


def test_texts_and_configuration_come_back(tmp_path):
    with tracked(tmp_path).start() as trackers:
        trackers.log_text(5, "note", "hello")
    accumulator = read(tmp_path)
    (note,) = accumulator.Tensors("text/note/text_summary")
    assert note.tensor_proto.string_val[0] == b"hello"
    (run,) = accumulator.Tensors("run/text_summary")
    text = run.tensor_proto.string_val[0].decode()
    assert "| learning_rate | 0.0003 |" in text
    assert "| network.layers | [256, 256] |" in text


def test_neither_torch_nor_tensorflow_is_imported(tmp_path):
    code = (
        "import sys; from pathlib import Path; from jimbot.tracking import RunInfo, create_trackers\n"
        "with create_trackers(['tensorboard'], RunInfo('x', Path(sys.argv[1]))).start() as t:\n"
        "    t.log_metrics(1, {'loss': 1.0})\n"
        "print(sorted({'torch', 'tensorflow'} & set(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert finished.stdout == "[]\n", finished.stderr


def test_resumed_run_has_the_bytes_of_an_uninterrupted_one(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    trackers = tracked(whole).start()
    log_steps(trackers, 1, 20)
    trackers.close()
    first = tracked(broken).start()
    log_steps(first, 1, 12)
    cursor = json.loads(json.dumps(first.cursor()))
    log_steps(first, 13, 17)
    first.end()
    with next((broken / "tensorboard").iterdir()).open("ab") as file:
        file.write(b"torn record")
    second = tracked(broken).resume(cursor)
    log_steps(second, 13, 20)
    second.close()
    assert points(broken, "loss") == points(whole, "loss")
    assert [step for step, _ in points(broken, "loss")] == list(range(1, 21))
    assert points(broken, "evaluation/mean_reward") == points(whole, "evaluation/mean_reward")


def test_overwritten_run_leaves_no_old_points(tmp_path):
    with tracked(tmp_path).start() as trackers:
        log_steps(trackers, 1, 3)
    with create_trackers(["tensorboard"], run_in(tmp_path)).start(overwrite=True) as trackers:
        log_steps(trackers, 1, 1)
    assert [step for step, _ in points(tmp_path, "loss")] == [1]


def test_directory_that_cannot_be_made_switches_it_off(tmp_path):
    (tmp_path / "tensorboard").write_text("in the way")
    with pytest.warns(TrackerWarning, match="tracker tensorboard is switched off: .*exists"):
        trackers = tracked(tmp_path).start()
    log_steps(trackers, 1, 2)
    trackers.end()
