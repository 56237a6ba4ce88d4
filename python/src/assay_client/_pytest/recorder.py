"""Turns each test that uses the fixture `assay` into scenarios, in the process that runs it."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from .ids import to_scenario_id
from .rows_of_test import TestRecord

ROWS_ATTRIBUTE = "assay_rows"
"""The attribute of a test report with the scenarios as JSON. xdist transfers it."""

Plan = dict[str, str]
"""The tests that use the fixture, in the order of collection: node id and scenario id."""

_RECORD = pytest.StashKey[TestRecord]()
_SCENARIO_ID = pytest.StashKey[str]()


def record_of(item: pytest.Item) -> TestRecord:
    """Returns the record of the running test, for its fixture."""
    record = item.stash[_RECORD]
    record.is_used = True
    return record


class Recorder:
    """The plugin of processes that run tests."""

    def __init__(self, announce: Callable[[Plan], None]) -> None:
        self._announce = announce

    @classmethod
    def of_worker(cls, worker_input: Mapping[str, Any]) -> Recorder:
        """The plugin of an xdist worker. Its plan is sent in a file, see Collector."""
        path = Path(worker_input["assay"], f"{worker_input['workerid']}.json")

        def announce(plan: Plan) -> None:
            # A worker on another machine does not have this folder. The order is unknown then.
            if path.parent.is_dir():
                path.write_text(json.dumps(plan), encoding="utf-8")

        return cls(announce)

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
            setattr(report, ROWS_ATTRIBUTE, record.encode(_scenario_id(item)))
        if report.when == "teardown":
            del item.stash[_RECORD]


def _scenario_id(item: pytest.Item) -> str:
    return item.stash.get(_SCENARIO_ID, None) or to_scenario_id(item.nodeid)


def _uses_fixture(item: pytest.Item) -> bool:
    return "assay" in getattr(item, "fixturenames", ())
