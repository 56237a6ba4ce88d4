"""Types of the HTTP API. Each one is a dict with the members of a JSON object."""

# Generated from openapi.json by `npm run openapi`; do not edit.

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    # Type checkers have definitions for this package, so it does not need to be installed.
    from typing_extensions import NotRequired


class Problem(TypedDict):
    type: str
    """URL of the documentation for this error."""
    title: str
    """What the error code means, in a few words."""
    status: int
    """The HTTP status code."""
    code: str
    """A stable error code for programs. Later versions can add codes."""
    detail: str
    """What went wrong and what to do, for people."""
    instance: str
    """The request id, as in the log."""
    line: NotRequired[int]
    """For `invalid-json`: the line in the body."""
    offset: NotRequired[int]
    """For `invalid-json`: the byte offset in the body."""
    errors: NotRequired[list[ContentError]]
    """For `invalid-content`: the validation errors, at most 100."""
    error_count: NotRequired[int]
    """For `invalid-content`: the total number of errors."""
    conflicts: NotRequired[list[ScenarioConflict]]
    """For `conflict`: the scenarios that exist already with different content, at most 100."""
    conflict_count: NotRequired[int]
    """For `conflict`: the total number of these scenarios."""
    report: NotRequired[ImportReport]


class ContentError(TypedDict):
    pointer: str
    """JSON pointer (RFC 6901) into the body. For an imported file: into the record."""
    line: int
    """The line on which the record begins."""
    detail: str
    """What is wrong with the value."""


class ScenarioConflict(TypedDict):
    id: str
    """The id of the scenario."""
    pointer: str
    """JSON pointer (RFC 6901) into the body."""
    line: int
    """The line on which the record begins."""


class ImportReport(TypedDict):
    file: str
    """The file name."""
    format: str
    """The format the file was read as."""
    stored: bool
    """Whether the data was stored. False for a dry run and for a rejected import."""
    read: int
    """Number of records read from the file. Records that become one scenario together count as one, and a table row with the outputs of several models counts once per model."""
    evaluations: list[ImportedEvaluation]
    """The imported evaluations, with the number of their scenarios."""
    variants: list[Imported]
    """The imported variants, with the number of their revisions."""
    deleted: NotRequired[list[str]]
    """With `on_conflict=replace_all`: the ids of deleted evaluations. They belong to the same family, and the file no longer contains them."""
    refused: int
    """Number of rejected records."""
    refusals: list[ImportNote]
    """Why records were rejected. A service lists at most 1000 notes."""
    repaired: int
    """Number of values that were imported in another form."""
    repairs: list[ImportNote]
    """What was repaired. A service lists at most 1000 notes."""
    omitted: int
    """Number of notes about data that was read but not kept."""
    omissions: list[ImportNote]
    """What was read but not kept. A service lists at most 1000 notes."""
    notes: list[ImportNote]
    """What else to know about the imported data."""
    columns: list[ImportColumn]
    """How the columns of a table were read. Empty for other formats."""
    first: list[dict[str, Any]]
    """The first scenarios of a dry run. Empty otherwise."""


class ImportedEvaluation(TypedDict):
    id: str
    """The id of the evaluation or variant."""
    name: str
    """The name of the evaluation, or its id if it has no name."""
    updated: list[str]
    """The members of an existing evaluation that the file changed, such as `status`."""
    accepted: int
    """Number of added records."""
    unchanged: int
    """Number of records that existed already with the same content."""
    replaced: NotRequired[int]
    """With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario."""
    skipped: NotRequired[int]
    """With `on_conflict=skip`: number of records that existed already with different content."""
    deleted: NotRequired[int]
    """With `on_conflict=replace_all`: number of stored scenarios that match no record."""
    dropped_notes: NotRequired[int]
    """With `on_conflict=replace_all`: number of pins and notes of deleted scenarios."""
    dropped_human_results: NotRequired[int]
    """With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed."""
    dropped_answers: NotRequired[int]
    """With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed."""
    missing: NotRequired[int]
    """Number of stored scenarios that no record of the file has. They stay; `on_conflict=replace_all` deletes them. Absent if there are none, if the file has only new scenarios, and if records were rejected."""
    missing_ids: NotRequired[list[str]]
    """The ids of the first 5 missing scenarios."""


class Imported(TypedDict):
    id: str
    """The id of the evaluation or variant."""
    accepted: int
    """Number of added records."""
    unchanged: int
    """Number of records that existed already with the same content."""
    replaced: NotRequired[int]
    """With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario."""
    skipped: NotRequired[int]
    """With `on_conflict=skip`: number of records that existed already with different content."""
    deleted: NotRequired[int]
    """With `on_conflict=replace_all`: number of stored scenarios that match no record."""
    dropped_notes: NotRequired[int]
    """With `on_conflict=replace_all`: number of pins and notes of deleted scenarios."""
    dropped_human_results: NotRequired[int]
    """With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed."""
    dropped_answers: NotRequired[int]
    """With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed."""


class ImportNote(TypedDict):
    record: int | None
    """The number of the record, counted from 1. Null if the note is about the whole file."""
    line: int
    """The line in the file, counted from 1."""
    pointer: str
    """JSON pointer (RFC 6901) inside the record."""
    detail: str
    """What was rejected, repaired or omitted, and why."""


class ImportColumn(TypedDict):
    name: str
    """The name of the column in the file."""
    role: Literal["id", "input", "output", "expected", "score", "reason", "cost", "latency", "error", "note", "is_pinned", "repetition", "provider", "extra"]
    """What the column contains."""
    key: str | None
    """The name of the input, the key of the correct answer, or the evaluator. Null for other roles."""
    type: str | None
    """How values are read. Score: bool, number, percent, rating or text. Latency: s, ms, us or min. Cost: usd or cents. Repetition: 1-based or 0-based. Null: each value as it is."""
    provider: str | None
    """The model or provider, if the table has columns of several. Each is an evaluation of its own. Null if the column belongs to all evaluations."""
    origin: Literal["option", "name", "values", "preset", "default"]
    """Where the role comes from: an option, the name of the column, its values, the format of a tool, or none of them."""
    examples: list[str]
    """Up to 3 values from the first rows, each with up to 200 characters."""


class Evaluation(TypedDict):
    id: str
    name: str | None
    variant_id: str | None
    """The variant that was evaluated. In a request, it must exist."""
    revision: int | None
    """The revision of the variant that ran. In a request, it must exist."""
    baseline_id: str | None
    """The evaluation that this one is compared with. It can be created later."""
    family: str | None
    """The evaluations of one file with several prompts or providers have the same family: their id without the number of the column."""
    label: str | None
    """The prompt of this evaluation in its family."""
    provider: str | None
    """The provider of this evaluation in its family."""
    status: Literal["running", "finished", "failed"]
    """`running` while scenarios are still being added, `failed` if it ended early. Default: `finished`."""
    expected_count: int | None
    """The number of scenarios that a running evaluation will have, to show its progress."""
    tags: list[str]
    """At most 20 different tags of 1 to 64 characters. Their order is preserved."""
    evaluators: list[Evaluator] | None
    metadata: dict[str, Any] | None
    """Free-form metadata."""
    source: str | None
    """The tool that produced the results."""
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """The time of the last write that changed the evaluation or its scenarios."""
    scenario_count: int
    """Number of scenarios."""
    scores: NotRequired[Scores]


class Evaluator(TypedDict):
    name: str
    """The evaluator name, as in `results[].evaluator_config`."""
    higher_is_better: NotRequired[bool]
    threshold: NotRequired[float]
    model: NotRequired[str]
    """The language model of a judge."""
    prompt: NotRequired[str]
    """The prompt of a judge, or its name and version, such as `judge-v4`."""
    kind: NotRequired[Literal["code", "model", "human"]]
    """Who gives the results: a program (`code`), a language model (`model`) or a person (`human`)."""


class Scores(TypedDict):
    output_errors: int
    """Number of scenarios where the application failed."""
    cost: CostScores
    latency: LatencyScores
    evaluators: list[EvaluatorScores]
    """In the order of their first occurrence."""
    base: NotRequired[SummaryBaseline]


class CostScores(TypedDict):
    n: int
    """Number of scenarios with a cost."""
    total: float | None
    """Total cost in US dollars."""
    mean: float | None
    """Mean cost per scenario in US dollars."""
    base: NotRequired[BaselineStatistics]


class BaselineStatistics(TypedDict):
    n: int
    """Number of rows with a value in both evaluations. All statistics here refer to these rows."""
    mean: float | None
    """Mean of the baseline over these rows."""
    delta: float | None
    """Mean difference: candidate minus baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0."""
    outcome: Literal["better", "worse", "tied", "too-few", None]
    """`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones."""
    detectable: float | None
    """The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none."""
    regressed: int
    """Number of rows that are worse than in the baseline."""
    improved: int
    """Number of rows that are better than in the baseline."""
    unclear: int
    """Number of rows with repeats that differ from the baseline, but not certainly."""


class LatencyScores(TypedDict):
    n: int
    """Number of scenarios with a latency."""
    mean: float | None
    """Mean latency in seconds."""
    p50: float | None
    """Median latency in seconds. Approximate with more than 1,000 latencies."""
    base: NotRequired[BaselineStatistics]


