"""Tests runs: restarts, threads, exceptions, lost connections and rejected rows."""

# A run is a with statement, so that pytest.raises contains several statements.
# ruff: noqa: PT012, PT031

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay_client import AssayConnectionError, AssayError, Client, _batches
from fault_server import FaultServer, json_response, problem
from interrupted_run import cases
from tcp_proxy import TcpProxy

PROGRAM = Path(__file__).with_name("interrupted_run.py")
ROUNDS = int(os.environ.get("ASSAY_ROUNDS", "1"))


@pytest.fixture
def id() -> str:
    return f"run-{uuid.uuid4().hex}"


@pytest.fixture
def proxy(url: str) -> Iterator[TcpProxy]:
    proxy = TcpProxy(url)
    yield proxy
    proxy.stop()


@pytest.fixture
def fast_retries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_batches, "RETRY_SECONDS", 0.2)
    monkeypatch.setattr(_batches, "FINAL_SECONDS", 1.0)
    monkeypatch.chdir(tmp_path)


def replace_first_wait(monkeypatch: pytest.MonkeyPatch, action: Callable[[], None]) -> None:
    """Calls the action instead of the first wait for the service at the end of a run."""
    actions = [action]

    def sleep(seconds: float) -> None:
        if actions:
            actions.pop()()
        else:
            time.sleep(seconds)

    monkeypatch.setattr(_batches, "FINAL_SECONDS", 3600.0)
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=sleep)
    monkeypatch.setattr(_batches, "time", clock)


def ids(client: Client, evaluation: str) -> list[str]:
    return [row["id"] for row in client.scenarios(evaluation)]


def outputs(client: Client, evaluation: str) -> dict[str, Any]:
    return {row["id"]: row["outputs"][0]["result"]["value"] for row in client.scenarios(evaluation)}


def status(client: Client, evaluation: str) -> str:
    return client.get_evaluation(evaluation)["status"]


def run_program(url: str, key: str, options: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROGRAM), json.dumps(options)],
        env={**os.environ, "ASSAY_URL": url, "ASSAY_KEY": key},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("has_ids", [True, False])
@pytest.mark.parametrize("varies", [True, False])
@pytest.mark.parametrize("skips", [True, False])
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_killed_run_is_completed_by_the_next_one(
    client: Client, url: str, key: str, id: str, has_ids: bool, varies: bool, skips: bool, seed: int
) -> None:
    numbers = random.Random(f"{has_ids} {varies} {skips} {seed}")
    count = 120
    options: dict[str, Any] = {
        "evaluation": id,
        "count": count,
        "has_ids": has_ids,
        "skips": skips,
        "varies": varies,
    }
    for attempt in range(4):
        kill_at = [numbers.randrange(count), numbers.uniform(0, 0.02)]
        options |= {"attempt": attempt, "kill_at": kill_at}
        run_program(url, key, options)
        # If it was killed at the very end, the run is finished, and the next one would be a
        # conflict. The service handles this write after the last one of the killed process,
        # unlike a read.
        client.request("PATCH", ["evaluations", id], body={"status": "running"})
    before = len(ids(client, id))
    finished = run_program(url, key, options | {"attempt": 4, "kill_at": None})
    assert finished.returncode == 0, finished.stderr
    rows = list(client.scenarios(id, include="extra"))
    expected = cases(count)
    questions = [row["inputs"][0]["value"] for row in rows]
    assert questions == [case["question"] for case in expected]
    assert len({row["id"] for row in rows}) == count
    if has_ids:
        assert [row["id"] for row in rows] == [case["id"] for case in expected]
    if skips and has_ids:
        # The service can store the last batch of a killed process after its rows were counted.
        assert int(finished.stdout) <= count - before
    else:
        # Without skipping, every row is of the last attempt, also if the first one had the same.
        assert {row["outputs"][0]["result"]["value"][-1] for row in rows} == {"0"}
    assert [row["correct_answers"] for row in rows] == [
        [{"key": "expected", "value": case["question"]}] for case in expected
    ]
    assert status(client, id) == "finished"
    assert len(list(client.revisions(id))) == 1


def test_repeated_run_ends_with_its_own_outputs(client: Client, id: str) -> None:
    for output in ("a", "b", "a"):
        with client.evaluation(id, on_conflict="replace") as run:
            run.add(id="1", output=output, scores={"x": 1}, reasons={"x": output})
            run.add(id="2", output="same")
        assert outputs(client, id) == {"1": output, "2": "same"}


