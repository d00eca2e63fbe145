"""Send 1,000 malformed and odd requests to a running explorer, with and without a token, and count what comes back.

``python benchmarks/fuzz_requests.py`` prints a table in Markdown; any fault makes the exit status 1.
"""

import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOKEN = "swordfish-of-the-fuzz"  # noqa: S105
LIMIT = 90.0
"""Seconds within which a request must be answered or its connection closed: the time limit of a page, and a margin."""
AT_ONCE = 48
"""Requests under way at once."""
PATHS = (
    "/", "/panel", "/attack", "/data", "/api", "/api/panel", "/api/aggregate", "/api/aggregate/file",
    "/api/openapi.json",
    "/api/sweep", "/api/calibrate", "/docs", "/redoc", "/openapi.json", "/static/icon.svg", "/static/../app.py",
    "/panel/", "/PANEL", "/data/report", "//evil.example", "/%2fevil.example", "/%00", "/%", "/\xff", "/a" * 2000,
)  # fmt: skip
VALUES = (
    "", "0", "1", "-1", "1_0", "1e3", "1e999", "nan", "inf", "٣", "1.5", " 1", "9" * 400, "true", "null", "%00", "%zz",
    "%ff", "<script>", "judges", "votes", "file", "../../etc/passwd", "collude", "cost", "a" * 5000, "=1+1", "\t",
)  # fmt: skip
NAMES = (
    "n", "k", "prior", "tpr", "fpr", "loss", "cost_fp", "cost_fn", "sheet", "kind", "item", "value", "judges", "round",
    "page", "show", "find", "strategy", "adversaries", "draws", "items", "seed", "copy", "weighed", "missing", "sep",
    "encoding", "format", "asked", "faulty", "token", "a[]", "",
)  # fmt: skip
HEADERS = (
    ("Origin", ("http://[", "null", "http://evil.example", "http://localhost", "\xff")),
    ("Referer", ("http://[", "about:blank", "http://evil.example/x")),
    ("Sec-Fetch-Site", ("cross-site", "same-origin", "none", "what")),
    ("Cookie", ("a=b; a=b", "bribeproof-token=%", '"', "=" * 100, f"bribeproof-token={TOKEN}x")),
    ("Authorization", ("Bearer", "Bearer  ", "Basic \xff", "bearer " + "x" * 3000)),
    ("Accept-Encoding", ("gzip, br;q=nan", "*;q=9")),
    ("Range", ("bytes=0-0,1-1", "bytes=-", "bytes=9-1", "lines=1-2")),
    ("If-Modified-Since", ("yesterday", "Thu, 99 Foo 2020 00:00:00 GMT")),
    ("Expect", ("100-continue", "200-ok")),
    ("Upgrade", ("websocket", "h2c")),
    ("Connection", ("close", "keep-alive, Upgrade")),
    ("Content-Encoding", ("gzip", "what")),
    ("X-Long", ("x" * 9000, "x" * 70_000)),
    ("X bad", ("1",)),
    ("Host", ("evil.example", "localhost", "")),
)
TYPES = (
    "application/json", "application/json; charset=utf-16", "text/plain", "application/x-www-form-urlencoded",
    "multipart/form-data", "multipart/form-data; boundary=b", 'multipart/form-data; boundary="',
    "multipart/mixed; boundary=b",
    "multipart/form-data; boundary=" + "b" * 300, "what", "",
)  # fmt: skip


def target(draw: random.Random) -> str:
    """Return a path and a query, both perhaps malformed."""
    if draw.random() < 0.6:  # only one thing is odd, so that the request gets past the address
        path = draw.choice(PATHS[:11])
        return f"{path}?{draw.choice(NAMES)}={draw.choice(VALUES[:10])}" if draw.random() < 0.7 else path
    path = draw.choice(PATHS)
    fields = [f"{draw.choice(NAMES)}={draw.choice(VALUES)}" for _ in range(draw.choice((0, 0, 1, 2, 3, 300)))]
    if fields and draw.random() < 0.2:
        fields.append(fields[0])
    return path + ("?" + draw.choice(("&", "&", ";")).join(fields) if fields else "")


