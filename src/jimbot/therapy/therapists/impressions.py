"""Impressions: features that a therapist can compute from documented observations alone.

The observation shows the last 25 sessions. An ``Impression`` carries on what they taught: how long the client has shown
what it shows, what it was answered, and, since a client takes half of what it meets for what it is used to, what it is
likely to be used to by now and how satisfied a typical client would be. ``build_features`` makes a vector of it.

The model treats dominance and submission nearly alike: mirrored clients answer mirrored therapists much as the others
do. The vector shows every client as one on the dominant side, says whether it was turned for that, and the answer to it
is to be ``mirror_octant``.

Every function takes the array library first (``numpy`` or ``jax.numpy``) and works on arrays with any leading axes, so
that a policy sees the same numbers in compiled training and in the environment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jimbot.therapy.model.perception import PERCEPTION_WINDOW
from jimbot.therapy.model.satisfaction import MEMORY_SIZE, recency_weights
from jimbot.therapy.model.utilities import MIDPOINTS

__all__ = [
    "FEATURES",
    "Impression",
    "build_features",
    "is_mirrored",
    "make_first_impression",
    "mirror_octant",
    "rotate_to_frame",
    "update_impression",
]

FEATURES = 8 * 11 + 8
"""Length of the vector."""

TYPICAL_START = -15.0
"""Satisfaction of a typical client before therapy."""
TYPICAL_RANGE = (-68.0, 63.0)
"""Least and greatest utility of a typical client."""
FAST, SLOW, ANSWERS = 0.8, 0.97, 0.85
"""What is left after a session of what was counted before it: of recent things, of all, of answers to one octant."""


MIRROR = (4 - np.arange(8)) % 8
"""Each octant with dominance and submission exchanged."""
SIDE = np.array([1, 1, 0, -1, -1, -1, 0, 1], np.float32)
"""1 on the dominant side, -1 on the submissive one."""


class Impression(NamedTuple):
    """The state carried from session to session; arrays have the same leading axes.

    Attributes:
        sessions: sessions held, float.
        perceived: what the client may have taken each of the last 15 answers for, float[15, 8], oldest first.
        values: what a typical client would have found in each remembered session, float[50], oldest first.
        shares: of what the client remembers, how much each octant of the therapist makes up, float[8].
        shown_fast: what the client showed lately, float[8].
        shown_slow: what the client showed so far, float[8].
        given_fast: what the therapist did lately, float[8].
        answers: what the therapist answered lately to each octant of the client, float[8, 8].
        met: sessions in which the client showed each octant, float[8].
        run: sessions for which the client has shown what it showed last, float.
        last_shown: that octant, float[8]; zeros before the first session.
        before: what it had shown before that, float[8].
        last_given: the therapist's last answer, float[8].
    """

    sessions: Any
    perceived: Any
    values: Any
    shares: Any
    shown_fast: Any
    shown_slow: Any
    given_fast: Any
    answers: Any
    met: Any
    run: Any
    last_shown: Any
    before: Any
    last_given: Any


def make_first_impression(xp: Any, shape: tuple[int, ...] = ()) -> Impression:
    """Create the impressions before the first session, for clients of these leading axes."""
    none, octants = xp.zeros(shape, xp.float32), xp.zeros((*shape, 8), xp.float32)
    return Impression(
        sessions=none,
        perceived=xp.full((*shape, PERCEPTION_WINDOW, 8), 1 / 8, xp.float32),
        values=xp.full((*shape, MEMORY_SIZE), TYPICAL_START, xp.float32),
        shares=octants + np.float32(1 / 8),
        shown_fast=octants,
        shown_slow=octants,
        given_fast=octants,
        answers=xp.zeros((*shape, 8, 8), xp.float32),
        met=octants,
        run=none,
        last_shown=octants,
        before=octants,
        last_given=octants,
    )


def estimate_habit(xp: Any, perceived: Any) -> Any:
    """Return the probability that each octant is the habitual one, float[8]."""
    counts = perceived.sum(axis=-2)
    raised = xp.exp(counts - counts.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def update_impression(xp: Any, old: Impression, shown: Any, given: Any, accuracy: float = 0.5) -> Impression:
    """Update impressions after a session with these octants of client and therapist, integer arrays.

    ``accuracy`` is how likely clients are to see what the therapist does.
    """
    octants = xp.arange(8)
    showed = (shown[..., None] == octants).astype(xp.float32)
    gave = (given[..., None] == octants).astype(xp.float32)
    taken = accuracy * gave + (1 - accuracy) * estimate_habit(xp, old.perceived)
    worth = showed @ xp.asarray(MIDPOINTS, xp.float32)
    value = (worth * taken).sum(axis=-1)
    same = (showed * old.last_shown).sum(axis=-1)
    row = showed[..., None]
    return Impression(
        sessions=old.sessions + 1,
        perceived=xp.concatenate([old.perceived[..., 1:, :], taken[..., None, :]], axis=-2),
        values=xp.concatenate([old.values[..., 1:], value[..., None]], axis=-1),
        shares=SLOW * old.shares + (1 - SLOW) * taken,
        shown_fast=FAST * old.shown_fast + (1 - FAST) * showed,
        shown_slow=SLOW * old.shown_slow + (1 - SLOW) * showed,
        given_fast=FAST * old.given_fast + (1 - FAST) * gave,
        answers=old.answers * (1 - row) + row * (ANSWERS * old.answers + (1 - ANSWERS) * gave[..., None, :]),
        met=old.met + showed,
        run=1 + old.run * same,
        last_shown=showed,
        before=old.before + (1 - same[..., None]) * (old.last_shown - old.before),
        last_given=gave,
    )


def is_mirrored(xp: Any, seen: Impression, shown: Any) -> Any:
    """Return whether features are mirrored, bool: true for clients on the submissive side.

    Of a client on neither side, what it is used to decides.
    """
    sides = xp.asarray(SIDE)
    lean = (seen.shares * sides).sum(axis=-1)
    side = sides[shown]
    return xp.where(side == 0, lean, side) < 0


def rotate_to_frame(xp: Any, mirror: Any, octants: Any) -> Any:
    """Convert numbers by octant, [..., 8], to the features' frame; for octants see ``mirror_octant``."""
    return xp.where(mirror[..., None], octants[..., MIRROR], octants)