def test_threads_add_rows(client: Client, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "BATCH_ROWS", 10)
    count = 800
    with client.evaluation(id) as run, ThreadPoolExecutor(16) as pool:
        added = list(
            pool.map(lambda n: run.add(inputs={"n": n % 400}, output=str(n % 400)), range(count))
        )
    assert len(set(added)) == count
    rows = list(client.scenarios(id))
    assert sorted(added) == sorted(row["id"] for row in rows)
    assert sorted(row["inputs"][0]["value"] for row in rows) == sorted([*range(400)] * 2)
    assert all(
        str(row["inputs"][0]["value"]) == row["outputs"][0]["result"]["value"] for row in rows
    )


def test_slow_loop_sends_every_row_at_once(
    client: Client, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_batches, "BATCH_SECONDS", 0.0)
    with client.evaluation(id, expected_count=3) as run:
        for number in range(3):
            if number == 2:
                monkeypatch.setattr(_batches, "BATCH_SECONDS", 3600.0)
            run.add(id=number)
            assert ids(client, id) == [str(each) for each in range(number + 1)]
            assert status(client, id) == "running"
        run.add(id="last")
        assert "last" not in ids(client, id)
        run.flush()
        assert "last" in ids(client, id)
    assert status(client, id) == "finished"
    assert client.get_evaluation(id)["expected_count"] == 3


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, AssayError])
def test_exception_sets_the_status_failed(
    client: Client, id: str, error: type[BaseException]
) -> None:
    with pytest.raises(error, match="stop"), client.evaluation(id) as run:
        run.add(id="1", output="x")
        raise error("stop")
    assert status(client, id) == "failed"
    assert ids(client, id) == ["1"]
    with client.evaluation(id) as run:
        assert "1" in run
        assert "2" not in run
        assert run.add(id="1", output="y") == "1"
        run.add(id="2", output="y")
    assert status(client, id) == "finished"
    assert outputs(client, id) == {"1": "y", "2": "y"}


def test_finished_evaluation_is_not_overwritten(client: Client, id: str) -> None:
    with client.evaluation(id, name="First") as run:
        run.add(id="1", output="x")
        run.add(id="2", output="x")
    before = client.get_evaluation(id)
    with pytest.raises(AssayError, match=f"{id}.*'2'") as raised, client.evaluation(id) as run:
        run.add(id="1", output="x")
        run.add(id="2", output="changed")
        run.add(id="3", output="new")
    assert raised.value.code == "conflict"
    assert raised.value.conflict_count == 1
    assert 'on_conflict="replace"' in str(raised.value)
    assert client.get_evaluation(id) == before
    with pytest.raises(RuntimeError), client.evaluation(id, name="Second") as run:
        raise RuntimeError
    assert client.get_evaluation(id) == before
    with client.evaluation(id) as run:
        run.add(id="1", output="x")
        run.add(id="2", output="x")
    assert client.get_evaluation(id) == before
    with client.evaluation(id, on_conflict="skip") as run:
        run.add(id="2", output="changed")
        run.add(id="3", output="new")
    assert outputs(client, id) == {"1": "x", "2": "x", "3": "new"}
    with client.evaluation(id, on_conflict="replace", name="Third") as run:
        run.add(id="2", output="changed")
    assert outputs(client, id) == {"1": "x", "2": "changed", "3": "new"}
    after = client.get_evaluation(id)
    assert (after["name"], after["status"]) == ("Third", "finished")


def test_rows_after_a_handled_conflict_are_sent(client: Client, id: str) -> None:
    with client.evaluation(id) as run:
        run.add(id="1", output="x")
    with client.evaluation(id) as run:
        run.add(id="0", output="new")
        run.add(id="1", output="changed")
        with pytest.raises(AssayError, match="'1'"):
            run.flush()
        run.add(id="2", output="new")
    assert outputs(client, id) == {"1": "x", "0": "new", "2": "new"}
    assert status(client, id) == "finished"


def test_restart_keeps_tags_and_evaluators_of_people(client: Client, id: str) -> None:
    evaluators: list[Any] = [{"name": "score", "threshold": 0.5}]
    with (
        pytest.raises(ValueError, match="stop"),
        client.evaluation(id, tags=["nightly"], evaluators=evaluators),
    ):
        raise ValueError("stop")
    review = {"name": "review", "kind": "human"}
    changes = {"tags": ["nightly", "checked"], "evaluators": [review]}
    client.request("PATCH", ["evaluations", id], body=changes)
    with client.evaluation(id, tags=["nightly", "new"], evaluators=[{"name": "score"}]):
        pass
    stored = client.get_evaluation(id)
    assert stored["tags"] == ["nightly", "new", "checked"]
    assert stored["evaluators"] == [*evaluators, review]


