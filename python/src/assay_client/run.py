"""Writes evaluations row by row. An interrupted run can be started again."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import quote

from . import _batches
from ._batches import (
    BatchSender,
    OnConflict,
    RejectedRowsError,
    Row,
    hash_content,
    is_temporary,
)
from ._import_file import import_command, write_unsent_rows
from ._revisions import check_configuration, find_or_create_revision
from ._scenarios import (
    DerivedIds,
    build_scenario,
    check_dict,
    encode,
    scenario_id,
    to_json_value,
)
from .display import DisplayedEvaluation
from .errors import AssayConnectionError, AssayError

if TYPE_CHECKING:
    from .client import Client

Status = Literal["finished", "failed"]

# At the end of a run, temporary failures are retried for this time.
FINAL_SECONDS = 30.0


class EvaluationRun:
    """A run that writes one evaluation: `with client.evaluation("nightly") as run: run.add(…)`.

    Rows are sent in batches, in the order in which they are added. If the process is interrupted,
    run the same code again: rows that are stored already are not added twice. `add` can be called
    by several threads.
    """

    def __init__(
        self,
        client: Client,
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
        if config is not None and variant is None:
            raise ValueError("config is the configuration of a variant. Set variant too.")
        if on_conflict not in (None, "error", "replace", "skip"):
            raise ValueError('on_conflict must be "error", "replace" or "skip".')
        if not isinstance(id, str):
            raise TypeError(f"The id of an evaluation must be a string, not {type(id).__name__}.")
        check_dict(config, "config")
        if isinstance(tags, str):
            raise TypeError("tags must be a list of strings.")
        self.id = id
        self._client = client
        self._http = client._http
        self._variant = variant
        self._config = config
        self._on_conflict = on_conflict
        members = {
            "name": name,
            "baseline_id": baseline,
            "evaluators": None
            if evaluators is None
            else [check_dict(each, "each of evaluators") for each in evaluators],
            "tags": None if tags is None else list(tags),
            "metadata": metadata,
            "expected_count": expected_count,
        }
        self._members = {
            member: to_json_value(value, member)
            for member, value in members.items()
            if value is not None
        }
        self._has_ended = False
        self._evaluation: Mapping[str, Any] = {}
        self._has_changes = False
        self._stored: dict[str, int] = {}
        self._added: dict[str, int] = {}
        self._derived_ids = DerivedIds()
        self._lock = threading.Lock()
        self._sender: BatchSender | None = None

    @property
    def url(self) -> str:
        """The address of the evaluation's page."""
        return f"{self._client.url}/evaluations/{quote(self.id, safe='')}"

    def __repr__(self) -> str:
        return f"EvaluationRun({self.id!r})"

    def _repr_html_(self) -> str | None:
        try:
            evaluation = self._client.get_evaluation(self.id)
        except AssayError:
            # A notebook displays the repr instead.
            return None
        return cast(DisplayedEvaluation, evaluation)._repr_html_()

    def __enter__(self) -> EvaluationRun:
        return self.start() if self._sender is None else self

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
        """Whether the evaluation had a row with this id when the run started."""
        self._running_sender()
        return scenario_id(id) in self._stored

    def start(self) -> EvaluationRun:
        """Create the evaluation, or continue it if it exists. A `with` statement does this."""
        if self._sender is not None:
            raise RuntimeError("The run has already been started. Create a new one.")
        evaluation = self._find() or self._create()
        if evaluation is None:
            # Another process has created it in the meantime.
            evaluation = self._http.get(["evaluations", self.id])
        is_finished = evaluation["status"] == "finished"
        self._evaluation = evaluation
        if evaluation["variant_id"] is None:
            # The variant is added with the first change, so that a conflict changes nothing.
            self._members.update(self._find_variant())
        else:
            check_configuration(self._http, evaluation, self._variant, self._config)
        if evaluation["scenario_count"] > 0:
            for scenario in self._client.scenarios(self.id, include="extra"):
                self._stored[scenario["id"]] = hash_content(scenario)
        # A finished evaluation stays as it is until a row is added.
        if not is_finished:
            self._has_changes = True
            self._patch("running")
        self._sender = BatchSender(
            self._http,
            self.id,
            self._on_conflict or ("error" if is_finished else "replace"),
            self._note_stored,
            self._note_rejected,
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
            replaces = row_id in self._stored or row_id in self._added
            if self._is_new(scenario, line):
                sender.add(Row(row_id, line, replaces))
        sender.send_if_due()
        return row_id

    def flush(self) -> None:
        """Send all buffered rows now."""
        self._running_sender().flush()

    def finish(self, status: Status = "finished") -> None:
        """Send the remaining rows and set the status. A `with` statement does this."""
        if status not in ("finished", "failed"):
            raise ValueError('status must be "finished" or "failed".')
        self._end(status, wait_seconds=FINAL_SECONDS)

    def _end(self, status: Status, wait_seconds: float) -> None:
        sender = self._running_sender()
        give_up_at = time.monotonic() + wait_seconds
        rejection: RejectedRowsError | None = None
        try:
            while True:
                try:
                    sender.flush()
                    if status == "finished" or self._has_changes:
                        self._patch(status)
                    break
                except AssayError as failure:
                    if isinstance(failure, RejectedRowsError):
                        rejection, status = rejection or failure, "failed"
                        sender.discard_after(failure)
                        continue
                    remaining = give_up_at - time.monotonic()
                    if not is_temporary(failure) or remaining <= 0:
                        raise self._write_file(sender, status, failure) from failure
                time.sleep(min(_batches.RETRY_SECONDS, remaining))
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

    def _find(self) -> Mapping[str, Any] | None:
        try:
            evaluation: Mapping[str, Any] = self._http.get(["evaluations", self.id])
            return evaluation
        except AssayError as error:
            # 403: only another project has this id, so it can be created in this one.
            if error.status in (403, 404):
                return None
            raise

    def _create(self) -> Mapping[str, Any] | None:
        members = {
            "id": self.id,
            "status": "running",
            **self._members,
            **self._find_variant(),
        }
        try:
            created: Mapping[str, Any] = self._http.write("POST", ["evaluations"], encode(members))
            return created
        except AssayError as error:
            if error.code == "conflict":
                return None
            raise

    def _find_variant(self) -> dict[str, Any]:
        """The variant of the run and its revision, as members of the evaluation."""
        if self._variant is None:
            return {}
        revision = find_or_create_revision(self._http, self._variant, self._config)
        return {"variant_id": self._variant, "revision": revision}

    def _is_new(self, scenario: Mapping[str, Any], line: bytes) -> bool:
        """Whether the row has to be sent: it was not added before, and is not stored already."""
        id = scenario["id"]
        content, earlier = hash(line), self._added.get(id)
        if earlier is None:
            self._added[id] = content
            stored = self._stored.get(id)
            # A note is not part of the compared content.
            return stored is None or "note" in scenario or stored != hash_content(scenario)
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
        if self._has_changes and self._evaluation["status"] != "running":
            self._patch("running")

    def _note_rejected(self, id: str) -> None:
        self._added.pop(id, None)

    def _patch(self, status: str) -> None:
        """Set the status, and the members of the evaluation that differ from the stored ones."""
        stored = self._evaluation
        members = {"status": status, **self._members}
        # A person can have added evaluators and tags in the meantime.
        names = {each.get("name") for each in members.get("evaluators", [])}
        for member in ("evaluators", "tags"):
            if member in members:
                members[member] = members[member] + [
                    each
                    for each in stored[member] or []
                    if each not in members[member]
                    and (member == "tags" or each.get("name") not in names)
                ]
        changes = {name: value for name, value in members.items() if stored[name] != value}
        if changes:
            self._evaluation = self._http.write("PATCH", ["evaluations", self.id], encode(changes))

    def _write_file(self, sender: BatchSender, status: Status, cause: AssayError) -> AssayError:
        """Write the unsent rows to a file, and return the error that names it."""
        lines = sender.unsent_lines()
        count = "One row was" if len(lines) == 1 else f"{len(lines)} rows were"
        missing = f"{count} not sent." if lines else "The status was not set."
        try:
            path = write_unsent_rows({"id": self.id, "status": status}, lines)
        except OSError as error:
            outcome = f"No file with what is missing could be written: {error}."
            hint = "Run the same code again when the service is back."
        else:
            outcome = f"The file {path.name} contains what is missing."
            command = import_command(path, self._client.url, sender.on_conflict)
            hint = f"Import it when the service is back: {command}"
        kind = AssayConnectionError if isinstance(cause, AssayConnectionError) else AssayError
        failure = kind(f"{cause.detail} {missing} {outcome}", hint=hint)
        failure.status, failure.code = cause.status, cause.code
        return failure

    def _running_sender(self) -> BatchSender:
        if self._sender is None:
            raise RuntimeError("The run has not started. Use it in a with statement.")
        if self._has_ended:
            raise RuntimeError("The run has ended. Start a new one to add rows.")
        return self._sender


def log_rows(run: EvaluationRun, arguments_of_rows: Iterable[Mapping[str, Any]]) -> EvaluationRun:
    """Write rows, which are keyword arguments of `add`. Errors say the number of the row."""
    with run:
        for number, arguments in enumerate(arguments_of_rows):
            try:
                run.add(**arguments)
            except (TypeError, ValueError) as failure:
                kind = TypeError if isinstance(failure, TypeError) else ValueError
                raise kind(f"Row {number} (counted from 0): {failure}") from failure
    return run
