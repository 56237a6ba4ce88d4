"""Every read of the client, compared with the response of the service."""

from __future__ import annotations

import json
import threading
import tracemalloc
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from assay_client import AssayConnectionError, AssayError, Client

Fetch = Callable[[str], Any]

R4, R5, R6 = "support-answer-r4", "support-answer-r5", "support-answer-r6"


@pytest.fixture(scope="session")
def fetch(url: str, key: str) -> Fetch:
    """Reads a path of the API without the client."""

    def read(path: str) -> Any:
        request = urllib.request.Request(
            f"{url}/api/{path}", headers={"Authorization": f"Bearer {key}"}
        )
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read())

    return read


READS: dict[str, tuple[Callable[[Client], object], str]] = {
    "scenarios": (
        lambda client: list(client.scenarios(R5)),
        f"evaluations/{R5}/evaluation_scenarios",
    ),
    "filtered scenarios": (
        lambda client: list(
            client.scenarios(
                R5,
                {"result.answer_correct": "is.false", "latency": ["gte.1", "lt.3"]},
                order="latency.desc",
            )
        ),
        f"evaluations/{R5}/evaluation_scenarios?result.answer_correct=is.false"
        "&latency=gte.1&latency=lt.3&order=latency.desc",
    ),
    "scenarios with extra": (
        lambda client: list(client.scenarios(R5, include=["extra", "has_generated_id"])),
        f"evaluations/{R5}/evaluation_scenarios?include=extra,has_generated_id",
    ),
    "scenarios where two evaluators disagree": (
        lambda client: list(client.scenarios(R6, {"disagree": ["judge", "human_verdict"]})),
        f"evaluations/{R6}/evaluation_scenarios?disagree=judge&disagree=human_verdict",
    ),
    "scenarios by their change": (
        lambda client: list(client.scenarios(R5, {"base": R4, "delta.answer_correct": "lt.0"})),
        f"evaluations/{R5}/evaluation_scenarios?base={R4}&delta.answer_correct=lt.0",
    ),
    "revisions": (
        lambda client: list(client.revisions("support-answer")),
        "variants/support-answer/revisions",
    ),
    "revisions with their evaluations": (
        lambda client: list(client.revisions("support-answer", include="evaluations")),
        "variants/support-answer/revisions?include=evaluations",
    ),
    "evaluations": (
        lambda client: list(
            client.evaluations({"variant_id": "eq.support-answer"}, include=["scores"])
        ),
        "evaluations?variant_id=eq.support-answer&include=scores",
    ),
    "evaluations in order": (
        lambda client: list(client.evaluations({"name": "contains.support"}, order="name.asc")),
        "evaluations?name=contains.support&order=name.asc",
    ),
    "variants": (
        lambda client: list(client.variants({"name": "contains.support"}, order="name.desc")),
        "variants?name=contains.support&order=name.desc",
    ),
    "get_scenario": (
        lambda client: client.get_scenario(R5, "returns-001", include="extra"),
        f"evaluations/{R5}/evaluation_scenarios/returns-001?include=extra",
    ),
    "get_variant": (lambda client: client.get_variant("support-answer"), "variants/support-answer"),
    "get_revision": (
        lambda client: client.get_revision("support-answer", 5),
        "variants/support-answer/revisions/5",
    ),
    "get_evaluation": (lambda client: client.get_evaluation(R5), f"evaluations/{R5}"),
    "summary": (
        lambda client: client.summary(R5, {"latency": "lt.2"}, base=R4),
        f"evaluations/{R5}/summary?latency=lt.2&base={R4}",
    ),
    "breakdown": (
        lambda client: client.breakdown(
            R5, "input.topic", base=R4, order="contribution.answer_correct.asc"
        ),
        f"evaluations/{R5}/breakdown?by=input.topic&base={R4}&order=contribution.answer_correct.asc",
    ),
    "compare": (
        lambda client: client.compare(R4, R5, R6, join="id"),
        f"comparisons?evaluation={R4}&evaluation={R5}&evaluation={R6}&by=id",
    ),
    "compare with rules of the gate": (
        lambda client: client.compare(
            R4,
            R5,
            on=["answer_correct", "faithfulness"],
            tolerance=0.01,
            max_loss=0.3,
            max_regressed=5,
            min_matched=0.5,
        ),
        f"comparisons?evaluation={R4}&evaluation={R5}&on=answer_correct,faithfulness"
        "&tolerance=0.01&max_loss=0.3&max_regressed=5&min_matched=0.5",
    ),
    "leaderboard": (
        lambda client: client.leaderboard(R4, R5, R6, on="answer_correct", join="id"),
        f"leaderboards?evaluation={R4}&evaluation={R5}&evaluation={R6}&on=answer_correct&by=id",
    ),
    "leaderboard of a variant": (
        lambda client: client.leaderboard(filters={"variant_id": "eq.support-answer"}),
        "leaderboards?variant_id=eq.support-answer",
    ),
    "history": (
        lambda client: client.history(R5, "returns-001"),
        f"evaluations/{R5}/evaluation_scenarios/returns-001/history",
    ),
    "agreement": (
        lambda client: client.agreement(R6, "judge", "human_verdict", {"latency": "lt.3"}),
        f"evaluations/{R6}/agreement?evaluator=judge&with=human_verdict&latency=lt.3",
    ),
    "diff": (
        lambda client: client.diff("support-answer", 4, 5),
        "variants/support-answer/revisions/4/diff/5",
    ),
    "request": (lambda client: client.request("GET", ["key"]), "key"),
}


