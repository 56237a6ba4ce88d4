"""Records become DataFrames with the values that were written."""

from __future__ import annotations

import csv
import io
import json
import math
import urllib.request
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import pytest

from assay_client import Client
from assay_client._scenarios import build_scenario
from assay_client.frames import (
    comparison_table,
    evaluation_table,
    leaderboard_table,
    revision_table,
    scenario_table,
    to_frame,
    variant_table,
)

BIG = 2**53 + 1


def stored(**arguments: Any) -> dict[str, Any]:
    """A scenario as the service returns it."""
    defaults = {"evaluation_id": "e", "correct_answers": None, "is_pinned": None, "note": None}
    return {**defaults, **build_scenario(**arguments)}


@pytest.fixture
def evaluation_id(client: Client) -> Iterator[str]:
    id = f"frames-{uuid.uuid4()}"
    yield id
    client.request("DELETE", ["evaluations", id])


def test_scenarios_have_the_columns_of_csv_exports() -> None:
    table = scenario_table(
        [
            stored(id="1", inputs={"a": 1}, output="x", scores={"s": True}, cost=0.5),
            stored(id="2", inputs={"b": {"k": []}}, error="failed", expected={"key": "v"}),
        ]
    )
    assert list(table.items()) == [
        ("id", ["1", "2"]),
        ("input.a", [1, None]),
        ("input.b", [None, {"k": []}]),
        ("output", ["x", None]),
        ("expected.key", [None, "v"]),
        ("score.s", [True, None]),
        ("cost", [0.5, None]),
        ("latency", [None, None]),
        ("error", [None, "failed"]),
        ("is_pinned", [None, None]),
        ("note", [None, None]),
    ]


def test_uses_the_first_of_several_values() -> None:
    scenario = stored(id="1", expected=["a", "b"])
    scenario["inputs"] = [
        {"name": "i", "type": "text", "value": "first"},
        {"name": "i", "type": "text", "value": "second"},
    ]
    scenario["outputs"] = [{"result": {"type": "text", "value": each}} for each in ("x", "y")]
    scenario["results"] = [
        {"evaluator_config": "s", "result": {"type": "error", "error": {"message": "e"}}},
        {"evaluator_config": "s", "result": {"type": "number", "value": 1}},
    ]
    scenario["extra"] = {"trace": 1}
    table = scenario_table([scenario])
    values = {name: column[0] for name, column in table.items() if column[0] is not None}
    assert values == {
        "id": "1",
        "input.i": "first",
        "output": "x",
        "expected.expected": "a",
        "extra": {"trace": 1},
    }
    assert table["score.s"] == [None]


def test_reasons_are_columns_after_the_scores() -> None:
    judged = stored(id="1", scores={"exact": False, "judge": 0.2}, reasons={"judge": "Too short."})
    repeated = stored(id="2", scores={"judge": 1.0})
    repeated["results"] *= 2
    repeated["extra"] = {"results": [{}, {"reason": "That of the second result."}, {}]}
    others = [stored(id="3", scores={"judge": 1.0}) for _ in range(3)]
    for scenario, extra in zip(others, (None, {"results": "x"}, {"results": ["x"]}), strict=True):
        scenario["extra"] = extra
    table = scenario_table([judged, repeated, *others])
    assert table["reason.judge"] == ["Too short.", None, None, None, None]
    assert "reason.exact" not in table
    assert list(table)[list(table).index("score.judge") + 1] == "reason.judge"


def test_an_empty_table_has_the_fixed_columns() -> None:
    assert list(scenario_table([])) == [
        "id",
        "output",
        "cost",
        "latency",
        "error",
        "is_pinned",
        "note",
    ]
    score = ("repeats", "passes", "mean")
    names = ("id", "output", *score, "cost", "latency", "error")
    assert list(comparison_table([])) == [
        "id",
        *(f"base.{name}" for name in names),
        *(f"candidate.{name}" for name in names),
        *(f"candidate.{name}" for name in ("class", "delta", "output_changed")),
    ]