def test_lost_service_loses_no_row(
    client: Client, key: str, id: str, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = Client(proxy.url, key, retries=0)
    monkeypatch.setattr(_batches, "BATCH_SECONDS", 0.0)
    monkeypatch.setattr(_batches, "RETRY_SECONDS", 0.0)
    with away.evaluation(id) as run:
        for number in range(30):
            if number == 10:
                proxy.stop()
            if number == 20:
                proxy.start()
            if number == 25:
                # The service stores the rows, but the response is lost.
                proxy.drops_responses = True
            if number == 27:
                proxy.drops_responses = False
            run.add(id=number, output=str(number))
            if number == 19:
                assert len(ids(client, id)) == 10
            if number == 20:
                assert len(ids(client, id)) == 21
    assert ids(client, id) == [str(number) for number in range(30)]
    assert status(client, id) == "finished"


def test_service_that_returns_at_the_end_gets_all_rows(
    client: Client,
    key: str,
    id: str,
    proxy: TcpProxy,
    fast_retries: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replace_first_wait(monkeypatch, proxy.start)
    with Client(proxy.url, key, retries=0).evaluation(id) as run:
        run.add(id="1")
        proxy.stop()
    assert (ids(client, id), status(client, id)) == (["1"], "finished")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_unsent_rows_are_written_to_a_file(
    client: Client,
    key: str,
    id: str,
    proxy: TcpProxy,
    fast_retries: None,
    tmp_path: Path,
    is_interrupted: bool,
) -> None:
    away = Client(proxy.url, key, retries=0)
    run = away.evaluation(id, variant=id, config={"a": 1}).start()
    run.add(id="1", output="sent")
    run.flush()
    expected_error = KeyboardInterrupt if is_interrupted else AssayConnectionError
    name = f"{id}.assay.ndjson"
    if is_interrupted:
        with pytest.warns(RuntimeWarning, match=name), pytest.raises(expected_error), run:
            run.add(id="2", output="unsent")
            proxy.stop()
            raise KeyboardInterrupt
    else:
        with pytest.raises(expected_error) as raised, run:
            run.add(id="2", output="unsent")
            proxy.stop()
            run.add(id="3", output="unsent")
        assert "2 rows were not sent" in str(raised.value)
        command = f"assay import {tmp_path / name} --url {proxy.url} --on-conflict replace"
        assert command in str(raised.value)
        assert isinstance(raised.value.__cause__, AssayConnectionError)
    assert status(client, id) == "running"
    client.import_file(tmp_path / name, on_conflict="replace")
    unsent = ["2"] if is_interrupted else ["2", "3"]
    assert ids(client, id) == ["1", *unsent]
    assert status(client, id) == ("failed" if is_interrupted else "finished")
    assert client.get_evaluation(id)["revision"] == 1
    with client.evaluation(id) as again:
        assert all(each in again for each in unsent)


def test_file_sets_the_status_if_only_that_is_missing(
    client: Client, key: str, id: str, proxy: TcpProxy, fast_retries: None, tmp_path: Path
) -> None:
    run = Client(proxy.url, key, retries=0).evaluation(id).start()
    run.add(id="1")
    run.flush()
    proxy.stop()
    with pytest.raises(AssayConnectionError, match="The status was not set"):
        run.finish()
    client.import_file(tmp_path / f"{id}.assay.ndjson")
    assert (ids(client, id), status(client, id)) == (["1"], "finished")


def test_notebook_displays_a_run_before_and_after_it_started(client: Client, id: str) -> None:
    run = client.evaluation(id)
    assert run._repr_html_() is None
    with run:
        assert id in str(run._repr_html_())


@pytest.mark.parametrize("has_temporary_folder", [True, False])
def test_file_cannot_be_written_to_the_current_folder(
    client: Client,
    key: str,
    id: str,
    proxy: TcpProxy,
    fast_retries: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_temporary_folder: bool,
) -> None:
    folder = tmp_path / "temporary"
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    if has_temporary_folder:
        folder.mkdir()
    deleted_folder = tmp_path / "deleted"
    deleted_folder.mkdir()
    run = Client(proxy.url, key, retries=0).evaluation(id).start()
    monkeypatch.chdir(deleted_folder)
    deleted_folder.rmdir()
    run.add(id="1")
    proxy.stop()
    with pytest.raises(AssayConnectionError, match="One row was not sent") as raised:
        run.finish()
    if has_temporary_folder:
        client.import_file(folder / f"{id}.assay.ndjson")
        assert ids(client, id) == ["1"]
    else:
        assert "No file with what is missing could be written" in str(raised.value)
        assert "Run the same code again" in str(raised.value)
    # pytest needs a current folder.
    monkeypatch.chdir(tmp_path)


def test_id_of_another_project_is_created_in_this_project() -> None:
    denied = problem("403 Forbidden", "access-denied")
    revision = json_response({"revision": 1, "config": {"parameters": {"a": 1}}})
    evaluation = {"id": "nightly", "variant_id": "support", "revision": 1}
    created = json_response({**evaluation, "status": "running", "scenario_count": 0})
    with FaultServer(denied, denied, revision, created, revision) as server:
        Client(server.url).evaluation("nightly", variant="support", config={"a": 1}).start()
        sent = [(each.method, each.target) for each in server.requests]
    assert sent[2:4] == [
        ("POST", "/api/variants/support/revisions"),
        ("POST", "/api/evaluations"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"id": 5}, "must be a string, not int"),
        ({"config": "gpt-4o", "variant": "support"}, "config must be a dict"),
        ({"evaluators": ["correct"]}, "each of evaluators must be a dict"),
    ],
)
def test_arguments_of_another_type_raise_before_any_request(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Client("http://127.0.0.1:1").evaluation(**{"id": "nightly", **arguments})


def test_interruption_of_the_last_retries_writes_the_file(
    client: Client,
    key: str,
    id: str,
    proxy: TcpProxy,
    tmp_path: Path,
    fast_retries: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replace_first_wait(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGINT))
    run = Client(proxy.url, key, retries=0).evaluation(id).start()
    run.add(id="1")
    proxy.stop()
    with (
        pytest.warns(RuntimeWarning, match="One row was not sent"),
        pytest.raises(KeyboardInterrupt),
    ):
        run.finish()
    client.import_file(tmp_path / f"{id}.assay.ndjson")
    assert ids(client, id) == ["1"]


def test_run_that_starts_without_the_service_is_sent_later(
    client: Client, key: str, id: str, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_batches, "RETRY_SECONDS", 0.0)
    proxy.stop()
    away = Client(proxy.url, key, retries=0)
    run = away.evaluation(id, name="Nightly", variant=id, config={"a": 1})
    with pytest.warns(RuntimeWarning, match="buffered and sent later") as warned:
        run.__enter__()
    # The statement of the caller.
    assert warned[0].filename == __file__
    with run:
        run.add(id="1", output="a")
        run.add(id="2", output="a")
        assert "1" not in run
        with pytest.raises(AssayConnectionError):
            run.flush()
        proxy.start()
        run.flush()
        assert (ids(client, id), status(client, id)) == (["1", "2"], "running")
        run.add(id="3", output="a")
    stored = client.get_evaluation(id)
    assert (stored["name"], stored["status"], stored["revision"]) == ("Nightly", "finished", 1)
    assert ids(client, id) == ["1", "2", "3"]


@pytest.mark.parametrize("on_conflict", [None, "replace", "skip"])
@pytest.mark.parametrize("before", ["finished", "failed"])
def test_rows_that_were_added_before_the_start_are_compared_with_stored_ones(
    client: Client, key: str, id: str, proxy: TcpProxy, before: Any, on_conflict: Any
) -> None:
    run = client.evaluation(id).start()
    for number in ("1", "2"):
        run.add(id=number, output="a", scores={"x": 1}, reasons={"x": "b"})
    run.finish(before)
    version = client.get_evaluation(id)["updated_at"]
    proxy.stop()
    away = Client(proxy.url, key, retries=0)
    with pytest.warns(RuntimeWarning):
        run = away.evaluation(id, on_conflict=on_conflict).start()
    run.add(id="1", output="a", scores={"x": 1}, reasons={"x": "b"})
    if before == "finished":
        proxy.start()
        run.finish()
        assert client.get_evaluation(id)["updated_at"] == version
        return
    run.add(id="2", output="b")
    run.add(id="3", output="b")
    proxy.start()
    run.finish()
    assert outputs(client, id) == {"1": "a", "2": "a" if on_conflict == "skip" else "b", "3": "b"}
    assert "2" in client.evaluation(id).start()


def test_run_that_never_reached_the_service_is_written_to_a_file(
    client: Client, key: str, id: str, proxy: TcpProxy, fast_retries: None, tmp_path: Path
) -> None:
    proxy.stop()
    away = Client(proxy.url, key, retries=0)
    with pytest.raises(AssayConnectionError, match="2 rows were not sent") as raised:
        with pytest.warns(RuntimeWarning, match="later"):
            run = away.evaluation(
                id, name="Nightly", variant=id, config={"a": 1}, tags=["t"], expected_count=2
            ).start()
        with run:
            run.add(id="1", output="a")
            run.add(id="2", output="b")
    file = tmp_path / f"{id}.assay.ndjson"
    assert str(raised.value).endswith(f"assay import {file} --url {proxy.url}")
    client.import_file(file)
    stored = client.get_evaluation(id)
    assert (stored["name"], stored["tags"], stored["expected_count"]) == ("Nightly", ["t"], 2)
    assert (stored["status"], stored["variant_id"], stored["revision"]) == ("finished", id, 1)
    with client.evaluation(id, variant=id, config={"a": 1}) as run:
        assert "1" in run
    assert outputs(client, id) == {"1": "a", "2": "b"}


def test_service_that_rejects_the_run_later_loses_no_row(
    client: Client, url: str, id: str, proxy: TcpProxy, fast_retries: None, tmp_path: Path
) -> None:
    proxy.stop()
    with pytest.warns(RuntimeWarning, match="later"):
        run = Client(proxy.url, "assay_wrong", retries=0).evaluation(id).start()
    run.add(id="1")
    proxy.start()
    with pytest.raises(AssayError, match="One row was not sent") as raised:
        run.finish()
    assert raised.value.status == 401
    client.import_file(tmp_path / f"{id}.assay.ndjson")
    assert ids(client, id) == ["1"]


@pytest.mark.parametrize(
    ("change", "expected_status"),
    [({"key": "assay_wrong"}, 401), ({"tags": ["x" * 100]}, 422), ({"variant": "missing"}, 404)],
)
def test_run_that_the_service_rejects_does_not_start(
    url: str, key: str, id: str, change: dict[str, Any], expected_status: int
) -> None:
    client = Client(url, change.pop("key", key))
    with pytest.raises(AssayError) as raised, client.evaluation(id, **change):
        raise AssertionError("The body must not run.")
    assert raised.value.status == expected_status


def test_rejected_rows_are_named_and_the_others_are_sent(client: Client, id: str) -> None:
    with client.evaluation(id) as run:
        run.add(id="1")
        run.add(id="x" * 201)
        run.add(id="..")
        run.add(id="2")
        with pytest.raises(AssayError, match=r"2 scenarios: 'xxx.*'\.\.'") as raised:
            run.flush()
        assert raised.value.status == 422
        run.add(id="3")
        with pytest.raises(AssayError, match="the scenario 'large'") as raised:
            run.add(id="large", output="x" * 9_000_000)
        assert raised.value.status == 413
        run.add(id="large", output="smaller")
        run.add(id="4")
    assert ids(client, id) == ["1", "2", "3", "large", "4"]
    assert status(client, id) == "finished"


def test_row_that_is_rejected_at_the_end_fails_the_run(client: Client, id: str) -> None:
    with pytest.raises(AssayError, match=r"the scenario '\.'"), client.evaluation(id) as run:
        run.add(id="1")
        run.add(id=".")
        run.add(id="2")
    assert ids(client, id) == ["1", "2"]
    assert status(client, id) == "failed"


def test_id_cannot_be_used_twice_in_a_run(client: Client, id: str) -> None:
    with client.evaluation(id) as run:
        run.add(id="1", output="a")
        run.add(id="1", output="a")
        with pytest.raises(ValueError, match="'1' was added before"):
            run.add(id="1", output="b")
        run.add(id="2", output="a")
    assert outputs(client, id) == {"1": "a", "2": "a"}
    with client.evaluation(id, on_conflict="replace") as run:
        run.add(id="1", output="b")
        run.add(id="1", output="c")
        run.add(id="1", output="a")
    assert outputs(client, id) == {"1": "a", "2": "a"}


def test_misuse_is_reported(client: Client, id: str) -> None:
    with pytest.raises(ValueError, match="variant"):
        client.evaluation(id, config={"a": 1})
    with pytest.raises(ValueError, match="on_conflict"):
        client.evaluation(id, on_conflict="overwrite")  # type: ignore[arg-type]
    run = client.evaluation(id)
    with pytest.raises(RuntimeError, match="not started"):
        run.add(id="1")
    with pytest.raises(AssayError):
        client.get_evaluation(id)
    with run:
        run.add(id="1")
    with pytest.raises(RuntimeError, match="ended"):
        run.add(id="2")
    with pytest.raises(RuntimeError, match="already"):
        run.start()
    assert ids(client, id) == ["1"]
    assert run.url.endswith(f"/evaluations/{id}")
