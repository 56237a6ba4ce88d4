// Types of the HTTP API. Generated from openapi.json by `npm run openapi`; do not edit.

export interface Problem {
  /** URL of the documentation for this error. */
  type: string
  /** What the error code means, in a few words. */
  title: string
  /** The HTTP status code. */
  status: number
  /** A stable error code for programs. Later versions can add codes. */
  code: string
  /** What went wrong and what to do, for people. */
  detail: string
  /** The request id, as in the log. */
  instance: string
  /** For `invalid-json`: the line in the body. */
  line?: number | undefined
  /** For `invalid-json`: the byte offset in the body. */
  offset?: number | undefined
  /** For `invalid-content`: the validation errors, at most 100. */
  errors?: ContentError[] | undefined
  /** For `invalid-content`: the total number of errors. */
  error_count?: number | undefined
  /** For `conflict`: the scenarios that exist already with different content, at most 100. */
  conflicts?: ScenarioConflict[] | undefined
  /** For `conflict`: the total number of these scenarios. */
  conflict_count?: number | undefined
  report?: ImportReport | undefined
}

export interface ContentError {
  /** JSON pointer (RFC 6901) into the body. For an imported file: into the record. */
  pointer: string
  /** The line on which the record begins. */
  line: number
  /** What is wrong with the value. */
  detail: string
}

export interface ScenarioConflict {
  /** The id of the scenario. */
  id: string
  /** JSON pointer (RFC 6901) into the body. */
  pointer: string
  /** The line on which the record begins. */
  line: number
}

export interface ImportReport {
  /** The file name. */
  file: string
  /** The format the file was read as. */
  format: string
  /** Whether the data was stored. False for a dry run and for a rejected import. */
  stored: boolean
  /** Number of records read from the file. Records that become one scenario together count as one, and a table row with the outputs of several models counts once per model. */
  read: number
  /** The imported evaluations, with the number of their scenarios. */
  evaluations: ImportedEvaluation[]
  /** The imported variants, with the number of their revisions. */
  variants: Imported[]
  /** With `on_conflict=replace_all`: the ids of deleted evaluations. They belong to the same family, and the file no longer contains them. */
  deleted?: string[] | undefined
  /** Number of rejected records. */
  refused: number
  /** Why records were rejected. A service lists at most 1000 notes. */
  refusals: ImportNote[]
  /** Number of values that were imported in another form. */
  repaired: number
  /** What was repaired. A service lists at most 1000 notes. */
  repairs: ImportNote[]
  /** Number of notes about data that was read but not kept. */
  omitted: number
  /** What was read but not kept. A service lists at most 1000 notes. */
  omissions: ImportNote[]
  /** What else to know about the imported data. */
  notes: ImportNote[]
  /** How the columns of a table were read. Empty for other formats. */
  columns: ImportColumn[]
  /** The first scenarios of a dry run. Empty otherwise. */
  first: Record<string, unknown>[]
}

export interface ImportedEvaluation {
  /** The id of the evaluation or variant. */
  id: string
  /** The name of the evaluation, or its id if it has no name. */
  name: string
  /** The members of an existing evaluation that the file changed, such as `status`. */
  updated: string[]
  /** Number of added records. */
  accepted: number
  /** Number of records that existed already with the same content. */
  unchanged: number
  /** With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario. */
  replaced?: number | undefined
  /** With `on_conflict=skip`: number of records that existed already with different content. */
  skipped?: number | undefined
  /** With `on_conflict=replace_all`: number of stored scenarios that match no record. */
  deleted?: number | undefined
  /** With `on_conflict=replace_all`: number of pins and notes of deleted scenarios. */
  dropped_notes?: number | undefined
  /** With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed. */
  dropped_human_results?: number | undefined
  /** With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed. */
  dropped_answers?: number | undefined
  /** Number of stored scenarios that no record of the file has. They stay; `on_conflict=replace_all` deletes them. Absent if there are none, if the file has only new scenarios, and if records were rejected. */
  missing?: number | undefined
  /** The ids of the first 5 missing scenarios. */
  missing_ids?: string[] | undefined
}

export interface Imported {
  /** The id of the evaluation or variant. */
  id: string
  /** Number of added records. */
  accepted: number
  /** Number of records that existed already with the same content. */
  unchanged: number
  /** With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario. */
  replaced?: number | undefined
  /** With `on_conflict=skip`: number of records that existed already with different content. */
  skipped?: number | undefined
  /** With `on_conflict=replace_all`: number of stored scenarios that match no record. */
  deleted?: number | undefined
  /** With `on_conflict=replace_all`: number of pins and notes of deleted scenarios. */
  dropped_notes?: number | undefined
  /** With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed. */
  dropped_human_results?: number | undefined
  /** With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed. */
  dropped_answers?: number | undefined
}

export interface ImportNote {
  /** The number of the record, counted from 1. Null if the note is about the whole file. */
  record: number | null
  /** The line in the file, counted from 1. */
  line: number
  /** JSON pointer (RFC 6901) inside the record. */
  pointer: string
  /** What was rejected, repaired or omitted, and why. */
  detail: string
}

export interface ImportColumn {
  /** The name of the column in the file. */
  name: string
  /** What the column contains. */
  role: 'id' | 'input' | 'output' | 'expected' | 'score' | 'reason' | 'cost' | 'latency' | 'error' | 'note' | 'is_pinned' | 'repetition' | 'provider' | 'extra'
  /** The name of the input, the key of the correct answer, or the evaluator. Null for other roles. */
  key: string | null
  /** How values are read. Score: bool, number, percent, rating or text. Latency: s, ms, us or min. Cost: usd or cents. Repetition: 1-based or 0-based. Null: each value as it is. */
  type: string | null
  /** The model or provider, if the table has columns of several. Each is an evaluation of its own. Null if the column belongs to all evaluations. */
  provider: string | null
  /** Where the role comes from: an option, the name of the column, its values, the format of a tool, or none of them. */
  origin: 'option' | 'name' | 'values' | 'preset' | 'default'
  /** Up to 3 values from the first rows, each with up to 200 characters. */
  examples: string[]
}

export interface Evaluation {
  id: string
  name: string | null
  /** The variant that was evaluated. In a request, it must exist. */
  variant_id: string | null
  /** The revision of the variant that ran. In a request, it must exist. */
  revision: number | null
  /** The evaluation that this one is compared with. It can be created later. */
  baseline_id: string | null
  /** The evaluations of one file with several prompts or providers have the same family: their id without the number of the column. */
  family: string | null
  /** The prompt of this evaluation in its family. */
  label: string | null
  /** The provider of this evaluation in its family. */
  provider: string | null
  /** `running` while scenarios are still being added, `failed` if it ended early. Default: `finished`. */
  status: 'running' | 'finished' | 'failed'
  /** The number of scenarios that a running evaluation will have, to show its progress. */
  expected_count: number | null
  /** At most 20 different tags of 1 to 64 characters. Their order is preserved. */
  tags: string[]
  evaluators: Evaluator[] | null
  /** Free-form metadata. */
  metadata: Record<string, unknown> | null
  /** The tool that produced the results. */
  source: string | null
  /** UTC, with milliseconds. */
  created_at: string
  /** The time of the last write that changed the evaluation or its scenarios. */
  updated_at: string
  /** Number of scenarios. */
  scenario_count: number
  scores?: Scores | undefined
}

export interface Evaluator {
  /** The evaluator name, as in `results[].evaluator_config`. */
  name: string
  higher_is_better?: boolean | undefined
  threshold?: number | undefined
  /** The language model of a judge. */
  model?: string | undefined
  /** The prompt of a judge, or its name and version, such as `judge-v4`. */
  prompt?: string | undefined
  /** Who gives the results: a program (`code`), a language model (`model`) or a person (`human`). */
  kind?: 'code' | 'model' | 'human' | undefined
}

export interface Scores {
  /** Number of scenarios where the application failed. */
  output_errors: number
  cost: CostScores
  latency: LatencyScores
  /** In the order of their first occurrence. */
  evaluators: EvaluatorScores[]
  base?: SummaryBaseline | undefined
}

export interface CostScores {
  /** Number of scenarios with a cost. */
  n: number
  /** Total cost in US dollars. */
  total: number | null
  /** Mean cost per scenario in US dollars. */
  mean: number | null
  base?: BaselineStatistics | undefined
}

export interface BaselineStatistics {
  /** Number of rows with a value in both evaluations. All statistics here refer to these rows. */
  n: number
  /** Mean of the baseline over these rows. */
  mean: number | null
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  /** 95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0. */
  interval: [number, number] | null
  /** `tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones. */
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none. */
  detectable: number | null
  /** Number of rows that are worse than in the baseline. */
  regressed: number
  /** Number of rows that are better than in the baseline. */
  improved: number
  /** Number of rows with repeats that differ from the baseline, but not certainly. */
  unclear: number
}

export interface LatencyScores {
  /** Number of scenarios with a latency. */
  n: number
  /** Mean latency in seconds. */
  mean: number | null
  /** Median latency in seconds. Approximate with more than 1,000 latencies. */
  p50: number | null
  base?: BaselineStatistics | undefined
}

export interface EvaluatorScores {
  name: string
  higher_is_better: boolean
  /** Number of results with a score. A verdict counts as 1 or 0. */
  n: number
  /** Number of results where the evaluator failed. */
  errors: number
  /** Mean score. Null without scores. */
  mean: number | null
  /** Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts. */
  pass_rate: number | null
  base?: BaselineStatistics | undefined
  /** With `base`: the id of the scenario with the largest change for the worse. Null if none is worse. */
  largest_regression?: string | null | undefined
}

export interface SummaryBaseline {
  /** The id of the baseline evaluation. */
  id: string
  name: string | null
  /** The variant of the baseline. */
  variant_id: string | null
  /** The revision of the variant of the baseline. */
  revision: number | null
  /** `declared`: the `baseline_id` of the evaluation. `marked`: the newest older, finished evaluation of its variant that another evaluation has as `baseline_id`. `previous`: the finished evaluation before it. Null if the request names the baseline. */
  chosen: 'declared' | 'marked' | 'previous' | null
  /** The join key: `id`, `input` or `position`. */
  by: string
  /** Number of matched rows. */
  matched: number
  /** Matched rows as a fraction of the smaller evaluation. */
  match_rate: number
  /** True if more than half of the rows that are joined by id have different inputs. There is no outcome then. */
  has_different_rows: boolean
  /** In the summary: number of parameters that differ between the revisions of both evaluations. Null unless both ran the same variant. */
  changed_parameters?: number | null | undefined
}

export interface EvaluationScenario {
  id: string
  evaluation_id: string
  inputs: ScenarioInput[]
  outputs: ScenarioOutput[]
  correct_answers: CorrectAnswer[] | null
  is_pinned: boolean | null
  note: string | null
  results: ScenarioResult[]
  /** Additional data of the client. Present only with `include=extra`. */
  extra?: Record<string, unknown> | null | undefined
  /** Whether Assay generated the id because the client sent none. Present only if true, and only with `include=has_generated_id`. */
  has_generated_id?: boolean | undefined
}

export interface ScenarioInput {
  name: string
  /** The type of the value, for example `text` or `json`. */
  type: string
  /** Any JSON value. Returned exactly as it was sent. */
  value: unknown
}

