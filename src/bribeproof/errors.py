"""Errors and warnings, each derived from one base class."""


class BribeproofError(ValueError):
    """Base class of every error that the library raises on purpose.

    The message is one line: what arrived (where, which value), what is allowed and what to do.
    """


class ParameterError(BribeproofError):
    """A parameter is outside its range, such as a probability of 1.2 or a negative k."""


class ParameterTypeError(ParameterError, TypeError):
    """A parameter has the wrong type, such as text for k; also a `TypeError`."""


class DataError(BribeproofError):
    """The reports are not valid as they stand: a conflicting repeat, text among scores, a missing id."""


class ConflictError(DataError):
    """A reporter gives an item two different reports; also a `DataError`.

    Attributes
    ----------
    conflict
        Who does so where, without what to do about it.
    """

    def __init__(self, conflict: str, remedy: str = "") -> None:
        self.conflict, self.remedy = conflict, remedy
        super().__init__(f"{conflict}; {remedy}" if remedy else conflict)

    def __reduce__(self) -> tuple[type["ConflictError"], tuple[str, str]]:
        """Return how it is sent to another process."""
        return type(self), (self.conflict, self.remedy)


class NotVotesError(DataError):
    """Labels are no votes: there are more than two, or none of the two is the positive one; also a `DataError`."""


class ColumnError(DataError, KeyError):
    """A data frame lacks a column; also a `KeyError`."""

    __str__ = Exception.__str__  # KeyError would quote the message


class FileError(BribeproofError, OSError):
    """A file cannot be read or written: wrong encoding, ragged rows, nothing to aggregate; also an `OSError`."""


class ForkError(BribeproofError, RuntimeError):
    """A process uses tables that was forked from one which had used them; also a `RuntimeError`."""


class MissingPackageError(BribeproofError, ImportError):
    """An optional package is not installed, and the message says how to install it; also an `ImportError`."""


class BribeproofWarning(UserWarning):
    """Base class of every warning. Warnings are about the reports, and are meant for users, not for developers."""


def is_from_engine(error: BaseException) -> bool:
    """Return whether the engine for tables, polars, raised an error; its panics are no `Exception`.

    Examples
    --------
    >>> is_from_engine(ValueError())
    False
    """
    return type(error).__module__.partition(".")[0] in ("polars", "pyo3_runtime")
