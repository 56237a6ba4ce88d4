"""The client of one Assay service."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from . import frames, types
from ._comparison_windows import read_windows
from ._http import HttpClient, Query, QueryValue
from ._scenarios import encode, to_json_value
from ._tables import Columns, iterate_scenario_arguments
from .display import DisplayedComparison, DisplayedEvaluation
from .records import Records

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .run import EvaluationRun

DEFAULT_URL = "http://127.0.0.1:8080"

Filters = Mapping[str, str | Sequence[str]]
"""Filters by name, such as {"result.correct": "is.false", "latency": ["gte.1", "lt.2"]}."""

Include = str | Sequence[str]
OnConflict = Literal["error", "skip", "replace"]
RowClass = Literal["all", "regressed", "improved", "same", "incomparable", "missing"]

# The methods set these parameters, so they are not filters.
_RESERVED = ("format", "csv", "limit", "cursor", "offset", "preview", "locate", "side")
# The service reads and stores a whole file before it responds.
_IMPORT_TIMEOUT = 3600.0


class Client:
    """A client of one Assay service. Can be used by several threads.

    Methods raise AssayError for an error response, and AssayConnectionError if the connection fails
    or a response is incomplete.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        """`url` is the address of the page. The defaults are the variables ASSAY_URL and ASSAY_KEY.

        `timeout` is the longest wait for the connection and for each part of a response, in
        seconds. `retries` is the maximum number of retries after temporary failures.
        """
        url = url or os.environ.get("ASSAY_URL") or DEFAULT_URL
        key = key or os.environ.get("ASSAY_KEY") or None
        self._http = HttpClient(url, key, timeout=timeout, retries=retries)

    @property
    def url(self) -> str:
        """The address of the page, without a slash at the end."""
        return self._http.page_url

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

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

        def read_summary(base: str | None) -> types.EvaluationSummary:
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
        """Returns counts and statistics of the matching rows, optionally compared with `base`."""
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

    def compare(self, baseline: str, *candidates: str, join: str | None = None) -> types.Comparison:
        """Compares one to three candidates with a baseline.

        A notebook displays the result as a table, and `print` writes the verdict.

        `join` pairs the rows by "id", "input", "input.<name>" or "position". By default, ids are
        tried first, then inputs.
        """
        query = _query(None, evaluation=[baseline, *candidates], by=join)
        comparison = self._http.get(["comparisons"], query)
        return cast(types.Comparison, DisplayedComparison(comparison, self.url))

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

    def add_results(
        self, evaluation: str, results: Iterable[types.NewResult]
    ) -> types.AddedResults:
        """Adds results to existing scenarios, all or none.

        A result replaces the one that the same evaluator has given to the scenario before.
        """
        body = b"".join(encode(to_json_value(result, "results")) for result in results)
        added = self._http.write(
            "POST",
            ["evaluations", evaluation, "results"],
            body,
            content_type="application/x-ndjson",
        )
        return cast(types.AddedResults, added)

    def import_file(
        self, path: str | os.PathLike[str], **options: Unpack[types.ImportFileQuery]
    ) -> types.ImportReport:
        """Imports a result file of another tool. The options are those of `POST /api/imports`."""
        file = Path(path)
        report = self._http.write(
            "POST",
            ["imports"],
            lambda: file.open("rb"),
            query={"name": file.name, **cast(Query, options)},
            content_type="application/octet-stream",
            timeout=_IMPORT_TIMEOUT,
        )
        return cast(types.ImportReport, report)

    def request(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: Sequence[str | int],
        *,
        query: Query | None = None,
        body: Any = None,
        if_match: str | None = None,
    ) -> Any:
        """Sends a request to any operation of the API and returns the parsed response.

        `path` contains the parts after `/api`, such as ["evaluations", "nightly"]. They are
        encoded. `body` is sent as JSON.
        """
        if method == "GET":
            return self._http.get(path, query)
        # The service does not store responses with a new key, so this request is not repeated.
        is_repeatable = not (method == "POST" and [*path[:1]] == ["shares"])
        return self._http.write(
            method,
            path,
            None if body is None else _to_json(body),
            query=query,
            if_match=if_match,
            is_repeatable=is_repeatable,
        )

    def evaluation(
        self,
        id: str,
        *,
        name: str | None = None,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        baseline: str | None = None,
        evaluators: Sequence[types.EvaluatorWrite] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        expected_count: int | None = None,
        on_conflict: OnConflict | None = None,
    ) -> EvaluationRun:
        """Returns a run that writes an evaluation. Use it in a `with` statement.

        `variant` is what is evaluated, and `config` its prompt, model and settings: stored as a
        new revision if it differs from the last one. `baseline` is the id of the evaluation to
        compare with, and `expected_count` the number of rows, for the progress. `evaluators` sets
        directions and thresholds: [{"name": "toxicity", "higher_is_better": False}].

        `on_conflict` applies to stored rows with other content. The default is "replace" while
        the evaluation is not finished, then "error".
        """
        from .run import EvaluationRun

        return EvaluationRun(
            self,
            id,
            name=name,
            variant=variant,
            config=config,
            baseline=baseline,
            evaluators=evaluators,
            tags=tags,
            metadata=metadata,
            expected_count=expected_count,
            on_conflict=on_conflict,
        )

    def log(
        self,
        evaluation: str,
        rows: Any,
        *,
        id: str | None = None,
        inputs: Columns = (),
        output: str | None = None,
        expected: Columns | None = None,
        scores: Columns = (),
        reasons: Mapping[str, str] | None = None,
        cost: str | None = None,
        latency: str | None = None,
        error: str | None = None,
        name: str | None = None,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        baseline: str | None = None,
        evaluators: Sequence[types.EvaluatorWrite] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        expected_count: int | None = None,
        on_conflict: OnConflict | None = None,
    ) -> EvaluationRun:
        """Writes a DataFrame, or an iterable of dicts, as an evaluation: one scenario per row.

        `id`, `inputs`, `output`, `expected`, `scores`, `cost`, `latency` and `error` are names of
        columns. `reasons` maps scores to columns. The other arguments are those of `evaluation()`.

            client.log("nightly", frame, id="case", inputs=["question"], output="answer",
                       scores=["correct"], reasons={"correct": "why"})

        A mapping stores a column with another name: inputs={"question": "user_message"}. Without
        `id`, ids are derived from the inputs. Costs are in dollars, latencies in seconds. A row
        with a text in the column `error` is a failed output.
        """
        from .run import log_rows

        arguments_of_rows = iterate_scenario_arguments(
            rows,
            id=id,
            inputs=inputs,
            output=output,
            expected=expected,
            scores=scores,
            reasons=reasons,
            cost=cost,
            latency=latency,
            error=error,
        )
        run = self.evaluation(
            evaluation,
            name=name,
            variant=variant,
            config=config,
            baseline=baseline,
            evaluators=evaluators,
            tags=tags,
            metadata=metadata,
            expected_count=expected_count,
            on_conflict=on_conflict,
        )
        return log_rows(run, arguments_of_rows)


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


def _to_json(value: Any) -> bytes:
    return json.dumps(to_json_value(value, "body")).encode()
