"""How much memory this process held at most, and counting that anew.

psutil tells the peak on Windows only. Linux tells it in ``/proc``, and only there it can be counted anew: the peak of
``getrusage`` lasts for the whole life of a process, and a child begins with that of its parent.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

__all__ = ["peak_memory_bytes", "reset_peak_memory"]

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
RESET_PEAK = "5"


def reset_peak_memory() -> None:
    """Begin anew where the system can (Linux); elsewhere the peak is that of the process since its start."""
    with contextlib.suppress(OSError):
        CLEAR.write_text(RESET_PEAK)


def peak_memory_bytes() -> int | None:
    """Most memory held since the start or the last reset; None where the system does not tell."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    with contextlib.suppress(OSError):
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
