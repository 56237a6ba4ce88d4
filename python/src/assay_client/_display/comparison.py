"""A comparison as text and as HTML: for each candidate the verdict sentence and a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .addresses import comparison_url
from .change_table import change_table, changes_text, sentence_html
from .html_parts import footer_html, link_html, name_html, note_html, section_html
from .numbers import DOLLARS, RATE, SCORE, SECONDS, format_count, pluralize
from .verdict import Metric, Part, Verdict, count_rows, verdict_parts

if TYPE_CHECKING:
    from ..types import ComparedCandidate, Comparison


def comparison_text(comparison: Comparison, url: str) -> str:
    """One line for each candidate with the verdict sentence, the warnings, and the page's URL."""
    baseline = _short_name(comparison, comparison["evaluations"][0]["id"])
    lines = []
    for candidate in comparison["candidates"]:
        name = _short_name(comparison, candidate["id"])
        sentence, _, changes = _verdict(comparison, candidate, baseline, name)
        lines.append("".join(part.text for part in sentence) + (f" {changes}" if changes else ""))
    lines += [f"Warning: {warning['detail']}" for warning in comparison["warnings"]]
    ids = [evaluation["id"] for evaluation in comparison["evaluations"]]
    return "\n".join([*lines, comparison_url(url, comparison, ids)])


def comparison_html(comparison: Comparison, url: str) -> str:
    """The HTML of a comparison: for each candidate the verdict sentence and a table."""
    baseline = comparison["evaluations"][0]["id"]
    parts = []
    for candidate in comparison["candidates"]:
        others = [other["id"] for other in comparison["candidates"] if other is not candidate]
        # The page counts the rows of the first candidate.
        ids = [baseline, candidate["id"], *others]
        parts.append(_candidate_html(comparison, candidate, url, ids))
    return section_html(*parts, *_warnings(comparison))


def _candidate_html(
    comparison: Comparison, candidate: ComparedCandidate, url: str, ids: Sequence[str]
) -> str:
    baseline_name, name = (_short_name(comparison, id_) for id_ in ids[:2])
    sentence, evaluator, changes = _verdict(comparison, candidate, baseline_name, name)

    def rows_url(on: str, show: str) -> str:
        return comparison_url(url, comparison, ids, show=show, on=on)

    headings = [baseline_name, name]
    if max(map(len, headings)) > 20:
        headings = ["baseline", "candidate"]
    rows = pluralize(candidate["matched"], "row")
    facts = [
        link_html(comparison_url(url, comparison, ids), "Open comparison"),
        f"{rows} matched by {name_html(comparison['join']['by'])}",
    ]
    if candidate["only_in_base"]:
        facts.append(f"{format_count(candidate['only_in_base'])} only in the baseline")
    if candidate["only_in_candidate"]:
        facts.append(f"{format_count(candidate['only_in_candidate'])} only in the candidate")
    facts += _repeats(comparison, candidate)
    return (
        sentence_html(sentence, evaluator, rows_url, changes)
        + change_table(_compared_metrics(candidate), headings, rows_url)
        + footer_html(facts)
    )


def _repeats(comparison: Comparison, candidate: ComparedCandidate) -> list[str]:
    """The rows and repeats of both evaluations, if one of them has repeats."""
    baseline, *candidates = comparison["evaluations"]
    compared = next(each for each in candidates if each["id"] == candidate["id"])
    sides = (("baseline", baseline), ("candidate", compared))
    if all(side["row_count"] == side["scenario_count"] for _, side in sides):
        return []
    return [
        f"{name}: {count_rows(side['row_count'], side['scenario_count'])}" for name, side in sides
    ]


