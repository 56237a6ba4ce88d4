"""The exceptions that requests raise: error responses of the service and failed connections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HINTS_BY_CODE = {
    "route-not-found": "Check the URL of the service. If it is correct, upgrade the service.",
    "precondition-failed": "Read the object again and repeat the change.",
}

_HINTS_BY_STATUS = {
    401: "Set ASSAY_KEY, or the argument key, to a valid API key of this service.",
    403: "`assay keys create` creates a key for a project, with the scopes that you choose.",
    413: "Send less at once.",
    429: "Try again later.",
    503: "Try again later.",
}


class AssayError(Exception):
    """The service responded with an error, or the response does not come from an Assay service.

    `str(error)` is the detail and, if there is one, the hint.
    """

    status: int | None
    """The HTTP status code. None if there was no response."""
    code: str | None
    """The error code, for programs. None if the response does not come from the service."""
    title: str
    detail: str
    """What went wrong, for people."""
    hint: str | None
    """What to do next."""
    instance: str | None
    """The request id, as in the log of the service."""
    errors: list[Any]
    """For `invalid-content`: the first 100 validation errors."""
    error_count: int
    conflicts: list[Any]
    """For `conflict`: the first 100 scenarios that exist with different content."""
    conflict_count: int
    report: Any
    """For a rejected import: the import report."""
    line: int | None
    """For `invalid-json`: the line in the request body."""
    offset: int | None
    """For `invalid-json`: the byte offset in the request body."""
    retry_after: float | None
    """Seconds to wait before the next attempt, if the response has a Retry-After header."""

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        code: str | None = None,
        hint: str | None = None,
        problem: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        members = problem or {}
        self.status = status
        self.code = code if code is not None else members.get("code")
        self.title = members.get("title") or (detail if status is None else f"Status {status}")
        self.detail = detail
        self.instance = members.get("instance")
        self.errors = members.get("errors") or []
        self.error_count = members.get("error_count", len(self.errors))
        self.conflicts = members.get("conflicts") or []
        self.conflict_count = members.get("conflict_count", len(self.conflicts))
        has_conflicts = self.conflict_count > 0
        self.hint = hint if hint is not None else _hint_for(status, self.code, has_conflicts)
        self.report = members.get("report")
        self.line = members.get("line")
        self.offset = members.get("offset")
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.detail if self.hint is None else f"{self.detail}\n{self.hint}"


class AssayConnectionError(AssayError):
    """The connection failed, or closed before the response was complete.

    `__cause__` is the original exception.
    """

    def __init__(self, detail: str, *, hint: str | None = None) -> None:
        default_hint = "Check the URL, and that the service is running and reachable."
        super().__init__(detail, code="connection-failed", hint=hint or default_hint)


def _hint_for(status: int | None, code: str | None, has_conflicts: bool) -> str | None:
    # Only scenarios can be replaced. The detail of other conflicts says what to do.
    if code == "conflict" and has_conflicts:
        return 'Use a new id, or on_conflict="replace".'
    if code in _HINTS_BY_CODE:
        return _HINTS_BY_CODE[code]
    if status is None:
        return None
    if 300 <= status < 400:
        return "Set the URL to the new address of the service. Redirects are not followed."
    if status in _HINTS_BY_STATUS:
        return _HINTS_BY_STATUS[status]
    if code is None:
        return "Check that the URL is that of the web page of an Assay service."
    return "The log of the service contains the cause." if status >= 500 else None
