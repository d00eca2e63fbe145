"""Run the commands of bribeproof in ``COMMANDS``, one a line, and tell a workflow of GitHub what came out.

What a command prints is shown in the log and in the summary of the job, and the line that says why one failed is an
annotation. Names in data are whatever somebody wrote: the log takes no command of the workflow from what is printed.
"""

import os
import secrets
import shlex
import subprocess
import sys
from pathlib import Path

THRESHOLD = 3
"""Status of a command whose answer misses a threshold."""


def run(line: str) -> tuple[int, str]:
    """Run one command; return its status and the last line on standard error, which says why it failed."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        return 2, f"{error}: quote words as in a shell"
    pause = secrets.token_hex(16)
    print(f"::group::bribeproof {line}", f"::stop-commands::{pause}", sep="\n", flush=True)
    command = [sys.executable, "-m", "bribeproof", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL)
    print(done.stdout, done.stderr, f"::{pause}::", "::endgroup::", sep="\n", flush=True)
    lines = f"$ bribeproof {line}\n{done.stdout}{done.stderr}".splitlines()
    append("GITHUB_STEP_SUMMARY", "\n".join(f"    {shown}" for shown in lines) + "\n\n")
    return done.returncode, (done.stderr.splitlines() or [f"it ended with status {done.returncode}"])[-1]


def append(variable: str, text: str) -> None:
    """Append text to the file that a variable names, if there is one."""
    if path := os.environ.get(variable):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


def annotate(line: str, why: str) -> None:
    """Show why a command failed beside the changes of a pull request."""
    shown = f"{why} (bribeproof {line})".replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::error title=bribeproof::{shown}", flush=True)


def main() -> int:
    """Run all commands; return 3 if an answer misses a threshold, after the status of any other failure."""
    statuses = []
    for line in filter(None, map(str.strip, os.environ.get("COMMANDS", "").splitlines())):
        status, why = run(line)
        statuses.append(status)
        if status:
            annotate(line, why)
    if not statuses:
        annotate("", "commands is empty; give one or more, one a line")
        statuses.append(2)
    failed = [status for status in statuses if status not in (0, THRESHOLD)]
    worst = failed[0] if failed else max(statuses)
    append("GITHUB_OUTPUT", f"status={worst}\n")
    return worst


if __name__ == "__main__":
    sys.exit(main())