COLUMNS: dict[str, list[Any]] = {
    "text": ["a", "ü😀", None],
    "bool": [True, False, True],
    "bool with None": [True, None, False],
    "int": [1, 2, BIG],
    "int with None": [BIG, None, 2],
    "int above 64 bits": [2**70, 1, None],
    "float": [0.5, 1.0, None],
    "int and float": [1, 0.5, None],
    "large int and float": [BIG, 0.5, None],
    "list": [["a"], [], None],
    "dict": [{"a": 1}, {"a": 2}, None],
    "different dicts": [{"a": 1}, {"b": [1, "x"]}, None],
    "mixed": ["a", 1, True],
    "missing": [None, None, None],
}


def test_pandas_columns_have_exact_types() -> None:
    pd = pytest.importorskip("pandas")
    frame = to_frame({name: list(values) for name, values in COLUMNS.items()}, "pandas")
    types = {name: str(dtype) for name, dtype in frame.dtypes.items()}
    assert types == {
        "text": str(pd.Series(["a"]).dtype),
        "bool": "bool",
        "bool with None": "boolean",
        "int": "int64",
        "int with None": "Int64",
        "int above 64 bits": "object",
        "float": "float64",
        "int and float": "float64",
        "large int and float": "object",
        "list": "object",
        "dict": "object",
        "different dicts": "object",
        "mixed": "object",
        "missing": "object",
    }
    for name, values in COLUMNS.items():
        column = frame[name].astype(object)
        assert column.where(column.notna(), None).tolist() == values


def test_polars_columns_have_exact_types() -> None:
    pl = pytest.importorskip("polars")
    frame = to_frame({name: list(values) for name, values in COLUMNS.items()}, "polars")
    assert dict(frame.schema) == {
        "text": pl.String,
        "bool": pl.Boolean,
        "bool with None": pl.Boolean,
        "int": pl.Int64,
        "int with None": pl.Int64,
        "int above 64 bits": pl.Object,
        "float": pl.Float64,
        "int and float": pl.Float64,
        "large int and float": pl.Object,
        "list": pl.List(pl.String),
        "dict": pl.Struct({"a": pl.Int64}),
        "different dicts": pl.Object,
        "mixed": pl.Object,
        "missing": pl.Null,
    }
    for name, values in COLUMNS.items():
        assert frame[name].to_list() == values


def test_declared_columns_keep_their_type_without_values() -> None:
    table = scenario_table([stored(id="1", inputs={"cost": "a"})])
    pl = pytest.importorskip("polars")
    schema = to_frame(dict(table), "polars").schema
    assert schema["cost"] == pl.Float64
    assert schema["is_pinned"] == pl.Boolean
    assert schema["note"] == pl.String
    assert schema["input.cost"] == pl.String
    pd = pytest.importorskip("pandas")
    dtypes = to_frame(dict(table), "pandas").dtypes
    assert dtypes["cost"] == "float64"
    assert dtypes["is_pinned"] == "boolean"
    assert dtypes["note"] == pd.Series(["a"]).dtype


def test_lone_surrogates_stay_in_pandas_and_are_replaced_in_polars() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    columns = {"input.\ud800": ["a\udfff", None, "b"]}
    frame = to_frame(dict(columns), "pandas")
    assert frame["input.\ufffd"].tolist()[0] == "a\udfff"
    assert to_frame(dict(columns), "polars")["input.\ufffd"].to_list() == ["a\ufffd", None, "b"]


