"""Write the golden files of the installed version: something small of every kind that jimbot writes.

Run it with the version whose files are wanted, from a checkout of that version:

    git worktree add ../old <commit> && cd ../old && make setup
    .venv/bin/python <this repository>/tests/golden/make_golden.py <this repository>/tests/data/golden/<version>

It uses only names that every version has. What the files must mean to later versions is recorded beside them: settings
as JSON, the actions and outputs of policies on given observations, hashes of states.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than these trainings

import numpy as np

REPOSITORY = Path.cwd()
"""The checkout of the version that writes."""

TINY = {"policy_net_arch": [4], "value_net_arch": [4], "features_dim": 4}
TINY_BALATRO = {
    "item_embedding": 2,
    "card_embedding": 2,
    "identity_embedding": 2,
    "candidate_embedding": 2,
    "card_encoder": [4, 4],
    "joker_encoder": [4, 4],
    "consumable_encoder": [4, 4],
    "shelf_encoder": [4, 4],
    "candidate_encoder": [4],
    "card_position": 2,
    "item_position": 2,
}
OWN = {
    "PPO": {"n_steps": 16, "batch_size": 16, "n_epochs": 1},
    "A2C": {"n_steps": 16},
    "DQN": {"learning_starts": 16, "buffer_size": 64, "batch_size": 8, "train_freq": 8},
}
RUNS: dict[str, dict[str, Any]] = {
    "sb3_ppo_candidates": {
        "env": "balatro",
        "env_kwargs": {"actions": "candidates", "candidates": 16, "max_steps": 60},
        "network_sizes": TINY_BALATRO,
        "use_curriculum": True,
    },
    "sb3_ppo_slots": {"env": "balatro", "env_kwargs": {"max_ante": 1}, "network_sizes": TINY_BALATRO},
    "sb3_a2c_cartpole": {"env": "cartpole", "algorithm": "A2C"},
    "sb3_dqn_cartpole": {"env": "cartpole", "algorithm": "DQN"},
    "jax_ppo_cartpole": {"env": "cartpole", "backend": "jax"},
    "tianshou_ppo_cartpole": {"env": "cartpole", "backend": "tianshou"},
    "rllib_ppo_cartpole": {"env": "cartpole", "backend": "rllib", "backend_options": {"num_env_runners": 0}},
}
"""What is trained, by the run's name."""
STEPS = 64
CONFIGURATIONS = ("cartpole_jax", "default_ppo", "experimental_ppo")
THERAPY = (
    "--experiment-name therapy --patterns cold_stuck --total-timesteps 64 --n-envs 2 --batch-size 16 --n-epochs 1 "
    "--hidden-size 4 --save-freq 64 --eval-freq 64 --eval-episodes 2 --progress silent --output-dir therapy/models "
    "--log-dir therapy/logs"
)


def configuration(name: str) -> Any:
    """The configuration of one of the runs."""
    from jimbot.training import HyperparameterConfig, TrainerConfig

    values: dict[str, Any] = {"algorithm": "PPO", "backend": "sb3", **RUNS[name]}
    return TrainerConfig(
        **values,
        name=name,
        save_dir="runs",
        total_timesteps=STEPS,
        n_envs=2,
        eval_freq=STEPS,
        eval_episodes=2,
        checkpoint_freq=STEPS,
        keep_checkpoints=1,
        hyperparams=HyperparameterConfig(**TINY, algorithm_specific=OWN[values["algorithm"]]),
    )


def write_run(name: str) -> None:
    """Train a run, and record what its final policy does on observations of its environment."""
    from jimbot.training import create_balatro_env, create_trainer, make_vectorized_env

    with create_trainer(None, configuration(name)) as trainer:
        trainer.train(progress="silent")
        trainer.save_model("final")
    if RUNS[name]["env"] == "balatro":
        creator = functools.partial(create_balatro_env, **RUNS[name]["env_kwargs"])
        observation: Any = seen_observations(make_vectorized_env(creator, 4))
    else:
        observation = np.random.default_rng(1).normal(size=(8, 4)).astype(np.float32)
    record_policy(Path("runs", name, "final"), observation, Path("policies", name))


def seen_observations(vector: Any) -> dict[str, Any]:
    """A batch of observations of a vector environment, after some random steps."""
    rng = np.random.default_rng(5)
    observation, _ = vector.reset(seed=7)
    for _ in range(5):
        everything = np.ones((vector.num_envs, int(vector.single_action_space.n)))
        legal = [np.flatnonzero(row) for row in observation.get("action_mask", everything)]
        observation, *_ = vector.step(np.array([rng.choice(each) for each in legal]))
    return {name: np.array(value) for name, value in observation.items()}


