"""Completion in the shells: commands, options, values and files, as each shell completes them."""

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import EXECUTABLE, call, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file whose name has a blank, in a folder of its own."""
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "final round.csv").touch()
    return tmp_path


def script(shell: str, path: Path) -> Path:
    """Install the completion of a shell in a file, if that shell is installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = call("--install-completion", "--shell", shell, "--output", path)
    assert (done.status, done.err) == (0, "")
    return path


CASES = {
    "bribeproof cert": "certify",
    "bribeproof plot worst": "worst-case",
    "bribeproof certify --fail": "--fail-below",
    "bribeproof attack --strategy coll": "collude",
    "bribeproof paper figure opt": "optimal-aggregators",
    "bribeproof read sheets/f": "sheets/final round.csv",
    "bribeproof report sheets/x.csv -o sheets/f": "sheets/final round.csv",
}
"""What is typed, and the only word that it can be completed to."""


def test_bash_completes(folder: Path) -> None:
    lines = [f"source {script('bash', folder / 'script')}"]
    for typed in CASES:
        words = typed.split()
        lines += [
            f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}",
            f"_bribeproof bribeproof {words[-1]} {words[-2]}",
            "echo ${#COMPREPLY[@]} \"${COMPREPLY[0]}\"",
        ]  # fmt: skip
    done = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, cwd=folder)
    assert done.stdout.splitlines() == [f"1 {word}" for word in CASES.values()]


def test_fish_completes(folder: Path) -> None:
    source = script("fish", folder / "script")
    lines = "; ".join([f"source {source}", *(f"echo (complete -C '{typed}')" for typed in CASES)])
    done = subprocess.run(["fish", "-c", lines], capture_output=True, text=True, check=True, cwd=folder)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == list(CASES.values())


@pytest.mark.parametrize("typed", ["bribeproof ", "bribeproof plot ", "bribeproof paper figure "])
def test_fish_offers_no_files_where_none_is_expected(typed: str, folder: Path) -> None:
    source = script("fish", folder / "script")
    done = subprocess.run(
        ["fish", "-c", f"source {source}; complete -C '{typed}'"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    assert done.stdout
    assert "sheets/" not in done.stdout


def test_zsh_completes(folder: Path) -> None:
    script("zsh", folder / "_cyclopts_bribeproof")
    (folder / ".zshrc").write_text(f"PS1='> '; fpath=({folder} $fpath); autoload -Uz compinit && compinit -u\n")
    for typed, word in CASES.items():
        completed = typed[: typed.rindex(" ") + 1] + word.replace(" ", "\\ ")
        assert completed in typed_in_zsh(typed, folder, completed)


def typed_in_zsh(text: str, folder: Path, expected: str) -> str:
    """Return what zsh shows after text and the tabulator, at the latest after a minute."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(folder)
        path = f"{EXECUTABLE.parent}:{os.environ['PATH']}"
        os.execvpe("zsh", ["zsh", "-i"], {"ZDOTDIR": str(folder), "PATH": path, "TERM": "dumb", "COLUMNS": "200"})  # noqa: S606
    shown, deadline, asked = "", time.monotonic() + 60, False
    try:
        while expected not in shown and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 4096).decode()
            if not asked and "> " in shown:
                os.write(terminal, f"{text}\t".encode())
                asked = True
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    return shown


@pytest.mark.parametrize(
    "shell", ["bash", "fish", *(pytest.param(shell, marks=pytest.mark.slow) for shell in ("zsh", "powershell"))]
)
def test_a_script_for_each_shell_knows_commands_options_and_values(shell: str, tmp_path: Path) -> None:
    assert call("--install-completion", "--shell", shell, "--output", tmp_path / "script").status == 0
    text = (tmp_path / "script").read_text(encoding="utf-8")
    for word in ("worst-case", "fail-if-movable", "judge-first", "regret-by-share"):
        assert word in text
    assert ("compopt -o filenames" in text) == (shell == "bash")
    assert ("# Words that are no files" in text) == (shell == "fish")


def test_an_unknown_shell_is_refused_in_one_line(tmp_path: Path) -> None:
    done = start("--install-completion", "--shell", "tcsh", "--output", tmp_path / "script")
    assert "tcsh" in done.refused()
