"""The process that sends the rows of a pytest run, so that tests never wait for the service.

Its standard input: one JSON object with the evaluation, then one line per row with its position, a
space and the scenario, then one JSON object with the final status. Its output is a Delivery.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypedDict
from urllib.parse import quote

from .._batches import BatchSender, RejectedRowsError, Row, is_temporary
from .._import_file import unused_path, write_import_file
from ..client import Client
from ..errors import AssayConnectionError, AssayError

SEND_INTERVAL = 1.0
RETRY_INTERVAL = 10.0
REQUEST_TIMEOUT = 30.0
# After the tests, the run ends when the service has not responded for this long.
MAX_FINAL_WAIT = 5.0


class Header(TypedDict):
    """The first line of the input."""

    evaluation: dict[str, Any]
    folder: str


class Delivery(TypedDict, total=False):
    """What happened to the rows."""

    row_count: int
    rejections: list[str]
    url: str
    error: str
    file: str
    file_error: str


class OrderedRows:
    """Rows by position. Each is sent when all before it are there, so that every run of the same
    tests has the same order."""

    def __init__(self) -> None:
        self._lines: dict[int, bytes] = {}
        self._waiting: set[int] = set()
        self._complete_until = 0

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[bytes]:
        return (self._lines[position] for position in sorted(self._lines))

    def add(self, position: int, line: bytes) -> None:
        """Adds a row, or replaces it when a test was repeated."""
        self._lines[position] = line
        self._waiting.add(position)
        while self._complete_until in self._lines:
            self._complete_until += 1

    def take(self, with_gaps: bool) -> list[bytes]:
        """Returns each row once. `with_gaps`: also after a test that has not ended."""
        positions = sorted(
            position for position in self._waiting if with_gaps or position < self._complete_until
        )
        self._waiting.difference_update(positions)
        return [self._lines[position] for position in positions]


class Sender:
    def __init__(self, header: Header) -> None:
        self._header = header
        self._rows = OrderedRows()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._status = "failed"
        self._batches: BatchSender | None = None
        self._rejected_ids: list[str] = []
        self._rejections: list[str] = []
        self._last_progress = 0.0
        self._problem: AssayError | ValueError | None = None
        self._delivered = threading.Lock()

    def read(self, stream: BinaryIO) -> None:
        """Reads rows until the status, or until the end if pytest was killed. Then limits the wait
        for the service."""
        for line in stream:
            if line.startswith(b"{"):
                self._status = json.loads(line)["status"]
                break
            position, _, row = line.partition(b" ")
            # The last line is incomplete if pytest was killed.
            if row.endswith(b"\n"):
                with self._lock:
                    self._rows.add(int(position), row)
        self._last_progress = time.monotonic()
        self._ended.set()
        while time.monotonic() - self._last_progress < MAX_FINAL_WAIT:
            time.sleep(0.05)
        self._finish(self._problem or AssayConnectionError("The service did not respond."))

    def run(self) -> None:
        """Sends rows until the tests have ended. Tries once more at the end after a failure."""
        try:
            client = Client(timeout=REQUEST_TIMEOUT, retries=0)
        except ValueError as error:
            self._ended.wait()
            self._finish(error)
            return
        interval: float | None = 0.0
        while not self._ended.wait(interval):
            interval = SEND_INTERVAL
            try:
                self._send(client)
            except AssayError as error:
                self._problem = error
                interval = RETRY_INTERVAL if is_temporary(error) else None
        try:
            self._send(client)
            self._write(client, "PATCH", {"status": self._status}, self._header["evaluation"]["id"])
        except AssayError as error:
            self._finish(error)
        else:
            self._finish(None)

    def _send(self, client: Client) -> None:
        if self._batches is None:
            self._batches = self._create(client)
        with self._lock:
            lines = self._rows.take(with_gaps=self._ended.is_set())
        for line in lines:
            self._batches.add(Row(_id_of(line), line, replaces=False))
        while True:
            try:
                self._batches.flush()
                return
            except RejectedRowsError as error:
                self._rejections.append(error.detail)

    def _create(self, client: Client) -> BatchSender:
        evaluation = self._header["evaluation"]
        try:
            self._write(client, "POST", evaluation)
        except AssayError as error:
            if error.status != 409:
                raise
            changes = {name: evaluation[name] for name in ("status", "expected_count")}
            self._write(client, "PATCH", changes, evaluation["id"])
        return BatchSender(
            client._http,
            evaluation["id"],
            "replace",
            lambda _: self._note_progress(),
            self._rejected_ids.append,
        )

    def _write(self, client: Client, method: str, body: Any, *path: str) -> None:
        client._http.write(method, ["evaluations", *path], json.dumps(body).encode())
        self._note_progress()

    def _note_progress(self) -> None:
        self._last_progress = time.monotonic()

    def _finish(self, error: AssayError | ValueError | None) -> None:
        """Prints what happened and ends the process. Only the first call has an effect."""
        if not self._delivered.acquire(blocking=False):
            threading.Event().wait()
        try:
            print(json.dumps(self._deliver(error)), flush=True)
        finally:
            # A request can still be waiting for its response, and pytest can have been killed.
            os._exit(0)

    def _deliver(self, error: AssayError | ValueError | None) -> Delivery:
        with self._lock:
            rejected = set(self._rejected_ids)
            rows = [row for row in self._rows if not rejected or _id_of(row) not in rejected]
        if error is None:
            id = quote(self._header["evaluation"]["id"], safe="")
            page = Client().url
            delivery: Delivery = {"row_count": len(rows), "url": f"{page}/evaluations/{id}"}
        else:
            delivery = save_rows(self._header, self._status, rows, error)
        delivery["rejections"] = self._rejections
        return delivery


def save_rows(header: Header, status: str, rows: list[bytes], error: Exception) -> Delivery:
    """Writes all rows to a file for `assay import`."""
    evaluation = {**header["evaluation"], "status": status}
    delivery: Delivery = {"row_count": len(rows), "error": _describe_error(error)}
    for folder in (header["folder"], tempfile.gettempdir()):
        path = unused_path(Path(folder), f"assay-{evaluation['id']}", ".ndjson")
        try:
            write_import_file(path, evaluation, rows)
        except OSError as problem:
            delivery["file_error"] = str(problem)
        else:
            delivery["file"] = str(path)
            break
    return delivery


def _describe_error(error: Exception) -> str:
    if not isinstance(error, AssayError):
        return str(error)
    if error.status in (401, 403):
        return f"{error.detail} Set ASSAY_KEY to an API key with the scopes read and write."
    return error.detail


def _id_of(line: bytes) -> str:
    id: str = json.loads(line)["id"]
    return id


def main() -> None:
    stream = sys.stdin.buffer
    sender = Sender(json.loads(stream.readline()))
    threading.Thread(target=sender.read, args=(stream,), daemon=True).start()
    sender.run()