def record_policy(policy: Path, observation: Any, place: Path) -> None:
    """Write observations and what a policy file answers to them."""
    player = policy_class()(policy)
    logits, values = player.outputs(observation)
    plain = observation if isinstance(observation, dict) else {"observation": observation}
    place.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        place.with_suffix(".npz"),
        actions=player(observation),
        logits=logits,
        values=values,
        **{f"observation/{name}": value for name, value in plain.items()},
    )


def policy_class() -> Any:
    """The class that plays a policy file, whose module was renamed after 0.1.0."""
    from importlib import import_module
    from importlib.util import find_spec

    module = "jimbot.players.batch_policy"
    if find_spec(module) is None:
        module = "jimbot.players.policy_player"
    return import_module(module).NetworkPolicy


def write_therapy() -> None:
    """The tree that ``train_ppo`` writes, and the policy file made of its best policy."""
    from jimbot.therapy import TherapyVectorEnv
    from jimbot.training.train_ppo import main

    assert main(THERAPY.split()) == 0
    shutil.rmtree("therapy/models/run")
    place = Path("therapy/policy")
    assert main(["--to-policy", "therapy/models/policy_best.pth", "--output-dir", str(place)]) == 0
    env = TherapyVectorEnv(4, patterns="cold_stuck")
    record_policy(place, seen_observations(env), Path("policies/therapy"))


def write_configurations() -> None:
    """The configuration files of the repository and some written ones, each with the settings it stands for."""
    from jimbot.training import get_default_config

    Path("configurations").mkdir()
    for name in CONFIGURATIONS:
        shutil.copy(REPOSITORY / "configs" / f"{name}.yaml", "configurations")
    for algorithm in OWN:
        config = get_default_config(algorithm)
        config.total_timesteps = 12_345
        config.env_kwargs = {"actions": "candidates"}
        load_and_save()[1](config, f"configurations/{algorithm.lower()}_defaults.yaml")
    for path in sorted(Path("configurations").glob("*.yaml")):
        settings = load_and_save()[0](path).to_dict()
        path.with_suffix(".json").write_text(json.dumps(settings, indent=1, sort_keys=True) + "\n")
    for name in ("example_experiment", "test_training"):
        shutil.copy(REPOSITORY / "configs" / f"{name}.yaml", f"therapy/{name}.yaml")
    shutil.copytree(REPOSITORY / "configs/templates", "templates")


def load_and_save() -> tuple[Any, Any]:
    """The two functions for configuration files, whose module was renamed after 0.1.0."""
    from importlib import import_module
    from importlib.util import find_spec

    new = find_spec("jimbot.training.config.files") if Path(find_spec_of_config()).is_dir() else None
    module = import_module("jimbot.training.config.files" if new else "jimbot.training.config_files")
    return module.load_config, module.save_config


def find_spec_of_config() -> str:
    """The package ``config``, or nothing where it is a module."""
    import jimbot.training

    return str(Path(jimbot.training.__file__ or "").with_name("config"))


def write_demonstrations() -> None:
    """Episodes of an expert, replayable."""
    from jimbot.training.behavioral_cloning import TrajectoryCollector, save_trajectories
    from jimbot.training.utils import create_balatro_env

    env = create_balatro_env(max_ante=1, actions="candidates", candidates=16, max_steps=60)
    save_trajectories(TrajectoryCollector("greedy", env).collect(3), "demonstrations.trajectories")


def write_study() -> None:
    """A study of two trials that has named its winner."""
    from jimbot.training.tuning import Tuning, TuningSettings

    settings = TuningSettings(
        seeds=1,
        search=("hyperparams.learning_rate", "hyperparams.gamma"),
        startup_trials=1,
        prune=False,
        top=1,
        final_seeds=1,
        final_episodes=2,
    )
    config = configuration("sb3_a2c_cartpole")
    config.name, config.save_dir = None, "models"
    Tuning(config, "study", settings).run(2)
    shutil.rmtree("study/finals")
    shutil.rmtree("study/runs")
    Path("study/history.png").unlink(missing_ok=True)


