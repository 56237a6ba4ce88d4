"""Reads rows of DataFrames and of iterables as Python values."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ._scenarios import scenario_id

# The names of columns. A mapping gives columns other names: {"question": "user_message"}.
Columns = str | Sequence[str] | Mapping[str, str]

_CHUNK_SIZE = 5_000


def iterate_rows(rows: Any, columns: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields the columns of every row of a pandas or polars DataFrame or an iterable of mappings.

    DataFrames are converted in chunks, so that the table is never in memory twice.
    """
    names = list(dict.fromkeys(columns))
    chunks = _find_chunks(rows, names)
    if chunks is None:
        return _iterate_mappings(rows, names)
    return (
        dict(zip(names, row, strict=True)) for chunk in chunks for row in zip(*chunk, strict=True)
    )


def iterate_scenario_arguments(
    rows: Any,
    *,
    id: str | None = None,
    inputs: Columns = (),
    output: str | None = None,
    expected: Columns | None = None,
    scores: Columns = (),
    reasons: Mapping[str, str] | None = None,
    cost: str | None = None,
    latency: str | None = None,
    error: str | None = None,
    sample: str | None = None,
    repetition: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Yields the keyword arguments of `build_scenario` for every row. Parameters name columns."""
    # One column contains the expected value, several contain one answer each.
    one_expected = expected if isinstance(expected, str) else None
    several_expected = () if expected is None or one_expected is not None else expected
    values = {
        "output": output,
        "expected": one_expected,
        "cost": cost,
        "latency": latency,
        "error": error,
        "sample": sample,
        "repetition": repetition,
    }
    groups = {
        "inputs": inputs,
        "expected": several_expected,
        "scores": scores,
        "reasons": reasons or (),
    }
    columns = {name: column for name, column in values.items() if column is not None}
    columns_of_groups = {name: _name_columns(group) for name, group in groups.items() if group}
    used = [
        *columns.values(),
        *(each for group in columns_of_groups.values() for each in group.values()),
    ]
    if not used:
        raise ValueError("Name at least one column with inputs, an output or scores.")
    # Missing columns are reported now, before anything is sent to the service.
    selected = iterate_rows(rows, used if id is None else [*used, id])
    return _build_arguments(selected, id, columns, columns_of_groups)


def _build_arguments(
    rows: Iterator[dict[str, Any]],
    id: str | None,
    columns: dict[str, str],
    columns_of_groups: dict[str, dict[str, str]],
) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(rows):
        arguments: dict[str, Any] = {name: row[column] for name, column in columns.items()}
        for name, group in columns_of_groups.items():
            arguments[name] = {member: row[column] for member, column in group.items()}
        if id is not None:
            try:
                arguments["id"] = scenario_id(row[id])
            except (TypeError, ValueError) as problem:
                kind = TypeError if isinstance(problem, TypeError) else ValueError
                message = f"Row {number} (counted from 0), column {id!r}: {problem}"
                raise kind(message) from None
        yield arguments


def _name_columns(columns: Columns) -> dict[str, str]:
    if isinstance(columns, str):
        return {columns: columns}
    if isinstance(columns, Mapping):
        return dict(columns)
    return {name: name for name in columns}


def _find_chunks(rows: Any, columns: list[str]) -> Iterator[list[list[Any]]] | None:
    """Returns the values of the columns in chunks, or None if `rows` is not a DataFrame."""
    # A DataFrame exists only if its library was imported, so that no import is necessary here.
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(rows, pandas.DataFrame):
        return _read_pandas(rows, columns)
    polars = sys.modules.get("polars")
    if polars is not None:
        if isinstance(rows, polars.DataFrame):
            return _read_polars(rows, columns)
        if isinstance(rows, polars.LazyFrame):
            raise TypeError("rows is a LazyFrame. Call collect() first.")
    return None


def _read_pandas(frame: Any, columns: list[str]) -> Iterator[list[list[Any]]]:
    _check_columns(columns, list(frame.columns), list(frame.index.names))
    series = [frame[column] for column in columns]
    for column, each in zip(columns, series, strict=True):
        if each.ndim > 1:
            raise ValueError(f"The DataFrame has several columns with the name {column!r}.")
    return (
        [each.iloc[start : start + _CHUNK_SIZE].tolist() for each in series]
        for start in range(0, len(frame), _CHUNK_SIZE)
    )


def _read_polars(frame: Any, columns: list[str]) -> Iterator[list[list[Any]]]:
    _check_columns(columns, frame.columns)
    series = [frame.get_column(column) for column in columns]
    return (
        [each.slice(start, _CHUNK_SIZE).to_list() for each in series]
        for start in range(0, len(frame), _CHUNK_SIZE)
    )


def _check_columns(
    columns: list[str], available: list[Any], index_names: Sequence[Any] = ()
) -> None:
    for column in columns:
        if column not in available:
            hint = (
                "It is the index: call reset_index() first."
                if column in index_names
                else f"The columns are {_list_names(available)}."
            )
            raise ValueError(f"The DataFrame has no column {column!r}. {hint}")


def _iterate_mappings(rows: Any, columns: list[str]) -> Iterator[dict[str, Any]]:
    if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
        raise TypeError(
            "rows must be a pandas or polars DataFrame or an iterable of dicts, "
            f"not {type(rows).__name__}."
        )
    return _select_columns(rows, columns)


def _select_columns(rows: Iterable[Any], columns: list[str]) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(rows):
        try:
            selected = {column: row[column] for column in columns}
        except KeyError as problem:
            raise ValueError(
                f"Row {number} (counted from 0) has no value {problem.args[0]!r}. "
                f"Its names are {_list_names(row)}. Use None for a missing value."
            ) from None
        except TypeError:
            if isinstance(row, Mapping):
                raise
            raise TypeError(
                f"Row {number} (counted from 0) must be a dict, not {type(row).__name__}."
            ) from None
        yield selected


def _list_names(names: Iterable[Any]) -> str:
    listed = list(names)
    text = ", ".join(repr(name) for name in listed[:50])
    return f"{text} and {len(listed) - 50} more" if len(listed) > 50 else text or "none"
