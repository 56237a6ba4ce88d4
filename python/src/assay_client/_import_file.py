"""Writes rows that could not be sent to a file for `assay import`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ._scenarios import encode
from .errors import AssayConnectionError, AssayError


class ImportHeader(NamedTuple):
    """The first line of a full export."""

    evaluation: Mapping[str, Any]
    """Needs the member `id`. Members that it lacks stay as they are when the evaluation exists."""
    variant: Mapping[str, Any] | None = None
    revision: Mapping[str, Any] | None = None
    """What the evaluation ran. Without a number, an equal revision of the variant is used."""


def write_import_file(
    path: str | os.PathLike[str],
    header: ImportHeader,
    scenarios: Iterable[Mapping[str, Any] | bytes],
) -> None:
    """Write an evaluation and scenarios as a full export, which `assay import` accepts.

    Scenarios can be encoded already, each as one line.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(encode(header._asdict()))
            for scenario in scenarios:
                file.write(scenario if isinstance(scenario, bytes) else encode(scenario))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def unsent_rows_error(
    cause: AssayError,
    header: ImportHeader,
    lines: Iterable[bytes],
    count: int,
    *,
    url: str,
    on_conflict: str,
) -> AssayError:
    """Write rows that could not be sent to a file, and return the error that names it."""
    rows = "One row was" if count == 1 else f"{count} rows were"
    missing = f"{rows} not sent." if count > 0 else "The status was not set."
    try:
        path = _write_unsent_rows(header, lines)
    except OSError as error:
        outcome = f"No file with what is missing could be written: {error}."
        hint = "Run the same code again when the service is back."
    else:
        outcome = f"The file {path.name} contains what is missing."
        hint = f"Import it when the service is back: {import_command(path, url, on_conflict)}"
    kind = AssayConnectionError if isinstance(cause, AssayConnectionError) else AssayError
    failure = kind(f"{cause.detail} {missing} {outcome}", hint=hint)
    failure.status, failure.code = cause.status, cause.code
    return failure


def _write_unsent_rows(header: ImportHeader, lines: Iterable[bytes]) -> Path:
    """Write a file to the current folder, or to the folder for temporary files if that fails."""
    try:
        path = unused_path(Path.cwd(), header.evaluation["id"], ".assay.ndjson")
        write_import_file(path, header, lines)
    except OSError:
        path = unused_path(Path(tempfile.gettempdir()), header.evaluation["id"], ".assay.ndjson")
        write_import_file(path, header, lines)
    return path


def unused_path(folder: Path, id: str, suffix: str) -> Path:
    """Return a path for a new file that is named after an id."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", id).lstrip(".")[:100] or "evaluation"
    path = folder / (name + suffix)
    number = 2
    while path.exists():
        path = folder / f"{name}-{number}{suffix}"
        number += 1
    return path


def import_command(path: Path, url: str, on_conflict: str) -> str:
    """Return the command that imports the file into the service."""
    options = {"error": "", "replace_all": " --replace"}
    option = options.get(on_conflict, f" --on-conflict {on_conflict}")
    return f"assay import {_quote(str(path))} --url {url}{option}"


def _quote(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9._/:\\-]+", text) else f'"{text}"'
