"""Fail where the certified accuracy of labels falls below that of the last commit.

For a hook of git, or a step of a pipeline: give the files of labels, and options of ``bribeproof certify`` after them.

    python examples/certified_accuracy.py labels.csv --gold truth --k 1

Each file is certified as it is and as it was in the last commit. What is compared is the lower bound on the share of
right answers, for the k or budget that the options give: more gold items raise it, doubtful labels lower it. A file
that was not there, or could not be certified, has no bar to clear.
"""

import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path


def certified(file: Path, options: list[str]) -> tuple[float | None, str]:
    """Return the lower bound on the share of right answers; or None, and why there is none."""
    command = [sys.executable, "-m", "bribeproof", "certify", str(file), *options, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["by_k"][-1]["accuracy_low"], ""


def certified_before(file: Path, options: list[str]) -> float | None:
    """Return the bound for the file of the last commit; None if there is none."""
    command = ["git", "-C", str(file.resolve().parent), "show", f"HEAD:./{file.name}"]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        return None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        copy.write_bytes(done.stdout)
        return certified(copy, options)[0]


def rounded_down(bound: float) -> str:
    """Return a lower bound with four digits, such that it holds."""
    return f"{math.floor(10_000 * bound) / 10_000:.4f}"


def main(arguments: list[str]) -> int:
    """Compare each file with its last commit; return 3 if a bound has fallen, 2 if there is none."""
    files = [Path(word) for word in itertools.takewhile(lambda word: not word.startswith("-"), arguments)]
    options = arguments[len(files) :]
    if not files or not {"-k", "--k", "--budget"} & {word.partition("=")[0] for word in options}:
        print("give the files, then options of bribeproof certify, --k or --budget among them")  # noqa: T201
        return 2
    status = 0
    for file in files:
        now, why = certified(file, options)
        before = certified_before(file, options)
        if now is None:
            print(f"{file}: {why}")  # noqa: T201
            return 2
        fallen = before is not None and now < before
        was = "nothing to compare with" if before is None else f"{rounded_down(before)} in the last commit"
        print(f"{file}: certified accuracy {rounded_down(now)}, {was}{': it has fallen' * fallen}")  # noqa: T201
        status = 3 if fallen else status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