class EvaluatorScores(TypedDict):
    name: str
    higher_is_better: bool
    n: int
    """Number of results with a score. A verdict counts as 1 or 0."""
    errors: int
    """Number of results where the evaluator failed."""
    mean: float | None
    """Mean score. Null without scores."""
    pass_rate: float | None
    """Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts."""
    base: NotRequired[BaselineStatistics]
    largest_regression: NotRequired[str | None]
    """With `base`: the id of the scenario with the largest change for the worse. Null if none is worse."""


class SummaryBaseline(TypedDict):
    id: str
    """The id of the baseline evaluation."""
    name: str | None
    variant_id: str | None
    """The variant of the baseline."""
    revision: int | None
    """The revision of the variant of the baseline."""
    chosen: Literal["declared", "marked", "previous", None]
    """`declared`: the `baseline_id` of the evaluation. `marked`: the newest older, finished evaluation of its variant that another evaluation has as `baseline_id`. `previous`: the finished evaluation before it. Null if the request names the baseline."""
    by: str
    """The join key: `id`, `input` or `position`."""
    matched: int
    """Number of matched rows."""
    match_rate: float
    """Matched rows as a fraction of the smaller evaluation."""
    has_different_rows: bool
    """True if more than half of the rows that are joined by id have different inputs. There is no outcome then."""
    changed_parameters: NotRequired[int | None]
    """In the summary: number of parameters that differ between the revisions of both evaluations. Null unless both ran the same variant."""


class EvaluationScenario(TypedDict):
    id: str
    evaluation_id: str
    inputs: list[ScenarioInput]
    outputs: list[ScenarioOutput]
    correct_answers: list[CorrectAnswer] | None
    is_pinned: bool | None
    note: str | None
    results: list[ScenarioResult]
    extra: NotRequired[dict[str, Any] | None]
    """Additional data of the client. Present only with `include=extra`."""
    has_generated_id: NotRequired[bool]
    """Whether Assay generated the id because the client sent none. Present only if true, and only with `include=has_generated_id`."""


class ScenarioInput(TypedDict):
    name: str
    type: str
    """The type of the value, for example `text` or `json`."""
    value: Any
    """Any JSON value. Returned exactly as it was sent."""


class ScenarioOutput(TypedDict):
    result: Result
    cost: NotRequired[float | None]
    """Cost in US dollars."""
    latency: NotRequired[float | None]
    """Latency in seconds."""


class Result(TypedDict):
    type: str
    """The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed."""
    value: NotRequired[Any]
    """Any JSON value. Returned exactly as it was sent."""
    error: NotRequired[Error | None]


class Error(TypedDict):
    message: str
    stacktrace: NotRequired[str | None]


class CorrectAnswer(TypedDict):
    key: str
    value: str


class ScenarioResult(TypedDict):
    evaluator_config: str
    """The name of the evaluator."""
    result: Result


class Appended(TypedDict):
    accepted: int
    """Number of added records."""
    unchanged: int
    """Number of records that existed already with the same content."""
    replaced: NotRequired[int]
    """With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario."""
    skipped: NotRequired[int]
    """With `on_conflict=skip`: number of records that existed already with different content."""
    deleted: NotRequired[int]
    """With `on_conflict=replace_all`: number of stored scenarios that match no record."""
    dropped_notes: NotRequired[int]
    """With `on_conflict=replace_all`: number of pins and notes of deleted scenarios."""
    dropped_human_results: NotRequired[int]
    """With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed."""
    dropped_answers: NotRequired[int]
    """With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed."""


class DeletedScenarios(TypedDict):
    deleted: int
    """Number of deleted scenarios."""


class ScenarioHistory(TypedDict):
    evaluation_id: str
    """The id of the evaluation of the requested scenario."""
    scenario_id: str
    """The id of the requested scenario."""
    variant_id: str | None
    """Null if the evaluation has no variant. Then only its own row is listed."""
    evaluation_count: int
    """Number of evaluations that were searched: the newest 100 of the variant."""
    rows: list[HistoryRow]
    """The newest evaluation first."""


class HistoryRow(TypedDict):
    evaluation_id: str
    name: str | None
    """The name of the evaluation."""
    revision: int | None
    """The revision of the variant that ran."""
    created_at: str
    """The creation time of the evaluation. UTC, with milliseconds."""
    scenario_id: str
    """The id of the row in this evaluation."""
    matched_by: Literal["id", "input"]
    """Whether the row has the same id or, if one of the ids was generated, the same inputs."""
    results: list[ScenarioResult]
    cost: float | None
    """Cost of all outputs together, in US dollars."""
    latency: float | None
    """Latency of all outputs together, in seconds."""
    output_failed: bool
    """Whether the application failed: at least one output is an error."""
    output_changed: bool | None
    """Whether the outputs differ from those of the next older row in this list. Null for the oldest row."""


class AddedResults(TypedDict):
    added: int
    """Number of results that were added."""
    replaced: int
    """Number of results that replaced another result of the same evaluator."""
    unchanged: int
    """Number of results that existed already."""


class Review(TypedDict):
    id: str
    evaluation_id: str
    """The evaluation whose rows are reviewed."""
    name: str | None
    """The name that reviewers see."""
    instructions: str | None
    """What reviewers read before the first row."""
    filters: dict[str, list[str]]
    """Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review."""
    base_id: str | None
    """The baseline of the filter `delta`, and the baseline of a review of a comparison."""
    sample: ReviewSample | None
    questions: list[ReviewQuestion]
    reviewers_per_row: int
    """How many reviewers answer each row. Default: 1."""
    overlap: float
    """The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0."""
    pairs: list[ReviewPair] | None
    """For a review of a comparison: the pairs that reviewers see, with the random side of the candidate. Otherwise null."""
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """The time of the last change of the review itself. Answers do not change it."""


class ReviewSample(TypedDict):
    rows: int
    """The number of rows."""
    seed: int
    """Chooses the rows: those with the smallest SHA-256 hashes of the seed, a colon and the scenario id. Default: 0."""


class ReviewQuestion(TypedDict):
    evaluator: str
    """The evaluator that the results of this question have, as in `evaluator_config`."""
    type: Literal["verdict", "label", "number", "text", "preference"]
    """`verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type."""
    labels: list[str]
    """Suggested labels: the failure modes of a verdict, or the values of a label. Reviewers can add others."""
    question: str | None
    """The question as reviewers read it."""
    description: str | None
    """How to answer it."""


class ReviewPair(TypedDict):
    scenario_id: str
    """The scenario of the candidate."""
    base_scenario_id: str
    """The scenario of the baseline."""
    candidate_side: Literal["left", "right"]
    """Where reviewers see the output of the candidate."""


class ReviewReport(TypedDict):
    id: str
    evaluation_id: str
    """The evaluation whose rows are reviewed."""
    name: str | None
    """The name that reviewers see."""
    instructions: str | None
    """What reviewers read before the first row."""
    filters: dict[str, list[str]]
    """Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review."""
    base_id: str | None
    """The baseline of the filter `delta`, and the baseline of a review of a comparison."""
    sample: ReviewSample | None
    questions: list[ReviewQuestion]
    reviewers_per_row: int
    """How many reviewers answer each row. Default: 1."""
    overlap: float
    """The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0."""
    pairs: list[ReviewPair] | None
    """For a review of a comparison: the pairs that reviewers see, with the random side of the candidate. Otherwise null."""
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """The time of the last change of the review itself. Answers do not change it."""
    progress: ReviewProgress
    reviewers: list[ReviewerProgress]
    """The reviewers with answers, by name."""
    results: list[AnswerReport]
    """One entry per question."""
    warnings: list[str]


class ReviewProgress(TypedDict):
    rows: int
    """Number of rows of the review."""
    answered: int
    """Number of rows that at least one reviewer has answered, or that are decided."""
    complete: int
    """Number of rows that need no further answer."""
    disputed: int
    """Number of rows with a disputed answer, which have no result."""


class ReviewerProgress(TypedDict):
    name: str
    answered: int
    """Number of rows that this reviewer has answered."""
    rows_per_hour: float | None
    """Rows per hour of work. Pauses of more than 5 minutes are left out. Null below two rows without such a pause."""
    last_answer_at: str
    """When this reviewer answered last."""


class AnswerReport(TypedDict):
    evaluator: str
    type: Literal["verdict", "label", "number", "text", "preference"]
    """`verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type."""
    answered: int
    """Number of rows with a definite answer."""
    results: int
    """Number of rows with a result."""
    disputed: int
    """Number of rows whose answers have no majority. They have no result until someone decides."""
    cannot_tell: int
    """Number of answers "cannot tell"."""
    passed: int | None
    """Number of results that pass. Only for verdicts."""
    pass_rate: float | None
    """Fraction of results that pass. Only for verdicts."""
    pass_rate_interval: list[float] | None
    """95 % confidence interval of `pass_rate`."""
    precision: PassRatePrecision | None
    expected_precision: PassRatePrecision | None
    preference: PreferenceCounts | None
    labels: list[LabelCount]
    """The labels of rows with a definite answer, the most frequent first. A row has the labels of its decision, or otherwise of all its reviewers. For a label question, the value is a label too."""
    agreeing: int
    """Number of rows with definite answers of two or more reviewers, which are all equal."""
    overlapping: int
    """Number of rows with definite answers of two or more reviewers."""
    pairs: list[ReviewerPair]
    """The agreement of each two reviewers with common rows."""
    disputed_rows: list[DisputedRow]
    """The first 200 disputed rows, in the order of the review."""