def _verdict(
    comparison: Comparison, candidate: ComparedCandidate, baseline_name: str, name: str
) -> tuple[list[Part], Metric | None, str | None]:
    """Returns the sentence, the evaluator that it is about, and the changes of the others."""
    metrics = _compared_metrics(candidate)
    selected = _default_evaluator(comparison, candidate)
    evaluator = next((metric for metric in metrics if metric.name == selected), None)
    names = [Part(name, "evaluation"), Part(" and "), Part(baseline_name, "evaluation")]
    if candidate["matched"] == 0:
        return [*names, Part(" have no matching rows.")], evaluator, None
    is_different = candidate["has_different_rows"]
    has_scores = any(metric.n > 0 for metric in metrics if metric.is_evaluator)
    if evaluator is None or not (has_scores or is_different):
        outputs = pluralize(candidate["matched"], "matched output")
        changed = f"{format_count(candidate['outputs_changed'])} of {outputs} differ."
        return [*names, Part(f" have no scores in common. {changed}")], evaluator, None
    verdict = Verdict(baseline_name, evaluator, name, has_different_rows=is_different)
    return verdict_parts(verdict), evaluator, changes_text(evaluator, metrics)


def _compared_metrics(candidate: ComparedCandidate) -> list[Metric]:
    metrics = [
        Metric(
            name=evaluator["name"],
            n=evaluator["n"],
            base_mean=evaluator["base_mean"],
            mean=evaluator["mean"],
            delta=evaluator["delta"],
            interval=evaluator["interval"],
            outcome=evaluator["outcome"],
            detectable=evaluator["detectable"],
            unit=RATE if evaluator["is_verdict"] else SCORE,
            higher_is_better=evaluator["higher_is_better"],
            regressed=evaluator["classes"]["regressed"],
            improved=evaluator["classes"]["improved"],
            unclear=evaluator["classes"]["unclear"],
        )
        for evaluator in candidate["evaluators"]
    ]
    for name, statistics, unit in (
        ("cost", candidate["cost"], DOLLARS),
        ("latency", candidate["latency"], SECONDS),
    ):
        metrics.append(
            Metric(
                name=name,
                n=statistics["n"],
                base_mean=statistics["base_mean"],
                mean=statistics["mean"],
                delta=statistics["delta"],
                interval=statistics["interval"],
                outcome=statistics["outcome"],
                detectable=statistics["detectable"],
                unit=unit,
                higher_is_better=False,
                is_evaluator=False,
            )
        )
    return metrics


def _default_evaluator(comparison: Comparison, candidate: ComparedCandidate) -> str | None:
    """The evaluator of the sentence: the first that is worse, better, in both evaluations, or any."""
    if not candidate["has_different_rows"]:
        for outcome in ("worse", "better"):
            for evaluator in candidate["evaluators"]:
                if evaluator["outcome"] == outcome:
                    return evaluator["name"]
    missing = {
        warning["evaluator"]
        for warning in comparison["warnings"]
        if warning["code"] == "evaluator-missing" and warning["evaluation"] == candidate["id"]
    }
    names = [evaluator["name"] for evaluator in candidate["evaluators"]]
    return next((name for name in names if name not in missing), names[0] if names else None)


def _short_name(comparison: Comparison, id_: str) -> str:
    """`r5` if all evaluations have different revisions of one variant, else the name."""
    evaluations = comparison["evaluations"]
    variants = {evaluation["variant_id"] for evaluation in evaluations}
    revisions = {evaluation["revision"] for evaluation in evaluations}
    evaluation = next(evaluation for evaluation in evaluations if evaluation["id"] == id_)
    if (
        len(variants) == 1
        and len(revisions) == len(evaluations)
        and not {None} & (variants | revisions)
    ):
        return f"r{evaluation['revision']}"
    return evaluation["name"] or evaluation["id"]


def _warnings(comparison: Comparison, most: int = 4) -> list[str]:
    warnings = comparison["warnings"]
    lines = [f"Warning: {name_html(warning['detail'], 400)}" for warning in warnings[:most]]
    if len(warnings) > most:
        lines.append(f"{pluralize(len(warnings) - most, 'more warning')}.")
    return [note_html(line) for line in lines]