export interface ScenarioOutput {
  result: Result
  /** Cost in US dollars. */
  cost?: number | null | undefined
  /** Latency in seconds. */
  latency?: number | null | undefined
}

export interface Result {
  /** The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed. */
  type: string
  /** Any JSON value. Returned exactly as it was sent. */
  value?: unknown
  error?: Error | null | undefined
}

export interface Error {
  message: string
  stacktrace?: string | null | undefined
}

export interface CorrectAnswer {
  key: string
  value: string
}

export interface ScenarioResult {
  /** The name of the evaluator. */
  evaluator_config: string
  result: Result
}

export interface Appended {
  /** Number of added records. */
  accepted: number
  /** Number of records that existed already with the same content. */
  unchanged: number
  /** With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario. */
  replaced?: number | undefined
  /** With `on_conflict=skip`: number of records that existed already with different content. */
  skipped?: number | undefined
  /** With `on_conflict=replace_all`: number of stored scenarios that match no record. */
  deleted?: number | undefined
  /** With `on_conflict=replace_all`: number of pins and notes of deleted scenarios. */
  dropped_notes?: number | undefined
  /** With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed. */
  dropped_human_results?: number | undefined
  /** With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed. */
  dropped_answers?: number | undefined
}

export interface DeletedScenarios {
  /** Number of deleted scenarios. */
  deleted: number
}

export interface ScenarioHistory {
  /** The id of the evaluation of the requested scenario. */
  evaluation_id: string
  /** The id of the requested scenario. */
  scenario_id: string
  /** Null if the evaluation has no variant. Then only its own row is listed. */
  variant_id: string | null
  /** Number of evaluations that were searched: the newest 100 of the variant. */
  evaluation_count: number
  /** The newest evaluation first. */
  rows: HistoryRow[]
}

export interface HistoryRow {
  evaluation_id: string
  /** The name of the evaluation. */
  name: string | null
  /** The revision of the variant that ran. */
  revision: number | null
  /** The creation time of the evaluation. UTC, with milliseconds. */
  created_at: string
  /** The id of the row in this evaluation. */
  scenario_id: string
  /** Whether the row has the same id or, if one of the ids was generated, the same inputs. */
  matched_by: 'id' | 'input'
  results: ScenarioResult[]
  /** Cost of all outputs together, in US dollars. */
  cost: number | null
  /** Latency of all outputs together, in seconds. */
  latency: number | null
  /** Whether the application failed: at least one output is an error. */
  output_failed: boolean
  /** Whether the outputs differ from those of the next older row in this list. Null for the oldest row. */
  output_changed: boolean | null
}

export interface AddedResults {
  /** Number of results that were added. */
  added: number
  /** Number of results that replaced another result of the same evaluator. */
  replaced: number
  /** Number of results that existed already. */
  unchanged: number
}

export interface Review {
  id: string
  /** The evaluation whose rows are reviewed. */
  evaluation_id: string
  /** The name that reviewers see. */
  name: string | null
  /** What reviewers read before the first row. */
  instructions: string | null
  /** Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review. */
  filters: Record<string, string[]>
  /** The baseline of the filter `delta`, and the baseline of a review of a comparison. */
  base_id: string | null
  sample: ReviewSample | null
  questions: ReviewQuestion[]
  /** How many reviewers answer each row. Default: 1. */
  reviewers_per_row: number
  /** The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0. */
  overlap: number
  /** For a review of a comparison: the pairs that reviewers see, with the random side of the candidate. Otherwise null. */
  pairs: ReviewPair[] | null
  /** UTC, with milliseconds. */
  created_at: string
  /** The time of the last change of the review itself. Answers do not change it. */
  updated_at: string
}

export interface ReviewSample {
  /** The number of rows. */
  rows: number
  /** Chooses the rows: those with the smallest SHA-256 hashes of the seed, a colon and the scenario id. Default: 0. */
  seed: number
}

export interface ReviewQuestion {
  /** The evaluator that the results of this question have, as in `evaluator_config`. */
  evaluator: string
  /** `verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type. */
  type: 'verdict' | 'label' | 'number' | 'text' | 'preference'
  /** Suggested labels: the failure modes of a verdict, or the values of a label. Reviewers can add others. */
  labels: string[]
  /** The question as reviewers read it. */
  question: string | null
  /** How to answer it. */
  description: string | null
}

export interface ReviewPair {
  /** The scenario of the candidate. */
  scenario_id: string
  /** The scenario of the baseline. */
  base_scenario_id: string
  /** Where reviewers see the output of the candidate. */
  candidate_side: 'left' | 'right'
}

export interface ReviewReport {
  id: string
  /** The evaluation whose rows are reviewed. */
  evaluation_id: string
  /** The name that reviewers see. */
  name: string | null
  /** What reviewers read before the first row. */
  instructions: string | null
  /** Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review. */
  filters: Record<string, string[]>
  /** The baseline of the filter `delta`, and the baseline of a review of a comparison. */
  base_id: string | null
  sample: ReviewSample | null
  questions: ReviewQuestion[]
  /** How many reviewers answer each row. Default: 1. */
  reviewers_per_row: number
  /** The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0. */
  overlap: number
  /** For a review of a comparison: the pairs that reviewers see, with the random side of the candidate. Otherwise null. */
  pairs: ReviewPair[] | null
  /** UTC, with milliseconds. */
  created_at: string
  /** The time of the last change of the review itself. Answers do not change it. */
  updated_at: string
  progress: ReviewProgress
  /** The reviewers with answers, by name. */
  reviewers: ReviewerProgress[]
  /** One entry per question. */
  results: AnswerReport[]
  warnings: string[]
}

export interface ReviewProgress {
  /** Number of rows of the review. */
  rows: number
  /** Number of rows that at least one reviewer has answered, or that are decided. */
  answered: number
  /** Number of rows that need no further answer. */
  complete: number
  /** Number of rows with a disputed answer, which have no result. */
  disputed: number
}

export interface ReviewerProgress {
  name: string
  /** Number of rows that this reviewer has answered. */
  answered: number
  /** Rows per hour of work. Pauses of more than 5 minutes are left out. Null below two rows without such a pause. */
  rows_per_hour: number | null
  /** When this reviewer answered last. */
  last_answer_at: string
}

export interface AnswerReport {
  evaluator: string
  /** `verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type. */
  type: 'verdict' | 'label' | 'number' | 'text' | 'preference'
  /** Number of rows with a definite answer. */
  answered: number
  /** Number of rows with a result. */
  results: number
  /** Number of rows whose answers have no majority. They have no result until someone decides. */
  disputed: number
  /** Number of answers "cannot tell". */
  cannot_tell: number
  /** Number of results that pass. Only for verdicts. */
  passed: number | null
  /** Fraction of results that pass. Only for verdicts. */
  pass_rate: number | null
  /** 95 % confidence interval of `pass_rate`. */
  pass_rate_interval: [number, number] | null
  precision: PassRatePrecision | null
  expected_precision: PassRatePrecision | null
  preference: PreferenceCounts | null
  /** The labels of rows with a definite answer, the most frequent first. A row has the labels of its decision, or otherwise of all its reviewers. For a label question, the value is a label too. */
  labels: LabelCount[]
  /** Number of rows with definite answers of two or more reviewers, which are all equal. */
  agreeing: number
  /** Number of rows with definite answers of two or more reviewers. */
  overlapping: number
  /** The agreement of each two reviewers with common rows. */
  pairs: ReviewerPair[]
  /** The first 200 disputed rows, in the order of the review. */
  disputed_rows: DisputedRow[]
}

export interface PassRatePrecision {
  /** Number of rows. */
  rows: number
  /** Half the width of the 95 % confidence interval of the pass rate. */
  margin: number
}

export interface PreferenceCounts {
  /** Number of rows in which people prefer the candidate. */
  candidate: number
  /** Number of rows in which people prefer the baseline. */
  baseline: number
  /** Number of rows in which both are equal. */
  equal: number
  /** Number of rows in which both are bad. */
  both_bad: number
  /** Fraction of the rows with a preferred side in which people prefer the candidate. Null without such rows. */
  share: number | null
  /** Exact 95 % confidence interval of `share`. */
  interval: [number, number] | null
}

export interface LabelCount {
  label: string
  /** Number of rows with this label. */
  rows: number
}

export interface ReviewerPair {
  reviewers: [string, string]
  /** Number of rows with a definite answer of both. */
  rows: number
  /** Number of these rows with equal answers. */
  agreeing: number
  /** Fraction of these rows with equal answers. */
  agreement: number | null
  /** Cohen's kappa of verdicts: agreement beyond chance. Null below 20 rows, if all verdicts are equal, and for other questions. */
  kappa: number | null
  /** 95 % confidence interval of `kappa`. */
  interval: [number, number] | null
  /** Spearman's rank correlation. Only for numbers. */
  rank_correlation: number | null
  /** Mean of the absolute differences. Only for numbers. */
  mean_absolute_difference: number | null
}

export interface DisputedRow {
  scenario_id: string
  /** The answers to this question. */
  answers: ReviewAnswer[]
}

export interface ReviewAnswer {
  /** The evaluator of the question. */
  evaluator: string
  /** The name of the reviewer, or of the key that decided. */
  by: string
  /** Whether it was given with a key of the project. A decision overrules the answers of reviewers. */
  is_decision: boolean
  /** The answer: true or false for a verdict, a text for a label or text, a number for a number. For a preference, `left`, `right`, `equal` or `both_bad`; with a key of the project, `candidate` and `baseline` instead of the sides. Null means "cannot tell": it is stored, but not counted. */
  value: boolean | number | string | null
  /** Failure modes, or other labels of the row. */
  labels: string[]
  note: string | null
  /** When it was given. UTC, with milliseconds. */
  answered_at: string
}

export interface MergedLabels {
  /** Number of changed answers. */
  answers: number
}

export interface LabelComparison {
  /** The evaluator of the question. */
  evaluator: string
  /** The baseline. */
  base_id: string
  /** The candidate. */
  candidate_id: string
  /** Number of matched rows with definite answers in both evaluations. Only these count. */
  common_rows: number
  /** The most frequent in the candidate first. */
  labels: ComparedLabel[]
}

export interface ComparedLabel {
  label: string
  /** `new` and `gone`: no row of the baseline or of the candidate has it. `more` and `less`: the interval excludes 0. `unclear`: everything else. */
  state: 'new' | 'gone' | 'more' | 'less' | 'unclear'
  /** Number of common rows with this label in the baseline. */
  base_rows: number
  /** Number of common rows with this label in the candidate. */
  rows: number
  /** The share of common rows in the candidate minus that in the baseline. */
  delta: number
  /** 95 % confidence interval of `delta`. Null below 6 common rows. */
  interval: [number, number] | null
}

export interface ReviewForm {
  id: string
  /** The name that reviewers see. */
  name: string | null
  /** What reviewers read before the first row. */
  instructions: string | null
  /** The name in the link. */
  reviewer: string
  questions: FormQuestion[]
  progress: OwnProgress
}

