"""The manual page: made from the commands, so that it knows every option."""

import shutil
import subprocess

import pytest

from bribeproof.cli.manual import manual
from tests.cli.test_help import PAGES, examples_of, help_page


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


def test_the_manual_has_the_examples_of_every_command() -> None:
    page = manual().replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
    for words in PAGES[1:]:
        assert all(f"\n{example}\n" in page for example in examples_of(*words))


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
