"""The errors and warnings that bribeproof raises: one base class for each."""


class BribeproofError(ValueError):
    """Base class of every error that the library raises on purpose.

    The message says what arrived (where, which value), what is allowed and what to do, in one line.
    """


class ParameterError(BribeproofError):
    """A parameter is outside its range, such as a probability of 1.2 or a negative k."""


class DataError(BribeproofError):
    """Reports that cannot be read as they stand: a conflicting repeat, text among scores, a missing id."""


class FileError(BribeproofError):
    """A file that cannot be read or written: wrong encoding, ragged rows, nothing to aggregate."""


class MissingPackageError(BribeproofError):
    """A package that only some tasks need is not installed; the message says how to install it."""


class BribeproofWarning(UserWarning):
    """Base class of every warning; it speaks to the user about the reports, never to developers."""