export interface FormQuestion {
  /** The evaluator that the results of this question have, as in `evaluator_config`. */
  evaluator: string
  /** `verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type. */
  type: 'verdict' | 'label' | 'number' | 'text' | 'preference'
  /** The question as reviewers read it. */
  question: string | null
  /** How to answer it. */
  description: string | null
  /** The suggested labels and those that this reviewer has used, with the number of rows in which this reviewer has used them. The most frequent first. */
  labels: LabelCount[]
}

export interface OwnProgress {
  /** Number of rows that this reviewer has answered. */
  answered: number
  /** Number of rows that this reviewer can still answer. */
  remaining: number
}

export interface NextReviewRow {
  row: ReviewRow | null
  progress: OwnProgress
}

export interface ReviewRow {
  scenario: BlindScenario
  /** The answers of this reviewer. For a key of the project: of all reviewers. */
  answers: ReviewAnswer[]
}

/** A scenario without results, cost, latency, note, extra data and the name of its evaluation. */
export interface BlindScenario {
  id: string
  inputs: ScenarioInput[]
  /** Empty in a review of a comparison. */
  outputs: BlindOutput[]
  /** Only in a review of a comparison: the outputs of one evaluation. */
  left?: BlindOutput[] | undefined
  /** Only in a review of a comparison: the outputs of the other evaluation. */
  right?: BlindOutput[] | undefined
  correct_answers: CorrectAnswer[] | null
}

export interface BlindOutput {
  result: Result
}

export interface ReviewRowAnswers {
  scenario_id: string
  /** Whether this reviewer can still answer it. For a key of the project: any reviewer. */
  is_open: boolean
  /** The answers of this reviewer. For a key of the project: of all reviewers. */
  answers: ReviewAnswer[]
}

export interface StoredAnswers {
  /** The id of the scenario. */
  id: string
  /** The answers with this key. */
  answers: ReviewAnswer[]
}

export interface EvaluationRows {
  /** Number of rows that match the filters. */
  total: number
  /** Number of rows before the first row of this window. */
  offset: number
  /** With `locate`: number of rows before that scenario, even if the scenario is not in the result. */
  before?: number | undefined
  /** With `locate`: the index of that scenario in the result. Null if it is not in the result. */
  located?: number | null | undefined
  base?: RowsBaseline | undefined
  rows: EvaluationRow[]
}

export interface RowsBaseline {
  id: string
  /** `declared`: the `baseline_id` of the evaluation. `marked`: the newest older, finished evaluation of its variant that another evaluation has as `baseline_id`. `previous`: the finished evaluation before it. Null if the request names the baseline. */
  chosen: 'declared' | 'marked' | 'previous' | null
  /** The join key. */
  by: string
  /** Number of matched rows. */
  matched: number
  /** Matched rows as a fraction of the smaller evaluation. */
  match_rate: number
}

export interface EvaluationRow {
  /** The position in the evaluation, counted from 0. */
  position: number
  id: string
  inputs: ScenarioInput[]
  outputs: ScenarioOutput[]
  correct_answers: CorrectAnswer[] | null
  is_pinned: boolean | null
  note: string | null
  results: ScenarioResult[]
  /** The values of this row that are conversations. Left out if there are none. */
  conversations?: ConversationPreview[] | undefined
  /** JSON pointers (RFC 6901) to the truncated texts of this row. */
  cut: string[]
  /** With `include=reasons`: for each element of `results`, its reason and who gave it. It ends with the last result that has one. */
  reasons?: (RowReason | null)[] | undefined
  repeats?: RowRepeats | null | undefined
  base?: BaselineRow | null | undefined
}

export interface ConversationPreview {
  /** JSON pointer to the value in this row, such as `/outputs/0/result/value`. */
  pointer: string
  kind: 'message' | 'tool_call'
  /** The last message of the user, for an output or expected answer that of the assistant. If it ends with tool calls, the names of the tools. */
  text: string
}

export interface RowReason {
  /** Null without one. A reason that is not a text is JSON text. */
  reason: string | null
  /** Who gave the result. Null if it is not stored. */
  by: string | null
}

export interface RowRepeats {
  /** Number of scenarios of the row. */
  count: number
  /** The ids of the first 100 scenarios of the row, in order. */
  scenarios: string[]
  /** One element per evaluator of this evaluation. */
  scores: RepeatScores[]
}

export interface RepeatScores {
  evaluator: string
  /** True if all scores are verdicts. */
  is_verdict: boolean
  /** The mean of all repeats with a score. */
  mean: number | null
  /** The scores of `scenarios`: a number, or true as 1 and false as 0. Null without a score. */
  scores: (number | null)[]
}

export interface BaselineRow {
  /** The matched scenario of the baseline. */
  id: string
  /** The position in the baseline, counted from 0. */
  position: number
  /** One element per evaluator of this evaluation. */
  deltas: RowDelta[]
}

export interface RowDelta {
  evaluator: string
  /** The score in the baseline. */
  base: number | null
  /** Score minus the score of the baseline, if both exist. */
  delta: number | null
}

export interface EvaluationSummary {
  /** The id of the evaluation. */
  id: string
  /** Number of all scenarios of the evaluation. */
  scenario_count: number
  /** Number of scenarios that match the filters. All other values refer to these. */
  matched: number
  /** Number of their rows: scenarios that are repeats of the same row count once. */
  rows: number
  /** Number of scenarios where the application failed. */
  output_errors: number
  /** Number of pinned scenarios. */
  pinned: number
  /** Number of scenarios with a note. */
  noted: number
  columns: ColumnNames
  evaluators: EvaluatorSummary[]
  cost: MeasurementSummary
  latency: MeasurementSummary
  /** At most 50 groups, the most frequent first. */
  error_groups: ErrorGroup[]
  /** Number of all error groups. */
  error_group_count: number
  base?: SummaryBaseline | undefined
}

export interface ColumnNames {
  inputs: string[]
  expected: string[]
  evaluators: string[]
}

export interface EvaluatorSummary {
  /** The evaluator name, as in `results[].evaluator_config`. */
  name: string
  /** As declared by the evaluation. Default true. */
  higher_is_better: boolean
  /** As declared by the evaluation. */
  threshold: number | null
  /** Number of scenarios with a score: a number, or true as 1 and false as 0. */
  n: number
  /** Number of scenarios with a text result, which is not a score. */
  texts: number
  /** Number of scenarios where the evaluator failed. */
  errors: number
  /** Number of scenarios without a score because the application failed. */
  output_errors: number
  /** Number of all other scenarios. */
  unscored: number
  /** Number of scores that are true or reach the threshold. */
  passed: number | null
  /** Number of scores that are false or do not reach the threshold. */
  failed: number | null
  /** `passed` divided by `passed` plus `failed`; with repeats, the mean of this rate over rows. Null without verdicts. */
  pass_rate: number | null
  /** 95 % confidence interval of `pass_rate`, over rows. Null without verdicts. */
  pass_rate_interval: [number, number] | null
  /** With repeats: number of rows with a score. */
  rows?: number | undefined
  /** With repeats: the largest number of scores of a row. */
  repeats?: number | undefined
  /** With repeats: number of rows that both pass and fail. Null without verdicts. */
  flaky?: number | null | undefined
  /** With repeats: fraction of rows that pass every time. */
  pass_all?: number | null | undefined
  /** With repeats: fraction of rows that pass at least once. */
  pass_any?: number | null | undefined
  /** Mean over rows: the score of a row is the mean of its repeats. Null without values. */
  mean: number | null
  /** 95 % confidence interval of `mean`, over rows. Null for fewer than 2 rows, and if all numbers are equal. */
  mean_interval: [number, number] | null
  /** The smallest value. */
  minimum: number | null
  /** The largest value. */
  maximum: number | null
  quantiles: Quantiles
  /** Histogram with 20 bins of equal width from minimum to maximum. One bin if both are equal, none without values. */
  bins: Bin[]
  base?: BaselineStatistics | undefined
}

export interface Quantiles {
  /** 5th percentile. */
  p05: number | null
  /** 25th percentile. */
  p25: number | null
  /** Median. */
  p50: number | null
  /** 75th percentile. */
  p75: number | null
  /** 95th percentile. */
  p95: number | null
}

export interface Bin {
  /** Lower bound, inclusive. */
  from: number
  /** Upper bound, exclusive. The upper bound of the last bin is inclusive. */
  to: number
  /** Number of values in the bin. */
  count: number
}

export interface MeasurementSummary {
  /** Number of scenarios with a value. */
  n: number
  /** Number of scenarios without a value. */
  missing: number
  /** Sum of all values. */
  total: number | null
  /** Mean over rows: the score of a row is the mean of its repeats. Null without values. */
  mean: number | null
  /** 95 % confidence interval of `mean`, over rows. Null for fewer than 2 rows, and if all numbers are equal. */
  mean_interval: [number, number] | null
  /** The smallest value. */
  minimum: number | null
  /** The largest value. */
  maximum: number | null
  quantiles: Quantiles
  /** Histogram with 20 bins of equal width from minimum to maximum. One bin if both are equal, none without values. */
  bins: Bin[]
  base?: BaselineStatistics | undefined
}

export interface ErrorGroup {
  /** The error message without numbers, names and keys. */
  group: string
  /** The evaluator that failed. Null if the application failed. */
  evaluator: string | null
  /** Number of scenarios with this error. */
  count: number
  /** The id of the first such scenario. */
  first: string
}

export interface Agreement {
  /** The id of the evaluation. */
  id: string
  evaluator: AgreeingEvaluator
  with: AgreeingEvaluator
  /** Number of rows that match the filters. */
  rows: number
  /** Number of these rows with a score of both evaluators. */
  n: number
  verdicts: VerdictAgreement | null
  numbers: NumberAgreement | null
  best_threshold: BestThreshold | null
  /** Kappa with up to 50 thresholds, from the lowest score to the highest. Empty if `best_threshold` is null. */
  thresholds: ThresholdKappa[]
  corrected_pass_rate: CorrectedPassRate | null
  warnings: AgreementWarning[]
}

export interface AgreeingEvaluator {
  name: string
  /** As declared by the evaluation. */
  kind: 'code' | 'model' | 'human' | null
  /** As declared by the evaluation. Default true. */
  higher_is_better: boolean
  /** As declared by the evaluation. */
  threshold: number | null
}

export interface VerdictAgreement {
  /** Number of rows with a verdict of both evaluators. All statistics here refer to these rows. */
  n: number
  /** Number of rows that pass with both evaluators. */
  both_pass: number
  /** Number of rows that fail with both evaluators. */
  both_fail: number
  /** Number of rows that pass only with `evaluator`. */
  only_evaluator: number
  /** Number of rows that pass only with `with`. */
  only_with: number
  /** Fraction of rows with equal verdicts. */
  agreement: number | null
  /** Exact 95 % confidence interval of `agreement`. */
  agreement_interval: [number, number] | null
  /** Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal. */
  kappa: number | null
  /** 95 % confidence interval of `kappa`. */
  interval: [number, number] | null
  /** Fraction of the rows that pass with `evaluator` that also pass with `with`. */
  precision: number | null
  /** Fraction of the rows that pass with `with` that also pass with `evaluator`. */
  recall: number | null
  /** Exact 95 % confidence interval of `recall`. */
  recall_interval: [number, number] | null
  /** Fraction of the rows that fail with `with` that also fail with `evaluator`: the failures that it finds. */
  specificity: number | null
  /** Exact 95 % confidence interval of `specificity`. */
  specificity_interval: [number, number] | null
}

