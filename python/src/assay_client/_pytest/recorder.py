"""Turns each test that uses the fixture `assay` into a scenario, in the process that runs it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import traceback
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from .._scenarios import build_scenario, encode

TEST_EVALUATOR = "test"
"""The evaluator whose result is the outcome of the test."""

ROW_ATTRIBUTE = "assay_row"
"""The attribute of a test report that contains the scenario as JSON. xdist transfers it."""

MAX_ID_LENGTH = 200
MAX_REASON_LENGTH = 10_000

# Frames of these modules come before the first frame of a test.
_RUNNERS = {"_pytest", "pluggy", "unittest", "asyncio", "backports", "pytest_asyncio", "anyio"}

Plan = dict[str, str]
"""The tests that use the fixture, in the order of collection: node id and scenario id."""


class TestRecord:
    """What is known about one run of a test."""

    def __init__(self) -> None:
        self.is_used = False
        self._values: dict[str, Any] = {}
        self._scenario = build_scenario()
        self._result: dict[str, Any] = {"type": "bool", "value": None}
        self._reason: str | None = None
        self._is_decided = False

    def log(self, **values: Any) -> None:
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
        # Values that cannot be encoded must fail here, in the test.
        encode(scenario)
        self._values, self._scenario = merged, scenario

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
        if not is_verdict and not {"output", "error"} & self._values.keys():
            measures = self._scenario["outputs"][0] if self._scenario["outputs"] else {}
            self._scenario["outputs"] = [{**measures, "result": _error(reason, exception)}]

    def encode(self, id: str, run_label: str | None) -> str:
        scenario = {"id": id, **self._scenario}
        if run_label is not None:
            scenario["extra"] = {"run": run_label, **scenario.get("extra", {})}
        _insert_result(scenario, self._result, self._reason)
        return encode(scenario).decode()


_RECORD = pytest.StashKey[TestRecord]()
_SCENARIO_ID = pytest.StashKey[str]()


def record_of(item: pytest.Item) -> TestRecord:
    """Returns the record of the running test, for its fixture."""
    record = item.stash[_RECORD]
    record.is_used = True
    return record


class Recorder:
    """The plugin of processes that run tests."""

    def __init__(self, announce: Callable[[Plan], None], run_label: str | None) -> None:
        self._announce = announce
        self._run_label = run_label

    @classmethod
    def of_worker(cls, worker_input: Mapping[str, Any]) -> Recorder:
        """The plugin of an xdist worker. Its plan is sent in a file, see Collector."""
        shared = worker_input["assay"]
        path = Path(shared["plans"], f"{worker_input['workerid']}.json")

        def announce(plan: Plan) -> None:
            # A worker on another machine does not have this folder. The order is unknown then.
            if path.parent.is_dir():
                path.write_text(json.dumps(plan), encoding="utf-8")

        return cls(announce, shared["run_label"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # --dist loadgroup adds the name of the group to node ids afterward.
        for item in items:
            item.stash[_SCENARIO_ID] = to_scenario_id(item.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not session.config.option.collectonly:
            self._announce(
                {item.nodeid: _scenario_id(item) for item in session.items if _uses_fixture(item)}
            )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, None]:
        # A repeated test starts again with its setup.
        item.stash[_RECORD] = TestRecord()
        yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, None]:
        outcome = yield
        record = item.stash.get(_RECORD, None)
        if record is None or not (record.is_used or _uses_fixture(item)):
            return
        report = outcome.get_result()
        record.add_phase(report, call.excinfo.value if call.excinfo else None)
        # After a failure, old versions of xdist can stop before the report of the teardown.
        if report.failed or report.when == "teardown":
            setattr(report, ROW_ATTRIBUTE, record.encode(_scenario_id(item), self._run_label))
        if report.when == "teardown":
            del item.stash[_RECORD]


def to_scenario_id(node_id: str) -> str:
    """Returns a node id as the service accepts it: long ones are shortened with a hash."""
    id = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", lambda match: ascii(match[0])[1:-1], node_id)
    if len(id) <= MAX_ID_LENGTH:
        return id
    digest = hashlib.sha256(id.encode()).hexdigest()[:16]
    return f"{id[: MAX_ID_LENGTH - 17]}-{digest}"


def crash_row(id: str, message: str, run_label: str | None) -> str:
    """Returns the scenario of a test that ended its xdist worker."""
    scenario: dict[str, Any] = {"id": id, **build_scenario(error=message)}
    if run_label is not None:
        scenario["extra"] = {"run": run_label}
    _insert_result(scenario, _error(message, None), None)
    return encode(scenario).decode()


def _scenario_id(item: pytest.Item) -> str:
    return item.stash.get(_SCENARIO_ID, None) or to_scenario_id(item.nodeid)


def _uses_fixture(item: pytest.Item) -> bool:
    return "assay" in getattr(item, "fixturenames", ())


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
