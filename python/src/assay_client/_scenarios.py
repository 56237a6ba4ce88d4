"""Builds scenarios from Python values and encodes them as JSON."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import traceback
import uuid
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import Any

_encode_text = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
).encode
_encode_canonical = json.JSONEncoder(
    allow_nan=False, check_circular=False, separators=(",", ":"), sort_keys=True
).encode

_TYPES = {str: "text", bool: "bool", int: "number", float: "number"}


def build_scenario(
    *,
    id: object = None,
    inputs: object = None,
    output: object = None,
    expected: object = None,
    scores: Mapping[str, object] | None = None,
    reasons: Mapping[str, object] | None = None,
    cost: object = None,
    latency: object = None,
    error: object = None,
    note: object = None,
    extra: Mapping[str, object] | None = None,
    sample: object = None,
    repetition: object = None,
) -> dict[str, Any]:
    """Returns a scenario as the service accepts it, with JSON values only.

    `sample` and `repetition` are stored in `extra`. Without `id`, the scenario has no member `id`.
    The values are copied, so that they can be changed afterward.
    """
    try:
        scenario: dict[str, Any] = {}
        if id is not None:
            scenario["id"] = scenario_id(id)
        scenario["inputs"] = _build_inputs(inputs)
        if isinstance(output, BaseException):
            output, error = None, error or output
        output_value = to_json_value(output, "output")
        failure = _build_error(error)
        scenario["outputs"] = _build_outputs(output_value, failure, cost, latency)
        answers = _build_answers(expected)
        if answers:
            scenario["correct_answers"] = answers
        note_text = _to_text(note, "note")
        if note_text is not None:
            scenario["note"] = note_text
        scenario["results"] = results = [
            {
                "evaluator_config": _to_name(name, "scores"),
                "result": _error_result(score)
                if isinstance(score, BaseException)
                else _value_result(to_json_value(score, "score", name), "number"),
            }
            for name, score in check_dict(scores, "scores").items()
        ]
        details = _build_extra(extra, reasons, results)
        _add_repetition(details, sample, repetition)
        if failure is not None and output_value is not None:
            details.setdefault("output", output_value)
        if details:
            scenario["extra"] = details
        return scenario
    except (TypeError, ValueError) as problem:
        if id is None:
            raise
        kind = TypeError if isinstance(problem, TypeError) else ValueError
        raise kind(f"{problem} The scenario has the id {id!r}.") from problem


def encode(record: Mapping[str, Any]) -> bytes:
    """Returns a JSON object as one line of UTF-8 that ends with a line feed."""
    # For a lone surrogate, which has no UTF-8 encoding, backslashreplace writes its JSON escape.
    return (_encode_text(record) + "\n").encode("utf-8", "backslashreplace")


class DerivedIds:
    """Derives ids of scenarios from their inputs: the same inputs in the same order, the same ids.

    Inputs that occur again get the suffixes `-2`, `-3` and so on.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def derive(self, inputs: Iterable[Mapping[str, Any]]) -> str:
        """Returns the id for the member `inputs` of a scenario."""
        values = {each["name"]: each["value"] for each in inputs}
        id = hashlib.sha256(_encode_canonical(values).encode()).hexdigest()[:20]
        count = self._counts.get(id, 0) + 1
        self._counts[id] = count
        return id if count == 1 else f"{id}-{count}"


def scenario_id(value: object) -> str:
    """Returns an id as text. Whole numbers are accepted, because tables often have numeric ids."""
    return to_id_text(value, "id")


def to_id_text(value: object, member: str) -> str:
    """Returns an id as text. `member` is its name in error messages."""
    if type(value) is str:
        return value
    json_value = to_json_value(value, member)
    if json_value is None:
        raise ValueError(f"The {member} is missing.")
    if type(json_value) is float and json_value.is_integer():
        # pandas stores a column of integers as floats when a value is missing.
        json_value = int(json_value)
    if type(json_value) is int:
        return str(json_value)
    if type(json_value) is not str:
        raise TypeError(f"The {member} must be a string or an integer, not {_type_name(value)}.")
    return json_value


