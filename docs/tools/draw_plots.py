"""Draw the pictures of docs/howto/plots.md from the files in examples, by the commands that the page names.

Run it in the checkout after a change of a picture: ``python docs/tools/draw_plots.py``. It writes docs/images/plots.
"""

import contextlib
import io
from pathlib import Path

from bribeproof.cli import app

ROOT = Path(__file__).resolve().parents[2]
PLOTS, EXAMPLES = ROOT / "docs" / "images" / "plots", ROOT / "examples"
PANEL = "--n 10 --k 2 --prior .5 --tpr .8 --fpr .1 -o"
PICTURES = {
    "rule": f"plot rule {PANEL}",
    "guarantee": f"plot guarantee {PANEL}",
    "worst-case": f"plot worst-case {PANEL}",
    "ranking": "aggregate judges.csv --k 1 --plot",
    "items": "aggregate labels.csv --k 1 --plot",
    "sweep": "sweep judges.csv --plot",
    "reporters": "audit judges.csv --k 1 --plot",
    "bribe": "bribe labels.csv --k 3 --plot",
    "bribes-needed": "rank places.csv --plot",
    "attack": "attack screening.csv --gold truth --plot",
    "certified": "certify screening.csv --gold truth --plot",
}


def main() -> None:
    """Draw every picture."""
    for name, command in PICTURES.items():
        with contextlib.chdir(EXAMPLES), contextlib.redirect_stdout(io.StringIO()):
            app([*command.split(), str(PLOTS / f"{name}.svg")])


if __name__ == "__main__":
    main()
