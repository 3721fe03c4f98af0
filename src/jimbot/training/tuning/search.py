"""Hyperparameter search: proposals by Optuna's TPE, several seeds each, with pruning, resumable after a kill.

A study is a directory. ``study.journal`` holds every trial, ``runs/`` their training runs, ``finals.json`` the second
measurement of the best, ``best.yaml`` the configuration that won it. What looks best in a search is partly luck; so
the best few are trained anew on seeds the search has not seen, and only then a winner is named.
"""

# Optuna is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import functools
import statistics
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError, require
from jimbot.statistics.evaluation_sets import FRESH_TRAINING_SEEDS, EvaluationSet
from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.storage.directory_lock import DirectoryLock
from jimbot.storage.signals import interrupted_by_termination
from jimbot.storage.strict_json import dump_json, parse_json, read_json, write_json
from jimbot.training.config.files import config_from_yaml, config_to_yaml, load_config, put, save_config
from jimbot.training.config.recipes import SAVED_ACTIONS, TRAINING_ACTIONS, with_actions
from jimbot.training.config.search_space import Choices, Range
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig, search_spaces
from jimbot.training.tuning.types import Finalist, TuningError, TuningResult, TuningSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jimbot.training.config.search_space import Searchable

    Tell = Callable[[str], None]

__all__ = ["Finalist", "Tuning", "TuningError", "TuningResult", "TuningSettings", "config_with"]

JOURNAL = "study.journal"
SETTINGS = "settings.json"
CONFIG = "config.yaml"
FINALS = "finals.json"
BEST = "best.yaml"


class DivergedError(Exception):
    """Training broke down with these hyperparameters."""


def config_with(config: TrainerConfig, values: Mapping[str, Any]) -> TrainerConfig:
    """A configuration with other values at some paths, checked as a whole."""
    tree = config.to_dict()
    for path, value in values.items():
        put(tree, path.split("."), value, path)
    return TrainerConfig.from_dict(tree).check()


