"""Writes rows that could not be sent to a file for `assay import`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ._scenarios import encode


def write_import_file(
    path: str | os.PathLike[str],
    evaluation: Mapping[str, Any],
    scenarios: Iterable[Mapping[str, Any] | bytes],
) -> None:
    """Write an evaluation and scenarios as a full export, which `assay import` accepts.

    `evaluation` needs the member `id`. Members that it lacks stay as they are when the evaluation
    exists. Scenarios can be encoded already, each as one line.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    header = {"evaluation": dict(evaluation), "variant": None, "revision": None}
    try:
        with temporary.open("wb") as file:
            file.write(encode(header))
            for scenario in scenarios:
                file.write(scenario if isinstance(scenario, bytes) else encode(scenario))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_unsent_rows(evaluation: Mapping[str, Any], lines: Iterable[bytes]) -> Path:
    """Write a file to the current folder, or to the folder for temporary files if that fails."""
    try:
        path = unused_path(Path.cwd(), evaluation["id"], ".assay.ndjson")
        write_import_file(path, evaluation, lines)
    except OSError:
        path = unused_path(Path(tempfile.gettempdir()), evaluation["id"], ".assay.ndjson")
        write_import_file(path, evaluation, lines)
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