def json_body(draw: random.Random) -> bytes:
    """Return JSON, sound or not."""
    row: dict[str, object] = {
        "task": draw.choice(("t1", 1, None, [], {}, "\u0000")),
        "worker": "a",
        "label": draw.choice((1, "x", 1e308, True)),
    }
    body: dict[str, object] = {
        "k": draw.choice((1, -1, 1.5, "1", None, 10**30, True)), "rows": draw.choice(([row] * 3, [], {}, [1], row)),
        "n": draw.choice((5, 10**9, "5", -1)), "prior": draw.choice((0.5, 2, "0.5", None)), "tpr": 0.8, "fpr": 0.1,
    }  # fmt: skip
    whole = json.dumps(body).encode()
    return draw.choice(
        (
            whole, whole, whole[:-1], whole + b"x", b"[" * 50_000, b"NaN", b'{"k": Infinity}', b'{"k": 1, "k": 2}', b"",
            b"\xff\xfe", whole.decode().encode("utf-16"), b'"\\ud800"', b'{"k": ' + b"9" * 5000 + b"}", b"null",
            b"\xef\xbb\xbf" + whole,
        )
    )  # fmt: skip


def multipart_body(draw: random.Random) -> bytes:
    """Return a form with a file, sound or not."""
    name = draw.choice(('"file"', '"file', '""', '"k"', "file", '"fi\r\nle"'))
    file = draw.choice(
        ('"a.csv"', '"../../a.csv"', '"' + "a" * 5000 + '.csv"', '"a.parquet"', '"\xff.json"', '"a\x00.csv"')
    )
    content = draw.choice((b"task,worker,label\nt1,a,1\nt1,b,1\n", b"", b"\x00", b"PAR1PAR1", b"[" * 1000))
    part = f"--b\r\nContent-Disposition: form-data; name={name}; filename={file}\r\n".encode("latin-1")
    body = part + draw.choice((b"\r\n", b"\r\n", b"Content-Type: \xff\r\n\r\n", b"")) + content
    return (body + b"\r\n") * draw.choice((1, 1, 2, 1500)) + draw.choice((b"--b--\r\n", b"--b--", b"--b", b""))


def chunked(draw: random.Random, body: bytes) -> bytes:
    """Return a chunked body, sound or not."""
    size = draw.choice((f"{len(body):x}", f"{len(body) + 1:x}", "zz", "-1", "f" * 20, f"{len(body):x};x=y"))
    return size.encode() + b"\r\n" + body + draw.choice((b"\r\n0\r\n\r\n", b"\r\n0\r\nX: y\r\n\r\n", b"\r\n0", b""))


