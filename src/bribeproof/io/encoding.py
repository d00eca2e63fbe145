"""Decode text files of any encoding, and count their lines."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import sys
from typing import TYPE_CHECKING

from bribeproof.errors import FileError, ParameterError
from bribeproof.io.byte_stream import peek
from bribeproof.io.encoding_question import SAMPLE, encoding_question
from bribeproof.io.limits import LONGEST_RECORD
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"\x1f\x8b", "a file compressed with gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with Zstandard; unpack it first"),
    (b"\xfd7zXZ\x00", "a file compressed with xz; unpack it first"),
)
HEAD = 1024
"""The bytes at the beginning of a file that determine its kind."""
_FEW_LINES = 1 << 16  # bytes that hold some hundred lines of most files
_NAMES_ONLY = ("idna", "punycode")  # encodings of host names, not of files


def first_bytes(blocks: Iterable[bytes], source: str) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes and all blocks; raise an error if they are the signature of another kind of file."""
    head, blocks = peek(blocks, lambda head: len(head) >= HEAD)
    if not head:
        raise empty_file(source)
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise FileError(f"{source}: this looks like {kind}")
    return head[:HEAD], blocks


def decode(
    blocks: Iterable[bytes], source: str, encoding: str | None = None
) -> tuple[Iterator[bytes], tuple[str, ...]]:
    r"""Convert a text file to UTF-8 without byte order mark, with its original line ends.

    Parameters
    ----------
    blocks : iterable of bytes
        The bytes of the file, cut anywhere.
    source : str
        Its name, for messages.
    encoding : str or None
        A Python codec name; None for that of a byte order mark, else UTF-8.

    Returns
    -------
    tuple of (iterator of bytes, tuple of str)
        The text, never cut within a character or a line end; and the encoding as a note, if a byte order mark
        determined one other than UTF-8. If the file is binary or not text in that encoding, the iterator raises a
        FileError after the text before that position, or a QuestionError if it is text in another encoding.

    Raises
    ------
    FileError
        If the file is of another kind, or empty.
    ParameterError
        If `encoding` is not a text codec.

    Examples
    --------
    >>> text, notes = decode([b"\xff\xfet", b"\x001\x00"], "votes.csv")
    >>> b"".join(text), notes
    (b't1', ('UTF-16',))
    """
    head, blocks = first_bytes(blocks, source)
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS if head.startswith(mark)), None)
    codec = encoding or marked or "utf-8"
    try:
        decoder = _decoder(codec, marked=marked is not None)
    except (LookupError, ValueError):
        raise ParameterError(
            f'encoding={encoding!r} is not a text encoding that Python knows; write for example "utf-8", '
            '"cp1252" or "utf-16"'
        ) from None

    def make_error(error: Exception | None, line: int, before: bytes, after: bytes) -> FileError | QuestionError:
        if error is None:
            return _binary(head, f"{source}, line {line}", source)
        if isinstance(error, UnicodeDecodeError):
            bad_byte = f"{source}, line {line}: byte 0x{error.object[error.start]:02X}"
            if encoding is not None or codec != "utf-8":
                return FileError(f"{bad_byte} is not {codec} text; name the encoding in which the file was saved")
            data = error.object[error.start :] + after
            return encoding_question(before, data[:SAMPLE], f"{bad_byte} is not UTF-8 text")
        return FileError(f"{source}: this is not {codec} text; name the encoding of the file")

    seen, text = peek(
        _decoded(blocks, decoder, make_error), lambda seen: not seen.isspace() or len(seen) > LONGEST_RECORD
    )
    if not seen or seen.isspace():
        raise empty_file(source)
    return text, ((codec.upper(),) if marked and not encoding else ())


def text_lines(data: bytes) -> io.TextIOWrapper:
    """Return the lines of UTF-8 text with their ends; LF, CRLF and CR all end a line."""
    return io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")


def count_line_ends(data: bytes) -> int:
    r"""Count the line ends: LF, CRLF and CR each count once.

    >>> count_line_ends(b"a\nb\r\nc\rd")
    3
    """
    returns = data.count(b"\r")
    return data.count(b"\n") + (returns - data.count(b"\r\n") if returns else 0)


def has_lines(data: bytes, lines: int) -> bool:
    r"""Return whether there are more line ends than a small number; long text is counted only as far as needed.

    >>> has_lines(b"a\nb\n", 1), has_lines(b"a\nb\n", 2)
    (True, False)
    """
    return count_line_ends(data[:_FEW_LINES]) > lines or (len(data) > _FEW_LINES and count_line_ends(data) > lines)


def last_line_end(data: bytes) -> int:
    r"""Return the position after the last line end; 0 if there is none.

    >>> last_line_end(b"a\nb\rc")
    4
    """
    return 1 + max(data.rfind(b"\n"), data.rfind(b"\r"))


