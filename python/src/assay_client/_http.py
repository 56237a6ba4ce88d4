"""Sends requests to the service: URLs, headers, retries, cached reads and errors."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import platform
import random
import re
import ssl
import time
import urllib.error
import urllib.request
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, BinaryIO, NamedTuple, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from ._body import IncompleteBodyError, gunzip, has_known_end, read_wire, split_lines
from ._etag_cache import CachedResponse, EtagCache
from ._version import __version__
from .errors import AssayConnectionError, AssayError

QueryValue = str | int | bool | Sequence[str] | None
Query = Mapping[str, QueryValue]
Path = Sequence[str | int]
Body = bytes | Callable[[], BinaryIO]
"""A callable opens the body again for each attempt."""

PAGE_SIZE = 200
# If Retry-After is longer, the error is raised at once and the caller decides.
MAX_RETRY_DELAY = 30.0
# A streamed response is cached only if it is at most this long, as received.
MAX_CACHED_STREAM = 2_000_000

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
        self._opener = urllib.request.build_opener(
            _HttpHandler, _HttpsHandler, _AllStatusesProcessor
        )

    def get(self, path: Path, query: Query | None = None) -> Any:
        """Reads one JSON document."""
        return self.get_response(path, query).value

    def get_response(self, path: Path, query: Query | None = None) -> JsonResponse:
        """Reads one JSON document with its headers. An unchanged one is not sent again."""
        target = _target(path, query)

        def read() -> JsonResponse:
            cached = self._cache.get(target)
            with self._open("GET", target, _conditional_headers(cached)) as response:
                if cached is not None and response.status == 304:
                    body = b"".join(_decode([cached.body], cached.encoding))
                    return JsonResponse(json.loads(body), cached.etag, cached.link)
                received = b"".join(read_wire(response))
                encoding = _encoding(response)
                value = _parse_json(b"".join(_decode([received], encoding)), response)
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
            cursor = _next_cursor(page.link)
            if cursor is None:
                return
            page_query["cursor"] = cursor

    def stream(self, path: Path, query: Query | None = None) -> Iterator[Any]:
        """Reads newline-delimited JSON while it arrives. Retried until there is a first record."""
        target = _target(path, {**(query or {}), "format": "ndjson"})
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
        target = _target(path, query)
        headers = {}
        if body is not None:
            headers["Content-Type"] = content_type
        if if_match is not None:
            headers["If-Match"] = if_match
        if is_repeatable:
            headers["Idempotency-Key"] = uuid.uuid4().hex

        def send() -> Any:
            with self._open(method, target, headers, body, timeout) as response:
                text = b"".join(_decode(read_wire(response), _encoding(response)))
                return None if response.status == 204 else _parse_json(text, response)

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
                    raise _to_error(response)
                yield response

    @contextmanager
    def _connection_errors(self) -> Iterator[None]:
        """Converts failures of the connection to AssayConnectionError."""
        try:
            yield
        except (OSError, http.client.HTTPException, zlib.error, IncompleteBodyError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            cause = reason if isinstance(reason, BaseException) else error
            raise _connection_error(self.page_url, cause) from cause

    def _stream_once(self, target: str) -> Iterator[Any]:
        cached = self._cache.get(target)
        with self._open("GET", target, _conditional_headers(cached)) as response:
            if cached is not None and response.status == 304:
                for line in split_lines(_decode([cached.body], cached.encoding)):
                    yield json.loads(line)
                return
            received = _StreamCopy(response)
            for line in split_lines(_decode(received.chunks(), received.encoding)):
                yield _parse_json(line, response)
            if received.is_short and received.etag:
                body = b"".join(received.copy)
                self._cache.set(
                    target, CachedResponse(received.etag, body, received.encoding, None)
                )


class _StreamCopy:
    """The body of a stream, and a copy of it for the cache if it is short."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        if not _has_media_type(response, "application/x-ndjson"):
            raise _not_assay_error(response.status)
        self.etag = response.headers.get("ETag")
        self.encoding = _encoding(response)
        if self.encoding == "" and not has_known_end(response):
            raise IncompleteBodyError("a proxy removed its length")
        self.copy: list[bytes] = []
        self.is_short = True
        self._response = response

    def chunks(self) -> Iterator[bytes]:
        size = 0
        for chunk in read_wire(self._response):
            size += len(chunk)
            if size <= MAX_CACHED_STREAM:
                self.copy.append(chunk)
            elif self.is_short:
                self.is_short = False
                self.copy.clear()
            yield chunk


