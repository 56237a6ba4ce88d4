"""The pytest plugin: with `--assay`, tests that use the fixture `assay` become an evaluation."""

# Every pytest run imports this module, so what only `--assay` needs is imported with `--assay`.
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._pytest.recorder import TestRecord


class AssayFixture:
    """The value of the fixture `assay`. Without `--assay`, its method does nothing."""

    def __init__(self, record: TestRecord | None) -> None:
        self._record = record

    def log(
        self,
        *,
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
        """Adds values to the scenario of this test. Of several values, the last one counts.

        Log inputs and expected answer before the call that can fail: a row is complete then, even
        if the test raises. The arguments are those of `EvaluationRun.add`, without the id.
        Raises TypeError or ValueError for a value that has no JSON form.
        """
        if self._record is not None:
            self._record.log(
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
        help="With --assay: the id of the evaluation. If it exists, rows of the same tests are "
        "replaced. Default: pytest-TIME-RANDOM.",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("assay"):
        return
    from ._pytest.collector import Collector
    from ._pytest.recorder import Recorder

    worker_input = getattr(config, "workerinput", None)
    if worker_input is None:
        collector = Collector(config)
        config.pluginmanager.register(collector, "assay-collector")
        recorder = Recorder(collector.add_plan, collector.run_label)
    else:
        recorder = Recorder.of_worker(worker_input)
    config.pluginmanager.register(recorder, "assay-recorder")
