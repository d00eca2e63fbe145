"""Profiles of Hypothesis, and what becomes of tests whose optional package is not installed; for doctests as well."""

import doctest
import gc
import os
import sys
from collections.abc import Generator
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# No example is timed, nor how it is drawn, since machines are busy; a folder of the test may hold the files of all its
# examples.
settings.register_profile(
    "quick",
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("quick"), max_examples=80, derandomize=True)
settings.register_profile("nightly", settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Processes that tests start keep the bytecode of what they import, as Python does unless it is told not to: without it,
# each of hundreds would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# What a shell says of its window and of colours is not for what tests read.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(name, None)

OPTIONAL = (
    "anyio", "argilla", "crowdkit", "dbt", "deepeval", "duckdb", "fastapi", "flwr", "hatchling", "httpx2", "inspect_ai",
    "jinja2", "joblib", "jsonschema", "label_studio_sdk", "markupsafe", "matplotlib", "mcp", "pandas", "PIL",
    "playwright", "pyarrow", "pydantic", "pyspark", "schemathesis", "sklearn", "starlette", "torch", "trulens",
    "uvicorn",
)  # fmt: skip
"""Packages that tests import and a user may do without."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector, which would search the growing list of tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # the tests and all modules stay to the end
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported for want of an optional package, and say which."""
    report = yield
    call = getattr(report, "call", None)
    _skip_where_missing(report, call.excinfo and call.excinfo.value if call else None)
    if report.skipped and isinstance(collector, pytest.File):
        # pytest leaves the half of the module that was imported, which would be what others import.
        half = [name for name, module in sys.modules.items() if getattr(module, "__file__", "") == str(collector.path)]
        for name in half:
            del sys.modules[name]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that fails for want of an optional package, and say which."""
    report = yield
    _skip_where_missing(report, call.excinfo and call.excinfo.value)
    return report


def _skip_where_missing(report: pytest.CollectReport | pytest.TestReport, error: BaseException | None) -> None:
    """Turn a failed report into a skipped one where an optional package that is not installed made it fail."""
    while report.failed and error is not None:
        if isinstance(error, doctest.UnexpectedException):
            error = error.exc_info[1]
        if missing := _missing_package(error):
            report.outcome = "skipped"
            report.longrepr = (report.nodeid, 0, f"Skipped: {missing} is not installed")
        error = error.__cause__ or error.__context__


def _missing_package(error: BaseException) -> str | None:
    """Name the optional package that is not installed and that an error is about, if it is about one."""
    if isinstance(error, ModuleNotFoundError):
        names = [(error.name or "").partition(".")[0]]
    elif isinstance(error, ImportError):  # as the library raises it
        from bribeproof._optional import REQUIREMENTS

        names = [module for module, (package, _) in REQUIREMENTS.items() if f"needs {package} " in str(error)]
    else:
        names = []
    return next((name for name in names if name in OPTIONAL and find_spec(name) is None), None)
