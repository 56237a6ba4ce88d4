"""What the processes of the plugin send to each other."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal, TypedDict

from .._import_file import ImportHeader, unused_path, write_import_file
from ..errors import AssayError

ImportMode = Literal["error", "replace", "replace_all"]


class Header(TypedDict):
    """The first line of the sender's input."""

    evaluation: dict[str, Any]
    """Its members when the run creates it."""
    is_given: bool
    """Whether its id is that of --assay-evaluation. It can exist then."""
    folder: str


class Delivery(TypedDict, total=False):
    """What happened to the rows."""

    row_count: int
    rejections: list[str]
    is_partial: bool
    url: str
    error: str
    file: str
    file_error: str
    on_conflict: ImportMode


def selection_of(evaluation: dict[str, Any]) -> str | None:
    """Returns the options that select the tests of an evaluation, None for all tests."""
    selection: str | None = (evaluation.get("metadata") or {}).get("selection")
    return selection


def import_mode(header: Header, status: str, is_known: bool) -> ImportMode:
    """Returns how the file of a run has to be imported. `is_known`: whether the service has
    reported the stored evaluation."""
    if not header["is_given"]:
        return "error"
    if status == "failed":
        return "replace"
    # Must not replace an evaluation of all tests with a selection.
    return "replace_all" if is_known or not selection_of(header["evaluation"]) else "error"


def save_rows(
    header: Header,
    evaluation: dict[str, Any],
    on_conflict: ImportMode,
    rows: list[bytes],
    error: Exception,
) -> Delivery:
    """Writes the evaluation and all rows to a file for `assay import`."""
    delivery: Delivery = {"row_count": len(rows), "error": describe_error(error)}
    for folder in (header["folder"], tempfile.gettempdir()):
        path = unused_path(Path(folder), f"assay-{evaluation['id']}", ".ndjson")
        try:
            write_import_file(path, ImportHeader(evaluation), rows)
        except OSError as problem:
            delivery["file_error"] = str(problem)
        else:
            delivery["file"] = str(path)
            delivery["on_conflict"] = on_conflict
            break
    return delivery


def describe_error(error: Exception) -> str:
    if not isinstance(error, AssayError):
        return str(error)
    if error.status in (401, 403):
        return f"{error.detail} Set ASSAY_KEY to an API key with the scopes read and write."
    return error.detail