def to_json_value(value: object, member: str, name: object = None) -> Any:
    """Returns a value as JSON value: NaN becomes None, an infinite number is a ValueError.

    `member` and `name` say in error messages where the value is.
    """
    kind = type(value)
    if kind is str or kind is bool or kind is int or value is None:
        return value
    try:
        return _convert(value, member, name)
    except RecursionError:
        raise ValueError(f"{_describe(member, name)} is nested too deeply.") from None


def _convert(value: Any, member: str, name: object) -> Any:
    kind = type(value)
    if kind is str or kind is bool or kind is int or value is None:
        return value
    if kind is float:
        return _convert_float(value, member, name)
    if kind is dict:
        return _convert_mapping(value, member, name)
    if kind is list or kind is tuple:
        return [_convert(element, member, name) for element in value]
    if isinstance(value, Enum):
        return _convert(value.value, member, name)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (float, Decimal)):
        return _convert_float(float(value), member, name)
    if isinstance(value, Mapping):
        return _convert_mapping(value, member, name)
    if isinstance(value, (list, tuple)):
        return [_convert(element, member, name) for element in value]
    if isinstance(value, (date, datetime, time)):
        # The missing time of pandas, NaT, is a datetime that differs from itself.
        return value.isoformat() if value == value else None
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, os.PathLike):
        return _convert(os.fspath(value), member, name)
    return _convert_object(value, member, name)


def _convert_object(value: Any, member: str, name: object) -> Any:
    """Converts an object of a library. The libraries themselves are not imported."""
    kind = type(value)
    dtype_kind = getattr(getattr(value, "dtype", None), "kind", None)
    if isinstance(value, type) or dtype_kind == "m":
        pass  # Durations would become bare integers of an unknown unit.
    elif dataclasses.is_dataclass(value):
        members = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return _convert_mapping(members, member, name)
    elif kind.__name__ == "NAType":
        return None
    elif hasattr(value, "model_dump"):
        return _convert(value.model_dump(mode="json"), member, name)
    elif dtype_kind == "M":
        # As Python objects, nanoseconds would be bare integers.
        if getattr(value, "ndim", 1) > 0:
            return [_convert(element, member, name) for element in value]
        return str(value) if value == value else None
    else:
        for method in ("tolist", "to_list", "as_py"):
            if hasattr(value, method):
                plain = getattr(value, method)()
                # A NumPy longdouble is its own Python value.
                return _convert(float(plain) if type(plain) is kind else plain, member, name)
    raise TypeError(
        f"{_describe(member, name)} is or contains a value of the type {_type_name(value)}, which "
        "has no JSON form. Convert it to text, numbers, lists or dicts."
    )


def _convert_float(value: float, member: str, name: object) -> float | None:
    if isfinite(value):
        return value
    if value != value:
        return None
    raise ValueError(
        f"{_describe(member, name)} is or contains an infinite number, which has no JSON form. "
        'Use None, a finite number or the text "Infinity".'
    )


def _convert_mapping(value: Mapping[Any, Any], member: str, name: object) -> dict[str, Any]:
    converted = {
        key if type(key) is str else _convert_key(key, member, name): _convert(each, member, name)
        for key, each in value.items()
    }
    if len(converted) != len(value):
        raise ValueError(f"{_describe(member, name)} has two keys with the same text.")
    return converted


def _convert_key(key: object, member: str, name: object) -> str:
    converted = _convert(key, member, name)
    return converted if type(converted) is str else _encode_text(converted)


def _build_inputs(inputs: object) -> list[dict[str, Any]]:
    if inputs is None:
        return []
    if not isinstance(inputs, Mapping):
        inputs = to_json_value(inputs, "inputs")
        if not isinstance(inputs, dict):
            raise TypeError("inputs must be a dict of names and values.")
    built = []
    for name, value in inputs.items():
        if type(value) is not str:
            value = to_json_value(value, "input", name)
        built.append(
            {
                "name": name if type(name) is str else _to_name(name, "inputs"),
                "type": "text" if type(value) is str else "json",
                "value": value,
            }
        )
    return built


def _build_outputs(
    value: Any, failure: dict[str, Any] | None, cost: object, latency: object
) -> list[dict[str, Any]]:
    if isinstance(latency, timedelta):
        latency = latency.total_seconds()
    cost_number = _to_number(cost, "cost")
    latency_number = _to_number(latency, "latency")
    if value is None and failure is None and cost_number is None and latency_number is None:
        return []
    output: dict[str, Any] = {"result": failure or _value_result(value, "text")}
    if cost_number is not None:
        output["cost"] = cost_number
    if latency_number is not None:
        output["latency"] = latency_number
    return [output]


