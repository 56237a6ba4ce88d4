"""Starts the sending process, and writes to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .delivery import Delivery

# The sending process limits its own time. This limit is for a process that was stopped.
MAX_SENDER_WAIT = 120.0

# The current folder is not searched for modules: it can contain any name.
_SENDER_PROGRAM = """
import sys
sys.path[:] = [*filter(None, sys.path), sys.argv[1]]
from assay_client._pytest.sender import main
main()
"""


class SenderProcess:
    """Without a call of `start`, or if the process ends too early, the other methods do nothing."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._error: OSError | None = None

    @property
    def problem(self) -> RuntimeError:
        """Why there is no delivery."""
        cause = f": {self._error}" if self._error else ""
        return RuntimeError(f"The sending process failed{cause}.")

    def start(self, folder: Path) -> None:
        # The coverage of tests must not include this process.
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("COV_CORE_", "COVERAGE_PROCESS_"))
        }
        try:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-W", "ignore", "-c", _SENDER_PROGRAM),
                    str(Path(__file__).parents[2]),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=environment,
                # Ctrl-C ends the tests, and the rows until then are sent.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            self._error = error

    def write(self, message: Mapping[str, Any]) -> None:
        self._write_line(_encode(message))

    def write_rows(self, position: int, rows: list[bytes]) -> None:
        self._write_line(b"%d %b\n" % (position, b"\t".join(rows)))

    def finish(self, message: Mapping[str, Any]) -> Delivery | None:
        """Sends the last message, and returns what happened to the rows, None if it is unknown."""
        if self._process is None:
            return None
        try:
            output, _ = self._process.communicate(_encode(message), timeout=MAX_SENDER_WAIT)
            delivery: Delivery = json.loads(output)
            return delivery
        except (OSError, ValueError, subprocess.TimeoutExpired, KeyboardInterrupt):
            self._process.kill()
            self._process.wait()
            return None

    def _write_line(self, line: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            # The process has ended. The rows are written to a file at the end of the run.
            pass


def _encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