@pytest.mark.parametrize("name", READS)
def test_returns_what_the_service_returns(name: str, client: Client, fetch: Fetch) -> None:
    read, path = READS[name]
    expected = fetch(path)
    assert expected
    assert read(client) == expected
    # The second read is a cached response, or an identical one.
    assert read(client) == expected


def test_comparison_rows_are_all_rows(client: Client, fetch: Fetch) -> None:
    path = f"comparisons/rows?evaluation={R4}&evaluation={R5}&limit=1000&preview=100000"
    assert list(client.comparison_rows(R4, R5)) == fetch(path)["rows"]
    rows = list(
        client.comparison_rows(
            R4,
            R5,
            on="answer_correct",
            show="regressed",
            join="id",
            order="latency.desc",
            filters={"input.topic": "eq.returns"},
        )
    )
    expected = fetch(
        f"{path}&on=answer_correct&show=regressed&by=id&order=latency.desc&input.topic=eq.returns"
    )["rows"]
    assert rows == expected
    assert 0 < len(rows) < 120


@pytest.fixture(scope="session")
def large(client: Client) -> str:
    """An evaluation with 1,200 rows, so that its rows are in several windows."""
    lines = "".join(json.dumps({"id": f"row {number}"}) + "\n" for number in range(1200))
    for evaluation in ("reads-large", "reads-large-2"):
        write_lines(client, evaluation, lines.encode())
    return "reads-large"


@pytest.fixture
def evaluation(client: Client) -> Iterator[str]:
    """An id that no other test uses. The evaluation is deleted after the test."""
    id = f"reads-{uuid.uuid4()}"
    yield id
    with suppress(AssayError):
        client.request("DELETE", ["evaluations", id])


def write_lines(client: Client, evaluation: str, lines: bytes) -> None:
    client._http.write(
        "POST",
        ["evaluations", evaluation, "evaluation_scenarios"],
        lines,
        content_type="application/x-ndjson",
    )


def test_comparison_rows_are_read_in_windows(client: Client, large: str) -> None:
    ids = [row["base"] and row["base"]["id"] for row in client.comparison_rows(large, f"{large}-2")]
    assert ids == [f"row {number}" for number in range(1200)]


def test_lists_are_read_in_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluations = [evaluation["id"] for evaluation in client.evaluations(order="name.asc")]
    monkeypatch.setattr("assay_client._http.PAGE_SIZE", 2)
    assert [evaluation["id"] for evaluation in client.evaluations(order="name.asc")] == evaluations
    assert len(evaluations) > 4


