"""An evaluation as HTML: its changes from the baseline, or its scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .addresses import evaluation_url, query_text
from .change_table import change_table, changes_text, evaluator_label, sentence_html
from .html_parts import (
    ACCENT,
    footer_html,
    link_html,
    name_html,
    note_html,
    section_html,
    table_html,
)
from .numbers import (
    DOLLARS,
    RATE,
    SCORE,
    SECONDS,
    Unit,
    format_count,
    format_fixed,
    format_mean,
    format_percent,
    format_range,
    fraction_digits,
    pluralize,
)
from .verdict import Metric, Part, Verdict, count_rows, verdict_parts

if TYPE_CHECKING:
    from ..types import Evaluation, EvaluationSummary, EvaluatorSummary


def evaluation_html(evaluation: Evaluation, summary: EvaluationSummary, url: str) -> str:
    """The HTML of an evaluation. With a baseline in the summary, the changes from it."""
    address = evaluation_url(url, evaluation["id"])
    parts = []
    if evaluation["status"] == "running":
        parts.append(_progress(evaluation))
    selected = _selected_evaluator(summary["evaluators"])
    base = summary.get("base")
    if selected is None:
        count = pluralize(evaluation["scenario_count"], "row")
        parts.append(sentence_html([Part(f"{count} without results.")]))
    elif base is not None and "base" in selected:
        metrics = _changed_metrics(summary)
        evaluator = next(metric for metric in metrics if metric.name == selected["name"])

        def rows_url(on: str, show: str) -> str:
            metric = next(metric for metric in metrics if metric.name == on)
            is_higher = metric.higher_is_better == (show == "improved")
            query = {f"delta.{on}": "gt.0" if is_higher else "lt.0", "base": base["id"]}
            return f"{address}?{query_text(query.items())}"

        name = base["name"] or base["id"]
        if (
            evaluation["variant_id"] is not None
            and base["variant_id"] == evaluation["variant_id"]
            and base["revision"] not in (None, evaluation["revision"])
        ):
            name = f"r{base['revision']}"
        sentence = verdict_parts(
            Verdict(
                name,
                evaluator,
                chosen=base["chosen"],
                has_different_rows=base["has_different_rows"],
            )
        )
        parts.append(sentence_html(sentence, evaluator, rows_url, changes_text(evaluator, metrics)))
        parts.append(change_table(metrics, ["baseline", "this"], rows_url))
    else:
        parts.append(sentence_html(_score_parts(selected)))
        parts.append(_score_table(summary))
    facts = [link_html(address, name_html(evaluation["name"] or evaluation["id"]))]
    if evaluation["status"] != "running":
        facts.append(count_rows(summary["rows"], summary["matched"]))
    if summary["output_errors"]:
        facts.append(f"{pluralize(summary['output_errors'], 'output')} failed")
    if evaluation["status"] == "failed":
        facts.append("the run ended early")
    parts.append(footer_html(facts))
    return section_html(*parts)


def _progress(evaluation: Evaluation) -> str:
    count, expected = evaluation["scenario_count"], evaluation["expected_count"]
    if not expected:
        return note_html(f"Running: {pluralize(count, 'row')}")
    share = min(1.0, count / expected) * 100
    bar = (
        f"display:inline-block;width:160px;height:6px;margin-right:8px;border-radius:3px;"
        f"vertical-align:middle;color:{ACCENT};"
        f"background:linear-gradient(90deg,currentColor {share:.1f}%,"
        f"color-mix(in srgb,currentColor 20%,transparent) {share:.1f}%)"
    )
    text = f"Running: {format_count(count)} of {pluralize(expected, 'row')}"
    return note_html(f'<span style="{bar}"></span>{text}')


def _selected_evaluator(evaluators: Sequence[EvaluatorSummary]) -> EvaluatorSummary | None:
    """The first evaluator with verdicts, else the first."""
    with_verdicts = (item for item in evaluators if item["passed"] is not None)
    return next(with_verdicts, evaluators[0] if evaluators else None)


def _has_verdicts(evaluator: EvaluatorSummary) -> bool:
    """Whether the mean is the pass rate. With a threshold, numbers have a pass rate, too."""
    mean, pass_rate = evaluator["mean"], evaluator["pass_rate"]
    return mean is not None and pass_rate is not None and abs(mean - pass_rate) < 1e-9


def _changed_metrics(summary: EvaluationSummary) -> list[Metric]:
    metrics = []
    for evaluator in summary["evaluators"]:
        unit = RATE if _has_verdicts(evaluator) else SCORE
        metrics += _metric(evaluator["name"], evaluator, unit, evaluator["higher_is_better"])
    metrics += _metric("cost", summary["cost"], DOLLARS, False, is_evaluator=False)
    metrics += _metric("latency", summary["latency"], SECONDS, False, is_evaluator=False)
    return metrics


def _metric(
    name: str, statistics: Any, unit: Unit, higher_is_better: bool, is_evaluator: bool = True
) -> list[Metric]:
    base = statistics.get("base")
    if base is None:
        return []
    mean, delta = base["mean"], base["delta"]
    return [
        Metric(
            name=name,
            n=base["n"],
            base_mean=mean,
            # The mean of the same pairs, so that it differs from that of the baseline by `delta`.
            mean=None if mean is None or delta is None else mean + delta,
            delta=delta,
            interval=base["interval"],
            outcome=base["outcome"],
            detectable=base["detectable"],
            unit=unit,
            higher_is_better=higher_is_better,
            regressed=base["regressed"],
            improved=base["improved"],
            unclear=base["unclear"],
            is_evaluator=is_evaluator,
        )
    ]


def _score_parts(evaluator: EvaluatorSummary) -> list[Part]:
    """For example `70.1 % pass answer_correct: 35 rows failed, 82 passed.`"""
    name = Part(evaluator["name"], "evaluator")
    mean, passed, failed = evaluator["mean"], evaluator["passed"], evaluator["failed"]
    if mean is None:
        return [name, Part(f" has {pluralize(evaluator['texts'], 'label')}.")]
    if _has_verdicts(evaluator):
        start = [Part(f"{format_fixed(mean * 100, 1)} %", "evaluator"), Part(" pass "), name]
    else:
        value = format_mean(mean, SCORE, fraction_digits([mean], SCORE))
        start = [Part("Mean "), Part(value, "evaluator"), Part(" on "), name]
    if passed is None or failed is None:
        return [*start, Part(f" over {pluralize(evaluator['n'], 'row')}.")]
    if evaluator.get("repeats", 1) > 1:
        return [*start, Part(f": {_repeats_text(evaluator)}.")]
    counts = f"{pluralize(failed, 'row')} failed, {format_count(passed)} passed"
    return [*start, Part(f": {counts}.")]


def _repeats_text(evaluator: EvaluatorSummary) -> str:
    """For example `120 rows × 5, 14 flaky, 74.6 % pass every time, 86.4 % at least once`."""
    rows, flaky = evaluator.get("rows", 0), evaluator.get("flaky") or 0
    every = format_percent(evaluator.get("pass_all") or 0)
    once = format_percent(evaluator.get("pass_any") or 0)
    return (
        f"{count_rows(rows, evaluator['n'])}, {format_count(flaky)} flaky, "
        f"{every} pass every time, {once} at least once"
    )


def _score_table(summary: EvaluationSummary) -> str:
    rows = []
    for evaluator in summary["evaluators"]:
        mean, pass_rate, texts = evaluator["mean"], evaluator["pass_rate"], evaluator["texts"]
        value = format_mean(mean, SCORE, fraction_digits([mean], SCORE))
        if mean is None and texts:
            value = "labels"
        rows.append(
            [
                evaluator_label(evaluator["name"], evaluator["higher_is_better"]),
                "" if pass_rate is None else f"{format_fixed(pass_rate * 100, 1)} %",
                "" if _has_verdicts(evaluator) else value,
                _score_interval(evaluator),
                format_count(evaluator["n"] or texts),
                format_count(evaluator["errors"]),
            ]
        )
    for name, measurement, unit in (
        ("cost", summary["cost"], DOLLARS),
        ("latency", summary["latency"], SECONDS),
    ):
        if measurement["n"]:
            mean = measurement["mean"]
            digits = fraction_digits([mean], unit)
            rows.append(
                [
                    name,
                    "",
                    format_mean(mean, unit, digits),
                    format_range(measurement["mean_interval"], unit, digits),
                    format_count(measurement["n"]),
                    "",
                ]
            )
    return table_html(["", "pass rate", "mean", "95 % confidence interval", "n", "errors"], rows)


def _score_interval(evaluator: EvaluatorSummary) -> str:
    """The confidence interval of the pass rate, else of the mean."""
    if evaluator["pass_rate"] is not None:
        return format_range(evaluator["pass_rate_interval"], RATE, 1)
    return format_range(
        evaluator["mean_interval"], SCORE, fraction_digits([evaluator["mean"]], SCORE)
    )
