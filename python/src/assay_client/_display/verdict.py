"""The sentences that compare an evaluation with its baseline. The page has the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .numbers import RATE, SCORE, Unit, format_count, format_percent, format_short, pluralize

Outcome = Literal["better", "worse", "tied", "too-few"]
Chosen = Literal["declared", "marked", "previous"]

MIN_ROWS = 6
"""With fewer rows there is no outcome."""

_BASELINES: Mapping[str | None, str] = {
    "previous": "the previous run ",
    "marked": "the marked baseline ",
}


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
    detectable: float | None = None
    unit: Unit = SCORE
    higher_is_better: bool = True
    regressed: int = 0
    improved: int = 0
    unclear: int = 0
    is_evaluator: bool = True


class Part(NamedTuple):
    """A text of a sentence, and what it means."""

    text: str
    kind: Literal["text", "evaluation", "evaluator", "outcome", "regressed", "improved"] = "text"


@dataclass(frozen=True)
class Verdict:
    """What a sentence compares. Without a candidate, the subject is the displayed evaluation."""

    baseline: str
    evaluator: Metric
    candidate: str | None = None
    chosen: Chosen | None = None
    """Why the service chose the baseline. None if the user named it."""
    has_different_rows: bool = False


def verdict_parts(verdict: Verdict) -> list[Part]:
    """The parts of the sentence."""
    evaluator, outcome = verdict.evaluator, verdict.evaluator.outcome
    base = [Part(_BASELINES.get(verdict.chosen, "")), Part(verdict.baseline, "evaluation")]
    subject = [] if verdict.candidate is None else [Part(verdict.candidate, "evaluation")]
    on = [Part(" on "), Part(evaluator.name, "evaluator")]
    start = [*subject, Part(" cannot be compared with " if subject else "Cannot be compared with ")]
    if verdict.has_different_rows:
        return [*start, *base, Part(": these runs do not have the same rows.")]
    if evaluator.n == 0:
        return [*start, *base, *on, Part(": no matched row has a score in both.")]
    if outcome is None:
        rows = pluralize(evaluator.n, "row")
        return [*start, *base, *on, Part(f": all {rows} changed by the same amount.")]
    if outcome == "too-few":
        compared = [*subject, Part(" ")] if subject else []
        count = f"{format_count(evaluator.n)} with a score in both"
        rows = f": {count}, at least {MIN_ROWS} are needed."
        return [Part("Too few rows to compare "), *compared, Part("with "), *base, *on, Part(rows)]
    word = Part(outcome if subject else outcome.capitalize(), "outcome")
    if outcome == "tied":
        start = [word, Part(" with "), *base]
        if subject:
            start = [*subject, Part(" and "), *base, Part(" are "), word]
        return [*start, *on, Part(": "), *_tied_rows(evaluator), Part(".")]
    start = [*subject, Part(" is "), word] if subject else [word]
    return [*start, Part(" than "), *base, *on, Part(": "), *_changed_rows(evaluator), Part(".")]


def _changed_rows(evaluator: Metric) -> list[Part]:
    unclear = f", {format_count(evaluator.unclear)} unclear" if evaluator.unclear else ""
    return [
        Part(f"{pluralize(evaluator.regressed, 'row')} regressed", "regressed"),
        Part(", "),
        Part(f"{format_count(evaluator.improved)} improved", "improved"),
        Part(unclear),
    ]


def _tied_rows(evaluator: Metric) -> list[Part]:
    seen = ""
    if evaluator.detectable is not None:
        amount = format_amount(evaluator.detectable, evaluator.unit)
        seen = f"; a change of {amount} or more would have been seen"
    if evaluator.regressed + evaluator.improved + evaluator.unclear == 0:
        return [Part(f"all {pluralize(evaluator.n, 'row')} have the same score{seen}")]
    return [*_changed_rows(evaluator), Part(f", no clear change{seen}")]


def format_amount(change: float, unit: Unit) -> str:
    """For example `9 points` or `0.037`."""
    if unit is not RATE:
        return f"{unit.prefix}{format_short(change)}{unit.suffix}"
    points = format_short(change * 100)
    return f"{points} {'point' if points == '1' else 'points'}"


def count_rows(rows: int, scenarios: int) -> str:
    """For example `120 rows × 5` for 600 scenarios that are repeats of 120 rows."""
    text = pluralize(rows, "row")
    if scenarios == rows:
        return text
    if scenarios % rows == 0:
        return f"{text} × {format_count(scenarios // rows)}"
    return f"{text}, {pluralize(scenarios, 'scenario')}"


def verdict_sentence(verdict: Verdict) -> str:
    """For example `r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved.`"""
    return "".join(part.text for part in verdict_parts(verdict))


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