def test_evaluations_have_a_column_for_each_score(client: Client) -> None:
    records = list(client.evaluations(include="scores"))
    table = evaluation_table(records)
    first = records[0]
    assert table["id"] == [record["id"] for record in records]
    assert table["created_at"][0] == datetime.fromisoformat(
        first["created_at"].replace("Z", "+00:00")
    )
    for evaluator in first["scores"]["evaluators"]:
        rate = evaluator["pass_rate"]
        assert table[f"score.{evaluator['name']}"][0] == (
            evaluator["mean"] if rate is None else rate
        )
    assert table["cost.total"][0] == first["scores"]["cost"]["total"]
    assert table["output_errors"][0] == first["scores"]["output_errors"]
    assert "output_errors" not in evaluation_table(client.evaluations())


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_lists_and_revisions_become_frames(client: Client, library: Any) -> None:
    pytest.importorskip(library)
    for records, table in (
        (client.evaluations, evaluation_table),
        (client.variants, variant_table),
        (lambda: client.revisions("support-answer"), revision_table),
    ):
        columns = table(records())
        frame = records().frame(library)
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(columns["created_at"]) > 0
        first = frame["created_at"][0]
        assert first == columns["created_at"][0]
        assert first.tzinfo is not None
    revisions = client.revisions("support-answer").frame(library)
    assert list(revisions.columns) == [
        "revision",
        "modified_by",
        "config_name",
        "parameters",
        "created_at",
    ]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_comparison_rows_become_a_frame(client: Client, library: Any) -> None:
    pytest.importorskip(library)
    rows = list(client.comparison_rows("support-answer-r4", "support-answer-r5"))
    frame = client.comparison_rows("support-answer-r4", "support-answer-r5").frame(library)
    assert len(frame) == len(rows) > 0
    for column, expected in (
        ("candidate.class", [row["candidates"][0]["class"] for row in rows]),
        ("base.id", [row["base"]["id"] if row["base"] else None for row in rows]),
    ):
        assert [value if isinstance(value, str) else None for value in frame[column]] == expected
    table = comparison_table(rows)
    assert set(table["base.repeats"]) <= {0, 1, None}
    for row, passes, mean in zip(
        rows, table["candidate.passes"], table["candidate.mean"], strict=True
    ):
        score = row["candidates"][0]["score"]
        assert (passes, mean) == ((score["passes"], score["mean"]) if score else (None, None))
    several = comparison_table(
        client.comparison_rows("support-answer-r4", "support-answer-r5", "support-answer-r3")
    )
    assert set(several["candidate2.class"]) <= {
        "regressed",
        "improved",
        "same",
        "unclear",
        "incomparable",
        "missing",
    }


def test_scenarios_have_the_values_of_the_csv_response(client: Client, url: str, key: str) -> None:
    path = "/api/evaluations/support-answer-r5/evaluation_scenarios?format=csv"
    request = urllib.request.Request(url + path, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as response:
        lines = list(csv.reader(io.StringIO(response.read().decode(), newline="")))
    table = scenario_table(client.scenarios("support-answer-r5"))
    assert list(table) == lines[0]

    def matches(value: Any, cell: str) -> bool:
        if value is None or isinstance(value, str):
            return (value or "") == cell
        return bool(json.loads(cell) == value)

    for index, name in enumerate(table):
        for value, line in zip(table[name], lines[1:], strict=True):
            assert matches(value, line[index])


def test_what_is_logged_from_pandas_is_read_back_equal(client: Client, evaluation_id: str) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "id": range(3),
            "text": ["a", 'ü😀\n\x00"\\', None],
            "surrogate": pd.Series(["a\ud800", "\udfff", "b"], dtype=object),
            "int": [BIG, -(2**63), 2**63 - 1],
            "float": [0.1, math.nan, 1e300],
            "bool": [True, False, True],
            "dict": [{"b": [1, None], "a": {"c": 2**70}}, {}, None],
            "list": [[1, "a"], [], [None]],
            "time": pd.to_datetime(
                ["2026-01-02T03:04:05.123456", None, "2026-01-02"], format="ISO8601"
            ),
            "category": pd.Categorical(["x", None, "x"]),
            "Int64": pd.array([BIG, None, 0], dtype="Int64"),
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "string": pd.array(["a", None, "b"], dtype="string"),
        }
    )
    pa = pytest.importorskip("pyarrow")
    frame["arrow int"] = pd.array([BIG, None, 1], dtype=pd.ArrowDtype(pa.int64()))
    frame["arrow text"] = pd.array(["a", None, "b"], dtype=pd.ArrowDtype(pa.string()))
    frame["arrow list"] = pd.array([["a"], None, []], dtype=pd.ArrowDtype(pa.list_(pa.string())))
    names = list(frame.columns[1:])
    client.log(
        evaluation_id,
        frame,
        id="id",
        inputs=names,
        output="dict",
        scores=["bool", "boolean", "int"],
    )
    read = client.scenarios(evaluation_id).frame()
    assert read["id"].tolist() == ["0", "1", "2"]
    for name in names:
        written, column = frame[name].astype(object), read[f"input.{name}"].astype(object)
        expected = [None if is_missing(value) else to_plain(value) for value in written]
        assert [None if is_missing(value) else value for value in column] == expected, name
    assert read["input.int"].dtype == "int64"
    assert read["input.Int64"].dtype == "Int64"
    assert read["input.boolean"].dtype == "boolean"
    pd.testing.assert_series_equal(read["input.float"], frame["float"], check_names=False)
    pd.testing.assert_series_equal(read["score.bool"], frame["bool"], check_names=False)
    pd.testing.assert_series_equal(read["score.boolean"], frame["boolean"], check_names=False)
    pd.testing.assert_series_equal(read["score.int"], frame["int"], check_names=False)
    assert read["output"].tolist()[:2] == [frame["dict"][0], {}]


