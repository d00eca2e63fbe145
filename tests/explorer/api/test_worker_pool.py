"""Work in processes of its own: it ends in time, and its process with it."""

import asyncio
import os
import time

import pytest

from bribeproof.errors import DataError
from bribeproof.explorer.api.worker_pool import UnavailableError, Workers
from tests.explorer.api import worker_tasks


async def ended(process: int) -> bool:
    """Whether a process is gone, or goes within a few seconds."""
    for _ in range(50):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.1)
    return False


def test_work_that_takes_too_long_is_killed() -> None:
    async def scenario() -> None:
        workers = Workers(seconds=30)
        process = int(await workers.run(worker_tasks.name_process))
        workers = Workers(seconds=0.5)
        assert int(await workers.run(worker_tasks.name_process)) == process != os.getpid()
        begun = time.monotonic()
        with pytest.raises(UnavailableError, match=r"^this took longer than 0\.5 s; send less data"):
            await workers.run(worker_tasks.sleep_on)
        assert time.monotonic() - begun < 5
        assert await ended(process)
        assert int(await Workers(seconds=30).run(worker_tasks.name_process)) != process

    asyncio.run(scenario())


def test_who_waits_for_a_process_waits_no_longer_than_that() -> None:
    async def scenario() -> None:
        workers = Workers(seconds=0.5)
        done = await asyncio.gather(*(workers.run(worker_tasks.sleep_on) for _ in range(5)), return_exceptions=True)
        assert [type(one) for one in done] == [UnavailableError] * 5

    begun = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - begun < 10


def test_two_processes_do_all_the_work() -> None:
    async def scenario() -> None:
        workers = Workers(seconds=30)
        named = await asyncio.gather(*(workers.run(worker_tasks.name_process) for _ in range(8)))
        assert len(set(named)) == 2

    asyncio.run(scenario())


def test_errors_come_back_as_they_are() -> None:
    async def scenario() -> None:
        workers = Workers(seconds=30)
        with pytest.raises(DataError, match=r"^this cannot be read$"):
            await workers.run(worker_tasks.refuse)
        with pytest.raises(UnavailableError, match=r"^memory ran out"):
            await workers.run(worker_tasks.die)
        assert await workers.run(worker_tasks.name_process)

    asyncio.run(scenario())
