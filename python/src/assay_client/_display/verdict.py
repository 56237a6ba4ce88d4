"""The sentences that compare an evaluation with its baseline. The page has the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .numbers import SCORE, Unit, format_count, format_percent, pluralize

Outcome = Literal["better", "worse", "tied"]
VerdictOutcome = Literal["better", "worse", "tied", "unclear", "none"]


@dataclass(frozen=True)
class Metric:
    """Statistics of the pairs of one evaluator, or of their cost or latency."""

    name: str
    n: int
    delta: float | None
    interval: Sequence[float] | None
    outcome: Outcome | None
    base_mean: float | None
    mean: float | None = None
    unit: Unit = SCORE
    higher_is_better: bool = True
    regressed: int = 0
    improved: int = 0
    is_evaluator: bool = True

    @property
    def verdict(self) -> VerdictOutcome:
        """`unclear`: too few pairs for a confidence interval. `none`: no pair has two scores."""
        if self.outcome is None:
            return "none"
        if self.outcome == "tied" and self.interval is None:
            return "unclear"
        return self.outcome


class Part(NamedTuple):
    """A text of a sentence, and what it means."""

    text: str
    kind: Literal["text", "evaluation", "evaluator", "outcome", "regressed", "improved"] = "text"


def verdict_parts(baseline: str, evaluator: Metric, candidate: str | None = None) -> list[Part]:
    """The parts of a verdict. Without a candidate, the subject is the displayed evaluation."""
    base = Part(baseline, "evaluation")
    subject = [] if candidate is None else [Part(candidate, "evaluation")]
    on = [Part(" on "), Part(evaluator.name, "evaluator")]
    verdict = evaluator.verdict
    if verdict == "none":
        start = [*subject, Part(" cannot be compared with ")]
        if candidate is None:
            start = [Part("Cannot be compared with ")]
        return [*start, base, *on, Part(": no matched row has a score in both.")]
    if verdict == "unclear":
        compared = [*subject, Part(" ")] if subject else []
        rows = Part(f": only {pluralize(evaluator.n, 'row')} with a score in both.")
        return [Part("Too few rows to compare "), *compared, Part("with "), base, *on, rows]
    word = Part(verdict if subject else verdict.capitalize(), "outcome")
    if verdict == "tied":
        start = [word, Part(" with "), base]
        if subject:
            start = [*subject, Part(" and "), base, Part(" are "), word]
        return [*start, *on, Part(": "), *_tied_rows(evaluator), Part(".")]
    start = [*subject, Part(" is "), word] if subject else [word]
    return [*start, Part(" than "), base, *on, Part(": "), *_changed_rows(evaluator), Part(".")]


def _changed_rows(evaluator: Metric) -> list[Part]:
    return [
        Part(f"{pluralize(evaluator.regressed, 'row')} regressed", "regressed"),
        Part(", "),
        Part(f"{format_count(evaluator.improved)} improved", "improved"),
    ]


def _tied_rows(evaluator: Metric) -> list[Part]:
    if evaluator.regressed + evaluator.improved == 0:
        return [Part(f"all {pluralize(evaluator.n, 'row')} have the same score")]
    return [*_changed_rows(evaluator), Part(", no significant difference")]


def verdict_sentence(baseline: str, evaluator: Metric, candidate: str | None = None) -> str:
    """For example `r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved.`"""
    return "".join(part.text for part in verdict_parts(baseline, evaluator, candidate))


def other_changes(
    evaluator: Metric, others: Sequence[Metric], cost: Metric | None, latency: Metric | None
) -> str | None:
    """For example `Also worse on faithfulness, 30.5 % cheaper.` None without such changes."""
    clauses = []
    for outcome in ("worse", "better"):
        names = [other.name for other in others if other.outcome == outcome]
        if names:
            prefix = "also " if evaluator.outcome == outcome else ""
            clauses.append(f"{prefix}{outcome} on {format_list(names)}")
    clauses += _measure_change(cost, "cheaper", "more expensive")
    clauses += _measure_change(latency, "faster", "slower")
    text = ", ".join(clauses)
    return f"{text[0].upper()}{text[1:]}." if text else None


def _measure_change(metric: Metric | None, better: str, worse: str) -> list[str]:
    if metric is None or metric.outcome not in ("better", "worse"):
        return []
    amount = ""
    if metric.delta is not None and metric.base_mean:
        amount = f"{format_percent(abs(metric.delta / metric.base_mean))} "
    return [f"{amount}{better if metric.outcome == 'better' else worse}"]


def format_list(names: Sequence[str], most: int = 3) -> str:
    """For example `a, b, c and 2 more`."""
    hidden_count = len(names) - most
    parts = [*names[:most], f"{hidden_count} more"] if hidden_count > 0 else list(names)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
