"""What a test logs, and its outcome, as scenarios."""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import pytest

from .._scenarios import build_scenario, encode, scenario_id
from .ids import to_scenario_id

TEST_EVALUATOR = "test"
"""The evaluator whose result is the outcome of the test."""

MAX_REASON_LENGTH = 10_000

# Frames of these modules come before the first frame of a test.
_RUNNERS = {"_pytest", "pluggy", "unittest", "asyncio", "backports", "pytest_asyncio", "anyio"}


class LoggedRow:
    """The values that a test logged for one of its rows."""

    def __init__(self, id: str | None) -> None:
        self._id = id
        self._values: dict[str, Any] = {}
        self.scenario = build_scenario()

    @property
    def has_outcome(self) -> bool:
        """Whether an output or an error was logged."""
        return not {"output", "error"}.isdisjoint(self._values)

    def log(self, values: Mapping[str, Any]) -> None:
        merged = dict(self._values)
        for name, value in values.items():
            if value is None:
                continue
            previous = merged.get(name)
            if isinstance(previous, Mapping) and isinstance(value, Mapping):
                value = {**previous, **value}
            merged[name] = value
        if TEST_EVALUATOR in (merged.get("scores") or {}):
            raise ValueError(
                f"The score {TEST_EVALUATOR!r} is the outcome of the test. Use another name."
            )
        scenario = build_scenario(**merged)
        self._check_inputs(scenario)
        # Values that cannot be encoded must fail here, in the test.
        encode(scenario)
        self._values, self.scenario = merged, scenario

    def _check_inputs(self, scenario: Mapping[str, Any]) -> None:
        inputs = {each["name"]: encode(each) for each in scenario["inputs"]}
        for each in self.scenario["inputs"]:
            if inputs[each["name"]] != encode(each):
                row = "this test" if self._id is None else f"the row {self._id!r}"
                raise ValueError(
                    f"The input {each['name']!r} of {row} was logged before with another value. "
                    "Pass a different id to each row: assay.log(id=...)."
                )


class TestRecord:
    """What is known about one run of a test."""

    def __init__(self) -> None:
        self.is_used = False
        self._rows: dict[str | None, LoggedRow] = {}
        self._result: dict[str, Any] = {"type": "bool", "value": None}
        self._reason: str | None = None
        self._is_decided = False

    def log(self, id: object = None, **values: Any) -> None:
        key = None if id is None else scenario_id(id)
        if key == "":
            raise ValueError("The id of a row must not be empty.")
        row = self._rows.get(key) or LoggedRow(key)
        row.log(values)
        self._rows[key] = row

    def add_phase(self, report: pytest.TestReport, exception: BaseException | None) -> None:
        """Adds the outcome of setup, call or teardown. The first failure or skip decides."""
        if self._is_decided:
            return
        expected_failure = getattr(report, "wasxfail", None)
        if report.failed:
            self._is_decided = True
            if report.when == "call":
                self._fail(_failure_text(report, exception), exception)
            else:
                message = f"{report.when} failed: {_failure_text(report, exception)}"
                self._result = _error(message, exception)
        elif report.skipped and expected_failure is not None and "[NOTRUN]" not in expected_failure:
            self._is_decided = True
            reason = f"Expected failure: {_failure_text(report, exception)}"
            self._fail(reason, exception)
        elif report.skipped:
            self._is_decided = True
            self._reason = _skip_reason(report)
        elif report.when == "call":
            self._result = {"type": "bool", "value": True}

    def _fail(self, reason: str, exception: BaseException | None) -> None:
        self._result = {"type": "bool", "value": False}
        self._reason = reason
        is_verdict = exception is None or isinstance(
            exception, (AssertionError, pytest.fail.Exception, pytest.xfail.Exception)
        )
        if is_verdict:
            return
        if not self._rows:
            self._rows[None] = LoggedRow(None)
        for row in self._rows.values():
            if not row.has_outcome:
                outputs = row.scenario["outputs"]
                measures = outputs[0] if outputs else {}
                row.scenario["outputs"] = [{**measures, "result": _error(reason, exception)}]

    def encode(self, test_id: str) -> list[str]:
        """Returns the rows of the test in the order of their first log: at least one."""
        rows = self._rows or {None: LoggedRow(None)}
        return [
            _encode_row(
                test_id if key is None else to_scenario_id(f"{test_id}::{key}"),
                row.scenario,
                self._result,
                self._reason,
            )
            for key, row in rows.items()
        ]


def crash_row(id: str, message: str) -> str:
    """Returns the row of a test that ended its xdist worker."""
    return _encode_row(id, build_scenario(error=message), _error(message, None), None)


def _encode_row(
    id: str, logged: Mapping[str, Any], result: dict[str, Any], reason: str | None
) -> str:
    scenario = {"id": id, **logged}
    _insert_result(scenario, result, reason)
    return encode(scenario).decode().removesuffix("\n")


def _insert_result(scenario: dict[str, Any], result: dict[str, Any], reason: str | None) -> None:
    # The first evaluator is the one that a comparison leads with.
    scores = scenario["results"]
    scenario["results"] = [{"evaluator_config": TEST_EVALUATOR, "result": result}, *scores]
    extra = {**scenario.get("extra", {})}
    details = extra.get("results", [])
    # A test can log its own value as `results` of extra.
    if isinstance(details, list) and len(details) <= len(scores) and (details or reason):
        extra["results"] = [{} if reason is None else {"reason": reason}, *details]
        scenario["extra"] = extra


def _error(message: str, exception: BaseException | None) -> dict[str, Any]:
    details = {"message": message}
    if exception is not None:
        details["stacktrace"] = _shorten("".join(_format_exception(exception)))
    return {"type": "error", "value": None, "error": details}


def _format_exception(exception: BaseException) -> list[str]:
    return traceback.format_exception(
        type(exception), exception, _frames_of_test(exception.__traceback__)
    )


def _frames_of_test(first: TracebackType | None) -> TracebackType | None:
    """Skips the frames of pytest at the beginning, which are the same for every test."""
    frame = first
    while frame is not None:
        module = str(frame.tb_frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in _RUNNERS:
            return frame
        frame = frame.tb_next
    return first


def _failure_text(report: pytest.TestReport, exception: BaseException | None) -> str:
    # A missing fixture: the message of the exception contains the representation of an object.
    text = getattr(report.longrepr, "errorstring", None)
    if text is not None:
        return _shorten(str(text).partition(os.linesep)[0])
    if exception is None:
        return _shorten(str(report.longrepr or getattr(report, "wasxfail", "")))
    lines = traceback.format_exception_only(type(exception), exception)
    text = "".join(lines).strip()
    is_rewritten = text.startswith("AssertionError: assert ")
    return _shorten(text.removeprefix("AssertionError: ") if is_rewritten else text)


def _skip_reason(report: pytest.TestReport) -> str:
    longrepr = report.longrepr
    text = longrepr[2] if isinstance(longrepr, tuple) else getattr(report, "wasxfail", longrepr)
    return _shorten(str(text))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_REASON_LENGTH else f"{text[:MAX_REASON_LENGTH]}…"
