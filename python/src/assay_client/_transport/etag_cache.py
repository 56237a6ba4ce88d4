"""An LRU cache of responses and their ETags, limited by number of entries and by size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

MAX_ENTRIES = 100
MAX_SIZE = 32_000_000


class CachedResponse(NamedTuple):
    etag: str
    body: bytes
    """The body as it was received, so usually compressed."""
    encoding: str
    link: str | None


class EtagCache:
    def __init__(self, max_entries: int = MAX_ENTRIES, max_size: int = MAX_SIZE) -> None:
        self._max_entries = max_entries
        self._max_size = max_size
        self._responses: OrderedDict[str, CachedResponse] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> CachedResponse | None:
        with self._lock:
            response = self._responses.get(key)
            if response is not None:
                self._responses.move_to_end(key)
            return response

    def set(self, key: str, response: CachedResponse) -> None:
        with self._lock:
            previous = self._responses.pop(key, None)
            if previous is not None:
                self._size -= len(previous.body)
            if len(response.body) > self._max_size:
                return
            self._responses[key] = response
            self._size += len(response.body)
            while len(self._responses) > self._max_entries or self._size > self._max_size:
                _, evicted = self._responses.popitem(last=False)
                self._size -= len(evicted.body)