def mirror_octant(xp: Any, mirror: Any, octant: Any) -> Any:
    """Convert an octant to or from the features' frame."""
    return xp.where(mirror, (4 - octant) % 8, octant)


def build_features(xp: Any, seen: Impression, shown: Any, max_sessions: int = 100) -> Any:
    """Return the features, float32[..., FEATURES], for the clients' current octants."""
    now = (shown[..., None] == xp.arange(8)).astype(xp.float32)
    weights = xp.asarray(recency_weights(MEMORY_SIZE), xp.float32)
    low, high = TYPICAL_RANGE
    position = ((seen.values * weights).sum(axis=-1) - low) / (high - low)
    used_to = estimate_habit(xp, seen.perceived)
    expected = ((now @ xp.asarray(MIDPOINTS, xp.float32)) * used_to).sum(axis=-1)
    stays = (now * seen.last_shown).sum(axis=-1)
    mirror = is_mirrored(xp, seen, shown)
    numbers = [
        xp.where(mirror, 1.0, -1.0),
        seen.sessions / (max_sessions / 2) - 1,
        xp.minimum(seen.sessions / 10, 1.0),
        xp.log1p(seen.run * stays) / 4,
        stays,
        4 * (position - 0.6),
        2 / (1 + xp.exp(-10 * (position - 0.7))),
        expected / 50,
    ]
    octants = [
        now,
        seen.last_given,
        seen.before,
        2 * seen.perceived.mean(axis=-2),
        used_to,
        2 * seen.shares,
        seen.shown_fast,
        2 * seen.shown_slow,
        seen.given_fast,
        (now[..., None] * seen.answers).sum(axis=-2),
        xp.minimum(seen.met / 25, 2.0),
    ]
    framed = [rotate_to_frame(xp, mirror, each) for each in octants]
    return xp.concatenate([*framed, xp.stack(numbers, axis=-1)], axis=-1).astype(xp.float32)
