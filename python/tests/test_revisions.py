"""Tests that a revision is created once per configuration."""

# A run is a with statement, so that pytest.raises contains several statements.
# ruff: noqa: PT012
from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from typing import Any

import pytest

from assay_client import AssayError, Client
from assay_client._revisions import differing_parameters


@pytest.fixture
def variant() -> str:
    return f"variant-{uuid.uuid4().hex}"


def run_with(client: Client, variant: str, config: Any, id: str | None = None) -> int | None:
    evaluation = id or f"evaluation-{uuid.uuid4().hex}"
    with client.evaluation(evaluation, variant=variant, config=config) as run:
        run.add(id="1", output="x")
    stored = client.get_evaluation(evaluation)
    assert stored["variant_id"] == variant
    return stored["revision"]


def test_creates_a_revision_only_if_the_configuration_changed(client: Client, variant: str) -> None:
    first = {"model": "m", "temperature": 1, "tools": [{"name": "a", "n": None}]}
    reordered = {"tools": ({"n": float("nan"), "name": "a"},), "temperature": 1, "model": "m"}
    assert run_with(client, variant, first) == 1
    assert run_with(client, variant, reordered) == 1
    assert run_with(client, variant, {**first, "temperature": 1.0}) == 1
    assert run_with(client, variant, {**first, "temperature": True}) == 2
    assert run_with(client, variant, {**first, "temperature": 1}) == 3
    assert run_with(client, variant, {**first, "temperature": 1}) == 3
    assert run_with(client, variant, {}) == 4
    assert run_with(client, variant, {}) == 4
    revisions = list(client.revisions(variant))
    assert [each["revision"] for each in revisions] == [1, 2, 3, 4]
    assert revisions[0]["config"]["config_name"] == variant
    assert revisions[0]["config"]["parameters"]["tools"] == [{"name": "a", "n": None}]
    assert revisions[0]["modified_by"] != ""


def test_without_configuration_the_latest_revision_is_used(client: Client, variant: str) -> None:
    run_with(client, variant, {"a": 1})
    run_with(client, variant, {"a": 2})
    assert run_with(client, variant, None) == 2
    with pytest.raises(AssayError) as raised:
        run_with(client, "missing-" + variant, None)
    assert raised.value.code == "variant-not-found"


def test_restarted_run_keeps_its_revision(client: Client, variant: str) -> None:
    id = f"evaluation-{uuid.uuid4().hex}"
    with (
        pytest.raises(ZeroDivisionError),
        client.evaluation(id, variant=variant, config={"a": 1}) as run,
    ):
        run.add(id="0", output="x")
        raise ZeroDivisionError
    assert run_with(client, variant, {"a": 2}) == 2
    assert run_with(client, variant, {"a": 1}, id) == 1
    assert len(list(client.revisions(variant))) == 2


def test_restarted_run_with_another_configuration_is_rejected(client: Client, variant: str) -> None:
    id = f"evaluation-{uuid.uuid4().hex}"
    run_with(client, variant, {"a": 1, "b": [1]}, id)
    before = client.get_evaluation(id)
    for config, names in (
        ({"a": 2, "b": [1]}, r"\(a\)"),
        ({"a": 1.0, "b": [True], "c": 0}, "b, c"),
    ):
        with pytest.raises(AssayError, match=names) as raised:
            run_with(client, variant, config, id)
        assert "new evaluation id" in str(raised.value)
    with pytest.raises(AssayError, match="with the variant"):
        run_with(client, "another", {"a": 1, "b": [1]}, id)
    assert client.get_evaluation(id) == before
    assert len(list(client.revisions(variant))) == 1


def test_run_adds_the_variant_to_an_evaluation_without_one(client: Client, variant: str) -> None:
    id = f"evaluation-{uuid.uuid4().hex}"
    with client.evaluation(id) as run:
        run.add(id="logged", output="x")
    before = client.get_evaluation(id)
    with (
        pytest.raises(AssayError, match="different content"),
        client.evaluation(id, variant=variant, config={"a": 1}) as run,
    ):
        run.add(id="logged", output="y")
    assert client.get_evaluation(id) == before
    assert run_with(client, variant, {"a": 1}, id) == 1
    evaluation = client.get_evaluation(id)
    assert (evaluation["variant_id"], evaluation["scenario_count"]) == (variant, 2)


STARTER = """
import json, sys
from assay_client import Client
client = Client()
evaluation, variant, config = json.loads(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with client.evaluation(evaluation, variant=variant, config=config) as run:
    run.add(id=sys.argv[2], output="x")
"""


@pytest.mark.parametrize("one_evaluation", [True, False])
def test_processes_that_start_at_once_create_one_revision(
    client: Client, url: str, key: str, variant: str, one_evaluation: bool
) -> None:
    for attempt in range(3):
        evaluations = [f"{variant}-{attempt}-{0 if one_evaluation else n}" for n in range(4)]
        processes = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    STARTER,
                    json.dumps([evaluation, variant, {"attempt": attempt}]),
                    str(number),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Different users send different revisions, so that only one of them is stored.
                env={**os.environ, "ASSAY_URL": url, "ASSAY_KEY": key, "LOGNAME": f"user-{number}"},
            )
            for number, evaluation in enumerate(evaluations)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
        for process in processes:
            process.communicate(timeout=60)
            assert process.returncode == 0
        assert len(list(client.revisions(variant))) == attempt + 1
        for evaluation in evaluations:
            stored = client.get_evaluation(evaluation)
            assert stored["revision"] == attempt + 1
            assert stored["scenario_count"] == (4 if one_evaluation else 1)


def test_differences_are_named() -> None:
    revision = {"config": {"config_name": "x", "parameters": {"a": 1, "b": {"c": [1, 2]}}}}
    assert differing_parameters({"b": {"c": [1, 2]}, "a": 1}, revision) == []
    assert differing_parameters({"b": {"c": [1, 2.0]}, "a": 1}, revision) == []
    assert differing_parameters({"b": {"c": [True, 2]}, "a": 1}, revision) == ["b"]
    assert differing_parameters({"b": {"c": [1, 2, 3]}}, revision) == ["a", "b"]
    assert differing_parameters({}, {"config": {"config_name": "x"}}) == []
