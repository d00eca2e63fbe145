"""Compare the time of a function with other ways to the same result, as ratios measured in one run."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

RUNS = 5

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another way to compute the same result.

    Attributes
    ----------
    work
        What it does.
    goal
        The largest ratio of our time to its time that we aim at.
    runs
        How often it is timed.
    """

    work: Work
    goal: float
    runs: int = RUNS


@dataclass(frozen=True, slots=True)
class Case:
    """A function of the library on one input, and its peers by name."""

    name: str
    ours: Work
    peers: Mapping[str, Peer]


@dataclass(frozen=True, slots=True)
class Ratios:
    """Ratios of our time to that of a peer, in several runs."""

    found: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median."""
        return statistics.median(self.found)

    def __str__(self) -> str:
        return f"{self.median:.3f} ({min(self.found):.3f} to {max(self.found):.3f})"


def seconds(work: Work) -> float:
    """Return the wall time of one run in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratios(case: Case) -> dict[str, Ratios]:
    """Run ours and all peers in turns, and return the ratios of our time to each peer's."""
    seconds(case.ours)
    found: dict[str, list[float]] = {name: [] for name in case.peers}
    for run in range(-1, RUNS):
        own = seconds(case.ours)
        for name, peer in case.peers.items():
            if run < peer.runs and (run >= 0 or peer.runs == RUNS):
                ratio = own / seconds(peer.work)
                found[name] += [ratio] if run >= 0 else []
    return {name: Ratios(tuple(ratios)) for name, ratios in found.items()}


def peak(work: Work) -> int:
    """Return the largest growth in bytes of the memory of this process during a call (Linux)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    work()
    return _status("VmHWM") - before


def _status(name: str) -> int:
    """Return a memory size of this process in bytes, from its status file."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024
