"""Count the jimbot source files that one small training enters: files of which at least one function runs.

python tools/count_entered_files.py            # the number, and the files by package
python tools/count_entered_files.py --backend tianshou

Importing a module does not count; calling something in it does. The fewer files a reader has to open to follow one
training from its configuration to its checkpoint, the better.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType, FrameType

SOURCE = Path(__file__).resolve().parent.parent / "src" / "jimbot"
NOT_FUNCTIONS = ("<module>", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")


class EnteredFiles:
    """While it is active, remembers every jimbot file of which a function is called, in every thread."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self._seen: set[CodeType] = set()

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code in self._seen:
            return
        self._seen.add(code)
        path = Path(code.co_filename)
        # A class body is a code object without CO_OPTIMIZED and runs at import.
        if code.co_name in NOT_FUNCTIONS or not code.co_flags & 0x1 or not path.is_relative_to(SOURCE):
            return
        self.files.add(path.relative_to(SOURCE).as_posix())

    def __enter__(self) -> EnteredFiles:
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


def files_of_small_training(backend: str = "sb3") -> set[str]:
    """Files entered by a short PPO training on Balatro: configuration, training, one checkpoint, one evaluation."""
    import jimbot.training.framework as framework  # imported before counting: importing is not entering
    from jimbot.training.config.trainer_config import TrainerConfig

    with tempfile.TemporaryDirectory() as directory, EnteredFiles() as entered:
        config = TrainerConfig(
            backend=backend,
            env_kwargs={"actions": "candidates", "fast": True, "max_ante": 1},
            total_timesteps=64,
            n_envs=2,
            eval_freq=64,
            eval_episodes=2,
            checkpoint_freq=64,
            save_dir=directory,
            hyperparams={  # pyright: ignore[reportArgumentType]  a plain mapping is validated into the section
                "features_dim": 8,
                "policy_net_arch": [8],
                "value_net_arch": [8],
                "algorithm_specific": {"n_steps": 32, "batch_size": 32, "n_epochs": 1},
            },
        )
        with framework.create_trainer(None, config) as trainer:
            trainer.train(progress="silent")
    return entered.files


def main() -> None:
    """Print the number of files, and the files by package."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--backend", default="sb3", help="the library that trains")
    files = files_of_small_training(parser.parse_args().backend)
    print(f"{len(files)} files of jimbot entered")
    packages = Counter(str(Path(file).parent) for file in files)
    for package, count in sorted(packages.items()):
        names = sorted(Path(file).name for file in files if str(Path(file).parent) == package)
        print(f"{count:4} {package}: {', '.join(names)}")


if __name__ == "__main__":
    main()