export interface NumberAgreement {
  /** Number of rows with a number of both evaluators. */
  n: number
  /** Spearman's rank correlation, with mean ranks for ties. Null if all numbers of an evaluator are equal. */
  rank_correlation: number | null
  /** Mean of the absolute differences of the two numbers. */
  mean_absolute_difference: number | null
}

export interface BestThreshold {
  /** The threshold of `evaluator` with the highest kappa. One of its scores. */
  threshold: number
  /** Number of rows with a verdict of both evaluators. All statistics here refer to these rows. */
  n: number
  /** Number of rows that pass with both evaluators. */
  both_pass: number
  /** Number of rows that fail with both evaluators. */
  both_fail: number
  /** Number of rows that pass only with `evaluator`. */
  only_evaluator: number
  /** Number of rows that pass only with `with`. */
  only_with: number
  /** Fraction of rows with equal verdicts. */
  agreement: number | null
  /** Exact 95 % confidence interval of `agreement`. */
  agreement_interval: [number, number] | null
  /** Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal. */
  kappa: number | null
  /** 95 % confidence interval of `kappa`. */
  interval: [number, number] | null
  /** Fraction of the rows that pass with `evaluator` that also pass with `with`. */
  precision: number | null
  /** Fraction of the rows that pass with `with` that also pass with `evaluator`. */
  recall: number | null
  /** Exact 95 % confidence interval of `recall`. */
  recall_interval: [number, number] | null
  /** Fraction of the rows that fail with `with` that also fail with `evaluator`: the failures that it finds. */
  specificity: number | null
  /** Exact 95 % confidence interval of `specificity`. */
  specificity_interval: [number, number] | null
}

export interface ThresholdKappa {
  /** One of the scores of `evaluator`. */
  threshold: number
  /** Cohen's kappa: agreement beyond chance. 1 is perfect, 0 is what chance would give. Null if all verdicts are equal. */
  kappa: number | null
  /** 95 % confidence interval of `kappa`. */
  interval: [number, number] | null
}

export interface CorrectedPassRate {
  /** Number of rows with a verdict of `evaluator`. */
  rows: number
  /** Number of these rows that pass. */
  passed: number
  /** Fraction of these rows that pass. */
  pass_rate: number | null
  /** Number of these rows that also have a verdict of `with`. */
  judged: number
  /** The pass rate that `with` would have in all these rows: its pass rates in the rows that pass and in those that fail with `evaluator`, weighted by the number of all such rows. */
  corrected: number
  /** 95 % confidence interval of `corrected`. */
  interval: [number, number]
  /** Whether the judged rows are a random sample: all rows, or the complete sample of a review without filters. If not, a warning says why. */
  assumption_met: boolean
}

export interface AgreementWarning {
  code: 'few-rows' | 'judge-changed' | 'no-threshold' | 'not-a-random-sample' | 'nothing-to-compare' | 'unjudged-verdict'
  /** A readable explanation. */
  detail: string
}

export interface Breakdown {
  /** The id of the evaluation. */
  id: string
  /** What the rows are grouped by. */
  by: string
  evaluators: BrokenDownEvaluator[]
  base?: SummaryBaseline | undefined
  total: GroupStatistics
  /** Number of all groups. */
  group_count: number
  /** The 200 groups with the most rows, in the requested order. */
  groups: BreakdownGroup[]
  rest: GroupStatistics | null
}

export interface BrokenDownEvaluator {
  name: string
  /** As declared. Default true. */
  higher_is_better: boolean
  /** As declared by the evaluation. */
  threshold: number | null
}

export interface GroupStatistics {
  /** Number of rows. */
  rows: number
  /** Number of rows where the application failed. */
  output_errors: number
  /** All evaluators of the evaluation, in the order of their first occurrence. */
  evaluators: EvaluatorGroupStatistics[]
  cost: GroupCost
  latency: GroupLatency
}

export interface EvaluatorGroupStatistics {
  /** The name of the evaluator. */
  name: string
  /** Number of rows with a score: a number, or true as 1 and false as 0. */
  n: number
  /** Mean score. Null without scores. */
  mean: number | null
  /** Fraction of passed verdicts. If the evaluator has a threshold, scores count as verdicts. Null without verdicts. */
  pass_rate: number | null
  base?: GroupChange | undefined
}

export interface GroupChange {
  /** Number of rows with a value in both evaluations. All statistics here refer to these rows. */
  n: number
  /** Mean of the baseline over these rows. */
  mean: number | null
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  /** 95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0. */
  interval: [number, number] | null
  /** `tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones. */
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none. */
  detectable: number | null
  /** Number of rows that are worse than in the baseline. */
  regressed: number
  /** Number of rows that are better than in the baseline. */
  improved: number
  /** Number of rows with repeats that differ from the baseline, but not certainly. */
  unclear: number
  /** The confidence level of `interval`. With several groups it is higher than 0.95, so that all intervals of an evaluator together have a confidence of 95 %. */
  confidence: number | null
  /** The part of the mean difference of all rows that this group causes: `delta` times `n`, divided by `n` of all rows. The contributions of all groups add up to the mean difference. */
  contribution: number | null
}

export interface GroupCost {
  /** Number of rows with a cost. */
  n: number
  /** Total cost in US dollars. */
  total: number | null
  /** Mean cost per row in US dollars. */
  mean: number | null
  base?: GroupChange | undefined
}

export interface GroupLatency {
  /** Number of rows with a latency. */
  n: number
  /** Mean latency in seconds. */
  mean: number | null
  base?: GroupChange | undefined
}

export interface BreakdownGroup {
  /** `value`: the rows with this value. `missing`: the rows without a value. `error`: with `by=result.<evaluator>`, the rows where the evaluator failed. */
  kind: 'value' | 'missing' | 'error'
  /** The value of the input, the result, or the error group. Only for the kind `value`. A long value is cut to a text. */
  value?: unknown
  /** True if `value` is only the start of its JSON text. `first` is the id of a scenario with the whole value. */
  is_cut?: boolean | undefined
  /** The id of the first scenario of the group. */
  first: string
  /** Number of rows. */
  rows: number
  /** Number of rows where the application failed. */
  output_errors: number
  /** All evaluators of the evaluation, in the order of their first occurrence. */
  evaluators: EvaluatorGroupStatistics[]
  cost: GroupCost
  latency: GroupLatency
}

export interface Comparison {
  /** The baseline first, then the candidates in the requested order. */
  evaluations: ComparedEvaluation[]
  join: Join
  candidates: ComparedCandidate[]
  warnings: ComparisonWarning[]
}

export interface ComparedEvaluation {
  id: string
  name: string | null
  variant_id: string | null
  /** The revision of the variant that ran. */
  revision: number | null
  /** Number of scenarios. */
  scenario_count: number
  /** Number of rows. Scenarios that are repeats of the same row count once. */
  row_count: number
  /** Input names. Rows can be matched and filtered by them. */
  inputs: string[]
}

export interface Join {
  /** The join key: `id`, `input`, `input.<name>` or `position`. */
  by: string
  /** The requested join key. */
  asked: string
  /** The join keys that were tried, in order. The last one is used. */
  tried: TriedJoin[]
}

export interface TriedJoin {
  by: string
  /** The lowest match rate of all candidates. */
  match_rate: number
}

export interface ComparedCandidate {
  id: string
  /** Number of rows matched with a row of the baseline. Repeats of a row count once. */
  matched: number
  /** Matched rows as a fraction of the smaller evaluation. 1 if it is empty. */
  match_rate: number
  /** Number of unmatched rows of the baseline. */
  only_in_base: number
  /** Number of unmatched rows of the candidate. */
  only_in_candidate: number
  /** Number of pairs with different outputs. */
  outputs_changed: number
  /** Number of pairs with different expected answers. */
  answers_differ: number
  /** Number of pairs with different inputs. Pairs in which one row has no inputs do not count. */
  inputs_differ: number
  /** True if more than half of the rows that are joined by id have different inputs. There is no outcome then. */
  has_different_rows: boolean
  /** The evaluators of the baseline in order, then those that only candidates have. */
  evaluators: ComparedEvaluator[]
  cost: PairedStatistics
  latency: PairedStatistics
  /** Which of both people prefer, for each question with a result in a review of this comparison. */
  preferences: ComparisonPreference[]
  gate: Gate
}

export interface ComparedEvaluator {
  name: string
  /** As declared by the baseline, else by the candidate. Default true. */
  higher_is_better: boolean
  /** Number of rows with a score in both evaluations. All statistics refer to these rows. */
  n: number
  /** Mean score of the baseline, over rows. The score of a row is the mean of its repeats. For verdicts, the pass rate. */
  base_mean: number | null
  /** Mean score of the candidate, over rows. For verdicts, the pass rate. */
  mean: number | null
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  /** 95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0. */
  interval: [number, number] | null
  /** `tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones. */
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none. */
  detectable: number | null
  /** True if all compared scores are verdicts. */
  is_verdict: boolean
  /** For verdicts without repeats: p-value of the exact two-sided McNemar test. Null otherwise. */
  p_value: number | null
  /** Labels in the matched rows, the most frequent of the baseline first. Labels are text results, which have no statistics. Each repeat counts. Null unless both evaluations have labels, at most 50 different ones of at most 200 characters each. */
  labels: LabelCounts[] | null
  classes: RowClassCounts
}

export interface LabelCounts {
  label: string
  /** Number of results with this label in the baseline. */
  base: number
  /** Number of results with this label in the candidate. */
  candidate: number
}

export interface RowClassCounts {
  /** Number of rows in which the candidate is worse. With repeats: every repeat of the candidate is worse than every repeat of the baseline, or Fisher’s exact test of their verdicts gives at most 0.05. */
  regressed: number
  /** Number of rows in which the candidate is better, by the same rule. */
  improved: number
  /** Number of rows with equal scores. */
  same: number
  /** Number of rows with repeats whose scores differ, but not certainly. */
  unclear: number
  /** Number of rows with an error or a missing score on either side, or with a verdict and a number. */
  incomparable: number
  /** Number of rows that only one of the two evaluations has. */
  missing: number
}

export interface PairedStatistics {
  /** Number of rows with a score in both evaluations. All statistics refer to these rows. */
  n: number
  /** Mean score of the baseline, over rows. The score of a row is the mean of its repeats. For verdicts, the pass rate. */
  base_mean: number | null
  /** Mean score of the candidate, over rows. For verdicts, the pass rate. */
  mean: number | null
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  /** 95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0. */
  interval: [number, number] | null
  /** `tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones. */
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none. */
  detectable: number | null
}

export interface ComparisonPreference {
  /** The review that compares both evaluations. */
  review_id: string
  /** The evaluator of the question. */
  evaluator: string
  /** Number of rows in which people prefer the candidate. */
  candidate: number
  /** Number of rows in which people prefer the baseline. */
  baseline: number
  /** Number of rows in which both are equal. */
  equal: number
  /** Number of rows in which both are bad. */
  both_bad: number
  /** Fraction of the rows with a preferred side in which people prefer the candidate. Null without such rows. */
  share: number | null
  /** Exact 95 % confidence interval of `share`. */
  interval: [number, number] | null
}

