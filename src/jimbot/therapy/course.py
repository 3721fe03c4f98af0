"""The record of one episode, session by session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.env.single import TherapyEnv
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    from jimbot.therapy.therapists.scripted import Therapist

__all__ = ["Course", "record_course"]


@dataclass(frozen=True)
class Course:
    """The record of one episode.

    Attributes:
        pattern: the client's biography.
        mechanism: how the client decides.
        seed: of the environment.
        initial_rs: satisfaction before the first session.
        initial_bond: trust before the first session.
        rs_threshold: satisfaction that means success.
        rows: one mapping per session: session, client_action, therapist_action, perceived_action, rs, bond.
        ending: ``success``, ``dropout`` or ``timeout``.
        reward: what the episode earned.
    """

    pattern: str
    mechanism: str
    seed: int
    initial_rs: float
    initial_bond: float
    rs_threshold: float
    rows: list[dict[str, Any]]
    ending: str
    reward: float


def record_course(therapist: Therapist, seed: int, **options: Any) -> Course:
    """Record the episode of ``reset(seed=seed)`` with a therapist, which gets batches of one."""
    env = TherapyEnv(**options)
    if isinstance(therapist, MindReader):
        therapist.attach(env)
    observation, start = env.reset(seed=seed)
    rows: list[dict[str, Any]] = []
    while True:
        batch = {name: np.asarray(value)[np.newaxis] for name, value in observation.items()}
        action = int(np.asarray(therapist(batch)).reshape(-1)[0])
        observation, reward, terminated, truncated, info = env.step(action)
        perceived = int(env.clients.last_perceived[0])
        names = ("session", "client_action", "therapist_action", "rs", "bond")
        rows.append({name: info[name] for name in names} | {"perceived_action": perceived})
        if terminated or truncated:
            break
    return Course(
        pattern=start["pattern"],
        mechanism=env.options.mechanism,
        seed=seed,
        initial_rs=start["initial_rs"],
        initial_bond=start["initial_bond"],
        rs_threshold=start["rs_threshold"],
        rows=rows,
        ending="dropout" if info["dropped_out"] else "success" if info["success"] else "timeout",
        reward=reward,
    )