def write_benchmark() -> None:
    """A comparison of two algorithms; its runs go, its results stay."""
    from jimbot.training.experiment import ExperimentConfig, MultiAlgorithmBenchmark

    benchmark = MultiAlgorithmBenchmark(None, "comparison", "benchmarks")
    for algorithm in ("PPO", "A2C"):
        hyperparams = {**TINY, "algorithm_specific": OWN[algorithm]}
        benchmark.add_experiment(
            ExperimentConfig(
                algorithm=algorithm,
                env="CartPole-v1",
                total_timesteps=STEPS,
                n_envs=2,
                hyperparams=hyperparams,
                evaluation_episodes=2,
            )
        )
    benchmark.run_all(verbose=False)
    shutil.rmtree("benchmarks/comparison/runs")


def write_games() -> None:
    """Runs of the scripted player: snapshots, replays and an environment's state, with the hashes of what they hold."""
    from jimbot.balatro import Game, Replay
    from jimbot.players import create_player

    Path("games").mkdir()
    recorded: dict[str, dict[str, Any]] = {}
    for seed, deck, stake in (("TESTER11", "b_red", 1), ("TESTER22", "b_checkered", 5)):
        game = Game(seed, deck, stake)
        player = create_player("scripted")
        while not game.over and len(game.actions or []) < 150:
            game.step(player.choose(game))
        Path(f"games/{seed}.snapshot").write_bytes(game.snapshot())
        Replay.of(game).save(f"games/{seed}.replay")
        recorded[seed] = {
            "hash": f"{game.hash:016x}",
            "deck": game.deck,
            "stake": game.stake,
            "ante": game.ante,
            "money": game.money,
            "actions": len(game.actions or []),
            "phase": game.phase.name,
            "hand": [str(card) for card in game.hand],
            "jokers": [joker.key for joker in game.jokers],
        }
    Path("games/recorded.json").write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")


def write_environment() -> None:
    """The state of an environment in the middle of an episode, and what the next steps give."""
    from jimbot.training.utils import create_balatro_env

    env = create_balatro_env(actions="candidates", candidates=16)
    env.reset(seed=3)
    step_many(env, 12)
    Path("games/environment.state").write_bytes(env.snapshot())
    Path("games/environment.json").write_text(json.dumps(step_many(env, 30)) + "\n")


def step_many(env: Any, count: int) -> list[float]:
    """Take the last legal action some times, starting anew after an end; the rewards."""
    rewards: list[float] = []
    for _ in range(count):
        _, reward, terminated, truncated, _ = env.step(int(np.flatnonzero(env.action_masks())[-1]))
        rewards.append(float(reward))
        if terminated or truncated:
            env.reset()
    return rewards


def write_agent() -> None:
    """The agent that ``PPOTrainer`` trains."""
    from jimbot.cartpole import CartPoleWrapper
    from jimbot.training.jax_trainer import PPOAgent, PPOTrainer

    agent = PPOAgent(observation_dim=4, action_dim=2, hidden_sizes=(4,))
    PPOTrainer(agent=agent, env=CartPoleWrapper(), max_episodes=3, eval_episodes=2).train()
    agent.save("agent")
    observations = np.random.default_rng(1).normal(size=(8, 4)).astype(np.float32)
    actions = [int(agent.select_action(each, deterministic=True)[0]) for each in observations]
    np.savez_compressed("policies/agent.npz", observations=observations, actions=np.array(actions))


def forget_machine() -> None:
    """Take out what tells of the machine that wrote, and files that nothing reads: locks and Ray's pickles."""
    for place in [*Path("runs").glob("*/ray_checkpoints"), *Path().rglob(".writer"), *Path().rglob(".lock")]:
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    for path in Path().rglob("*.json"):
        content = json.loads(path.read_text())
        for part in (content, content.get("provenance") or {}) if isinstance(content, dict) else ():
            if isinstance(part.get("hardware"), dict):
                part["hardware"] |= {"platform": "Linux", "cpu": "unknown"}
            if isinstance(part.get("process"), dict):
                part["process"] |= {"host": "host", "boot": "00000000-0000-0000-0000-000000000000"}
        if path.parent.name == "results" or path.name in ("provenance.json", "run_info.json", "status.json"):
            path.write_text(json.dumps(content, indent=1) + "\n")


def main(target: Path) -> None:
    """Write everything below a directory, which must not exist."""
    target.mkdir(parents=True)
    os.chdir(target)
    sys.orig_argv = ["python", "make_golden.py"]  # goes into provenance
    for name in RUNS:
        print(name, flush=True)
        write_run(name)
    write_therapy()
    write_configurations()
    write_demonstrations()
    write_study()
    write_benchmark()
    write_games()
    write_environment()
    write_agent()
    forget_machine()
    total = sum(path.stat().st_size for path in Path().rglob("*") if path.is_file())
    print(f"{total / 2**20:.2f} MiB in {target}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
