"""Temporary folders: removed at the end, or after a kill by the next one, but never while somebody uses them."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bribeproof.io.scratch import scratch_folder, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders are swept on POSIX")

USER = """
import sys
from bribeproof.io.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "upload.csv").write_text("secret")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield tmp_path
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_what_a_killed_process_left_is_swept_and_what_a_live_one_uses_is_not(temporary: Path) -> None:
    command = [sys.executable, "-c", USER]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as live,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed,
    ):
        assert live.stdout is not None
        assert killed.stdout is not None
        used, left = (Path(one.readline().strip()) for one in (live.stdout, killed.stdout))
        killed.kill()
        killed.wait()
        assert (left / "upload.csv").exists()
        with scratch_folder() as own:
            sweep()
            assert own.exists()
        assert not own.parent.exists()
        assert not left.parent.exists()
        assert (used / "upload.csv").read_text() == "secret"
        live.communicate("", timeout=120)
    assert list(temporary.iterdir()) == []


def test_what_is_not_a_temporary_folder_of_ours_stays(temporary: Path) -> None:
    (folder := temporary / "bribeproof-notes").mkdir()
    (folder / "mine.txt").write_text("mine")
    (elsewhere := temporary / "elsewhere").mkdir()
    (elsewhere / "lock").touch()
    (temporary / "bribeproof-link").symlink_to(elsewhere)
    sweep()
    assert (folder / "mine.txt").read_text() == "mine"
    assert (elsewhere / "lock").exists()
