"""The image: what its Containerfile promises is what the program offers; built and run where there is a builder.

``CONTAINER_ENGINE`` names docker or podman, ``CONTAINER_BASE`` another image of Python to build on, ``CONTAINER_IMAGE``
an image that is built already, and ``CONTAINER_OPTIONS`` options for each run, such as ``--network host``.
"""

import json
import os
import re
import shlex
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from tests.paths import ROOT

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
ENGINE = os.environ.get("CONTAINER_ENGINE", "")
OPTIONS = shlex.split(os.environ.get("CONTAINER_OPTIONS", ""))
IMAGE = "localhost/bribeproof-check"
HARDENED = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges")  # noqa: S108
TOKEN = "a-token-of-this-test"  # noqa: S105


def words_of(instruction: str) -> list[str]:
    """Return the words of an instruction in JSON form."""
    found = re.search(rf"^{instruction} [^\[]*(\[.*\])$", CONTAINERFILE.replace("\\\n", ""), re.MULTILINE)
    assert found is not None
    words: list[str] = json.loads(found[1])
    return words


def test_the_image_starts_what_there_is_and_asks_the_address_of_its_health(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastapi")
    from bribeproof.cli import app
    from bribeproof.explorer.serving.security import HEALTH

    _, *words = words_of("ENTRYPOINT")
    monkeypatch.setenv("BRIBEPROOF_TOKEN", TOKEN)
    _, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
    assert bound.arguments == {"host": "0.0.0.0", "port": 8765, "token": TOKEN, "browser": False}  # noqa: S104
    assert f"'http://127.0.0.1:{bound.arguments['port']}{HEALTH}'" in words_of("HEALTHCHECK")[-1]
    assert re.search(r"^EXPOSE 8765$", CONTAINERFILE, re.MULTILINE)
    assert re.search(r"^USER [1-9][0-9]*:[1-9][0-9]*$", CONTAINERFILE, re.MULTILINE)


def test_what_is_copied_is_there_and_is_not_ignored() -> None:
    [copied] = re.findall(r"^COPY (pyproject.*) \./$", CONTAINERFILE, re.MULTILINE)
    named = [*copied.split(), "src"]
    assert all((ROOT / name).exists() for name in named)
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == set(named)


def engine(*words: str, check: bool = True) -> str:
    """Run the engine; return what it prints."""
    done = subprocess.run([ENGINE, *words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def image() -> str:
    """Build the image, unless one is named."""
    if not ENGINE:
        pytest.skip("CONTAINER_ENGINE names no builder; ./check container does")
    if built := os.environ.get("CONTAINER_IMAGE"):
        return built
    base = os.environ.get("CONTAINER_BASE")
    arguments = ["--build-arg", f"BASE={base}"] if base else []
    # The health check is a part of images in docker's format alone.
    form = [] if ENGINE == "docker" else ["--format", "docker"]
    engine("build", *form, *arguments, "--tag", IMAGE, "--file", "Containerfile", ".")
    return IMAGE


@pytest.fixture(scope="module")
def container(image: str) -> Iterator[str]:
    """Run the image with a read-only root, without any privilege."""
    publish = [] if "host" in OPTIONS else ["--publish", "127.0.0.1::8765"]
    name = engine("run", "--detach", *HARDENED, *publish, *OPTIONS, "--env", f"BRIBEPROOF_TOKEN={TOKEN}", image)
    yield name
    engine("rm", "--force", name, check=False)


@pytest.fixture(scope="module")
def address(container: str) -> str:
    """Return the address of the page when it answers."""
    found = "127.0.0.1:8765" if "host" in OPTIONS else engine("port", container, "8765").splitlines()[0]
    for _ in range(120):
        try:
            if ask(f"http://{found}/health", token=None) == (200, b"ok\n"):
                return f"http://{found}"
        except OSError:
            time.sleep(0.5)
    raise AssertionError(engine("logs", container))


def ask(address: str, body: object = None, token: str | None = TOKEN) -> tuple[int, bytes]:
    """Return the status and the body of an answer."""
    headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, headers)  # noqa: S310  http alone
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


@pytest.mark.container
def test_everything_but_the_health_needs_the_token(address: str) -> None:
    for path in ("/", "/data", "/panel", "/api", "/api/openapi.json", "/static/explorer.css", "/health/", "/health/x"):
        assert ask(address + path, token=None)[0] == 401, path
    assert ask(f"{address}/health", {"k": 1}, token=None)[0] == 401
    assert ask(f"{address}/panel")[0] == 200


@pytest.mark.container
def test_the_page_and_the_api_answer(address: str) -> None:
    rows = [{"task": "t1", "anna": "cat", "boris": "cat", "chen": "cat"}]
    status, body = ask(f"{address}/api/aggregate", {"k": 1, "rows": rows})
    assert status == 200, body
    assert json.loads(body)["items"][0]["decision"] == "cat"
    status, body = ask(f"{address}/data")
    assert status == 200
    assert b"Your data" in body


@pytest.mark.container
def test_nobody_in_it_is_root_and_only_tmp_can_be_written(image: str) -> None:
    probe = (
        "import os, pathlib\n"
        "for folder in ('/', '/opt/bribeproof', '/home', '/usr', '/tmp'):\n"
        "    try: pathlib.Path(folder, 'x').touch(); print(folder)\n"
        "    except OSError: pass\n"
        "print(os.getuid() > 0, os.getgid() > 0)\n"
    )
    said = engine("run", "--rm", *HARDENED, *OPTIONS, "--entrypoint", "python3", image, "-c", probe)
    assert said.splitlines() == ["/tmp", "True True"]  # noqa: S108


@pytest.mark.container
def test_its_own_health_check_passes(container: str, address: str) -> None:
    assert address
    engine("exec", container, *words_of("HEALTHCHECK"))


@pytest.mark.container
def test_it_ends_when_it_is_told_to(container: str, address: str) -> None:
    assert address
    started = time.monotonic()
    engine("stop", "--time", "30", container)
    assert time.monotonic() - started < 20
    assert engine("inspect", "--format", "{{.State.ExitCode}}", container) in {"0", "143"}
