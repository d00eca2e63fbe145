"""``bribeproof explore`` as a process: its address, its end, and what it refuses."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx2 as httpx
import pytest

from bribeproof.explorer.serving.connections import HEAD_SECONDS
from bribeproof.explorer.serving.server import _address
from tests.cli.command import call
from tests.explorer.browser import EXECUTABLE, SECONDS, served

START = (str(EXECUTABLE), "explore", "--no-browser")


def _refused(*arguments: object) -> str:
    """Return the message of a start that fails: status 2, one line."""
    message = call("explore", "--no-browser", *arguments).refused()
    assert message.count("\n") == 1
    return message


@pytest.mark.slow
def test_it_prints_where_it_is_and_answers_there_until_it_is_interrupted() -> None:
    with served() as address:
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+", address)
        answer = httpx.get(address, follow_redirects=True, timeout=SECONDS)
        assert answer.status_code == 200
        assert answer.url.path == "/data"
        assert "server" not in answer.headers
    with pytest.raises(httpx.ConnectError):
        httpx.get(address, timeout=SECONDS)


@pytest.mark.slow
def test_a_file_is_what_is_seen_first(tmp_path: Path) -> None:
    file = tmp_path / "<i>marks.csv"
    file.write_text("entry,a,b,c\nx,1.5,2.5,3.5\ny,4.5,5.5,6.5\n")
    with served(file) as address:
        answer = httpx.get(address, follow_redirects=True, timeout=SECONDS)
        assert (answer.status_code, answer.url.path) == (200, "/data")
        assert "<i>marks" not in answer.text


HALF = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    b"POST /data HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 99\r\n\r\n--b",
)


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGHUP, 129),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 0, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_it_in_time_and_nothing_is_left(tmp_path: Path, number: signal.Signals, status: int) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and the server ignores it, too")
    folder = tmp_path / "temporary"
    folder.mkdir()
    with subprocess.Popen(
        [*START, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+", first)
        assert address is not None, first
        file = {"file": ("a.csv", b"entry,a,b,c\nx,1.5,2.5,3.5\n")}
        assert httpx.post(f"{address[0]}/data", files=file, timeout=SECONDS).status_code == 303
        assert list(folder.rglob("*.csv"))
        port = int(address[0].rpartition(":")[2])
        half = [socket.create_connection(("127.0.0.1", port)) for _ in HALF]
        for connection, sent in zip(half, HALF, strict=True):
            connection.sendall(sent)
        time.sleep(0.2)
        begun = time.monotonic()
        process.send_signal(number)
        try:
            _, complaints = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
        seconds = time.monotonic() - begun
        for connection in half:
            connection.close()
    assert (process.returncode, complaints) == (status, "")
    assert (
        seconds < HEAD_SECONDS
    )  # about 1.3 s; a busy machine takes longer, and a connection that is not dropped too long
    assert list(folder.iterdir()) == []


STUDY = "/attack?n=200&items=1000&draws=20&weighed=yes"
"""A page that takes a minute or more."""


def children(process: int) -> dict[str, float]:
    """Return the processes that a process has started, and how many seconds each has worked."""
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    facts = {one: Path(f"/proc/{one}/stat").read_text().rpartition(") ")[2].split() for one in started}
    return {one: (int(fact[11]) + int(fact[12])) / os.sysconf("SC_CLK_TCK") for one, fact in facts.items()}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_study_ends_with_its_client_or_with_the_server(tmp_path: Path, number: signal.Signals | None) -> None:
    with subprocess.Popen(
        [*START, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process, ExitStack() as at_end:  # fmt: skip
        at_end.callback(process.kill)
        assert process.stdout is not None
        port = int(process.stdout.readline().partition("127.0.0.1:")[2].split("/")[0])
        httpx.get(f"http://127.0.0.1:{port}/attack", timeout=SECONDS).raise_for_status()  # the processes have started
        before = children(process.pid)
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(f"GET {STUDY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            workers = before
            while all(worked < before.get(one, 0) + 0.5 for one, worked in workers.items()):  # until one is at work
                time.sleep(0.05)
                workers = children(process.pid)
            begun = time.monotonic()
            if number is not None:
                process.send_signal(number)
                process.wait(timeout=SECONDS)
        remaining = len(workers) - 1 if number is None else 0
        while sum(Path(f"/proc/{worker}/stat").exists() for worker in workers) > remaining:
            assert time.monotonic() - begun < 30  # a busy machine takes its time; the study takes a minute
            time.sleep(0.05)
        process.terminate()
        process.wait(timeout=SECONDS)
        assert number == signal.SIGKILL or list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_sighup_is_ignored_under_nohup() -> None:
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh"]
    with subprocess.Popen(
        [*ignoring, *START, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert "Ctrl-C stops it" in process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=SECONDS) == 143


@pytest.mark.slow
def test_a_host_makes_a_token_and_without_it_nothing_is_told() -> None:
    with served("--host", "127.0.0.1") as address:
        found = re.fullmatch(r"(http://127\.0\.0\.1:[0-9]+)/\?token=([\w-]{32})", address)
        assert found is not None
        site, token = found[1], found[2]
        assert httpx.get(f"{site}/panel", timeout=SECONDS).status_code == 401
        with httpx.Client(follow_redirects=True, timeout=SECONDS) as client:
            assert client.get(f"{site}/panel", headers={"Authorization": f"Bearer {token}"}).status_code == 200
            answer = client.get(address)
            assert (answer.status_code, answer.url.path, answer.url.query) == (200, "/data", b"")
            assert client.get(f"{site}/attack").status_code == 200


@pytest.mark.slow
def test_a_token_of_ones_own_is_asked_for() -> None:
    with served("--host", "127.0.0.1", "--token", "swordfish") as address:
        assert address.endswith("?token=swordfish")
        assert httpx.get(address, timeout=SECONDS).status_code == 303


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = _refused("--port", port)
    assert f"--port {port}" in message
    assert "None" not in message
    assert "in use" in message
    assert "--port 0 chooses a free port" in message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", 70000), "70000"),
        (("--port", "many"), "whole number"),
        (("--host", "no.such.host.invalid", "--port", 0), "no.such.host.invalid"),
        (("there-is-none.csv",), "there-is-none.csv: there is no such file"),
        ((".",), "there is no such file"),
        (("--token", ""), "--token has 0 letters: choose at least 8"),
        (("--host", "127.0.0.1", "--token", "seven77"), "--token has 7 letters"),
    ],
)
def test_refusals(arguments: tuple[object, ...], words: str) -> None:
    assert words in _refused(*arguments)


@pytest.mark.parametrize("missing", ["fastapi", pytest.param("multipart", marks=pytest.mark.slow)])
def test_a_missing_package_is_one_line(tmp_path: Path, missing: str) -> None:
    absent = (
        f"import sys\nsys.modules[{missing!r}] = None\nsys.modules['python_' + {missing!r}] = None\n"
        "from bribeproof.cli import main\nsys.argv[1:] = ['explore', '--no-browser', '--port', '0']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", absent], capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    package, version = {"fastapi": ("fastapi", "0.132"), "multipart": ("python-multipart", "0.0.20")}[missing]
    assert f"the explorer needs {package} {version} or newer (pip install '{package}>={version}')" in done.stderr


@pytest.mark.parametrize(
    ("host", "token", "address"),
    [
        ("127.0.0.1", None, "http://127.0.0.1:80/"),
        ("::1", "x", "http://[::1]:80/?token=x"),
        ("0.0.0.0", "x", f"http://{socket.gethostname()}:80/?token=x"),  # noqa: S104
        ("127.0.0.1", "a&b c", "http://127.0.0.1:80/?token=a%26b+c"),
    ],
)
def test_addresses(host: str, token: str | None, address: str) -> None:
    assert _address(host, 80, token) == address
