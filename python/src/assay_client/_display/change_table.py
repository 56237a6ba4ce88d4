"""The sentence, table and chart of changes from a baseline, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from .html_parts import (
    COLORS,
    GRAY,
    MUTED,
    escape,
    link_html,
    name_html,
    note_html,
    table_html,
    title_html,
)
from .numbers import format_change, format_count, format_interval, format_mean, fraction_digits
from .verdict import Metric, Part, format_list, other_changes

RowsUrl = Callable[[str, Literal["regressed", "improved"]], str]
"""Returns the address of the rows that changed on an evaluator."""

_TRIANGLES: Mapping[str | None, str] = {"better": "▲ ", "worse": "▼ "}
_CHART_WIDTH = 100
_CHART_HEIGHT = 28
_AXIS = f"display:inline-flex;justify-content:space-between;width:{_CHART_WIDTH}px"


def changes_text(evaluator: Metric, metrics: Sequence[Metric]) -> str | None:
    others = [metric for metric in metrics if metric.is_evaluator and metric is not evaluator]
    measures = {metric.name: metric for metric in metrics if not metric.is_evaluator}
    return other_changes(evaluator, others, measures.get("cost"), measures.get("latency"))


def sentence_html(
    parts: Iterable[Part],
    evaluator: Metric | None = None,
    rows_url: RowsUrl | None = None,
    changes: str | None = None,
) -> str:
    texts = []
    for text, kind in parts:
        if kind == "evaluation":
            texts.append(name_html(text, 60))
        elif kind == "evaluator":
            texts.append(f"<strong>{name_html(text, 60)}</strong>")
        elif kind == "outcome":
            texts.append(outcome_html(text, text.lower()))
        elif kind in ("regressed", "improved") and evaluator and rows_url:
            texts.append(link_html(rows_url(evaluator.name, kind), escape(text), quiet=True))
        else:
            texts.append(escape(text))
    muted = f' <span style="{MUTED}">{name_html(changes, 300)}</span>' if changes else ""
    return title_html(f"{''.join(texts)}{muted}")


def outcome_html(text: str, outcome: str | None) -> str:
    color = f";color:{COLORS[outcome]}" if outcome in COLORS else ""
    return f'<strong style="white-space:nowrap{color}">{_TRIANGLES.get(outcome, "")}{text}</strong>'


def change_table(metrics: Sequence[Metric], names: Sequence[str], rows_url: RowsUrl) -> str:
    limit = _chart_limit(metrics)
    has_unclear = any(metric.unclear for metric in metrics)
    rows = []
    for metric in metrics:
        if metric.n == 0:
            continue
        unit = metric.unit
        digits = fraction_digits([metric.base_mean, metric.mean, metric.delta], unit)
        change = format_change(metric.delta, unit, digits, unit.change_suffix)
        label = metric.name
        if metric.is_evaluator:
            label = evaluator_label(metric.name, metric.higher_is_better)
        rows.append(
            [
                label,
                format_mean(metric.base_mean, unit, digits),
                format_mean(metric.mean, unit, digits),
                outcome_html(change, metric.outcome) if metric.outcome in COLORS else change,
                _chart(metric, limit),
                "too few rows"
                if metric.outcome == "too-few"
                else format_interval(metric.interval, unit, digits),
                _count_html(metric, "regressed", rows_url),
                _count_html(metric, "improved", rows_url),
                *([format_count(metric.unclear) if metric.is_evaluator else ""] * has_unclear),
                format_count(metric.n),
            ]
        )
    axis = f'<span style="{_AXIS}"><span>worse</span> <span>better</span></span>'
    interval = "95 % confidence interval"
    headings = ["", *(name_html(name) for name in names), "change", axis, interval, "regressed"]
    headings += ["improved", *(["unclear"] * has_unclear), "n"]
    table = table_html(headings, rows) if rows else ""
    names = [metric.name for metric in metrics if metric.is_evaluator and metric.n == 0]
    if not names:
        return table
    return f"{table}{note_html(f'No scores in common: {name_html(format_list(names), 200)}.')}"


def evaluator_label(name: str, higher_is_better: bool) -> str:
    direction = "" if higher_is_better else f' <span style="{MUTED}">lower is better</span>'
    return f"{name_html(name)}{direction}"


def _count_html(metric: Metric, show: Literal["regressed", "improved"], rows_url: RowsUrl) -> str:
    if not metric.is_evaluator:
        return ""
    count = metric.regressed if show == "regressed" else metric.improved
    text = format_count(count)
    return link_html(rows_url(metric.name, show), text, quiet=True) if count else text


def _chart(metric: Metric, limit: float) -> str:
    """The change and its confidence interval. Right of the line is better."""
    half, middle = _CHART_WIDTH / 2, _CHART_HEIGHT // 2

    def position(points: float) -> float:
        return half + (half - 4) * max(-1.0, min(1.0, points / limit))

    layers = []
    change = _points(metric, metric.delta)
    ends = [_points(metric, end) for end in metric.interval or ()]
    if change is not None:
        dot = "radial-gradient(circle closest-side,currentColor 85%,transparent)"
        layers.append(f"{dot} {position(change) - 4:.1f}px {middle - 4}px/8px 8px")
    if ends:
        low, high = sorted(position(end or 0) for end in ends)
        bar = "linear-gradient(currentColor,currentColor)"
        layers.append(f"{bar} {low:.1f}px {middle - 1}px/{high - low:.1f}px 2px")
    layers.append(f"linear-gradient({GRAY},{GRAY}) {half - 0.5}px 0/1px {_CHART_HEIGHT}px")
    color = COLORS.get(metric.outcome, "color-mix(in srgb,currentColor 60%,transparent)")
    background = ",".join(f"{layer} no-repeat" for layer in layers)
    return (
        f'<span aria-hidden="true" style="display:block;width:{_CHART_WIDTH}px;'
        f'height:{_CHART_HEIGHT}px;margin:-5px 0;color:{color};background:{background}"></span>'
    )


def _chart_limit(metrics: Sequence[Metric]) -> float:
    points = [
        abs(_points(metric, value) or 0)
        for metric in metrics
        if metric.is_evaluator
        for value in (metric.delta, *(metric.interval or ()))
    ]
    return next((limit for limit in (5, 10, 20, 50) if limit >= max(points, default=0)), 100)


def _points(metric: Metric, value: float | None) -> float | None:
    """A change in percentage points, or in percent of the baseline. Positive if better."""
    if value is None:
        return None
    sign = 1 if metric.higher_is_better else -1
    values = (metric.base_mean or 0, metric.mean or 0, *(metric.interval or ()))
    if metric.is_evaluator and all(abs(item) <= 1 for item in values):
        return sign * value * 100
    return sign * value / abs(metric.base_mean) * 100 if metric.base_mean else None
