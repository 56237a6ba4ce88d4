"""The decision of the gate about all candidates. `assay compare` prints the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .types import ComparedCandidate

GateDecision = Literal["passed", "failed", "invalid"]

# A candidate that is worse decides, even if another one cannot be judged.
_EXIT_CODES: dict[GateDecision, int] = {"failed": 1, "invalid": 3, "passed": 0}


@dataclass(frozen=True)
class GateSummary:
    """Whether a candidate is worse. `print` writes the decision and its reasons."""

    decision: GateDecision
    reasons: Sequence[str]
    unchecked: Sequence[str]
    """The names of the evaluators that were not checked."""

    @property
    def exit_code(self) -> int:
        """The exit code of `assay compare --fail-on-regression`."""
        return _EXIT_CODES[self.decision]

    def __str__(self) -> str:
        lines = [f"Gate {self.decision}:", *(f"- {reason}" for reason in self.reasons)]
        if self.unchecked:
            lines.append(f"Not checked: {', '.join(self.unchecked)}.")
        return "\n".join(lines)


def summarize_gates(candidates: Sequence[ComparedCandidate]) -> GateSummary:
    """Combines the gates of the candidates. A reason names its candidate if there are several."""
    by_decision = {
        decision: [
            f"{candidate['id']}: {reason['detail']}" if len(candidates) > 1 else reason["detail"]
            for candidate in candidates
            if candidate["gate"]["decision"] == decision
            for reason in candidate["gate"]["reasons"]
        ]
        for decision in _EXIT_CODES
    }
    decision = next(each for each, reasons in by_decision.items() if reasons)
    problems = by_decision["failed"] + by_decision["invalid"]
    unchecked = {name: None for each in candidates for name in each["gate"]["unchecked"]}
    return GateSummary(decision, problems or by_decision["passed"], list(unchecked))
