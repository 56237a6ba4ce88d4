"""The methods of the client that read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from . import frames, types
from ._comparison_windows import read_windows
from ._http import HttpClient, QueryValue
from .display import DisplayedComparison, DisplayedEvaluation, DisplayedLeaderboard
from .records import Records

Filters = Mapping[str, str | Sequence[str]]
"""Filters by name, such as {"result.correct": "is.false", "latency": ["gte.1", "lt.2"]}."""

Include = str | Sequence[str]
RowClass = Literal["all", "regressed", "improved", "same", "unclear", "incomparable", "missing"]

# The methods set these parameters, so they are not filters.
_RESERVED = ("format", "csv", "limit", "cursor", "offset", "preview", "locate", "side")


class Reads:
    """The base class of Client."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    @property
    def url(self) -> str:
        """The address of the page, without a slash at the end."""
        return self._http.page_url

    def scenarios(
        self,
        evaluation: str,
        filters: Filters | None = None,
        *,
        order: str | None = None,
        include: Include | None = None,
    ) -> Records[types.EvaluationScenario]:
        """Reads the scenarios of an evaluation one by one. `.frame()` returns a DataFrame.

        `filters` are those of the API, such as {"result.correct": "is.false"}. `order` is such as
        "latency.desc". With include="extra", scenarios contain the reasons of their scores.
        """
        query = _query(filters, order=order, include=_join(include))
        path = ["evaluations", evaluation, "evaluation_scenarios"]
        return Records(self._http.stream(path, query), frames.scenario_table)

    def revisions(
        self, variant: str, *, include: Include | None = None
    ) -> Records[types.VariantRevision]:
        """Reads the revisions of a variant."""
        query = _query(None, include=_join(include))
        return Records(
            self._http.stream(["variants", variant, "revisions"], query), frames.revision_table
        )

    def evaluations(
        self,
        filters: Filters | None = None,
        *,
        order: str | None = None,
        include: Include | None = None,
    ) -> Records[types.Evaluation]:
        """Reads the matching evaluations, by default the newest first."""
        query = _query(filters, order=order, include=_join(include))
        return Records(self._http.pages(["evaluations"], query), frames.evaluation_table)

    def variants(
        self, filters: Filters | None = None, *, order: str | None = None
    ) -> Records[types.Variant]:
        """Reads the matching variants, by default the newest first."""
        query = _query(filters, order=order)
        return Records(self._http.pages(["variants"], query), frames.variant_table)

    def comparison_rows(
        self,
        baseline: str,
        *candidates: str,
        filters: Filters | None = None,
        on: str | None = None,
        show: RowClass | None = None,
        order: str | None = None,
        join: str | None = None,
    ) -> Records[types.ComparisonRow]:
        """Reads the paired rows of two to four evaluations. `.frame()` returns a DataFrame.

        on="correct", show="regressed" reads the rows that got worse on the evaluator `correct`.
        Texts are cut after 100,000 characters. The member `cut` of a row lists these texts.
        """
        query = _query(
            filters,
            evaluation=[baseline, *candidates],
            by=join,
            on=on,
            show=show,
            order=order,
        )
        return Records(read_windows(self._http, query), frames.comparison_table)

    def get_evaluation(self, id: str) -> types.Evaluation:
        """Returns one evaluation. Displayed as a table in a notebook."""
        evaluation = self._http.get(["evaluations", id])

        def read_summary(base: str) -> types.EvaluationSummary:
            return self.summary(id, base=base)

        return cast(types.Evaluation, DisplayedEvaluation(evaluation, self.url, read_summary))

    def get_scenario(
        self, evaluation: str, id: str, *, include: Include | None = None
    ) -> types.EvaluationScenario:
        """Returns one scenario."""
        path = ["evaluations", evaluation, "evaluation_scenarios", id]
        query = _query(None, include=_join(include))
        return cast(types.EvaluationScenario, self._http.get(path, query))

    def get_variant(self, id: str) -> types.Variant:
        """Returns one variant."""
        return cast(types.Variant, self._http.get(["variants", id]))

    def get_revision(self, variant: str, revision: int) -> types.VariantRevision:
        """Returns one revision of a variant."""
        path: list[str | int] = ["variants", variant, "revisions", revision]
        return cast(types.VariantRevision, self._http.get(path))

    def summary(
        self, evaluation: str, filters: Filters | None = None, *, base: str | None = None
    ) -> types.EvaluationSummary:
        """Returns counts and statistics of the matching rows, optionally compared with `base`.

        `base` is the id of an evaluation. base="" selects the default baseline: the declared one,
        else the newest marked one of the variant, else the previous run.
        """
        query = _query(filters, base=base)
        path = ["evaluations", evaluation, "summary"]
        return cast(types.EvaluationSummary, self._http.get(path, query))

    def breakdown(
        self,
        evaluation: str,
        by: str,
        filters: Filters | None = None,
        *,
        base: str | None = None,
        order: str | None = None,
    ) -> types.Breakdown:
        """Returns statistics of groups of the matching rows, such as by="input.language".

        With `base`, each group has its change from that evaluation. A group order is such as
        "contribution.correct.asc": the groups that explain most of a loss of `correct` are first.
        """
        query = _query(filters, by=by, base=base, order=order)
        path = ["evaluations", evaluation, "breakdown"]
        return cast(types.Breakdown, self._http.get(path, query))

    def compare(
        self,
        baseline: str,
        *candidates: str,
        join: str | None = None,
        on: str | Sequence[str] | None = None,
        tolerance: float | None = None,
        max_loss: float | None = None,
        max_regressed: int | None = None,
        min_matched: float | None = None,
    ) -> DisplayedComparison:
        """Compares one to three candidates with a baseline.

        A notebook displays the result as a table, `print` writes the verdict, and `gate()` is the
        decision whether a candidate is worse.

        `join` pairs the rows by "id", "input", "input.<name>" or "position". By default, ids are
        tried first, then inputs. The other parameters are rules of the gate: `on` names the
        evaluators that are checked, and 0.02 is 2 points of a pass rate.
        """
        query = _query(
            None,
            evaluation=[baseline, *candidates],
            by=join,
            on=on if on is None or isinstance(on, str) else ",".join(on),
            tolerance=tolerance,
            max_loss=max_loss,
            max_regressed=max_regressed,
            min_matched=min_matched,
        )
        return DisplayedComparison(self._http.get(["comparisons"], query), self.url)

    def leaderboard(
        self,
        *evaluations: str,
        filters: Filters | None = None,
        on: str | None = None,
        join: str | None = None,
    ) -> DisplayedLeaderboard:
        """Ranks 2 to 50 evaluations by an evaluator, over the rows that all of them have.

        A notebook displays the result as a table, and `.frame()` returns a DataFrame. Instead of
        ids, `filters` selects the newest 50 evaluations that match, such as
        {"variant_id": "eq.support-answer"}. `on` is the evaluator, by default the one that the most
        evaluations have. `join` pairs the rows, as in `compare`.
        """
        query = _query(filters, evaluation=list(evaluations) or None, on=on, by=join)
        return DisplayedLeaderboard(self._http.get(["leaderboards"], query), self.url)

    def history(self, evaluation: str, scenario: str) -> types.ScenarioHistory:
        """Returns the same row in the newest evaluations of the variant, the newest first."""
        path = ["evaluations", evaluation, "evaluation_scenarios", scenario, "history"]
        return cast(types.ScenarioHistory, self._http.get(path))

    def agreement(
        self, evaluation: str, evaluator: str, truth: str, filters: Filters | None = None
    ) -> types.Agreement:
        """Returns how well an evaluator agrees with another one, such as the verdicts of people."""
        query = _query(filters, evaluator=evaluator, **{"with": truth})
        path = ["evaluations", evaluation, "agreement"]
        return cast(types.Agreement, self._http.get(path, query))

    def diff(self, variant: str, old: int, new: int) -> types.RevisionDiff:
        """Returns the changes from one revision of a variant to another."""
        path: list[str | int] = ["variants", variant, "revisions", old, "diff", new]
        return cast(types.RevisionDiff, self._http.get(path))


def _query(filters: Filters | None, **parameters: QueryValue) -> dict[str, QueryValue]:
    if not (filters is None or isinstance(filters, Mapping)):
        raise TypeError('filters must be a dict, such as {"latency": "gte.1"}.')
    for name in filters or {}:
        if name in _RESERVED:
            raise ValueError(f"{name!r} is not a filter. All matching records are read.")
    given = {name: value for name, value in parameters.items() if value is not None}
    return {**(filters or {}), **given}


def _join(include: Include | None) -> str | None:
    return include if include is None or isinstance(include, str) else ",".join(include)
