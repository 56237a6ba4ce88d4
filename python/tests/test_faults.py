"""Responses that are defective, incomplete or temporary failures."""

from __future__ import annotations

import pickle
import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

import pytest

from assay_client import AssayConnectionError, AssayError, Client
from fault_server import (
    FaultServer,
    Step,
    chunked,
    compressed,
    json_response,
    ndjson,
    problem,
    reset,
    response,
    stream_response,
    wait_for_disconnect,
)

IDS = [{"id": str(number)} for number in range(100)]
BODY = ndjson(100)
GZIPPED = compressed(BODY)

INCOMPLETE_STREAMS: dict[str, list[Step]] = {
    "reset in the middle": [stream_response(BODY[:500], length=len(BODY)), reset],
    "short body": [stream_response(BODY[:500], length=len(BODY))],
    "short body that ends with a line": [stream_response(ndjson(50), length=len(BODY))],
    "truncated chunk": [chunked([BODY])[:-200]],
    "missing last chunk": [chunked([BODY[:600], BODY[600:]], is_complete=False)],
    "truncated gzip": [stream_response(GZIPPED[:-60], Content_Encoding="gzip")],
    "gzip without trailer": [stream_response(GZIPPED[:-8], Content_Encoding="gzip")],
    "gzip with a wrong checksum": [
        stream_response(GZIPPED[:-8] + b"12345678", Content_Encoding="gzip")
    ],
    "truncated gzip, length unknown": [
        stream_response(GZIPPED[:-9], length=None, Content_Encoding="gzip")
    ],
    "not gzip": [stream_response(BODY, Content_Encoding="gzip")],
    "missing last newline": [stream_response(BODY[:-1])],
    "no length at all": [stream_response(BODY, length=None)],
    "invalid length": [stream_response(BODY, length=None, Content_Length="many")],
    "no JSON in a line": [stream_response(b'{"id": "0"}\n{"id":\n')],
}