def _value_result(value: Any, type_without_value: str) -> dict[str, Any]:
    if value is None:
        return {"type": type_without_value, "value": None}
    return {"type": _TYPES.get(type(value), "json"), "value": value}


def _build_error(error: object) -> dict[str, Any] | None:
    if isinstance(error, BaseException):
        return _error_result(error)
    message = _to_text(error, "error")
    if not message:
        return None
    return {"type": "error", "value": None, "error": {"message": message}}


def _error_result(error: BaseException) -> dict[str, Any]:
    message = "".join(traceback.format_exception_only(type(error), error)).strip()
    details = {"message": message}
    if error.__traceback__ is not None:
        details["stacktrace"] = "".join(
            traceback.format_exception(type(error), error, error.__traceback__)
        )
    return {"type": "error", "value": None, "error": details}


def _build_answers(expected: object) -> list[dict[str, str]]:
    value = to_json_value(expected, "expected")
    answers_by_key = value if type(value) is dict else {"expected": value}
    return [
        {"key": key, "value": answer if type(answer) is str else _encode_text(answer)}
        for key, answers in answers_by_key.items()
        if answers is not None
        for answer in (answers if type(answers) is list else [answers])
    ]


def _build_extra(
    extra: Mapping[str, object] | None,
    reasons: Mapping[str, object] | None,
    results: list[dict[str, Any]],
) -> dict[str, Any]:
    details: dict[str, Any] = {} if extra is None else _to_dict(extra, "extra")
    if not reasons:
        return details
    texts = {
        name: _to_text(reason, "reason", name)
        for name, reason in check_dict(reasons, "reasons").items()
    }
    evaluators = [result["evaluator_config"] for result in results]
    for name in texts:
        if name not in evaluators:
            raise ValueError(f"There is a reason for {name!r}, but no score with this name.")
    if any(reason is not None for reason in texts.values()):
        if "results" in details:
            raise ValueError('Reasons are stored in "results" of extra. Use only one of them.')
        details["results"] = [
            {} if texts.get(name) is None else {"reason": texts[name]} for name in evaluators
        ]
    return details


def _add_repetition(details: dict[str, Any], sample: object, repetition: object) -> None:
    sample_value = to_json_value(sample, "sample")
    if sample_value is not None:
        details["sample"] = to_id_text(sample_value, "sample")
    number = to_json_value(repetition, "repetition")
    if number is None:
        return
    if type(number) is float and number.is_integer():
        # pandas stores a column of integers as floats when a value is missing.
        number = int(number)
    if type(number) is not int or number < 1:
        raise ValueError(f"repetition must be an integer from 1, not {number!r}.")
    details["repetition"] = number


def check_dict(value: Mapping[str, object] | None, member: str) -> Mapping[str, object]:
    """Returns the dict, which is empty for None."""
    if not (value is None or isinstance(value, Mapping)):
        raise TypeError(f"{member} must be a dict of names and values.")
    return value or {}


def _to_dict(value: object, member: str) -> dict[str, Any]:
    converted = to_json_value(value, member)
    if type(converted) is not dict:
        raise TypeError(f"{member} must be a dict, not {_type_name(value)}.")
    return converted


def _to_name(name: object, member: str) -> str:
    converted = to_json_value(name, f"a name in {member}")
    return converted if type(converted) is str else _encode_text(converted)


def _to_text(value: object, member: str, name: object = None) -> str | None:
    converted = to_json_value(value, member, name)
    if converted is None or type(converted) is str:
        return converted
    return _encode_text(converted)


def _to_number(value: object, member: str) -> int | float | None:
    if value is None:
        return None
    converted = to_json_value(value, member)
    if converted is None or type(converted) is int or type(converted) is float:
        return converted
    raise TypeError(f"{member} must be a number, not {_type_name(value)}.")


def _describe(member: str, name: object) -> str:
    return member.capitalize() if name is None else f"The {member} {name!r}"


def _type_name(value: object) -> str:
    kind = value if isinstance(value, type) else type(value)
    prefix = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return prefix + kind.__qualname__
