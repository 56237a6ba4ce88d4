"""Buffers rows of an evaluation and sends them in batches."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ._http import HttpClient
from .errors import AssayConnectionError, AssayError

OnConflict = Literal["error", "replace", "skip"]

# Each batch is a transaction. Larger ones are not faster.
BATCH_ROWS = 2_000
BATCH_BYTES = 2_000_000
BATCH_SECONDS = 1.0
# After a temporary failure, the rows are sent again with the next row after this time.
RETRY_SECONDS = 5.0
# At the end of a run, temporary failures are retried for this time.
FINAL_SECONDS = 30.0


class Row(NamedTuple):
    id: str
    line: bytes


class RejectedRowsError(AssayError):
    """The service rejected some rows of a batch."""


class BatchSender:
    """Sends rows in the order in which they are added. Can be used by several threads."""

    def __init__(
        self,
        http: HttpClient,
        evaluation: str,
        on_conflict: OnConflict,
        on_stored: Callable[[bool], None],
        on_rejected: Callable[[str], None],
        open_evaluation: Callable[[], None] | None = None,
    ) -> None:
        """`on_stored` is called after each batch, with whether it has changed the evaluation.

        `on_rejected` is called with the id of each row that is not stored. `open_evaluation` is
        called before the first batch, again if it has failed.
        """
        self._http = http
        self._evaluation = evaluation
        self.on_conflict = on_conflict
        self._on_stored = on_stored
        self._on_rejected = on_rejected
        self._open_evaluation = open_evaluation
        self._buffer: deque[Row] = deque()
        self._buffered_bytes = 0
        self._send_at = time.monotonic() + BATCH_SECONDS
        self._conflict: AssayError | None = None
        # The first lock protects the members, the second one allows one batch at a time.
        self._lock = threading.Lock()
        self._send_lock = threading.Lock()

    def add(self, row: Row) -> None:
        with self._lock:
            self._buffer.append(row)
            self._buffered_bytes += len(row.line)

    def send_if_due(self) -> None:
        """Send the rows if they are enough for a batch, or the last batch was sent a second ago.

        A temporary failure is not an error: the rows are sent again later.
        """
        with self._lock:
            is_full = len(self._buffer) >= BATCH_ROWS or self._buffered_bytes >= BATCH_BYTES
            remaining = self._send_at - time.monotonic()
        # After a failure, a full buffer waits as well.
        is_due = remaining <= (BATCH_SECONDS if is_full else 0)
        if is_due and self._send_lock.acquire(blocking=is_full):
            try:
                self._send_all()
            except AssayError as failure:
                self._postpone(failure)
            finally:
                self._send_lock.release()

    def open(self) -> AssayError | None:
        """Open the evaluation. Return a temporary failure: it is opened later then."""
        with self._send_lock:
            try:
                self._open()
            except AssayError as failure:
                self._postpone(failure)
                return failure
        return None

    def _postpone(self, failure: AssayError) -> None:
        if not is_temporary(failure):
            raise failure
        self._send_at = time.monotonic() + RETRY_SECONDS

    def _open(self) -> None:
        if self._open_evaluation is not None:
            self._open_evaluation()
            self._open_evaluation = None

    def flush(self) -> None:
        with self._send_lock:
            self._send_all()

    def keep_rows(self, is_kept: Callable[[Row], bool]) -> None:
        """Remove the other buffered rows."""
        self._remove(lambda row: not is_kept(row))

    def unsent_lines(self) -> list[bytes]:
        with self._lock:
            return [row.line for row in self._buffer]

    def discard_after(self, error: BaseException) -> None:
        """Discard the other rows after a conflict: they would mix two runs in one evaluation."""
        if error is self._conflict:
            self._remove(lambda row: True)

    def _send_all(self) -> None:
        self._open()
        while self._buffer:
            rows = self._next_batch()
            try:
                rejections = self._store(rows)
            except AssayError as error:
                if not error.conflicts:
                    raise
                self._conflict = self._remove_conflicts(error)
                raise self._conflict from error
            with self._lock:
                # Rows are removed after they are stored, so that an interruption loses none.
                for row in rows:
                    self._buffer.popleft()
                    self._buffered_bytes -= len(row.line)
            self._send_at = time.monotonic() + BATCH_SECONDS
            for row, _ in rejections:
                self._on_rejected(row.id)
            if rejections:
                raise _rejection(rejections)

    def _next_batch(self) -> list[Row]:
        rows: list[Row] = []
        size = 0
        with self._lock:
            for row in self._buffer:
                if rows and (len(rows) == BATCH_ROWS or size + len(row.line) > BATCH_BYTES):
                    break
                rows.append(row)
                size += len(row.line)
        return rows

    def _store(self, rows: list[Row]) -> list[tuple[Row, AssayError]]:
        """Store rows, and return those that the service rejects."""
        if not rows:
            return []
        path = ["evaluations", self._evaluation, "evaluation_scenarios"]
        try:
            counts = self._http.write(
                "POST",
                path,
                b"".join(row.line for row in rows),
                query={"on_conflict": self.on_conflict},
                content_type="application/x-ndjson",
            )
        except AssayError as error:
            if error.code == "content-too-large":
                if len(rows) == 1:
                    return [(rows[0], error)]
                middle = _middle(rows)
                return self._store(rows[:middle]) + self._store(rows[middle:])
            if error.code != "invalid-content" or not error.errors:
                raise
            indexes = {each["line"] - 1 for each in error.errors}
            error.detail = error.errors[0]["detail"]
            valid = [row for index, row in enumerate(rows) if index not in indexes]
            return [(rows[index], error) for index in sorted(indexes)] + self._store(valid)
        self._on_stored(bool(counts["accepted"] or counts.get("replaced")))
        return []

    def _remove_conflicts(self, error: AssayError) -> RejectedRowsError:
        """Remove the rows that are in conflict, so that the others can still be sent."""
        ids = {conflict["id"] for conflict in error.conflicts}
        self._remove(lambda row: row.id in ids)
        for id in ids:
            self._on_rejected(id)
        conflict = RejectedRowsError(
            f"The evaluation {self._evaluation!r} has these scenarios already, with different "
            f"content: {_list_ids(sorted(ids), error.conflict_count)}.",
            status=error.status,
            code=error.code,
            hint='Use a new evaluation id, or on_conflict="replace".',
        )
        conflict.conflicts, conflict.conflict_count = error.conflicts, error.conflict_count
        return conflict

    def _remove(self, is_removed: Callable[[Row], bool]) -> None:
        with self._lock:
            self._set_buffer(row for row in self._buffer if not is_removed(row))

    def _set_buffer(self, rows: Iterable[Row]) -> None:
        self._buffer = deque(rows)
        self._buffered_bytes = sum(len(row.line) for row in self._buffer)


def hash_content(scenario: Mapping[str, Any]) -> int:
    """A hash of what the service compares to decide whether a row has changed."""
    content = [
        scenario["inputs"],
        scenario["outputs"],
        scenario.get("correct_answers"),
        scenario["results"],
        scenario.get("extra"),
    ]
    return hash(json.dumps(content))


def is_temporary(error: AssayError) -> bool:
    if isinstance(error, AssayConnectionError) or error.status in (429, 502, 503, 504):
        return True
    # An earlier attempt of the same request is still in progress.
    return error.status == 409 and error.retry_after is not None


def wait_for_service(error: AssayError, give_up_at: float) -> bool:
    """Wait before the next attempt. Return False if there is none."""
    remaining = give_up_at - time.monotonic()
    if not is_temporary(error) or remaining <= 0:
        return False
    time.sleep(min(RETRY_SECONDS, remaining))
    return True


def _rejection(rejections: list[tuple[Row, AssayError]]) -> RejectedRowsError:
    ids = [row.id for row, _ in rejections]
    rows = "the scenario" if len(ids) == 1 else f"{len(ids)} scenarios:"
    first = rejections[0][1]
    return RejectedRowsError(
        f"The service rejected {rows} {_list_ids(ids, len(ids))}. {first.detail}",
        status=first.status,
        code=first.code,
        hint="The other rows are not affected.",
    )


def _middle(rows: list[Row]) -> int:
    """The index that divides rows into two parts of similar size."""
    half = sum(len(row.line) for row in rows) / 2
    size = 0
    for index, row in enumerate(rows):
        size += len(row.line)
        if size >= half:
            return max(1, index)
    return len(rows) - 1


def _list_ids(ids: Sequence[str], count: int) -> str:
    listed = ", ".join(repr(id) for id in ids[:5])
    return listed if count <= 5 else f"{listed} and {count - 5} more"
