"""DuckDB and dbt: macros that say in SQL what a list of reports is worth.

The macros stand in ``duckdb.sql`` beside this module; ``bribeproof sql duckdb`` prints them.
"""

from importlib.resources import files


def macros() -> str:
    """Return the SQL statements that create the macros in a DuckDB database, 2.0 or newer.

    Returns
    -------
    str
        For ``connection.execute``. Macros of the same names are replaced; nothing else is.

    Examples
    --------
    >>> import duckdb
    >>> database = duckdb.connect()
    >>> _ = database.execute(macros())
    >>> database.execute("SELECT bp_trimmed_mean([5, 6, 9.5, 9.5, NULL], 1)").fetchone()
    (7.75,)
    """
    return files(__package__).joinpath("duckdb.sql").read_text(encoding="utf-8")


def dbt_macro() -> str:
    """Return the text of a dbt macro ``bribeproof()``, whose SQL is that of `macros`.

    Returns
    -------
    str
        For a file in the folder ``macros`` of a project of dbt-duckdb, which runs it by
        ``on-run-start: "{{ bribeproof() }}"``.

    Examples
    --------
    >>> dbt_macro().splitlines()[0]
    '{% macro bribeproof() %}'
    """
    return f"{{% macro bribeproof() %}}\n{macros()}{{% endmacro %}}\n"
