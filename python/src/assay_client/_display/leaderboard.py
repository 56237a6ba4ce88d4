"""A leaderboard as text and as HTML: which evaluations can be the best, and a table of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .addresses import evaluation_url
from .change_table import evaluator_label, outcome_html
from .html_parts import (
    COLORS,
    footer_html,
    link_html,
    name_html,
    note_html,
    section_html,
    table_html,
    title_html,
)
from .numbers import (
    DOLLARS,
    RATE,
    SCORE,
    SECONDS,
    Unit,
    format_change,
    format_mean,
    format_range,
    fraction_digits,
    pluralize,
)
from .verdict import format_list

if TYPE_CHECKING:
    from ..types import Leaderboard, RankedEvaluation

_NameOf = Callable[["RankedEvaluation"], str]


def leaderboard_text(leaderboard: Leaderboard) -> str:
    """The best evaluations, one line for each evaluation with its rank and score, and warnings."""
    name_of = _choose_names(leaderboard)
    unit, digits = _score_format(leaderboard)
    lines = [_describe_best(leaderboard, name_of)]
    for evaluation in leaderboard["evaluations"]:
        score = format_mean(evaluation["mean"], unit, digits)
        lines.append(f"{_format_rank(evaluation)}: {name_of(evaluation)}, {score}")
    lines += [f"Warning: {warning['detail']}" for warning in leaderboard["warnings"]]
    return "\n".join(lines)


def leaderboard_html(leaderboard: Leaderboard, url: str) -> str:
    """The HTML of a leaderboard: which evaluations can be the best, and a table of all."""
    name_of = _choose_names(leaderboard)
    facts = [
        pluralize(leaderboard["shared_rows"], "shared row"),
        f"ranked by {evaluator_label(leaderboard['on'], leaderboard['higher_is_better'])}",
        *_frontiers(leaderboard, name_of),
    ]
    warnings = [
        note_html(f"Warning: {name_html(warning['detail'], 400)}")
        for warning in leaderboard["warnings"]
    ]
    return section_html(
        title_html(name_html(_describe_best(leaderboard, name_of), 300)),
        table_html(_headings(leaderboard), _rows(leaderboard, url, name_of)),
        footer_html(facts),
        *warnings,
    )


def _choose_names(leaderboard: Leaderboard) -> _NameOf:
    """Names if all are different, otherwise ids."""
    names = {evaluation["name"] for evaluation in leaderboard["evaluations"]}
    are_distinct = len(names) == len(leaderboard["evaluations"]) and None not in names

    def name_of(evaluation: RankedEvaluation) -> str:
        return (evaluation["name"] if are_distinct else None) or evaluation["id"]

    return name_of


def _describe_best(leaderboard: Leaderboard, name_of: _NameOf) -> str:
    def quote(evaluation: RankedEvaluation) -> str:
        return f"'{name_of(evaluation)}'"

    evaluations = leaderboard["evaluations"]
    best, *others = [each for each in evaluations if each["rank"][0] == 1]
    if best["rank"][1] == 1:
        return f"{quote(best)} is certainly better than all others."
    text = f"{quote(best)} has the best score"
    if not others:
        return f"{text}, and no other one can be the best."
    if len(others) == len(evaluations) - 1:
        return f"{text}, but none of the others is certainly worse."
    return f"{text}. These can be as good: {format_list([quote(each) for each in others])}."


def _score_format(leaderboard: Leaderboard) -> tuple[Unit, int]:
    unit = RATE if leaderboard["is_verdict"] else SCORE
    values: list[float | None] = []
    for evaluation in leaderboard["evaluations"]:
        values += [evaluation["mean"], *(evaluation["interval"] or ())]
    return unit, fraction_digits(values, unit)


def _headings(leaderboard: Leaderboard) -> list[str]:
    score = "pass rate" if leaderboard["is_verdict"] else "mean"
    interval = "95 % confidence interval"
    return ["", "rank", score, interval, "change to best", "cost", "latency p50", "p95"]


def _rows(leaderboard: Leaderboard, url: str, name_of: _NameOf) -> list[list[str]]:
    evaluations = leaderboard["evaluations"]
    unit, digits = _score_format(leaderboard)
    cost_digits = fraction_digits([each["cost"]["mean"] for each in evaluations], DOLLARS)
    latency_digits = fraction_digits([each["latency"]["p50"] for each in evaluations], SECONDS)
    return [
        [
            link_html(evaluation_url(url, each["id"]), name_html(name_of(each)), quiet=True),
            _format_rank(each),
            format_mean(each["mean"], unit, digits),
            format_range(each["interval"], unit, digits),
            _change(each, unit, digits),
            format_mean(each["cost"]["mean"], DOLLARS, cost_digits),
            format_mean(each["latency"]["p50"], SECONDS, latency_digits),
            format_mean(each["latency"]["p95"], SECONDS, latency_digits),
        ]
        for each in evaluations
    ]


def _format_rank(evaluation: RankedEvaluation) -> str:
    best, worst = evaluation["rank"]
    return str(best) if best == worst else f"{best} to {worst}"


def _change(evaluation: RankedEvaluation, unit: Unit, digits: int) -> str:
    change = evaluation["change"]
    if change is None:
        return ""
    outcome = change["outcome"]
    if outcome == "too-few":
        return "too few rows"
    text = format_change(change["delta"], unit, digits, unit.change_suffix)
    return outcome_html(text, outcome) if outcome in COLORS else text


def _frontiers(leaderboard: Leaderboard, name_of: _NameOf) -> list[str]:
    """The evaluations that no other one beats in both score and cost, or score and latency."""
    facts = []
    for measure in ("cost", "latency"):
        names = [
            f"'{name_of(each)}'"
            for each in leaderboard["evaluations"]
            if (each["cost"] if measure == "cost" else each["latency"])["on_frontier"]
        ]
        if names:
            facts.append(f"best for the {measure}: {name_html(format_list(names), 200)}")
    return facts
