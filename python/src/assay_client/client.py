"""The client of one Assay service."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from . import types
from ._batches import OnConflict
from ._http import IMPORT_TIMEOUT, HttpClient, Query
from ._reads import Reads
from ._scenarios import encode, to_json_value
from ._tables import Columns, iterate_scenario_arguments
from .run import EvaluationRun

if TYPE_CHECKING:
    from typing_extensions import Unpack

DEFAULT_URL = "http://127.0.0.1:8080"


class Client(Reads):
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
        super().__init__(HttpClient(url, key, timeout=timeout, retries=retries))

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

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
            timeout=IMPORT_TIMEOUT,
        )
        return cast(types.ImportReport, report)

    @overload
    def delete(self, *, evaluation: str) -> None: ...

    @overload
    def delete(self, *, variant: str) -> None: ...

    def delete(self, *, evaluation: str | None = None, variant: str | None = None) -> None:
        """Deletes an evaluation with its scenarios, or a variant with its revisions.

            client.delete(evaluation="nightly-0412")

        Raises AssayError if it does not exist. Evaluations keep the id of a deleted variant.
        """
        if (evaluation is None) == (variant is None):
            raise TypeError('Set either evaluation or variant: client.delete(evaluation="id").')
        list_name = "variants" if evaluation is None else "evaluations"
        id = variant if evaluation is None else evaluation
        if not isinstance(id, str):
            raise TypeError(f"The id must be a string, not {type(id).__name__}.")
        self._http.write("DELETE", [list_name, id])

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
        sample: str | None = None,
        repetition: str | None = None,
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

        All rows are stored in one transaction, or none: an invalid row raises TypeError or
        ValueError before the first request, and a row that the service rejects AssayError. Both
        name the row.

        `id`, `inputs`, `output`, `expected`, `scores`, `cost`, `latency`, `error`, `sample` and
        `repetition` are names of columns. `reasons` maps scores to columns. The other arguments
        are those of `evaluation()`.

            client.log("nightly", frame, id="case", inputs=["question"], output="answer",
                       scores=["correct"], reasons={"correct": "why"})

        A mapping stores a column with another name: inputs={"question": "user_message"}. Without
        `id`, ids are derived from the inputs. Costs are in dollars, latencies in seconds. A row
        with a text in the column `error` is a failed output. Rows with the same `sample` are
        repeats of one row of the test set.
        """
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
            sample=sample,
            repetition=repetition,
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
        run._log(arguments_of_rows)
        return run


def _to_json(value: Any) -> bytes:
    return json.dumps(to_json_value(value, "body")).encode()
