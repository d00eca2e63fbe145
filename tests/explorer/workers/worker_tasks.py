"""Work for the processes that tests of them start."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar, TypeVarTuple, cast

import pytest
from starlette.testclient import TestClient

from bribeproof.errors import DataError
from bribeproof.explorer.workers.pool import Workers

if TYPE_CHECKING:
    from fastapi import FastAPI

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


class _Here(Workers):
    """Work in this process, so that a test can replace parts of it."""

    async def run(
        self,
        work: Callable[[*_Arguments], _Result],
        *arguments: *_Arguments,
        request: object = None,  # noqa: ARG002
        aside: bool = False,  # noqa: ARG002
    ) -> _Result:
        return work(*arguments)


def compute_here(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the pages in this process."""
    for name in ("page_workers", "attack_workers", "panel_workers"):
        monkeypatch.setattr(cast("FastAPI", client.app).state, name, _Here(60, 1 << 30))


def name_process() -> bytes:
    """Tell which process it is, a little later, so that several are at work at once."""
    time.sleep(0.1)
    return str(os.getpid()).encode()


def wait_for_go(folder: Path) -> bytes:
    """Leave a file that says that this process is at work, and go on when another file, "go", is there."""
    (folder / str(os.getpid())).touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    return str(os.getpid()).encode()


def sleep_on() -> bytes:
    """Never come to an end."""
    while True:
        time.sleep(1)


def refuse() -> NoReturn:
    """Refuse as the library does."""
    raise DataError("this cannot be read")


def refuse_later() -> NoReturn:
    """Refuse as the library does, a little later."""
    time.sleep(0.3)
    refuse()


def die() -> NoReturn:
    """End as the system ends what takes all memory."""
    os._exit(137)


def take(gigabytes: int) -> bytes:
    """Take memory, and use it."""
    return bytes(bytearray(gigabytes << 30))[:1]


def abort() -> NoReturn:
    """End as a library in C++ ends the process."""
    os.write(2, b"a library talks")
    os.abort()
