"""The process that sends the rows of a pytest run, so that tests never wait for the service.

Its standard input: a Header as JSON. Then one line per test with its position, a space and its
scenarios, separated by tabs, and JSON objects with the expected count. Then one with the status.
Its output is a Delivery.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import BinaryIO
from urllib.parse import quote

from .._batches import BATCH_BYTES, BatchSender, RejectedRowsError, Row, is_temporary
from ..client import Client
from ..errors import AssayConnectionError, AssayError
from .delivery import Delivery, Header, save_rows
from .ordered_rows import OrderedRows
from .target import TargetEvaluation

SEND_INTERVAL = 1.0
RETRY_INTERVAL = 10.0
REQUEST_TIMEOUT = 30.0
# After the tests, the run ends when the service has not responded for this long.
MAX_FINAL_WAIT = 5.0


class Sender:
    def __init__(self, header: Header) -> None:
        self._header = header
        self._target = TargetEvaluation(header)
        self._rows = OrderedRows()
        self._expected_count: int | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._status = "failed"
        self._batches: BatchSender | None = None
        self._sent_ids: set[str] = set()
        self._rejected_ids: set[str] = set()
        self._rejections: list[str] = []
        self._last_progress = 0.0
        self._max_wait = MAX_FINAL_WAIT
        self._problem: AssayError | ValueError | None = None
        self._delivered = threading.Lock()

    def read(self, stream: BinaryIO) -> None:
        """Reads rows until the status, or until the end if pytest was killed. Then limits the wait
        for the service."""
        for line in stream:
            # The last line is incomplete if pytest was killed.
            if not line.endswith(b"\n"):
                break
            if line.startswith(b"{"):
                message = json.loads(line)
                self._expected_count = message["expected_count"]
                if "status" in message:
                    self._status = message["status"]
                    break
            else:
                position, _, rows = line.removesuffix(b"\n").partition(b" ")
                with self._lock:
                    self._rows.set(int(position), [row + b"\n" for row in rows.split(b"\t")])
        self._note_progress()
        self._ended.set()
        while time.monotonic() - self._last_progress < self._max_wait:
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
            self._complete(client)
        except AssayError as error:
            self._finish(error)
        else:
            self._finish(None)

    def _send(self, client: Client) -> None:
        batches = self._batches or self._open(client)
        if batches is None:
            return
        with self._lock:
            lines = self._rows.take(with_gaps=self._ended.is_set())
        for line in lines:
            batches.add(Row(_id_of(line), line))
        self._sent_ids.update(map(_id_of, lines))
        while True:
            try:
                batches.flush()
                break
            except RejectedRowsError as error:
                self._rejections.append(error.detail)
        if self._expected_count is not None:
            self._target.patch(client._http, {"expected_count": self._expected_count})
            self._note_progress()

    def _open(self, client: Client) -> BatchSender | None:
        with self._lock:
            # A run without rows creates no evaluation, unless it has an id that others read.
            if not (self._header["is_given"] or len(self._rows)):
                return None
        self._target.open(client._http, self._expected_count)
        self._note_progress()
        self._batches = BatchSender(
            client._http,
            self._target.id,
            "replace",
            lambda _: self._note_progress(),
            self._rejected_ids.add,
        )
        return self._batches

    def _complete(self, client: Client) -> None:
        """Deletes the rows that the run does not have, and sets the status."""
        if self._batches is None:
            return
        rows = self._accepted_rows()
        is_exact = not self._target.existed and self._sent_ids <= set(map(_id_of, self._rows))
        if self._status == "finished" and not is_exact:
            body = b"".join(rows)
            # One request replaces several batches.
            self._max_wait *= 1 + len(body) // BATCH_BYTES
            client._http.write(
                "POST",
                ["evaluations", self._target.id, "evaluation_scenarios"],
                body,
                query={"on_conflict": "replace_all"},
                content_type="application/x-ndjson",
            )
            self._note_progress()
        self._target.patch(
            client._http, self._target.final_members(self._status, self._expected_count)
        )

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
        rows = self._accepted_rows()
        if not rows and not self._header["is_given"]:
            return {"row_count": 0}
        if error is None:
            page = Client().url
            id = quote(self._target.id, safe="")
            delivery: Delivery = {"row_count": len(rows), "url": f"{page}/evaluations/{id}"}
        else:
            members, on_conflict = self._target.for_file(self._status, self._expected_count)
            delivery = save_rows(self._header, members, on_conflict, rows, error)
        delivery["rejections"] = self._rejections
        delivery["is_partial"] = self._target.is_partial
        return delivery

    def _accepted_rows(self) -> list[bytes]:
        with self._lock:
            rejected = self._rejected_ids
            return [row for row in self._rows if not rejected or _id_of(row) not in rejected]


def _id_of(line: bytes) -> str:
    id: str = json.loads(line)["id"]
    return id


def main() -> None:
    stream = sys.stdin.buffer
    sender = Sender(json.loads(stream.readline()))
    threading.Thread(target=sender.read, args=(stream,), daemon=True).start()
    sender.run()
