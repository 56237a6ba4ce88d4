"""Converts records to columns, and columns to pandas and polars DataFrames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, Literal

Library = Literal["pandas", "polars"]
Table = dict[str, list[Any]]

_SCENARIO_COLUMNS = (
    "id",
    "input.",
    "output",
    "expected.",
    "score.",
    "reason.",
    "cost",
    "latency",
    "error",
    "is_pinned",
    "note",
)
_SCENARIO_MEMBERS = {
    "id",
    "evaluation_id",
    "inputs",
    "outputs",
    "correct_answers",
    "is_pinned",
    "note",
    "results",
}
_ROW_COLUMNS = ("output", "score.", "repeats", "passes", "mean", "cost", "latency", "error")
_REVISION_COLUMNS = ("revision", "modified_by", "config_name", "parameters", "created_at")
_EVALUATION_COLUMNS = (
    "id",
    "name",
    "variant_id",
    "revision",
    "baseline_id",
    "status",
    "scenario_count",
    "expected_count",
    "score.",
    "cost.",
    "latency.",
    "tags",
    "evaluators",
    "metadata",
    "source",
    "created_at",
    "updated_at",
)
_LEADERBOARD_COLUMNS = (
    *("id", "name", "variant_id", "revision", "label", "provider", "created_at"),
    *("rank.best", "rank.worst", "mean", "interval.low", "interval.high"),
    *("change.delta", "change.low", "change.high", "change.outcome", "change.detectable"),
    *("cost.mean", "cost.on_frontier", "latency.p50", "latency.p95", "latency.on_frontier"),
    "row_count",
)
_VARIANT_COLUMNS = ("id", "name", "revision_count", "latest_revision", "created_at", "updated_at")

# These columns have a type even if all values are missing.
_TYPES: dict[str, type] = {
    **dict.fromkeys(("id", "error", "note", "name", "variant_id", "baseline_id"), str),
    **dict.fromkeys(("status", "source", "modified_by", "config_name", "class"), str),
    **dict.fromkeys(("label", "provider", "change.outcome"), str),
    **dict.fromkeys(("cost", "latency", "delta", "mean"), float),
    **dict.fromkeys(("interval.low", "interval.high", "cost.mean"), float),
    **dict.fromkeys(("change.delta", "change.low", "change.high", "change.detectable"), float),
    **dict.fromkeys(("latency.p50", "latency.p95"), float),
    **dict.fromkeys(("cost.on_frontier", "latency.on_frontier"), bool),
    **dict.fromkeys(("is_pinned", "output_changed"), bool),
    **dict.fromkeys(("revision", "scenario_count", "expected_count"), int),
    **dict.fromkeys(("repeats", "passes"), int),
    **dict.fromkeys(("revision_count", "latest_revision", "output_errors"), int),
    **dict.fromkeys(("created_at", "updated_at"), datetime),
}

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _TableBuilder:
    """Collects cells row by row. A column that a row does not have contains None there.

    `order` lists columns, and prefixes of columns that end with a period.
    """

    def __init__(self, order: Sequence[str]) -> None:
        self._ranks = {name: rank for rank, name in enumerate(order)}
        self._columns: Table = {name: [] for name in order if not name.endswith(".")}
        self._row_count = 0

    def add(self, cells: Mapping[str, Any]) -> None:
        row_count = self._row_count
        for name, value in cells.items():
            if value is not None:
                column = self._columns.get(name)
                if column is None:
                    column = self._columns[name] = []
                if len(column) < row_count:
                    column.extend([None] * (row_count - len(column)))
                column.append(value)
            elif name not in self._columns:
                self._columns[name] = []
        self._row_count += 1

    def finish(self) -> Table:
        """Returns all columns with the same length: in the given order, then the others."""
        for column in self._columns.values():
            column.extend([None] * (self._row_count - len(column)))
        return {name: self._columns[name] for name in sorted(self._columns, key=self._rank)}

    def _rank(self, name: str) -> int:
        if name in self._ranks:
            return self._ranks[name]
        for prefix, rank in self._ranks.items():
            if prefix.endswith(".") and name.startswith(prefix):
                return rank
        return len(self._ranks)


def scenario_table(scenarios: Iterable[Mapping[str, Any]]) -> Table:
    """Returns the columns of a CSV export, with Python values.

    Of several outputs, or several values with one name, the first is used. Scenarios with the
    member `extra` also have the reason of each result, as `reason.<evaluator>`.
    """
    builder = _TableBuilder(_SCENARIO_COLUMNS)
    for scenario in scenarios:
        cells: dict[str, Any] = {"id": scenario["id"]}
        _add_case(cells, scenario)
        _add_outcome(cells, scenario, "")
        cells["is_pinned"] = scenario["is_pinned"]
        cells["note"] = scenario["note"]
        if len(scenario) > len(_SCENARIO_MEMBERS):
            for name, value in scenario.items():
                if name not in _SCENARIO_MEMBERS:
                    cells[name] = value
            _add_reasons(cells, scenario)
        builder.add(cells)
    return builder.finish()


def revision_table(revisions: Iterable[Mapping[str, Any]]) -> Table:
    """Returns one column for each member of the revisions and of their configurations."""
    builder = _TableBuilder(_REVISION_COLUMNS)
    for revision in revisions:
        cells = _with_times(revision)
        config = cells.pop("config")
        builder.add(
            {
                **cells,
                "config_name": config["config_name"],
                "parameters": config.get("parameters"),
            }
        )
    return builder.finish()


def evaluation_table(evaluations: Iterable[Mapping[str, Any]]) -> Table:
    """Returns one column for each member of the evaluations and for each of their scores.

    The score of an evaluator is its pass rate, or its mean if there is no pass rate.
    """
    builder = _TableBuilder(_EVALUATION_COLUMNS)
    for evaluation in evaluations:
        cells = _with_times(evaluation)
        scores = cells.pop("scores", None)
        if scores is not None:
            cells["output_errors"] = scores["output_errors"]
            for measurement in ("cost", "latency"):
                for name, value in scores[measurement].items():
                    if name != "base":
                        cells[f"{measurement}.{name}"] = value
            for evaluator in scores["evaluators"]:
                pass_rate = evaluator["pass_rate"]
                score = evaluator["mean"] if pass_rate is None else pass_rate
                cells[f"score.{evaluator['name']}"] = score
        builder.add(cells)
    return builder.finish()


def variant_table(variants: Iterable[Mapping[str, Any]]) -> Table:
    """Returns one column for each member of the variants."""
    builder = _TableBuilder(_VARIANT_COLUMNS)
    for variant in variants:
        builder.add(_with_times(variant))
    return builder.finish()


def comparison_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Returns the rows of a comparison: the case, the baseline, then every candidate.

    The columns of candidates begin with `candidate.`, `candidate2.` and so on. `repeats`, `passes`
    and `mean` include all repeats of the row, the other columns are those of the first repeat.
    """
    builder: _TableBuilder | None = None
    for row in rows:
        sides = ["base", *(_candidate_name(index) for index in range(len(row["candidates"])))]
        if builder is None:
            builder = _TableBuilder(_comparison_columns(sides))
        base = row["base"]
        matched = [each["row"] for each in row["candidates"]]
        case = next(each for each in (base, *matched) if each is not None)
        cells: dict[str, Any] = {"id": case["id"]}
        _add_case(cells, case)
        scores = [row["base_score"], *(each["score"] for each in row["candidates"])]
        for side, scenario, score in zip(sides, (base, *matched), scores, strict=True):
            if scenario is not None:
                cells[f"{side}.id"] = scenario["id"]
                _add_outcome(cells, scenario, f"{side}.")
            if score is not None:
                cells[f"{side}.repeats"] = score["count"]
                cells[f"{side}.passes"] = score["passes"]
                cells[f"{side}.mean"] = score["mean"]
        for side, candidate in zip(sides[1:], row["candidates"], strict=True):
            for name in ("class", "delta", "output_changed"):
                cells[f"{side}.{name}"] = candidate[name]
        builder.add(cells)
    return (builder or _TableBuilder(_comparison_columns(["base", "candidate"]))).finish()


