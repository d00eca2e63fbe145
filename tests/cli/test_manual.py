"""The manual page and the completion of the shell: made from the commands, so that they know every option."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bribeproof.cli.manual import manual
from tests.cli.command import call, start
from tests.cli.test_help import PAGES, help_page


def test_the_manual_has_every_command_and_option() -> None:
    page = manual().replace("\\-", "-")
    for words in PAGES[1:]:
        assert f"\n.SH bribeproof {' '.join(words)}\n" in page
        assert f"\nbribeproof {' '.join(words)}" in page
        section = page.split(f"\n.SH bribeproof {' '.join(words)}\n")[1].split("\n.SH ")[0]
        entries = [line.split()[1:4] for line in help_page(*words).splitlines() if line.startswith("│")]
        shown = {word for entry in entries for word in entry if word.startswith("--")}
        missing = {word for word in shown if word not in section}
        assert not missing - {"--help", "--version"}


def test_nothing_of_markdown_is_left_and_the_typesetter_complains_of_nothing() -> None:
    page = manual()
    assert "pytest" not in page
    assert not any(mark in page for mark in ("`", "**", "](#"))
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        ["groff", "-Tutf8", "-P-cbu", "-man", "-ww", "-Kutf8"],
        input=page.encode(),
        capture_output=True,
        check=True,
        env={"PATH": "/usr/bin:/bin"},
    )
    assert done.stderr == b""
    assert b"--fail-if-movable" in done.stdout.replace("\u2212".encode(), b"-")


def test_the_shell_completes_options(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = tmp_path / "bribeproof.bash"
    assert call("--install-completion", "--shell", "bash", "--output", script).status == 0
    lines = (
        f"source {script}", "COMP_WORDS=(bribeproof certify --fail)", "COMP_CWORD=2",
        "_bribeproof bribeproof --fail certify", 'echo "${COMPREPLY[@]}"',
    )  # fmt: skip
    done = subprocess.run([bash, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "--fail-below\n"


def test_an_unknown_shell_is_refused_in_one_line(tmp_path: Path) -> None:
    done = start("--install-completion", "--shell", "tcsh", "--output", tmp_path / "script")
    assert "tcsh" in done.refused()