class PassRatePrecision(TypedDict):
    rows: int
    """Number of rows."""
    margin: float
    """Half the width of the 95 % confidence interval of the pass rate."""


class PreferenceCounts(TypedDict):
    candidate: int
    """Number of rows in which people prefer the candidate."""
    baseline: int
    """Number of rows in which people prefer the baseline."""
    equal: int
    """Number of rows in which both are equal."""
    both_bad: int
    """Number of rows in which both are bad."""
    share: float | None
    """Fraction of the rows with a preferred side in which people prefer the candidate. Null without such rows."""
    interval: list[float] | None
    """Exact 95 % confidence interval of `share`."""


class LabelCount(TypedDict):
    label: str
    rows: int
    """Number of rows with this label."""


class ReviewerPair(TypedDict):
    reviewers: list[str]
    rows: int
    """Number of rows with a definite answer of both."""
    agreeing: int
    """Number of these rows with equal answers."""
    agreement: float | None
    """Fraction of these rows with equal answers."""
    kappa: float | None
    """Cohen's kappa of verdicts: agreement beyond chance. Null below 20 rows, if all verdicts are equal, and for other questions."""
    interval: list[float] | None
    """95 % confidence interval of `kappa`."""
    rank_correlation: float | None
    """Spearman's rank correlation. Only for numbers."""
    mean_absolute_difference: float | None
    """Mean of the absolute differences. Only for numbers."""


class DisputedRow(TypedDict):
    scenario_id: str
    answers: list[ReviewAnswer]
    """The answers to this question."""


class ReviewAnswer(TypedDict):
    evaluator: str
    """The evaluator of the question."""
    by: str
    """The name of the reviewer, or of the key that decided."""
    is_decision: bool
    """Whether it was given with a key of the project. A decision overrules the answers of reviewers."""
    value: bool | float | str | None
    """The answer: true or false for a verdict, a text for a label or text, a number for a number. For a preference, `left`, `right`, `equal` or `both_bad`; with a key of the project, `candidate` and `baseline` instead of the sides. Null means "cannot tell": it is stored, but not counted."""
    labels: list[str]
    """Failure modes, or other labels of the row."""
    note: str | None
    answered_at: str
    """When it was given. UTC, with milliseconds."""


class MergedLabels(TypedDict):
    answers: int
    """Number of changed answers."""


class LabelComparison(TypedDict):
    evaluator: str
    """The evaluator of the question."""
    base_id: str
    """The baseline."""
    candidate_id: str
    """The candidate."""
    common_rows: int
    """Number of matched rows with definite answers in both evaluations. Only these count."""
    labels: list[ComparedLabel]
    """The most frequent in the candidate first."""


class ComparedLabel(TypedDict):
    label: str
    state: Literal["new", "gone", "more", "less", "unclear"]
    """`new` and `gone`: no row of the baseline or of the candidate has it. `more` and `less`: the interval excludes 0. `unclear`: everything else."""
    base_rows: int
    """Number of common rows with this label in the baseline."""
    rows: int
    """Number of common rows with this label in the candidate."""
    delta: float
    """The share of common rows in the candidate minus that in the baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`. Null below 6 common rows."""


class ReviewForm(TypedDict):
    id: str
    name: str | None
    """The name that reviewers see."""
    instructions: str | None
    """What reviewers read before the first row."""
    reviewer: str
    """The name in the link."""
    questions: list[FormQuestion]
    progress: OwnProgress


class FormQuestion(TypedDict):
    evaluator: str
    """The evaluator that the results of this question have, as in `evaluator_config`."""
    type: Literal["verdict", "label", "number", "text", "preference"]
    """`verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type."""
    question: str | None
    """The question as reviewers read it."""
    description: str | None
    """How to answer it."""
    labels: list[LabelCount]
    """The suggested labels and those that this reviewer has used, with the number of rows in which this reviewer has used them. The most frequent first."""


class OwnProgress(TypedDict):
    answered: int
    """Number of rows that this reviewer has answered."""
    remaining: int
    """Number of rows that this reviewer can still answer."""


class NextReviewRow(TypedDict):
    row: ReviewRow | None
    progress: OwnProgress


class ReviewRow(TypedDict):
    scenario: BlindScenario
    answers: list[ReviewAnswer]
    """The answers of this reviewer. For a key of the project: of all reviewers."""


class BlindScenario(TypedDict):
    """A scenario without results, cost, latency, note, extra data and the name of its evaluation."""
    id: str
    inputs: list[ScenarioInput]
    outputs: list[BlindOutput]
    """Empty in a review of a comparison."""
    left: NotRequired[list[BlindOutput]]
    """Only in a review of a comparison: the outputs of one evaluation."""
    right: NotRequired[list[BlindOutput]]
    """Only in a review of a comparison: the outputs of the other evaluation."""
    correct_answers: list[CorrectAnswer] | None


class BlindOutput(TypedDict):
    result: Result


class ReviewRowAnswers(TypedDict):
    scenario_id: str
    is_open: bool
    """Whether this reviewer can still answer it. For a key of the project: any reviewer."""
    answers: list[ReviewAnswer]
    """The answers of this reviewer. For a key of the project: of all reviewers."""


class StoredAnswers(TypedDict):
    id: str
    """The id of the scenario."""
    answers: list[ReviewAnswer]
    """The answers with this key."""


class EvaluationRows(TypedDict):
    total: int
    """Number of rows that match the filters."""
    offset: int
    """Number of rows before the first row of this window."""
    before: NotRequired[int]
    """With `locate`: number of rows before that scenario, even if the scenario is not in the result."""
    located: NotRequired[int | None]
    """With `locate`: the index of that scenario in the result. Null if it is not in the result."""
    base: NotRequired[RowsBaseline]
    rows: list[EvaluationRow]


class RowsBaseline(TypedDict):
    id: str
    chosen: Literal["declared", "marked", "previous", None]
    """`declared`: the `baseline_id` of the evaluation. `marked`: the newest older, finished evaluation of its variant that another evaluation has as `baseline_id`. `previous`: the finished evaluation before it. Null if the request names the baseline."""
    by: str
    """The join key."""
    matched: int
    """Number of matched rows."""
    match_rate: float
    """Matched rows as a fraction of the smaller evaluation."""


class EvaluationRow(TypedDict):
    position: int
    """The position in the evaluation, counted from 0."""
    id: str
    inputs: list[ScenarioInput]
    outputs: list[ScenarioOutput]
    correct_answers: list[CorrectAnswer] | None
    is_pinned: bool | None
    note: str | None
    results: list[ScenarioResult]
    conversations: NotRequired[list[ConversationPreview]]
    """The values of this row that are conversations. Left out if there are none."""
    cut: list[str]
    """JSON pointers (RFC 6901) to the truncated texts of this row."""
    reasons: NotRequired[list[RowReason | None]]
    """With `include=reasons`: for each element of `results`, its reason and who gave it. It ends with the last result that has one."""
    repeats: NotRequired[RowRepeats | None]
    base: NotRequired[BaselineRow | None]


class ConversationPreview(TypedDict):
    pointer: str
    """JSON pointer to the value in this row, such as `/outputs/0/result/value`."""
    kind: Literal["message", "tool_call"]
    text: str
    """The last message of the user, for an output or expected answer that of the assistant. If it ends with tool calls, the names of the tools."""


class RowReason(TypedDict):
    reason: str | None
    """Null without one. A reason that is not a text is JSON text."""
    by: str | None
    """Who gave the result. Null if it is not stored."""


class RowRepeats(TypedDict):
    count: int
    """Number of scenarios of the row."""
    scenarios: list[str]
    """The ids of the first 100 scenarios of the row, in order."""
    scores: list[RepeatScores]
    """One element per evaluator of this evaluation."""


class RepeatScores(TypedDict):
    evaluator: str
    is_verdict: bool
    """True if all scores are verdicts."""
    mean: float | None
    """The mean of all repeats with a score."""
    scores: list[float | None]
    """The scores of `scenarios`: a number, or true as 1 and false as 0. Null without a score."""


class BaselineRow(TypedDict):
    id: str
    """The matched scenario of the baseline."""
    position: int
    """The position in the baseline, counted from 0."""
    deltas: list[RowDelta]
    """One element per evaluator of this evaluation."""


class RowDelta(TypedDict):
    evaluator: str
    base: float | None
    """The score in the baseline."""
    delta: float | None
    """Score minus the score of the baseline, if both exist."""


class EvaluationSummary(TypedDict):
    id: str
    """The id of the evaluation."""
    scenario_count: int
    """Number of all scenarios of the evaluation."""
    matched: int
    """Number of scenarios that match the filters. All other values refer to these."""
    rows: int
    """Number of their rows: scenarios that are repeats of the same row count once."""
    output_errors: int
    """Number of scenarios where the application failed."""
    pinned: int
    """Number of pinned scenarios."""
    noted: int
    """Number of scenarios with a note."""
    columns: ColumnNames
    evaluators: list[EvaluatorSummary]
    cost: MeasurementSummary
    latency: MeasurementSummary
    error_groups: list[ErrorGroup]
    """At most 50 groups, the most frequent first."""
    error_group_count: int
    """Number of all error groups."""
    base: NotRequired[SummaryBaseline]


