"""Python values become scenarios that the service accepts."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import uuid
from collections import OrderedDict
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import pytest

from assay_client._scenarios import (
    DerivedIds,
    build_scenario,
    encode,
    scenario_id,
    to_json_value,
)


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Text(str):
    __slots__ = ()


@dataclasses.dataclass
class Point:
    x: float
    at: date


def results(**scores: object) -> list[dict[str, Any]]:
    return [each["result"] for each in build_scenario(scores=scores)["results"]]


def test_builds_a_scenario_with_every_member() -> None:
    scenario = build_scenario(
        id="c-1",
        inputs={"question": "Why?", "options": {"n": 2}},
        output="Because.",
        expected={"answer": ["Because.", 42], "none": None},
        scores={"correct": True, "similarity": 0.5, "label": "good", "skipped": None},
        reasons={"similarity": "close"},
        cost=0.25,
        latency=1,
        note="a note",
        extra={"trace": 7},
    )
    assert scenario == {
        "id": "c-1",
        "inputs": [
            {"name": "question", "type": "text", "value": "Why?"},
            {"name": "options", "type": "json", "value": {"n": 2}},
        ],
        "outputs": [{"result": {"type": "text", "value": "Because."}, "cost": 0.25, "latency": 1}],
        "correct_answers": [
            {"key": "answer", "value": "Because."},
            {"key": "answer", "value": "42"},
        ],
        "note": "a note",
        "results": [
            {"evaluator_config": "correct", "result": {"type": "bool", "value": True}},
            {"evaluator_config": "similarity", "result": {"type": "number", "value": 0.5}},
            {"evaluator_config": "label", "result": {"type": "text", "value": "good"}},
            {"evaluator_config": "skipped", "result": {"type": "number", "value": None}},
        ],
        "extra": {"trace": 7, "results": [{}, {"reason": "close"}, {}, {}]},
    }


def test_leaves_out_what_is_missing() -> None:
    empty: dict[str, Any] = {"inputs": [], "outputs": [], "results": []}
    assert build_scenario() == empty
    nan = math.nan
    assert (
        build_scenario(
            output=nan, expected=nan, cost=nan, latency=nan, error=nan, note=nan, reasons={}
        )
        == empty
    )
    assert build_scenario(error="") == empty


def test_stores_a_cost_without_an_output() -> None:
    assert build_scenario(cost=1.5)["outputs"] == [
        {"result": {"type": "text", "value": None}, "cost": 1.5}
    ]


def test_chooses_the_type_of_an_output_by_its_value() -> None:
    for value, kind in (
        ("a", "text"),
        (1, "number"),
        (0.0, "number"),
        (False, "bool"),
        ([1], "json"),
        ({}, "json"),
    ):
        assert build_scenario(output=value)["outputs"] == [
            {"result": {"type": kind, "value": value}}
        ]


def test_stores_an_exception_as_an_error_with_its_stack_trace() -> None:
    try:
        raise ValueError("no answer")
    except ValueError as caught:
        error = caught
    for scenario in (build_scenario(error=error), build_scenario(output=error)):
        (output,) = scenario["outputs"]
        assert output["result"]["type"] == "error"
        assert output["result"]["value"] is None
        assert output["result"]["error"]["message"] == "ValueError: no answer"
        assert "raise ValueError" in output["result"]["error"]["stacktrace"]
    (score,) = results(correct=error)
    assert score["type"] == "error"
    assert score["error"]["message"] == "ValueError: no answer"
    assert build_scenario(error="timeout")["outputs"] == [
        {"result": {"type": "error", "value": None, "error": {"message": "timeout"}}}
    ]
    assert results(correct=KeyError("k")) == [
        {"type": "error", "value": None, "error": {"message": "KeyError: 'k'"}}
    ]


def test_keeps_the_output_of_a_failed_scenario_in_extra() -> None:
    assert build_scenario(output="partial", error="timeout")["extra"] == {"output": "partial"}


def test_reads_expected_values() -> None:
    def answers(expected: object) -> list[tuple[str, str]]:
        scenario = build_scenario(expected=expected)
        return [(each["key"], each["value"]) for each in scenario.get("correct_answers", [])]

    assert answers("yes") == [("expected", "yes")]
    assert answers(True) == [("expected", "true")]
    assert answers(0) == [("expected", "0")]
    assert answers(["a", "b"]) == [("expected", "a"), ("expected", "b")]
    assert answers({"a": 1.5, "b": {"c": "ü"}}) == [("a", "1.5"), ("b", '{"c":"ü"}')]
    assert answers([]) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        ({"a": [math.nan, (1, 2)]}, {"a": [None, [1, 2]]}),
        (OrderedDict(a=1), {"a": 1}),
        ({1: "a", None: "b", Color.RED: "c"}, {"1": "a", "null": "b", "red": "c"}),
        (Color.RED, "red"),
        (Level.HIGH, 3),
        (Text("t"), "t"),
        (Decimal("0.1"), 0.1),
        (Decimal("NaN"), None),
        (2**70, 2**70),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, tzinfo=timezone.utc), "2026-01-02T03:00:00+00:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("a/b"), "a/b"),
        (Point(math.nan, date(2026, 1, 2)), {"x": None, "at": "2026-01-02"}),
    ],
)
def test_converts_standard_types(value: object, expected: object) -> None:
    converted = to_json_value(value, "output")
    assert converted == expected
    assert type(converted) is type(expected)


def test_converts_values_of_numpy_and_pandas() -> None:
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    for value, expected in (
        (np.int64(2**62), 2**62),
        (np.float32(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.float64("nan"), None),
        (np.longdouble(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), [[1.0, None], [2.0, 3.0]]),
        (np.array(5), 5),
        (np.datetime64("2026-01-02T03:04:05.123456789"), "2026-01-02T03:04:05.123456789"),
        (np.datetime64("NaT", "ns"), None),
        (
            np.array(["2026-01-02", "NaT"], "datetime64[ns]"),
            ["2026-01-02T00:00:00.000000000", None],
        ),
        (pd.NA, None),
        (pd.NaT, None),
        (pd.Timestamp("2026-01-02", tz="UTC"), "2026-01-02T00:00:00+00:00"),
        (pd.Series([1, 2]), [1, 2]),
        ({"a": [pd.NA, np.int8(1)]}, {"a": [None, 1]}),
    ):
        converted = to_json_value(value, "output")
        assert converted == expected
        assert type(converted) is type(expected)
    with pytest.raises(TypeError, match=r"numpy\.timedelta64"):
        to_json_value(np.timedelta64(5, "ns"), "output")


def test_converts_pydantic_models() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Answer", text=(str, ...), at=(date, ...))
    answer = model(text="a", at=date(2026, 1, 2))
    assert to_json_value([answer], "output") == [{"text": "a", "at": "2026-01-02"}]
    assert build_scenario(inputs=answer)["inputs"][1]["value"] == "2026-01-02"


def test_copies_values() -> None:
    messages = ["a"]
    scenario = build_scenario(inputs={"messages": messages})
    messages.append("b")
    assert scenario["inputs"][0]["value"] == ["a"]


def test_rejects_what_has_no_json_form_and_names_the_member() -> None:
    with pytest.raises(TypeError, match=r"The input 'file' .* bytes.*'c-1'"):
        build_scenario(id="c-1", inputs={"file": b"a"})
    with pytest.raises(TypeError, match=r"Output .* set"):
        build_scenario(output={"a": {1, 2}})
    with pytest.raises(TypeError, match=r"Output .* int,"):
        build_scenario(output=int)
    with pytest.raises(ValueError, match=r"The score 'ratio' .* infinite"):
        build_scenario(scores={"ratio": math.inf})
    with pytest.raises(ValueError, match=r"Cost .* infinite"):
        build_scenario(cost=-math.inf)
    with pytest.raises(TypeError, match="cost must be a number, not str"):
        build_scenario(cost="1 $")
    with pytest.raises(TypeError, match="latency must be a number, not bool"):
        build_scenario(latency=True)
    with pytest.raises(TypeError, match="scores must be a dict"):
        build_scenario(scores=["correct"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="reasons must be a dict"):
        build_scenario(reasons="good", scores={"correct": True})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="inputs must be a dict"):
        build_scenario(inputs="Why?")
    with pytest.raises(ValueError, match="two keys"):
        build_scenario(output={1: "a", "1": "b"})
    with pytest.raises(ValueError, match="no score with this name"):
        build_scenario(scores={"a": 1}, reasons={"b": "why"})
    circular: list[object] = []
    circular.append(circular)
    with pytest.raises(ValueError, match="nested too deeply"):
        build_scenario(output=circular)


def test_stores_the_sample_and_the_repetition_in_extra() -> None:
    scenario = build_scenario(sample=12.0, repetition=3.0, extra={"seed": 5})
    assert scenario["extra"] == {"seed": 5, "sample": "12", "repetition": 3}
    assert "extra" not in build_scenario(sample=float("nan"), repetition=None)
    for repetition in (0, -1, 1.5, True, "1"):
        with pytest.raises(ValueError, match="repetition must be an integer from 1"):
            build_scenario(repetition=repetition)
    with pytest.raises(TypeError, match="The sample must be a string or an integer, not bool"):
        build_scenario(sample=True)


def test_reads_a_duration_as_latency() -> None:
    assert build_scenario(latency=timedelta(milliseconds=1500))["outputs"][0]["latency"] == 1.5


def test_ids_are_text() -> None:
    assert scenario_id("a") == "a"
    assert scenario_id(2**60 + 1) == "1152921504606846977"
    assert scenario_id(7.0) == "7"
    assert scenario_id(uuid.UUID(int=1)) == "00000000-0000-0000-0000-000000000001"
    assert build_scenario(id=7)["id"] == "7"
    for missing in (None, math.nan):
        with pytest.raises(ValueError, match="The id is missing"):
            scenario_id(missing)
    wrong_ids: list[object] = [True, ["a"], {}]
    for wrong in wrong_ids:
        with pytest.raises(TypeError, match="The id must be a string or an integer"):
            scenario_id(wrong)


def test_encodes_one_line_of_utf_8() -> None:
    line = encode({"a": "ü\n\u2028", "b": 2**64 + 1, "c": [1.0, None]})
    assert line == '{"a":"ü\\n\u2028","b":18446744073709551617,"c":[1.0,null]}\n'.encode()
    with pytest.raises(ValueError, match="JSON compliant"):
        encode({"a": math.nan})


def test_encodes_lone_surrogates_as_escapes() -> None:
    value = 'a\ud800"\\\udfffü\x00'
    line = encode({value: value})
    assert b"\\ud800" in line
    assert json.loads(line.decode("utf-8")) == {value: value}


def test_derives_the_same_ids_from_the_same_inputs() -> None:
    rows = [
        {"q": "a", "n": {"x": 1, "y": 2}},
        {"q": "b"},
        {"n": {"y": 2, "x": 1}, "q": "a"},
        {"q": "a", "n": {"x": 1, "y": 2}},
        {},
    ]

    def derive_all() -> list[str]:
        ids = DerivedIds()
        return [ids.derive(build_scenario(inputs=row)["inputs"]) for row in rows]

    first = derive_all()
    assert first == derive_all()
    assert len(set(first)) == len(rows)
    assert first[2] == f"{first[0]}-2"
    assert first[3] == f"{first[0]}-3"
    assert len(first[0]) == 20
