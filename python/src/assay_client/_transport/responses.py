"""Parses responses, and converts error responses and failed connections to exceptions."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterable
from datetime import datetime, timezone
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ..errors import AssayConnectionError, AssayError
from .body import IncompleteBodyError, gunzip, read_wire


def encoding_of(response: http.client.HTTPResponse) -> str:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise AssayError(
            f"The response has the encoding {encoding}, which was not requested.",
            status=response.status,
        )
    return "gzip" if encoding == "gzip" else ""


def decode(chunks: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    return gunzip(chunks) if encoding == "gzip" else chunks


def has_media_type(response: http.client.HTTPResponse, media_type: str) -> bool:
    return bool(response.headers.get_content_type() == media_type)


def parse_json(text: bytes, response: http.client.HTTPResponse) -> Any:
    try:
        return _load_json(text)
    except ValueError as error:
        if response.headers.get_content_subtype() in ("json", "problem+json", "x-ndjson"):
            raise IncompleteBodyError("it is not valid JSON") from error
        raise not_assay_error(response.status) from None


def _load_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # int() rejects more than 4,300 digits. Decimal does not, and is exact too.
        return json.loads(text, parse_int=lambda digits: int(Decimal(digits)))


def not_assay_error(status: int) -> AssayError:
    return AssayError("The response does not come from an Assay service.", status=status)


def to_error(response: http.client.HTTPResponse) -> AssayError:
    status = response.status
    location = response.headers.get("Location")
    if 300 <= status < 400 and location is not None:
        return AssayError(f"The service redirects to {location}.", status=status)
    body = b"".join(decode(read_wire(response), encoding_of(response)))
    is_problem = has_media_type(response, "application/problem+json")
    problem: dict[str, Any] = parse_json(body, response) if is_problem else {}
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


def connection_error(url: str, cause: BaseException) -> AssayConnectionError:
    if isinstance(cause, ssl.SSLCertVerificationError):
        hint = "Check the certificate. Set SSL_CERT_FILE to the file of your own authority."
        return AssayConnectionError(
            f"The certificate of {url} is not trusted: {cause.verify_message.rstrip('.')}.",
            hint=hint,
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
    parts = urlsplit(url)
    uses_proxy = parts.scheme in getproxies() and not proxy_bypass(parts.hostname or "")
    return AssayConnectionError(
        f"The connection to {url} failed: {reason}.",
        hint="Check the URL, and the proxy that the environment sets." if uses_proxy else None,
    )
