"""Read damaged files as the page does, in its worker processes with their limits, and a sample with the command.

Run: ``python benchmarks/fuzz_files.py [--files 5000] [--seed 1] [--keep FOLDER]``; six minutes on two cores. The exit
status is 1 if a file led to a traceback, to an answer after the time limit, or to anything but one line of the command;
``--keep`` stores such files.
"""

import argparse
import asyncio
import io
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from bribeproof.errors import BribeproofError
from bribeproof.explorer.api.table_endpoints import aggregate_file
from bribeproof.explorer.api.table_requests import FileFields
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.workers.pool import UnavailableError, Workers

FORMATS = ("csv", "tsv", "json", "ndjson", "parquet")
ANSWERED, REFUSED, KILLED, LATE, TRACEBACK = "answered", "refused", "process killed", "too late", "traceback"
COMMAND = Path(sys.executable).with_name("bribeproof")
SLACK = 2.0
"""Seconds that a killed process may take to be gone, on a busy machine."""
LATEST = 60.0
"""Seconds that the command may take for a small damaged file."""

Damage = Callable[[random.Random, bytes], bytes]


def tables() -> list[pl.DataFrame]:
    """Return small tables of each kind of report, with difficult texts."""
    rows = range(60)
    long = {"task": [f"t{row // 5}" for row in rows], "worker": [f"w{row % 5}" for row in rows]}
    names = ["a,b", 'c"d', "e\nf", "ü;ß", "", " g ", "=1+1", "-", "NA", "\u202e"]
    return [
        pl.DataFrame(long | {"label": [row * 7 % 3 for row in rows]}),
        pl.DataFrame(long | {"score": [round(row * 0.37, 2) for row in rows]}),
        pl.DataFrame(long | {"label": [names[row % len(names)] for row in rows]}),
        pl.DataFrame({"entry": list("ABCDEFGHI")} | {f"j{j}": [row * j for row in range(9)] for j in range(7)}),
        pl.DataFrame(long | {"vote": [row % 2 == 0 if row % 9 else None for row in rows]}),
    ]  # fmt: skip


def documents(ending: str) -> list[bytes]:
    """Return undamaged files of a format."""
    if ending == "json":
        return [table.write_json().encode() for table in tables()]
    if ending == "ndjson":
        return [table.write_ndjson().encode() for table in tables()]
    if ending != "parquet":
        sep = "\t" if ending == "tsv" else ","
        return [
            table.write_csv(separator=sep, line_terminator=end).encode() for table in tables() for end in ("\n", "\r\n")
        ]
    written = []
    compressions: tuple[Literal["uncompressed", "zstd", "snappy"], ...] = ("uncompressed", "zstd", "snappy")
    for table in tables():
        typed = table.with_columns(pl.col(table.columns[0]).cast(pl.Categorical), pl.lit([1, 2]).alias("list"))
        for compression in compressions:
            table.write_parquet(file := io.BytesIO(), compression=compression, row_group_size=25)
            written.append(file.getvalue())
        typed.write_parquet(file := io.BytesIO(), compression="lz4", row_group_size=25)
        written.append(file.getvalue())
    return written


def flip(draw: random.Random, data: bytes) -> bytes:
    """Flip a few bits."""
    raw = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8, 64))):
        raw[draw.randrange(len(raw))] ^= 1 << draw.randrange(8)
    return bytes(raw)


def cut(draw: random.Random, data: bytes) -> bytes:
    """Keep the beginning, the end, or all but a part in the middle."""
    first, last = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    return draw.choice((data[:last], data[first:], data[:first] + data[last:]))


def repeat(draw: random.Random, data: bytes) -> bytes:
    """Repeat a part several times."""
    first, last = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    return data[:last] + data[first:last] * draw.choice((1, 3, 100)) + data[last:]


def splice(draw: random.Random, data: bytes) -> bytes:
    """Put a part elsewhere over what is there."""
    first, last = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    place = draw.randrange(len(data))
    return data[:place] + data[first:last] + data[place + last - first :]