def leaderboard_table(evaluations: Iterable[Mapping[str, Any]]) -> Table:
    """Returns the columns of a leaderboard as CSV, with Python values."""
    builder = _TableBuilder(_LEADERBOARD_COLUMNS)
    for evaluation in evaluations:
        cells = _with_times(evaluation)
        cells["rank.best"], cells["rank.worst"] = cells.pop("rank")
        cells["interval.low"], cells["interval.high"] = cells.pop("interval") or (None, None)
        change = dict(cells.pop("change") or {})
        cells["change.low"], cells["change.high"] = change.pop("interval", None) or (None, None)
        for name, members in (
            ("change", change),
            ("cost", cells.pop("cost")),
            ("latency", cells.pop("latency")),
        ):
            cells.update({f"{name}.{member}": value for member, value in members.items()})
        builder.add(cells)
    return builder.finish()


def _comparison_columns(sides: list[str]) -> list[str]:
    columns = ["id", "input.", "expected."]
    for side in sides:
        names: tuple[str, ...] = ("id", *_ROW_COLUMNS)
        if side != "base":
            names = (*names, "class", "delta", "output_changed")
        columns.extend(f"{side}.{name}" for name in names)
    return columns


def _candidate_name(index: int) -> str:
    return "candidate" if index == 0 else f"candidate{index + 1}"


def _add_case(cells: dict[str, Any], scenario: Mapping[str, Any]) -> None:
    for each in scenario["inputs"]:
        cells.setdefault(f"input.{each['name']}", each["value"])
    for answer in scenario["correct_answers"] or ():
        cells.setdefault(f"expected.{answer['key']}", answer["value"])


