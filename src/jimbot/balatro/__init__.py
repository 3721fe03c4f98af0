"""The game of Balatro from Python: runs, replays, scoring, seeds and random numbers."""

from jimbot.balatro.env.registration import register_environments
from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.game import Game, IllegalActionError
from jimbot.balatro.game.parts import Phase
from jimbot.balatro.game.replay import Replay
from jimbot.balatro.game.scoring import explain_case, score_case

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
