"""Collects the scenarios of a pytest run and passes them to the sending process."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from .._import_file import import_command
from .._transport.urls import normalize_url
from ..client import DEFAULT_URL
from .delivery import Delivery, Header, import_mode, save_rows
from .failures import FailureDetector
from .ids import to_scenario_id
from .ordered_rows import OrderedRows
from .recorder import ROWS_ATTRIBUTE, Plan
from .rows_of_test import crash_row
from .selection import describe_selection

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

    def __init__(self, config: pytest.Config, options: argparse.Namespace) -> None:
        self._config = config
        now = datetime.now(timezone.utc)
        chosen_id: str | None = options.assay_evaluation
        if chosen_id is not None and not _is_valid_id(chosen_id):
            rule = "An id has 1 to 200 characters and no control characters."
            raise pytest.UsageError(f"--assay-evaluation {chosen_id!r} is not a valid id. {rule}")
        generated_id = f"pytest-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        self._id = chosen_id or generated_id
        self._created_at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._is_given = chosen_id is not None
        self._evaluators = _declared_evaluators(config)
        self.failures = FailureDetector()
        self._selection: str | None = None
        self._plan: Plan = {}
        self._positions: dict[str, int] = {}
        self._rows = OrderedRows()
        self._expected_count: int | None = None
        self._repeated: set[str] = set()
        self._sender: subprocess.Popen[bytes] | None = None
        self._start_error: Exception | None = None
        self._has_started = False
        self._runs_tests = False
        self._url = ""
        self._plans_folder: str | None = None
        self._failure: str | None = None
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
        node.workerinput["assay"] = self._plans_folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any) -> None:
        path = Path(self._plans_folder or "", f"{node.gateway.id}.json")
        if path.exists():
            self.add_plan(json.loads(path.read_bytes()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        if self._config.option.collectonly:
            return
        self._runs_tests = True
        self._selection = describe_selection(self._config)
        # The rows of an earlier run must not look like those of a run that is killed.
        # Without a key, a test module can still set it.
        if self._is_given and os.environ.get("ASSAY_KEY"):
            self._start()

    def pytest_runtest_logstart(self) -> None:
        # Tests can change the environment, so the process starts before the first one.
        if self._plan:
            self._start()
            self._update_expected_count()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node_id = report.nodeid
        if report.when == "setup":
            self._repeated.discard(node_id)
        # pytest-rerunfailures: another run of the test follows, and its rows count.
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]
            self._repeated.add(node_id)
        rows: list[str] | None = report.__dict__.pop(ROWS_ATTRIBUTE, None)
        if report.when not in ("setup", "call", "teardown") and node_id in self._plan:
            rows = [crash_row(self._plan[node_id], str(report.longrepr))]
        if rows is not None and node_id not in self._repeated:
            self._start()
            self._set_rows(self._position_of(node_id), [row.encode() for row in rows])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._runs_tests:
            self.finish(self.failures.reason(session, exitstatus))

    def finish(self, failure: str | None) -> list[str]:
        """Sends what is missing and the status. Returns the lines of the summary."""
        self._runs_tests = False
        if len(self._rows) == 0:
            failure = failure or "No test used the fixture 'assay'. Check the tests."
        self._failure = failure
        if len(self._rows) or self._is_given:
            self._start()
            self._summary = self._describe(self._finish_sender())
        else:
            self._finish_sender()
            which = "with the fixture 'assay' ended" if self._plan else "used the fixture 'assay'"
            self._summary = [f"No test {which}, so no evaluation was created."]
        return self._summary

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, Any, None]:
        # The list of failed tests comes first: it can be long, and the last lines are seen.
        yield
        self._print_summary(terminalreporter)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        # After an internal error and, before pytest 9, with --no-summary there is no summary.
        if self._runs_tests and self.failures.interruption is not None:
            self.finish(self.failures.interruption)
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
        evaluation: dict[str, Any] = {
            "id": self._id,
            "source": "pytest",
            "created_at": self._created_at,
        }
        if self._evaluators:
            evaluation["evaluators"] = self._evaluators
        if self._selection is not None:
            evaluation["metadata"] = {"selection": self._selection}
        return {
            "evaluation": evaluation,
            "is_given": self._is_given,
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
        self._pass_on(_encode_line(self._header()))

    def _set_rows(self, position: int, rows: list[bytes]) -> None:
        if self._rows.set(position, rows):
            self._pass_on(b"%d %b\n" % (position, b"\t".join(rows)))
            self._update_expected_count()

    def _update_expected_count(self) -> None:
        count = self._rows.count(len(self._positions))
        if count != self._expected_count:
            self._expected_count = count
            self._pass_on(_encode_line({"expected_count": count}))

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
        status: list[str] = []
        if self._failure is not None:
            status = [f"The evaluation has the status 'failed'. {self._failure}"]
        elif delivery.get("is_partial"):
            status = [
                "The evaluation has the status 'failed', because only a part of its tests ran: "
                f"{self._selection}. Use another --assay-evaluation for a selection of tests."
            ]
        if "url" in delivery:
            return [f"{rows} sent: {delivery['url']}", *delivery["rejections"], *status]
        problem = f"{rows} not sent. {delivery['error']}"
        if "file" not in delivery:
            error = f"No file could be written either: {delivery.get('file_error')}"
            return [problem, error, *status]
        path = Path(delivery["file"])
        folder = self._config.invocation_params.dir
        if path.is_relative_to(folder):
            path = path.relative_to(folder)
        command = import_command(path, self._url, delivery["on_conflict"])
        subject = "They are" if count else "The status is"
        return [problem, f"{subject} in a file. Import it with: {command}", *status]

    def _finish_sender(self) -> Delivery:
        error: Exception | None = self._start_error
        status = "finished" if self._failure is None else "failed"
        if self._sender is not None:
            message = _encode_line({"expected_count": self._expected_count, "status": status})
            try:
                output, _ = self._sender.communicate(message, timeout=MAX_SENDER_WAIT)
                delivery: Delivery = json.loads(output)
                return delivery
            except (OSError, ValueError, subprocess.TimeoutExpired, KeyboardInterrupt):
                self._sender.kill()
                self._sender.wait()
        if not (len(self._rows) or self._is_given):
            return {"row_count": 0}
        header = self._header()
        evaluation = {**header["evaluation"], "status": status}
        if self._expected_count is not None:
            evaluation["expected_count"] = self._expected_count
        rows = [row + b"\n" for row in self._rows]
        problem = RuntimeError(f"The sending process failed{f': {error}' if error else ''}.")
        return save_rows(header, evaluation, import_mode(header, status, False), rows, problem)


def _declared_evaluators(config: pytest.Config) -> list[dict[str, Any]]:
    """Returns the directions that the project declares in the settings of pytest."""
    directions: dict[str, bool] = {}
    for setting, is_higher in (("assay_higher_is_better", True), ("assay_lower_is_better", False)):
        for name in config.getini(setting):
            if directions.setdefault(name, is_higher) is not is_higher:
                raise pytest.UsageError(
                    f"{name!r} is in assay_higher_is_better and in assay_lower_is_better. "
                    "Remove it from one of them."
                )
    return [{"name": name, "higher_is_better": value} for name, value in directions.items()]


def _encode_line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _is_valid_id(id: str) -> bool:
    return id not in ("", ".", "..") and to_scenario_id(id) == id