IDS = ["a/b", "a b", "100%", "%2F", "a?b=c&d", "#1", "é – 日本語 🙂", "a+b", "..x", "a\\b", "'\"<>"]


def test_any_id_can_be_read(client: Client) -> None:
    for id in IDS:
        evaluation = f"reads {id}"
        write_lines(client, evaluation, json.dumps({"id": id}).encode() + b"\n")
        assert client.get_evaluation(evaluation)["id"] == evaluation
        assert client.get_scenario(evaluation, id)["id"] == id
        assert [scenario["id"] for scenario in client.scenarios(evaluation)] == [id]
        assert client.compare(R4, evaluation)["candidates"][0]["id"] == evaluation
        variant = f"variant {id}"
        client.request("POST", ["variants"], body={"id": variant})
        assert client.get_variant(variant)["id"] == variant
        assert list(client.revisions(variant)) == []
        client.request("DELETE", ["variants", variant])
        assert client.request("DELETE", ["evaluations", evaluation]) is None


def test_values_are_exact(client: Client, evaluation: str) -> None:
    text = '{"big": 123456789012345678901234567890, "float": 0.1, "text": "\\ud800 é\\u0000"}'
    line = f'{{"id": "1", "inputs": [{{"name": "x", "type": "json", "value": {text}}}]}}\n'
    write_lines(client, evaluation, line.encode())
    value = client.get_scenario(evaluation, "1")["inputs"][0]["value"]
    assert value == {
        "big": 123456789012345678901234567890,
        "float": 0.1,
        "text": "\ud800 é\x00",
    }
    assert next(client.scenarios(evaluation))["inputs"][0]["value"] == value


def test_integer_with_many_digits_is_exact(client: Client, evaluation: str) -> None:
    digits = b"9" * 5000
    line = b'{"id": "1", "inputs": [{"name": "x", "type": "json", "value": %s}]}\n' % digits
    write_lines(client, evaluation, line)
    assert next(client.scenarios(evaluation))["inputs"][0]["value"] == 10**5000 - 1
    assert client.get_scenario(evaluation, "1")["inputs"][0]["value"] == 10**5000 - 1


def test_number_outside_the_range_of_a_double_becomes_inf(client: Client, evaluation: str) -> None:
    line = b'{"id": "1", "inputs": [{"name": "x", "type": "json", "value": 1e400}]}\n'
    write_lines(client, evaluation, line)
    assert client.get_scenario(evaluation, "1")["inputs"][0]["value"] == float("inf")


def test_changed_evaluation_is_read_again(client: Client, evaluation: str) -> None:
    write_lines(client, evaluation, b'{"id": "1"}\n')
    assert [scenario["id"] for scenario in client.scenarios(evaluation)] == ["1"]
    write_lines(client, evaluation, b'{"id": "2"}\n')
    assert [scenario["id"] for scenario in client.scenarios(evaluation)] == ["1", "2"]
    client.request("DELETE", ["evaluations", evaluation])
    with pytest.raises(AssayError) as caught:
        list(client.scenarios(evaluation))
    assert caught.value.code == "evaluation-not-found"


def test_results_are_added(client: Client, evaluation: str) -> None:
    write_lines(client, evaluation, b'{"id": "1"}\n{"id": "2"}\n')
    added = client.add_results(
        evaluation,
        (
            {
                "scenario_id": id,
                "evaluator_config": "judge",
                "result": {"type": "bool", "value": True},
                "reason": "Because – é",
            }
            for id in ("1", "2")
        ),
    )
    assert added == {"added": 2, "replaced": 0, "unchanged": 0}
    scenario = client.get_scenario(evaluation, "2", include="extra")
    assert scenario["results"][0]["result"] == {"type": "bool", "value": True}


def test_if_match_rejects_a_write_after_a_change(client: Client, evaluation: str) -> None:
    write_lines(client, evaluation, b'{"id": "1"}\n')
    path = ["evaluations", evaluation]
    etag = client._http.get_response(path).etag
    changed = client.request("PATCH", path, body={"name": "New"}, if_match=etag)
    assert changed["name"] == "New"
    with pytest.raises(AssayError) as caught:
        client.request("PATCH", path, body={"name": "Other"}, if_match=etag)
    assert caught.value.code == "precondition-failed"
    assert caught.value.hint is not None