class ColumnNames(TypedDict):
    inputs: list[str]
    expected: list[str]
    evaluators: list[str]


class EvaluatorSummary(TypedDict):
    name: str
    """The evaluator name, as in `results[].evaluator_config`."""
    higher_is_better: bool
    """As declared by the evaluation. Default true."""
    threshold: float | None
    """As declared by the evaluation."""
    n: int
    """Number of scenarios with a score: a number, or true as 1 and false as 0."""
    texts: int
    """Number of scenarios with a text result, which is not a score."""
    errors: int
    """Number of scenarios where the evaluator failed."""
    output_errors: int
    """Number of scenarios without a score because the application failed."""
    unscored: int
    """Number of all other scenarios."""
    passed: int | None
    """Number of scores that are true or reach the threshold."""
    failed: int | None
    """Number of scores that are false or do not reach the threshold."""
    pass_rate: float | None
    """`passed` divided by `passed` plus `failed`; with repeats, the mean of this rate over rows. Null without verdicts."""
    pass_rate_interval: list[float] | None
    """95 % confidence interval of `pass_rate`, over rows. Null without verdicts."""
    rows: NotRequired[int]
    """With repeats: number of rows with a score."""
    repeats: NotRequired[int]
    """With repeats: the largest number of scores of a row."""
    flaky: NotRequired[int | None]
    """With repeats: number of rows that both pass and fail. Null without verdicts."""
    pass_all: NotRequired[float | None]
    """With repeats: fraction of rows that pass every time."""
    pass_any: NotRequired[float | None]
    """With repeats: fraction of rows that pass at least once."""
    mean: float | None
    """Mean over rows: the score of a row is the mean of its repeats. Null without values."""
    mean_interval: list[float] | None
    """95 % confidence interval of `mean`, over rows. Null for fewer than 2 rows, and if all numbers are equal."""
    minimum: float | None
    """The smallest value."""
    maximum: float | None
    """The largest value."""
    quantiles: Quantiles
    bins: list[Bin]
    """Histogram with 20 bins of equal width from minimum to maximum. One bin if both are equal, none without values."""
    base: NotRequired[BaselineStatistics]


class Quantiles(TypedDict):
    p05: float | None
    """5th percentile."""
    p25: float | None
    """25th percentile."""
    p50: float | None
    """Median."""
    p75: float | None
    """75th percentile."""
    p95: float | None
    """95th percentile."""


Bin = TypedDict(
    "Bin",
    {
        # Lower bound, inclusive.
        "from": "float",
        # Upper bound, exclusive. The upper bound of the last bin is inclusive.
        "to": "float",
        # Number of values in the bin.
        "count": "int",
    },
)


class MeasurementSummary(TypedDict):
    n: int
    """Number of scenarios with a value."""
    missing: int
    """Number of scenarios without a value."""
    total: float | None
    """Sum of all values."""
    mean: float | None
    """Mean over rows: the score of a row is the mean of its repeats. Null without values."""
    mean_interval: list[float] | None
    """95 % confidence interval of `mean`, over rows. Null for fewer than 2 rows, and if all numbers are equal."""
    minimum: float | None
    """The smallest value."""
    maximum: float | None
    """The largest value."""
    quantiles: Quantiles
    bins: list[Bin]
    """Histogram with 20 bins of equal width from minimum to maximum. One bin if both are equal, none without values."""
    base: NotRequired[BaselineStatistics]


class ErrorGroup(TypedDict):
    group: str
    """The error message without numbers, names and keys."""
    evaluator: str | None
    """The evaluator that failed. Null if the application failed."""
    count: int
    """Number of scenarios with this error."""
    first: str
    """The id of the first such scenario."""


Agreement = TypedDict(
    "Agreement",
    {
        # The id of the evaluation.
        "id": "str",
        "evaluator": "AgreeingEvaluator",
        "with": "AgreeingEvaluator",
        # Number of rows that match the filters.
        "rows": "int",
        # Number of these rows with a score of both evaluators.
        "n": "int",
        "verdicts": "VerdictAgreement | None",
        "numbers": "NumberAgreement | None",
        "best_threshold": "BestThreshold | None",
        # Kappa with up to 50 thresholds, from the lowest score to the highest. Empty if `best_threshold` is null.
        "thresholds": "list[ThresholdKappa]",
        "corrected_pass_rate": "CorrectedPassRate | None",
        "warnings": "list[AgreementWarning]",
    },
)


class AgreeingEvaluator(TypedDict):
    name: str
    kind: Literal["code", "model", "human", None]
    """As declared by the evaluation."""
    higher_is_better: bool
    """As declared by the evaluation. Default true."""
    threshold: float | None
    """As declared by the evaluation."""


class VerdictAgreement(TypedDict):
    n: int
    """Number of rows with a verdict of both evaluators. All statistics here refer to these rows."""
    both_pass: int
    """Number of rows that pass with both evaluators."""
    both_fail: int
    """Number of rows that fail with both evaluators."""
    only_evaluator: int
    """Number of rows that pass only with `evaluator`."""
    only_with: int
    """Number of rows that pass only with `with`."""
    agreement: float | None
    """Fraction of rows with equal verdicts."""
    agreement_interval: list[float] | None
    """Exact 95 % confidence interval of `agreement`."""
    kappa: float | None
    """Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal."""
    interval: list[float] | None
    """95 % confidence interval of `kappa`."""
    precision: float | None
    """Fraction of the rows that pass with `evaluator` that also pass with `with`."""
    recall: float | None
    """Fraction of the rows that pass with `with` that also pass with `evaluator`."""
    recall_interval: list[float] | None
    """Exact 95 % confidence interval of `recall`."""
    specificity: float | None
    """Fraction of the rows that fail with `with` that also fail with `evaluator`: the failures that it finds."""
    specificity_interval: list[float] | None
    """Exact 95 % confidence interval of `specificity`."""


class NumberAgreement(TypedDict):
    n: int
    """Number of rows with a number of both evaluators."""
    rank_correlation: float | None
    """Spearman's rank correlation, with mean ranks for ties. Null if all numbers of an evaluator are equal."""
    mean_absolute_difference: float | None
    """Mean of the absolute differences of the two numbers."""


class BestThreshold(TypedDict):
    threshold: float
    """The threshold of `evaluator` with the highest kappa. One of its scores."""
    n: int
    """Number of rows with a verdict of both evaluators. All statistics here refer to these rows."""
    both_pass: int
    """Number of rows that pass with both evaluators."""
    both_fail: int
    """Number of rows that fail with both evaluators."""
    only_evaluator: int
    """Number of rows that pass only with `evaluator`."""
    only_with: int
    """Number of rows that pass only with `with`."""
    agreement: float | None
    """Fraction of rows with equal verdicts."""
    agreement_interval: list[float] | None
    """Exact 95 % confidence interval of `agreement`."""
    kappa: float | None
    """Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal."""
    interval: list[float] | None
    """95 % confidence interval of `kappa`."""
    precision: float | None
    """Fraction of the rows that pass with `evaluator` that also pass with `with`."""
    recall: float | None
    """Fraction of the rows that pass with `with` that also pass with `evaluator`."""
    recall_interval: list[float] | None
    """Exact 95 % confidence interval of `recall`."""
    specificity: float | None
    """Fraction of the rows that fail with `with` that also fail with `evaluator`: the failures that it finds."""
    specificity_interval: list[float] | None
    """Exact 95 % confidence interval of `specificity`."""


class ThresholdKappa(TypedDict):
    threshold: float
    """One of the scores of `evaluator`."""
    kappa: float | None
    """Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal."""
    interval: list[float] | None
    """95 % confidence interval of `kappa`."""


class CorrectedPassRate(TypedDict):
    rows: int
    """Number of rows with a verdict of `evaluator`."""
    passed: int
    """Number of these rows that pass."""
    pass_rate: float | None
    """Fraction of these rows that pass."""
    judged: int
    """Number of these rows that also have a verdict of `with`."""
    corrected: float
    """The pass rate that `with` would have in all these rows: its pass rates in the rows that pass and in those that fail with `evaluator`, weighted by the number of all such rows."""
    interval: list[float]
    """95 % confidence interval of `corrected`."""
    assumption_met: bool
    """Whether the judged rows are a random sample: all rows, or the complete sample of a review without filters. If not, a warning says why."""


class AgreementWarning(TypedDict):
    code: Literal["few-rows", "judge-changed", "no-threshold", "not-a-random-sample", "nothing-to-compare", "unjudged-verdict"]
    detail: str
    """A readable explanation."""


class Breakdown(TypedDict):
    id: str
    """The id of the evaluation."""
    by: str
    """What the rows are grouped by."""
    evaluators: list[BrokenDownEvaluator]
    base: NotRequired[SummaryBaseline]
    total: GroupStatistics
    group_count: int
    """Number of all groups."""
    groups: list[BreakdownGroup]
    """The 200 groups with the most rows, in the requested order."""
    rest: GroupStatistics | None


class BrokenDownEvaluator(TypedDict):
    name: str
    higher_is_better: bool
    """As declared. Default true."""
    threshold: float | None
    """As declared by the evaluation."""


