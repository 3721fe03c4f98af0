"""Rewards and dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["DROPOUT_REWARD", "DROPOUT_SESSION", "SESSION_SAVED", "SUCCESS_REWARD", "episode_reward"]

SUCCESS_REWARD = 100.0
SESSION_SAVED = 2.0
"""Added to the reward of a success for each session that was not needed."""
DROPOUT_REWARD = -150.0
DROPOUT_SESSION = 10
"""After this session a client leaves if it is less satisfied than before the first."""


def episode_reward(sessions: Any, max_sessions: int, success: Any, dropped_out: Any) -> Any:
    """Return the reward of a session; it is nonzero only at success or dropout, and dropout takes precedence.

    Works on numbers and on arrays of them.
    """
    saved = SUCCESS_REWARD + SESSION_SAVED * (max_sessions - sessions)
    reward = np.where(dropped_out, DROPOUT_REWARD, np.where(success, saved, 0.0))
    return float(reward) if reward.ndim == 0 else reward
