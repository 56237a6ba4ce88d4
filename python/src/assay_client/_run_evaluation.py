"""The evaluation that a run writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from ._import_file import ImportHeader
from ._reads import Reads
from ._revisions import (
    build_revision,
    check_configuration,
    find_or_create_revision,
    find_revision,
)
from ._scenarios import check_dict, encode, to_json_value
from .errors import AssayError


class RunEvaluation:
    """Is created by the run, or continued if it exists."""

    def __init__(
        self,
        reads: Reads,
        id: str,
        *,
        name: str | None,
        variant: str | None,
        config: Mapping[str, Any] | None,
        baseline: str | None,
        evaluators: Iterable[Mapping[str, Any]] | None,
        tags: Iterable[str] | None,
        metadata: Mapping[str, Any] | None,
        expected_count: int | None,
    ) -> None:
        if config is not None and variant is None:
            raise ValueError("config is the configuration of a variant. Set variant too.")
        if not isinstance(id, str):
            raise TypeError(f"The id of an evaluation must be a string, not {type(id).__name__}.")
        check_dict(config, "config")
        if isinstance(tags, str):
            raise TypeError("tags must be a list of strings.")
        self.id = id
        self.reads = reads
        self.http = reads._http
        self._variant = variant
        self._config: dict[str, Any] | None = (
            None if config is None else to_json_value(config, "config")
        )
        members = {
            "name": name,
            "baseline_id": baseline,
            "evaluators": None
            if evaluators is None
            else [check_dict(each, "each of evaluators") for each in evaluators],
            "tags": None if tags is None else list(tags),
            "metadata": metadata,
            "expected_count": expected_count,
        }
        self._members = {
            member: to_json_value(value, member)
            for member, value in members.items()
            if value is not None
        }
        self.stored: Mapping[str, Any] | None = None
        """The evaluation as it was last read or written. None until the service has responded."""

    @property
    def url(self) -> str:
        """The address of the evaluation's page."""
        return f"{self.reads.url}/evaluations/{quote(self.id, safe='')}"

    def find(self) -> bool:
        """Read the stored evaluation. Return False if it does not exist.

        Raise AssayError if it ran another variant or configuration.
        """
        try:
            self._use(self.http.get(["evaluations", self.id]))
        except AssayError as error:
            # 403: only another project has this id, so it can be created in this one.
            if self.stored is not None or error.status not in (403, 404):
                raise
            return False
        return True

    def create(self) -> None:
        """Create the evaluation. If another process has created it in the meantime, read it."""
        members = {
            "id": self.id,
            "status": "running",
            **self._members,
            **self._find_variant(),
        }
        try:
            created = self.http.write("POST", ["evaluations"], encode(members))
        except AssayError as error:
            if error.code != "conflict":
                raise
            created = self.http.get(["evaluations", self.id])
        self._use(created)

    def _use(self, evaluation: Mapping[str, Any]) -> None:
        self.stored = evaluation
        if evaluation["variant_id"] is not None:
            check_configuration(self.http, evaluation, self._variant, self._config)

    def _find_variant(self) -> dict[str, Any]:
        """The variant of the run and its revision, as members of the evaluation."""
        if self._variant is None:
            return {}
        revision = find_or_create_revision(self.http, self._variant, self._config)
        return {"variant_id": self._variant, "revision": revision}

    def add_variant(self) -> None:
        """Let the next change add the variant if the stored evaluation has none."""
        if self.stored is not None and self.stored["variant_id"] is None:
            self._members.update(self._find_variant())

    def set_status(self, status: str) -> None:
        """Set the status, and the members of the evaluation that differ from the stored ones."""
        stored = self.stored or {}
        members = {"status": status, **self._members}
        if "tags" in members:
            # A person can have added some in the meantime.
            tags = members["tags"]
            members["tags"] = tags + [tag for tag in stored["tags"] if tag not in tags]
        changes = {name: value for name, value in members.items() if stored[name] != value}
        if changes:
            self.stored = self.http.write("PATCH", ["evaluations", self.id], encode(changes))

    def import_header(self, status: str) -> ImportHeader:
        """Return the first line of a file that creates the evaluation in one transaction."""
        if self._variant is None:
            return self._header(status, None, None)
        number, revision = find_revision(self.http, self._variant, self._config)
        return self._header(status, number, revision)

    def unsent_header(self, status: str) -> ImportHeader:
        """Return the first line of a file with what could not be sent."""
        if self.stored is not None:
            return ImportHeader({"id": self.id, "status": status})
        revision = None
        if self._variant is not None and self._config is not None:
            # Without a number, the service uses the equal revision if there is one.
            revision = build_revision(self._variant, self._config)
        return self._header(status, None, revision)

    def _header(
        self, status: str, number: int | None, revision: Mapping[str, Any] | None
    ) -> ImportHeader:
        members = {"id": self.id, "status": status, **self._members}
        variant = None
        if self._variant is not None:
            members["variant_id"] = self._variant
            if number is not None:
                members["revision"] = number
        if revision is not None:
            # Used only if the variant does not exist.
            created_at = datetime.now(timezone.utc).isoformat()
            variant = {"id": self._variant, "name": self._variant, "created_at": created_at}
        return ImportHeader(members, variant, revision)
