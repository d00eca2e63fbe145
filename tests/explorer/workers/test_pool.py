"""Work in processes of its own: it ends in time, and its process with it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from bribeproof.errors import DataError
from bribeproof.explorer.workers import pool
from bribeproof.explorer.workers.pool import UnavailableError, Workers, warm_up
from tests.explorer.workers import worker_tasks

GIB = 1 << 30
LONG = 120.0
"""Seconds that nothing takes which comes to an end, however busy the machine is."""


async def ended(process: int) -> bool:
    """Whether a process is gone, or goes in time."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.1)
    return False


def test_work_that_takes_too_long_is_killed() -> None:
    async def scenario() -> None:
        process = int(await Workers(LONG, GIB).run(worker_tasks.name_process))
        assert int(await Workers(LONG, GIB).run(worker_tasks.name_process)) == process != os.getpid()
        with pytest.raises(UnavailableError, match=r"^this took longer than 0\.5 s; send less data"):
            await Workers(0.5, GIB).run(worker_tasks.sleep_on)
        assert await ended(process)
        assert int(await Workers(LONG, GIB).run(worker_tasks.name_process)) != process

    asyncio.run(scenario())


def test_who_waits_for_a_process_waits_no_longer_than_that() -> None:
    async def scenario() -> None:
        workers = Workers(0.5, GIB)
        done = await asyncio.gather(*(workers.run(worker_tasks.sleep_on) for _ in range(5)), return_exceptions=True)
        assert [type(one) for one in done] == [UnavailableError] * 5

    asyncio.run(scenario())


def test_two_processes_do_all_the_work_of_a_client() -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        named = await asyncio.gather(*(workers.run(worker_tasks.name_process) for _ in range(8)))
        assert len(set(named)) == 2

    asyncio.run(scenario())


def request_of(client: str, left: asyncio.Event) -> Request:
    """Return a request whose body has arrived; its client leaves at an event."""

    async def receive() -> Message:
        await left.wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "client": (client, 1)}, receive)


def test_one_client_leaves_a_process_to_the_others() -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        left = asyncio.Event()
        greedy = request_of("192.0.2.1", left)
        tasks = [asyncio.create_task(workers.run(worker_tasks.sleep_on, request=greedy)) for _ in range(9)]
        await asyncio.sleep(0.1)
        assert await workers.run(worker_tasks.name_process, request=request_of("192.0.2.2", asyncio.Event()))
        assert not any(task.done() for task in tasks)
        left.set()
        assert {type(one) for one in await asyncio.gather(*tasks, return_exceptions=True)} == {ClientDisconnect}

    asyncio.run(scenario())


def test_work_ends_when_its_client_leaves(tmp_path: Path) -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        process = int(await workers.run(worker_tasks.name_process))
        left = asyncio.Event()
        client = request_of("192.0.2.1", left)
        task = asyncio.create_task(workers.run(worker_tasks.wait_for_go, tmp_path, request=client))
        while not list(tmp_path.iterdir()):
            await asyncio.sleep(0.01)
        left.set()
        with pytest.raises(ClientDisconnect):
            await task
        assert await ended(process)

    asyncio.run(scenario())


def test_short_work_whose_client_leaves_keeps_its_process_and_what_has_not_begun_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_PATIENCE", LONG)

    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        process = await workers.run(worker_tasks.name_process)
        left = asyncio.Event()
        client = request_of("192.0.2.1", left)
        tasks = [asyncio.create_task(workers.run(worker_tasks.wait_for_go, tmp_path, request=client)) for _ in range(6)]
        while len(list(tmp_path.iterdir())) < 2:
            await asyncio.sleep(0.01)
        left.set()
        waiting = await asyncio.gather(*tasks[2:], return_exceptions=True)
        assert [type(one) for one in waiting] == [ClientDisconnect] * 4
        (tmp_path / "go").touch()
        done = await asyncio.gather(*tasks[:2])
        assert process in done
        assert await workers.run(worker_tasks.name_process) in done

    asyncio.run(scenario())


def test_a_task_waits_for_the_processes_that_are_being_prepared() -> None:
    async def scenario() -> None:
        workers, others = Workers(LONG, GIB), Workers(LONG, GIB)
        warming = asyncio.create_task(warm_up([workers, others], worker_tasks.refuse_later, 2))
        await asyncio.sleep(0)
        named = await asyncio.gather(*(pool.run(worker_tasks.name_process) for pool in (workers, others)))
        assert warming.done()
        assert len(set(named)) == 2
        assert {await workers.run(worker_tasks.name_process) for _ in range(2)} <= set(named)

    asyncio.run(scenario())


def test_work_that_may_wait_leaves_a_process_to_what_its_client_waits_for() -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        aside = [asyncio.create_task(workers.run(worker_tasks.sleep_on, aside=True)) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert await workers.run(worker_tasks.name_process)
        assert not any(task.done() for task in aside)
        for task in aside:
            task.cancel()
        await asyncio.gather(*aside, return_exceptions=True)
        named = await asyncio.gather(*(workers.run(worker_tasks.name_process, aside=True) for _ in range(3)))
        assert len(set(named)) == 1

    asyncio.run(scenario())


def test_errors_come_back_as_they_are() -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        with pytest.raises(DataError, match=r"^this cannot be read$"):
            await workers.run(worker_tasks.refuse)
        with pytest.raises(UnavailableError, match=r"^this took more than 1 GB of memory, or a library failed"):
            await workers.run(worker_tasks.die)
        assert await workers.run(worker_tasks.name_process)

    asyncio.run(scenario())


def test_memory_runs_out_or_a_library_crashes_in_one_process_only(capfd: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        other = asyncio.create_task(workers.run(worker_tasks.name_process))
        for task in (partial(worker_tasks.take, 3), worker_tasks.abort):
            with pytest.raises(UnavailableError, match=r"^this took more than 1 GB of memory, or a library failed"):
                await workers.run(task)
        assert await other != str(os.getpid()).encode() != await workers.run(worker_tasks.name_process)

    asyncio.run(scenario())
    assert capfd.readouterr() == ("", "")


def test_a_process_that_was_killed_while_it_was_idle_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_AT_ONCE", LONG)  # a busy machine may tell late that it was

    async def scenario() -> None:
        workers = Workers(LONG, GIB)
        process = int(await workers.run(worker_tasks.name_process))
        os.kill(process, signal.SIGKILL)
        assert int(await workers.run(worker_tasks.name_process)) != process

    asyncio.run(scenario())


@pytest.mark.skipif(os.name != "posix", reason="processes keep their parents there")
def test_a_process_whose_server_ended_while_it_started_ends() -> None:
    """It took whoever had become its parent for the server, and worked to the end."""
    lines = "import sys, time; from bribeproof.explorer.workers.process import run_limited; "
    lines += f"run_limited({GIB}, int(sys.argv[1]), time.sleep, (600,))"
    with subprocess.Popen([sys.executable, "-c", "pass"]) as server:
        server.wait()
    subprocess.run([sys.executable, "-c", lines, str(server.pid)], check=True, timeout=LONG)
