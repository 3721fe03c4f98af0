"""The device that torch computes on: asked for by name, looked at before anything is made on it."""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import torch

from jimbot.training.config.trainer_config import ConfigError

__all__ = ["torch_device"]


def torch_device(name: str) -> str:
    """The device behind the configuration's ``device``; ``ConfigError`` if torch does not know it or it is not there.

    ``auto`` is a graphics card if there is one, otherwise the processor.
    """
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ConfigError(
            f"device: torch knows no {name!r}; expected auto, cpu, cuda, cuda:1, mps, …"
        ) from None
    try:
        float(torch.zeros(1, device=device))  # to hold a number and to give it back is all that is asked
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise ConfigError(
            f"device: torch cannot compute on {name!r} here ({reason[0].rstrip('.')}); auto takes what is there"
        ) from None
    return name
