"""Collects the scenarios of a pytest run and passes them to the sending process."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from .._import_file import import_command
from .._transport.urls import normalize_url
from ..client import DEFAULT_URL
from .recorder import ROW_ATTRIBUTE, Plan, crash_row, to_scenario_id
from .sender import Delivery, Header, save_rows

# The sending process limits its own time. This limit is for a process that was stopped.
MAX_SENDER_WAIT = 120.0

# The current folder is not searched for modules: it can contain any name.
_SENDER_PROGRAM = """
import sys
sys.path[:] = [*filter(None, sys.path), sys.argv[1]]
from assay_client._pytest.sender import main
main()
"""


class Collector:
    """The plugin of the main process: the only one without xdist, else the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        now = datetime.now(timezone.utc)
        chosen_id: str | None = config.getoption("assay_evaluation")
        if chosen_id is not None and not _is_valid_id(chosen_id):
            rule = "An id has 1 to 200 characters and no control characters."
            raise pytest.UsageError(f"--assay-evaluation {chosen_id!r} is not a valid id. {rule}")
        generated_id = f"pytest-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        self._id = chosen_id or generated_id
        self._created_at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._is_continued = chosen_id is not None
        # Rows must differ from those of earlier runs: the service does not replace a row by the
        # content that was first written.
        self.run_label = self._created_at if self._is_continued else None
        self._plan: Plan = {}
        self._positions: dict[str, int] = {}
        self._rows: dict[int, bytes] = {}
        self._repeated: set[str] = set()
        self._sender: subprocess.Popen[bytes] | None = None
        self._start_error: Exception | None = None
        self._has_started = False
        self._url = ""
        self._plans_folder: str | None = None
        self._status = "failed"
        self._summary: list[str] = []

    def add_plan(self, plan: Plan) -> None:
        """Adds the tests that use the fixture, in the order of collection."""
        self._plan.update(plan)
        for node_id in plan:
            self._position_of(node_id)

    def pytest_report_header(self) -> str:
        return f"assay: evaluation {self._id}"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Called by xdist before it starts a worker."""
        if self._plans_folder is None:
            self._plans_folder = tempfile.mkdtemp(prefix="assay-pytest-")
        node.workerinput["assay"] = {"plans": self._plans_folder, "run_label": self.run_label}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any) -> None:
        path = Path(self._plans_folder or "", f"{node.gateway.id}.json")
        if path.exists():
            self.add_plan(json.loads(path.read_bytes()))

    def pytest_runtest_logstart(self) -> None:
        # Tests can change the environment, so the process starts before the first one.
        if self._plan:
            self._start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node_id = report.nodeid
        if report.when == "setup":
            self._repeated.discard(node_id)
        # pytest-rerunfailures: another run of the test follows, and its row counts.
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]
            self._repeated.add(node_id)
        row: str | None = report.__dict__.pop(ROW_ATTRIBUTE, None)
        if report.when not in ("setup", "call", "teardown") and node_id in self._plan:
            row = crash_row(self._plan[node_id], str(report.longrepr), self.run_label)
        if row is not None and node_id not in self._repeated:
            self._start()
            self._add_row(self._position_of(node_id), row.encode())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        # xdist reports the end by --maxfail as an interruption.
        if exitstatus in (0, 1, 5) or (exitstatus == 2 and session.shouldfail):
            self._status = "finished"
        if self._config.option.collectonly:
            return
        if self._has_started:
            self._summary = self._describe(self._finish())
        elif not self._plan:
            self._summary = ["No test used the fixture 'assay', so no evaluation was created."]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, Any, None]:
        # The list of failed tests comes first: it can be long, and the last lines are seen.
        yield
        self._print_summary(terminalreporter)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        # After an internal error and, before pytest 9, with --no-summary there is no summary.
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            self._print_summary(reporter)
        if self._plans_folder is not None:
            shutil.rmtree(self._plans_folder, ignore_errors=True)

    def _print_summary(self, reporter: pytest.TerminalReporter) -> None:
        lines, self._summary = self._summary, []
        if lines:
            reporter.write_sep("-", "assay")
            for line in lines:
                reporter.write_line(line)

    def _position_of(self, node_id: str) -> int:
        return self._positions.setdefault(node_id, len(self._positions))

    def _header(self) -> Header:
        return {
            "evaluation": {
                "id": self._id,
                "source": "pytest",
                "created_at": self._created_at,
                "status": "running",
                "expected_count": len(self._plan) or None,
            },
            "folder": str(self._config.rootpath),
        }

    def _start(self) -> None:
        if self._has_started:
            return
        self._has_started = True
        try:
            self._url = normalize_url(os.environ.get("ASSAY_URL") or DEFAULT_URL)
        except ValueError:
            # It can contain a key. The summary says that it is not valid.
            self._url = "https://evals.example"
        # The coverage of tests must not include this process.
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("COV_CORE_", "COVERAGE_PROCESS_"))
        }
        try:
            self._sender = subprocess.Popen(
                [
                    *(sys.executable, "-W", "ignore", "-c", _SENDER_PROGRAM),
                    str(Path(__file__).parents[2]),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._config.rootpath,
                env=environment,
                # Ctrl-C ends the tests, and the rows until then are sent.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            self._start_error = error
        self._pass_on(json.dumps(self._header()).encode() + b"\n")

    def _add_row(self, position: int, row: bytes) -> None:
        if self._rows.get(position) != row:
            self._rows[position] = row
            self._pass_on(b"%d %b" % (position, row))

    def _pass_on(self, line: bytes) -> None:
        if self._sender is None or self._sender.stdin is None:
            return
        try:
            self._sender.stdin.write(line)
            self._sender.stdin.flush()
        except OSError:
            # The process has ended. The rows are written to a file at the end of the run.
            pass

    def _describe(self, delivery: Delivery) -> list[str]:
        count = delivery["row_count"]
        rows = "1 row" if count == 1 else f"{count} rows"
        if "url" in delivery:
            return [f"{rows} sent: {delivery['url']}", *delivery["rejections"]]
        problem = f"{rows} not sent. {delivery['error']}"
        if "file" not in delivery:
            return [problem, f"No file could be written either: {delivery.get('file_error')}"]
        path = Path(delivery["file"])
        folder = self._config.invocation_params.dir
        if path.is_relative_to(folder):
            path = path.relative_to(folder)
        on_conflict = "replace" if self._is_continued else "error"
        command = import_command(path, self._url, on_conflict)
        return [problem, f"They are in a file. Import it with: {command}"]

    def _finish(self) -> Delivery:
        error: Exception | None = self._start_error
        if self._sender is not None:
            message = json.dumps({"status": self._status}).encode() + b"\n"
            try:
                output, _ = self._sender.communicate(message, timeout=MAX_SENDER_WAIT)
                delivery: Delivery = json.loads(output)
                return delivery
            except (OSError, ValueError, subprocess.TimeoutExpired, KeyboardInterrupt):
                self._sender.kill()
                self._sender.wait()
        rows = [row for _, row in sorted(self._rows.items())]
        problem = RuntimeError(f"The sending process failed{f': {error}' if error else ''}.")
        return save_rows(self._header(), self._status, rows, problem)


def _is_valid_id(id: str) -> bool:
    return id not in ("", ".", "..") and to_scenario_id(id) == id
