"""Finds the revision of a configuration, or creates it."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from typing import Any

from ._http import HttpClient
from ._scenarios import encode, to_json_value
from .errors import AssayError

# Each failed attempt means that another process has created a revision in the meantime.
MAX_ATTEMPTS = 100


def find_or_create_revision(
    http: HttpClient, variant: str, config: Mapping[str, Any] | None
) -> int | None:
    """Return the number of the latest revision if it has this configuration, else of a new one.

    Without a configuration, return the number of the latest revision, or None without revisions.
    """
    for _ in range(MAX_ATTEMPTS):
        number, revision = find_revision(http, variant, config)
        if revision is None:
            return number
        try:
            return _number(http.write("POST", ["variants", variant, "revisions"], encode(revision)))
        except AssayError as error:
            if error.code != "conflict":
                raise
    raise too_many_revisions(variant)


def find_revision(
    http: HttpClient, variant: str, config: Mapping[str, Any] | None
) -> tuple[int | None, dict[str, Any] | None]:
    """Return the number of the revision that a run uses, and the revision if it does not exist."""
    if config is None:
        number: int | None = http.get(["variants", variant], {})["latest_revision"]
        return number, None
    parameters = to_json_value(config, "config")
    try:
        latest = _latest_revision(http, variant)
    except AssayError as error:
        # 403: only another project has this id, so it can be created in this one.
        if error.status not in (403, 404):
            raise
        latest = None
    if latest is not None and not differing_parameters(parameters, latest):
        return _number(latest), None
    # The explicit number makes the second of two processes fail with a conflict.
    number = 1 if latest is None else _number(latest) + 1
    return number, {"revision": number, **build_revision(variant, parameters)}


def build_revision(variant: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "modified_by": _user_name(),
        "config": {"config_name": variant, "parameters": parameters},
    }


def too_many_revisions(variant: str) -> AssayError:
    return AssayError(
        f"The revision of the variant {variant!r} could not be created, because other clients "
        "create revisions all the time."
    )


def check_configuration(
    http: HttpClient,
    evaluation: Mapping[str, Any],
    variant: str | None,
    config: Mapping[str, Any] | None,
) -> None:
    """Raise AssayError if the evaluation ran another variant or configuration."""
    ran, revision = evaluation["variant_id"], evaluation["revision"]
    reason = None
    if variant is None:
        return
    if ran != variant:
        reason = f"ran with the variant {ran!r}, not {variant!r}"
    elif config is not None and revision is None:
        reason = "ran without a configuration"
    elif config is not None:
        stored = http.get(["variants", variant, "revisions", revision])
        names = differing_parameters(to_json_value(config, "config"), stored)
        if names:
            listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            reason = (
                f"ran revision {revision} of {variant!r}, which has another configuration "
                f"({listed})"
            )
    if reason is not None:
        raise AssayError(
            f"The evaluation {evaluation['id']!r} {reason}.",
            code="conflict",
            hint="Use a new evaluation id for a new configuration.",
        )


def differing_parameters(parameters: Mapping[str, Any], revision: Mapping[str, Any]) -> list[str]:
    """Return the names of the parameters that differ between a configuration and a revision.

    As in the diff of the service, the order of names does not matter, and 1 equals 1.0.
    """
    stored = revision["config"].get("parameters") or {}
    return [
        name
        for name in sorted({*parameters, *stored})
        if name not in parameters
        or name not in stored
        or not _is_equal(parameters[name], stored[name])
    ]


def _is_equal(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        # In Python, True equals 1.
        is_numeric = {type(one), type(other)} == {int, float}
        return is_numeric and bool(one == other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_is_equal(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    return bool(one == other)


def _latest_revision(http: HttpClient, variant: str) -> Mapping[str, Any] | None:
    number = http.get(["variants", variant], {})["latest_revision"]
    if number is None:
        return None
    revision: Mapping[str, Any] = http.get(["variants", variant, "revisions", number], {})
    return revision


def _number(revision: Mapping[str, Any]) -> int:
    number: int = revision["revision"]
    return number


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"
