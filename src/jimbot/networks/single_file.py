"""A policy inside one file: the policy file and its configuration as texts in a ``torch.export`` program.

Such a program is a zip archive. Only the texts are read here, nothing is unpickled.
"""

from __future__ import annotations

import base64
import binascii
import tempfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from jimbot.networks.errors import PolicyFileError
from jimbot.networks.policy_file import load_policy, save_policy

if TYPE_CHECKING:
    from jimbot.networks.policy_file import PolicyFile

__all__ = ["is_single_file", "pack_policy", "read_packed_config", "unpack_policy"]

SUFFIXES = (".pt", ".pt2")
DESCRIPTION, NUMBERS, CONFIG = "policy.json", "policy.safetensors.base64", "config.yaml"


def is_single_file(path: Path) -> bool:
    """Return whether a path is a file that may hold a policy as ``export --output NAME.pt`` writes it."""
    return path.suffix in SUFFIXES and path.is_file()


def pack_policy(policy: PolicyFile, config_text: str) -> dict[str, str]:
    """Return the texts that go into the program, by name."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        save_policy(place, policy.spec, policy.tensors, policy.normalizer, policy.metadata)
        numbers = base64.b64encode((place / "policy.safetensors").read_bytes()).decode("ascii")
        return {
            DESCRIPTION: (place / "policy.json").read_text("utf-8"),
            NUMBERS: numbers,
            CONFIG: config_text,
        }


def unpack_policy(path: Path) -> PolicyFile:
    """Return the policy inside a file."""
    texts = read_texts(path)
    missing = [name for name in (DESCRIPTION, NUMBERS) if name not in texts]
    if missing:
        raise PolicyFileError(
            f"{path} holds no policy of jimbot; expected a file written with: "
            f"python -m jimbot.training.export --checkpoint RUN --output {path.name}"
        )
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        try:
            (place / "policy.safetensors").write_bytes(base64.b64decode(texts[NUMBERS], validate=True))
        except (binascii.Error, ValueError):
            raise PolicyFileError(f"{path} is damaged: its policy is not readable") from None
        (place / "policy.json").write_bytes(texts[DESCRIPTION])
        return load_policy(place)


def read_packed_config(path: Path) -> str | None:
    """Return the configuration inside a file as YAML; None if it holds none."""
    text = read_texts(path).get(CONFIG)
    return None if text is None else text.decode("utf-8")


def read_texts(path: Path) -> dict[str, bytes]:
    """Return the texts of a program by name."""
    wanted = {DESCRIPTION, NUMBERS, CONFIG}
    try:
        with zipfile.ZipFile(path) as archive:
            names = {PurePosixPath(name).name: name for name in archive.namelist()}
            return {name: archive.read(names[name]) for name in wanted if name in names}
    except (OSError, zipfile.BadZipFile) as error:
        raise PolicyFileError(f"cannot read a policy from {path}: {error}") from None