class Tuning:
    """A study on disk. Created again on the same directory, it continues.

    Args:
        config: what is trained; the hyperparameters that are searched are replaced.
        directory: of the study.
        settings: what decides the search; those of the study if it exists already.
        env: what to train on, if it is not what the configuration's ``env`` makes; not with several workers.
    """

    def __init__(
        self,
        config: TrainerConfig,
        directory: str | Path,
        settings: TuningSettings | None = None,
        env: Any = None,
    ) -> None:
        self.optuna: Any = require("optuna", "tuning")
        self.optuna.logging.set_verbosity(self.optuna.logging.WARNING)
        self.directory = Path(directory)
        # Studies that name no action mode began when the environment's own was the only default.
        self.config = with_actions(config, env, self._old_actions() or TRAINING_ACTIONS).frozen()
        self.settings = settings or TuningSettings()
        self.settings.check()
        self.env = env
        self.spaces = chosen_spaces(self.config, self.settings.search)
        if self._is_begun():
            self._check_same()
        else:
            self._check_trainable()

    @classmethod
    def open(cls, directory: str | Path, env: Any = None) -> Tuning:
        """A study that exists."""
        place = Path(directory)
        try:
            plain: dict[str, Any] = read_json(place / SETTINGS)
        except (OSError, ValueError) as error:
            raise TuningError(f"{place} is no study: {error}") from None
        plain["search"] = tuple(plain["search"])
        settings = TuningSettings(**plain)
        return cls(load_config(place / CONFIG), place, settings, env)

    def _old_actions(self) -> str | None:
        """The action mode of a study that exists and names none."""
        if not self._is_begun() or "actions" in load_config(self.directory / CONFIG).env_kwargs:
            return None
        return SAVED_ACTIONS

    def _is_begun(self) -> bool:
        return (self.directory / SETTINGS).exists()

    def begin(self) -> None:
        """Write down what the study is about, if that was not done before. Until then nothing is written."""
        if self._is_begun():
            self._check_same()
            return
        make_directories(self.directory)
        write_file_atomically(self.directory / CONFIG, config_to_yaml(self.config))
        write_file_atomically(self.directory / SETTINGS, self._settings_text())

    def _settings_text(self) -> str:
        return dump_json(asdict(self.settings), indent=1, sort_keys=True)

    def _check_trainable(self) -> None:
        """Raise, before anything is written, on what no trial could train: algorithm, environment or network."""
        from jimbot.training.framework import create_trainer

        with create_trainer(self.env, self.config) as trainer:
            if self.env is None or isinstance(self.env, str):
                trainer.network_spec()

    def _check_same(self) -> None:
        """Refuse to mix two searches in one directory."""
        before = with_actions(load_config(self.directory / CONFIG), self.env, SAVED_ACTIONS)
        known = read_json(self.directory / SETTINGS)
        # Both as read from a file: that spells out options which were left to their defaults.
        if before != config_from_yaml(config_to_yaml(self.config)) or known != parse_json(
            self._settings_text(), SETTINGS
        ):
            raise TuningError(
                f"{self.directory} holds a study of another configuration or other settings; choose another directory"
            )

    # --- the search -----------------------------------------------------------------------------------------------

    def run(
        self, trials: int, *, workers: int = 1, tell: Tell = lambda _: None, finals: bool = True
    ) -> TuningResult | None:
        """Search until so many trials are finished in all, train the best anew, name the winner.

        Args:
            trials: finished trials in all, those of earlier calls included.
            workers: processes that search side by side.
            tell: called with a line whenever there is something to say.
            finals: whether the best are trained anew; without that there is no result.
        """
        if trials < 1 or workers < 1:
            raise TuningError(f"trials and workers must be at least 1, got {trials} and {workers}")
        if workers > 1 and self.env is not None:
            raise TuningError(
                "several workers make their own environments; name it in the configuration's env"
            )
        with interrupted_by_termination():
            return self._run(trials, workers, tell, finals=finals)

    def _run(self, trials: int, workers: int, tell: Tell, *, finals: bool) -> TuningResult | None:
        self.begin()
        lock = DirectoryLock(self.directory)
        try:
            self._recover(tell)
            if workers == 1:
                self.search(trials, tell)
            else:
                from jimbot.training.tuning.workers import search_in_processes

                search_in_processes(search_study, self.directory, trials, workers, tell, self.finished)
            if not finals:
                return None
            result = self._finals(tell)
            from jimbot.training.tuning.report import write_report

            write_report(self, result)
            return result
        finally:
            lock.release()

    def study(self) -> Any:
        """The study behind the journal."""
        self.begin()
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        pruners = self.optuna.pruners
        startup = self.settings.startup_trials
        pruner = (
            pruners.MedianPruner(n_startup_trials=startup) if self.settings.prune else pruners.NopPruner()
        )
        return self.optuna.create_study(
            study_name="tuning",
            storage=JournalStorage(JournalFileBackend(str(self.directory / JOURNAL))),
            direction="maximize",
            pruner=pruner,
            load_if_exists=True,
        )

    def finished(self) -> list[Any]:
        """Trials that ran to their end or were pruned, in order."""
        return [
            each
            for each in self.study().get_trials(deepcopy=False)
            if each.state.name in ("COMPLETE", "PRUNED")
        ]

    def _recover(self, tell: Tell) -> None:
        """After a kill: cut a half-written line, end trials nobody works on, and put them in the queue again."""
        journal = self.directory / JOURNAL
        if journal.exists():
            journal.with_name(f"{JOURNAL}.lock").unlink(missing_ok=True)
            data = journal.read_bytes()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                with journal.open("r+b") as file:
                    file.truncate(whole)
        study = self.study()
        trials = study.get_trials(deepcopy=False)
        if not trials:
            study.enqueue_trial(self._defaults())
        for trial in trials:
            if trial.state.name == "RUNNING":
                study.tell(trial.number, state=self.optuna.trial.TrialState.FAIL)
                study.enqueue_trial(trial.params or trial.system_attrs.get("fixed_params", {}))
                tell(f"trial {trial.number} was cut off; it is tried again")
        if trials:
            tell(f"going on with {len(self.finished())} finished trials in {self.directory}")

    def _defaults(self) -> dict[str, Any]:
        """The configuration's own values where they can be searched: the first trial, to be beaten."""
        tree = self.config.to_dict()
        options = self.config.options()
        tree["hyperparams"]["algorithm_specific"] = options.model_dump() if options is not None else {}
        values: dict[str, Any] = {}
        for path, space in self.spaces.items():
            value: Any = tree
            for part in path.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if space.holds(value):
                values[path] = value
        return values

    def search(self, trials: int, tell: Tell = lambda _: None) -> None:
        """Try until so many trials are finished or under way; what other processes do is counted too."""
        study = self.study()
        while True:
            counted = [
                each
                for each in study.get_trials(deepcopy=False)
                if each.state.name not in ("FAIL", "WAITING")
            ]
            if len(counted) >= trials:
                return
            broken = sum(each.state.name == "FAIL" for each in study.get_trials(deepcopy=False))
            if broken > 3 * trials + 10:
                raise TuningError(f"{broken} trials broke down; narrow the search spaces")
            # Drawn from the number of the trial, so that a resumed study proposes what an unbroken one would have.
            seed = (self.config.seed * 1_000_003 + len(counted)) % 2**32
            study.sampler = self.optuna.samplers.TPESampler(
                seed=seed, n_startup_trials=self.settings.startup_trials
            )
            study.optimize(functools.partial(self._try, tell=tell), n_trials=1, catch=(DivergedError,))
            self._tell_last(study, tell)

    def _tell_last(self, study: Any, tell: Tell) -> None:
        last = study.get_trials(deepcopy=False)[-1]
        best = [each.value for each in study.get_trials(deepcopy=False) if each.state.name == "COMPLETE"]
        score = f"{last.value:.3f}" if last.state.name == "COMPLETE" else last.state.name.lower()
        top = f", best {max(best):.3f}" if best else ""
        tell(f"trial {last.number}: {score}{top}")

    def _try(self, trial: Any, tell: Tell) -> float:
        """Mean score of the seeds with one proposal; the evaluations on the way decide whether it is pruned."""
        values = {path: suggest(trial, path, space) for path, space in self.spaces.items()}
        scores: list[float] = []
        try:
            config = config_with(self.config, values)
        except ConfigError as error:  # values that do not go together
            trial.set_user_attr("refused", str(error))
            raise self.optuna.TrialPruned(str(error)) from None
        try:
            for number in range(self.settings.seeds):
                scores.append(self._train(trial, config, number, scores))
                tell(f"trial {trial.number}, seed {number + 1} of {self.settings.seeds}: {scores[-1]:.3f}")
        except (ValueError, ArithmeticError, RuntimeError) as error:
            if isinstance(error, (JimbotError, self.optuna.TrialPruned)):
                raise
            trial.set_user_attr("error", f"{type(error).__name__}: {error}")
            raise DivergedError(str(error)) from error
        trial.set_user_attr("scores", scores)
        return statistics.fmean(scores)

    def _train(self, trial: Any, proposed: TrainerConfig, number: int, before: list[float]) -> float:
        """One training run of a trial."""
        from jimbot.training.framework import create_trainer

        config = proposed.copy_with(
            seed=(self.config.seed + number) % 2**32,
            save_dir=str(self.directory / "runs" / f"trial_{trial.number:04}"),
            name=f"seed_{number}",
        )
        evaluations = config.total_timesteps // config.eval_freq + 2
        seen = -1
        pruned = False

        def report(metrics: dict[str, Any]) -> bool:
            nonlocal seen, pruned
            score = metrics.get("evaluation/mean_reward")
            current = trainer.session.evaluated_at // config.eval_freq if trainer.session is not None else 0
            if score is None or current <= seen:
                return True
            seen = current
            trial.report(statistics.fmean([*before, float(score)]), number * evaluations + current)
            pruned = trial.should_prune()
            return not pruned

        with create_trainer(self.env, config) as trainer:
            result = trainer.train(callback=report, progress="silent")
        if result["stopped"] == "interrupted":
            raise KeyboardInterrupt
        if pruned:
            raise self.optuna.TrialPruned
        return float(result["mean_reward"])

    # --- the second measurement -----------------------------------------------------------------------------------

    def _finals(self, tell: Tell) -> TuningResult:
        finished = self.finished()
        whole = sorted(
            (each for each in finished if each.state.name == "COMPLETE"), key=lambda each: -each.value
        )[: self.settings.top]
        if not whole:
            raise TuningError("no trial ran to its end; search longer, or without pruning")
        done = self._finals_so_far()
        finalists: list[Finalist] = []
        for trial in whole:
            finalist = Finalist(
                trial.number, dict(trial.params), float(trial.value), done.get(trial.number, {})
            )
            for number in range(self.settings.final_seeds):
                seed = str((self.config.seed + FRESH_TRAINING_SEEDS + number) % 2**32)
                if seed not in finalist.scores:
                    finalist.scores[seed] = self._train_anew(finalist, int(seed))
                    tell(f"trial {trial.number} on fresh seed {seed}: {finalist.scores[seed]:.3f}")
                    done[trial.number] = finalist.scores
                    write_json(self.directory / FINALS, done, indent=1, nonfinite="text")
            finalists.append(finalist)
        finalists.sort(key=lambda each: -each.mean)
        config = config_with(self.config, finalists[0].values)
        save_config(config, self.directory / BEST)
        pruned = sum(each.state.name == "PRUNED" for each in finished)
        return TuningResult(self.directory, len(finished), pruned, finalists, config)

    def _finals_so_far(self) -> dict[int, dict[str, float]]:
        path = self.directory / FINALS
        if not path.exists():
            return {}
        plain: dict[str, dict[str, Any]] = read_json(path, nonfinite="accept")
        return {
            int(trial): {seed: float(score) for seed, score in scores.items()}
            for trial, scores in plain.items()
        }

    def _train_anew(self, finalist: Finalist, seed: int) -> float:
        from jimbot.training.framework import create_trainer

        config = config_with(self.config, finalist.values).copy_with(
            seed=seed, save_dir=str(self.directory / "finals"), name=None
        )
        with create_trainer(self.env, config) as trainer:
            result = trainer.train(progress="silent")
            if result["stopped"] == "interrupted":
                raise KeyboardInterrupt
            return trainer.evaluate_episodes(self.settings.final_episodes, EvaluationSet.FINALISTS).mean


def search_study(directory: str, trials: int, tell: Tell) -> None:
    """Search in a study that exists: what each of several processes does."""
    Tuning.open(directory).search(trials, tell)


def chosen_spaces(config: TrainerConfig, names: tuple[str, ...]) -> dict[str, Searchable]:
    """The search spaces of some paths, or all."""
    known = search_spaces(config)
    if not names:
        return known
    short = {path.rpartition(".")[2]: path for path in known}
    found: dict[str, Searchable] = {}
    for name in names:
        path = short.get(name, name)
        if path not in known:
            raise TuningError(f"{name} cannot be searched; what can: {', '.join(short)}")
        found[path] = known[path]
    return found


def suggest(trial: Any, path: str, space: Searchable) -> Any:
    """A proposal for one hyperparameter."""
    if isinstance(space, Choices):
        return trial.suggest_categorical(path, list(space.values))
    assert isinstance(space, Range)
    if space.whole:
        return trial.suggest_int(path, int(space.low), int(space.high), log=space.log)
    return trial.suggest_float(path, space.low, space.high, log=space.log)