def normalize_url(url: str) -> str:
    """Returns the address of the page, without `/api` and without a slash at the end."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is not a URL. Use the URL of the page: https://evals.example")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError(
            "The URL must not contain a query, a fragment or a user name. Pass the API key as key."
        )
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path.removesuffix('/api')}"


class _EarlyResponseMixin(http.client.HTTPConnection):
    """Reads an error response that the service sends before it has received the whole body."""

    _is_closed_by_peer = False

    def send(self, data: Any) -> None:
        if self._is_closed_by_peer:
            return
        try:
            super().send(data)
        except (BrokenPipeError, ConnectionResetError):
            self._is_closed_by_peer = True


class _HttpConnection(_EarlyResponseMixin):
    pass


class _HttpsConnection(_EarlyResponseMixin, http.client.HTTPSConnection):
    pass


class _HttpHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_HttpConnection, req)


class _HttpsHandler(urllib.request.HTTPSHandler):
    _shared_context: ssl.SSLContext | None = None

    def https_open(self, req: urllib.request.Request) -> Any:
        if self._shared_context is None:
            self._shared_context = ssl.create_default_context()
        return self.do_open(_HttpsConnection, req, context=self._shared_context)


class _AllStatusesProcessor(urllib.request.HTTPErrorProcessor):
    """Returns responses with any status. A redirect is not followed: it would leak the key."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def _target(path: Path, query: Query | None) -> str:
    """The part of the URL after `/api`."""
    pairs = [pair for name, value in (query or {}).items() for pair in _query_pairs(name, value)]
    query_string = f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""
    return f"/{'/'.join(_encode_segment(segment) for segment in path)}{query_string}"


def _encode_segment(segment: str | int) -> str:
    """Rejects '', '.' and '..', which URL parsers remove."""
    is_number = isinstance(segment, int) and not isinstance(segment, bool)
    if not is_number and not (isinstance(segment, str) and segment not in ("", ".", "..")):
        raise ValueError(f"{segment!r} is not a valid id or revision number.")
    return quote(str(segment), safe="")


def _query_pairs(name: str, value: QueryValue) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, bool):
        return [(name, "true" if value else "false")]
    if isinstance(value, (str, int)):
        return [(name, str(value))]
    if not all(isinstance(item, str) for item in value):
        raise TypeError(f"The values of {name!r} must be strings.")
    return [(name, item) for item in value]


def _conditional_headers(cached: CachedResponse | None) -> dict[str, str]:
    return {} if cached is None else {"If-None-Match": cached.etag}


def _encoding(response: http.client.HTTPResponse) -> str:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise AssayError(
            f"The response has the encoding {encoding}, which was not requested.",
            status=response.status,
        )
    return "gzip" if encoding == "gzip" else ""


def _decode(chunks: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    return gunzip(chunks) if encoding == "gzip" else chunks


def _has_media_type(response: http.client.HTTPResponse, media_type: str) -> bool:
    return bool(response.headers.get_content_type() == media_type)


def _parse_json(text: bytes, response: http.client.HTTPResponse) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if response.headers.get_content_subtype() in ("json", "problem+json", "x-ndjson"):
            raise IncompleteBodyError("it is not valid JSON") from error
        raise _not_assay_error(response.status) from None


def _not_assay_error(status: int) -> AssayError:
    return AssayError("The response does not come from an Assay service.", status=status)


def _to_error(response: http.client.HTTPResponse) -> AssayError:
    status = response.status
    location = response.headers.get("Location")
    if 300 <= status < 400 and location is not None:
        return AssayError(f"The service redirects to {location}.", status=status)
    body = b"".join(_decode(read_wire(response), _encoding(response)))
    is_problem = _has_media_type(response, "application/problem+json")
    problem: dict[str, Any] = _parse_json(body, response) if is_problem else {}
    default_detail = f"The response with status {status} does not come from an Assay service."
    return AssayError(
        problem.get("detail", default_detail),
        status=status,
        problem=problem,
        retry_after=_parse_retry_after(response.headers.get("Retry-After")),
    )


def _parse_retry_after(header: str | None) -> float | None:
    """Retry-After is a number of seconds or, from some proxies, a date."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def _connection_error(url: str, cause: BaseException) -> AssayConnectionError:
    if isinstance(cause, ssl.SSLCertVerificationError):
        hint = "Check the certificate. Set SSL_CERT_FILE to the file of your own authority."
        return AssayConnectionError(
            f"The certificate of {url} is not trusted: {cause.verify_message}.", hint=hint
        )
    if isinstance(cause, ssl.SSLError) and "WRONG_VERSION_NUMBER" in str(cause):
        hint = "Use http:// instead of https://, or check the port."
        return AssayConnectionError(f"{url} does not use TLS.", hint=hint)
    if isinstance(cause, TimeoutError):
        return AssayConnectionError(
            f"{url} did not respond in time.", hint="Try again later, or set a longer timeout."
        )
    if isinstance(cause, (IncompleteBodyError, http.client.IncompleteRead)):
        reason = str(cause) if isinstance(cause, IncompleteBodyError) else "it is truncated"
        return AssayConnectionError(
            f"The response of {url} is incomplete: {reason}.", hint="Try again."
        )
    reason = str(cause).rstrip(". ") or type(cause).__name__
    return AssayConnectionError(f"The connection to {url} failed: {reason}.")


def _next_cursor(link: str | None) -> str | None:
    """Reads the cursor from the header `Link: <…?cursor=…>; rel="next"`."""
    match = re.search(r'<([^>]*)>;\s*rel="next"', link or "")
    if match is None:
        return None
    parameters = parse_qs(urlsplit(match[1]).query)
    return parameters.get("cursor", [None])[0]
