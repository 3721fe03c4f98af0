"""Train on Balatro for about half a minute, then compare with random play: ``python quick_train.py``."""

from jimbot.cli import run_script
from jimbot.cli.quick_train import app

if __name__ == "__main__":
    run_script(app, "quick_train.py")