export interface Gate {
  /** `invalid` if something prevents a decision. */
  decision: 'passed' | 'failed' | 'invalid'
  /** Why, with at least one reason. The first one matters most. */
  reasons: GateReason[]
  /** The checked evaluators. */
  checks: GateCheck[]
  /** The other evaluators: numbers without a declared direction or threshold, evaluators of people, those that the baseline has no score of, and those that `on` does not name. */
  unchecked: string[]
}

export interface GateReason {
  /** Of a failed gate: `certain` (the confidence interval excludes that the loss is within the tolerance), `observed-loss` (the loss is larger than `max_loss`, but can be chance) or `rows-regressed`. Of an invalid gate: `running`, `run-failed`, `count-differs` (from `expected_count`), `rows-missing` (too few rows of the baseline are matched), `rows-differ`, `scores-missing` or `nothing-checked`. Of a passed gate: `not-worse` (a larger loss is excluded) or `not-excluded` (too few rows to exclude a loss). */
  code: 'certain' | 'observed-loss' | 'rows-regressed' | 'running' | 'run-failed' | 'count-differs' | 'rows-missing' | 'rows-differ' | 'scores-missing' | 'nothing-checked' | 'not-worse' | 'not-excluded'
  /** The evaluator that the reason is about. */
  evaluator: string | null
  /** A readable explanation. */
  detail: string
}

export interface GateCheck {
  /** The checked evaluator. */
  name: string
  /** Number of rows with a score in both evaluations. */
  n: number
  /** Number of rows with a score in the baseline. */
  scored: number
  /** True if all scores of the baseline are verdicts. */
  is_verdict: boolean
  /** How much worse the candidate is. Negative if it is better. */
  loss: number | null
  /** Confidence interval of `loss` at the level 1 − 0.05 / m for m checked evaluators. A loss above its end is excluded. Null if there is none. */
  interval: [number, number] | null
}

export interface ComparisonWarning {
  code: 'answers-differ' | 'inputs-differ' | 'ids-generated' | 'evaluator-missing' | 'evaluator-differs' | 'rows-missing' | 'rows-grouped' | 'rows-repeated' | 'types-differ' | 'joined-by-position' | 'unfinished'
  /** The id of the affected evaluation. */
  evaluation: string | null
  /** The name of the affected evaluator. */
  evaluator: string | null
  /** Number of affected rows. */
  rows: number | null
  /** A readable explanation. */
  detail: string
}

export interface ComparisonRows {
  join: Join
  show: 'all' | 'regressed' | 'improved' | 'same' | 'unclear' | 'incomparable' | 'missing'
  /** The evaluator that `class` and `delta` refer to. */
  on: string | null
  /** Number of rows in the requested class. */
  total: number
  /** Number of rows before the first row of this window. */
  offset: number
  /** With `locate`: number of rows before that scenario, even if the scenario is not in the result. */
  before?: number | undefined
  /** With `locate`: the index of that scenario in the result. Null if it is not in the result. */
  located?: number | null | undefined
  classes: RowClassCounts
  rows: ComparisonRow[]
}

export interface ComparisonRow {
  base: Row | null
  /** The ids of the first 100 scenarios of the row, in order. */
  base_repeats: string[] | null
  base_score: RowScore | null
  /** One element per candidate, in order. */
  candidates: ComparedRow[]
}

export interface Row {
  /** The position in the evaluation, counted from 0. */
  position: number
  id: string
  inputs: ScenarioInput[]
  outputs: ScenarioOutput[]
  correct_answers: CorrectAnswer[] | null
  is_pinned: boolean | null
  note: string | null
  results: ScenarioResult[]
  /** The values of this row that are conversations. Left out if there are none. */
  conversations?: ConversationPreview[] | undefined
  /** JSON pointers (RFC 6901) to the truncated texts of this row. */
  cut: string[]
}

export interface RowScore {
  /** Number of repeats with a score. */
  count: number
  /** Number of repeats that pass. Null unless all scores are verdicts. */
  passes: number | null
  /** Mean score of the repeats. */
  mean: number | null
}

export interface ComparedRow {
  row: Row | null
  /** The ids of the first 100 scenarios of the row, in order. */
  repeats: string[] | null
  score: RowScore | null
  class: 'regressed' | 'improved' | 'same' | 'unclear' | 'incomparable' | 'missing'
  /** Score minus the score of the baseline, if both can be compared. */
  delta: number | null
  /** Null if the row is not matched. */
  output_changed: boolean | null
}

export interface Leaderboard {
  /** The evaluator. */
  on: string
  higher_is_better: boolean
  /** True if all scores of the shared rows are verdicts. */
  is_verdict: boolean
  join: Join
  /** Number of rows that have a score in all ranked evaluations. All statistics refer to these rows. */
  shared_rows: number
  /** The confidence of each comparison of two evaluations: so high that all pairs together have at least 95 %. */
  confidence: number
  /** The highest score first, or the lowest if that is better. */
  evaluations: RankedEvaluation[]
  warnings: LeaderboardWarning[]
}

export interface RankedEvaluation {
  id: string
  name: string | null
  variant_id: string | null
  /** The revision of the variant that ran. */
  revision: number | null
  /** The prompt of this evaluation in its family. */
  label: string | null
  /** The provider of this evaluation in its family. */
  provider: string | null
  /** UTC, with milliseconds. */
  created_at: string
  /** Number of rows of the evaluation, shared or not. */
  row_count: number
  /** The best and the worst rank that the data allow: one more than the number of evaluations that are certainly better, and the number of those that are not certainly worse, with itself. */
  rank: [number, number]
  /** Mean score over the shared rows. For verdicts, the pass rate. */
  mean: number | null
  /** 95 % confidence interval of `mean`, over rows. */
  interval: [number, number] | null
  change: ChangeToBest | null
  cost: RankedCost
  latency: RankedLatency
}

/** The paired change relative to the first evaluation, at the confidence of the leaderboard. Null for the first evaluation. */
export interface ChangeToBest {
  /** Mean difference: candidate minus baseline. */
  delta: number | null
  /** 95 % confidence interval of `delta`, over rows. It contains 0 exactly if the outcome is `tied`. Null for fewer than 6 rows, and if all differences of numbers are equal and not 0. */
  interval: [number, number] | null
  /** `tied` if the difference is not significant. `too-few` with fewer than 6 rows. Null if nothing can be concluded: no row has a score in both evaluations, all differences of numbers are equal and not 0, or the rows are different ones. */
  outcome: 'better' | 'worse' | 'tied' | 'too-few' | null
  /** The smallest change that this comparison would have shown with a probability of 80 %. Null if there is none. */
  detectable: number | null
}

export interface RankedCost {
  /** Mean cost of a run of a row. Null without a cost. */
  mean: number | null
  /** True if no other evaluation has a score at least as good and a cost at least as low, with one of them better. Null without a cost. */
  on_frontier: boolean | null
}

export interface RankedLatency {
  /** Median over the shared rows. Null without a latency. */
  p50: number | null
  /** 95 % of the shared rows are at most as slow. */
  p95: number | null
  /** True if no other evaluation has a score at least as good and a median latency at least as low, with one of them better. Null without a median latency. */
  on_frontier: boolean | null
}

export interface LeaderboardWarning {
  code: 'evaluator-missing' | 'rows-missing' | 'inputs-differ' | 'unfinished'
  /** The id of the affected evaluation. */
  evaluation: string | null
  /** Number of affected rows. */
  rows: number | null
  /** A readable explanation. */
  detail: string
}

export interface LeaderboardRows {
  /** The evaluator. */
  on: string
  higher_is_better: boolean
  /** True if all scores of the shared rows are verdicts. */
  is_verdict: boolean
  join: Join
  /** The ids of the evaluations, in the order of `cells`. */
  evaluations: string[]
  /** Number of rows that have a score in all evaluations. */
  shared_rows: number
  /** Number of rows. */
  total: number
  /** Number of rows before the first row of this window. */
  offset: number
  /** The rows with the largest `spread` first. */
  rows: LeaderboardRow[]
}

export interface LeaderboardRow {
  row: Row
  /** The standard deviation of the scores of the row. Null if fewer than two evaluations have a score. */
  spread: number | null
  /** One element per evaluation, in their order. */
  cells: LeaderboardCell[]
}

export interface LeaderboardCell {
  /** The id of the first scenario of the row. Null if the row is missing. */
  scenario: string | null
  /** `mixed` if some repeats pass and others fail. `scored` if the score is a number without a threshold. `missing` if the evaluation does not have the row. */
  state: 'pass' | 'fail' | 'mixed' | 'scored' | 'error' | 'not-evaluated' | 'missing'
  /** The mean score of the repeats of the row. */
  score: number | null
}

export interface Variant {
  id: string
  name: string | null
  /** UTC, with milliseconds. */
  created_at: string
  /** The time of the last write that changed the variant or added a revision. */
  updated_at: string
  /** Number of revisions. */
  revision_count: number
  /** The highest revision number. Null without revisions. */
  latest_revision: number | null
}

export interface VariantRevision {
  /** The revision number. */
  revision: number
  /** Display name of the author. */
  modified_by: string
  config: RevisionConfig
  /** UTC, with milliseconds. */
  created_at: string
  /** What changed and why. Truncated to 2000 characters. Present only with `include=message`. */
  message?: string | null | undefined
  /** The evaluations that ran this revision, newest first. Present only with `include=evaluations`. */
  evaluations?: EvaluationOfRevision[] | undefined
  changes?: ChangesFromPrevious | null | undefined
}

export interface RevisionConfig {
  config_name: string
  /** Free-form parameters: prompt, model, settings. Returned exactly as they were sent. */
  parameters?: Record<string, unknown> | undefined
}

export interface EvaluationOfRevision {
  id: string
  name: string | null
  /** UTC, with milliseconds. */
  created_at: string
  /** Number of scenarios. */
  scenario_count: number
  scores: Scores
}

export interface ChangesFromPrevious {
  /** The number of the previous revision. */
  against: number
  config_name: ConfigNameChange | null
  /** Number of distinct parameters in both revisions: scalars and empty containers, by path. */
  parameter_count: number
  /** Number of all changes. */
  change_count: number
  /** The first 100 changes, or fewer if paths are very long. */
  changes: ParameterChange[]
}

export interface ConfigNameChange {
  old: string
  new: string
}

export interface ParameterChange {
  /** The path: names separated by dots, list indexes in brackets, special names in brackets and quotes. For removed values, the old path. */
  path: string
  /** The old path, if it differs. */
  old_path: string | null
  /** `moved`: a list element whose order relative to the other common elements changed. */
  kind: 'added' | 'removed' | 'changed' | 'moved'
  lines: LineCounts | null
}

export interface LineCounts {
  /** Number of added lines. */
  added: number
  /** Number of removed lines. */
  removed: number
}

export interface RevisionDiff {
  variant_id: string
  /** The number of the old revision. */
  from: number
  /** The number of the new revision. */
  to: number
  config_name: ConfigNameChange | null
  /** Number of distinct parameters in both revisions: scalars and empty containers, by path. */
  parameter_count: number
  /** Number of all changes. */
  change_count: number
  /** The first 10000 changes, or fewer if paths are very long. */
  changes: ParameterDiff[]
}

