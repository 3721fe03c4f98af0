"""The game of Balatro from Python: runs, replays, scoring, seeds and random numbers."""

from jimbot.balatro.actions import Action, ActionKind
from jimbot.balatro.game import Game, IllegalActionError
from jimbot.balatro.registration import register_environments
from jimbot.balatro.replay import Replay
from jimbot.balatro.scoring import explain_case, score_case
from jimbot.balatro.views import Phase

__all__ = [
    "Action",
    "ActionKind",
    "Game",
    "IllegalActionError",
    "Phase",
    "Replay",
    "explain_case",
    "score_case",
]

register_environments()
