"""The search for seeds that meet conditions.

``find(["j_blueprint negative shop ante<=1"], count=3)`` tries seeds in a fixed order on all processors and returns the
first three that hold every condition. What is found depends on ``start`` alone, never on the number of threads.
"""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jimbot import _engine
from jimbot.balatro.names import get_name
from jimbot.balatro.seeds.contents import QUEUE_SHOP_ITEMS, SeedError
from jimbot.balatro.seeds.seed_conditions import Condition, parse_condition
from jimbot.errors import add_suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["SEED_SPACE", "Condition", "Found", "Match", "SearchResult", "find", "parse_condition", "search"]

SEED_SPACE: int = _engine.seed_space
"""How many seeds of eight characters the game can roll; they are numbered from 0."""

GROUP = 34
"""Seeds that share their last seven characters; blocks are whole numbers of groups."""

BLOCK_SECONDS = 0.05
"""How long a thread should work on one block: short enough to stop soon, long enough that the overhead is small."""

MAX_FOUND_AT_ONCE = 10_000


@dataclass(frozen=True)
class Match:
    """Where a seed meets a condition. Numbers count from 1; those that do not apply are 0.

    Attributes:
        where: ``boss``, ``voucher``, ``tag``, ``shop``, ``pack``, or ``soul``: the joker that The Soul in this place
            gives if it is the run's first.
        what: item string or key of what was found.
        ante: the ante it was found in.
        shop: shop of the ante (walk view); for tags 1 is the small blind's, 2 the big blind's.
        row: row of the shop, the first one being there before any reroll (walk view).
        card: place in the row, in the queue or in the pack.
        pack: pack of the shop (walk view) or of the ante (queue view).
        pack_key: key of that pack.
    """

    where: str
    what: str
    ante: int
    shop: int
    row: int
    card: int
    pack: int
    pack_key: str

    def place(self) -> str:
        """Describe the place in words: ``ante 1, shop 2, Jumbo Arcana Pack, card 4``."""
        words = [f"ante {self.ante}"]
        if self.where == "tag":
            words.append("small blind" if self.shop == 1 else "big blind")
        elif self.shop:
            words.append(f"shop {self.shop}")
        if self.row > 1:
            words.append(f"reroll {self.row - 1}")
        if self.pack_key:
            words.append(get_name(self.pack_key))
        if self.card:
            words.append(f"card {self.card}")
        if self.where == "soul":
            words.append("from The Soul")
        return ", ".join(words)


@dataclass(frozen=True)
class Found:
    """A seed that meets all conditions: the seed, its number, and one match per condition, in order."""

    seed: str
    index: int
    matches: tuple[Match, ...]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    Attributes:
        found: the seeds, in the order of their numbers.
        start: number of the first seed tried.
        tried: how many seeds were decided, without a gap; the next search may start at ``start + tried``.
        seconds: how long it took.
        threads: how many threads worked.
        stopped_by: ``count``, ``seconds``, ``interrupt`` or ``end`` (every seed there is was tried).
    """

    found: tuple[Found, ...]
    start: int
    tried: int
    seconds: float
    threads: int
    stopped_by: str


def find(
    conditions: Sequence[Condition | str],
    *,
    start: int = 0,
    count: int | None = 10,
    seconds: float | None = None,
    threads: int | None = None,
    deck: str = "b_red",
    stake: int = 1,
    view: str = "walk",
    rerolls: int = 0,
) -> list[Found]:
    """Return the first ``count`` seeds from number ``start`` that meet all conditions; fewer if time runs out.

    See ``search`` for the arguments.
    """
    result = search(
        conditions,
        start=start,
        count=count,
        seconds=seconds,
        threads=threads,
        deck=deck,
        stake=stake,
        view=view,
        rerolls=rerolls,
    )
    return list(result.found)


def search(
    conditions: Sequence[Condition | str],
    *,
    start: int = 0,
    count: int | None = 10,
    seconds: float | None = None,
    threads: int | None = None,
    deck: str = "b_red",
    stake: int = 1,
    view: str = "walk",
    rerolls: int = 0,
    on_progress: Callable[[int, int, float], None] | None = None,
) -> SearchResult:
    """Try seeds until ``count`` are found, ``seconds`` have passed or the user presses Ctrl-C.

    Args:
        conditions: all of them must hold; texts are read by ``parse_condition``.
        start: number of the first seed to try; searches from numbers far apart share no seed.
        count: how many seeds to find; None for as many as time allows.
        seconds: time limit; None for none.
        threads: how many threads to use; None for one per processor.
        deck: key of the deck, such as ``b_red``.
        stake: 1 (White) to 8 (Gold).
        view: ``walk`` (what a player sees) or ``queue`` (what seed analyzers show).
        rerolls: of every shop in the walk view.
        on_progress: called about ten times a second with seeds tried, seeds found and seconds passed.
    """
    if count is None and seconds is None:
        raise SeedError("a search needs an end: give count, seconds or both")
    if count is not None and count < 1:
        raise SeedError(f"count must be at least 1, got {count}")
    if seconds is not None and not seconds > 0:
        raise SeedError(f"seconds must be more than 0, got {seconds}")
    if not 0 <= start < SEED_SPACE:
        raise SeedError(f"start must be 0 to {SEED_SPACE - 1}, got {start}")
    if threads is not None and not 1 <= threads <= 1024:
        raise SeedError(f"threads must be 1 to 1024, got {threads}")
    engine_search = create_engine_search(conditions, deck=deck, stake=stake, view=view, rerolls=rerolls)
    run = _RunningSearch(
        engine_search, start, count, seconds, threads or count_usable_processors(), on_progress
    )
    return run.result()


def create_engine_search(
    conditions: Sequence[Condition | str], *, deck: str, stake: int, view: str, rerolls: int
) -> _engine.SeedSearch:
    """Create the engine's search object; invalid conditions raise SeedError."""
    if not 1 <= len(conditions) <= _engine.max_conditions:
        raise SeedError(f"a search needs 1 to {_engine.max_conditions} conditions, got {len(conditions)}")
    parsed = [parse_condition(each) if isinstance(each, str) else each for each in conditions]
    try:
        return _engine.SeedSearch(
            [each.to_engine() for each in parsed], deck, stake, view, rerolls, QUEUE_SHOP_ITEMS
        )
    except ValueError as error:
        raise SeedError(add_suggestion(str(error))) from None


