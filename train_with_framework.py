"""Train with full control: ``python train_with_framework.py --timesteps 1000000 --use-curriculum``.

The same as ``jimbot train``; ``--help`` lists every flag.
"""

from jimbot.cli import run_script
from jimbot.cli.train import app

if __name__ == "__main__":
    run_script(app, "train_with_framework.py")
