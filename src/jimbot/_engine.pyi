"""The compiled game engine: plain functions over keys, numbers and lists. ``jimbot.balatro`` is its face."""

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

class BuildInfo(TypedDict):
    """How the engine was built."""

    version: str
    compiler: str
    standard: int
    optimization: str
    lto: bool
    sanitized: bool
    native: bool
    fp_contract: str

def build_info() -> BuildInfo:
    """How the engine was built: version, compiler, standard, optimization, lto, sanitized, native, fp_contract."""

def catalog_kinds() -> dict[str, str]:
    """What each key of the catalog is: joker, tarot, planet, spectral, voucher, tag, blind, pack, deck, stake or
    challenge.
    """

def catalog_names() -> dict[str, str]:
    """Name by key of every joker, consumable, voucher, tag, blind, pack, deck and stake, in the game's order."""

# --- random numbers -----------------------------------------------------------------------------------------------

stream_count: int
"""Number of stream ids."""

run_stream_count: int
"""Stream ids below this one have one stream per run; the others one per run and ante."""

def pseudohash(text: str) -> float:
    """Hash of a string, last byte first; the empty string gives 1."""

def round13(x: float) -> float:
    """The number read back after printing ``x`` with exactly thirteen decimals."""

def stream_values(seed: str, key: str, count: int) -> list[tuple[float, float]]:
    """Value and generator seed after each of the first ``count`` uses of the stream with this key text."""

def reals(seed: float, count: int) -> list[float]:
    """First reals in [0, 1) of a generator seeded with a double."""

def integers(seed: float, low: int, high: int, count: int) -> list[int]:
    """First integers in [low, high] of a generator seeded with a double."""

def shuffled(seed: float, count: int) -> list[int]:
    """The numbers 1 to ``count`` as the game's shuffle leaves them."""

def engine_stream(seed: str, stream: int, ante: int, resample: int, count: int) -> list[float]:
    """Generator seeds of successive uses of one stream id."""

def engine_draws(seed: str, uses: Sequence[tuple[int, int, int]]) -> list[float]:
    """Generator seeds of successive uses in one run: stream id, ante, redraw number (0: the stream itself)."""

def stream_key(stream: int, ante: int, resample: int) -> str:
    """The key text of a stream id."""

# --- the game -----------------------------------------------------------------------------------------------------

state_size: int
"""Bytes of a run in memory."""

snapshot_size: int
"""Bytes of a run's snapshot."""

