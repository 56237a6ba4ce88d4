"""Tests writing DataFrames and dicts as evaluations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay_client import AssayConnectionError, AssayError, Client, _batches
from fault_server import FaultServer, json_response, problem, reset, response
from tcp_proxy import TcpProxy


@pytest.fixture
def id() -> str:
    return f"log-{uuid.uuid4().hex}"


ROWS = [
    {"case": 7, "question": "Why?", "answer": "Because.", "truth": "x", "ok": True, "why": "good"},
    {"case": 8, "question": "How?", "answer": None, "truth": None, "ok": None, "why": None},
]


def test_logs_dicts(client: Client, id: str) -> None:
    run = client.log(
        id,
        ROWS,
        id="case",
        inputs=["question"],
        output="answer",
        expected="truth",
        scores=["ok"],
        reasons={"ok": "why"},
        variant=id,
        config={"a": 1},
        tags=["nightly"],
    )
    assert run.id == id
    first, second = client.scenarios(id, include="extra")
    assert first["id"] == "7"
    assert first["inputs"] == [{"name": "question", "type": "text", "value": "Why?"}]
    assert first["outputs"] == [{"result": {"type": "text", "value": "Because."}}]
    assert first["results"] == [
        {"evaluator_config": "ok", "result": {"type": "bool", "value": True}}
    ]
    assert first["correct_answers"] == [{"key": "expected", "value": "x"}]
    assert first["extra"] == {"results": [{"reason": "good"}]}
    assert (second["id"], second["outputs"], second["correct_answers"]) == ("8", [], None)
    evaluation = client.get_evaluation(id)
    assert (evaluation["status"], evaluation["revision"]) == ("finished", 1)
    assert evaluation["tags"] == ["nightly"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_logs_a_data_frame_again_without_a_change(client: Client, id: str, library: str) -> None:
    frame = pytest.importorskip(library).DataFrame(ROWS)
    columns: dict[str, Any] = {
        "inputs": ["question"],
        "output": "answer",
        "scores": ["ok"],
        "expected": "truth",
    }
    client.log(id, frame, **columns)
    before = client.get_evaluation(id)
    assert before["scenario_count"] == 2
    client.log(id, frame, **columns)
    client.log(id, iter(ROWS), **columns)
    assert client.get_evaluation(id) == before
    with pytest.raises(AssayError, match="different content"):
        client.log(id, ROWS, inputs=["question"], output="truth")
    assert client.get_evaluation(id) == before
    client.log(id, ROWS, inputs=["question"], output="truth", on_conflict="replace")
    assert next(client.scenarios(id))["outputs"][0]["result"]["value"] == "x"


def test_missing_column_creates_no_evaluation(client: Client, id: str) -> None:
    with pytest.raises(ValueError, match="question"):
        client.log(id, pytest.importorskip("pandas").DataFrame(ROWS), inputs=["missing"])
    with pytest.raises(AssayError):
        client.get_evaluation(id)


@pytest.fixture
def proxy(url: str) -> Iterator[TcpProxy]:
    proxy = TcpProxy(url)
    yield proxy
    proxy.stop()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "1", "x": 1.0}, {"id": "2", "x": float("inf")}], r"Row 1.*infinite.*'2'"),
        ([{"id": "3", "x": 1.0}, {"id": "3", "x": 2.0}], r"Row 1.*Row 0 has the same id '3'"),
        ([{"id": "1", "x": 1.0}, {"id": "2"}], r"Row 1.*no value 'x'"),
        ([{"id": "1", "x": 1.0}, {"id": None, "x": 1.0}], r"Row 1.*column 'id'"),
    ],
)
def test_invalid_row_sends_no_request(rows: list[dict[str, Any]], message: str) -> None:
    with FaultServer(reset) as server:
        with pytest.raises(ValueError, match=message):
            Client(server.url, retries=0).log("nightly", rows, id="id", output="x")
        assert server.requests == []


@pytest.mark.parametrize("config", [None, {"a": 1}])
def test_rejected_row_stores_nothing(
    client: Client, id: str, config: dict[str, int] | None
) -> None:
    rows = [{"id": "1"}, {"id": "1"}, {"id": "2"}, {"id": "x" * 201}, {"id": ".."}]
    variant = None if config is None else id
    with pytest.raises(AssayError, match=r"2 rows were rejected. Row 3 .*An id must") as raised:
        client.log(id, rows, id="id", inputs="id", variant=variant, config=config)
    assert "Nothing was stored" in raised.value.detail
    assert raised.value.status == 422
    for read in (client.get_evaluation, client.get_variant):
        with pytest.raises(AssayError) as missing:
            read(id)
        assert missing.value.status == 404


def test_too_large_row_is_named(client: Client, id: str) -> None:
    rows = [{"x": "a"}, {"x": "b" * 9_000_000}, {"x": "c"}]
    with pytest.raises(AssayError, match=r"One row was rejected. Row 1 .*larger than 8388608"):
        client.log(id, rows, output="x")
    with pytest.raises(AssayError):
        client.get_evaluation(id)


def test_invalid_evaluation_stores_nothing(client: Client, id: str) -> None:
    with pytest.raises(AssayError, match="Nothing was stored") as raised:
        client.log(id, [{"x": 1}], output="x", tags=["a" * 100])
    assert raised.value.status == 422
    with pytest.raises(AssayError):
        client.get_evaluation(id)


def test_rejected_row_leaves_a_stored_evaluation_as_it_is(client: Client, id: str) -> None:
    run = client.evaluation(id, name="First").start()
    run.add(id="1", output="x")
    run.finish("failed")
    before = client.get_evaluation(id)
    rows = [{"id": "2", "x": "new"}, {"id": "1", "x": "y"}, {"id": ".", "x": "z"}]
    with pytest.raises(AssayError, match="Row 2"):
        client.log(id, rows, id="id", output="x", name="Second", variant=id, config={"a": 1})
    assert client.get_evaluation(id) == before
    with pytest.raises(AssayError, match=r"Row 1 .*'1' already exists with different content"):
        client.log(id, rows[:2], id="id", output="x", name="Second", on_conflict="error")
    assert client.get_evaluation(id) == before
    client.log(id, rows[:2], id="id", output="x", name="Second", variant=id, config={"a": 1})
    after = client.get_evaluation(id)
    assert (after["name"], after["status"], after["revision"]) == ("Second", "finished", 1)
    assert outputs(client, id) == {"1": "y", "2": "new"}


def outputs(client: Client, id: str) -> dict[str, Any]:
    return {row["id"]: row["outputs"][0]["result"]["value"] for row in client.scenarios(id)}


def test_replaced_rows_are_those_of_the_last_table(client: Client, id: str) -> None:
    for output in ("a", "b", "a"):
        rows = [{"id": "1", "x": output}, {"id": "2", "x": "same"}]
        client.log(id, rows, id="id", output="x", on_conflict="replace")
        assert outputs(client, id) == {"1": output, "2": "same"}
    rows = [{"id": "1", "x": "c"}, {"id": "3", "x": "d"}, {"id": "1", "x": "e"}]
    client.log(id, rows, id="id", output="x", on_conflict="replace")
    assert outputs(client, id) == {"1": "e", "2": "same", "3": "d"}
    client.log(id, [*rows, {"id": "4", "x": "f"}], id="id", output="x", on_conflict="skip")
    assert outputs(client, id) == {"1": "e", "2": "same", "3": "d", "4": "f"}


def test_table_has_the_latest_revision_or_a_new_one(client: Client, id: str) -> None:
    revisions = []
    for number, value in enumerate([1, 1.0, 2, 1]):
        evaluation = f"{id}-{number}"
        client.log(evaluation, ROWS, output="answer", variant=id, config={"a": value, "b": [1]})
        revisions.append(client.get_evaluation(evaluation)["revision"])
    assert revisions == [1, 1, 2, 3]
    with pytest.raises(AssayError, match="another configuration"):
        client.log(f"{id}-0", ROWS, output="answer", variant=id, config={"a": 2, "b": [1]})


def test_revision_of_another_process_is_not_overwritten() -> None:
    missing = problem("404 Not Found", "not-found")
    variant = json_response({"latest_revision": 1})
    revision = json_response({"revision": 1, "config": {"parameters": {"a": 1}}})
    taken = response(
        b'{"code": "invalid-content", "detail": "", "errors": [{"pointer": "/revision", "line": 1,'
        b' "detail": "Revision 1 exists."}, {"pointer": "", "line": 1, "detail": "It ran it."}]}',
        status="422 Unprocessable Content",
        media_type="application/problem+json",
    )
    stored = json_response({"evaluations": [{"unchanged": 0}]})
    with FaultServer(missing, missing, taken, variant, revision, stored) as server:
        Client(server.url).log("nightly", ROWS, output="answer", variant="v", config={"a": 1})
        first, second = [each.body for each in server.requests if each.method == "POST"]
    assert json.loads(first.splitlines()[0])["revision"]["revision"] == 1
    header = json.loads(second.splitlines()[0])
    assert (header["evaluation"]["revision"], header["revision"]) == (1, None)


def test_table_is_sent_when_the_service_is_back(
    client: Client, key: str, id: str, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy.stop()
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: proxy.start())
    monkeypatch.setattr(_batches, "time", clock)
    Client(proxy.url, key, retries=0).log(id, ROWS, id="case", output="answer")
    assert client.get_evaluation(id)["scenario_count"] == 2


def test_table_is_written_to_a_file_without_the_service(
    client: Client,
    key: str,
    id: str,
    proxy: TcpProxy,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_batches, "FINAL_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    proxy.stop()
    columns: dict[str, Any] = {"id": "case", "output": "answer", "name": "Nightly"}
    ran: dict[str, Any] = {"variant": id, "config": {"a": 1}}
    with pytest.raises(AssayConnectionError, match="2 rows were not sent") as raised:
        Client(proxy.url, key, retries=0).log(id, ROWS, **columns, **ran)
    file = tmp_path / f"{id}.assay.ndjson"
    assert f"assay import {file} --url {proxy.url}" in str(raised.value)
    client.import_file(file)
    before = client.get_evaluation(id)
    assert (before["name"], before["status"], before["revision"]) == ("Nightly", "finished", 1)
    assert before["scenario_count"] == 2
    client.log(id, ROWS, **columns, **ran)
    assert client.get_evaluation(id) == before


def test_empty_table_creates_an_evaluation(client: Client, id: str) -> None:
    client.log(id, [], output="x", tags=["a"])
    stored = client.get_evaluation(id)
    assert (stored["scenario_count"], stored["status"], stored["tags"]) == (0, "finished", ["a"])


def test_exception_of_a_value_is_reported(client: Client, id: str) -> None:
    class Model:
        def model_dump(self, mode: str) -> None:
            b"\xff".decode()

    # UnicodeDecodeError cannot be created with a message only.
    with pytest.raises(ValueError, match=r"Row 0 .*: 'utf-8' codec can't decode"):
        client.log(id, [{"question": Model()}], inputs="question")


def test_table_is_read_back_equal_after_a_kill(url: str, key: str) -> None:
    pytest.importorskip("pandas")
    program = Path(__file__).parent / "campaigns" / "log_table.py"
    finished = subprocess.run(
        [sys.executable, str(program), "--rows", "2000"],
        env={**os.environ, "ASSAY_URL": url, "ASSAY_KEY": key},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout.splitlines()[-1])["rows"] == 2000
