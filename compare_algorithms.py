"""Compare algorithms: ``python compare_algorithms.py --quick --algorithms PPO A2C``; the same as ``jimbot compare``."""

from jimbot.cli import run_script
from jimbot.cli.compare import app

if __name__ == "__main__":
    run_script(app, "compare_algorithms.py")
