"""Who may ask the page: names of the host, tokens, other pages, sizes, and headers that keep a browser in bounds."""

import asyncio
import json
import socket
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

import httpx2 as httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from bribeproof.explorer.app import create_app
from bribeproof.explorer.serving.request_body import RequestBodyMiddleware
from bribeproof.explorer.serving.security import COOKIE, SecurityMiddleware
from bribeproof.explorer.settings import Settings
from tests.explorer.serving.test_connections import running

LIMIT = 1000
TOKEN = "a-token-of-24-bytes"  # noqa: S105
SMALL = Settings(body_bytes=LIMIT, upload_bytes=3 * LIMIT)
LOCKED = Settings(token=TOKEN)


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Say how many bytes arrived, and with which query: an application that reads all that it is given."""
    request = Request(scope, receive)
    answer = PlainTextResponse(f"{len(await request.body())} {scope['query_string'].decode()}")
    await answer(scope, receive, send)


def _behind(settings: Settings, name: str = "127.0.0.1") -> TestClient:
    """Ask an application behind the middleware."""
    app = SecurityMiddleware(RequestBodyMiddleware(_echo, settings), settings)
    return TestClient(app, base_url=f"http://{name}", follow_redirects=False)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8765", 200),
        ("localhost:1", 200),
        ("LOCALHOST", 200),
        ("[::1]:8765", 200),
        ("127.0.0.1.evil.example", 421),
        ("evil.example", 421),
        ("localhost.evil.example:8765", 421),
        ("evil.example@127.0.0.1.evil.example", 421),
        ("[::1", 421),
        ("", 421),
        ("192.168.0.7", 421),
    ],
)
def test_only_names_of_this_machine_are_answered(host: str, status: int) -> None:
    answer = _behind(Settings()).get("/panel", headers={"Host": host})
    assert answer.status_code == status
    if status == 421:
        assert answer.text == "this page answers under the names localhost, 127.0.0.1 and [::1] only\n"


@given(st.from_regex(r"[a-z0-9.:@\[\]-]{1,30}", fullmatch=True))
def test_no_other_name_gets_in(host: str) -> None:
    own = host.rsplit("@", 1)[-1].rsplit(":", 1)[0] in ("localhost", "127.0.0.1", "[::1]") or host in (
        "localhost",
        "127.0.0.1",
    )
    assert own or _behind(Settings()).get("/", headers={"Host": host}).status_code == 421


def test_with_a_token_other_names_are_answered() -> None:
    client = _behind(LOCKED, "jury.example:8765")
    assert client.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"}, 403),
    ],
)
def test_another_page_cannot_post(headers: dict[str, str], status: int) -> None:
    client = _behind(Settings())
    assert client.post("/api/panel", headers=headers, content=b"x").status_code == status
    assert client.get("/api/panel", headers=headers).status_code == status


IMAGE = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
LINK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FRAME = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
OLD = {"User-Agent": "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/15.0 Safari/605.1.15"}
PAGE = {**OLD, "Accept": "text/html,*/*"}
DEAR = "/attack?n=200&items=1000&draws=20&weighed=yes"
ASKED, SERVED, REFUSED = "a link from another web page", "0 n=200&items=1000&draws=20&weighed=yes", "comes from another"


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, SERVED),
        ({"User-Agent": "curl/8.0", "Accept": "*/*"}, SERVED),
        ({"User-Agent": "Mozilla/5.0 (Windows NT 10.0) WindowsPowerShell/5.1"}, SERVED),
        *(({"Sec-Fetch-Site": site, **what}, SERVED) for site in ("none", "same-origin") for what in (IMAGE, LINK)),
        *(
            ({"Sec-Fetch-Site": site, **what}, said)
            for site in ("cross-site", "same-site", "anything")
            for what, said in ((IMAGE, REFUSED), (FRAME, REFUSED), (LINK, ASKED), ({}, REFUSED))
        ),
        ({**OLD, "Accept": "image/*", "Referer": "http://127.0.0.1/attack"}, SERVED),
        ({**OLD, "Accept": "image/*", "Referer": "https://evil.example/"}, REFUSED),
        ({**OLD, "Accept": "image/*"}, REFUSED),
        ({**OLD, "Origin": "null"}, REFUSED),
        ({**OLD, "Referer": "http://["}, REFUSED),
        (PAGE, ASKED),
        ({**PAGE, "Referer": "https://evil.example/"}, ASKED),
        ({**PAGE, "Referer": "http://127.0.0.1/attack"}, SERVED),
    ],
)
def test_another_page_starts_no_work(headers: dict[str, str], said: str) -> None:
    answer = _behind(Settings()).get(DEAR, headers=headers)
    assert said.casefold() in answer.text.casefold()
    assert answer.status_code == (403 if said == REFUSED else 200)


def test_a_link_on_another_page_opens_the_page_and_asks_before_it_computes() -> None:
    client = _behind(Settings())
    link = {"Sec-Fetch-Site": "cross-site", **LINK}
    assert client.get("/attack", headers=link).text == "0 "
    asking = client.get("/attack?copy=%22%3E%3Cb%3E", headers=link).text
    assert 'href="/attack?copy=%22%3E%3Cb%3E"' in asking
    assert "<b>" not in asking
    assert "<script" not in asking
    assert client.post("/attack", headers=link).status_code == 403


def test_a_link_with_a_token_asks_first_since_the_cookie_is_for_this_page_alone() -> None:
    client = _behind(LOCKED)
    link = {"Sec-Fetch-Site": "cross-site", **LINK}
    assert f'href="/panel?token={TOKEN}"' in client.get(f"/panel?token={TOKEN}", headers=link).text
    assert "a link from another web page" in client.get("/", headers=link).text.lower()
    typed = client.get(f"/panel?token={TOKEN}", headers=PAGE)  # without HTTPS, browsers tell no other machine more
    assert typed.status_code == 303


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "http://127.0.0.1:99999999", "http://\xff", "[", "//", ""]
)
def test_a_malformed_origin_is_refused_and_no_error(origin: str) -> None:
    status = _behind(Settings()).post("/api/panel", headers={b"Origin": origin.encode("latin-1")}).status_code
    assert status == (403 if origin else 200)


@pytest.mark.parametrize(
    "path",
    [
        "/%2fevil.example", "//evil.example", "/%5cevil.example", "/.//evil.example", "/./evil.example", "/..//a",
        "/%2e%2fevil.example", "/panel//", "/a%0d%0aSet-Cookie:b", "/%00", "/%09/evil.example", "/%ff", "/\\evil",
    ],
)  # fmt: skip
def test_no_address_redirects_to_another_host(path: str) -> None:
    for settings in (LOCKED, Settings()):
        answer = _asked(settings, f"{path}?token={TOKEN}".encode())
        assert answer[0] == 400
        assert b"location" not in dict(answer[1])


def _asked(settings: Settings, target: bytes) -> tuple[int, list[tuple[bytes, bytes]]]:
    """Ask for a target as it stands, which no client library does; return the status and the headers."""
    path, _, query = target.partition(b"?")
    scope = {
        "type": "http", "method": "GET", "path": unquote(path.decode()), "raw_path": path, "query_string": query,
        "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(SecurityMiddleware(_echo, settings)(scope, receive, send))
    return sent[0]["status"], sent[0]["headers"]


@pytest.mark.parametrize("host", ["evil.example/", "a b", "a:b", "[::1", "[", "a@b", "a..b", "", "x" * 10 + ":123456"])
def test_with_a_token_a_malformed_host_is_refused(host: str) -> None:
    answer = _behind(LOCKED).get("/", headers={"Host": host, "Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("k=1&k=0", "the field 'k' appears twice"),
        ("k=1&n=5&k=1", "the field 'k' appears twice"),
        ("k&k=", "the field 'k' appears twice"),
        (f"token={TOKEN}&token=x", "the field 'token' appears twice"),
        ("k=%", "two hexadecimal digits"),
        ("k=%zz", "two hexadecimal digits"),
        ("k=%ff", "not UTF-8"),
        ("k=%00", "null byte"),
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_refused(query: str, said: str) -> None:
    for settings in (LOCKED, Settings()):
        answer = _behind(settings).get(f"/panel?{query}")
        assert answer.status_code == 400
        assert said in answer.text


def test_the_token_of_the_address_becomes_a_cookie_and_leaves_the_address() -> None:
    client = _behind(LOCKED)
    assert client.get("/panel").status_code == 401
    answer = client.get(f"/panel?n=3&token={TOKEN}&k=1&loss=")
    assert (answer.status_code, answer.headers["location"]) == (303, "/panel?n=3&k=1&loss=")
    kept = answer.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=strict" in kept
    assert client.get("/panel?n=3").text == "0 n=3"
    assert client.get(f"/?token={TOKEN}").status_code == 200
    assert _behind(LOCKED).get(f"/?token={TOKEN}").headers["location"] == "/"


def test_a_program_may_give_the_token_in_the_address_but_another_page_may_not() -> None:
    client = _behind(LOCKED)
    assert client.post(f"/api/panel?token={TOKEN}", content=b"x").status_code == 200
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert client.post(f"/api/panel?token={TOKEN}", content=b"x", headers=headers).status_code == 403


@pytest.mark.parametrize("token", ["a&b=c d", "ü", "日本", 'quo"te;x,y', "%41"])
def test_a_token_may_be_any_text(token: str) -> None:
    client = _behind(Settings(token=token))
    assert client.get("/panel", params={"token": token}).status_code == 303
    assert client.get("/panel").status_code == 200


@pytest.mark.parametrize("path", ["/panel", "/api/panel", "/static/explorer.js", "/nothing"])
def test_nothing_is_told_without_the_token(path: str) -> None:
    with TestClient(create_app(LOCKED), base_url="http://127.0.0.1", follow_redirects=False) as client:
        for headers in (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": f"Basic {TOKEN}"},
            {"Authorization": "Bearer"},
            {"Cookie": f"{COOKIE}=wrong"},
            {"Cookie": "\x01;=;"},
        ):
            answer = client.get(path, headers=headers)
            assert answer.status_code == 401, headers
            assert "a token is needed" in answer.text
        for headers in (
            {"Authorization": f"Bearer {TOKEN}"},
            {"Authorization": f"bearer  {TOKEN}"},
            {"Cookie": f"{COOKIE}={TOKEN}"},
        ):
            assert client.get(path, headers=headers).status_code != 401, headers


def test_whether_it_answers_is_told_without_the_token_and_nothing_else() -> None:
    with TestClient(create_app(LOCKED), base_url="http://10.0.0.7:8765", follow_redirects=False) as client:
        answer = client.get("/health")
        assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, "ok\n", "no-store")
        assert client.head("/health").status_code == 200
        assert [client.get(path).status_code for path in ("/health/", "/health/x", "//health", "/Health")] == [401] * 4
        assert client.post("/health", content=b"x").status_code == 401
        assert client.get("/health", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    with TestClient(create_app(Settings()), base_url="http://evil.example") as client:
        assert client.get("/health").status_code == 421


@given(st.text(max_size=40))
def test_no_other_token_gets_in(token: str) -> None:
    answer = _behind(LOCKED).get("/panel", params={"token": token})
    assert token == TOKEN or answer.status_code == (400 if "\x00" in token else 401)


@pytest.mark.parametrize("token", ["ü", "日本", "a b", "%", ""])
def test_a_strange_token_is_refused_and_no_error(token: str) -> None:
    client = _behind(LOCKED)
    assert client.get("/", params={"token": token}).status_code == 401
    assert client.get("/", headers={b"Cookie": f"{COOKIE}={token}".encode()}).status_code == 401
    assert client.get("/", headers={b"Authorization": f"Bearer {token}".encode()}).status_code == 401


def _chunks(size: int, chunk: int) -> Iterator[bytes]:
    """Yield a body in pieces, so that its length is in no header."""
    for start in range(0, size, chunk):
        yield b"x" * min(chunk, size - start)


@given(st.integers(0, 5 * LIMIT), st.integers(1, 700), st.booleans())
def test_a_body_is_taken_up_to_the_limit_and_not_beyond(size: int, chunk: int, chunked: bool) -> None:
    body = _chunks(size, chunk) if chunked else b"x" * size
    answer = _behind(SMALL).post("/api/panel", content=body)
    if size <= LIMIT:
        assert (answer.status_code, answer.text) == (200, f"{size} ")
    else:
        assert answer.status_code == 413
        assert "larger than" in json.loads(answer.text)["error"]


@pytest.mark.parametrize(
    ("path", "most"),
    [("/data", 3 * LIMIT), ("/attack", 3 * LIMIT), ("/api/aggregate/file", 3 * LIMIT), ("/panel", LIMIT)],
)
def test_a_file_may_be_larger(path: str, most: int) -> None:
    client = _behind(SMALL)
    assert client.post(path, content=b"x" * most).status_code == 200
    assert client.post(path, content=b"x" * (most + 1)).status_code == 413


def test_an_application_that_fails_fails_as_before() -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        TestClient(SecurityMiddleware(broken, SMALL), base_url="http://localhost").post("/", content=b"x")


@pytest.mark.parametrize("path", ["/panel", "/", "/static/explorer.js", "/nothing", "/api/panel", "/panel?n=0"])
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_every_answer_keeps_a_browser_in_bounds(client: TestClient, path: str, host: str) -> None:
    headers = client.get(path, headers={"Host": host}, follow_redirects=False).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/panel", "/data", "/attack", "/api"])
def test_no_page_has_a_script_or_a_handler_in_it(client: TestClient, path: str) -> None:
    page = client.get(path).text
    assert "<script src=" in page
    assert page.count("<script") == page.count('<script src="/static/')
    assert " onclick" not in page
    assert "javascript:" not in page


@pytest.fixture(scope="module")
def small_site() -> Iterator[str]:
    with running(SMALL) as site:
        yield f"http://127.0.0.1:{site.port}"


@pytest.mark.parametrize("size", [LIMIT + 1, 3 * LIMIT, 200 * LIMIT])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_real_server_says_that_it_is_too_much(small_site: str, size: int, chunked: bool) -> None:
    body: bytes | Iterator[bytes] = _chunks(size, 333) if chunked else b"x" * size
    headers = {"Content-Type": "application/json"}
    try:
        answer = httpx.post(f"{small_site}/api/panel", content=body, headers=headers, timeout=60)
    except httpx.NetworkError:  # while it writes, or while it reads
        assert size > 4 * LIMIT  # so much more is not read to its end
        return
    assert answer.status_code == 413
    assert "larger than" in answer.json()["error"]
    assert httpx.get(f"{small_site}/panel", timeout=60).status_code == 200


def test_an_upload_that_is_too_large_is_refused_by_a_real_server(small_site: str) -> None:
    answer = httpx.post(f"{small_site}/data", files={"file": ("a.csv", b"x" * (4 * LIMIT))}, timeout=60)
    assert answer.status_code == 413
    assert "the largest size accepted" in answer.text


def _raw(address: str, lines: Sequence[str]) -> bytes:
    """Send a request as it stands, and return what comes back."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return connection.recv(10_000)


def test_a_real_server_refuses_other_names_and_broken_requests(small_site: str) -> None:
    assert _raw(small_site, ["GET /panel HTTP/1.1", "Host: evil.example"]).startswith(b"HTTP/1.1 421")
    assert _raw(small_site, ["GET /panel HTTP/1.1"]).startswith((b"HTTP/1.1 400", b"HTTP/1.1 421"))
    assert _raw(small_site, ["GET /static/../app.py HTTP/1.1", "Host: localhost"]).startswith(b"HTTP/1.1 400")
    assert _raw(small_site, ["GET /static/%2e%2e/app.py HTTP/1.1", "Host: localhost"]).startswith(b"HTTP/1.1 400")
