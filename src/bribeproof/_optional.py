"""Check that optional packages are installed, and say how to install those that are not."""

from collections.abc import Mapping
from importlib import import_module

from bribeproof.errors import MissingPackageError

REQUIREMENTS: Mapping[str, tuple[str, str]] = {
    "PIL": ("pillow", "11"),
    "fastapi": ("fastapi", "0.132"),
    "jinja2": ("jinja2", "3.1"),
    "matplotlib": ("matplotlib", "3.10"),
    "mcp": ("mcp", "2.3"),
    "python_calamine": ("python-calamine", "0.9"),
    "python_multipart": ("python-multipart", "0.0.20"),
    "sklearn": ("scikit-learn", "1.6.1"),
    "torch": ("torch", "2.6"),
    "xlsxwriter": ("xlsxwriter", "3.2"),
    "uvicorn": ("uvicorn", "0.40"),
}
"""The package that provides each module, and its oldest version that works."""


def require(feature: str, *modules: str) -> None:
    """Check that optional modules can be imported.

    Parameters
    ----------
    feature
        What needs them, as the subject of a sentence in the singular.
    modules
        Names from `REQUIREMENTS`.

    Raises
    ------
    MissingPackageError
        If a module cannot be imported. The message names all missing packages and the command that installs them.

    Examples
    --------
    >>> require("a figure", "matplotlib")
    """
    missing = [REQUIREMENTS[name] for name in modules if not _can_import(name)]
    if missing:
        names = " and ".join(f"{package} {version} or newer" for package, version in missing)
        pinned = " ".join(f"'{package}>={version}'" for package, version in missing)
        raise MissingPackageError(f"{feature} needs {names} (pip install {pinned})")


def _can_import(module: str) -> bool:
    """Import a module and return whether that worked."""
    try:
        import_module(module)
    except ModuleNotFoundError:
        return False
    return True