class GroupStatistics(TypedDict):
    rows: int
    """Number of rows."""
    output_errors: int
    """Number of rows where the application failed."""
    evaluators: list[EvaluatorGroupStatistics]
    """All evaluators of the evaluation, in the order of their first occurrence."""
    cost: GroupCost
    latency: GroupLatency


class EvaluatorGroupStatistics(TypedDict):
    name: str
    """The name of the evaluator."""
    n: int
    """Number of rows with a score: a number, or true as 1 and false as 0."""
    mean: float | None
    """Mean score. Null without scores."""
    pass_rate: float | None
    """Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts."""
    base: NotRequired[GroupChange]


class GroupChange(TypedDict):
    n: int
    """Number of rows with a value in both evaluations. All statistics here refer to these rows."""
    mean: float | None
    """Mean of the baseline over these rows."""
    delta: float | None
    """Mean difference: candidate minus baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0."""
    outcome: Literal["better", "worse", "tied", "too-few", None]
    """`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones."""
    detectable: float | None
    """The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none."""
    regressed: int
    """Number of rows that are worse than in the baseline."""
    improved: int
    """Number of rows that are better than in the baseline."""
    unclear: int
    """Number of rows with repeats that differ from the baseline, but not certainly."""
    confidence: float | None
    """The confidence level of `interval`. With several groups it is higher than 0.95, so that all intervals of an evaluator together have a confidence of 95 %."""
    contribution: float | None
    """The part of the mean difference of all rows that this group causes: `delta` times `n`, divided by `n` of all rows. The contributions of all groups add up to the mean difference."""


class GroupCost(TypedDict):
    n: int
    """Number of rows with a cost."""
    total: float | None
    """Total cost in US dollars."""
    mean: float | None
    """Mean cost per row in US dollars."""
    base: NotRequired[GroupChange]


class GroupLatency(TypedDict):
    n: int
    """Number of rows with a latency."""
    mean: float | None
    """Mean latency in seconds."""
    base: NotRequired[GroupChange]


class BreakdownGroup(TypedDict):
    kind: Literal["value", "missing", "error"]
    """`value`: the rows with this value. `missing`: the rows without a value. `error`: with `by=result.<evaluator>`, the rows where the evaluator failed."""
    value: NotRequired[Any]
    """The value of the input, the result, or the error group. Only for the kind `value`. A long value is cut to a text."""
    is_cut: NotRequired[bool]
    """True if `value` is only the start of its JSON text. `first` is the id of a scenario with the whole value."""
    first: str
    """The id of the first scenario of the group."""
    rows: int
    """Number of rows."""
    output_errors: int
    """Number of rows where the application failed."""
    evaluators: list[EvaluatorGroupStatistics]
    """All evaluators of the evaluation, in the order of their first occurrence."""
    cost: GroupCost
    latency: GroupLatency


class Comparison(TypedDict):
    evaluations: list[ComparedEvaluation]
    """The baseline first, then the candidates in the requested order."""
    join: Join
    candidates: list[ComparedCandidate]
    warnings: list[ComparisonWarning]


class ComparedEvaluation(TypedDict):
    id: str
    name: str | None
    variant_id: str | None
    revision: int | None
    """The revision of the variant that ran."""
    scenario_count: int
    """Number of scenarios."""
    row_count: int
    """Number of rows. Scenarios that are repeats of the same row count once."""
    inputs: list[str]
    """Input names. Rows can be matched and filtered by them."""


class Join(TypedDict):
    by: str
    """The join key: `id`, `input`, `input.<name>` or `position`."""
    asked: str
    """The requested join key."""
    tried: list[TriedJoin]
    """The join keys that were tried, in order. The last one is used."""


class TriedJoin(TypedDict):
    by: str
    match_rate: float
    """The lowest match rate of all candidates."""


class ComparedCandidate(TypedDict):
    id: str
    matched: int
    """Number of rows matched with a row of the baseline. Repeats of a row count once."""
    match_rate: float
    """Matched rows as a fraction of the smaller evaluation. 1 if it is empty."""
    only_in_base: int
    """Number of unmatched rows of the baseline."""
    only_in_candidate: int
    """Number of unmatched rows of the candidate."""
    outputs_changed: int
    """Number of pairs with different outputs."""
    answers_differ: int
    """Number of pairs with different expected answers."""
    inputs_differ: int
    """Number of pairs with different inputs. Pairs in which one row has no inputs do not count."""
    has_different_rows: bool
    """True if more than half of the rows that are joined by id have different inputs. There is no outcome then."""
    evaluators: list[ComparedEvaluator]
    """The evaluators of the baseline in order, then those that only candidates have."""
    cost: PairedStatistics
    latency: PairedStatistics
    preferences: list[ComparisonPreference]
    """Which of both people prefer, for each question with a result in a review of this comparison."""
    gate: Gate


class ComparedEvaluator(TypedDict):
    name: str
    higher_is_better: bool
    """As declared by the baseline, else by the candidate. Default true."""
    n: int
    """Number of rows with a score in both evaluations. All statistics refer to these rows."""
    base_mean: float | None
    """Mean score of the baseline, over rows. The score of a row is the mean of its repeats. For verdicts, the pass rate."""
    mean: float | None
    """Mean score of the candidate, over rows. For verdicts, the pass rate."""
    delta: float | None
    """Mean difference: candidate minus baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0."""
    outcome: Literal["better", "worse", "tied", "too-few", None]
    """`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones."""
    detectable: float | None
    """The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none."""
    is_verdict: bool
    """True if all compared scores are verdicts."""
    p_value: float | None
    """For verdicts without repeats: p-value of the exact two-sided McNemar test. Null otherwise."""
    labels: list[LabelCounts] | None
    """Labels in the matched rows, the most frequent of the baseline first. Labels are text results, which have no statistics. Each repeat counts. Null unless both evaluations have labels, at most 50 different ones of at most 200 characters each."""
    classes: RowClassCounts


class LabelCounts(TypedDict):
    label: str
    base: int
    """Number of results with this label in the baseline."""
    candidate: int
    """Number of results with this label in the candidate."""


class RowClassCounts(TypedDict):
    regressed: int
    """Number of rows in which the candidate is worse. With repeats: every repeat of the candidate is worse than every repeat of the baseline, or Fisher’s exact test of their verdicts gives at most 0.05."""
    improved: int
    """Number of rows in which the candidate is better, by the same rule."""
    same: int
    """Number of rows with equal scores."""
    unclear: int
    """Number of rows with repeats whose scores differ, but not certainly."""
    incomparable: int
    """Number of rows with an error or a missing score on either side, or with a verdict and a number."""
    missing: int
    """Number of rows that only one of the two evaluations has."""


class PairedStatistics(TypedDict):
    n: int
    """Number of rows with a score in both evaluations. All statistics refer to these rows."""
    base_mean: float | None
    """Mean score of the baseline, over rows. The score of a row is the mean of its repeats. For verdicts, the pass rate."""
    mean: float | None
    """Mean score of the candidate, over rows. For verdicts, the pass rate."""
    delta: float | None
    """Mean difference: candidate minus baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0."""
    outcome: Literal["better", "worse", "tied", "too-few", None]
    """`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones."""
    detectable: float | None
    """The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none."""


class ComparisonPreference(TypedDict):
    review_id: str
    """The review that compares both evaluations."""
    evaluator: str
    """The evaluator of the question."""
    candidate: int
    """Number of rows in which people prefer the candidate."""
    baseline: int
    """Number of rows in which people prefer the baseline."""
    equal: int
    """Number of rows in which both are equal."""
    both_bad: int
    """Number of rows in which both are bad."""
    share: float | None
    """Fraction of the rows with a preferred side in which people prefer the candidate. Null without such rows."""
    interval: list[float] | None
    """Exact 95 % confidence interval of `share`."""


class Gate(TypedDict):
    decision: Literal["passed", "failed", "invalid"]
    """`invalid` if something prevents a decision."""
    reasons: list[GateReason]
    """Why, with at least one reason. The first one matters most."""
    checks: list[GateCheck]
    """The checked evaluators."""
    unchecked: list[str]
    """The other evaluators: numbers without a declared direction or threshold, evaluators of people, those that the baseline has no score of, and those that `on` does not name."""


class GateReason(TypedDict):
    code: Literal["certain", "observed-loss", "rows-regressed", "running", "run-failed", "count-differs", "rows-missing", "rows-differ", "scores-missing", "nothing-checked", "not-worse", "not-excluded"]
    """Of a failed gate: `certain` (the confidence interval excludes that the loss is within the tolerance), `observed-loss` (the loss is larger than `max_loss`, but can be chance) or `rows-regressed`. Of an invalid gate: `running`, `run-failed`, `count-differs` (from `expected_count`), `rows-missing` (too few rows of the baseline are matched), `rows-differ`, `scores-missing` or `nothing-checked`. Of a passed gate: `not-worse` (a larger loss is excluded) or `not-excluded` (too few rows to exclude a loss)."""
    evaluator: str | None
    """The evaluator that the reason is about."""
    detail: str
    """A readable explanation."""


