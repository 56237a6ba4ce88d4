"""Reads the rows of a comparison in windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._http import HttpClient, Query
from .errors import AssayError

_WINDOW_SIZE = 500
_MAX_PREVIEW = 100_000


def read_windows(http: HttpClient, query: Query) -> Iterator[Any]:
    """Reads all windows of rows. Raises AssayError if the data changes meanwhile."""
    offset = 0
    first_version: str | None = None
    while True:
        parameters = {**query, "limit": _WINDOW_SIZE, "preview": _MAX_PREVIEW, "offset": offset}
        window = http.get_response(["comparisons", "rows"], parameters)
        # All windows of one version have the same ETag, except for their encoding.
        version = (window.etag or "").removeprefix("W/").strip('"').removesuffix("-gzip")
        if first_version is None:
            first_version = version
        elif version != first_version:
            detail = "An evaluation has changed while its rows were read."
            raise AssayError(detail, hint="Read them again.")
        rows = window.value["rows"]
        yield from rows
        offset += len(rows)
        if not rows or offset >= window.value["total"]:
            return
