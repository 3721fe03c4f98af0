"""The Gymnasium id of Balatro; see ``jimbot.registration``."""

from jimbot.registration import BALATRO as ID
from jimbot.registration import register_environments

__all__ = ["ID", "register_environments"]