class GateCheck(TypedDict):
    name: str
    """The checked evaluator."""
    n: int
    """Number of rows with a score in both evaluations."""
    scored: int
    """Number of rows with a score in the baseline."""
    is_verdict: bool
    """True if all scores of the baseline are verdicts."""
    loss: float | None
    """How much worse the candidate is. Negative if it is better."""
    interval: list[float] | None
    """Confidence interval of `loss` at the level 1 − 0.05 / m for m checked evaluators. A loss above its end is excluded. Null if there is none."""


class ComparisonWarning(TypedDict):
    code: Literal["answers-differ", "inputs-differ", "ids-generated", "evaluator-missing", "evaluator-differs", "rows-missing", "rows-grouped", "rows-repeated", "types-differ", "joined-by-position", "unfinished"]
    evaluation: str | None
    """The id of the affected evaluation."""
    evaluator: str | None
    """The name of the affected evaluator."""
    rows: int | None
    """Number of affected rows."""
    detail: str
    """A readable explanation."""


class ComparisonRows(TypedDict):
    join: Join
    show: Literal["all", "regressed", "improved", "same", "unclear", "incomparable", "missing"]
    on: str | None
    """The evaluator that `class` and `delta` refer to."""
    total: int
    """Number of rows in the requested class."""
    offset: int
    """Number of rows before the first row of this window."""
    before: NotRequired[int]
    """With `locate`: number of rows before that scenario, even if the scenario is not in the result."""
    located: NotRequired[int | None]
    """With `locate`: the index of that scenario in the result. Null if it is not in the result."""
    classes: RowClassCounts
    rows: list[ComparisonRow]


class ComparisonRow(TypedDict):
    base: Row | None
    base_repeats: list[str] | None
    """The ids of the first 100 scenarios of the row, in order."""
    base_score: RowScore | None
    candidates: list[ComparedRow]
    """One element per candidate, in order."""


class Row(TypedDict):
    position: int
    """The position in the evaluation, counted from 0."""
    id: str
    inputs: list[ScenarioInput]
    outputs: list[ScenarioOutput]
    correct_answers: list[CorrectAnswer] | None
    is_pinned: bool | None
    note: str | None
    results: list[ScenarioResult]
    conversations: NotRequired[list[ConversationPreview]]
    """The values of this row that are conversations. Left out if there are none."""
    cut: list[str]
    """JSON pointers (RFC 6901) to the truncated texts of this row."""


class RowScore(TypedDict):
    count: int
    """Number of repeats with a score."""
    passes: int | None
    """Number of repeats that pass. Null unless all scores are verdicts."""
    mean: float | None
    """Mean score of the repeats."""


ComparedRow = TypedDict(
    "ComparedRow",
    {
        "row": "Row | None",
        # The ids of the first 100 scenarios of the row, in order.
        "repeats": "list[str] | None",
        "score": "RowScore | None",
        "class": "Literal[\"regressed\", \"improved\", \"same\", \"unclear\", \"incomparable\", \"missing\"]",
        # Score minus the score of the baseline, if both can be compared.
        "delta": "float | None",
        # Null if the row is not matched.
        "output_changed": "bool | None",
    },
)


class Leaderboard(TypedDict):
    on: str
    """The evaluator."""
    higher_is_better: bool
    is_verdict: bool
    """True if all scores of the shared rows are verdicts."""
    join: Join
    shared_rows: int
    """Number of rows that have a score in all ranked evaluations. All statistics refer to these rows."""
    confidence: float
    """The confidence of each comparison of two evaluations: so high that all pairs together have at least 95 %."""
    evaluations: list[RankedEvaluation]
    """The highest score first, or the lowest if that is better."""
    warnings: list[LeaderboardWarning]


class RankedEvaluation(TypedDict):
    id: str
    name: str | None
    variant_id: str | None
    revision: int | None
    """The revision of the variant that ran."""
    label: str | None
    """The prompt of this evaluation in its family."""
    provider: str | None
    """The provider of this evaluation in its family."""
    created_at: str
    """UTC, with milliseconds."""
    row_count: int
    """Number of rows of the evaluation, shared or not."""
    rank: list[int]
    """The best and the worst rank that the data allow: one more than the number of evaluations that are certainly better, and the number of those that are not certainly worse, with itself."""
    mean: float | None
    """Mean score over the shared rows. For verdicts, the pass rate."""
    interval: list[float] | None
    """95 % confidence interval of `mean`, over rows."""
    change: ChangeToBest | None
    cost: RankedCost
    latency: RankedLatency


class ChangeToBest(TypedDict):
    """The paired change relative to the first evaluation, at the confidence of the leaderboard. Null for the first evaluation."""
    delta: float | None
    """Mean difference: candidate minus baseline."""
    interval: list[float] | None
    """95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0."""
    outcome: Literal["better", "worse", "tied", "too-few", None]
    """`tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones."""
    detectable: float | None
    """The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none."""


class RankedCost(TypedDict):
    mean: float | None
    """Mean cost of a run of a row. Null without a cost."""
    on_frontier: bool | None
    """True if no other evaluation has a score at least as good and a cost at least as low, with one of them better. Null without a cost."""


class RankedLatency(TypedDict):
    p50: float | None
    """Median over the shared rows. Null without a latency."""
    p95: float | None
    """95 % of the shared rows are at most as slow."""
    on_frontier: bool | None
    """True if no other evaluation has a score at least as good and a median latency at least as low, with one of them better. Null without a median latency."""


class LeaderboardWarning(TypedDict):
    code: Literal["evaluator-missing", "rows-missing", "inputs-differ", "unfinished"]
    evaluation: str | None
    """The id of the affected evaluation."""
    rows: int | None
    """Number of affected rows."""
    detail: str
    """A readable explanation."""


class LeaderboardRows(TypedDict):
    on: str
    """The evaluator."""
    higher_is_better: bool
    is_verdict: bool
    """True if all scores of the shared rows are verdicts."""
    join: Join
    evaluations: list[str]
    """The ids of the evaluations, in the order of `cells`."""
    shared_rows: int
    """Number of rows that have a score in all evaluations."""
    total: int
    """Number of rows."""
    offset: int
    """Number of rows before the first row of this window."""
    rows: list[LeaderboardRow]
    """The rows with the largest `spread` first."""


class LeaderboardRow(TypedDict):
    row: Row
    spread: float | None
    """The standard deviation of the scores of the row. Null if fewer than two evaluations have a score."""
    cells: list[LeaderboardCell]
    """One element per evaluation, in their order."""


class LeaderboardCell(TypedDict):
    scenario: str | None
    """The id of the first scenario of the row. Null if the row is missing."""
    state: Literal["pass", "fail", "mixed", "scored", "error", "not-evaluated", "missing"]
    """`mixed` if some repeats pass and others fail. `scored` if the score is a number without a threshold. `missing` if the evaluation does not have the row."""
    score: float | None
    """The mean score of the repeats of the row."""


class Variant(TypedDict):
    id: str
    name: str | None
    created_at: str
    """UTC, with milliseconds."""
    updated_at: str
    """The time of the last write that changed the variant or added a revision."""
    revision_count: int
    """Number of revisions."""
    latest_revision: int | None
    """The highest revision number. Null without revisions."""


class VariantRevision(TypedDict):
    revision: int
    """The revision number."""
    modified_by: str
    """Display name of the author."""
    config: RevisionConfig
    created_at: str
    """UTC, with milliseconds."""
    message: NotRequired[str | None]
    """What changed and why. Truncated to 2000 characters. Present only with `include=message`."""
    evaluations: NotRequired[list[EvaluationOfRevision]]
    """The evaluations that ran this revision, newest first. Present only with `include=evaluations`."""
    changes: NotRequired[ChangesFromPrevious | None]


class RevisionConfig(TypedDict):
    config_name: str
    parameters: NotRequired[dict[str, Any]]
    """Free-form parameters: prompt, model, settings. Returned exactly as they were sent."""


class EvaluationOfRevision(TypedDict):
    id: str
    name: str | None
    created_at: str
    """UTC, with milliseconds."""
    scenario_count: int
    """Number of scenarios."""
    scores: Scores


class ChangesFromPrevious(TypedDict):
    against: int
    """The number of the previous revision."""
    config_name: ConfigNameChange | None
    parameter_count: int
    """Number of distinct parameters in both revisions: scalars and empty containers, by path."""
    change_count: int
    """Number of all changes."""
    changes: list[ParameterChange]
    """The first 100 changes, or fewer if paths are very long."""


class ConfigNameChange(TypedDict):
    old: str
    new: str


class ParameterChange(TypedDict):
    path: str
    """The path: names separated by dots, list indexes in brackets, special names in brackets and quotes. For removed values, the old path."""
    old_path: str | None
    """The old path, if it differs."""
    kind: Literal["added", "removed", "changed", "moved"]
    """`moved`: a list element whose order relative to the other common elements changed."""
    lines: LineCounts | None


class LineCounts(TypedDict):
    added: int
    """Number of added lines."""
    removed: int
    """Number of removed lines."""


RevisionDiff = TypedDict(
    "RevisionDiff",
    {
        "variant_id": "str",
        # The number of the old revision.
        "from": "int",
        # The number of the new revision.
        "to": "int",
        "config_name": "ConfigNameChange | None",
        # Number of distinct parameters in both revisions: scalars and empty containers, by path.
        "parameter_count": "int",
        # Number of all changes.
        "change_count": "int",
        # The first 10000 changes, or fewer if paths are very long.
        "changes": "list[ParameterDiff]",
    },
)


