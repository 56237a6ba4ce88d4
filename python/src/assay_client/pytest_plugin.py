"""The pytest plugin: with `--assay`, tests that use the fixture `assay` become an evaluation."""

# Every pytest run imports this module, so what only `--assay` needs is imported with `--assay`.
from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from ._pytest.rows_of_test import TestRecord


class AssayFixture:
    """The value of the fixture `assay`. Without `--assay`, its method does nothing."""

    def __init__(self, record: TestRecord | None) -> None:
        self._record = record

    def log(
        self,
        *,
        id: str | int | None = None,
        inputs: Mapping[str, object] | None = None,
        output: object = None,
        expected: object = None,
        scores: Mapping[str, object] | None = None,
        reasons: Mapping[str, str] | None = None,
        cost: object = None,
        latency: object = None,
        error: object = None,
        note: str | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        """Adds values to the row of this test. Of several values, the last one counts.

        With `id`, a test has several rows: values with the same id form one row, which has the id
        of the test, `::` and this id. The outcome of the test is a result of each of its rows.

        Log inputs and expected answer before the call that can fail: a row is complete then, even
        if the test raises. The other arguments are those of `EvaluationRun.add`.
        Raises TypeError or ValueError for a value that has no JSON form, and ValueError for another
        value of an input that was logged before.
        """
        if self._record is not None:
            self._record.log(
                id=id,
                inputs=inputs,
                output=output,
                expected=expected,
                scores=scores,
                reasons=reasons,
                cost=cost,
                latency=latency,
                error=error,
                note=note,
                extra=extra,
            )


@pytest.fixture
def assay(request: pytest.FixtureRequest) -> AssayFixture:
    """Logs inputs, output and scores of this test to Assay. Does nothing without --assay."""
    if not request.config.getoption("assay"):
        return AssayFixture(None)
    from ._pytest.recorder import record_of

    return AssayFixture(record_of(request.node))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption(
        "--assay",
        action="store_true",
        help="Send the results of tests that use the fixture 'assay' to the Assay service at "
        "ASSAY_URL, as one evaluation.",
    )
    group.addoption(
        "--assay-evaluation",
        metavar="ID",
        help="With --assay: the id of the evaluation. If it exists, its rows are replaced by those "
        "of this run. Default: pytest-TIME-RANDOM.",
    )
    for direction in ("higher", "lower"):
        parser.addini(
            f"assay_{direction}_is_better",
            type="linelist",
            help=f"Names of scores of the fixture 'assay' for which {direction} values are better.",
        )


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, Any, None]:
    outcome = yield
    options = early_config.known_args_namespace
    if outcome.excinfo is None or not options.assay or options.collectonly:
        return
    # pytest ends without a session.
    from ._pytest.collector import Collector

    error = traceback.format_exception_only(*outcome.excinfo[:2])[-1].strip()
    reason = f"A conftest file cannot be imported: {error}. Fix it and run the tests again."
    for line in Collector(early_config, options).finish(reason):
        print(f"assay: {line}", file=sys.stderr)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("assay"):
        return
    from ._pytest.collector import Collector
    from ._pytest.recorder import Recorder

    worker_input = getattr(config, "workerinput", None)
    if worker_input is None:
        collector = Collector(config, config.option)
        config.pluginmanager.register(collector, "assay-collector")
        config.pluginmanager.register(collector.failures, "assay-failures")
        recorder = Recorder(collector.add_plan)
    else:
        recorder = Recorder.of_worker(worker_input)
    config.pluginmanager.register(recorder, "assay-recorder")