export interface ParameterDiff {
  /** The path: names separated by dots, list indexes in brackets, special names in brackets and quotes. For removed values, the old path. */
  path: string
  /** The old path, if it differs. */
  old_path: string | null
  /** `moved`: a list element whose order relative to the other common elements changed. */
  kind: 'added' | 'removed' | 'changed' | 'moved'
  /** The exact old value. Absent if there was none. */
  old?: unknown
  /** The exact new value. Absent if there is none. */
  new?: unknown
  lines: LineCounts | null
}

export interface Change {
  /** The number of the entry. Numbers increase. A number can be missing, because entries about keys are not returned. */
  sequence: number
  /** When the change was stored. UTC, with milliseconds. */
  time: string
  /** What happened: `evaluation.created`, `evaluation.updated`, `evaluation.deleted`, `scenarios.appended`, `scenarios.replaced`, `scenario.updated`, `scenario.deleted`, `results.added`, `results.deleted`, `review.created`, `review.updated`, `review.deleted`, `answers.added`, `answers.updated`, `answers.deleted`, `variant.created`, `variant.updated`, `variant.deleted`, `revision.created`, `revision.deleted`. Later versions can add actions. */
  action: string
  /** The evaluation that was changed. */
  evaluation_id: string | null
  /** The scenario, if the change is about one only. */
  scenario_id: string | null
  /** The review that was created, changed or deleted. */
  review_id: string | null
  /** The variant that was changed. */
  variant_id: string | null
  /** The revision, if the change is about one only. */
  revision: number | null
  counts: ChangeCounts
  /** The version of the evaluation or variant after the change, with which its ETags begin. Null if it was deleted. */
  version: string | null
  /** The position of this entry. Pass it as `after` to read the entries that follow. */
  cursor: string
}

/** How many scenarios, results, answers or revisions the change is about. */
export interface ChangeCounts {
  /** Number of scenarios. */
  scenarios?: number | undefined
  /** Number of results. */
  results?: number | undefined
  /** Number of answers of reviewers. */
  answers?: number | undefined
  /** Number of revisions. */
  revisions?: number | undefined
  /** Number of scenarios that an upload of all scenarios added. */
  added?: number | undefined
  /** Number of scenarios that an upload of all scenarios deleted. */
  deleted?: number | undefined
}

export interface OwnKey {
  /** The public part of the key, used to revoke it and in logs. */
  public_id: string
  /** The last four characters of the key. */
  last_four: string
  /** The name given at creation. */
  name: string | null
  /** When the key was created. */
  created_at: string
  /** The name of the project. */
  project: string
  /** What the key can do: `read`, `write`, or `review` (answer one review, only in share links). */
  scopes: ('read' | 'write' | 'review')[]
  confined_to: KeyRestriction | null
  /** When the key expires. Null if it does not expire. */
  expires_at: string | null
}

/** What the key can read or answer. Exactly one member must be set. */
export interface KeyRestriction {
  /** The id of the only readable evaluation. */
  evaluation_id?: string | undefined
  /** The ids of the readable evaluations, the baseline first. They can be compared. */
  comparison?: string[] | undefined
  /** The id of the only readable variant. */
  variant_id?: string | undefined
  /** The id of the review that the key can answer. It can read nothing else. */
  review_id?: string | undefined
}

export interface Share {
  /** The public part of the key, used to revoke it and in logs. */
  public_id: string
  /** The last four characters of the key. */
  last_four: string
  /** The name given at creation. */
  name: string | null
  /** When the key was created. */
  created_at: string
  /** What the share link can do: `read`, or `review` for a link to a review. */
  scopes: ('read' | 'review')[]
  confined_to: KeyRestriction
  /** When the share link expires. */
  expires_at: string
}

export interface NewShare {
  /** The whole key. It is returned only once. */
  key: string
  /** The public part of the key, used to revoke it and in logs. */
  public_id: string
  /** The last four characters of the key. */
  last_four: string
  /** The name given at creation. */
  name: string | null
  /** When the key was created. */
  created_at: string
  /** What the share link can do: `read`, or `review` for a link to a review. */
  scopes: ('read' | 'review')[]
  confined_to: KeyRestriction
  /** When the share link expires. */
  expires_at: string
}

export interface ApiIndex {
  /** The name of the service. */
  name: string
  /** The version of the service and of the OpenAPI document. */
  version: string
  /** The path of each resource, by its name. */
  links: Record<string, string>
}

export interface EvaluationWrite {
  /** 1 to 200 characters, unique in the project. Generated if omitted. */
  id?: string | null | undefined
  name?: string | null | undefined
  /** The variant that was evaluated. In a request, it must exist. */
  variant_id?: string | null | undefined
  /** The revision of the variant that ran. In a request, it must exist. */
  revision?: number | null | undefined
  /** The evaluation that this one is compared with. It can be created later. */
  baseline_id?: string | null | undefined
  /** The evaluations of one file with several prompts or providers have the same family: their id without the number of the column. */
  family?: string | null | undefined
  /** The prompt of this evaluation in its family. */
  label?: string | null | undefined
  /** The provider of this evaluation in its family. */
  provider?: string | null | undefined
  /** `running` while scenarios are still being added, `failed` if it ended early. Default: `finished`. */
  status?: 'running' | 'finished' | 'failed' | null | undefined
  /** The number of scenarios that a running evaluation will have, to show its progress. */
  expected_count?: number | null | undefined
  /** At most 20 different tags of 1 to 64 characters. Their order is preserved. */
  tags?: string[] | null | undefined
  evaluators?: EvaluatorWrite[] | null | undefined
  /** Free-form metadata. */
  metadata?: Record<string, unknown> | null | undefined
  /** The tool that produced the results. */
  source?: string | null | undefined
  /** An RFC 3339 timestamp. Default: now. */
  created_at?: string | null | undefined
}

export interface EvaluatorWrite {
  /** The evaluator name, as in `results[].evaluator_config`. */
  name: string
  higher_is_better?: boolean | undefined
  threshold?: number | undefined
  /** The language model of a judge. */
  model?: string | undefined
  /** The prompt of a judge, or its name and version, such as `judge-v4`. */
  prompt?: string | undefined
  /** Who gives the results: a program (`code`), a language model (`model`) or a person (`human`). */
  kind?: 'code' | 'model' | 'human' | undefined
}

export interface EvaluationPatch {
  name?: string | null | undefined
  /** The variant that was evaluated. In a request, it must exist. */
  variant_id?: string | null | undefined
  /** The revision of the variant that ran. In a request, it must exist. */
  revision?: number | null | undefined
  /** The evaluation that this one is compared with. It can be created later. */
  baseline_id?: string | null | undefined
  /** The evaluations of one file with several prompts or providers have the same family: their id without the number of the column. */
  family?: string | null | undefined
  /** The prompt of this evaluation in its family. */
  label?: string | null | undefined
  /** The provider of this evaluation in its family. */
  provider?: string | null | undefined
  /** `running` while scenarios are still being added, `failed` if it ended early. Default: `finished`. */
  status?: 'running' | 'finished' | 'failed' | null | undefined
  /** The number of scenarios that a running evaluation will have, to show its progress. */
  expected_count?: number | null | undefined
  /** At most 20 different tags of 1 to 64 characters. Their order is preserved. */
  tags?: string[] | null | undefined
  /** Sets the members of the named evaluators. Their other members and other evaluators stay. `null` removes a member, or all evaluators. */
  evaluators?: EvaluatorChange[] | null | undefined
  /** Free-form metadata. */
  metadata?: Record<string, unknown> | null | undefined
}

export interface EvaluatorChange {
  /** The evaluator to change, or to declare if it is not declared. */
  name: string
  higher_is_better?: boolean | null | undefined
  threshold?: number | null | undefined
  model?: string | null | undefined
  prompt?: string | null | undefined
  kind?: 'code' | 'model' | 'human' | null | undefined
}

export interface ScenarioWrite {
  /** 1 to 200 characters, unique in the evaluation. Generated if omitted. */
  id?: string | null | undefined
  /** If present, it must be the evaluation in the path. */
  evaluation_id?: string | undefined
  inputs?: ScenarioInputWrite[] | undefined
  outputs?: ScenarioOutputWrite[] | undefined
  correct_answers?: CorrectAnswerWrite[] | null | undefined
  is_pinned?: boolean | null | undefined
  note?: string | null | undefined
  results?: ScenarioResultWrite[] | undefined
  /** Additional data. `results[i].reason` explains the result of an evaluator, `sample` is the row of the test set (1 to 200 characters), the same for all its repetitions, and `repetition` is the number of the repetition, from 1. All other members are free-form. */
  extra?: Record<string, unknown> | null | undefined
}

export interface ScenarioInputWrite {
  name: string
  /** The type of the value, for example `text` or `json`. */
  type: string
  /** Any JSON value. Returned exactly as it was sent. */
  value: unknown
}

export interface ScenarioOutputWrite {
  result: ResultWrite
  /** Cost in US dollars. */
  cost?: number | null | undefined
  /** Latency in seconds. */
  latency?: number | null | undefined
}

export interface ResultWrite {
  /** The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed. */
  type: string
  /** Any JSON value. Returned exactly as it was sent. */
  value?: unknown
  error?: ErrorWrite | null | undefined
}

export interface ErrorWrite {
  message: string
  stacktrace?: string | null | undefined
}

export interface CorrectAnswerWrite {
  key: string
  value: string
}

export interface ScenarioResultWrite {
  /** The name of the evaluator. */
  evaluator_config: string
  result: ResultWrite
}

export interface ScenarioPatch {
  is_pinned?: boolean | null | undefined
  note?: string | null | undefined
}

export interface NewResult {
  /** The id of the scenario. It must exist. */
  scenario_id: string
  /** The name of the evaluator. A result of this evaluator that the scenario has is replaced. */
  evaluator_config: string
  result: ResultWrite
  /** Explains the result. */
  reason?: string | null | undefined
  /** Who gave the result, for example the name of a reviewer. */
  by?: string | null | undefined
}

export interface ReviewWrite {
  /** 1 to 200 characters, unique in the project. Generated if omitted. */
  id?: string | null | undefined
  /** The name that reviewers see. */
  name?: string | null | undefined
  /** What reviewers read before the first row. */
  instructions?: string | null | undefined
  /** Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review. */
  filters?: Record<string, string[]> | null | undefined
  /** The baseline of the filter `delta`, and the baseline of a review of a comparison. */
  base_id?: string | null | undefined
  sample?: NewSample | null | undefined
  /** How many reviewers answer each row. Default: 1. */
  reviewers_per_row?: number | null | undefined
  /** The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0. */
  overlap?: number | null | undefined
  questions: NewQuestion[]
}

export interface NewSample {
  /** The number of rows. */
  rows: number
  /** Chooses the rows: those with the smallest SHA-256 hashes of the seed, a colon and the scenario id. Default: 0. */
  seed?: number | undefined
}