def _add_outcome(cells: dict[str, Any], scenario: Mapping[str, Any], prefix: str) -> None:
    for each in scenario["results"]:
        cells.setdefault(f"{prefix}score.{each['evaluator_config']}", each["result"].get("value"))
    if scenario["outputs"]:
        output = scenario["outputs"][0]
        error = output["result"].get("error")
        cells[f"{prefix}output"] = output["result"].get("value")
        cells[f"{prefix}cost"] = output.get("cost")
        cells[f"{prefix}latency"] = output.get("latency")
        cells[f"{prefix}error"] = None if error is None else error["message"]


def _add_reasons(cells: dict[str, Any], scenario: Mapping[str, Any]) -> None:
    extra = scenario.get("extra")
    details = extra.get("results") if isinstance(extra, dict) else None
    if not isinstance(details, list):
        return
    evaluators: set[str] = set()
    # `extra` is free-form: its list can have another length than the results.
    for each, detail in zip(scenario["results"], details, strict=False):
        evaluator = each["evaluator_config"]
        reason = detail.get("reason") if isinstance(detail, dict) else None
        if reason is not None and evaluator not in evaluators:
            cells[f"reason.{evaluator}"] = reason
        evaluators.add(evaluator)


def _with_times(record: Mapping[str, Any]) -> dict[str, Any]:
    members = dict(record)
    for name in ("created_at", "updated_at"):
        if name in members:
            members[name] = _parse_time(members[name])
    return members


def _parse_time(text: str) -> datetime | None:
    try:
        # Python 3.10 does not read the suffix Z.
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        # The service accepts the year 0. A record with it must not fail the whole frame.
        return None


def to_frame(columns: Table, library: Library = "pandas") -> Any:
    """Returns a DataFrame. Removes the columns from `columns`, so that memory is released early."""
    module = import_module(library)
    build: Callable[[Any, str, list[Any]], Any]
    build = _build_pandas_series if library == "pandas" else _build_polars_series
    series = {}
    for name in list(columns):
        # Neither library can store a lone surrogate in the name of a column.
        text = _replace_surrogates(name)
        series[text] = build(module, text, columns.pop(name))
    if library == "pandas":
        return module.DataFrame(series, copy=False)
    return module.DataFrame(list(series.values()))


def _find_type(name: str, values: list[Any]) -> type | None:
    """Returns the type that all values have, `object` for mixed ones, None without a value."""
    declared = _TYPES.get(name.rpartition(".")[2] if _is_side(name) else name)
    if declared is not None:
        return declared
    types = set(map(type, values))
    types.discard(type(None))
    if types == {int, float}:
        # A larger integer would be rounded.
        exact = all(abs(value) <= 2**53 for value in values if type(value) is int)
        return float if exact else object
    return types.pop() if len(types) == 1 else object if types else None


def _is_side(name: str) -> bool:
    """Whether the column belongs to one evaluation of a comparison and is not a score."""
    return name.startswith(("base.", "candidate")) and ".score." not in name


def _build_pandas_series(pandas: Any, name: str, values: list[Any]) -> Any:
    kind = _find_type(name, values)
    has_missing = None in values if kind in (bool, int) else False
    dtype: Any = object
    if kind is str:
        # Before pandas 3, texts have the type object.
        dtype = pandas.Series([""]).dtype
    elif kind is bool:
        dtype = "boolean" if has_missing else "bool"
    elif kind is int:
        dtype = "Int64" if has_missing else "int64"
    elif kind is float:
        dtype = "float64"
    elif kind is datetime:
        dtype = "datetime64[us, UTC]"
    try:
        return pandas.Series(values, dtype=dtype)
    except (OverflowError, UnicodeEncodeError):
        # An integer above 64 bits, or a lone surrogate.
        return pandas.Series(values, dtype=object)


def _build_polars_series(polars: Any, name: str, values: list[Any]) -> Any:
    kind = _find_type(name, values)
    if kind is None:
        return polars.Series(name, values, dtype=polars.Null)
    if kind is str:
        try:
            return polars.Series(name, values, dtype=polars.String)
        except UnicodeEncodeError:
            texts = [None if value is None else _replace_surrogates(value) for value in values]
            return polars.Series(name, texts, dtype=polars.String)
    dtypes = {
        bool: polars.Boolean,
        int: polars.Int64,
        float: polars.Float64,
        datetime: polars.Datetime("us", "UTC"),
    }
    try:
        if kind in dtypes:
            return polars.Series(name, values, dtype=dtypes[kind])
        if kind in (list, dict):
            series = polars.Series(name, values)
            if series.to_list() == values:
                return series
    except (TypeError, ValueError, OverflowError, polars.exceptions.PolarsError):
        pass
    # Values that no other type of polars can store, for example dicts with different keys.
    return polars.Series(name, values, dtype=polars.Object)


def _replace_surrogates(text: str) -> str:
    return _LONE_SURROGATE.sub("\ufffd", text)