def overwrite(draw: random.Random, data: bytes) -> bytes:
    """Put bytes that mean much in some format, or numbers of extreme lengths, over a few bytes."""
    extreme = [
        (2**power + step).to_bytes(8, "little")[:size]
        for power in (7, 31, 32, 62)
        for step in (-1, 0)
        for size in (4, 8)
    ]
    varints = [b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x80\x80\x80\x80\x40", b"\x00" * 8]
    piece = draw.choice((*extreme, *varints, draw.randbytes(draw.randrange(1, 40))))
    place = draw.randrange(max(0, len(data) - 400), len(data)) if draw.random() < 0.5 else draw.randrange(len(data))
    return data[:place] + piece + data[place + len(piece) :]


def footer(draw: random.Random, data: bytes) -> bytes:
    """Change the length in the last eight bytes, or the magic number."""
    length = draw.choice((0, 1, 7, 8, len(data) - 8, len(data), 2**31 - 1, 2**31, 2**32 - 1, draw.randrange(len(data))))
    return data[:-8] + length.to_bytes(4, "little") + draw.choice((b"PAR1", b"PARE", b"PAR2"))


def insert(draw: random.Random, data: bytes) -> bytes:
    """Insert texts that parsers take for structure."""
    texts = (
        b'"', b"'", b"\x00", b"\r", b"\n\n", b",,,,", b";", b"\t", b"|", b"[" * 3000, b"{" * 3000, b"]", b"}", b'"a":',
        b",", b"\\u", b"\\ud800", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"9" * 5000, b"1e999", b"-0",
        b"NaN", b"1e-400", b"Infinity", b"null", b"true", b"x" * 200_000, "\u2028\u202e\u0085".encode(), b"1_000",
        b"0x10", b"1/3",
    )  # fmt: skip
    for _ in range(draw.choice((1, 1, 2, 5))):
        place = draw.randrange(len(data) + 1)
        data = data[:place] + draw.choice(texts) + data[place:]
    return data


def head(draw: random.Random, data: bytes) -> bytes:
    """Change the first line: names that are absent, equal, blank, long or very many."""
    first, end, rest = data.partition(b"\n")
    names = draw.choice((
        b"", b",".join([b"a"] * draw.randrange(1, 9)), b" , ,", first.upper(), first + b"," + first,
        b",".join(b"%d" % number for number in range(30_000)), b"x" * 300_000, first.replace(b"t", b"\xff"),
        b'"' + first, b"sep=;", first[::-1], b"task,worker,label,truth,estimate",
    ))  # fmt: skip
    return names + end + rest


def encode(draw: random.Random, data: bytes) -> bytes:
    """Write the text in another encoding, or only claim one."""
    text = data.decode("utf-8", "replace")
    coded = text.encode(draw.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7")), "replace")
    return draw.choice((coded, coded[:-1], b"\xfe\xff" + data, b"\xff\xfe\x00\x00" + data, b"\x1f\x8b\x08" + data))


def damage(draw: random.Random, ending: str, sources: Sequence[bytes]) -> bytes:
    """Return a file with one to three damages."""
    kinds: list[Damage] = [flip, cut, repeat, splice, overwrite]
    kinds += [footer, overwrite, flip] if ending == "parquet" else [insert, insert, head, encode]
    data = draw.choice(sources)
    if draw.random() < 0.1:  # the beginning of one file and the end of another
        other = draw.choice(sources)
        data = data[: draw.randrange(len(data))] + other[draw.randrange(len(other)) :]
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        data = draw.choice(kinds)(draw, data or b"x" * 8)
    return data


async def read(workers: Workers, path: Path, limit: float) -> str:
    """Return what became of a file on the page."""
    begun = time.monotonic()
    try:
        await workers.run(aggregate_file, path, path.name, FileFields.model_validate({"k": 1}))
        outcome = ANSWERED
    except BribeproofError:
        outcome = REFUSED
    except UnavailableError as error:
        outcome = LATE if "longer than" in str(error) else KILLED
    except Exception as error:
        print(f"{path.name}: {type(error).__name__}: {str(error)[:300]}", flush=True)
        return TRACEBACK
    return LATE if time.monotonic() - begun > limit + SLACK else outcome


async def command(path: Path) -> str:
    """Return what became of a file with the command."""
    process = await asyncio.create_subprocess_exec(
        COMMAND, "aggregate", str(path), "--k", "1", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(LATEST):
            _, said = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return LATE
    lines = said.decode("utf-8", "replace").splitlines()
    proper = [line for line in lines if line.startswith(("bribeproof: ", "note: ", "warning: "))]
    if process.returncode in (0, 2) and len(proper) == len(lines):
        killed = any("the process that computes the answer ended" in line or "memory ran out" in line for line in lines)
        return ANSWERED if process.returncode == 0 else KILLED if killed else REFUSED
    print(f"{path.name}: status {process.returncode}: {lines[-1:]}", flush=True)
    return TRACEBACK


async def fuzz(ending: str, files: int, every: int, seed: int, keep: Path | None) -> dict[str, Counter[str]]:
    """Return how many damaged files of a format came to which end, on the page and with the command."""
    draw = random.Random(f"{ending} {seed}")  # noqa: S311
    sources, numbers = documents(ending), iter(range(files))
    settings = Settings()
    workers = Workers(settings.seconds, settings.memory_bytes)
    found = {"page": Counter[str](), "command": Counter[str]()}

    async def work(folder: Path) -> None:
        for number in numbers:
            path = folder / f"{number}.{ending}"
            path.write_bytes(damage(draw, ending, sources))
            outcomes = {"page": await read(workers, path, settings.seconds)}
            if number % every == 0 or outcomes["page"] in (KILLED, LATE, TRACEBACK):
                outcomes["command"] = await command(path)
            for where, outcome in outcomes.items():
                found[where][outcome] += 1
            if keep is not None and not {KILLED, LATE, TRACEBACK}.isdisjoint(outcomes.values()):
                (keep / f"{seed}-{path.name}").write_bytes(path.read_bytes())
                print(f"{path.name}: {outcomes}", flush=True)
            path.unlink()

    with tempfile.TemporaryDirectory() as name:
        await asyncio.gather(work(Path(name)), work(Path(name)))
    return found


def main() -> None:
    """Print a row for each format and way of reading."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--every", type=int, default=100, help="one file in so many is also read with the command")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    outcomes = (ANSWERED, REFUSED, KILLED, LATE, TRACEBACK)
    print(f"| format | read by | files | {' | '.join(outcomes)} |", "|---" * 8 + "|", sep="\n", flush=True)
    failed = 0
    for ending in given.formats:
        for where, counts in asyncio.run(fuzz(ending, given.files, given.every, given.seed, given.keep)).items():
            numbers = " | ".join(f"{counts[outcome]:,}" for outcome in outcomes)
            print(f"| {ending} | {where} | {counts.total():,} | {numbers} |", flush=True)
            failed += counts[LATE] + counts[TRACEBACK]
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