export interface NewQuestion {
  /** The evaluator that the results of this question have, as in `evaluator_config`. */
  evaluator: string
  /** `verdict`: pass or fail. `label`: one of several names. `number`: a number. `text`: a text, which is never combined with others. `preference`: which of two outputs is better; only in a review of a comparison, where all questions have this type. */
  type: 'verdict' | 'label' | 'number' | 'text' | 'preference'
  /** Suggested labels: the failure modes of a verdict, or the values of a label. Reviewers can add others. */
  labels?: string[] | undefined
  /** The question as reviewers read it. */
  question?: string | null | undefined
  /** How to answer it. */
  description?: string | null | undefined
}

export interface ComparisonReviewWrite {
  /** 1 to 200 characters, unique in the project. Generated if omitted. */
  id?: string | null | undefined
  /** The name that reviewers see. */
  name?: string | null | undefined
  /** What reviewers read before the first row. */
  instructions?: string | null | undefined
  /** Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review. */
  filters?: Record<string, string[]> | null | undefined
  sample?: NewSample | null | undefined
  /** How many reviewers answer each row. Default: 1. */
  reviewers_per_row?: number | null | undefined
  /** The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0. */
  overlap?: number | null | undefined
  /** The ids of the baseline and of the candidate, to which the review belongs. */
  evaluations: [string, string]
  questions: NewQuestion[]
}

export interface ReviewPatch {
  /** The name that reviewers see. */
  name?: string | null | undefined
  /** What reviewers read before the first row. */
  instructions?: string | null | undefined
  /** Only rows that match all filters: the query parameters of the list of scenarios with their values, such as `{ "result.judge": ["is.false"] }`. They cannot refer to an evaluator of the review. */
  filters?: Record<string, string[]> | null | undefined
  /** The baseline of the filter `delta`, and the baseline of a review of a comparison. */
  base_id?: string | null | undefined
  sample?: NewSample | null | undefined
  /** How many reviewers answer each row. Default: 1. */
  reviewers_per_row?: number | null | undefined
  /** The share of rows that one more reviewer answers, so that agreement can be measured. These rows come first. Default: 0. */
  overlap?: number | null | undefined
  questions?: NewQuestion[] | undefined
}

export interface LabelMerge {
  /** The evaluator of a question of the review. */
  evaluator: string
  /** The labels to replace. */
  labels: string[]
  /** The label that replaces them. It can exist already. */
  to: string
}

export interface AnswersWrite {
  /** The answers to the questions about one row. Answers to other questions are removed. */
  answers: NewAnswer[]
}

export interface NewAnswer {
  /** The evaluator of a question of the review. */
  evaluator: string
  /** The answer: true or false for a verdict, a text for a label or text, a number for a number. For a preference, `left`, `right`, `equal` or `both_bad`; with a key of the project, `candidate` and `baseline` instead of the sides. Null means "cannot tell": it is stored, but not counted. */
  value: boolean | number | string | null
  labels?: string[] | undefined
  note?: string | null | undefined
}

export interface VariantWrite {
  /** 1 to 200 characters, unique in the project. Generated if omitted. */
  id?: string | null | undefined
  name?: string | null | undefined
}

export interface VariantPatch {
  name?: string | null | undefined
}

export interface RevisionWrite {
  /** The revision number, in plain digits. Default: the highest existing number plus one, starting at 1. */
  revision?: number | undefined
  /** Display name of the author. */
  modified_by: string
  config: RevisionConfigWrite
  /** An RFC 3339 timestamp. Default: now. */
  created_at?: string | undefined
  /** What changed and why. */
  message?: string | null | undefined
}

export interface RevisionConfigWrite {
  config_name: string
  /** Free-form parameters: prompt, model, settings. Returned exactly as they were sent. */
  parameters?: Record<string, unknown> | undefined
}

export interface ShareWrite {
  confined_to: KeyRestrictionWrite
  /** A name for the share link. Required for a review: it is the name of the reviewer. Links to a review with the same name belong to the same reviewer. */
  name?: string | null | undefined
  /** What the share link can do: `review` for a link to a review, otherwise `read`. Default: the allowed one. */
  scopes?: ('read' | 'review')[] | null | undefined
  /** When the share link expires, as an RFC 3339 timestamp. It must not be later than the expiry of the key that creates it. Default: in seven days, or with that key if it expires earlier. */
  expires_at?: string | null | undefined
}

/** What the key can read or answer. Exactly one member must be set. */
export interface KeyRestrictionWrite {
  /** The id of the only readable evaluation. */
  evaluation_id?: string | undefined
  /** The ids of the readable evaluations, the baseline first. They can be compared. */
  comparison?: string[] | undefined
  /** The id of the only readable variant. */
  variant_id?: string | undefined
  /** The id of the review that the key can answer. It can read nothing else. */
  review_id?: string | undefined
}

export interface ListEvaluationsQuery {
  /** Maximum number of elements per page. Without it, all elements are returned. */
  limit?: number | undefined
  /** The cursor of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** entries with this text in the name or the id; ignores the case of A to Z */
  q?: string | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  name?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  variant_id?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y), where x is an integer from 0 to 2147483647. */
  revision?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  family?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  source?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is running or finished or failed. */
  status?: string | string[] | undefined
  /** Filter. Allowed: has.x, where x is a text. */
  tags?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  created_at?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  updated_at?: string | string[] | undefined
  /** Sort order. Default: `created_at.desc`. Names are compared by the code points of their first 200 characters, and entries without a name by their id. */
  order?: 'created_at.asc' | 'created_at.desc' | 'updated_at.asc' | 'updated_at.desc' | 'name.asc' | 'name.desc' | undefined
  /** Additional members, separated by commas. `scores`: counts and means of each evaluator, of the cost and of the latency. `base`: the scores with their changes from the baseline in `baseline_id`, over the matched rows, if both have at most 20,000 rows together. */
  include?: string | undefined
}

