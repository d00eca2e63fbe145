"""The command line: parse options, call the library, print the result. One module for each command."""

from bribeproof.cli.application import app
from bribeproof.cli.entry_point import main

__all__ = ["app", "main"]