class ParameterDiff(TypedDict):
    path: str
    """The path: names separated by dots, list indexes in brackets, special names in brackets and quotes. For removed values, the old path."""
    old_path: str | None
    """The old path, if it differs."""
    kind: Literal["added", "removed", "changed", "moved"]
    """`moved`: a list element whose order relative to the other common elements changed."""
    old: NotRequired[Any]
    """The exact old value. Absent if there was none."""
    new: NotRequired[Any]
    """The exact new value. Absent if there is none."""
    lines: LineCounts | None


class Change(TypedDict):
    sequence: int
    """The number of the entry. Numbers increase. A number can be missing, because entries about keys are not returned."""
    time: str
    """When the change was stored. UTC, with milliseconds."""
    action: str
    """What happened: `evaluation.created`, `evaluation.updated`, `evaluation.deleted`, `scenarios.appended`, `scenarios.replaced`, `scenario.updated`, `scenario.deleted`, `results.added`, `results.deleted`, `review.created`, `review.updated`, `review.deleted`, `answers.added`, `answers.updated`, `answers.deleted`, `variant.created`, `variant.updated`, `variant.deleted`, `revision.created`, `revision.deleted`. Later versions can add actions."""
    evaluation_id: str | None
    """The evaluation that was changed."""
    scenario_id: str | None
    """The scenario, if the change is about one only."""
    review_id: str | None
    """The review that was created, changed or deleted."""
    variant_id: str | None
    """The variant that was changed."""
    revision: int | None
    """The revision, if the change is about one only."""
    counts: ChangeCounts
    version: str | None
    """The version of the evaluation or variant after the change, with which its ETags begin. Null if it was deleted."""
    cursor: str
    """The position of this entry. Pass it as `after` to read the entries that follow."""


class ChangeCounts(TypedDict):
    """How many scenarios, results, answers or revisions the change is about."""
    scenarios: NotRequired[int]
    """Number of scenarios."""
    results: NotRequired[int]
    """Number of results."""
    answers: NotRequired[int]
    """Number of answers of reviewers."""
    revisions: NotRequired[int]
    """Number of revisions."""
    added: NotRequired[int]
    """Number of scenarios that an upload of all scenarios added."""
    deleted: NotRequired[int]
    """Number of scenarios that an upload of all scenarios deleted."""


class OwnKey(TypedDict):
    public_id: str
    """The public part of the key, used to revoke it and in logs."""
    last_four: str
    """The last four characters of the key."""
    name: str | None
    """The name given at creation."""
    created_at: str
    """When the key was created."""
    project: str
    """The name of the project."""
    scopes: list[Literal["read", "write", "review"]]
    """What the key can do: `read`, `write`, or `review` (answer one review, only in share links)."""
    confined_to: KeyRestriction | None
    expires_at: str | None
    """When the key expires. Null if it does not expire."""


class KeyRestriction(TypedDict):
    """What the key can read or answer. Exactly one member must be set."""
    evaluation_id: NotRequired[str]
    """The id of the only readable evaluation."""
    comparison: NotRequired[list[str]]
    """The ids of the readable evaluations, the baseline first. They can be compared."""
    variant_id: NotRequired[str]
    """The id of the only readable variant."""
    review_id: NotRequired[str]
    """The id of the review that the key can answer. It can read nothing else."""


class Share(TypedDict):
    public_id: str
    """The public part of the key, used to revoke it and in logs."""
    last_four: str
    """The last four characters of the key."""
    name: str | None
    """The name given at creation."""
    created_at: str
    """When the key was created."""
    scopes: list[Literal["read", "review"]]
    """What the share link can do: `read`, or `review` for a link to a review."""
    confined_to: KeyRestriction
    expires_at: str
    """When the share link expires."""


class NewShare(TypedDict):
    key: str
    """The whole key. It is returned only once."""
    public_id: str
    """The public part of the key, used to revoke it and in logs."""
    last_four: str
    """The last four characters of the key."""
    name: str | None
    """The name given at creation."""
    created_at: str
    """When the key was created."""
    scopes: list[Literal["read", "review"]]
    """What the share link can do: `read`, or `review` for a link to a review."""
    confined_to: KeyRestriction
    expires_at: str
    """When the share link expires."""


class ApiIndex(TypedDict):
    name: str
    """The name of the service."""
    version: str
    """The version of the service and of the OpenAPI document."""
    links: dict[str, str]
    """The path of each resource, by its name."""


class EvaluationWrite(TypedDict):
    id: NotRequired[str | None]
    """1 to 200 characters, unique in the project. Generated if omitted."""
    name: NotRequired[str | None]
    variant_id: NotRequired[str | None]
    """The variant that was evaluated. In a request, it must exist."""
    revision: NotRequired[int | None]
    """The revision of the variant that ran. In a request, it must exist."""
    baseline_id: NotRequired[str | None]
    """The evaluation that this one is compared with. It can be created later."""
    family: NotRequired[str | None]
    """The evaluations of one file with several prompts or providers have the same family: their id without the number of the column."""
    label: NotRequired[str | None]
    """The prompt of this evaluation in its family."""
    provider: NotRequired[str | None]
    """The provider of this evaluation in its family."""
    status: NotRequired[Literal["running", "finished", "failed", None]]
    """`running` while scenarios are still being added, `failed` if it ended early. Default: `finished`."""
    expected_count: NotRequired[int | None]
    """The number of scenarios that a running evaluation will have, to show its progress."""
    tags: NotRequired[list[str] | None]
    """At most 20 different tags of 1 to 64 characters. Their order is preserved."""
    evaluators: NotRequired[list[EvaluatorWrite] | None]
    metadata: NotRequired[dict[str, Any] | None]
    """Free-form metadata."""
    source: NotRequired[str | None]
    """The tool that produced the results."""
    created_at: NotRequired[str | None]
    """An RFC 3339 timestamp. Default: now."""


class EvaluatorWrite(TypedDict):
    name: str
    """The evaluator name, as in `results[].evaluator_config`."""
    higher_is_better: NotRequired[bool]
    threshold: NotRequired[float]
    model: NotRequired[str]
    """The language model of a judge."""
    prompt: NotRequired[str]
    """The prompt of a judge, or its name and version, such as `judge-v4`."""
    kind: NotRequired[Literal["code", "model", "human"]]
    """Who gives the results: a program (`code`), a language model (`model`) or a person (`human`)."""


class EvaluationPatch(TypedDict):
    name: NotRequired[str | None]
    variant_id: NotRequired[str | None]
    """The variant that was evaluated. In a request, it must exist."""
    revision: NotRequired[int | None]
    """The revision of the variant that ran. In a request, it must exist."""
    baseline_id: NotRequired[str | None]
    """The evaluation that this one is compared with. It can be created later."""
    family: NotRequired[str | None]
    """The evaluations of one file with several prompts or providers have the same family: their id without the number of the column."""
    label: NotRequired[str | None]
    """The prompt of this evaluation in its family."""
    provider: NotRequired[str | None]
    """The provider of this evaluation in its family."""
    status: NotRequired[Literal["running", "finished", "failed", None]]
    """`running` while scenarios are still being added, `failed` if it ended early. Default: `finished`."""
    expected_count: NotRequired[int | None]
    """The number of scenarios that a running evaluation will have, to show its progress."""
    tags: NotRequired[list[str] | None]
    """At most 20 different tags of 1 to 64 characters. Their order is preserved."""
    evaluators: NotRequired[list[EvaluatorChange] | None]
    """Sets the members of the named evaluators. Their other members and other evaluators stay. `null` removes a member, or all evaluators."""
    metadata: NotRequired[dict[str, Any] | None]
    """Free-form metadata."""


class EvaluatorChange(TypedDict):
    name: str
    """The evaluator to change, or to declare if it is not declared."""
    higher_is_better: NotRequired[bool | None]
    threshold: NotRequired[float | None]
    model: NotRequired[str | None]
    prompt: NotRequired[str | None]
    kind: NotRequired[Literal["code", "model", "human", None]]


class ScenarioWrite(TypedDict):
    id: NotRequired[str | None]
    """1 to 200 characters, unique in the evaluation. Generated if omitted."""
    evaluation_id: NotRequired[str]
    """If present, it must be the evaluation in the path."""
    inputs: NotRequired[list[ScenarioInputWrite]]
    outputs: NotRequired[list[ScenarioOutputWrite]]
    correct_answers: NotRequired[list[CorrectAnswerWrite] | None]
    is_pinned: NotRequired[bool | None]
    note: NotRequired[str | None]
    results: NotRequired[list[ScenarioResultWrite]]
    extra: NotRequired[dict[str, Any] | None]
    """Additional data. `results[i].reason` explains the result of an evaluator, `sample` is the row of the test set (1 to 200 characters), the same for all its repetitions, and `repetition` is the number of the repetition, from 1. All other members are free-form."""


class ScenarioInputWrite(TypedDict):
    name: str
    type: str
    """The type of the value, for example `text` or `json`."""
    value: Any
    """Any JSON value. Returned exactly as it was sent."""


class ScenarioOutputWrite(TypedDict):
    result: ResultWrite
    cost: NotRequired[float | None]
    """Cost in US dollars."""
    latency: NotRequired[float | None]
    """Latency in seconds."""


