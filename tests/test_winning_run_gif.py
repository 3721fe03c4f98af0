"""The animation at the top of the README shows a run that is really won."""

from __future__ import annotations

import pytest

pytest.importorskip("PIL")
from tools.winning_run_gif import COLORS, SIZE, animation, winning_run_frames


def test_the_run_is_won_and_drawn():
    frames = list(winning_run_frames())
    assert 24 < len(frames) < 200
    assert {frame.size for frame in frames} == {SIZE}
    data = animation(frames[-2:])
    assert data[:6] == b"GIF89a"
    colors = frames[-1].quantize(COLORS).getcolors()
    assert colors is not None
    assert len(colors) > 1


def test_a_run_that_is_lost_is_refused():
    with pytest.raises(ValueError, match="does not win"):
        list(winning_run_frames("7LB2WVPK"))
