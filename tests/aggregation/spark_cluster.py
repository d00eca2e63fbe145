"""A real Spark cluster on this machine: a master and two workers, from the package that pip installs."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyspark

from tests.frames.spark_session import BRIEF

HOME = Path(pyspark.__file__).parent
DEADLINE = 120.0
"""Seconds that a daemon may take to start."""
SETTINGS = {
    "spark.cores.max": "2",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": f"{DEADLINE:.0f}s",
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": BRIEF,
}
"""A session that begins when both workers are there."""
_GUARDED = '("$@"; kill -KILL 0) < /dev/null & cat > /dev/null; kill -KILL 0'
"""Runs a command until it ends or standard input does, as it does when the process at its other end is killed."""

Daemon = subprocess.Popen[bytes]


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
    workers: Sequence[Daemon]


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Run a cluster while the body runs; nothing of it is left afterwards. Its logs are in the folder."""
    port = _free_port()
    url = f"spark://127.0.0.1:{port}"
    daemons = [_start("master.Master", folder / "master.log", "--port", port, "--webui-port", 0)]
    try:
        _await("I have been elected leader", folder / "master.log", daemons)
        for name in ("worker-1", "worker-2"):
            options = ("--webui-port", 0, "-c", 1, "-m", "1g", "-d", folder / name, url)
            daemons.append(_start("worker.Worker", folder / f"{name}.log", *options))
        for name in ("worker-1", "worker-2"):
            _await("Successfully registered with master", folder / f"{name}.log", daemons)
        yield Cluster(url, daemons[1:])
    finally:
        for daemon in daemons:
            kill(daemon)


def kill(daemon: Daemon) -> None:
    """Kill a daemon and all that it runs, without a word of warning; what is dead already stays so."""
    with suppress(ProcessLookupError):
        os.killpg(daemon.pid, signal.SIGKILL)
    daemon.wait()
    if daemon.stdin is not None:
        daemon.stdin.close()


def environment() -> dict[str, str]:
    """Return the environment of all parts of the cluster: this package, this Python, this machine alone."""
    return os.environ | {
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": BRIEF,
    }


def _start(daemon: str, log: Path, *options: object) -> Daemon:
    """Start a daemon that keeps its scratch files beside its log, in a group that ends with this process."""
    command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{daemon}", "--host", "127.0.0.1"]
    with log.open("wb") as file:
        return subprocess.Popen(
            ["sh", "-c", _GUARDED, "sh", *map(str, command), *map(str, options)],
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment() | {"SPARK_LOCAL_DIRS": str(log.with_suffix(".scratch"))},
            start_new_session=True,
        )


def _await(words: str, log: Path, daemons: Sequence[Daemon]) -> None:
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
