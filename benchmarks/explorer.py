"""Measure the response time of the explorer to a slider, for panels and for files of 100,000 rows.

Run: ``python benchmarks/explorer.py [--states 60]``. Times are those of the fragment that replaces the result, served
in this process; the goals are 0.2 s for panels of at most 100 reporters and 1 s for the file.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl
from starlette.testclient import TestClient

from bribeproof.explorer.app import create_app
from bribeproof.explorer.settings import Settings

_ROWS = 100_000


def seconds(client: TestClient, addresses: Iterable[str]) -> list[float]:
    """Return the response time of each address in seconds; each must respond with success."""
    found = []
    for address in addresses:
        begin = time.perf_counter()
        answer = client.get(address, headers={"X-Fragment": "1"})
        found.append(time.perf_counter() - begin)
        answer.raise_for_status()
    return sorted(found)


def say(what: str, found: list[float]) -> None:
    print(
        f"| {what} | {1e3 * statistics.median(found):.0f} | {1e3 * found[int(0.95 * (len(found) - 1))]:.0f} | "
        f"{1e3 * found[-1]:.0f} |"
    )


def panels(states: int, rng: np.random.Generator) -> list[str]:
    """Draw settings of the panel page."""
    found = []
    for _ in range(states):
        n = int(rng.integers(1, 101))
        k = int(rng.integers(0, (n - 1) // 2 + 1))
        prior, tpr, fpr = rng.uniform(0.05, 0.95), rng.uniform(0.5, 0.99), rng.uniform(0.01, 0.49)
        loss = rng.choice(["squared", "absolute", "log"])
        found.append(f"/panel?n={n}&k={k}&prior={prior:.2f}&tpr={tpr:.2f}&fpr={fpr:.2f}&loss={loss}")
    return found


def files(folder: Path, rng: np.random.Generator) -> dict[str, Path]:
    """Write the files of 100,000 rows."""
    items, workers = np.arange(_ROWS) // 10, np.arange(_ROWS) % 10
    votes = {"task": items, "worker": workers, "label": rng.integers(0, 2, _ROWS)}
    scores = {"entry": items, "judge": workers, "score": rng.integers(0, 100, _ROWS) / 10}
    wide = {"entry": np.arange(_ROWS)} | {f"judge_{j}": rng.integers(0, 100, _ROWS) / 10 for j in range(9)}
    tables: dict[str, dict[str, np.ndarray]] = {
        "long votes": votes,
        "long scores": scores,
        "wide scores, 9 judges": wide,
    }
    paths = {name: folder / f"{name.partition(',')[0].replace(' ', '-')}.parquet" for name in tables}
    for name, table in tables.items():
        pl.DataFrame(table).write_parquet(paths[name])
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=60)
    states = parser.parse_args().states
    rng = np.random.default_rng(0)
    print("| slider | median ms | 95 % | worst |\n|---|---|---|---|")
    with TestClient(create_app(Settings()), base_url="http://127.0.0.1") as client:
        seconds(client, ["/panel", "/attack"])
        say("panel, n <= 100", seconds(client, panels(states, rng)))
        paired = [f"{address}&correlation={rng.choice([0, 0.01, 0.05, 0.2])}" for address in panels(states, rng)]
        say("panel, n <= 100, errors that go together less", seconds(client, paired))
        bribes = [f"/attack?n=100&adversaries={count}" for count in range(1, 50)]
        say("attack, n = 100, adversaries", seconds(client, bribes))
        say("attack, n = 100, k", seconds(client, [f"/attack?n=100&adversaries=10&k={k}" for k in range(1, 49)]))
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files(Path(folder), rng).items():
            with TestClient(create_app(Settings(file=path)), base_url="http://127.0.0.1") as client:
                seconds(client, ["/data?sheet=file&k=1"])
                say(f"{_ROWS:,} rows, {name}: k", seconds(client, [f"/data?sheet=file&k={k}" for k in (2, 3, 4)]))


if __name__ == "__main__":
    main()
