"""Applications whose help ends with examples, and whose completion knows files."""

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import cyclopts
from cyclopts import Parameter

from bribeproof.cli.commands.examples import describe_examples
from bribeproof.cli.completion import Shell, complete_files


class DocumentedApp(cyclopts.App):
    """An application whose help pages end with examples, and that shells complete with files."""

    def help_print(
        self,
        tokens: Annotated[str | Iterable[str] | None, Parameter(show=False)] = None,
        *,
        console: Annotated[Any, Parameter(parse=False)] = None,
    ) -> None:
        """Print a help page."""
        super().help_print(tokens, console=console)
        names, _, _ = self.parse_commands(tokens)
        sys.stdout.write(f"\n{describe_examples(' '.join(names))}\n")

    def generate_completion(self, *, prog_name: str | None = None, shell: Shell | None = None) -> str:
        """Return the script that completes the command in a shell."""
        return complete_files(super().generate_completion(prog_name=prog_name, shell=shell), shell, self)
