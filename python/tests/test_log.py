"""Tests writing DataFrames and dicts as evaluations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from assay_client import AssayError, Client


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


def test_invalid_row_is_named(client: Client, id: str) -> None:
    rows = [{"id": "1", "x": 1.0}, {"id": "2", "x": float("inf")}]
    with pytest.raises(ValueError, match=r"Row 1.*infinite.*'2'"):
        client.log(id, rows, id="id", output="x")
    assert client.get_evaluation(id)["status"] == "failed"
    rows = [{"id": "3", "x": 1.0}, {"id": "3", "x": 2.0}]
    with pytest.raises(ValueError, match=r"Row 1.*'3' was added before"):
        client.log(id, rows, id="id", output="x")


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
