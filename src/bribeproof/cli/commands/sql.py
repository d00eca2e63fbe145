"""``bribeproof sql``: the macros for SQL."""

import sys
from typing import Literal

from bribeproof.cli.options.common import OutputFile


def sql(engine: Literal["duckdb", "dbt"], /, *, output: OutputFile = None) -> None:
    """Print macros for SQL: trimmed means, decisions and flips needed.

    The comments at the top say what each macro does.

    Parameters
    ----------
    engine
        duckdb: statements that create the macros in a DuckDB database, 2.0 or newer. dbt: the same as one macro of a
        dbt-duckdb project, for a file in its folder macros and on-run-start.
    output
        The file to write them to, instead of printing them.
    """
    from bribeproof.integrations.duckdb import dbt_macro, macros
    from bribeproof.io.atomic import write_whole

    text = macros() if engine == "duckdb" else dbt_macro()
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, lambda file: file.write(text.encode()))
