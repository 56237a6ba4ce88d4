"""The asynchronous client: the methods of Client, in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import overload

from ..client import Client
from ..run import EvaluationRun
from .records import AsyncRecords
from .threads import converted, in_thread


class AsyncEvaluationRun:
    """A run that writes one evaluation: `async with client.evaluation("nightly") as run`.

    Like EvaluationRun. Several tasks can call `await run.add(…)` at the same time.
    """

    def __init__(self, run: EvaluationRun) -> None:
        self._sync = run
        self.id = run.id

    @property
    def url(self) -> str:
        """The address of the evaluation's page."""
        return self._sync.url

    def __repr__(self) -> str:
        return f"AsyncEvaluationRun({self.id!r})"

    def _repr_html_(self) -> str | None:
        return self._sync._repr_html_()

    def __contains__(self, id: object) -> bool:
        """Whether the evaluation had a row with this id when the run started."""
        return id in self._sync

    async def __aenter__(self) -> AsyncEvaluationRun:
        await asyncio.to_thread(self._sync.__enter__)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._sync.__exit__, kind, error, trace)

    async def start(self) -> AsyncEvaluationRun:
        """Create the evaluation, or continue it. An `async with` statement does this."""
        await asyncio.to_thread(self._sync.start)
        return self

    add = in_thread(EvaluationRun.add)
    flush = in_thread(EvaluationRun.flush)
    finish = in_thread(EvaluationRun.finish)


class AsyncClient:
    """A client of one Assay service for asyncio. Several tasks can use it at the same time.

    The methods are those of Client, with `await`. Those that return Records return AsyncRecords,
    for `async for`, and `evaluation` returns a run for `async with`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        """The arguments are those of Client."""
        self._sync = Client(url, key, timeout=timeout, retries=retries)

    @property
    def url(self) -> str:
        """The address of the page, without a slash at the end."""
        return self._sync.url

    def __repr__(self) -> str:
        return f"AsyncClient({self.url!r})"

    scenarios = converted(Client.scenarios, AsyncRecords)
    revisions = converted(Client.revisions, AsyncRecords)
    evaluations = converted(Client.evaluations, AsyncRecords)
    variants = converted(Client.variants, AsyncRecords)
    comparison_rows = converted(Client.comparison_rows, AsyncRecords)
    get_evaluation = in_thread(Client.get_evaluation)
    get_scenario = in_thread(Client.get_scenario)
    get_variant = in_thread(Client.get_variant)
    get_revision = in_thread(Client.get_revision)
    summary = in_thread(Client.summary)
    breakdown = in_thread(Client.breakdown)
    compare = in_thread(Client.compare)
    leaderboard = in_thread(Client.leaderboard)
    history = in_thread(Client.history)
    agreement = in_thread(Client.agreement)
    diff = in_thread(Client.diff)
    evaluation = converted(Client.evaluation, AsyncEvaluationRun)
    log = in_thread(Client.log)
    add_results = in_thread(Client.add_results)
    import_file = in_thread(Client.import_file)
    request = in_thread(Client.request)

    # The types of in_thread would keep only the first overload.
    @overload
    async def delete(self, *, evaluation: str) -> None: ...

    @overload
    async def delete(self, *, variant: str) -> None: ...

    async def delete(self, *, evaluation: str | None = None, variant: str | None = None) -> None:
        """Deletes an evaluation with its scenarios, or a variant with its revisions.

        Raises AssayError if it does not exist. Evaluations keep the id of a deleted variant.
        """
        delete: Callable[..., None] = self._sync.delete
        await asyncio.to_thread(delete, evaluation=evaluation, variant=variant)
