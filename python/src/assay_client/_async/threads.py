"""Makes asynchronous methods of synchronous ones, with the same parameters and documentation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")
C = TypeVar("C")
R_co = TypeVar("R_co", covariant=True)


class Method(Protocol[P, R_co]):
    """A method of a class whose attribute `_sync` is the synchronous object."""

    def __get__(self, instance: object, owner: Any = None, /) -> Callable[P, R_co]: ...


def in_thread(method: Callable[Concatenate[S, P], R]) -> Method[P, Coroutine[Any, Any, R]]:
    """Runs the method in a thread, so that the event loop continues."""

    @wraps(method)
    async def call(self: Any, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._sync, *args, **kwargs)

    return cast("Method[P, Coroutine[Any, Any, R]]", call)


def converted(method: Callable[Concatenate[S, P], R], convert: Callable[[R], C]) -> Method[P, C]:
    """Calls a method that sends no request, and converts its result."""

    @wraps(method)
    def call(self: Any, *args: P.args, **kwargs: P.kwargs) -> C:
        return convert(method(self._sync, *args, **kwargs))

    return cast("Method[P, C]", call)