def whole_records(
    blocks: Iterable[bytes], last_end: Callable[[bytes], int], source: str = "the text"
) -> Iterator[tuple[int, bytes]]:
    r"""Yield text in parts that end with a record.

    Parameters
    ----------
    blocks : iterable of bytes
        The text, never cut within a line end.
    last_end : callable
        Function of text that begins with a record; returns the position after its last complete record, or 0.
    source : str
        Name of the file, for messages.

    Yields
    ------
    tuple of (int, bytes)
        The line, from 1, at which some complete records begin; and the records.

    Raises
    ------
    FileError
        If a record is too long.

    Examples
    --------
    >>> list(whole_records([b"a\nb", b"c", b"d\ne"], last_line_end))
    [(1, b'a\n'), (2, b'bcd\n'), (3, b'e')]
    """
    line, rest = 1, b""
    for block in blocks:
        if len(rest) > LONGEST_RECORD:
            raise FileError(
                f"{source}, line {line}: a record of more than {LONGEST_RECORD:,} bytes begins here; "
                f"is a line end or a closing quote missing?"
            )
        data = rest + block
        end = last_end(data)
        rest = data[end:]
        if end:
            data = data[:end]
            yield line, data
            line += count_line_ends(data)
    if rest:
        yield line, rest


def empty_file(source: str) -> FileError:
    """Return the error of an empty file."""
    return FileError(f"{source}: the file is empty; it needs a header and rows")


def _decoder(codec: str, *, marked: bool) -> codecs.IncrementalDecoder:
    """Return an incremental decoder."""
    with contextlib.suppress(UnicodeError):
        b"a".decode(codec)  # raises an error for codecs that are not for text
    name = codecs.lookup(codec).name
    if name in _NAMES_ONLY:
        raise LookupError(codec)
    if name in ("utf-16", "utf-32") and not marked:
        codec = f"{name}-{'le' if sys.byteorder == 'little' else 'be'}"
    return codecs.getincrementaldecoder(codec)()


def _decoded(
    blocks: Iterable[bytes],
    decoder: codecs.IncrementalDecoder,
    make_error: Callable[[Exception | None, int, bytes, bytes], FileError | QuestionError],
) -> Iterator[bytes]:
    """Decode all blocks; at an error or a zero byte yield the text before it, then raise the error."""
    line, begun, held, before = 1, False, b"", b""
    blocks = iter(blocks)
    for block, final in itertools.chain(((block, False) for block in blocks), [(b"", True)]):
        text, error = _decode_block(decoder, block, final=final)
        data = held + text
        if data and not begun:
            begun, data = True, data.removeprefix(codecs.BOM_UTF8)
        zero = data.find(b"\0")
        if stop := error is not None or zero >= 0:
            data, error = (data[:zero], None) if zero >= 0 else (data, error)
        held = b"\r" if data.endswith(b"\r") and not (final or stop) else b""  # LF may follow
        data = data[: len(data) - len(held)]
        if data:
            yield data
        before = (before + data)[-SAMPLE:]
        if stop:
            after, _ = peek(blocks, lambda head: len(head) >= SAMPLE)
            raise make_error(error, line + count_line_ends(data), before, after)
        line += count_line_ends(data)


def _decode_block(
    decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool
) -> tuple[bytes, UnicodeError | None]:
    """Decode one block; if that fails, return the text before the failure, and the error."""
    before = decoder.getstate()
    try:
        text = decoder.decode(block, final)
    except UnicodeDecodeError as error:
        decoder.setstate((b"", before[1]))  # the object of the error begins with the bytes that were pending
        return decoder.decode(error.object[: error.start]).encode(), error
    except UnicodeError as error:
        if final:
            return b"", error
        decoder.setstate(before)  # too much is pending: as the last block it fails where that began
        text_before, sharper = _decode_block(decoder, block, final=True)
        return text_before, sharper or error
    try:
        return text.encode(), None
    except UnicodeEncodeError as error:
        return text[: error.start].encode(), error


def _binary(head: bytes, where: str, source: str) -> FileError | QuestionError:
    """Return the error of a file with zero bytes: a question, if these are text in UTF-16."""
    for codec, high_bytes in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if 2 * high_bytes.count(0) > len(high_bytes):
            lines = head[: len(head) // 2 * 2].decode(codec, "replace").splitlines()
            return QuestionError(
                f"{source}: this looks like UTF-16 without a byte order mark",
                [Choice("it is UTF-16, as the rows show", {"encoding": codec})],
                [(line, [text]) for line, text in enumerate(lines, start=1)],
            )
    return FileError(f"{where}: a zero byte, so this is not a text file; export it as CSV")
