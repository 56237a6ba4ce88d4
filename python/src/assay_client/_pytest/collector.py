"""Collects the scenarios of a pytest run and passes them to the sending process."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Generator
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
from .sender_process import SenderProcess


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
        self._sender = SenderProcess()
        self._has_started = False
        self._runs_tests = False
        self._has_ended = False
        self._url = ""
        self._plans_folder: str | None = None
        self._failure: str | None = None
        self._is_delivered = False
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
        if not self._runs_tests:
            return
        self.finish(self.failures.reason(session, exitstatus))
        # A job that continues would compare the rows of an earlier run.
        if self._is_given and not self._is_delivered and exitstatus in (0, 1):
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def finish(self, failure: str | None) -> list[str]:
        """Sends what is missing and the status. Returns the lines of the summary."""
        self._has_ended = True
        if len(self._rows) == 0:
            failure = failure or "No test used the fixture 'assay'. Check the tests."
        self._failure = failure
        if len(self._rows) or self._is_given:
            self._start()
            delivery = self._finish_sender()
            self._is_delivered = "url" in delivery
            self._summary = self._describe(delivery)
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
        # Some internal errors end no session. After these and, before pytest 9, with --no-summary
        # there is no summary.
        interruption = self.failures.interruption
        if interruption is not None and not self._has_ended and not config.option.collectonly:
            self.finish(interruption)
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
        self._sender.start(self._config.rootpath)
        self._sender.write(self._header())

    def _set_rows(self, position: int, rows: list[bytes]) -> None:
        if self._rows.set(position, rows):
            self._sender.write_rows(position, rows)
            self._update_expected_count()

    def _update_expected_count(self) -> None:
        count = self._rows.count(len(self._positions))
        if count != self._expected_count:
            self._expected_count = count
            self._sender.write({"expected_count": count})

    def _describe(self, delivery: Delivery) -> list[str]:
        if delivery.get("is_partial") and self._failure is None:
            self._failure = (
                f"Only a part of its tests ran: {self._selection}. Use another "
                "--assay-evaluation for a selection of tests."
            )
        status: list[str] = []
        if self._failure is not None:
            status = [f"The evaluation has the status 'failed'. {self._failure}"]
        count = delivery["row_count"]
        rows = "1 row" if count == 1 else f"{count} rows"
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
        status = "finished" if self._failure is None else "failed"
        delivery = self._sender.finish({"expected_count": self._expected_count, "status": status})
        if delivery is not None:
            return delivery
        if not (len(self._rows) or self._is_given):
            return {"row_count": 0}
        header = self._header()
        evaluation = {**header["evaluation"], "status": status}
        if self._expected_count is not None:
            evaluation["expected_count"] = self._expected_count
        rows = [row + b"\n" for row in self._rows]
        mode = import_mode(header, status, is_known=False)
        return save_rows(header, evaluation, mode, rows, self._sender.problem)


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


def _is_valid_id(id: str) -> bool:
    return id not in ("", ".", "..") and to_scenario_id(id) == id
