"""An iterator of records that can also be read as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from .frames import Table, to_frame

if TYPE_CHECKING:
    import pandas
    import polars

T = TypeVar("T")

CLOSED = "The records are closed. Call the method of the client again."


class Records(Iterator[T], Generic[T]):
    """Records in the order of the service. The first `next` sends the request.

    Records are read while the response arrives. A loop that ends without an exception has seen all
    of them: an incomplete response raises AssayConnectionError.
    """

    def __init__(self, records: Iterator[T], to_table: Callable[[Iterable[Any]], Table]) -> None:
        self._records = records
        self._state: Exception | Literal["open", "read", "closed"] = "open"
        self._to_table = to_table

    def __iter__(self) -> Records[T]:
        return self

    def __next__(self) -> T:
        if self._state == "closed":
            raise ValueError(CLOSED)
        # A second loop must not end as if the records were complete.
        if isinstance(self._state, Exception):
            raise self._state
        try:
            return next(self._records)
        except StopIteration:
            self._state = "read"
            raise
        except BaseException as error:
            # An interrupted cell of a notebook must not interrupt the next one too.
            self._state = error if isinstance(error, Exception) else "closed"
            raise

    def close(self) -> None:
        """Closes the connection. Needed only if you do not read all records."""
        if self._state == "open":
            self._state = "closed"
        close = getattr(self._records, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Records[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @overload
    def frame(self, library: Literal["pandas"] = "pandas") -> pandas.DataFrame: ...

    @overload
    def frame(self, library: Literal["polars"]) -> polars.DataFrame: ...

    def frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Returns the remaining records as a DataFrame, with one row per record."""
        if library not in ("pandas", "polars"):
            raise ValueError(f'{library!r} is not supported. Use "pandas" or "polars".')
        if self._state == "read":
            raise ValueError("The records were read already. Call the method of the client again.")
        # Checked before the request, so that a missing package is reported at once.
        try:
            import_module(library)
        except ImportError as error:
            message = f"{library} is not installed. Run: pip install {library}"
            raise ImportError(message) from error
        return to_frame(self._to_table(self), library)
