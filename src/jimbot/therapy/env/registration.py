"""The Gymnasium id of therapy; see ``jimbot.registration``."""

from jimbot.registration import THERAPY as ID
from jimbot.registration import register_environments

__all__ = ["ID", "register_environments"]
