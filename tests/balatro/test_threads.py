"""Several threads and one environment, or one game: every call works or raises; none hangs, none crashes.

Each program runs in a process of its own, so that a hang or a crash fails its test and not the whole session.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

WATCHDOG_SECONDS = 120
"""Far beyond what the programs take, a second or two: what is not done by then hangs."""


def run_program(text: str) -> str:
    """What a program prints; its failure and its silence are failures of the test."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        timeout=WATCHDOG_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_two_threads_on_one_vector_do_not_hang():
    """Without a guard both wait for the same workers, now and then for ever. Calls overlap, so some are refused."""
    printed = run_program("""
        import threading
        import numpy as np
        from jimbot.balatro.env.vector import BalatroVectorEnv

        env = BalatroVectorEnv(64, threads=2)
        env.reset(seed=1)
        refused = []

        def work():
            for _ in range(20_000):
                try:
                    env.step(np.zeros(64, np.int64))
                except RuntimeError as error:
                    refused.append(str(error))
                if len(refused) >= 200:
                    return

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        env.step(np.zeros(64, np.int64))
        print(*set(refused), sep="\\n")
    """)
    assert printed == (
        "VectorEnv.step: another thread is inside VectorEnv.step; "
        "use one VectorEnv per thread, or a lock around its calls"
    )


@pytest.mark.parametrize("outer", ["step(actions)", "reset(3)", "reset_each(starts)", "reset_on(starts)"])
def test_every_method_is_refused_while_another_thread_is_inside(outer):
    """The outer calls release the lock of the interpreter; all others are tried until one meets them inside."""
    met = run_program(f"""
        import threading
        import numpy as np
        from jimbot import _engine
        from jimbot.balatro.env.options import EnvOptions

        options = EnvOptions.of({{"actions": "candidates", "candidates": 64}}).to_engine()
        env = _engine.VectorEnv(256, options, 2, 0)
        actions, starts = np.zeros(256, np.int64), list(range(256))
        kept = env.snapshot(b"")
        stop = threading.Event()
        failed = []

        def work():
            while not stop.is_set():
                try:
                    env.{outer}
                except RuntimeError as error:
                    failed.append(str(error))

        calls = {{
            "step": lambda: env.step(actions),
            "step_only": lambda: env.step_only(0, False),
            "reset": lambda: env.reset(1),
            "reset_each": lambda: env.reset_each(starts),
            "reset_on": lambda: env.reset_on(starts),
            "set_max_ante": lambda: env.set_max_ante(8),
            "max_ante": lambda: env.max_ante,
            "legal": lambda: env.legal(0, 0),
            "refusal": lambda: env.refusal(0, 0),
            "candidates": lambda: env.candidates(0),
            "fresh_record": lambda: env.fresh_record(0),
            "replay": lambda: env.replay(0),
            "replay_of_last": lambda: env.replay_of_last(0),
            "snapshot": lambda: env.snapshot(b""),
            "restore": lambda: env.restore(kept),
            "game": lambda: env.game(0),
            "pending": lambda: env.pending(0),
            "info": lambda: env.info(0),
        }}
        public = {{name for name in dir(env) if not name.startswith("_")}}
        buffers = {{"observations", "final_observations", "rewards", "terminated", "truncated", "end_records",
                   "final_infos"}}
        assert public == set(calls) | buffers, public ^ set(calls)
        worker = threading.Thread(target=work)
        worker.start()
        messages = set()
        for name, call in calls.items():
            while True:
                try:
                    call()
                except RuntimeError as error:
                    messages.add(str(error))
                    assert str(error).startswith(f"VectorEnv.{{name}}: another thread is inside VectorEnv."), error
                    break
                except ValueError:
                    assert name == "step_only"  # not an environment of one game
        stop.set()
        worker.join()
        env.step(actions)
        print(len(messages))
    """)
    assert met == "18"


def test_threads_on_vectors_of_their_own_do_not_disturb_each_other():
    printed = run_program("""
        import threading
        import numpy as np
        from jimbot.balatro.env.vector import BalatroVectorEnv

        def play(seed):
            env = BalatroVectorEnv(16, threads=2)
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            for _ in range(200):
                masks = env.observations()["action_mask"]
                env.step((rng.random(masks.shape) * masks).argmax(axis=1))
            return env.snapshot()

        alone = [play(seed) for seed in range(3)]
        together = [None] * 3

        def work(seed):
            together[seed] = play(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(alone == together)
    """)
    assert printed == "True"


def test_two_threads_on_one_game_take_turns():
    """Whatever order the actions are taken in, it is the recorded one: the replay leads to the same run."""
    printed = run_program("""
        import random, sys, threading
        from jimbot.balatro import Game, IllegalActionError, Replay
        from jimbot.players import create_player

        sys.setswitchinterval(1e-6)
        player = create_player("scripted")
        for number in range(3):
            game = Game(f"TURNS{number + 1}", endless=True)

            def work(seed):
                rng = random.Random(seed)
                for _ in range(300):
                    actions = game.legal_actions()
                    if not actions:
                        return
                    try:
                        game.step(player.choose(game) if rng.random() < 0.3 else rng.choice(actions))
                    except IllegalActionError:
                        pass  # the other thread was there first
                    except ValueError as error:
                        assert "the run is over" in str(error), error

            threads = [threading.Thread(target=work, args=(seed,)) for seed in range(2)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            assert Replay.of(game).play().hash == game.hash
        print("done")
    """)
    assert printed == "done"


def test_reset_on_threads_is_reset_on_one():
    """What a reset gives does not depend on the number of threads."""
    from jimbot.balatro.env.vector import BalatroVectorEnv

    one, three = BalatroVectorEnv(10, threads=1), BalatroVectorEnv(10, threads=3)
    for seed, options in ((5, None), (list(range(10)), None), (7, {"evaluation": 4})):
        one.reset(seed=seed, options=options)
        three.reset(seed=seed, options=options)
        assert one.snapshot() == three.snapshot()
        assert one.records.tobytes() == three.records.tobytes()
