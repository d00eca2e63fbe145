"""A real Spark cluster on this machine: a master and two workers, from the package that pip installs."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
DEADLINE = 120.0
"""Seconds that a daemon may take to start."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster.

    Attributes
    ----------
    url
        Where the master listens.
    workers
        The processes of the workers; each leads a group that its executors are in.
    """

    url: str
    workers: Sequence[subprocess.Popen[bytes]]

    def kill_a_worker(self) -> None:
        """Kill a worker and its executors, without a word of warning."""
        os.killpg(self.workers[0].pid, signal.SIGKILL)
        self.workers[0].wait()


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Run a cluster while the body runs; nothing of it is left afterwards. Its logs are in the folder."""
    port = _free_port()
    url = f"spark://127.0.0.1:{port}"
    daemons = [_start("master.Master", folder / "master.log", "--port", port, "--webui-port", 0)]
    try:
        _await("I have been elected leader", folder / "master.log", daemons)
        for name in ("worker-1", "worker-2"):
            log = folder / f"{name}.log"
            options = ("--webui-port", 0, "-c", 1, "-m", "1g", "-d", folder / name, url)
            daemons.append(_start("worker.Worker", log, *options))
        for name in ("worker-1", "worker-2"):
            _await("Successfully registered with master", folder / f"{name}.log", daemons)
        yield Cluster(url, daemons[1:])
    finally:
        for daemon in daemons:
            if daemon.poll() is None:
                os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()


def environment() -> dict[str, str]:
    """Return the environment of all parts of the cluster: this package, this Python, this machine alone."""
    return os.environ | {
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }


def _start(daemon: str, log: Path, *options: object) -> subprocess.Popen[bytes]:
    """Start a daemon that leads a group of its own."""
    command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{daemon}", "--host", "127.0.0.1"]
    with log.open("wb") as file:
        return subprocess.Popen(
            [*map(str, command), *map(str, options)],
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        )


def _await(words: str, log: Path, daemons: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait until a daemon says that it is there."""
    deadline = time.monotonic() + DEADLINE
    while words not in log.read_text(errors="replace"):
        if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in daemons):
            raise RuntimeError(f"the cluster did not start; {log.name} says:\n{log.read_text(errors='replace')}")
        time.sleep(0.1)


def _free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