def count_usable_processors() -> int:
    """Return the number of processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _RunningSearch:
    """A search in progress: threads work on blocks of consecutive seeds, whose results are taken in order."""

    def __init__(
        self,
        engine_search: _engine.SeedSearch,
        start: int,
        count: int | None,
        seconds: float | None,
        threads: int,
        on_progress: Callable[[int, int, float], None] | None,
    ) -> None:
        self.engine_search = engine_search
        self.start = start
        self.count = count
        self.seconds = seconds
        self.threads = threads
        self.on_progress = on_progress
        self.begun = time.perf_counter()
        self.block_size = GROUP * 16
        self.handed_out = 0
        self.tried = 0
        self.found: list[int] = []

    def result(self) -> SearchResult:
        stopped_by = self.work()
        if self.count is not None and len(self.found) >= self.count:
            # Seeds behind the last one returned may hold more; they are left to the next search.
            self.found = self.found[: self.count]
            self.tried = (self.found[-1] - self.start) % SEED_SPACE + 1
        return SearchResult(
            found=tuple(self.explain(index) for index in self.found),
            start=self.start,
            tried=self.tried,
            seconds=time.perf_counter() - self.begun,
            threads=self.threads,
            stopped_by=stopped_by,
        )

    def work(self) -> str:
        """Submit blocks until there is a reason to stop, and return the reason."""
        pending: deque[Future[tuple[int, list[int]]]] = deque()
        pool = ThreadPoolExecutor(self.threads)
        try:
            while (reason := self.reason_to_stop()) is None:
                while len(pending) < 2 * self.threads and self.handed_out < SEED_SPACE:
                    pending.append(self.hand_out(pool))
                self.take_back(pending)
        except KeyboardInterrupt:
            reason = "interrupt"
        try:
            # Blocks that are already being worked on still count; the first one that is not ends the row.
            while reason != "count" and pending and not pending[0].cancel():
                self.accept(pending.popleft().result())
        except KeyboardInterrupt:
            reason = "interrupt"  # pressed again: what is being worked on is not waited for
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return reason

    def reason_to_stop(self) -> str | None:
        if self.count is not None and len(self.found) >= self.count:
            return "count"
        if self.seconds is not None and time.perf_counter() - self.begun >= self.seconds:
            return "seconds"
        return "end" if self.tried >= SEED_SPACE else None

    def hand_out(self, pool: ThreadPoolExecutor) -> Future[tuple[int, list[int]]]:
        size = min(self.block_size, SEED_SPACE - self.handed_out)
        first = (self.start + self.handed_out) % SEED_SPACE
        self.handed_out += size
        return pool.submit(self.find_in_block, first, size)

    def find_in_block(self, first: int, size: int) -> tuple[int, list[int]]:
        """Search one block, in a worker thread; returns how many seeds were tried and the numbers found."""
        begun = time.perf_counter()
        tried, found = 0, list[int]()
        while tried < size and (self.count is None or len(found) < self.count):
            wanted = MAX_FOUND_AT_ONCE if self.count is None else self.count - len(found)
            more, numbers = self.engine_search.find_block(
                (first + tried) % SEED_SPACE, size - tried, min(wanted, MAX_FOUND_AT_ONCE)
            )
            tried += more
            found += numbers
        # Sizes only decide who does what, so a race between threads here changes no result.
        rate = tried / max(time.perf_counter() - begun, 1e-6)
        self.block_size = GROUP * min(max(int(rate * BLOCK_SECONDS) // GROUP, 1), 1_000_000)
        return tried, found

    def take_back(self, pending: deque[Future[tuple[int, list[int]]]]) -> None:
        """Wait briefly for the oldest block, and report progress."""
        try:
            self.accept(pending[0].result(timeout=0.1))
            pending.popleft()
        except NotYet:
            pass
        if self.on_progress is not None:
            self.on_progress(self.tried, len(self.found), time.perf_counter() - self.begun)

    def accept(self, block: tuple[int, list[int]]) -> None:
        tried, found = block
        self.tried += tried
        self.found += found

    def explain(self, index: int) -> Found:
        seed = _engine.seed_at(index)
        matches = self.engine_search.explain(seed)
        assert matches is not None, f"seed {seed} was found and does not hold its conditions"
        return Found(seed, index, tuple(Match(**match) for match in matches))