@pytest.fixture
def delays(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The delays before retries, without waiting for them."""
    seconds: list[float] = []
    monkeypatch.setattr("assay_client._http.time", FakeClock(seconds))
    return seconds


class FakeClock:
    def __init__(self, seconds: list[float]) -> None:
        self.sleep = seconds.append


@pytest.mark.parametrize("name", INCOMPLETE_STREAMS)
def test_incomplete_stream_raises(name: str, delays: list[float]) -> None:
    with FaultServer(INCOMPLETE_STREAMS[name]) as server:
        records = Client(server.url).scenarios("x")
        seen: list[object] = []
        with pytest.raises(AssayConnectionError) as caught:
            seen.extend(iter_into(records, seen))
        assert seen == IDS[: len(seen)]
        assert caught.value.code == "connection-failed"
        assert caught.value.__cause__ is not None
        # Records that were returned already must not be returned again.
        assert len(server.requests) == (1 if seen else 3)
        with pytest.raises(AssayConnectionError):
            next(records)


def iter_into(records: Iterator[object], seen: list[object]) -> Iterator[object]:
    for record in records:
        seen.append(record)
    yield from ()


@pytest.mark.parametrize("name", INCOMPLETE_STREAMS)
def test_incomplete_stream_is_not_cached(name: str, delays: list[float]) -> None:
    first = INCOMPLETE_STREAMS[name][0]
    assert isinstance(first, bytes)
    with_etag = first.replace(b"\r\n", b'\r\nETag: "a"\r\n', 1)
    steps = [with_etag, *INCOMPLETE_STREAMS[name][1:]]
    with FaultServer(steps, stream_response(BODY)) as server:
        client = Client(server.url, retries=0)
        with pytest.raises(AssayConnectionError):
            list(client.scenarios("x"))
        assert list(client.scenarios("x")) == IDS
        assert "if-none-match" not in server.requests[1].headers


COMPLETE_STREAMS: dict[str, list[Step]] = {
    "with a length": [stream_response(BODY)],
    "empty": [stream_response(b"")],
    "in chunks": [chunked([BODY[:7], BODY[7:500], BODY[500:]])],
    "compressed": [stream_response(GZIPPED, Content_Encoding="gzip")],
    "compressed, length unknown": [stream_response(GZIPPED, length=None, Content_Encoding="gzip")],
    "compressed in two members": [
        stream_response(
            compressed(BODY[:555]) + compressed(BODY[555:]), length=None, Content_Encoding="gzip"
        )
    ],
    "byte by byte": [
        stream_response(b"", length=len(BODY)),
        *(BODY[index : index + 1] for index in range(len(BODY))),
    ],
}


@pytest.mark.parametrize("name", COMPLETE_STREAMS)
def test_complete_stream_returns_all_records(name: str) -> None:
    with FaultServer(COMPLETE_STREAMS[name]) as server:
        records = list(Client(server.url).scenarios("x"))
        assert records == ([] if name == "empty" else IDS)
        assert len(server.requests) == 1


def test_stream_is_retried_before_the_first_record(delays: list[float]) -> None:
    broken = [stream_response(b'{"id"', length=len(BODY)), reset]
    with FaultServer(broken, stream_response(BODY)) as server:
        assert list(Client(server.url).scenarios("x")) == IDS
        assert len(delays) == 1


def test_highly_compressed_stream_is_decompressed_in_parts() -> None:
    line = b'{"id": "' + b"a" * 3_000_000 + b'"}\n'
    body = compressed(line * 10)
    with FaultServer(stream_response(body, Content_Encoding="gzip")) as server:
        assert [len(record["id"]) for record in Client(server.url).scenarios("x")] == [
            3_000_000
        ] * 10


@pytest.mark.parametrize(
    "broken",
    [
        [response(b'{"id": "x"', length=11), reset],
        [response(b'{"id": "x"', length=11)],
        [response(b'{"id": "x"', length=None)],
        [response(compressed(b'{"id": "x"}')[:-3], length=None, Content_Encoding="gzip")],
        [reset],
        [b"HTTP/1.1 "],
        [b"no HTTP at all\r\n\r\n"],
    ],
)
def test_incomplete_document_is_read_again(broken: list[Step], delays: list[float]) -> None:
    with FaultServer(broken, json_response({"id": "x"})) as server:
        assert Client(server.url).get_evaluation("x") == {"id": "x"}
        assert len(server.requests) == 2
        assert 0.75 <= delays[0] <= 1.25
    with FaultServer(broken) as server:
        with pytest.raises(AssayConnectionError):
            Client(server.url).get_evaluation("x")
        assert len(server.requests) == 3
        assert 1.5 <= delays[-1] <= 2.5


def test_503_is_retried_after_the_time_that_the_service_requests(delays: list[float]) -> None:
    overloaded = problem("503 Service Unavailable", "overloaded", Retry_After="3")
    with FaultServer(overloaded, json_response({"id": "x"})) as server:
        assert Client(server.url).get_evaluation("x") == {"id": "x"}
    assert delays == [3.0]


def test_long_retry_after_is_left_to_the_caller(delays: list[float]) -> None:
    with FaultServer(problem("503 Service Unavailable", "overloaded", Retry_After="31")) as server:
        with pytest.raises(AssayError) as caught:
            list(Client(server.url).scenarios("x"))
        assert (caught.value.status, caught.value.retry_after) == (503, 31.0)
        assert (len(server.requests), delays) == (1, [])


def test_retry_after_can_be_a_date(delays: list[float]) -> None:
    date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=10), usegmt=True)
    limited = problem("429 Too Many Requests", "too-many-requests", Retry_After=date)
    with FaultServer(limited, stream_response(BODY)) as server:
        assert list(Client(server.url).scenarios("x")) == IDS
    assert 8 <= delays[0] <= 10


@pytest.mark.parametrize("header", ["soon", "", "Tue, 99 Nov", "-1"])
def test_invalid_retry_after_is_ignored(header: str, delays: list[float]) -> None:
    limited = problem("429 Too Many Requests", "too-many-requests", Retry_After=header)
    with FaultServer(limited, json_response({"id": "x"})) as server:
        assert Client(server.url).get_evaluation("x") == {"id": "x"}
    assert 0.75 <= delays[0] <= 1.25


def test_429_raises_after_the_last_retry(delays: list[float]) -> None:
    with FaultServer(problem("429 Too Many Requests", "too-many-requests")) as server:
        with pytest.raises(AssayError, match="Detail of too-many-requests") as caught:
            Client(server.url).get_evaluation("x")
        assert caught.value.hint == "Try again later."
        assert len(server.requests) == 3


@pytest.mark.parametrize("status", ["400 Bad Request", "404 Not Found", "500 Internal Error"])
def test_other_errors_are_not_retried(status: str, delays: list[float]) -> None:
    with FaultServer(problem(status, "some-code")) as server:
        with pytest.raises(AssayError) as caught:
            Client(server.url).get_evaluation("x")
        assert caught.value.code == "some-code"
        assert (len(server.requests), delays) == (1, [])


def test_write_is_retried_with_the_same_idempotency_key(delays: list[float]) -> None:
    busy = problem("409 Conflict", "request-in-progress", Retry_After="1")
    with FaultServer([reset], busy, json_response({"id": "x"})) as server:
        assert Client(server.url).request("POST", ["evaluations"], body={"id": "x"}) == {"id": "x"}
        assert {request.body for request in server.requests} == {b'{"id": "x"}'}
        assert len({request.headers["idempotency-key"] for request in server.requests}) == 1
        assert len(server.requests) == 3


def test_each_write_has_its_own_idempotency_key() -> None:
    with FaultServer(json_response({})) as server:
        client = Client(server.url)
        client.request("PATCH", ["evaluations", "x"], body={"name": "a"})
        client.request("PATCH", ["evaluations", "x"], body={"name": "a"})
        assert len({request.headers["idempotency-key"] for request in server.requests}) == 2


def test_new_share_link_is_not_retried(delays: list[float]) -> None:
    with FaultServer([reset], json_response({})) as server:
        with pytest.raises(AssayConnectionError):
            Client(server.url).request("POST", ["shares"], body={})
        assert len(server.requests) == 1
        assert "idempotency-key" not in server.requests[0].headers


def test_error_response_before_the_end_of_an_upload_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    file.write_bytes(b"x" * 50_000_000)
    rejected = problem("401 Unauthorized", "unauthorized")
    with FaultServer([rejected, reset]) as server:
        with pytest.raises(AssayError) as caught:
            Client(server.url, retries=0).import_file(file)
        assert caught.value.code == "unauthorized"


def test_file_is_sent_again_from_its_beginning(tmp_path: Path, delays: list[float]) -> None:
    file = tmp_path / "small é.jsonl"
    file.write_bytes(b"some bytes")
    with FaultServer([reset], json_response({"stored": True})) as server:
        assert Client(server.url).import_file(file, dry_run=True) == {"stored": True}
        assert [request.body for request in server.requests] == [b"some bytes"] * 2
        assert server.requests[0].target == "/api/imports?name=small%20%C3%A9.jsonl&dry_run=true"
        assert server.requests[0].headers["content-length"] == "10"


def test_missing_file_raises_before_any_request(tmp_path: Path) -> None:
    with FaultServer(json_response({})) as server:
        with pytest.raises(FileNotFoundError):
            Client(server.url).import_file(tmp_path / "missing")
        assert server.requests == []


def test_slow_response_raises_after_the_timeout() -> None:
    for sent in (b"", stream_response(BODY[:0], length=9)):
        with (
            FaultServer([sent, wait_for_disconnect]) as server,
            pytest.raises(AssayConnectionError, match="did not respond in time"),
        ):
            list(Client(server.url, timeout=0.2, retries=0).scenarios("x"))


def test_connection_failure_names_the_url_and_the_reason() -> None:
    with FaultServer() as server:
        url = server.url
    with pytest.raises(AssayConnectionError, match=rf"The connection to {url} failed: .*refused"):
        Client(url, retries=0).get_evaluation("x")


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_redirect_is_not_followed(status: str) -> None:
    with FaultServer(json_response({"id": "x"})) as other:
        moved = response(status=status, Location=f"{other.url}/api/evaluations/x")
        with FaultServer(moved) as server:
            for read in (
                lambda: Client(server.url, "secret").get_evaluation("x"),
                lambda: list(Client(server.url, "secret").scenarios("x")),
                lambda: Client(server.url, "secret").request("POST", ["evaluations"], body={}),
            ):
                with pytest.raises(AssayError, match="redirects to") as caught:
                    read()
                assert "new address" in (caught.value.hint or "")
        assert other.requests == []


@pytest.mark.parametrize("status", ["200 OK", "403 Forbidden", "502 Bad Gateway"])
def test_page_of_a_proxy_is_not_a_response_of_the_service(status: str) -> None:
    page = response(b"<html>Log in</html>", status=status, media_type="text/html")
    with FaultServer(page) as server:
        client = Client(server.url)
        for read in (
            lambda: client.get_evaluation("x"),
            lambda: list(client.scenarios("x")),
            lambda: list(client.evaluations()),
            lambda: client.request("POST", ["evaluations"], body={}),
        ):
            with pytest.raises(AssayError, match="does not come from an Assay service") as caught:
                read()
            assert caught.value.code is None
            assert caught.value.status == int(status[:3])
            assert caught.value.hint is not None


def test_unknown_encoding_raises() -> None:
    with FaultServer(response(b"{}", Content_Encoding="br")) as server:
        with pytest.raises(AssayError, match="encoding br"):
            Client(server.url).get_evaluation("x")


def test_304_that_was_not_requested_raises() -> None:
    with FaultServer(response(status="304 Not Modified")) as server, pytest.raises(AssayError):
        Client(server.url).get_evaluation("x")


def test_304_returns_the_same_records_again() -> None:
    gzipped = stream_response(GZIPPED, Content_Encoding="gzip", ETag='"a"')
    with FaultServer(gzipped, response(status="304 Not Modified", length=None)) as server:
        client = Client(server.url)
        records = list(client.scenarios("x"))
        records[0]["id"] = "changed by the caller"
        assert list(client.scenarios("x")) == IDS
        assert list(client.scenarios("x")) == IDS
        assert server.requests[1].headers["if-none-match"] == '"a"'
        assert len(server.requests) == 3


def test_304_returns_the_same_document_again() -> None:
    first = json_response([{"id": "x"}], ETag='"a"', Link='</api/evaluations?cursor=c>; rel="next"')
    last = json_response([{"id": "y"}], ETag='"b"')
    unchanged = response(status="304 Not Modified", length=None)
    with FaultServer(first, last, unchanged) as server:
        client = Client(server.url)
        assert [evaluation["id"] for evaluation in client.evaluations()] == ["x", "y"]
        assert [evaluation["id"] for evaluation in client.evaluations()] == ["x", "y"]
        assert [request.target for request in server.requests[:2]] == [
            "/api/evaluations?limit=200",
            "/api/evaluations?limit=200&cursor=c",
        ]
        assert [request.headers.get("if-none-match") for request in server.requests] == [
            None,
            None,
            '"a"',
            '"b"',
        ]


def test_changed_response_replaces_the_cached_one() -> None:
    with FaultServer(
        json_response({"id": "1"}, ETag='"a"'),
        json_response({"id": "2"}, ETag='"b"'),
        response(status="304 Not Modified", length=None),
    ) as server:
        client = Client(server.url)
        ids = [client.get_evaluation("x")["id"] for _ in range(3)]
        assert ids == ["1", "2", "2"]
        assert [request.headers.get("if-none-match") for request in server.requests] == [
            None,
            '"a"',
            '"b"',
        ]


def test_cache_distinguishes_queries() -> None:
    with FaultServer(json_response({}, ETag='"a"')) as server:
        client = Client(server.url)
        client.summary("x")
        client.summary("x", {"q": "word"})
        assert "if-none-match" not in server.requests[1].headers


def test_threads_share_a_client() -> None:
    with FaultServer(
        stream_response(GZIPPED, Content_Encoding="gzip", ETag='"a"'),
        *[response(status="304 Not Modified", length=None)] * 200,
    ) as server:
        client = Client(server.url)
        assert list(client.scenarios("x")) == IDS
        failures: list[object] = []

        def read() -> None:
            for _ in range(20):
                records = list(client.scenarios("x"))
                if records != IDS:
                    failures.append(records)

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(server.requests) == 161


def test_nothing_is_sent_before_the_first_record_is_read() -> None:
    with FaultServer(stream_response(BODY)) as server:
        records = Client(server.url).scenarios("x")
        assert server.requests == []
        assert next(records) == {"id": "0"}
        assert len(server.requests) == 1


def test_close_disconnects() -> None:
    endless = chunked([ndjson(1000) * 10] * 100)
    with FaultServer(endless * 4) as server:
        with Client(server.url).scenarios("x") as records:
            assert next(records) == {"id": "0"}
        with pytest.raises(ValueError, match="closed"):
            next(records)
        while server.disconnects == 0:
            time.sleep(0.01)
        assert server.disconnects == 1


def test_errors_can_be_pickled() -> None:
    with FaultServer(problem("404 Not Found", "evaluation-not-found")) as server:
        with pytest.raises(AssayError) as caught:
            Client(server.url).get_evaluation("x")
    for error in (caught.value, AssayConnectionError("failed", hint="Try again.")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), copy.__dict__) == (type(error), str(error), error.__dict__)


@pytest.mark.parametrize(
    "url",
    [
        "http://host:1",
        "http://host:1/",
        "http://host:1/api",
        "http://host:1/api/",
        " http://host:1\n",
    ],
)
def test_url_is_that_of_the_page_or_of_the_api(url: str) -> None:
    assert Client(url).url == "http://host:1"


def test_url_can_have_a_path() -> None:
    with FaultServer(json_response({})) as server:
        for suffix in ("/assay", "/assay/", "/assay/api"):
            client = Client(server.url + suffix, "key")
            client.get_evaluation("x")
            assert client.url == f"{server.url}/assay"
            assert server.requests[-1].target == "/assay/api/evaluations/x"
        assert server.requests[-1].headers["authorization"] == "Bearer key"
        assert server.requests[-1].headers["user-agent"].startswith("assay-client/")


@pytest.mark.parametrize(
    "url",
    [
        "evals.example#key=secret",
        "evals.example?key=secret",
        "http://user:secret@evals.example:port",
        "assay_secret",
        "http://host:port",
        "http://[::1",
        "ftp://host",
        "file:///etc/passwd",
        "http://",
        "",
        "http://host#key=k",
    ],
)
def test_invalid_url_is_rejected(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_URL", url or "x")
    with pytest.raises(ValueError, match="URL") as caught:
        Client()
    assert "secret" not in str(caught.value)


def test_key_is_in_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_KEY", "secret\n")
    with pytest.raises(ValueError, match="invalid characters") as caught:
        Client("http://host")
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(Client("http://host", "secret"))
    with pytest.raises(ValueError, match="fragment") as caught:
        Client("http://host/#key=secret", "key")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("id", ["", ".", "..", None, 1.5, True, "\ud800"])
def test_invalid_id_raises_before_any_request(id: str) -> None:
    with pytest.raises(ValueError, match="not a valid id"):
        Client("http://127.0.0.1:1").get_evaluation(id)


def test_parameters_that_the_methods_set_are_no_filters() -> None:
    with pytest.raises(ValueError, match="'limit' is not a filter"):
        Client("http://127.0.0.1:1").scenarios("x", {"limit": "5"})


def test_arguments_of_another_type_raise_before_any_request() -> None:
    client = Client("http://127.0.0.1:1")
    with pytest.raises(TypeError, match="filters must be a dict"):
        client.scenarios("x", "latency=gte.1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path must be a list"):
        client.request("GET", "evaluations")


def test_rows_of_a_comparison_that_changes_meanwhile_raise() -> None:
    def window(offset: int, etag: str) -> bytes:
        rows = [{"base": None, "candidates": []}] * 500
        return json_response({"total": 1000, "offset": offset, "rows": rows}, ETag=etag)

    with FaultServer(window(0, '"v1-json4"'), window(500, 'W/"v1-json4-gzip"')) as server:
        assert len(list(Client(server.url).comparison_rows("a", "b"))) == 1000
    with FaultServer(window(0, '"v1-json4"'), window(500, '"v2-json4"')) as server:
        with pytest.raises(AssayError, match="changed while its rows were read"):
            list(Client(server.url).comparison_rows("a", "b"))


def test_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(json_response({"id": "x"})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("no_proxy", "")
        assert Client("http://evals.example").get_evaluation("x") == {"id": "x"}
        assert proxy.requests[0].target == "http://evals.example/api/evaluations/x"
    with pytest.raises(AssayConnectionError, match="the proxy that the environment sets"):
        Client("http://evals.example", retries=0).get_evaluation("x")


def test_records_that_were_read_have_no_frame() -> None:
    with FaultServer(stream_response(BODY)) as server:
        records = Client(server.url).scenarios("x")
        assert list(records) == IDS
        assert list(records) == []
        with pytest.raises(ValueError, match="read already"):
            records.frame()


def test_interrupted_records_do_not_interrupt_the_next_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with FaultServer(stream_response(BODY)) as server:
        records = Client(server.url).scenarios("x")
        monkeypatch.setattr("assay_client._http.parse_json", interrupt)
        with pytest.raises(KeyboardInterrupt):
            next(records)
        with pytest.raises(ValueError, match="records are closed"):
            next(records)


LARGE_COUNT = 20_000
LARGE_LINE = b'{"id": "%d", "text": "' + b"x" * 1000 + b'"}\n'


class LargeBody:
    """Sends a large body. Can disconnect a client that reads nothing for some seconds."""

    def __init__(self, *, stall_seconds: float | None = None, is_complete: bool = True) -> None:
        self._body = b"".join(LARGE_LINE % number for number in range(LARGE_COUNT))
        self._stall_seconds = stall_seconds
        self._sent = self._body if is_complete else self._body[:-100]
        self.has_ended = threading.Event()
        """Set when everything was sent, or the client was disconnected."""

    def __call__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        connection.settimeout(self._stall_seconds)
        try:
            connection.sendall(stream_response(b"", length=len(self._body)))
            view = memoryview(self._sent)
            while view:
                view = view[connection.send(view[:65_536]) :]
        finally:
            self.has_ended.set()


@pytest.mark.parametrize("pause_before", [1, 100])
def test_caller_can_pause_for_longer_than_the_service_waits(
    pause_before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(body: LargeBody) -> list[str]:
        ids = []
        with FaultServer(body) as server:
            for record in Client(server.url).scenarios("x"):
                ids.append(record["id"])
                if len(ids) == pause_before:
                    body.has_ended.wait()
        return ids

    monkeypatch.setattr("assay_client._transport.stream_body.MAX_PAUSE", 0.2)
    assert read(LargeBody()) == [str(number) for number in range(LARGE_COUNT)]
    with pytest.raises(AssayConnectionError, match="100 bytes of the response are missing"):
        read(LargeBody(is_complete=False))
    # Without reading in the background, the client is disconnected.
    monkeypatch.setattr("assay_client._transport.stream_body.MAX_PAUSE", 3600)
    with pytest.raises(AssayConnectionError):
        read(LargeBody(stall_seconds=1))


def test_closed_records_leave_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay_client._transport.stream_body.MAX_PAUSE", 0.1)
    for reads_everything in (False, True):
        body = LargeBody()
        with FaultServer(body) as server:
            records = Client(server.url).scenarios("x")
            for _ in range(200):
                next(records)
            assert "assay-stream" in [thread.name for thread in threading.enumerate()]
            if reads_everything:
                body.has_ended.wait()
            records.close()
        while "assay-stream" in [thread.name for thread in threading.enumerate()]:
            time.sleep(0.01)
