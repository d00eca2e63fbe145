"""Folders that tests read from."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""

FIXTURES = ROOT / "tests" / "fixtures"
"""Data that come with the tests; their sources and licences stand in its README."""

SHARED = ROOT.parent / "shared"
"""Data beside the checkout that its licence keeps out of it; tests that need it skip where it is absent."""
