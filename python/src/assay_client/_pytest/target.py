"""The evaluation of a pytest run in the service."""

from __future__ import annotations

from typing import Any

from .._http import HttpClient
from .._scenarios import encode
from ..errors import AssayError
from .delivery import Header, ImportMode, import_mode, selection_of


class TargetEvaluation:
    """Is created, or continued if it exists, and gets its final status at the end."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._created = header["evaluation"]
        self._stored: dict[str, Any] | None = None
        self._sent: dict[str, Any] = {}
        self.id: str = self._created["id"]
        self.is_open = False

    @property
    def existed(self) -> bool:
        """Whether it can have rows of an earlier run."""
        return self._stored is not None

    @property
    def is_partial(self) -> bool:
        """Whether this run selects tests, and the stored rows are those of other tests."""
        selection = selection_of(self._created)
        return (
            selection is not None
            and self._stored is not None
            and self._stored["scenario_count"] > 0
            and selection_of(self._stored) != selection
        )

    def open(self, http: HttpClient, expected_count: int | None) -> None:
        """Creates the evaluation, or changes the stored one to `running`."""
        members: dict[str, Any] = {"status": "running"}
        if expected_count is not None:
            members["expected_count"] = expected_count
        try:
            http.write("POST", ["evaluations"], encode({**self._created, **members}))
            self._sent = members
        except AssayError as error:
            if error.code != "conflict":
                raise
            stored: dict[str, Any] = dict(http.get(["evaluations", self.id]))
            people = [
                each["name"] for each in stored["evaluators"] or [] if each.get("kind") == "human"
            ]
            declared = self._created.get("evaluators", [])
            evaluators = [each for each in declared if each["name"] not in people]
            self.patch(http, {**members, "evaluators": evaluators})
            self._stored = stored
        self.is_open = True

    def patch(self, http: HttpClient, members: dict[str, Any]) -> None:
        """Sends the members that have changed since they were sent."""
        changes = {
            name: value
            for name, value in members.items()
            if name not in self._sent or self._sent[name] != value
        }
        if changes:
            http.write("PATCH", ["evaluations", self.id], encode(changes))
            self._sent.update(changes)

    def final_members(self, status: str, expected_count: int | None) -> dict[str, Any]:
        """Returns what is stored at the end of the run."""
        is_partial = self.is_partial
        members: dict[str, Any] = {"status": "failed" if is_partial else status}
        if expected_count is not None:
            members["expected_count"] = expected_count
        if self._stored is not None and status == "finished" and not is_partial:
            metadata = dict(self._stored["metadata"] or {})
            selection = selection_of(self._created)
            if metadata.pop("selection", None) != selection:
                if selection is not None:
                    metadata["selection"] = selection
                members["metadata"] = metadata
        return members

    def for_file(
        self, status: str, expected_count: int | None
    ) -> tuple[dict[str, Any], ImportMode]:
        """Returns the members for a file, and how the file has to be imported."""
        created = dict(self._created)
        if self._stored is not None:
            # The stored metadata stays, unless the final members replace it.
            created.pop("metadata", None)
        members = {**created, **self.final_members(status, expected_count)}
        return members, import_mode(self._header, status, self.is_open)
