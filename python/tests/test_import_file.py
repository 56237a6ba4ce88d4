"""Tests the files of unsent rows."""

# A run is a with statement, so that pytest.raises contains several statements.
# ruff: noqa: PT012
from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from assay_client import AssayError, Client
from assay_client._import_file import ImportHeader, import_command, unused_path, write_import_file


def test_file_creates_an_evaluation(client: Client, tmp_path: Path) -> None:
    id = f"import-{uuid.uuid4().hex}"
    path = tmp_path / "rows.ndjson"
    scenarios: list[Any] = [{"id": "b", "inputs": []}, b'{"id":"a","note":"\\ud800"}\n']
    header = ImportHeader({"id": id, "name": "Nightly", "status": "failed"})
    write_import_file(path, header, scenarios)
    report = client.import_file(path)
    assert report["stored"] is True
    evaluation = client.get_evaluation(id)
    assert (evaluation["name"], evaluation["status"]) == ("Nightly", "failed")
    assert [(row["id"], row["note"]) for row in client.scenarios(id)] == [
        ("b", None),
        ("a", "\ud800"),
    ]


def test_file_completes_an_evaluation_and_changes_nothing_else(
    client: Client, tmp_path: Path
) -> None:
    id = f"import-{uuid.uuid4().hex}"
    with pytest.raises(KeyboardInterrupt), client.evaluation(id, name="First", tags=["a"]) as run:
        run.add(id="1", output="x")
        raise KeyboardInterrupt
    client.request("PATCH", ["evaluations", id], body={"status": "running"})
    path = tmp_path / "rows.ndjson"
    write_import_file(path, ImportHeader({"id": id, "status": "finished"}), [{"id": "2"}])
    client.import_file(path)
    evaluation = client.get_evaluation(id)
    assert (evaluation["name"], evaluation["status"]) == ("First", "finished")
    assert evaluation["tags"] == ["a"]
    assert [row["id"] for row in client.scenarios(id)] == ["1", "2"]


def test_revision_without_a_number_is_added_once(client: Client, tmp_path: Path) -> None:
    id = f"import-{uuid.uuid4().hex}"
    path = tmp_path / "rows.ndjson"

    def store(evaluation: str, parameters: dict[str, Any]) -> int | None:
        revision = {"modified_by": "me", "config": {"config_name": id, "parameters": parameters}}
        variant = {"id": id, "created_at": "2026-05-01T00:00:00Z"}
        header = ImportHeader({"id": evaluation}, variant, revision)
        write_import_file(path, header, [{"id": "1"}])
        client.import_file(path)
        stored = client.get_evaluation(evaluation)
        assert stored["variant_id"] == id
        return stored["revision"]

    assert store(f"{id}-1", {"a": 1}) == 1
    assert store(f"{id}-2", {"a": 2}) == 2
    assert store(f"{id}-3", {"a": 1}) == 1
    with pytest.raises(AssayError, match="with a different revision"):
        store(f"{id}-1", {"a": 3})
    assert len(list(client.revisions(id))) == 2


def test_failed_write_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_import_file(tmp_path / "rows.ndjson", ImportHeader({"id": "x"}), [{"id": object()}])
    assert list(tmp_path.iterdir()) == []


def test_path_is_safe_and_not_used_yet(tmp_path: Path) -> None:
    path = unused_path(tmp_path, "../team/nightly 4", ".ndjson")
    assert path == tmp_path / "_team_nightly_4.ndjson"
    path.touch()
    assert unused_path(tmp_path, "../team/nightly 4", ".ndjson").name == "_team_nightly_4-2.ndjson"
    assert unused_path(tmp_path, "…", ".ndjson").name == "_.ndjson"
    assert len(unused_path(tmp_path, "x" * 200, ".ndjson").name) < 120


def test_command_has_the_option_of_the_run() -> None:
    assert import_command(Path("a b.ndjson"), "http://h:1", "error") == (
        'assay import "a b.ndjson" --url http://h:1'
    )
    assert import_command(Path("a.ndjson"), "http://h:1", "replace") == (
        "assay import a.ndjson --url http://h:1 --on-conflict replace"
    )
