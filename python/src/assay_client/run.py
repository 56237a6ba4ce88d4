"""Writes evaluations row by row. An interrupted run can be started again."""

from __future__ import annotations

import json
import threading
import time
import warnings
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Literal, cast

from . import _batches
from ._batches import (
    BatchSender,
    OnConflict,
    RejectedRowsError,
    Row,
    hash_content,
    wait_for_service,
)
from ._import_file import unsent_rows_error
from ._reads import Reads
from ._run_evaluation import RunEvaluation
from ._scenarios import DerivedIds, build_scenario, encode, scenario_id
from ._table_log import log_table
from .display import DisplayedEvaluation
from .errors import AssayError

Status = Literal["finished", "failed"]


class EvaluationRun:
    """A run that writes one evaluation: `with client.evaluation("nightly") as run: run.add(…)`.

    Rows are sent in batches, in the order in which they are added. If the process is interrupted,
    run the same code again: rows that are stored already are not added twice. `add` can be called
    by several threads.
    """

    def __init__(
        self,
        reads: Reads,
        id: str,
        *,
        name: str | None = None,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        baseline: str | None = None,
        evaluators: Iterable[Mapping[str, Any]] | None = None,
        tags: Iterable[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        expected_count: int | None = None,
        on_conflict: OnConflict | None = None,
    ) -> None:
        if on_conflict not in (None, "error", "replace", "skip"):
            raise ValueError('on_conflict must be "error", "replace" or "skip".')
        self._evaluation = RunEvaluation(
            reads,
            id,
            name=name,
            variant=variant,
            config=config,
            baseline=baseline,
            evaluators=evaluators,
            tags=tags,
            metadata=metadata,
            expected_count=expected_count,
        )
        self.id = id
        self._on_conflict = on_conflict
        self._has_ended = False
        self._has_changes = False
        self._stored: dict[str, int] = {}
        self._added: dict[str, int] = {}
        self._derived_ids = DerivedIds()
        self._lock = threading.Lock()
        self._sender: BatchSender | None = None

    @property
    def url(self) -> str:
        """The address of the evaluation's page."""
        return self._evaluation.url

    def __repr__(self) -> str:
        return f"EvaluationRun({self.id!r})"

    def _repr_html_(self) -> str | None:
        try:
            evaluation = self._evaluation.reads.get_evaluation(self.id)
        except AssayError:
            # A notebook displays the repr instead.
            return None
        return cast(DisplayedEvaluation, evaluation)._repr_html_()

    def __enter__(self) -> EvaluationRun:
        return self._start() if self._sender is None else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._has_ended:
            return
        if error is None:
            self.finish()
            return
        self._running_sender().discard_after(error)
        try:
            self._end("failed", wait_seconds=0)
        except AssayError as failure:
            # The exception that ended the run is more important than this one.
            warnings.warn(str(failure), RuntimeWarning, stacklevel=2)

    def __contains__(self, id: object) -> bool:
        """Whether the evaluation had a row with this id when the run started.

        False for all rows until the service can be reached.
        """
        self._running_sender()
        return scenario_id(id) in self._stored

    def start(self) -> EvaluationRun:
        """Create the evaluation, or continue it if it exists. A `with` statement does this.

        If the service cannot be reached, this happens when rows are sent, after a RuntimeWarning.
        """
        return self._start()

    def _start(self) -> EvaluationRun:
        if self._sender is not None:
            raise RuntimeError("The run has already been started. Create a new one.")
        sender = BatchSender(
            self._evaluation.http,
            self.id,
            self._on_conflict or "error",
            self._note_stored,
            self._note_rejected,
            lambda: self._open(sender),
        )
        failure = sender.open()
        self._sender = sender
        if failure is not None:
            warnings.warn(
                f"{failure} The rows are buffered and sent later.", RuntimeWarning, stacklevel=3
            )
        return self

    def add(
        self,
        *,
        id: object = None,
        inputs: object = None,
        output: object = None,
        expected: object = None,
        scores: Mapping[str, object] | None = None,
        reasons: Mapping[str, object] | None = None,
        cost: object = None,
        latency: object = None,
        error: object = None,
        note: object = None,
        extra: Mapping[str, object] | None = None,
        sample: object = None,
        repetition: object = None,
    ) -> str:
        """Add a row and return its id. Without `id`, the id is derived from the inputs.

        `inputs`, `scores` and `reasons` are dicts: scores={"correct": True, "length": 12}. A score
        of None is not scored; an exception is a failed evaluator. `expected` is the expected
        answer, or a dict of them. `error` is a text or exception of the failed application.

        Rows with the same `sample`, or without it with equal inputs and expected answers, are
        repeats of one row of the test set. `repetition` is the number of the repeat, from 1.

        The row is sent at once if the last batch was sent a second ago, else with the next batch.
        """
        scenario = build_scenario(
            id=id,
            inputs=inputs,
            output=output,
            expected=expected,
            scores=scores,
            reasons=reasons,
            cost=cost,
            latency=latency,
            error=error,
            note=note,
            extra=extra,
            sample=sample,
            repetition=repetition,
        )
        if "id" not in scenario:
            with self._lock:
                derived_id = self._derived_ids.derive(scenario["inputs"])
            scenario = {"id": derived_id, **scenario}
        row_id: str = scenario["id"]
        line = encode(scenario)
        sender = self._running_sender()
        with self._lock:
            if self._is_new(scenario, line):
                sender.add(Row(row_id, line))
        sender.send_if_due()
        return row_id

    def flush(self) -> None:
        """Send all buffered rows now."""
        self._running_sender().flush()

    def _log(self, arguments_of_rows: Iterable[Mapping[str, Any]]) -> None:
        """Write all rows, which are keyword arguments of `add`, or none, and end the run."""
        log_table(self._evaluation, arguments_of_rows, self._on_conflict)
        self._has_ended = True

    def finish(self, status: Status = "finished") -> None:
        """Send the remaining rows and set the status. A `with` statement does this."""
        if status not in ("finished", "failed"):
            raise ValueError('status must be "finished" or "failed".')
        self._end(status, wait_seconds=_batches.FINAL_SECONDS)

    def _end(self, status: Status, wait_seconds: float) -> None:
        sender = self._running_sender()
        give_up_at = time.monotonic() + wait_seconds
        rejection: RejectedRowsError | None = None
        try:
            while True:
                try:
                    sender.flush()
                    if status == "finished" or self._has_changes:
                        self._evaluation.set_status(status)
                    break
                except AssayError as failure:
                    if isinstance(failure, RejectedRowsError):
                        rejection, status = rejection or failure, "failed"
                        sender.discard_after(failure)
                        continue
                    if not wait_for_service(failure, give_up_at):
                        raise self._write_file(sender, status, failure) from failure
        except KeyboardInterrupt:
            if sender.unsent_lines():
                cause = AssayError("The run was interrupted.")
                warnings.warn(
                    str(self._write_file(sender, status, cause)), RuntimeWarning, stacklevel=3
                )
            raise
        finally:
            self._has_ended = True
        if rejection is not None:
            raise rejection

    def _open(self, sender: BatchSender) -> None:
        evaluation = self._evaluation
        if not evaluation.find():
            evaluation.create()
        stored = evaluation.stored or {}
        is_finished = stored["status"] == "finished"
        # The variant is added with the first change, so that a conflict changes nothing.
        evaluation.add_variant()
        hashes: dict[str, int] = {}
        if stored["scenario_count"] > 0:
            for scenario in self._evaluation.reads.scenarios(self.id, include="extra"):
                hashes[scenario["id"]] = hash_content(scenario)
        # A finished evaluation stays as it is until a row is added.
        if not is_finished:
            self._has_changes = True
            evaluation.set_status("running")
        with self._lock:
            self._stored = hashes
            sender.on_conflict = self._on_conflict or ("error" if is_finished else "replace")
            # Rows that were added before the service could be reached.
            sender.keep_rows(self._must_be_sent)

    def _must_be_sent(self, row: Row) -> bool:
        return row.id not in self._stored or self._differs(json.loads(row.line))

    def _differs(self, scenario: Mapping[str, Any]) -> bool:
        """Whether the row differs from the stored one."""
        stored = self._stored.get(scenario["id"])
        # A note is not part of the compared content.
        return stored is None or "note" in scenario or stored != hash_content(scenario)

    def _is_new(self, scenario: Mapping[str, Any], line: bytes) -> bool:
        """Whether the row has to be sent: it was not added before, and is not stored already."""
        id = scenario["id"]
        content, earlier = hash(line), self._added.get(id)
        if earlier is None:
            self._added[id] = content
            return self._differs(scenario)
        if earlier == content or self._on_conflict == "skip":
            return False
        if self._on_conflict != "replace":
            raise ValueError(
                f"The scenario id {id!r} was added before in this run, with different content. "
                'Use unique ids, or on_conflict="replace" to store the last row of each id.'
            )
        self._added[id] = content
        return True

    def _note_stored(self, has_changes: bool) -> None:
        if has_changes:
            self._has_changes = True
        # A finished evaluation is running again as soon as a row was added.
        stored = self._evaluation.stored or {}
        if self._has_changes and stored["status"] != "running":
            self._evaluation.set_status("running")

    def _note_rejected(self, id: str) -> None:
        self._added.pop(id, None)

    def _write_file(self, sender: BatchSender, status: Status, cause: AssayError) -> AssayError:
        """Write the unsent rows to a file, and return the error that names it."""
        lines = sender.unsent_lines()
        return unsent_rows_error(
            cause,
            self._evaluation.unsent_header(status),
            lines,
            len(lines),
            url=self._evaluation.reads.url,
            on_conflict=sender.on_conflict,
        )

    def _running_sender(self) -> BatchSender:
        if self._has_ended:
            raise RuntimeError("The run has ended. Start a new one to add rows.")
        if self._sender is None:
            raise RuntimeError("The run has not started. Use it in a with statement.")
        return self._sender
