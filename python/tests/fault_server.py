"""A server that sends prepared bytes, to test how the client handles defective responses."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from types import TracebackType

Step = bytes | Callable[[socket.socket], None]


class Request:
    def __init__(self, head: bytes, body: bytes) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = first.split(" ")
        self.headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in lines)
        }
        self.body = body


class FaultServer:
    """Handles one connection per element of `responses`, in order. The last one is repeated."""

    def __init__(self, *responses: Step | list[Step]) -> None:
        self._responses = responses
        self.requests: list[Request] = []
        self.disconnects = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> FaultServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                try:
                    self.requests.append(_read_request(connection))
                    index = min(len(self.requests), len(self._responses)) - 1
                    response = self._responses[index]
                    for step in response if isinstance(response, list) else [response]:
                        if callable(step):
                            step(connection)
                        else:
                            connection.sendall(step)
                except OSError:
                    self.disconnects += 1


def _read_request(connection: socket.socket) -> Request:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65_536)
        if not chunk:
            raise ConnectionResetError
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    request = Request(head, body)
    while len(request.body) < min(int(request.headers.get("content-length", "0")), 1_000_000):
        request.body += connection.recv(65_536)
    return request


def reset(connection: socket.socket) -> None:
    """Closes the connection with RST instead of FIN."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def wait_for_disconnect(connection: socket.socket) -> None:
    while connection.recv(65_536):
        pass


def response(
    body: bytes = b"",
    *,
    status: str = "200 OK",
    media_type: str = "application/json",
    length: int | None = -1,
    **headers: str,
) -> bytes:
    """A response with a Content-Length. The length None omits it."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {media_type}"]
    if length is not None:
        lines.append(f"Content-Length: {len(body) if length == -1 else length}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def json_response(value: object, **options: str) -> bytes:
    return response(json.dumps(value).encode(), **options)  # type: ignore[arg-type]


def ndjson(count: int) -> bytes:
    return b"".join(b'{"id": "%d"}\n' % number for number in range(count))


def stream_response(body: bytes, *, length: int | None = -1, **headers: str) -> bytes:
    return response(body, media_type="application/x-ndjson", length=length, **headers)


def chunked(chunks: Iterable[bytes], *, is_complete: bool = True, **headers: str) -> bytes:
    framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return stream_response(
        framed + (b"0\r\n\r\n" if is_complete else b""),
        length=None,
        Transfer_Encoding="chunked",
        **headers,
    )


def problem(status: str, code: str, **headers: str) -> bytes:
    number = int(status.split(" ")[0])
    body = {"status": number, "code": code, "title": "A title", "detail": f"Detail of {code}."}
    return response(
        json.dumps(body).encode(),
        status=status,
        media_type="application/problem+json",
        **headers,
    )


def compressed(body: bytes) -> bytes:
    return gzip.compress(body)
