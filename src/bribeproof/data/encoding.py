"""The bytes of a text file: which encoding they are in, and on which line something stands."""

from __future__ import annotations

import codecs
import io

from bribeproof.errors import FileError, ParameterError

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"PK\x03\x04", "an Excel workbook or another zip archive; save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the sheet as CSV"),
    (b"\x1f\x8b", "a file compressed with gzip; unpack it first"),
)


def refuse_foreign(raw: bytes, source: str) -> None:
    """Refuse what is known by its first bytes to be no file of reports."""
    for signature, kind in _SIGNATURES:
        if raw.startswith(signature):
            raise FileError(f"{source}: this looks like {kind}")


def decode(raw: bytes, source: str, encoding: str | None = None) -> tuple[bytes, tuple[str, ...]]:
    r"""Turn the bytes of a text file into UTF-8 without byte order mark; line ends stay.

    Parameters
    ----------
    raw : bytes
        The file as it is.
    source : str
        Its name, for messages.
    encoding : str or None
        A Python codec name; None takes a byte order mark or else UTF-8.

    Returns
    -------
    tuple of (bytes, tuple of str)
        The text, and the encoding as a note where a byte order mark told one other than UTF-8.

    Raises
    ------
    FileError
        If the file is empty, binary or not text in that encoding.
    ParameterError
        If `encoding` is no text codec.

    Examples
    --------
    >>> decode(b"\xff\xfet\x001\x00", "votes.csv")
    (b't1', ('UTF-16',))
    """
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS if raw.startswith(mark)), None)
    codec = encoding or marked or "utf-8"
    try:
        text = raw.decode(codec)
        data = raw if codec == "utf-8" else text.encode()
    except UnicodeDecodeError as error:
        raise _undecodable(error, source, codec, chosen=encoding is not None) from None
    except UnicodeError:
        raise FileError(f"{source}: this is not {codec} text; name the encoding of the file") from None
    except (LookupError, ValueError):
        raise ParameterError(
            f'encoding={encoding!r} is no text encoding that Python knows; write for example "utf-8", '
            '"cp1252" or "utf-16"'
        ) from None
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        raise _binary(raw, data, source)
    if not data or data.isspace():
        raise empty_file(source)
    return data, ((codec.upper(),) if marked and not encoding else ())


def text_lines(data: bytes) -> io.TextIOWrapper:
    """Give the lines of UTF-8 text with their ends as they are; LF, CRLF and CR all end a line."""
    return io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")


def count_line_ends(data: bytes) -> int:
    r"""Count the line ends: LF, CRLF and CR each count once.

    >>> count_line_ends(b"a\nb\r\nc\rd")
    3
    """
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def empty_file(source: str) -> FileError:
    """Say that a file holds nothing."""
    return FileError(f"{source}: the file is empty; it needs a header and rows")


def shorten(value: object) -> str:
    """Show a value from a file in a message: on one line and not too long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _undecodable(error: UnicodeDecodeError, source: str, codec: str, *, chosen: bool) -> FileError:
    """Name the line of the first byte that is no text."""
    before = error.object[: error.start]
    if codecs.lookup(codec).name.startswith(("utf-16", "utf-32")):
        before = before.decode(codec, errors="ignore").encode()
    bad_byte = f"{source}, line {1 + count_line_ends(before)}: byte 0x{error.object[error.start]:02X}"
    if chosen or codec != "utf-8":
        return FileError(f"{bad_byte} is not {codec} text; name the encoding in which the file was saved")
    return FileError(
        f"{bad_byte} is not UTF-8 text; if the file comes from Windows or Excel, try "
        'encoding="cp1252" (--encoding cp1252)'
    )


def _binary(raw: bytes, data: bytes, source: str) -> FileError:
    """Say what a file with zero bytes may be."""
    if raw.startswith(b"PAR1"):
        return FileError(f'{source}: this looks like Parquet; name it .parquet or give format="parquet"')
    for codec, high_bytes in (("utf-16-le", raw[1::2]), ("utf-16-be", raw[::2])):
        if 2 * high_bytes.count(0) > len(high_bytes):
            return FileError(
                f"{source}: this looks like UTF-16 without a byte order mark; try "
                f'encoding="{codec}" (--encoding {codec})'
            )
    line = 1 + count_line_ends(data[: data.index(b"\0")])
    return FileError(f"{source}, line {line}: a zero byte, so this is no text file; export it as CSV")