export interface ListEvaluationScenariosQuery {
  /** Maximum number of elements per page. Without it, all elements are returned. */
  limit?: number | undefined
  /** The cursor of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** The response format. Overrides the `Accept` header. */
  format?: 'json' | 'ndjson' | 'csv' | undefined
  /** For CSV only. `excel` adds an apostrophe to cells that a spreadsheet could read as a formula: those that begin with `=`, `+`, `-`, `@`, a tab or a carriage return. This changes the data. */
  csv?: 'excel' | undefined
  /** Additional members, separated by commas. `extra`: the additional data that was written with the scenario. `has_generated_id`: `true` for scenarios without an id of their client. Not available in CSV. */
  include?: string | undefined
  /** Sort order: one of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc. Use desc instead of asc for descending order. Ties are sorted by position. Rows without a value come last. */
  order?: string | undefined
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. `delta` refers to it. */
  base?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface AppendEvaluationScenariosQuery {
  /** What happens to a scenario whose id exists with different content. `error` (default): the request is rejected. `replace`: the stored scenario is replaced; its pin, its note and the results of evaluators with the kind `human` are kept, unless the record contains them. `skip`: the stored scenario stays as it is. `replace_all`: afterwards the evaluation contains exactly the scenarios of the request, in their order. A stored scenario matches by its id if the client gave it, otherwise by its inputs. Its pin and note are kept, and its results of evaluators with the kind `human` and answers of reviewers if the outputs are the same. */
  on_conflict?: 'error' | 'replace' | 'skip' | 'replace_all' | undefined
}

export interface DeleteEvaluationScenariosQuery {
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. `delta` refers to it. */
  base?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface GetEvaluationScenarioQuery {
  /** `extra`: adds the member `extra`, with the additional data that was written with the scenario. */
  include?: 'extra' | undefined
}

export interface DeleteResultsQuery {
  /** The name of the evaluator, as in `evaluator_config`. */
  evaluator: string
}

export interface CompareReviewLabelsQuery {
  /** The ids of the baseline and of the candidate. Repeat the parameter. */
  evaluation: [string, string]
  /** The evaluator of the question, which both evaluations have reviewed. */
  on: string
  /** The join key that matches rows, as in comparisons. Default: `auto`. */
  by?: string | undefined
}

export interface GetNextReviewRowQuery {
  /** The id of the row that was skipped or answered. The rows after it come first; skipped rows come back at the end. */
  after?: string | undefined
}

export interface ListEvaluationRowsQuery {
  /** Number of rows to skip. Default 0. */
  offset?: number | undefined
  /** Maximum number of rows to return. Default 200. */
  limit?: number | undefined
  /** Texts are truncated after this many characters. Default 200. */
  preview?: number | undefined
  /** Returns one element per row, its first scenario, for each row of which a scenario matches the filters. `repeats` has the ids and scores of its scenarios. Results, cost and latency are sorted by the means of the repeats. */
  group?: 'row' | undefined
  /** The id of a scenario. Returns the window that contains it, aligned to multiples of `limit`, and the number of rows before it. If the filters exclude it, returns the window of the next row, or of the last row. Ignores `offset`. */
  locate?: string | undefined
  /** Additional members. `reasons`: the reasons of the results. */
  include?: string | undefined
  /** Sort order: one of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc. Use desc instead of asc for descending order. Ties are sorted by position. Rows without a value come last. */
  order?: string | undefined
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. `delta` refers to it. */
  base?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface GetEvaluationSummaryQuery {
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. Adds the difference of each statistic from the baseline, over the matched rows. */
  base?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface GetEvaluationAgreementQuery {
  /** The name of the evaluator to check, such as a judge. */
  evaluator: string
  /** The name of the evaluator to compare with, such as the verdicts of people. Precision and recall take it as the truth. */
  with: string
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. `delta` refers to it. */
  base?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface GetEvaluationBreakdownQuery {
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** The id of the baseline evaluation. Without a value: the default baseline, see `chosen` in the response. Adds the change of each group relative to the baseline, over the matched rows. */
  base?: string | undefined
  /** What the rows are grouped by: input.<name>, result.<evaluator>, error. Values of different types are different groups, such as 1 and "1". The group of an error is the same text as in `error=eq.<group>`. */
  by: string
  /** Sort order of the groups: one of rows.desc, errors.desc, cost.desc, latency.desc, result.<evaluator>.desc, delta.<evaluator>.desc, contribution.<evaluator>.desc. Use asc instead of desc for ascending order. Default: rows.desc. `errors` is the number of failed outputs, `cost`, `latency` and `result` are means. `delta` and `contribution` need `base`. Ties are sorted by the first row. Groups without a value come last. */
  order?: string | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface CompareEvaluationsQuery {
  /** The ids of the evaluations to compare. Repeat the parameter: the baseline first, then the candidates. */
  evaluation: string[]
  /** The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses the first of `id`, `input` and `position` that matches at least 95 % of the rows of the smaller evaluation. */
  by?: string | undefined
  /** The evaluators that the gate checks, separated by commas. Default: verdicts, and evaluators with a declared direction or threshold; not those of people. */
  on?: string | undefined
  /** The gate fails if a checked evaluator is certainly worse by more than this. 0.02 is 2 points of a pass rate. Default: 0. */
  tolerance?: number | undefined
  /** The gate fails if the observed loss of a checked evaluator is larger than this, even if it can be chance. Default: 0.05 for verdicts, no limit for numbers. */
  max_loss?: number | undefined
  /** The gate fails if more rows than this regressed on a checked evaluator. Default: no limit. */
  max_regressed?: number | undefined
  /** The gate is invalid if a smaller share of the baseline’s rows is matched. Default: 0.95. */
  min_matched?: number | undefined
}

export interface ListComparisonRowsQuery {
  /** The ids of the evaluations to compare. Repeat the parameter: the baseline first, then the candidates. */
  evaluation: string[]
  /** The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses the first of `id`, `input` and `position` that matches at least 95 % of the rows of the smaller evaluation. */
  by?: string | undefined
  /** Return only rows of this class, as classified for the first candidate. Default: `all`. */
  show?: 'all' | 'regressed' | 'improved' | 'same' | 'unclear' | 'incomparable' | 'missing' | undefined
  /** The evaluator by which rows are classified. Default: the first evaluator that the baseline and the first candidate share. */
  on?: string | undefined
  /** Number of rows to skip. Default 0. */
  offset?: number | undefined
  /** Maximum number of rows to return. Default 200. */
  limit?: number | undefined
  /** Texts are truncated after this many characters. Default 200. */
  preview?: number | undefined
  /** The id of a scenario of the baseline, or of the first candidate if `side` is `candidate`. Returns the window that contains its row, aligned to multiples of `limit`, and the number of rows before it. If the filters exclude the row, returns the window of the next row, or of the last row. Ignores `offset`. */
  locate?: string | undefined
  /** The evaluation of the scenario in `locate`. Default: `base`. */
  side?: 'base' | 'candidate' | undefined
  /** One of position, latency.asc, cost.asc, result.<evaluator>.asc, delta.<evaluator>.asc, or `desc` instead of `asc`. Sorts by the row of the first candidate; `position` is the position in the baseline. Rows without a value come last. Default: the largest change first if `show` is `regressed` or `improved`, otherwise `position`. */
  order?: string | undefined
  /** Full-text search: rows with this text in an input, an output, an expected answer or the note; ignores case. */
  q?: string | undefined
  /** latency of all outputs together, in seconds; rows without latency never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  latency?: string | string[] | undefined
  /** cost of all outputs together, in US dollars; rows without cost never match: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  cost?: string | string[] | undefined
  /** whether the application failed (an output has an error), or the error group from the summary: is.true, is.false, eq.x, in.(x,y). */
  error?: string | string[] | undefined
  /** whether the scenario is pinned: is.true, is.false. */
  is_pinned?: string | string[] | undefined
  /** whether the scenario has a note: is.present, is.null. */
  note?: string | string[] | undefined
  /** `extra.sample`, the row of the test set that was run; rows without a sample match only `is.null`, also if their id says the same: is.present, is.null, eq.x, ne.x, in.(x,y), contains.x. */
  sample?: string | string[] | undefined
  /** `extra.repetition`, the number of the repetition; rows without a number match only `is.null`: is.present, is.null, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  repetition?: string | string[] | undefined
  /** Filter: rows where the verdicts of two evaluators differ; send it twice, with two names: `disagree=a&disagree=b`. */
  disagree?: [string, string] | undefined
  /** error.<evaluator>: the evaluator failed with an error of this group (see the summary): eq.x, in.(x,y). result.<evaluator>: the result of the evaluator: `true` (passed), `false` (failed), `null` (not scored), `error` (evaluator error), or a score. `eq`, `ne` and `in` also compare texts: is.false, is.true, is.null, is.error, eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). input.<input>: the value of the input: a text, or any other value as JSON: eq.x, ne.x, in.(x,y). flaky.<evaluator>: whether the repeats of the row both pass and fail: is.true, is.false. delta.<evaluator>: score minus the score of the matched row in the evaluation `base`: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y). */
  [filter: `error.${string}`]: string | readonly string[] | undefined
  [filter: `result.${string}`]: string | readonly string[] | undefined
  [filter: `input.${string}`]: string | readonly string[] | undefined
  [filter: `flaky.${string}`]: string | readonly string[] | undefined
  [filter: `delta.${string}`]: string | readonly string[] | undefined
}

export interface GetLeaderboardQuery {
  /** The ids of the evaluations to rank: 2 to 50. Repeat the parameter. Without it, the newest 50 evaluations that match the filters. */
  evaluation?: string | string[] | undefined
  /** The evaluator to rank by. Default: the one that the most evaluations have. */
  on?: string | undefined
  /** The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses `id` if it matches at least 95 % of the rows, otherwise the better one of `id` and `input`. */
  by?: string | undefined
  /** entries with this text in the name or the id; ignores the case of A to Z */
  q?: string | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  name?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  variant_id?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y), where x is an integer from 0 to 2147483647. */
  revision?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  family?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  source?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is running or finished or failed. */
  status?: string | string[] | undefined
  /** Filter. Allowed: has.x, where x is a text. */
  tags?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  created_at?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  updated_at?: string | string[] | undefined
  /** The response format. Overrides the `Accept` header. */
  format?: 'json' | 'csv' | undefined
  /** For CSV only. `excel` adds an apostrophe to cells that a spreadsheet could read as a formula: those that begin with `=`, `+`, `-`, `@`, a tab or a carriage return. This changes the data. */
  csv?: 'excel' | undefined
}

export interface ListLeaderboardRowsQuery {
  /** The ids of the evaluations to rank: 2 to 50. Repeat the parameter. Without it, the newest 50 evaluations that match the filters. */
  evaluation?: string | string[] | undefined
  /** The evaluator to rank by. Default: the one that the most evaluations have. */
  on?: string | undefined
  /** The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses `id` if it matches at least 95 % of the rows, otherwise the better one of `id` and `input`. */
  by?: string | undefined
  /** entries with this text in the name or the id; ignores the case of A to Z */
  q?: string | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  name?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  variant_id?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, lt.x, lte.x, gt.x, gte.x, in.(x,y), where x is an integer from 0 to 2147483647. */
  revision?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is an id. */
  family?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  source?: string | string[] | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), where x is running or finished or failed. */
  status?: string | string[] | undefined
  /** Filter. Allowed: has.x, where x is a text. */
  tags?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  created_at?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  updated_at?: string | string[] | undefined
  /** The response format. Overrides the `Accept` header. */
  format?: 'json' | 'csv' | undefined
  /** For CSV only. `excel` adds an apostrophe to cells that a spreadsheet could read as a formula: those that begin with `=`, `+`, `-`, `@`, a tab or a carriage return. This changes the data. */
  csv?: 'excel' | undefined
  /** Number of rows to skip. Default 0. */
  offset?: number | undefined
  /** Maximum number of rows to return. Default 200. */
  limit?: number | undefined
  /** Texts are truncated after this many characters. Default 200. */
  preview?: number | undefined
}

export interface ListVariantsQuery {
  /** Maximum number of elements per page. Without it, all elements are returned. */
  limit?: number | undefined
  /** The cursor of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** entries with this text in the name or the id; ignores the case of A to Z */
  q?: string | undefined
  /** Filter. Allowed: eq.x, ne.x, in.(x,y), contains.x, where x is a text. */
  name?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  created_at?: string | string[] | undefined
  /** Filter. Allowed: lt.x, lte.x, gt.x, gte.x, where x is a date or an RFC 3339 timestamp. */
  updated_at?: string | string[] | undefined
  /** Sort order. Default: `created_at.desc`. Names are compared by the code points of their first 200 characters, and entries without a name by their id. */
  order?: 'created_at.asc' | 'created_at.desc' | 'updated_at.asc' | 'updated_at.desc' | 'name.asc' | 'name.desc' | undefined
}

export interface ListVariantRevisionsQuery {
  /** Maximum number of elements per page. Without it, all elements are returned. */
  limit?: number | undefined
  /** The cursor of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** The response format. Overrides the `Accept` header. */
  format?: 'json' | 'ndjson' | 'csv' | undefined
  /** For CSV only. `excel` adds an apostrophe to cells that a spreadsheet could read as a formula: those that begin with `=`, `+`, `-`, `@`, a tab or a carriage return. This changes the data. */
  csv?: 'excel' | undefined
  /** Additional members, separated by commas. `evaluations`: the evaluations of the revision and their scores (the response then has no ETag). `base`: the scores with their changes from the baseline in `baseline_id`, over the matched rows, if both have at most 20,000 rows together. `changes`: the changes from the previous revision. `message`: the message of the revision. Not available in CSV. */
  include?: string | undefined
}

export interface ImportFileQuery {
  /** The format of the file. Default: detected from the content. */
  format?: 'scenarios' | 'revisions' | 'promptfoo' | 'inspect' | 'deepeval' | 'lm-eval' | 'phoenix' | 'openai' | 'ragas' | 'langsmith' | 'braintrust' | 'mlflow' | 'langfuse' | 'parquet' | 'table' | undefined
  /** The file name. Some formats derive ids from it. */
  name?: string | undefined
  /** The id of the evaluation to import into. Overrides the id in the file. */
  evaluation?: string | undefined
  /** The id of the variant. For a file of revisions: the variant to add them to. */
  variant?: string | undefined
  /** Validate the file and return the report without storing anything. */
  dry_run?: boolean | undefined
  /** Skip invalid records and store the others. Default: one invalid record rejects the whole file. */
  skip_invalid?: boolean | undefined
  /** What happens to a scenario whose id exists with different content. `error` (default): the request is rejected. `replace`: the stored scenario is replaced; its pin, its note and the results of evaluators with the kind `human` are kept, unless the record contains them. `skip`: the stored scenario stays as it is. `replace_all`: afterwards the evaluation contains exactly the scenarios of the request, in their order. A stored scenario matches by its id if the client gave it, otherwise by its inputs. Its pin and note are kept, and its results of evaluators with the kind `human` and answers of reviewers if the outputs are the same. */
  on_conflict?: 'error' | 'replace' | 'skip' | 'replace_all' | undefined
  /** The `baseline_id` of the imported evaluation, also if it exists already. If the file contains several evaluations, each gets the member of this family with the same label and provider, and others get none. */
  baseline?: string | undefined
  /** For tables: the roles of columns, as `COLUMN=ROLE[.KEY][:TYPE]` separated by commas, for example `answer=output,correct=score:bool,latency_ms=latency:ms`. Other columns are recognized by their names and values. */
  map?: string | undefined
}

export interface ListChangesQuery {
  /** The cursor of an entry. Returns the entries after it. Without it, returns all entries. */
  after?: string | undefined
  /** Maximum number of entries. Without it, all entries are returned. */
  limit?: number | undefined
  /** The response format. Overrides the `Accept` header. */
  format?: 'json' | 'ndjson' | undefined
}

/** Error codes, for programs. */
export type ProblemCode =
  | 'access-denied'
  | 'conflict'
  | 'content-too-large'
  | 'cursor-expired'
  | 'evaluation-not-found'
  | 'evaluator-not-found'
  | 'expectation-failed'
  | 'header-fields-too-large'
  | 'insufficient-storage'
  | 'internal-error'
  | 'invalid-content'
  | 'invalid-json'
  | 'invalid-request'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'not-implemented'
  | 'nothing-to-rank'
  | 'precondition-failed'
  | 'query-timeout'
  | 'request-timeout'
  | 'result-not-found'
  | 'review-not-found'
  | 'revision-not-found'
  | 'route-not-found'
  | 'scenario-not-found'
  | 'share-not-found'
  | 'store-damaged'
  | 'too-many-queries'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported-media-type'
  | 'uri-too-long'
  | 'variant-not-found'
