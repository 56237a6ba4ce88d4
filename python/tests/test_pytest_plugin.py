"""Tests of the pytest plugin. Each runs pytest in a process of its own, mostly with the service."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from assay_client import AssayError, Client

pytest_plugins = ["pytester"]

# One of the cases waits while a file exists.
CASES = """
import pathlib, time, pytest

@pytest.mark.parametrize("n", range(60))
def test_case(assay, n):
    assay.log(inputs={"n": n, "question": f"Größe {n}?"}, output=n * n, expected=n * n)
    assay.log(scores={"exact": n % 7 != 0}, reasons={"exact": f"because {n}"}, cost=n / 1000)
    while n == 30 and pathlib.Path("wait").exists():
        time.sleep(0.01)
    if n % 20 == 13:
        pytest.skip("no data")
    if n % 20 == 15:
        raise RuntimeError("no connection to the model")
    assert n % 7 != 0

def test_without_fixture():
    pass
"""
CASES_OUTCOMES = {"passed": 47, "failed": 11, "skipped": 3}

# Files of users of pytest-asyncio have this setting, and without it old versions print a warning.
SETTINGS = "[pytest]\nasyncio_mode = strict\nasyncio_default_fixture_loop_scope = function\n"

XDIST = pytest.mark.parametrize("arguments", [[], ["-n2"]], ids=["one process", "xdist"])


class Proxy:
    """Forwards connections to the service while `is_up`. Closes the others, or never responds."""

    def __init__(self, target: str, is_up: Callable[[int], bool], *, hangs: bool = False) -> None:
        address = urlsplit(target)
        self._target = (address.hostname or "", address.port or 80)
        self._is_up = is_up
        self._hangs = hangs
        self.connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connection_count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connection_count += 1
            self.connections.append(connection)
            if self._is_up(self.connection_count):
                service = socket.create_connection(self._target)
                for pair in ((connection, service), (service, connection)):
                    threading.Thread(target=self._copy, args=pair, daemon=True).start()
            elif not self._hangs:
                connection.close()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            target.close()

    def close(self) -> None:
        for each in (self._listener, *self.connections):
            each.close()


@pytest.fixture
def evaluation() -> str:
    return f"pytest-plugin-{uuid.uuid4().hex}"


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, url: str, key: str
) -> pytest.Pytester:
    """A folder for tests, and the variables of the service."""
    pytester.makefile(".ini", pytest=SETTINGS)
    monkeypatch.setenv("ASSAY_URL", url)
    monkeypatch.setenv("ASSAY_KEY", key)
    # pytester sets it for the outer plugins; workers of xdist would read it too.
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester


@pytest.fixture
def proxies() -> Iterator[list[Proxy]]:
    started: list[Proxy] = []
    yield started
    for proxy in started:
        proxy.close()


@pytest.fixture(scope="module")
def reference() -> list[Any]:
    """What is stored when the service is up. The first test adds it."""
    return []


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_subprocess("-p", "no:cacheprovider", *arguments, timeout=600)


def record(project: pytest.Pytester, id: str, *arguments: str) -> pytest.RunResult:
    return run(project, "--assay", f"--assay-evaluation={id}", *arguments)


def outcomes(result: pytest.RunResult) -> dict[str, int]:
    return {name: count for name, count in result.parseoutcomes().items() if name != "warnings"}


def stored(client: Client, id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the evaluation and its rows without ids and times that differ from run to run."""
    evaluation: dict[str, Any] = dict(client.get_evaluation(id))
    for name in ("id", "created_at", "updated_at"):
        del evaluation[name]
    rows: list[dict[str, Any]] = []
    for scenario in client.scenarios(id, include="extra"):
        row: dict[str, Any] = dict(scenario)
        del row["evaluation_id"]
        rows.append(row)
    return evaluation, rows


def rows_by_name(client: Client, id: str) -> dict[str, dict[str, Any]]:
    return {row["id"].rpartition("::")[2]: row for row in stored(client, id)[1]}


def test_result(row: dict[str, Any]) -> Any:
    names = [each["evaluator_config"] for each in row["results"]]
    assert [index for index, name in enumerate(names) if name == "test"] == [0]
    return row["results"][0]["result"]


test_result.__test__ = False  # type: ignore[attr-defined]


def reason(row: dict[str, Any]) -> str | None:
    details = (row["extra"] or {}).get("results", [])
    return details[0].get("reason") if details else None


def saved_file(project: pytest.Pytester) -> Path:
    (path,) = project.path.glob("assay-*.ndjson")
    return path