def is_missing(value: Any) -> bool:
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    )


def to_plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.tolist() if hasattr(value, "tolist") else value


def test_what_is_logged_from_polars_is_read_back_equal(client: Client, evaluation_id: str) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {
            "id": ["a", "b", "c"],
            "text": ["a", 'ü😀\n\x00"\\', None],
            "int": [BIG, None, -(2**63)],
            "float": [0.1, None, 1e300],
            "bool": [True, None, False],
            "struct": [{"a": [1, None]}, None, {"a": []}],
            "list": [["a"], [], None],
        }
    )
    names = frame.columns[1:]
    client.log(evaluation_id, frame, id="id", inputs=names, output="struct", scores=["bool", "int"])
    read = client.scenarios(evaluation_id).frame("polars")
    selected = read.select("id", *(pl.col(f"input.{name}").alias(name) for name in names))
    assert selected.equals(frame)
    assert selected.schema == frame.schema
    assert read["output"].to_list() == frame["struct"].to_list()
    assert read["score.bool"].to_list() == frame["bool"].to_list()


def test_times_are_in_utc_and_missing_if_python_cannot_store_them() -> None:
    times = ["2026-11-15T09:15:00.123Z", "0001-01-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z"]
    variants = [
        {
            "id": "v",
            "name": None,
            "created_at": time,
            "updated_at": time,
            "revision_count": 0,
            "latest_revision": None,
        }
        for time in times
    ]
    table = variant_table(variants)
    expected = [
        datetime(2026, 11, 15, 9, 15, 0, 123000, timezone.utc),
        datetime(1, 1, 1, tzinfo=timezone.utc),
        None,
    ]
    assert table["created_at"] == expected
    pytest.importorskip("polars")
    assert to_frame(dict(table), "polars")["created_at"].to_list() == expected
    pytest.importorskip("pandas")
    column = to_frame(dict(table), "pandas")["created_at"]
    assert str(column.dtype) == "datetime64[us, UTC]"
    assert column[0] == expected[0]
    assert column[1].year == 1
    assert is_missing(column[2])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_leaderboards_have_the_columns_of_csv(client: Client, key: str, library: Any) -> None:
    pytest.importorskip(library)
    ids = ["support-answer-r4", "support-answer-r5", "support-answer-r6"]
    leaderboard = client.leaderboard(*ids, on="answer_correct")
    frame = leaderboard.frame(library)
    query = "&".join(f"evaluation={id}" for id in ids)
    request = urllib.request.Request(
        f"{client.url}/api/leaderboards?{query}&on=answer_correct&format=csv",
        headers={"Authorization": f"Bearer {key}"},
    )
    with urllib.request.urlopen(request) as response:
        header, *lines = csv.reader(io.StringIO(response.read().decode(), newline=""))
    assert list(frame.columns) == header
    assert frame["id"].to_list() == [line[0] for line in lines]
    assert frame["rank.best"].to_list() == [int(line[7]) for line in lines]
    assert frame["mean"].to_list() == [float(line[9]) for line in lines]
    assert frame["cost.on_frontier"].to_list() == [line[18] == "true" for line in lines]


def test_a_leaderboard_without_costs_and_intervals_has_the_same_columns() -> None:
    evaluation = {
        **dict.fromkeys(("name", "variant_id", "revision", "label", "provider"), None),
        "id": "a",
        "created_at": "2026-11-01T00:00:00.000Z",
        "row_count": 3,
        "rank": [1, 2],
        "mean": 1,
        "interval": None,
        "change": None,
        "cost": {"mean": None, "on_frontier": None},
        "latency": {"p50": None, "p95": None, "on_frontier": None},
    }
    table = leaderboard_table([evaluation])
    assert list(table) == list(leaderboard_table([]))
    assert table["rank.worst"] == [2]
    assert table["change.delta"] == [None]
