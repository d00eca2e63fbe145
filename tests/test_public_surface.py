"""What ``import bribeproof`` hands on, and what it leaves alone."""

import subprocess
import sys

import pytest

import bribeproof as bp

PUBLIC = [
    "BribeproofError",
    "BribeproofWarning",
    "ColumnError",
    "DataError",
    "Expert",
    "ExpertInterval",
    "FileError",
    "ForkError",
    "MissingPackageError",
    "MultiExpert",
    "Panel",
    "ParameterError",
    "ParameterTypeError",
    "QuestionError",
    "Reading",
    "aggregate",
    "aggregate_labels",
    "aggregate_scores",
    "aggregate_votes",
    "attack",
    "audit",
    "calibrate",
    "certify",
    "cheapest_bribe",
    "commitment",
    "compare_rules",
    "corrupt",
    "flips_needed",
    "jury",
    "label_studio_predictions",
    "learn",
    "manipulation_range",
    "plots",
    "rank",
    "read_preflib",
    "read_table",
    "recognise",
    "report",
    "rules",
    "safe_ranking",
    "scan_table",
    "sweep",
    "theory",
    "trimmed_mean",
    "vote_counts",
    "weigh",
    "worst_bribe",
    "write_table",
]

OPTIONAL = ("pandas", "pyarrow", "duckdb", "sklearn", "matplotlib", "torch", "pyspark", "fastapi")
HEAVY = ("polars", "narwhals", "scipy", "rich", "cyclopts")


def loaded_after(code: str) -> set[str]:
    """The top-level modules that a new interpreter has loaded after running some code."""
    script = f"{code}\nimport sys\nprint(*sorted(name for name in sys.modules if '.' not in name))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


def test_the_surface_is_exactly_this() -> None:
    assert sorted(bp.__all__) == sorted(PUBLIC)
    assert dir(bp) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there_and_explained(name: str) -> None:
    assert getattr(bp, name).__doc__


def test_what_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="agregate_votes"):
        _ = bp.agregate_votes  # type: ignore[attr-defined]


def test_import_loads_nothing_else() -> None:
    assert loaded_after("import bribeproof").isdisjoint(("numpy", *HEAVY, *OPTIONAL))


def test_theory_needs_nothing_but_numpy() -> None:
    loaded = loaded_after(
        "import bribeproof as bp\nbp.rules.optimal_aggregator(bp.Panel(9, 2), bp.Expert(0.5, 0.8, 0.1))"
    )
    assert "numpy" in loaded
    assert loaded.isdisjoint((*HEAVY, *OPTIONAL))


def test_help_loads_no_engine() -> None:
    code = "from bribeproof.cli import app\napp(['--help'], exit_on_error=False)"
    assert loaded_after(code).isdisjoint(("numpy", "polars", "narwhals", "scipy", *OPTIONAL))


def test_an_aggregation_needs_no_optional_package() -> None:
    code = "from bribeproof.cli import app\napp(['aggregate', 'examples/judges.csv', '--k', '1'], exit_on_error=False)"
    assert loaded_after(code).isdisjoint(OPTIONAL)
