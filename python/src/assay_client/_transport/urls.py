"""Builds the URLs of requests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, quote, urlencode, urlsplit

QueryValue = str | int | float | bool | Sequence[str] | None
Query = Mapping[str, QueryValue]
Path = Sequence[str | int]


def normalize_url(url: str) -> str:
    """Returns the address of the page, without `/api` and without a slash at the end."""
    try:
        parts = urlsplit(url.strip())
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        # The text can be a key or contain one.
        text = "The value" if re.search("assay_|[@?#]", url) else repr(url)
        raise ValueError(f"{text} is not a valid URL. Use that of the page: https://evals.example")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError(
            "The URL must not contain a query, a fragment or a user name. Pass the API key as key."
        )
    path = quote(parts.path, safe="/%").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path.removesuffix('/api')}"


def target_of(path: Path, query: Query | None) -> str:
    """The part of the URL after `/api`."""
    if isinstance(path, str):
        raise TypeError('The path must be a list of its parts, such as ["evaluations", "nightly"].')
    pairs = [pair for name, value in (query or {}).items() for pair in _query_pairs(name, value)]
    query_string = f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""
    return f"/{'/'.join(_encode_segment(segment) for segment in path)}{query_string}"


def _encode_segment(segment: str | int) -> str:
    """Rejects '', '.' and '..', which URL parsers remove."""
    is_number = isinstance(segment, int) and not isinstance(segment, bool)
    if not is_number and not (isinstance(segment, str) and segment not in ("", ".", "..")):
        raise ValueError(f"{segment!r} is not a valid id or revision number.")
    try:
        return quote(str(segment), safe="")
    except UnicodeEncodeError:
        raise ValueError(f"{segment!r} is not a valid id: it has a lone surrogate.") from None


def _query_pairs(name: str, value: QueryValue) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, bool):
        return [(name, "true" if value else "false")]
    if isinstance(value, (str, int, float)):
        return [(name, str(value))]
    if not all(isinstance(item, str) for item in value):
        raise TypeError(f"The values of {name!r} must be strings.")
    return [(name, item) for item in value]


def next_cursor(link: str | None) -> str | None:
    """Reads the cursor from the header `Link: <…?cursor=…>; rel="next"`."""
    match = re.search(r'<([^>]*)>;\s*rel="next"', link or "")
    if match is None:
        return None
    parameters = parse_qs(urlsplit(match[1]).query)
    return parameters.get("cursor", [None])[0]
