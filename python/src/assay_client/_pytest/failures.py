"""Detects why a pytest run did not end normally."""

from __future__ import annotations

import pytest

INTERRUPTED, USAGE_ERROR, NO_TESTS = 2, 4, 5
_RUN_AGAIN = "Run the tests again."


class FailureDetector:
    """A plugin of the main process."""

    def __init__(self) -> None:
        self._collection_errors: set[str] = set()
        self.interruption: str | None = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._collection_errors.add(report.nodeid)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # pytest.exit can set any exit code.
        if isinstance(excinfo.value, pytest.exit.Exception):
            self.interruption = f"pytest.exit ended the run: {excinfo.value.msg}. {_RUN_AGAIN}"
        else:
            self.interruption = f"The run was interrupted. {_RUN_AGAIN}"

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interruption = (
            f"pytest had an internal error: {excinfo.exconly(tryshort=True)}. {_RUN_AGAIN}"
        )

    def reason(self, session: pytest.Session, exit_code: int) -> str | None:
        """Returns why the rows are not those of a complete run, and what to do."""
        if count := len(self._collection_errors):
            what = "1 collection error" if count == 1 else f"{count} collection errors"
            return f"There was {what}, so tests are missing. Fix the errors and run them again."
        # xdist reports -x and --maxfail as an interruption.
        if session.shouldfail:
            return f"-x or --maxfail stopped the run ({session.shouldfail}). Run it without them."
        if self.interruption is not None:
            return self.interruption
        if exit_code == NO_TESTS:
            return "No tests were collected. Check the path and the options of pytest."
        if exit_code == USAGE_ERROR:
            return "pytest rejected its arguments. Check the path and the options of pytest."
        if exit_code == INTERRUPTED or session.shouldstop:
            return f"The run was stopped ({session.shouldstop or 'interrupted'}). {_RUN_AGAIN}"
        if exit_code not in (0, 1):
            return f"pytest ended with the exit code {exit_code}. {_RUN_AGAIN}"
        return None
