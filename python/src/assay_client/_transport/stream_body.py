"""The body of a streamed response, which the caller can read as slowly as it needs."""

from __future__ import annotations

import http.client
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import IO

from .body import CHUNK_SIZE, IncompleteBodyError, content_length, read_wire
from .responses import encoding_of, has_media_type, not_assay_error

# A body is cached only if it is at most this long, as received.
MAX_CACHED_SIZE = 2_000_000
# If the caller pauses for this long, the rest is received at once and buffered.
MAX_PAUSE = 2.0
_MAX_BUFFER_IN_MEMORY = 8_000_000


class StreamBody:
    """Reads a body as it is received, so usually compressed.

    The service disconnects a client that reads nothing for 30 seconds (its setting stall-timeout).
    A caller can need longer for one record, so a thread buffers the rest in a temporary file.
    """

    def __init__(self, response: http.client.HTTPResponse) -> None:
        if not has_media_type(response, "application/x-ndjson"):
            raise not_assay_error(response.status)
        self.etag = response.headers.get("ETag")
        self.encoding = encoding_of(response)
        self._length = content_length(response)
        # Without a length, a last chunk or a gzip trailer, a truncated body looks complete.
        if self._length is None and not response.chunked and self.encoding == "":
            raise IncompleteBodyError("a proxy removed its length")
        self._received = read_wire(response)
        self._copy: list[bytes] | None = []
        self._size = 0
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        self._last_read = time.monotonic()
        self._buffer: IO[bytes] | None = None
        self._failure: Exception | None = None

    def chunks(self) -> Iterator[bytes]:
        watcher: threading.Thread | None = None
        while chunk := self._read_chunk():
            self._size += len(chunk)
            if self._size > MAX_CACHED_SIZE:
                self._copy = None
            elif self._copy is not None:
                self._copy.append(chunk)
            if watcher is None and self._size != self._length:
                watcher = threading.Thread(target=self._watch, name="assay-stream", daemon=True)
                watcher.start()
            yield chunk

    def whole(self) -> bytes | None:
        """The body after its end, or None if it is too long for the cache."""
        return None if self._copy is None else b"".join(self._copy)

    def close(self) -> None:
        """Must be called before the response is closed."""
        self._is_closed.set()
        with self._lock:
            if self._buffer is not None:
                self._buffer.close()

    def _read_chunk(self) -> bytes:
        with self._lock:
            if self._buffer is None:
                chunk = next(self._received, b"")
                self._last_read = time.monotonic()
                return chunk
            chunk = self._buffer.read(CHUNK_SIZE)
            if not chunk and self._failure is not None:
                raise self._failure
            return chunk

    def _watch(self) -> None:
        while not self._is_closed.wait(MAX_PAUSE / 4):
            with self._lock:
                if self._is_closed.is_set():
                    return
                if time.monotonic() - self._last_read >= MAX_PAUSE:
                    self._receive_rest()
                    return

    def _receive_rest(self) -> None:
        buffer = tempfile.SpooledTemporaryFile(_MAX_BUFFER_IN_MEMORY)  # noqa: SIM115
        try:
            for chunk in self._received:
                buffer.write(chunk)
                if self._is_closed.is_set():
                    break
        except Exception as error:
            # Raised after the records before it have been read.
            self._failure = error
        buffer.seek(0)
        self._buffer = buffer