def test_errors_have_their_members(client: Client, evaluation: str, url: str) -> None:
    with pytest.raises(AssayError) as caught:
        client.get_evaluation("does-not-exist")
    error = caught.value
    assert (error.status, error.code) == (404, "evaluation-not-found")
    assert "does-not-exist" in error.detail
    assert error.instance
    with pytest.raises(AssayError) as caught:
        write_lines(client, evaluation, b'{"id": 1}\n{"id": "2", "unknown": 1}\n')
    error = caught.value
    assert error.code == "invalid-content"
    assert error.error_count == len(error.errors) == 2
    assert error.errors[1]["line"] == 2
    with pytest.raises(AssayError) as caught:
        write_lines(client, evaluation, b'{"id": "1"}\n{"id"\n')
    assert (caught.value.code, caught.value.line) == ("invalid-json", 2)
    with pytest.raises(AssayError) as caught:
        Client(url, "not-a-key").get_evaluation("x")
    assert caught.value.status == 401
    assert "ASSAY_KEY" in str(caught.value)
    with pytest.raises(AssayError) as caught:
        list(client.scenarios(R5, {"result.unknown": "is.false"}))
    assert "answer_correct" in caught.value.detail


def test_conflicts_are_listed(client: Client, evaluation: str) -> None:
    write_lines(client, evaluation, b'{"id": "1"}\n')
    with pytest.raises(AssayError) as caught:
        write_lines(
            client,
            evaluation,
            b'{"id": "1", "inputs": [{"name": "q", "type": "text", "value": "other"}]}\n',
        )
    error = caught.value
    assert (error.code, error.conflict_count) == ("conflict", 1)
    assert error.conflicts[0]["id"] == "1"
    assert error.hint == 'Use a new id, or on_conflict="replace".'


def test_file_is_imported(client: Client, evaluation: str, tmp_path: Any) -> None:
    file = tmp_path / "answers é.csv"
    file.write_text("id,question,answer,correct\n1,Why?,Because,true\n", encoding="utf-8")
    report = client.import_file(file, evaluation=evaluation, map="correct=score:bool")
    assert report["evaluations"][0]["id"] == evaluation
    assert report["file"] == "answers é.csv"
    scenario = client.get_scenario(evaluation, "1")
    assert scenario["results"][0]["result"]["value"] is True
    client.request("DELETE", ["evaluations", evaluation])
    (tmp_path / "broken").write_bytes(b"\x00\x01")
    with pytest.raises(AssayError):
        client.import_file(tmp_path / "broken")


def test_threads_share_a_client(client: Client) -> None:
    expected = list(client.scenarios(R5))
    failures: list[object] = []

    def read() -> None:
        for _ in range(5):
            try:
                if list(client.scenarios(R5)) != expected or client.summary(R5)["matched"] != 120:
                    failures.append("different")
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_stream_needs_constant_memory(client: Client, evaluation: str) -> None:
    text = "x" * 900
    count = 20_000
    for part in range(0, count, 5000):
        write_lines(
            client,
            evaluation,
            b"".join(
                json.dumps(
                    {
                        "id": str(id),
                        "inputs": [{"name": "q", "type": "text", "value": f"{id} {text}"}],
                    }
                ).encode()
                + b"\n"
                for id in range(part, part + 5000)
            ),
        )
    tracemalloc.start()
    total = sum(1 for _ in client.scenarios(evaluation))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == count
    # The rows are about 20 MB of text.
    assert peak < 8_000_000


def test_https_for_a_service_without_tls_is_explained(url: str) -> None:
    with pytest.raises(AssayConnectionError, match="does not use TLS") as caught:
        Client(url.replace("http:", "https:"), retries=0).get_variant("x")
    assert "http://" in (caught.value.hint or "")
