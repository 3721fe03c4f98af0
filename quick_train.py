"""Train on Balatro for about half a minute, then compare with random play: ``python quick_train.py``."""

from jimbot.cli.quick_train import app

if __name__ == "__main__":
    app()