def request(draw: random.Random, token: str | None) -> bytes:
    """Return one request, with a mistake or an oddity in some of its parts."""
    method = draw.choice(
        ("GET",) * 6 + ("POST",) * 8 + ("HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "get", "G\xffT", "A" * 99)
    )
    version = draw.choice(("HTTP/1.1",) * 12 + ("HTTP/1.0", "HTTP/2.0", "HTTP/9", "http/1.1", ""))
    headers = [("Host", "localhost")] * draw.choice((1,) * 12 + (0, 2))
    if token and draw.random() < 0.7:
        headers.append(("Authorization", f"Bearer {token}"))
    for name, values in draw.sample(HEADERS, draw.choice((0, 0, 0, 0, 1, 2, 4))):
        headers.append((name, draw.choice(values)))
    headers += [("X", "y")] * draw.choice((0,) * 9 + (2000,))
    body = b""
    if method == "POST" or draw.random() < 0.1:
        kind = draw.choice(TYPES)
        body = multipart_body(draw) if "multipart" in kind or draw.random() < 0.1 else json_body(draw)
        headers.append(("Content-Type", kind))
        form = draw.choice(("length",) * 8 + ("chunked", "chunked", "both", "none", "wrong"))
        if form in {"length", "both"}:
            headers.append(("Content-Length", str(len(body))))
        if form in {"chunked", "both"}:
            headers.append(("Transfer-Encoding", draw.choice(("chunked", "chunked", "gzip", "chunked, chunked"))))
            body = chunked(draw, body)
        if form == "wrong":
            headers.append(("Content-Length", draw.choice(("-1", "x", "1_0", "9" * 30, str(len(body) + 9), "1, 2"))))
    end = draw.choice(("\r\n",) * 12 + ("\n", "\r"))
    lines = [f"{method} {target(draw)} {version}".rstrip(), *(f"{name}: {value}" for name, value in headers), "", ""]
    whole = end.join(lines).encode("utf-8" if draw.random() < 0.2 else "latin-1", "replace") + body
    match draw.randrange(20):
        case 0:
            return whole[: draw.randrange(len(whole) + 1)]
        case 1:
            return whole * draw.choice((2, 3, 10))  # pipelined
        case 2:
            flipped = bytearray(whole)
            for _ in range(5):
                flipped[draw.randrange(len(flipped))] = draw.randrange(256)
            return bytes(flipped)
        case 3:
            return draw.randbytes(draw.randrange(1, 3000))
    return whole


def exchange(port: int, data: bytes) -> bytes:
    """Send a request and return what the server sends until it closes, or is silent after an answer."""
    parts = []
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
        try:
            connection.sendall(data)
            while part := connection.recv(1 << 16):
                parts.append(part)
                connection.settimeout(1)
        except ConnectionError:
            pass
        except TimeoutError:
            if not parts:
                raise
    return b"".join(parts)


def timed(port: int, data: bytes) -> tuple[bytes, float]:
    """Return the answer to a request, an empty one without it, and the seconds it took."""
    begun = time.monotonic()
    try:
        answer = exchange(port, data)
    except TimeoutError:
        answer = b""
    return answer, time.monotonic() - begun


def run(token: str | None, requests: int, seed: int, record: Callable[[str], object]) -> list[str]:
    """Send the requests to a server of its own, record each status, and return the faults."""
    faults: list[str] = []
    slowest = 0.0
    draw = random.Random(seed)  # noqa: S311
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        options = ["--host", "127.0.0.1", "--token", token] if token else []
        command = [sys.executable, "-m", "bribeproof", "explore", "--no-browser", "--port", "0", *options]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, "TMPDIR": folder}
        ) as server:
            assert server.stdout is not None  # noqa: S101
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline())
            assert found is not None  # noqa: S101
            port = int(found[1])
            sent = [request(draw, token) for _ in range(requests)]
            with ThreadPoolExecutor(AT_ONCE) as pool:
                answers = list(pool.map(lambda data: timed(port, data), sent))
            for number, (data, (answer, seconds)) in enumerate(zip(sent, answers, strict=True)):
                if seconds > LIMIT:
                    faults.append(f"request {number} of seed {seed}: no answer within {LIMIT:g} s ({data[:200]!r})")
                slowest = max(slowest, seconds)
                statuses = re.findall(rb"^HTTP/1\.1 (\d{3}) ", answer, re.MULTILINE)
                record(statuses[0].decode() if statuses else "closed")
                if any(status >= b"500" and status not in {b"501", b"503"} for status in statuses):
                    faults.append(f"request {number} of seed {seed}: {statuses} ({data[:200]!r}) {answer[-200:]!r}")
                if b"Traceback" in answer:
                    faults.append(f"request {number} of seed {seed}: a traceback in the answer")
            sound = (
                f"GET /panel HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
            )
            if not exchange(port, sound.encode()).startswith(b"HTTP/1.1 200 "):
                faults.append("a sound request is no longer answered")
            begun = time.monotonic()
            server.send_signal(signal.SIGTERM)
            status = server.wait(60)
            ended = time.monotonic() - begun
        if status != 128 + signal.SIGTERM or ended > 5:
            faults.append(f"SIGTERM: status {status} after {ended:.1f} s")
        if left := [path.name for path in Path(folder).iterdir()]:
            faults.append(f"files left: {left}")
        errors.seek(0)
        if complaints := errors.read().decode("utf-8", "replace"):
            faults.append(f"on stderr: {complaints[-3000:]}")
    record(f"slowest {slowest:.1f} s, ended in {ended:.1f} s")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"{options.requests:,} requests, seed {options.seed}\n\n"
        "| server | first answer | times | faults |\n|---|---|---|---|"
    )
    all_faults = []
    for name, token in (("without a token", None), ("with a token", TOKEN)):
        seen: list[str] = []
        faults = run(token, options.requests, options.seed, seen.append)
        counts = ", ".join(f"{status}: {count}" for status, count in sorted(Counter(seen[:-1]).items()))
        print(f"| {name} | {counts} | {seen[-1]} | {len(faults)} |", flush=True)
        all_faults += faults
    print(*all_faults, sep="\n", file=sys.stderr)
    return bool(all_faults)


if __name__ == "__main__":
    sys.exit(main())