class GameState:
    """One run of the game. An action is four numbers: kind, a, b and a mask of hand positions."""

    def __init__(
        self, seed: str, deck: str, stake: int, challenge: str, fresh_profile: bool, endless: bool
    ) -> None: ...
    @property
    def phase(self) -> int: ...
    @property
    def ante(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def money(self) -> int: ...
    @property
    def won(self) -> bool: ...
    def clone(self) -> GameState:
        """A copy that shares nothing."""

    def resample_hidden(self, seed: int) -> None:
        """Draw everything a player cannot know anew, in place."""

    def use_fast_streams(self, start: int) -> None:
        """Leave the seed's streams: later draws come from a fast generator."""

    def hash(self) -> int:
        """A 64-bit hash of the whole run."""

    def snapshot(self) -> bytes:
        """The run as versioned, checksummed bytes."""

    @staticmethod
    def restore(bytes: bytes) -> GameState:  # noqa: A002 - the engine's own name
        """A run from a snapshot; ValueError if it is not one."""

    def check(self, kind: int, a: int, b: int, mask: int) -> int:
        """0, or why the action is refused."""

    def apply(self, kind: int, a: int, b: int, mask: int) -> int:
        """Take the action; 0, or why it is refused (then nothing changed)."""

    def apply_recorded(
        self, kind: int, a: int, b: int, mask: int, record: list[tuple[int, int, int, int]] | None
    ) -> int:
        """The same; an action that is taken is appended to the record."""

    def legal_actions(self) -> list[tuple[int, int, int, int]]:
        """All legal actions as (kind, a, b, mask)."""

    def describe(self) -> dict[str, Any]:
        """The complete run as plain values."""

    def public_view(self) -> dict[str, Any]:
        """What a player may know, as plain values."""

    def preview(self, mask: int) -> dict[str, Any]:
        """What playing these hand positions would score."""

    def preview_all(self) -> list[tuple[int, str, float, bool, bool]]:
        """Every legal play as (mask, hand, score, exact, blocked)."""

    def score_play(self, mask: int, outcomes: str) -> dict[str, Any]:
        """Score a play on a copy, step by step."""

    def edit(self, changes: dict[str, Any]) -> None:
        """Change parts of the run by hand."""

def refusal_text(refusal: int) -> str:
    """One line for a refusal code."""

# --- what a seed contains -----------------------------------------------------------------------------------------

def check_seed(seed: str) -> str:
    """The seed itself, or ValueError saying what a seed may be."""

def queue_view(seed: str, deck: str, stake: int, antes: int, shop_items: int) -> list[list[Any]]:
    """Per ante: boss, voucher, tags, shop queue, packs."""

def walk_view(
    seed: str,
    deck: str,
    stake: int,
    antes: int,
    rerolls: int,
    skip_small: bool,
    skip_big: bool,
    vouchers: Sequence[str],
    held: Sequence[str],
) -> list[dict[str, Any]]:
    """Per ante: boss, voucher, tags, shops with rows and packs, packs of skipped tags."""

def misc_view(seed: str, deck: str, stake: int, antes: int) -> dict[str, Any]:
    """First results of every other source."""

def deck_view(seed: str, deck: str, stake: int, antes: int, hand_size: int) -> dict[str, Any]:
    """Deck orders at run start and at the first blind, and the first cards of each blind."""

def erratic_draws(seed: str) -> list[str]:
    """Fronts of an Erratic deck in draw order."""

# --- seed search --------------------------------------------------------------------------------------------------

seed_space: int
"""How many seeds of eight characters the game can roll."""

max_conditions: int
"""How many conditions a search can have."""

class MatchFields(TypedDict):
    """Where a seed holds a condition; see ``jimbot.balatro.seeds.seed_search.Match``."""

    where: str
    what: str
    ante: int
    shop: int
    row: int
    card: int
    pack: int
    pack_key: str

class SeedSearch:
    """Conditions on seeds, ready to be looked for.

    A condition is a tuple: wanted, key, edition, enhancement, seal, place, first ante, last ante, first shop cards;
    empty strings and 0 where nothing is asked.
    """

    def __init__(
        self,
        conditions: Sequence[tuple[str, str, str, str, str, str, int, int, int]],
        deck: str,
        stake: int,
        view: str,
        rerolls: int,
        queue_items: int,
    ) -> None: ...
    def find_block(self, start: int, count: int, max_found: int) -> tuple[int, list[int]]:
        """Seeds decided, and the numbers of those that hold all conditions, in order. Releases the GIL."""

    def explain(self, seed: str) -> list[MatchFields] | None:
        """Where a seed holds each condition, or None if it does not hold them all."""

def seed_at(index: int) -> str:
    """The seed with a number below ``seed_space``."""

def seed_number(seed: str) -> int:
    """The number of a seed: the inverse of ``seed_at``."""

# --- environments -------------------------------------------------------------------------------------------------

class ObservationField(TypedDict):
    """One array of an observation; floats are within ``-high`` to ``high``, integers within 0 to ``high``."""

    name: str
    type: str
    offset: int
    shape: tuple[int, ...]
    high: int
    text: str

observation_version: int
"""Changes whenever an array of the observation does."""

observation_columns: dict[str, list[tuple[str, str, float, float]]]
"""Name, meaning, lowest and highest value of every column of every array of an observation but the action mask."""

candidate_features: list[tuple[str, str]]
"""Name and meaning of every feature of a candidate."""

candidate_limits: tuple[int, int]
"""The fewest and the most candidates per step that can be asked for."""

slot_count: int
"""Number of actions of the fixed action space."""

reward_terms: list[str]
"""Names of the reward's terms, in the order of weights and ledgers."""

info_names: list[str]
"""Names of the numbers told at the end of an episode; the ledger of reward terms follows them."""

blind_keys: list[str]
"""Key of every blind by its number; the first is empty: no blind."""

played_blinds: int
"""How many blinds the record of an episode's end holds."""

class VectorEnv:
    """Many episodes stepped by one call. The arrays are views of buffers that stay where they are.

    One thread at a time: a call while another thread is inside raises RuntimeError, naming both methods.
    """

    def __init__(self, count: int, options: dict[str, Any], threads: int, autoreset: int) -> None: ...
    def reset(self, seed: int) -> None:
        """Start every episode anew. Releases the GIL."""

    def reset_each(self, starts: Sequence[int]) -> None:
        """Start every episode anew, the generator of each from a number of its own. Releases the GIL."""

    def reset_on(self, seed_numbers: Sequence[int]) -> None:
        """Start every episode anew on a given seed each. Releases the GIL."""

    def set_max_ante(self, max_ante: int) -> None:
        """Replace the finishing ante; it holds from each episode's next start on."""

    def step(self, actions: NDArray[np.int32] | NDArray[np.int64]) -> None:
        """One action per episode, contiguous. Releases the GIL."""

    @property
    def max_ante(self) -> int: ...
    def step_only(self, action: int, checked: bool) -> tuple[float, bool, bool] | None:
        """Take an action of an environment of one game: reward, terminated, truncated; None if it is checked and not
        legal.
        """

    def legal(self, index: int, action: int) -> bool:
        """Whether an action is legal now in one episode."""

    def refusal(self, index: int, action: int) -> str:
        """Why an action is not legal now in one episode; empty if it is."""

    def candidates(self, index: int) -> list[tuple[tuple[int, int, int, int], ...]]:
        """What each candidate of a game does now: one or two actions as (kind, a, b, mask)."""

    def fresh_record(self, index: int) -> bytes:
        """A game's observation, written from nothing."""

    def replay(
        self, index: int
    ) -> tuple[int, str, int, bool, tuple[tuple[int, int, int, int], ...], int, bytes]:
        """The current episode: seed number, deck, stake, endless, actions, hash, first state."""

    def replay_of_last(
        self, index: int
    ) -> tuple[int, str, int, bool, tuple[tuple[int, int, int, int], ...], int, bytes] | None:
        """The same of the last episode that ended there, None if there is none."""

    def snapshot(self, extra: bytes) -> bytes:
        """Everything that decides later steps, as bytes."""

    def restore(self, bytes: bytes) -> bytes:  # noqa: A002 - the engine's own name
        """Take a snapshot and return its extra; ValueError if it does not fit."""

    def game(self, index: int) -> GameState:
        """A copy of one run."""

    def pending(self, index: int) -> bool:
        """Whether a consumable waits for its targets."""

    def info(self, index: int) -> list[float]:
        """The numbers of ``info_names`` and the ledger, as they stand now."""

    @property
    def observations(self) -> NDArray[np.uint8]: ...
    @property
    def final_observations(self) -> NDArray[np.uint8]: ...
    @property
    def rewards(self) -> NDArray[np.float32]: ...
    @property
    def terminated(self) -> NDArray[np.uint8]: ...
    @property
    def truncated(self) -> NDArray[np.uint8]: ...
    @property
    def final_infos(self) -> NDArray[np.float64]: ...
    @property
    def end_records(self) -> NDArray[np.uint8]:
        """How the last episode of each place ended, uint8[games, bytes]: EndRecord in engine/vector/episode.hpp."""

def observation_schema(candidates: int) -> list[ObservationField]:
    """Every array of an observation: name, type, offset, shape, high, text."""

def observation_size(candidates: int) -> int:
    """Bytes of one observation."""

def slot_meaning(slot: int) -> str:
    """What an action index means, in words."""

def evaluation_seed(number: int) -> int:
    """The number of an evaluation seed."""

# --- the scripted player --------------------------------------------------------------------------------------------

def expert_weights() -> list[tuple[str, float, float, float, str]]:
    """The scripted player's weights as (name, default, low, high, text), in the order of their values."""

def expert_choose(game: GameState, weights: Sequence[float]) -> tuple[int, int, int, int]:
    """The scripted player's choice as (kind, a, b, mask), from public information only. Releases the GIL."""

class ExpertColumns(TypedDict):
    """Runs of the scripted player, a column per fact. Blinds are bits: three per ante, from ante 1."""

    won: NDArray[np.uint8]
    cut_off: NDArray[np.uint8]
    ante: NDArray[np.int32]
    blinds: NDArray[np.int32]
    rounds: NDArray[np.int32]
    steps: NDArray[np.int32]
    money: NDArray[np.int32]
    best_hand: NDArray[np.float64]
    final_score: NDArray[np.float64]
    final_target: NDArray[np.float64]
    reached: NDArray[np.uint64]
    cleared: NDArray[np.uint64]
    last_blind: list[str]
    jokers: list[list[str]]

def expert_play(
    seeds: Sequence[int], deck: str, stake: int, weights: Sequence[float], threads: int, max_ante: int
) -> ExpertColumns:
    """Play the runs of these seed numbers to their end: a column per fact. Releases the GIL."""

class ExpertLabels:
    """The scripted player's choices for the games of a vector, as indices of its action space."""

    def __init__(self, env: VectorEnv, weights: Sequence[float]) -> None: ...
    def label(
        self,
        wanted: NDArray[np.uint8],
        follow: bool,
        actions: NDArray[np.int32],
        kinds: NDArray[np.uint8],
    ) -> None:
        """Write the index of the choice, -1 if there is none, and what became of it (a place in expert_label_kinds),
        for every wanted game. With ``follow``, a choice of several indices goes on where each of them was taken.
        Releases the GIL.
        """

expert_label_kinds: tuple[str, ...]
"""What can become of a choice that is to be an index: exact, substituted, unexpressed, illegal."""

# --- observations of many episodes ----------------------------------------------------------------------------------

class PackedRecords:
    """Observations without their zeros, in rows numbered as they came."""

    def __init__(self, record_size: int) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def record_size(self) -> int: ...
    def append(self, env: VectorEnv, wanted: NDArray[np.uint8]) -> None:
        """Keep the present records of the wanted games, in their order. Releases the GIL."""

    def unpack(self, rows: NDArray[np.int64], out: NDArray[np.uint8]) -> None:
        """Write rows as they were, uint8[rows, record_size]. Releases the GIL."""

def restart(env: VectorEnv, games: Sequence[int], starts: Sequence[int]) -> None:
    """Start some games of a vector anew, the generator of each from a number of its own. Releases the GIL."""

def digest_records(env: VectorEnv, wanted: NDArray[np.uint8], digests: NDArray[np.uint32]) -> None:
    """Carry the CRC-32 of what each wanted game shows on, over its arrays in the order of their names. Where an episode
    has ended, what it showed last counts. Releases the GIL.
    """

# --- learning -------------------------------------------------------------------------------------------------------

parameter_padding: int
"""Elements that must follow the last parameter of a network: whole vectors are read."""

def has_fast_kernels() -> bool:
    """Whether the kernels are known to be faster than the general libraries on this processor."""

def softmax(
    logits: NDArray[np.float32],
    mask: NDArray[np.uint8],
    actions: NDArray[np.int64],
    rows: NDArray[np.float32],
    probabilities: NDArray[np.float32],
) -> None:
    """Write the distribution over legal actions, and what it says of the chosen ones.

    Args:
        logits: [batch, actions].
        mask: [batch, actions], not 0 where an action is legal.
        actions: [batch], the chosen ones.
        rows: [3, batch], written: log-probability of the chosen action, entropy, log of the normalizer.
        probabilities: [batch, actions], written.
    """

def softmax_backward(
    logits: NDArray[np.float32],
    mask: NDArray[np.uint8],
    actions: NDArray[np.int64],
    rows: NDArray[np.float32],
    probabilities: NDArray[np.float32],
    log_probability_gradients: NDArray[np.float32],
    entropy_gradients: NDArray[np.float32],
    logit_gradients: NDArray[np.float32],
) -> None:
    """Write ``logit_gradients`` [batch, actions], from the gradients of log-probabilities and entropies [batch]."""

def ppo_loss(
    logits: NDArray[np.float32],
    mask: NDArray[np.uint8],
    actions: NDArray[np.int64],
    values: NDArray[np.float32],
    steps: NDArray[np.float32],
    options: tuple[float, float, float, float, bool],
    logit_gradients: NDArray[np.float32],
    value_gradients: NDArray[np.float32],
) -> tuple[float, float, float, float, float, float]:
    """Write the gradients of PPO's loss with respect to logits and values.

    Args:
        logits: [batch, actions], of the network now.
        mask: [batch, actions], not 0 where an action is legal.
        actions: [batch], the chosen ones.
        values: [batch], of the network now.
        steps: [4, batch]: log-probabilities and values when collected, advantages, returns.
        options: clip range, value clip range (negative for none), coefficients of entropy and value loss, whether
            advantages are normalized.
        logit_gradients: [batch, actions], written.
        value_gradients: [batch], written.

    Returns:
        Loss, policy loss, value loss, entropy loss, approximate KL divergence, clip fraction.
    """

class ForwardCache:
    """What backward needs of a forward pass."""

    @property
    def batch(self) -> int:
        """Observations in it."""

class Network:
    """An actor-critic network over Balatro's observation; ``jimbot.networks.native_plan`` makes its plan."""

    def __init__(self, plan: dict[str, Any], threads: int) -> None: ...
    def forward(
        self,
        parameters: NDArray[np.float32],
        floats: NDArray[np.float32],
        identities: NDArray[np.int32],
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
    ) -> ForwardCache:
        """Write the logits and values of a batch; returns what backward needs. Releases the GIL."""

    def backward(
        self,
        cache: ForwardCache,
        parameters: NDArray[np.float32],
        logit_gradients: NDArray[np.float32],
        value_gradients: NDArray[np.float32],
        gradients: NDArray[np.float32],
    ) -> None:
        """Write the gradients of all parameters, from those of logits and values. Releases the GIL."""

    def l2_norm(self, values: NDArray[np.float32]) -> float:
        """The L2 norm of an array. Releases the GIL."""

    def adam_step(
        self,
        parameters: NDArray[np.float32],
        gradients: NDArray[np.float32],
        first_moments: NDArray[np.float32],
        second_moments: NDArray[np.float32],
        gradient_scale: float,
        step: int,
        learning_rate: float,
        betas: tuple[float, float],
        epsilon: float,
    ) -> None:
        """Update parameters and moments by one step of Adam, counted from 1. Releases the GIL."""
