"""One run of Balatro: state, actions, replays, scoring and random numbers."""

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
