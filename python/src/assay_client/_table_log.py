"""Writes a whole table as one evaluation: all rows in one request, or none."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import _batches
from ._batches import OnConflict, wait_for_service
from ._http import IMPORT_TIMEOUT
from ._import_file import ImportHeader, unsent_rows_error, write_import_file
from ._revisions import MAX_ATTEMPTS, too_many_revisions
from ._run_evaluation import RunEvaluation
from ._scenarios import DerivedIds, build_scenario, encode
from .errors import AssayError


def log_table(
    evaluation: RunEvaluation,
    arguments_of_rows: Iterable[Mapping[str, Any]],
    on_conflict: OnConflict | None,
) -> None:
    """Write rows, which are keyword arguments of `build_scenario`, and set the status `finished`.

    All rows are checked and encoded before the first request.
    """
    with TemporaryDirectory(prefix="assay-") as folder:
        table = EncodedTable(Path(folder) / "rows", on_conflict, arguments_of_rows)
        give_up_at = time.monotonic() + _batches.FINAL_SECONDS
        while True:
            try:
                _send(evaluation, table, Path(folder) / "import", on_conflict)
                return
            except AssayError as failure:
                if wait_for_service(failure, give_up_at):
                    continue
                if not _batches.is_temporary(failure):
                    raise
                raise unsent_rows_error(
                    failure,
                    evaluation.unsent_header("finished"),
                    table,
                    len(table.numbers),
                    url=evaluation.reads.url,
                    on_conflict=_resolve(on_conflict, evaluation),
                ) from failure


class EncodedTable:
    """The rows as lines of a file, so that the table is never in memory twice.

    Raises TypeError or ValueError with the number of the first invalid row.
    """

    def __init__(
        self,
        path: Path,
        on_conflict: OnConflict | None,
        arguments_of_rows: Iterable[Mapping[str, Any]],
    ) -> None:
        self._path = path
        self._on_conflict = on_conflict
        self.numbers: list[int] = []
        """The number of the row of each line."""
        self._replaced: set[int] = set()
        ids = DerivedIds()
        # The number of the row with each id, and the hash of its content.
        added: dict[str, tuple[int, int]] = {}
        with path.open("wb") as file:
            for number, arguments in enumerate(arguments_of_rows):
                try:
                    scenario = build_scenario(**arguments)
                    if "id" not in scenario:
                        scenario = {"id": ids.derive(scenario["inputs"]), **scenario}
                    line = encode(scenario)
                    content = hash(line)
                    earlier = added.get(scenario["id"])
                    if not self._adds(scenario["id"], content, earlier):
                        continue
                except (TypeError, ValueError) as problem:
                    kind = TypeError if isinstance(problem, TypeError) else ValueError
                    raise kind(
                        f"Row {number} (counted from 0): {problem} Nothing was stored."
                    ) from problem
                if earlier is not None:
                    self._replaced.add(earlier[0])
                added[scenario["id"]] = (number, content)
                self.numbers.append(number)
                file.write(line)
        self._all_numbers = self.numbers
        self.numbers = [each for each in self.numbers if each not in self._replaced]

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            for number, line in zip(self._all_numbers, file, strict=True):
                if number not in self._replaced:
                    yield line

    def _adds(self, id: str, content: int, earlier: tuple[int, int] | None) -> bool:
        if earlier is None:
            return True
        if earlier[1] == content or self._on_conflict == "skip":
            return False
        if self._on_conflict != "replace":
            raise ValueError(
                f"Row {earlier[0]} has the same id {id!r} and different content. Use unique ids, "
                'or on_conflict="replace" to store the last row of each id.'
            )
        return True


def _resolve(on_conflict: OnConflict | None, evaluation: RunEvaluation) -> OnConflict:
    stored = evaluation.stored
    is_unfinished = stored is not None and stored["status"] != "finished"
    return on_conflict or ("replace" if is_unfinished else "error")


def _send(
    evaluation: RunEvaluation, table: EncodedTable, path: Path, on_conflict: OnConflict | None
) -> None:
    """Store all rows in one transaction, which also creates the evaluation if necessary."""
    if not evaluation.find():
        _create(evaluation, table, path)
        return
    mode = _resolve(on_conflict, evaluation)
    header = ImportHeader({"id": evaluation.id})
    _import(evaluation, header, table, path, mode)
    evaluation.add_variant()
    evaluation.set_status("finished")


def _create(evaluation: RunEvaluation, table: EncodedTable, path: Path) -> None:
    for _ in range(MAX_ATTEMPTS):
        header = evaluation.import_header("finished")
        try:
            _import(evaluation, header, table, path, "error")
            return
        except AssayError as error:
            # Another process has created a revision with this number in the meantime.
            if not any(each["pointer"] == "/revision" for each in error.errors):
                raise
    raise too_many_revisions(str(header.evaluation["variant_id"]))


def _import(
    evaluation: RunEvaluation,
    header: ImportHeader,
    table: EncodedTable,
    path: Path,
    mode: OnConflict,
) -> None:
    write_import_file(path, header, table)
    try:
        evaluation.http.write(
            "POST",
            ["imports"],
            lambda: path.open("rb"),
            query={"format": "scenarios", "on_conflict": mode},
            content_type="application/octet-stream",
            timeout=IMPORT_TIMEOUT,
        )
    except AssayError as error:
        if error.code in ("invalid-content", "conflict") and error.errors:
            _describe(error, table)
        raise


def _describe(error: AssayError, table: EncodedTable) -> None:
    """Replace the detail, which names lines of the file, by one that names rows of the table."""
    # The first line is the evaluation.
    first = min(error.errors, key=lambda each: each["line"])
    if first["line"] == 1:
        error.detail = f"{first['detail']} Nothing was stored."
        return
    rows = "One row was" if error.error_count == 1 else f"{error.error_count} rows were"
    number = table.numbers[first["line"] - 2]
    error.detail = (
        f"{rows} rejected. Row {number} (counted from 0): {first['detail']} Nothing was stored."
    )
    error.hint = "Correct the table and log it again."