class ResultWrite(TypedDict):
    type: str
    """The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed."""
    value: NotRequired[Any]
    """Any JSON value. Returned exactly as it was sent."""
    error: NotRequired[ErrorWrite | None]


class ErrorWrite(TypedDict):
    message: str
    stacktrace: NotRequired[str | None]


class CorrectAnswerWrite(TypedDict):
    key: str
    value: str


class ScenarioResultWrite(TypedDict):
    evaluator_config: str
    """The name of the evaluator."""
    result: ResultWrite


class ScenarioPatch(TypedDict):
    is_pinned: NotRequired[bool | None]
    note: NotRequired[str | None]


class NewResult(TypedDict):
    scenario_id: str
    """The id of the scenario. It must exist."""
    evaluator_config: str
    """The name of the evaluator. A result of this evaluator that the scenario has is replaced."""
    result: ResultWrite
    reason: NotRequired[str | None]
    """Explains the result."""
    by: NotRequired[str | None]
    """Who gave the result, for example the name of a reviewer."""


class ReviewWrite(TypedDict):
    id: NotRequired[str | None]
    """1 to 200 characters, unique in the project. Generated if omitted."""
    name: NotRequired[str | None]
    """The name that reviewers see."""
    instructions: NotRequired[str | None]
    """What reviewers read before the first row."""
    filters: NotRequired[dict[str, list[str]] | None]
    """Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review."""
    base_id: NotRequired[str | None]
    """The baseline of the filter `delta`, and the baseline of a review of a comparison."""
    sample: NotRequired[NewSample | None]
    reviewers_per_row: NotRequired[int | None]
    """How many reviewers answer each row. Default: 1."""
    overlap: NotRequired[float | None]
    """The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0."""
    questions: list[NewQuestion]


class NewSample(TypedDict):
    rows: int
    """The number of rows."""
    seed: NotRequired[int]
    """Chooses the rows: those with the smallest SHA-256 hashes of the seed, a colon and the scenario id. Default: 0."""


class NewQuestion(TypedDict):
    evaluator: str
    """The evaluator that the results of this question have, as in `evaluator_config`."""
    type: Literal["verdict", "label", "number", "text", "preference"]
    """`verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type."""
    labels: NotRequired[list[str]]
    """Suggested labels: the failure modes of a verdict, or the values of a label. Reviewers can add others."""
    question: NotRequired[str | None]
    """The question as reviewers read it."""
    description: NotRequired[str | None]
    """How to answer it."""


class ComparisonReviewWrite(TypedDict):
    id: NotRequired[str | None]
    """1 to 200 characters, unique in the project. Generated if omitted."""
    name: NotRequired[str | None]
    """The name that reviewers see."""
    instructions: NotRequired[str | None]
    """What reviewers read before the first row."""
    filters: NotRequired[dict[str, list[str]] | None]
    """Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review."""
    sample: NotRequired[NewSample | None]
    reviewers_per_row: NotRequired[int | None]
    """How many reviewers answer each row. Default: 1."""
    overlap: NotRequired[float | None]
    """The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0."""
    evaluations: list[str]
    """The ids of the baseline and of the candidate, to which the review belongs."""
    questions: list[NewQuestion]


class ReviewPatch(TypedDict):
    name: NotRequired[str | None]
    """The name that reviewers see."""
    instructions: NotRequired[str | None]
    """What reviewers read before the first row."""
    filters: NotRequired[dict[str, list[str]] | None]
    """Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review."""
    base_id: NotRequired[str | None]
    """The baseline of the filter `delta`, and the baseline of a review of a comparison."""
    sample: NotRequired[NewSample | None]
    reviewers_per_row: NotRequired[int | None]
    """How many reviewers answer each row. Default: 1."""
    overlap: NotRequired[float | None]
    """The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0."""
    questions: NotRequired[list[NewQuestion]]


class LabelMerge(TypedDict):
    evaluator: str
    """The evaluator of a question of the review."""
    labels: list[str]
    """The labels to replace."""
    to: str
    """The label that replaces them. It can exist already."""


class AnswersWrite(TypedDict):
    answers: list[NewAnswer]
    """The answers to the questions about one row. Answers to other questions are removed."""


class NewAnswer(TypedDict):
    evaluator: str
    """The evaluator of a question of the review."""
    value: bool | float | str | None
    """The answer: true or false for a verdict, a text for a label or text, a number for a number. For a preference, `left`, `right`, `equal` or `both_bad`; with a key of the project, `candidate` and `baseline` instead of the sides. Null means "cannot tell": it is stored, but not counted."""
    labels: NotRequired[list[str]]
    note: NotRequired[str | None]


class VariantWrite(TypedDict):
    id: NotRequired[str | None]
    """1 to 200 characters, unique in the project. Generated if omitted."""
    name: NotRequired[str | None]


class VariantPatch(TypedDict):
    name: NotRequired[str | None]


class RevisionWrite(TypedDict):
    revision: NotRequired[int]
    """The revision number, in plain digits. Default: the highest existing number plus one, starting at 1."""
    modified_by: str
    """Display name of the author."""
    config: RevisionConfigWrite
    created_at: NotRequired[str]
    """An RFC 3339 timestamp. Default: now."""
    message: NotRequired[str | None]
    """What changed and why."""


class RevisionConfigWrite(TypedDict):
    config_name: str
    parameters: NotRequired[dict[str, Any]]
    """Free-form parameters: prompt, model, settings. Returned exactly as they were sent."""


class ShareWrite(TypedDict):
    confined_to: KeyRestrictionWrite
    name: NotRequired[str | None]
    """A name for the share link. Required for a review: it is the name of the reviewer. Links to a review with the same name belong to the same reviewer."""
    scopes: NotRequired[list[Literal["read", "review"]] | None]
    """What the share link can do: `review` for a link to a review, otherwise `read`. Default: the allowed one."""
    expires_at: NotRequired[str | None]
    """When the share link expires, as an RFC 3339 timestamp. It must not be later than the expiry of the key that creates it. Default: in seven days, or with that key if it expires earlier."""


class KeyRestrictionWrite(TypedDict):
    """What the key can read or answer. Exactly one member must be set."""
    evaluation_id: NotRequired[str]
    """The id of the only readable evaluation."""
    comparison: NotRequired[list[str]]
    """The ids of the readable evaluations, the baseline first. They can be compared."""
    variant_id: NotRequired[str]
    """The id of the only readable variant."""
    review_id: NotRequired[str]
    """The id of the review that the key can answer. It can read nothing else."""


class ImportFileQuery(TypedDict):
    format: NotRequired[Literal["scenarios", "revisions", "promptfoo", "inspect", "deepeval", "lm-eval", "phoenix", "openai", "ragas", "langsmith", "braintrust", "mlflow", "langfuse", "parquet", "table"]]
    """The format of the file. Default: detected from the content."""
    name: NotRequired[str]
    """The file name. Some formats derive ids from it."""
    evaluation: NotRequired[str]
    """The id of the evaluation to import into. Overrides the id in the file."""
    variant: NotRequired[str]
    """The id of the variant. For a file of revisions: the variant to add them to."""
    dry_run: NotRequired[bool]
    """Validate the file and return the report without storing anything."""
    skip_invalid: NotRequired[bool]
    """Skip invalid records and store the others. Default: one invalid record rejects the whole file."""
    on_conflict: NotRequired[Literal["error", "replace", "skip", "replace_all"]]
    """What happens to a scenario whose id exists with different content. `error` (default): the request is rejected. `replace`: the stored scenario is replaced; its pin, its note and the results of evaluators with the kind `human` are kept, unless the record contains them. `skip`: the stored scenario stays as it is. `replace_all`: afterwards the evaluation contains exactly the scenarios of the request, in their order. A stored scenario matches by its id if the client gave it, otherwise by its inputs. Its pin and note are kept, and its results of evaluators with the kind `human` and answers of reviewers if the outputs are the same."""
    baseline: NotRequired[str]
    """The `baseline_id` of the imported evaluation, also if it exists already. If the file contains several evaluations, each gets the member of this family with the same label and provider, and others get none."""
    map: NotRequired[str]
    """For tables: the roles of columns, as `COLUMN=ROLE[.KEY][:TYPE]` separated by commas, for example `answer=output,correct=score:bool,latency_ms=latency:ms`. Other columns are recognized by their names and values."""


# Error codes, for programs. Later versions of the service can add codes.
ProblemCode = Literal[
    "access-denied",
    "conflict",
    "content-too-large",
    "cursor-expired",
    "evaluation-not-found",
    "evaluator-not-found",
    "expectation-failed",
    "header-fields-too-large",
    "insufficient-storage",
    "internal-error",
    "invalid-content",
    "invalid-json",
    "invalid-request",
    "method-not-allowed",
    "not-acceptable",
    "not-implemented",
    "nothing-to-rank",
    "precondition-failed",
    "query-timeout",
    "request-timeout",
    "result-not-found",
    "review-not-found",
    "revision-not-found",
    "route-not-found",
    "scenario-not-found",
    "share-not-found",
    "store-damaged",
    "too-many-queries",
    "too-many-requests",
    "unauthorized",
    "unavailable",
    "unsupported-media-type",
    "uri-too-long",
    "variant-not-found",
]
