"""Addresses of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from ..types import Comparison


def evaluation_url(url: str, id_: str) -> str:
    return f"{url}/evaluations/{quote(id_, safe='', errors='replace')}"


def comparison_url(url: str, comparison: Comparison, ids: Sequence[str], **params: str) -> str:
    query = [*(("evaluation", id_) for id_ in ids), *params.items()]
    if comparison["join"]["asked"] != "auto":
        query.append(("by", comparison["join"]["asked"]))
    return f"{url}/compare?{query_text(query)}"


def query_text(params: Iterable[tuple[str, str]]) -> str:
    return urlencode(list(params), quote_via=quote, errors="replace")
