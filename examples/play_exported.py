"""Play Balatro from an exported ONNX file alone: no torch, no training code, just the game and onnxruntime.

python -m jimbot.training.export --checkpoint models/first_try --output exported
python examples/play_exported.py exported
"""

import json
import sys
from pathlib import Path

import gymnasium
import numpy as np
import onnxruntime

import jimbot.balatro  # noqa: F401  registers the environment

directory = Path(sys.argv[1] if len(sys.argv) > 1 else "exported")
for name in ("interface.json", "policy.onnx"):
    if not (directory / name).is_file():
        sys.exit(
            f"play_exported.py: error: there is no {directory / name}; "
            f"write it with: python -m jimbot.training.export --checkpoint RUN --output {directory}"
        )
try:
    interface = json.loads((directory / "interface.json").read_text())
    session = onnxruntime.InferenceSession(str(directory / "policy.onnx"))
except Exception as error:  # noqa: BLE001  those of onnxruntime have no base of their own
    sys.exit(f"play_exported.py: error: {directory} holds nothing to play: {' '.join(str(error).split())}")
wanted = {each["name"]: each["type"] for each in interface["inputs"]}
used = {each.name for each in session.get_inputs()}

listed = interface["actions"] if "candidates" in wanted else None
env = gymnasium.make(
    "jimbot/Balatro-v0", **({"actions": "candidates", "candidates": listed} if listed else {})
)
observation, info = env.reset(seed=1)
steps, total, over = 0, 0.0, False
while not over:
    arrays = {
        name: np.asarray(observation[name], kind)[None] for name, kind in wanted.items() if name in used
    }
    logits, value = session.run(None, arrays)
    observation, reward, terminated, truncated, info = env.step(int(logits[0].argmax()))
    steps, total, over = steps + 1, total + float(reward), terminated or truncated
print(
    f"{steps} steps, reward {total:.2f}, ante {info['ante']}, blinds cleared {info['blinds']}, {info['ending']}"
)
