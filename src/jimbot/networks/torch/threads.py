"""How many threads torch computes with."""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import os

import torch

__all__ = ["THREAD_VARIABLES", "limit_threads"]

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Whoever sets one of these has chosen a number of threads."""


def limit_threads() -> None:
    """Let torch compute on one thread, unless an environment variable says how many.

    Torch takes one thread per core. For networks of this size the threads wait for each other most of the time: the
    same episodes cost many times the processor time and are no sooner played.
    """
    if not any(os.environ.get(name) for name in THREAD_VARIABLES):
        torch.set_num_threads(1)