def test_does_nothing_without_the_option(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.makepyfile(CASES)
    monkeypatch.setenv("ASSAY_URL", "http://127.0.0.1:1")
    result = run(project)
    assert outcomes(result) == CASES_OUTCOMES
    result.stdout.no_fnmatch_line("*assay:*")
    assert not list(project.path.glob("assay-*"))


def test_is_imported_without_the_client() -> None:
    program = (
        "import sys, pytest; before = set(sys.modules); import assay_client.pytest_plugin; "
        "print(sorted(set(sys.modules) - before))"
    )
    output = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert output.strip() == str(
        ["assay_client", "assay_client._version", "assay_client.pytest_plugin"]
    )


@XDIST
def test_stores_one_row_per_test(
    project: pytest.Pytester, client: Client, evaluation: str, arguments: list[str]
) -> None:
    project.makepyfile(CASES)
    result = record(project, evaluation, *arguments)
    assert outcomes(result) == CASES_OUTCOMES
    result.stdout.fnmatch_lines([f"60 rows sent: {client.url}/evaluations/{evaluation}"])

    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "finished"
    assert stored_evaluation["expected_count"] == 60
    assert stored_evaluation["source"] == "pytest"
    name = "test_stores_one_row_per_test.py::test_case"
    assert [row["id"] for row in rows] == [f"{name}[{n}]" for n in range(60)]
    assert rows[2] == {
        "id": f"{name}[2]",
        "inputs": [
            {"name": "n", "type": "json", "value": 2},
            {"name": "question", "type": "text", "value": "Größe 2?"},
        ],
        "outputs": [{"result": {"type": "number", "value": 4}, "cost": 0.002}],
        "correct_answers": [{"key": "expected", "value": "4"}],
        "is_pinned": None,
        "note": None,
        "results": [
            {"evaluator_config": "test", "result": {"type": "bool", "value": True}},
            {"evaluator_config": "exact", "result": {"type": "bool", "value": True}},
        ],
        "extra": {"results": [{}, {"reason": "because 2"}]},
    }
    assert test_result(rows[7])["value"] is False
    assert rows[7]["extra"]["results"][1] == {"reason": "because 7"}
    assert str(reason(rows[7])).startswith("assert (7 % 7) != 0")
    assert test_result(rows[13]) == {"type": "bool", "value": None}
    assert reason(rows[13]) == "Skipped: no data"
    assert test_result(rows[15])["value"] is False
    assert reason(rows[15]) == "RuntimeError: no connection to the model"
    # An output was logged before the exception.
    assert rows[15]["outputs"][0]["result"] == {"type": "number", "value": 225}


@pytest.mark.parametrize("fault", ["refused", "closed halfway", "hangs", "hangs halfway"])
@XDIST
def test_a_file_has_the_same_evaluation(
    project: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    proxies: list[Proxy],
    client: Client,
    evaluation: str,
    arguments: list[str],
    fault: str,
    reference: list[Any],
) -> None:
    project.makepyfile(test_cases=CASES)
    if not reference:
        record(project, f"{evaluation}-reference")
        reference.append(stored(client, f"{evaluation}-reference"))

    # The first three requests create the evaluation, set the expected count and add the first rows.
    limit = 3 if "halfway" in fault else 0
    wait_file = project.path / "wait"

    def is_up(count: int) -> bool:
        if count >= limit - 1:
            wait_file.unlink(missing_ok=True)
        return count <= limit

    proxies.append(Proxy(client.url, is_up, hangs="hangs" in fault))
    if fault == "refused":
        proxies[0].close()
    else:
        wait_file.touch()
    monkeypatch.setenv("ASSAY_URL", proxies[0].url)
    result = record(project, evaluation, *arguments)

    assert outcomes(result) == CASES_OUTCOMES
    path = saved_file(project)
    result.stdout.fnmatch_lines(
        ["60 rows not sent. *", f"They are in a file. *: assay import {path.name} --url *"]
    )
    if "halfway" in fault:
        stored_evaluation, rows = stored(client, evaluation)
        assert stored_evaluation["status"] == "running"
        assert rows == reference[0][1][: len(rows)] != []
    result.stdout.fnmatch_lines(["*: assay import * --replace"])
    client.import_file(path, on_conflict="replace_all")
    assert [stored(client, evaluation)] == reference


def test_sends_everything_at_the_end_when_the_service_is_back(
    project: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    proxies: list[Proxy],
    client: Client,
    evaluation: str,
) -> None:
    project.makepyfile(
        """
        import os, pathlib, time, pytest
        def test_one(assay):
            while not pathlib.Path("refused").exists():
                time.sleep(0.01)
            pathlib.Path("stop").unlink()
        def test_two(assay): pass
        """
    )
    stop_file = project.path / "stop"
    stop_file.touch()

    def is_up(_: int) -> bool:
        if not stop_file.exists():
            return True
        (project.path / "refused").touch()
        return False

    proxies.append(Proxy(client.url, is_up))
    monkeypatch.setenv("ASSAY_URL", proxies[0].url)
    result = record(project, evaluation)
    result.stdout.fnmatch_lines([f"2 rows sent: {proxies[0].url}/evaluations/{evaluation}"])
    assert stored(client, evaluation)[0]["status"] == "finished"
    assert len(stored(client, evaluation)[1]) == 2


def test_shows_the_progress_while_tests_run(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        f"""
        import time, assay_client
        def test_one(assay): assay.log(output="first")
        def test_two(assay):
            client = assay_client.Client()
            while True:
                try:
                    evaluation = client.get_evaluation({evaluation!r})
                    if evaluation["scenario_count"]: break
                except assay_client.AssayError: pass
                time.sleep(0.1)
            assert evaluation["status"] == "running"
            assert (evaluation["scenario_count"], evaluation["expected_count"]) == (1, 2)
        """
    )
    assert outcomes(record(project, evaluation)) == {"passed": 2}


@pytest.mark.parametrize(
    ("status", "detail"), [(401, "The API key is unknown."), (403, "This key lacks the scope.")]
)
def test_says_what_to_do_about_a_key(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, status: int, detail: str
) -> None:
    body = json.dumps({"status": status, "code": "x", "title": "x", "detail": detail}).encode()
    listener = socket.create_server(("127.0.0.1", 0))

    def respond() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(
                    b"HTTP/1.1 %d x\r\nContent-Type: application/problem+json\r\n"
                    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (status, len(body), body)
                )

    threading.Thread(target=respond, daemon=True).start()
    monkeypatch.setenv("ASSAY_URL", f"http://127.0.0.1:{listener.getsockname()[1]}")
    project.makepyfile("def test_one(assay): pass")
    result = run(project, "--assay")
    listener.close()
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            f"1 row not sent. {detail} Set ASSAY_KEY to an API key with *",
            "They are in a file. Import it with: assay import assay-pytest-*.ndjson --url http*",
        ]
    )
    saved_file(project)


