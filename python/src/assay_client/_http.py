"""Sends requests to the service: headers, retries, cached reads and streams."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import platform
import random
import re
import time
import urllib.error
import urllib.request
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, TypeVar

from ._transport.body import IncompleteBodyError, read_wire, split_lines
from ._transport.etag_cache import CachedResponse, EtagCache
from ._transport.opener import build_opener
from ._transport.responses import (
    connection_error,
    decode,
    encoding_of,
    parse_json,
    to_error,
)
from ._transport.stream_body import StreamBody
from ._transport.urls import Path, Query, QueryValue, next_cursor, normalize_url, target_of
from ._version import __version__
from .errors import AssayConnectionError, AssayError

__all__ = ["HttpClient", "JsonResponse", "Path", "Query", "QueryValue"]

Body = bytes | Callable[[], BinaryIO]
"""A callable opens the body again for each attempt."""

PAGE_SIZE = 200
# The service reads and stores a whole file before it responds.
IMPORT_TIMEOUT = 3600.0
# If Retry-After is longer, the error is raised at once and the caller decides.
MAX_RETRY_DELAY = 30.0

_USER_AGENT = f"assay-client/{__version__} Python/{platform.python_version()}"

T = TypeVar("T")


class JsonResponse(NamedTuple):
    value: Any
    etag: str | None
    link: str | None


class HttpClient:
    """Requests to one service, with one key. Can be used by several threads."""

    def __init__(
        self, url: str, key: str | None, *, timeout: float = 60.0, retries: int = 2
    ) -> None:
        # The message of http.client would contain the key.
        if key and not re.fullmatch(r"[!-~]+", key):
            raise ValueError(
                "The API key contains invalid characters. Use the key exactly as it was issued."
            )
        self.page_url = normalize_url(url)
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._cache = EtagCache()
        self._opener = build_opener()

    def get(self, path: Path, query: Query | None = None) -> Any:
        """Reads one JSON document."""
        return self.get_response(path, query).value

    def get_response(self, path: Path, query: Query | None = None) -> JsonResponse:
        """Reads one JSON document with its headers. An unchanged one is not sent again."""
        target = target_of(path, query)

        def read() -> JsonResponse:
            cached = self._cache.get(target)
            with self._open("GET", target, _conditional_headers(cached)) as response:
                if cached is not None and response.status == 304:
                    body = b"".join(decode([cached.body], cached.encoding))
                    return JsonResponse(json.loads(body), cached.etag, cached.link)
                received = b"".join(read_wire(response))
                encoding = encoding_of(response)
                value = parse_json(b"".join(decode([received], encoding)), response)
                etag, link = response.headers["ETag"], response.headers["Link"]
                if etag:
                    self._cache.set(target, CachedResponse(etag, received, encoding, link))
                return JsonResponse(value, etag, link)

        return self._with_retries(read)

    def pages(self, path: Path, query: Query | None = None) -> Iterator[Any]:
        """Reads all pages of a list."""
        page_query: dict[str, QueryValue] = {"limit": PAGE_SIZE, **(query or {})}
        while True:
            page = self.get_response(path, page_query)
            yield from page.value
            cursor = next_cursor(page.link)
            if cursor is None:
                return
            page_query["cursor"] = cursor

    def stream(self, path: Path, query: Query | None = None) -> Iterator[Any]:
        """Reads newline-delimited JSON while it arrives. Retried until there is a first record."""
        target = target_of(path, {**(query or {}), "format": "ndjson"})
        for attempt in itertools.count():
            has_started = False
            try:
                for record in self._stream_once(target):
                    has_started = True
                    yield record
                return
            except AssayError as error:
                delay = None if has_started else self._retry_delay(error, attempt)
                if delay is None:
                    raise
            time.sleep(delay)

    def write(
        self,
        method: str,
        path: Path,
        body: Body | None = None,
        *,
        query: Query | None = None,
        content_type: str = "application/json",
        if_match: str | None = None,
        is_repeatable: bool = True,
        timeout: float | None = None,
    ) -> Any:
        """Sends a write and returns the parsed response, or None if it has no body.

        Each call has its own idempotency key, so that the service stores a retried write once.
        """
        target = target_of(path, query)
        headers = {}
        if body is not None:
            headers["Content-Type"] = content_type
        if if_match is not None:
            headers["If-Match"] = if_match
        if is_repeatable:
            headers["Idempotency-Key"] = uuid.uuid4().hex

        def send() -> Any:
            with self._open(method, target, headers, body, timeout) as response:
                text = b"".join(decode(read_wire(response), encoding_of(response)))
                return None if response.status == 204 else parse_json(text, response)

        return self._with_retries(send) if is_repeatable else send()

    def _with_retries(self, send: Callable[[], T]) -> T:
        for attempt in itertools.count():
            try:
                return send()
            except AssayError as error:
                delay = self._retry_delay(error, attempt)
                if delay is None:
                    raise
            time.sleep(delay)
        raise AssertionError

    def _retry_delay(self, error: AssayError, attempt: int) -> float | None:
        """Seconds to wait before the next attempt. None if there is none."""
        if attempt >= self._retries:
            return None
        backoff = float(2**attempt) * random.uniform(0.75, 1.25)
        if isinstance(error, AssayConnectionError):
            return backoff
        # 409 with Retry-After: the service still processes an earlier attempt.
        is_temporary = error.status in (429, 503) or (
            error.status == 409 and error.retry_after is not None
        )
        delay = backoff if error.retry_after is None else error.retry_after
        return delay if is_temporary and delay <= MAX_RETRY_DELAY else None

    @contextmanager
    def _open(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: Body | None = None,
        timeout: float | None = None,
    ) -> Iterator[http.client.HTTPResponse]:
        """Sends one request. Raises AssayError for an error response."""
        opened = body() if callable(body) else body
        # urllib would send a file in chunks, and the service could not reject it by its size.
        if opened is not None and not isinstance(opened, bytes):
            headers = {**headers, "Content-Length": str(os.fstat(opened.fileno()).st_size)}
        with self._connection_errors():
            try:
                request = urllib.request.Request(
                    f"{self.page_url}/api{target}",
                    data=opened,
                    method=method,
                    headers={
                        "Accept-Encoding": "gzip",
                        "User-Agent": _USER_AGENT,
                        **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
                        **headers,
                    },
                )
                response = self._opener.open(request, timeout=timeout or self._timeout)
            finally:
                if opened is not None and not isinstance(opened, bytes):
                    opened.close()
            with response:
                is_cached = response.status == 304 and "If-None-Match" in headers
                if not 200 <= response.status < 300 and not is_cached:
                    raise to_error(response)
                yield response

    @contextmanager
    def _connection_errors(self) -> Iterator[None]:
        """Converts failures of the connection to AssayConnectionError."""
        try:
            yield
        except (OSError, http.client.HTTPException, zlib.error, IncompleteBodyError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            cause = reason if isinstance(reason, BaseException) else error
            raise connection_error(self.page_url, cause) from cause

    def _stream_once(self, target: str) -> Iterator[Any]:
        cached = self._cache.get(target)
        with self._open("GET", target, _conditional_headers(cached)) as response:
            if cached is not None and response.status == 304:
                for line in split_lines(decode([cached.body], cached.encoding)):
                    yield json.loads(line)
                return
            body = StreamBody(response)
            try:
                for line in split_lines(decode(body.chunks(), body.encoding)):
                    yield parse_json(line, response)
                whole = body.whole()
                if body.etag and whole is not None:
                    self._cache.set(target, CachedResponse(body.etag, whole, body.encoding, None))
            finally:
                body.close()


def _conditional_headers(cached: CachedResponse | None) -> dict[str, str]:
    return {} if cached is None else {"If-None-Match": cached.etag}
