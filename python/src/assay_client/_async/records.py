"""An asynchronous iterator of records that can also be read as a table."""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from ..records import CLOSED, Records

if TYPE_CHECKING:
    import pandas
    import polars

T = TypeVar("T")

# A thread reads up to this number of records before the loop has taken them.
READ_AHEAD = 32


class AsyncRecords(Generic[T]):
    """Records in the order of the service: `async for scenario in client.scenarios("nightly")`.

    The first record sends the request. A loop that ends without an exception has seen all records:
    an incomplete response raises AssayConnectionError. A cancelled loop can be continued.
    """

    def __init__(self, records: Records[T]) -> None:
        self._sync = records
        self._buffer: deque[T] = deque()
        self._reading: asyncio.Future[None] | None = None
        self._has_news = asyncio.Event()
        self._failure: Exception | None = None
        self._is_complete = False
        self._is_closed = False

    def __aiter__(self) -> AsyncRecords[T]:
        return self

    async def __anext__(self) -> T:
        while not self._buffer:
            if self._failure is not None:
                raise self._failure
            if self._is_complete:
                raise StopAsyncIteration
            if self._is_closed:
                raise ValueError(CLOSED)
            if self._reading is None or self._reading.done():
                loop = asyncio.get_running_loop()
                self._reading = loop.run_in_executor(None, self._read, loop)
                self._reading.add_done_callback(lambda _: self._has_news.set())
            self._has_news.clear()
            # Nothing is lost if this is cancelled, because the thread stores what it reads.
            await self._has_news.wait()
        return self._buffer.popleft()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for record in self._sync:
                self._buffer.append(record)
                waiting = len(self._buffer)
                if waiting == 1:
                    loop.call_soon_threadsafe(self._has_news.set)
                if waiting >= READ_AHEAD or self._is_closed:
                    return
        except Exception as error:
            self._failure = error
        else:
            self._is_complete = True

    async def close(self) -> None:
        """Closes the connection. Needed only if you do not read all records."""
        self._is_closed = True
        self._buffer.clear()
        if self._reading is None or self._reading.done():
            await asyncio.to_thread(self._sync.close)
        else:
            # The thread can wait for the service. The connection is closed after it.
            self._reading.add_done_callback(lambda _: self._sync.close())

    async def __aenter__(self) -> AsyncRecords[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @overload
    async def frame(self, library: Literal["pandas"] = "pandas") -> pandas.DataFrame: ...

    @overload
    async def frame(self, library: Literal["polars"]) -> polars.DataFrame: ...

    async def frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Returns the remaining records as a DataFrame, with one row per record."""
        if self._reading is not None:
            await asyncio.wait([self._reading])
        return await asyncio.to_thread(self._read_frame, library)

    def _read_frame(self, library: Literal["pandas", "polars"]) -> Any:
        if not self._buffer:
            return self._sync.frame(library)
        remaining = chain(list(self._buffer), self._sync)
        self._buffer.clear()
        return Records(remaining, self._sync._to_table).frame(library)