def test_an_invalid_url_is_reported(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_URL", "evals.example")
    project.makepyfile("def test_one(assay): pass")
    result = run(project, "--assay")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["1 row not sent. 'evals.example' is not a valid URL.*"])
    monkeypatch.setenv("ASSAY_URL", "http://evals.example/#key=secret")
    result = run(project, "--assay")
    result.stdout.fnmatch_lines(["1 row not sent. The URL must not contain *"])
    result.stdout.no_fnmatch_line("*secret*")


def test_the_exit_code_says_that_a_given_evaluation_was_not_written(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_URL", "http://127.0.0.1:9")
    project.makepyfile(
        test_pass="def test_one(assay): pass", test_fail="def test_two(assay): assert False"
    )
    for arguments, code in ((["test_pass.py"], 3), ([], 3), (["missing.py"], 4)):
        result = run(project, "--assay", "--assay-evaluation", "given", *arguments)
        assert result.ret == code
        result.stdout.fnmatch_lines(["* not sent. *"])
    assert run(project, "--assay", "test_pass.py").ret == 0


def test_a_row_that_is_too_large_does_not_affect_the_others(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        test_sizes="""
        def test_one(assay): pass
        def test_large(assay): assay.log(output="x" * 9_000_000)
        def test_three(assay): pass
        """
    )
    result = record(project, evaluation)
    result.stdout.fnmatch_lines(
        [
            f"2 rows sent: {client.url}/evaluations/{evaluation}",
            "The service rejected the scenario 'test_sizes.py::test_large'. A record is larger *",
        ]
    )
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "finished"
    assert [row["id"] for row in rows] == ["test_sizes.py::test_one", "test_sizes.py::test_three"]


def test_outcomes(project: pytest.Pytester, client: Client, evaluation: str) -> None:
    project.makepyfile(
        """
        import pytest, unittest

        @pytest.fixture
        def broken_setup(): raise OSError("no disk")
        @pytest.fixture
        def broken_teardown():
            yield
            raise OSError("disk full")

        def test_setup(assay, broken_setup): pass
        def test_teardown(assay, broken_teardown): assay.log(output="x")
        def test_failed_and_teardown(assay, broken_teardown): assert False
        def test_missing_fixture(assay, nope): pass
        def test_exception(assay):
            assay.log(inputs={"q": "x"}, latency=2)
            raise KeyError("answer")
        def test_fail(assay): pytest.fail("not good enough")
        @pytest.mark.skip(reason="later")
        def test_skip(assay): pass
        @pytest.mark.xfail(reason="known bug")
        def test_xfail(assay): assert False
        @pytest.mark.xfail
        def test_xfail_error(assay): raise OSError("away")
        @pytest.mark.xfail(strict=True, reason="known bug")
        def test_xpass_strict(assay): pass
        @pytest.mark.xfail
        def test_xpass(assay): pass
        @pytest.mark.xfail(run=False, reason="crashes")
        def test_xfail_not_run(assay): pass
        def test_xfail_call(assay): pytest.xfail("not yet")
        def test_wrong_value(assay): assay.log(output=object())
        def test_wrong_keyword(assay): assay.log(answer=1)
        def test_reserved_score(assay): assay.log(scores={"test": 1})
        def test_score_error(assay): assay.log(output="x", scores={"judge": ValueError("no JSON")})

        class TestClass:
            def test_method(self, assay): assay.log(output=1)

        class Unit(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def use_assay(self, assay): self.assay = assay
            def test_unit(self):
                self.assay.log(output="unit")
                self.assertEqual(1, 2)

        @pytest.mark.usefixtures("assay")
        class UnitSkipped(unittest.TestCase):
            @unittest.skip("no time")
            def test_unit_skipped(self): pass
        """
    )
    result = record(project, evaluation)
    rows = rows_by_name(client, evaluation)
    assert len(rows) == 20
    assert stored(client, evaluation)[0]["status"] == "finished"

    error = test_result(rows["test_setup"])
    assert (error["type"], error["value"]) == ("error", None)
    assert error["error"]["message"] == "setup failed: OSError: no disk"
    assert "in broken_setup" in error["error"]["stacktrace"]
    assert "_pytest" not in error["error"]["stacktrace"]
    error = test_result(rows["test_teardown"])
    assert error["error"]["message"] == "teardown failed: OSError: disk full"
    assert test_result(rows["test_failed_and_teardown"])["value"] is False
    error = test_result(rows["test_missing_fixture"])
    assert error["error"]["message"] == "setup failed: fixture 'nope' not found"

    row = rows["test_exception"]
    assert test_result(row) == {"type": "bool", "value": False}
    assert row["inputs"] == [{"name": "q", "type": "text", "value": "x"}]
    assert row["outputs"][0]["latency"] == 2
    assert row["outputs"][0]["result"]["type"] == "error"
    assert row["outputs"][0]["result"]["error"]["message"] == "KeyError: 'answer'"
    assert rows["test_fail"]["outputs"] == []
    assert reason(rows["test_fail"]) == "Failed: not good enough"

    for name, value, text in [
        ("test_skip", None, "Skipped: later"),
        ("test_xfail", False, "Expected failure: assert False"),
        ("test_xfail_error", False, "Expected failure: OSError: away"),
        ("test_xpass_strict", False, "[XPASS(strict)] known bug"),
        ("test_xpass", True, None),
        ("test_xfail_not_run", None, "[NOTRUN] crashes"),
        ("test_unit_skipped", None, "Skipped: no time"),
        ("test_method", True, None),
    ]:
        assert test_result(rows[name]) == {"type": "bool", "value": value}, name
        assert (reason(rows[name]) or "").endswith(text or ""), name
        assert (reason(rows[name]) is None) is (text is None), name
    assert test_result(rows["test_xfail_call"])["value"] is False
    assert rows["test_xfail_call"]["outputs"] == []

    assert "Output is or contains a value of the type object" in str(
        reason(rows["test_wrong_value"])
    )
    assert "unexpected keyword argument 'answer'" in str(reason(rows["test_wrong_keyword"]))
    assert "is the outcome of the test" in str(reason(rows["test_reserved_score"]))
    assert rows["test_score_error"]["results"][1]["result"]["type"] == "error"
    assert reason(rows["test_unit"]) == "AssertionError: 1 != 2"
    assert rows["test_unit"]["outputs"][0]["result"]["value"] == "unit"
    assert outcomes(result) == {
        "errors": 4,
        "failed": 8,
        "passed": 3,
        "skipped": 2,
        "xfailed": 4,
        "xpassed": 1,
    }


@XDIST
def test_the_last_of_several_runs_counts(
    project: pytest.Pytester, client: Client, evaluation: str, arguments: list[str]
) -> None:
    project.makepyfile(
        """
        import pathlib
        def count(name):
            path = pathlib.Path(name)
            path.write_text((path.read_text() if path.exists() else "") + "x")
            return len(path.read_text())
        def test_recovers(assay):
            attempt = count("recovers")
            assay.log(output=attempt, scores={f"only_{attempt}": 1})
            assert attempt == 3
        def test_never(assay):
            assay.log(output=count("never"))
            raise OSError("away")
        def test_last(assay): pass
        """
    )
    result = record(project, evaluation, "--reruns=2", *arguments)
    assert outcomes(result)["rerun"] == 4
    rows = rows_by_name(client, evaluation)
    assert list(rows) == ["test_recovers", "test_never", "test_last"]
    assert rows["test_recovers"]["outputs"][0]["result"]["value"] == 3
    assert len(rows["test_recovers"]["results"]) == 2
    assert test_result(rows["test_recovers"])["value"] is True
    assert reason(rows["test_recovers"]) is None
    assert rows["test_never"]["outputs"][0]["result"]["value"] == 3
    assert test_result(rows["test_never"])["value"] is False


def test_ids_of_parametrized_tests(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    settings = SETTINGS + (
        "disable_test_id_escaping_and_forfeit_all_rights_to_community_support = true\n"
    )
    project.makefile(".ini", pytest=settings)
    project.makepyfile(
        """
        import pytest
        @pytest.mark.parametrize("text", [
            "Größe 日本 🙂", "a\\nb", *(pytest.param("", id="z" * n) for n in (300, 301))
        ])
        def test_id(assay, text): assay.log(inputs={"text": text})
        """
    )
    record(project, evaluation)
    ids = [row["id"] for row in stored(client, evaluation)[1]]
    prefix = "test_ids_of_parametrized_tests.py::test_id["
    assert ids[:2] == [f"{prefix}Größe 日本 🙂]", f"{prefix}a\\nb]"]
    assert [len(id) for id in ids[2:]] == [200, 200]
    assert re.fullmatch(re.escape(prefix) + "z+-[0-9a-f]{16}", ids[2])
    assert ids[2] != ids[3]


@pytest.mark.parametrize("dist", ["load", "loadfile", "loadscope", "loadgroup", "worksteal"])
def test_all_schedulers_of_xdist_give_the_same_rows(
    project: pytest.Pytester, client: Client, evaluation: str, dist: str
) -> None:
    module = """
        import pytest, time
        @pytest.mark.xdist_group("g")
        @pytest.mark.parametrize("n", range(8))
        def test_case(assay, n):
            time.sleep(0.02 if n == 0 else 0)
            assay.log(output=n)
    """
    project.makepyfile(test_a=module, test_b=module)
    record(project, evaluation, "-n2", f"--dist={dist}")
    rows = stored(client, evaluation)[1]
    assert [row["id"] for row in rows] == [
        f"test_{file}.py::test_case[{n}]" for file in "ab" for n in range(8)
    ]
    assert [row["outputs"][0]["result"]["value"] for row in rows] == [*range(8), *range(8)]


def test_works_without_xdist(project: pytest.Pytester, client: Client, evaluation: str) -> None:
    project.makepyfile("def test_one(assay): pass")
    assert record(project, evaluation, "-p", "no:xdist").ret == 0
    assert len(stored(client, evaluation)[1]) == 1


def test_the_row_of_a_test_that_ends_its_worker(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import os
        def test_before(assay): pass
        def test_crash(assay):
            assay.log(output="lost")
            os._exit(3)
        def test_after(assay): pass
        def test_crash_without_fixture(): os._exit(3)
        """
    )
    result = record(project, evaluation, "-n1")
    assert outcomes(result) == {"passed": 2, "failed": 2}
    rows = rows_by_name(client, evaluation)
    assert list(rows) == ["test_before", "test_crash", "test_after"]
    crash = rows["test_crash"]
    for result_value in (test_result(crash), crash["outputs"][0]["result"]):
        assert result_value["type"] == "error"
        assert "crashed while running" in result_value["error"]["message"]


@XDIST
def test_a_run_that_maxfail_stops_is_failed(
    project: pytest.Pytester, client: Client, evaluation: str, arguments: list[str]
) -> None:
    project.makepyfile(
        """
        import pytest
        @pytest.mark.parametrize("n", range(50))
        def test_case(assay, n): assert n != 3
        """
    )
    result = record(project, evaluation, "-x", *arguments)
    result.stdout.fnmatch_lines(
        ["The evaluation has the status 'failed'. -x or --maxfail stopped the run (stopping after*"]
    )
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "failed"
    assert stored_evaluation["expected_count"] == 50
    # Workers can stop before they have reported every test.
    numbers = [int(row["id"].partition("[")[2].rstrip("]")) for row in rows]
    assert numbers == sorted(numbers)
    assert 3 in numbers
    assert len(rows) < 50


def test_deselected_tests_are_no_rows(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        def test_good(assay): pass
        def test_bad(assay): assert False
        """
    )
    result = record(project, evaluation, "-k", "bad", "-n1")
    assert list(rows_by_name(client, evaluation)) == ["test_bad"]
    assert stored(client, evaluation)[0]["expected_count"] == 1

    result = run(project, "--assay", "-k", "nothing")
    result.stdout.fnmatch_lines(["No test used the fixture 'assay', so *"])
    result = run(project, "--assay", "--collect-only", "-q")
    result.stdout.no_fnmatch_line("*- assay -*")


def test_a_run_with_the_same_id_replaces_rows(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import os
        def test_one(assay): assert os.environ["GOOD"] == "1"
        def test_two(assay): pass
        """
    )
    for good in ("1", "0", "1"):
        project._monkeypatch.setenv("GOOD", good)
        record(project, evaluation)
        rows = rows_by_name(client, evaluation)
        assert test_result(rows["test_one"])["value"] is (good == "1")
        assert len(rows) == 2
        assert rows["test_two"]["extra"] is None


@XDIST
def test_a_run_that_ends_normally_has_exactly_its_rows(
    project: pytest.Pytester, client: Client, evaluation: str, arguments: list[str]
) -> None:
    module = """
        import pytest
        @pytest.mark.parametrize("n", [{numbers}])
        def test_case(assay, n):
            assay.log(inputs={{"n": n}}, output=n)
            assert n != 3
    """
    project.makepyfile(test_cases=module.format(numbers="1, 2, 3, 4"))
    record(project, evaluation, *arguments)
    client.request(
        "PATCH", ["evaluations", evaluation], body={"name": "mine", "metadata": {"a": 1}}
    )
    project.makepyfile(test_cases=module.format(numbers="5, 3, 1"))
    result = record(project, evaluation, *arguments)
    result.stdout.fnmatch_lines([f"3 rows sent: *{evaluation}"])
    result.stdout.no_fnmatch_line("*status 'failed'*")
    stored_evaluation, rows = stored(client, evaluation)
    assert [row["id"] for row in rows] == [f"test_cases.py::test_case[{n}]" for n in (5, 3, 1)]
    assert [row["outputs"][0]["result"]["value"] for row in rows] == [5, 3, 1]
    assert stored_evaluation["status"] == "finished"
    assert stored_evaluation["expected_count"] == stored_evaluation["scenario_count"] == 3
    assert (stored_evaluation["name"], stored_evaluation["metadata"]) == ("mine", {"a": 1})


BROKEN = "import bot_that_does_not_exist\n"
COLLECTION_ERROR = "There was 1 collection error, *Fix the errors *"


@pytest.mark.parametrize(
    ("broken_file", "arguments", "exit_code", "reason", "row_count"),
    [
        ("test_cases", [], 2, COLLECTION_ERROR, 2),
        ("test_other", [], 2, COLLECTION_ERROR, 2),
        ("test_other", ["--continue-on-collection-errors"], 1, COLLECTION_ERROR, 2),
        ("test_other", ["--continue-on-collection-errors", "-n2"], 1, COLLECTION_ERROR, 2),
        ("test_cases", ["-n2"], None, COLLECTION_ERROR, 2),
        ("conftest", [], 4, "A conftest file cannot be imported: *bot_that_does_not_exist*", 2),
        (None, ["missing.py"], 4, "pytest rejected its arguments. *", 2),
        (None, ["-k", "nothing"], 5, "No tests were collected. *", 2),
        (None, ["-k", "plain"], 0, "No test used the fixture 'assay'. *", 2),
        (None, ["-n2", "missing.py"], None, "*", 2),
    ],
)
def test_a_run_without_all_tests_is_failed(
    project: pytest.Pytester,
    client: Client,
    evaluation: str,
    broken_file: str | None,
    arguments: list[str],
    exit_code: int | None,
    reason: str,
    row_count: int,
) -> None:
    project.makepyfile(
        test_cases="""
        def test_one(assay): assay.log(output=1)
        def test_two(assay): assay.log(output=2)
        def test_plain(): pass
        """
    )
    record(project, evaluation)
    assert client.get_evaluation(evaluation)["status"] == "finished"
    if broken_file is not None:
        (project.path / f"{broken_file}.py").write_text(BROKEN)
    result = record(project, evaluation, *arguments)
    assert result.ret == exit_code or exit_code is None
    assert result.ret != 0 or exit_code == 0
    (result.stderr if broken_file == "conftest" else result.stdout).fnmatch_lines(
        [f"*The evaluation has the status 'failed'. {reason}"]
    )
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "failed"
    assert len(rows) == row_count

    # The same in an evaluation that does not exist.
    record(project, f"{evaluation}-new", *arguments)
    assert client.get_evaluation(f"{evaluation}-new")["status"] == "failed"


def test_an_error_before_collection_is_failed(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(test_cases="def test_one(assay): pass")
    record(project, evaluation)
    project.makeconftest("def pytest_sessionstart(): raise OSError('no port for the bot')")
    result = record(project, evaluation)
    assert result.ret == 3
    result.stdout.fnmatch_lines(["* 'failed'. pytest had an internal error: *no port*"])
    assert client.get_evaluation(evaluation)["status"] == "failed"


def test_a_run_without_rows_and_without_an_id_creates_nothing(
    project: pytest.Pytester, client: Client
) -> None:
    project.makepyfile(
        test_broken=BROKEN, test_first="def test_one(assay): raise KeyboardInterrupt"
    )
    for arguments in (["test_broken.py"], ["missing.py"], ["-k", "nothing"], ["test_first.py"]):
        result = run(project, "--assay", *arguments)
        result.stdout.fnmatch_lines(["No test *, so no evaluation was created."])
        id = result.stdout.str().partition("assay: evaluation ")[2].split()[0]
        with pytest.raises(AssayError) as error:
            client.get_evaluation(id)
        assert error.value.status == 404
    assert not list(project.path.glob("assay-*"))


def test_a_run_that_is_killed_during_collection_is_failed(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(test_cases="def test_one(assay): assay.log(output=1)")
    record(project, evaluation)
    project.makepyfile(
        test_killed=f"""
        import os, time, assay_client
        client = assay_client.Client()
        while client.get_evaluation({evaluation!r})["status"] != "running": time.sleep(0.05)
        os.kill(os.getpid(), 9)
        """
    )
    record(project, evaluation)
    while (status := client.get_evaluation(evaluation)["status"]) == "running":
        time.sleep(0.1)
    assert status == "failed"


@pytest.mark.parametrize(
    ("arguments", "selection"),
    [
        (["-k", "one or two"], "-k 'one or two'"),
        (["-m", "not slow"], "-m 'not slow'"),
        (["--deselect", "test_cases.py::test_three"], "--deselect test_cases.py::test_three"),
        (["test_cases.py"], "test_cases.py"),
        (["test_cases.py::test_one", "-n1"], "test_cases.py::test_one"),
        (["--lf", "-p", "cacheprovider"], "--lf"),
        (["--sw", "-p", "cacheprovider", "-p", "stepwise"], "--sw"),
    ],
)
def test_a_selection_needs_an_evaluation_of_its_own(
    project: pytest.Pytester,
    client: Client,
    evaluation: str,
    arguments: list[str],
    selection: str,
) -> None:
    project.makefile(".ini", pytest=f"{SETTINGS}markers = slow\n")
    project.makepyfile(
        test_cases="""
        import pytest
        def test_one(assay): pass
        def test_two(assay): pass
        @pytest.mark.slow
        def test_three(assay): pass
        """
    )
    own = f"{evaluation}-own"
    for _ in range(2):
        record(project, own, *arguments).stdout.no_fnmatch_line("*status 'failed'*")
        stored_evaluation, selected = stored(client, own)
        assert stored_evaluation["status"] == "finished"
        assert stored_evaluation["metadata"] == {"selection": selection}
        assert stored_evaluation["expected_count"] == len(selected) > 0

    record(project, evaluation, "--ff", "-p", "cacheprovider", ".")
    complete, _ = stored(client, evaluation)
    assert (complete["status"], complete["metadata"]) == ("finished", None)
    for _ in range(2):
        result = record(project, evaluation, *arguments)
        result.stdout.fnmatch_lines(
            [
                "The evaluation has the status 'failed'. Only a part of its tests ran: "
                f"{selection}. Use another --assay-evaluation for a selection of tests."
            ]
        )
        partial, rows = stored(client, evaluation)
        assert (partial["status"], partial["metadata"]) == ("failed", None)
        assert rows == selected
    record(project, evaluation)
    assert client.get_evaluation(evaluation)["status"] == "finished"


def test_a_complete_run_removes_a_stored_selection(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile("def test_one(assay): pass\ndef test_two(assay): pass")
    record(project, evaluation, "-k", "one")
    metadata = {"selection": "-k one", "branch": "main"}
    client.request("PATCH", ["evaluations", evaluation], body={"metadata": metadata})
    record(project, evaluation, "-k", "two")
    partial = stored(client, evaluation)[0]
    assert (partial["status"], partial["metadata"]) == ("failed", metadata)
    record(project, evaluation)
    complete, rows = stored(client, evaluation)
    assert (complete["status"], complete["metadata"]) == ("finished", {"branch": "main"})
    assert len(rows) == 2


def test_a_selection_fills_an_evaluation_without_rows(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile("def test_one(assay): pass\ndef test_two(assay): pass")
    client.evaluation(evaluation, metadata={"branch": "main"}).start()
    record(project, evaluation, "-k", "one")
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "finished"
    assert stored_evaluation["metadata"] == {"branch": "main", "selection": "-k one"}
    assert len(rows) == 1


@XDIST
def test_a_test_can_have_several_rows(
    project: pytest.Pytester, client: Client, evaluation: str, arguments: list[str]
) -> None:
    project.makepyfile(
        test_rows="""
        import pathlib
        def test_first(assay): assay.log(output="first")
        def test_many(assay):
            assay.log(id="b", inputs={"q": "B"})
            assay.log(id=2, inputs={"q": "Two"}, output="two", scores={"length": 3})
            assay.log(id="b", output="b", scores={"length": 1}, reasons={"length": "short"})
            assay.log(inputs={"q": "none"}, output="none")
            path = pathlib.Path("attempts")
            path.write_text((path.read_text() if path.exists() else "") + "x")
            assay.log(id=f"attempt-{len(path.read_text())}", output="x")
            assert len(path.read_text()) == 2, "not yet"
        def test_error(assay):
            assay.log(id="x" * 300, inputs={"q": "X"}, output="x")
            assay.log(id="y", inputs={"q": "Y"}, latency=2)
            raise OSError("away")
        def test_last(assay): pass
        """
    )
    result = record(project, evaluation, "--reruns=1", *arguments)
    result.stdout.fnmatch_lines([f"8 rows sent: *{evaluation}"])
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["expected_count"] == stored_evaluation["scenario_count"] == 8
    ids = [row["id"].removeprefix("test_rows.py::") for row in rows]
    assert ids[:5] == [
        "test_first",
        "test_many::b",
        "test_many::2",
        "test_many",
        "test_many::attempt-2",
    ]
    assert len(rows[5]["id"]) == 200
    assert ids[6:] == ["test_error::y", "test_last"]
    assert [test_result(row)["value"] for row in rows] == [*[True] * 5, False, False, True]
    assert rows[1]["inputs"] == [{"name": "q", "type": "text", "value": "B"}]
    assert rows[1]["outputs"][0]["result"]["value"] == "b"
    assert rows[1]["results"][1]["result"]["value"] == 1
    assert rows[1]["extra"] == {"results": [{}, {"reason": "short"}]}
    assert rows[2]["outputs"][0]["result"]["value"] == "two"
    # Only the row without an output failed.
    assert rows[5]["outputs"][0]["result"] == {"type": "text", "value": "x"}
    assert rows[6]["outputs"][0]["result"]["error"]["message"] == "OSError: away"
    assert rows[6]["outputs"][0]["latency"] == 2


def test_another_value_of_an_input_is_an_error(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import pytest
        def test_loop(assay):
            for question in ("a", "b"):
                assay.log(inputs={"question": question}, output=question, scores={"good": True})
        def test_same_value(assay):
            for _ in range(2): assay.log(inputs={"question": "a", "list": [1]}, output="x")
            assay.log(inputs={"other": 1})
        def test_same_id(assay):
            assay.log(id="x", inputs={"n": 1})
            with pytest.raises(ValueError, match="'n' of the row 'x' was logged before"):
                assay.log(id="x", inputs={"n": True})
        def test_invalid_ids(assay):
            for id in ("", 1.5, True, []):
                with pytest.raises((TypeError, ValueError)): assay.log(id=id, output=1)
        """
    )
    result = record(project, evaluation)
    assert outcomes(result) == {"failed": 1, "passed": 3}
    rows = rows_by_name(client, evaluation)
    assert list(rows) == ["test_loop", "test_same_value", "x", "test_invalid_ids"]
    assert reason(rows["test_loop"]) == (
        "ValueError: The input 'question' of this test was logged before with another value. "
        "Pass a different id to each row: assay.log(id=...)."
    )
    assert rows["test_loop"]["outputs"][0]["result"]["value"] == "a"
    assert rows["test_loop"]["inputs"][0]["value"] == "a"


def test_sends_the_declared_directions(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    settings = (
        f"{SETTINGS}assay_higher_is_better =\n    good\n    clear\nassay_lower_is_better = length\n"
    )
    project.makefile(".ini", pytest=settings)
    project.makepyfile("def test_one(assay): assay.log(scores={'length': 3, 'good': 1})")
    record(project, evaluation)
    assert client.get_evaluation(evaluation)["evaluators"] == [
        {"name": "good", "higher_is_better": True},
        {"name": "clear", "higher_is_better": True},
        {"name": "length", "higher_is_better": False},
    ]

    # People have changed the evaluation.
    evaluators = [
        {"name": "review", "higher_is_better": True, "kind": "human"},
        {"name": "length", "higher_is_better": True, "threshold": 9},
    ]
    client.request("PATCH", ["evaluations", evaluation], body={"evaluators": evaluators})
    record(project, evaluation)
    evaluators = list(client.get_evaluation(evaluation)["evaluators"])
    assert {"name": "length", "higher_is_better": False, "threshold": 9} in evaluators
    names = [each["name"] for each in evaluators]
    assert sorted(names) == ["clear", "good", "length", "review"]
    (review,) = [each for each in evaluators if each["name"] == "review"]
    assert review["kind"] == "human"

    project.makefile(".ini", pytest=f"{settings}    good\n")
    result = record(project, evaluation)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*'good' is in assay_higher_is_better and in *"])


def import_saved_file(project: pytest.Pytester, client: Client, result: pytest.RunResult) -> str:
    """Imports the file as the printed command does, and returns the options of the command."""
    path = saved_file(project)
    _, _, command = result.stdout.str().partition(f"assay import {path.name} --url ")
    options = command.splitlines()[0].partition(" ")[2]
    modes: dict[str, Any] = {"": "error", "--replace": "replace_all"}
    client.import_file(path, on_conflict=modes.get(options) or options.split()[-1])
    path.unlink()
    return options


def test_a_file_replaces_what_the_run_would_have_replaced(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, client: Client, evaluation: str
) -> None:
    monkeypatch.setenv("ASSAY_URL", "http://127.0.0.1:1")
    tests = "def test_one(assay): pass\ndef test_two(assay): pass\ndef test_three(assay): pass\n"
    project.makepyfile(test_cases=tests)
    assert import_saved_file(project, client, record(project, evaluation)) == "--replace"
    assert len(rows_by_name(client, evaluation)) == 3

    # A complete run has exactly its rows.
    project.makepyfile(test_cases=tests.replace("test_two", "test_new"))
    assert import_saved_file(project, client, record(project, evaluation)) == "--replace"
    assert list(rows_by_name(client, evaluation)) == ["test_one", "test_new", "test_three"]
    assert client.get_evaluation(evaluation)["status"] == "finished"

    # A selection cannot know whether the evaluation is its own.
    result = record(project, f"{evaluation}-one", "-k", "one")
    assert import_saved_file(project, client, result) == ""
    own, rows = stored(client, f"{evaluation}-one")
    assert (own["status"], own["metadata"]) == ("finished", {"selection": "-k one"})
    assert len(rows) == 1

    # A run without rows has only a status.
    (project.path / "test_cases.py").write_text(BROKEN)
    result = record(project, evaluation)
    result.stdout.fnmatch_lines(["The status is in a file. *", "* the status 'failed'. *"])
    assert import_saved_file(project, client, result) == "--on-conflict replace"
    failed, rows = stored(client, evaluation)
    assert failed["status"] == "failed"
    assert len(rows) == 3


@pytest.mark.parametrize(
    ("statement", "arguments"),
    [
        ("raise KeyboardInterrupt", []),
        ("pytest.exit('enough')", []),
        ("pytest.exit('enough', returncode=0)", []),
        ("pytest.exit('enough')", ["-n1"]),
        ("os._exit(1)", []),
        ("os.kill(os.getpid(), 9)", []),
    ],
)
def test_an_interrupted_run_is_failed(
    project: pytest.Pytester, client: Client, evaluation: str, statement: str, arguments: list[str]
) -> None:
    project.makepyfile(
        f"""
        import os, pytest
        def test_one(assay): assay.log(output=1)
        def test_two(assay): {statement}
        def test_three(assay): pass
        """
    )
    record(project, evaluation, *arguments)
    # If pytest was killed, the sending process is still at work.
    while True:
        try:
            if stored(client, evaluation)[0]["status"] != "running":
                break
        except AssayError as error:
            if error.status != 404:
                raise
        time.sleep(0.1)
    stored_evaluation, rows = stored(client, evaluation)
    assert stored_evaluation["status"] == "failed"
    assert [row["id"].rpartition("::")[2] for row in rows][:1] == ["test_one"]
    assert len(rows) < 3


def test_the_sending_process_ends_when_pytest_is_killed_and_the_service_hangs(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, proxies: list[Proxy], client: Client
) -> None:
    proxies.append(Proxy(client.url, lambda _: False, hangs=True))
    monkeypatch.setenv("ASSAY_URL", proxies[0].url)
    project.makepyfile(
        """
        import os
        def test_one(assay): pass
        def test_two(assay): os.kill(os.getpid(), 9)
        """
    )
    run(project, "--assay")
    while not proxies[0].connections:
        time.sleep(0.01)
    connection = proxies[0].connections[0]
    while connection.recv(65536):
        pass
    saved_file(project)


def test_an_internal_error_is_failed(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makeconftest(
        """
        def pytest_runtest_logfinish(nodeid):
            assert "two" not in nodeid, "a defect of a plugin"
        """
    )
    project.makepyfile(
        """
        def test_one(assay): pass
        def test_two(assay): pass
        """
    )
    result = record(project, evaluation)
    assert result.ret == 3
    result.stdout.fnmatch_lines(["2 rows sent: *"])
    assert stored(client, evaluation)[0]["status"] == "failed"


def test_an_interrupt_by_signal_sends_the_rows(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import pathlib, time
        def test_one(assay): pass
        def test_two(assay):
            pathlib.Path("ready").touch()
            time.sleep(3600)
        """
    )
    # A process in the background of a shell ignores SIGINT.
    program = "import signal, pytest; signal.signal(signal.SIGINT, signal.default_int_handler); "
    arguments = ["--assay", f"--assay-evaluation={evaluation}"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{program}pytest.main({arguments})"],
        cwd=project.path,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (project.path / "ready").exists():
        time.sleep(0.05)
    # Ctrl-C in a terminal reaches the whole process group.
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate()
    assert "1 row sent: " in output
    assert stored(client, evaluation)[0]["status"] == "failed"


def test_async_tests_and_wider_fixtures(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import asyncio, pytest
        @pytest.fixture(scope="session")
        def model(): return str.upper
        @pytest.fixture
        def logged(assay, model):
            assay.log(inputs={"text": "a"})
            return assay
        @pytest.mark.asyncio
        async def test_async(logged, model):
            await asyncio.sleep(0)
            logged.log(output=model("a"))
        @pytest.mark.asyncio
        async def test_async_error(assay):
            raise OSError("away")
        def test_dynamic(request): request.getfixturevalue("assay").log(output="dynamic")
        """
    )
    record(project, evaluation)
    rows = rows_by_name(client, evaluation)
    assert rows["test_async"]["inputs"][0]["value"] == "a"
    assert rows["test_async"]["outputs"][0]["result"]["value"] == "A"
    error = rows["test_async_error"]["outputs"][0]["result"]["error"]
    assert error["message"] == "OSError: away"
    assert "asyncio" not in error["stacktrace"].partition("File ")[2].partition("\n")[0]
    assert rows["test_dynamic"]["outputs"][0]["result"]["value"] == "dynamic"


def test_values_are_those_at_the_time_of_the_call(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        def test_one(assay):
            messages = ["question"]
            assay.log(inputs={"messages": messages}, scores={"a": 1}, output="draft")
            messages.append("later")
        def test_two(assay):
            assay.log(inputs={"q": "x"}, scores={"a": 1, "b": 1}, output="draft")
            assay.log(inputs={"r": "y"}, scores={"a": 2}, output="final")
        """
    )
    record(project, evaluation)
    rows = rows_by_name(client, evaluation)
    assert rows["test_one"]["inputs"][0]["value"] == ["question"]
    row = rows["test_two"]
    assert [each["name"] for each in row["inputs"]] == ["q", "r"]
    assert row["outputs"][0]["result"]["value"] == "final"
    scores = {each["evaluator_config"]: each["result"]["value"] for each in row["results"]}
    assert scores == {"a": 2, "b": 1, "test": True}


def test_reports_of_other_plugins_are_unchanged(project: pytest.Pytester, evaluation: str) -> None:
    project.makepyfile("def test_one(assay): assay.log(output='secret')")
    for arguments in ([], ["-n1"]):
        record(project, evaluation, "--junitxml=report.xml", *arguments)
        report = (project.path / "report.xml").read_text()
        assert "test_one" in report
        assert "secret" not in report


def test_patches_of_tests_do_not_reach_the_sender(
    project: pytest.Pytester, client: Client, evaluation: str
) -> None:
    project.makepyfile(
        """
        import os, socket, pytest
        @pytest.fixture(scope="session", autouse=True)
        def no_network():
            patch = pytest.MonkeyPatch()
            patch.setattr(socket, "socket", None)
            patch.setenv("ASSAY_URL", "http://127.0.0.1:1")
            yield
        def test_one(assay): pass
        """
    )
    record(project, evaluation).stdout.fnmatch_lines(["1 row sent: *"])
    assert len(stored(client, evaluation)[1]) == 1


def test_rejects_an_invalid_id(project: pytest.Pytester) -> None:
    project.makepyfile("def test_one(assay): pass")
    result = run(project, "--assay", "--assay-evaluation", "x" * 201)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*is not a valid id*"])
