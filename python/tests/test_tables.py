"""Rows of DataFrames and iterables become arguments of scenarios."""

from __future__ import annotations

import math
from collections import UserDict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from assay_client import _tables
from assay_client._scenarios import to_json_value
from assay_client._tables import iterate_rows, iterate_scenario_arguments

ROWS: list[dict[str, Any]] = [
    {"id": 1, "question": "a", "answer": "b", "correct": True, "why": "x"},
    {"id": 2, "question": "c", "answer": None, "correct": None, "why": None},
]


def test_selects_the_columns_of_mappings() -> None:
    rows: Iterator[Any] = iter([UserDict(ROWS[0]), ROWS[1]])
    assert list(iterate_rows(rows, ["answer", "id", "answer"])) == [
        {"answer": "b", "id": 1},
        {"answer": None, "id": 2},
    ]


def test_returns_the_arguments_of_scenarios() -> None:
    arguments = iterate_scenario_arguments(
        ROWS,
        id="id",
        inputs="question",
        output="answer",
        expected={"text": "answer"},
        scores={"is_correct": "correct"},
        reasons={"is_correct": "why"},
    )
    assert next(arguments) == {
        "id": "1",
        "inputs": {"question": "a"},
        "output": "b",
        "expected": {"text": "b"},
        "scores": {"is_correct": True},
        "reasons": {"is_correct": "x"},
    }
    (row,) = iterate_scenario_arguments(ROWS[:1], inputs=["question", "why"], expected="answer")
    assert row == {"inputs": {"question": "a", "why": "x"}, "expected": "b"}


def test_reports_a_missing_name_with_the_available_ones() -> None:
    rows = iterate_rows([*ROWS, {"question": "d"}], ["question", "id"])
    with pytest.raises(ValueError, match=r"Row 2 .* no value 'id'. Its names are 'question'"):
        list(rows)


def test_rejects_what_is_not_a_table() -> None:
    for wrong in ("text", {"id": [1]}, 5, None):
        with pytest.raises(TypeError, match="rows must be a pandas or polars DataFrame"):
            iterate_rows(wrong, ["id"])
    for wrong_row in (("a", 1), None, 5):
        with pytest.raises(TypeError, match=r"Row 0 .* must be a dict"):
            list(iterate_rows([wrong_row], ["id"]))
    with pytest.raises(ValueError, match="at least one column"):
        iterate_scenario_arguments(ROWS, id="id")


def test_reports_the_number_of_a_row_without_id() -> None:
    rows = [{"id": "a", "x": 1}, {"id": math.nan, "x": 2}]
    with pytest.raises(ValueError, match=r"Row 1 \(counted from 0\), column 'id'"):
        list(iterate_scenario_arguments(rows, id="id", inputs="x"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_reads_a_data_frame_in_chunks(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tables, "_CHUNK_SIZE", 3)
    frame = pytest.importorskip(library).DataFrame(
        {
            "id": range(2**60, 2**60 + 8),
            "text": ["ü", None] * 4,
            "number": [0.5, math.nan] * 4,
            "list": [[1, 2], []] * 4,
            "time": [datetime(2026, 1, 2)] * 8,
        }
    )
    rows = list(iterate_rows(frame, ["time", "id", "text", "number", "list"]))
    assert [row["id"] for row in rows] == list(range(2**60, 2**60 + 8))
    assert all(type(row["id"]) is int for row in rows)
    assert [to_json_value(row, "row") for row in rows[6:]] == [
        {
            "time": "2026-01-02T00:00:00",
            "id": 2**60 + 6,
            "text": "ü",
            "number": 0.5,
            "list": [1, 2],
        },
        {"time": "2026-01-02T00:00:00", "id": 2**60 + 7, "text": None, "number": None, "list": []},
    ]
    assert list(iterate_rows(frame[:0], ["id"])) == []
    with pytest.raises(ValueError, match=r"no column 'ids'. The columns are 'id', 'text'"):
        iterate_rows(frame, ["ids"])


def test_reads_every_type_of_pandas_columns() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "Int64": pd.array([2**62 + 1, None], dtype="Int64"),
            "boolean": pd.array([True, None], dtype="boolean"),
            "string": pd.array(["a", None], dtype="string"),
            "category": pd.Categorical(["a", None]),
            "time": [pd.Timestamp("2026-01-02", tz="UTC"), pd.NaT],
            "object": [{"a": 1}, None],
        }
    )
    first, second = (to_json_value(row, "row") for row in iterate_rows(frame, frame.columns))
    assert first == {
        "Int64": 2**62 + 1,
        "boolean": True,
        "string": "a",
        "category": "a",
        "time": "2026-01-02T00:00:00+00:00",
        "object": {"a": 1},
    }
    assert set(second.values()) == {None}


def test_reads_arrow_columns_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "int": pd.array([2**62 + 1, None], dtype=pd.ArrowDtype(pa.int64())),
            "struct": pd.array(
                [{"a": [1]}, None], dtype=pd.ArrowDtype(pa.struct([("a", pa.list_(pa.int64()))]))
            ),
            "time": pd.array([datetime(2026, 1, 2), None], dtype=pd.ArrowDtype(pa.timestamp("us"))),
        }
    )
    first, second = (to_json_value(row, "row") for row in iterate_rows(frame, frame.columns))
    assert first == {"int": 2**62 + 1, "struct": {"a": [1]}, "time": "2026-01-02T00:00:00"}
    assert set(second.values()) == {None}


def test_explains_how_to_use_the_index_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ROWS).set_index("id")
    with pytest.raises(ValueError, match="reset_index"):
        iterate_scenario_arguments(frame, id="id", inputs="question")
    doubled = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(ValueError, match="several columns with the name 'a'"):
        iterate_rows(doubled, ["a"])


def test_requires_a_collected_polars_frame() -> None:
    pl = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="collect"):
        iterate_rows(pl.DataFrame(ROWS).lazy(), ["id"])
    rows = iterate_rows(pl.DataFrame({"o": [object()]}, schema={"o": pl.Object}), ["o"])
    assert type(next(rows)["o"]) is object
