// Reads the run (evaluation, variant and revision) from the header of an Inspect log.
import { Json } from '../../json/value.ts'
import type { EvaluationStatus } from '../../schema/evaluations.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { normalizeTime } from '../../schema/times.ts'
import { differenceNote, type ImportedStatistics } from '../tool-statistics.ts'
import { undefinedIfEmpty } from '../values.ts'

/** Members of `eval` that describe the configuration. */
const PARAMETER_MEMBERS = [
  'model',
  'model_base_url',
  'model_generate_config',
  'model_args',
  'model_roles',
  'task_version',
  'task_args',
  'solver',
  'solver_args',
  'sandbox',
  'revision',
  'packages',
]
/** Members of `eval` that are not metadata: they are used elsewhere or repeat a parameter. */
const NON_METADATA_EVAL_MEMBERS = new Set([
  ...PARAMETER_MEMBERS,
  'eval_id',
  'created',
  'task',
  'task_args_passed',
  'solver_args_passed',
])
/** Members of the log that are not metadata. */
const NON_METADATA_LOG_MEMBERS = new Set(['eval', 'plan', 'samples', 'reductions', 'location', 'etag'])

/** The status of an evaluation by that of the log. A log without a status is of a run that did not end. */
const STATUSES: ReadonlyMap<string, EvaluationStatus> = new Map([
  ['started', 'running'],
  ['success', 'finished'],
  ['cancelled', 'failed'],
  ['error', 'failed'],
])

export function readCreatedAt(header: Json): string | undefined {
  const times = [header.get('eval', 'created')?.string, header.get('stats', 'started_at')?.string]
  return times.find((time) => time !== undefined && normalizeTime(time) !== undefined)
}

/** `stem`: the name of the file. */
export function readRun(header: Json, stem: string) {
  const evalMembers = header.get('eval')
  const task = evalMembers?.get('task')?.string
  const name = task ?? stem
  const solver = evalMembers?.get('solver')?.string
  const version = evalMembers?.get('packages', 'inspect_ai')?.string
  return {
    id: evaluationId(evalMembers),
    name,
    source: 'Inspect AI',
    version,
    variant: solver === undefined ? name : `${name}:${solver}`,
    isVariantNamedByFile: task === undefined,
    config_name: evalMembers?.get('model')?.plain ?? name,
    parameters: Json.object([
      ...PARAMETER_MEMBERS.map(
        (parameter) => [parameter, undefinedIfEmpty(evalMembers?.get(parameter))] as const,
      ),
      ['plan', header.get('plan')],
    ]),
    status: STATUSES.get(header.get('status')?.string ?? 'started'),
    evaluators: evaluatorsOf(header),
    metadata: metadataOf(header, evalMembers),
  }
}

/** Logs written before 2025 have no `eval_id`. Their id is made from the run id and the task id. */
function evaluationId(evalMembers: Json | undefined): string | undefined {
  const evalId = evalMembers?.get('eval_id')?.string
  if (evalId) return evalId
  const parts = [evalMembers?.get('run_id')?.string, evalMembers?.get('task_id')?.string].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join('-')
}

/** Members of `eval` and of the log. Those of the log override those of `eval`: tags and metadata can be edited. */
function metadataOf(header: Json, evalMembers: Json | undefined): Json {
  const members = new Map<string, Json | undefined>([['status', header.get('status') ?? Json.of('started')]])
  for (const [name, value] of evalMembers?.members ?? [])
    if (!NON_METADATA_EVAL_MEMBERS.has(name)) members.set(name, value)
  for (const [name, value] of header.members)
    if (!NON_METADATA_LOG_MEMBERS.has(name)) members.set(name, undefinedIfEmpty(value) ?? members.get(name))
  members.set('dataset', omitMembers(evalMembers?.get('dataset'), 'sample_ids'))
  members.set('error', omitMembers(header.get('error'), 'traceback_ansi'))
  members.set('results', omitMembers(header.get('results'), 'sample_reductions'))
  return Json.object(Array.from(members, ([name, value]) => [name, undefinedIfEmpty(value)] as const))
}

/** The evaluators in the results of the log. */
function evaluatorsOf(header: Json): { name: string }[] {
  const names = (header.get('results', 'scores')?.elements ?? []).flatMap((score) => evaluatorOf(score) ?? [])
  return Array.from(new Set(names), (name) => ({ name }))
}

/** A score that is an object has one evaluator per key: `scorer.key`. Inspect numbers scorers of the same name: `scorer1`. */
function evaluatorOf(score: Json): string | undefined {
  const [name, scorer] = [score.get('name')?.string, score.get('scorer')?.string]
  if (name === undefined || scorer === undefined) return name
  const isScorer = name.startsWith(scorer) && /^\d*$/.test(name.slice(scorer.length))
  return isScorer ? name : `${scorer}.${name}`
}

/** The name for scores that have no name in the sample. */
export function defaultScorerName(header: Json): string {
  const results = header.get('results')
  const firstScore = results?.get('scores')?.elements[0] ?? results?.get('scorer')
  return (
    firstScore?.get('name')?.string ??
    header.get('eval', 'scorers')?.elements[0]?.get('name')?.string ??
    'score'
  )
}

/** A copy without these members. */
export function omitMembers(value: Json | undefined, ...names: string[]): Json | undefined {
  if (!value?.isObject) return value
  return undefinedIfEmpty(Json.object(Array.from(value.members).filter(([name]) => !names.includes(name))))
}

const NUMERIC_COLLATOR = new Intl.Collator('en', { numeric: true })

/** For logs without a list of ids: unique ids, sorted with numbers by their value. */
export function sortIds(ids: Iterable<string>): string[] {
  return [...new Set(ids)].sort((a, b) => NUMERIC_COLLATOR.compare(a, b) || (a < b ? -1 : 1))
}

/** Two samples can have the same id: 1 and "1", or `a_epoch_2` and epoch 2 of `a`. Later ones get a suffix. */
export class SampleIds {
  readonly #indexById = new Map<string, number>()

  /** Returns the same id if called again with the same index in the file. */
  assign(id: string, index: number): string {
    let unique = id
    for (let count = 2; (this.#indexById.get(unique) ?? index) !== index; count += 1)
      unique = `${id} #${count}`
    this.#indexById.set(unique, index)
    return unique
  }
}

/** Both are the mean of all samples. `accuracy` counts texts that are no known labels as 0. */
const MEANS = ['accuracy', 'mean']

export function* statisticsNotes(header: Json, imported: ImportedStatistics): Generator<ImportEvent> {
  const results = header.get('results')
  if (!results?.isObject) return
  const [total, completed] = ['total_samples', 'completed_samples'].map((name) => results.get(name)?.number)
  const count = imported.scenarios
  const isComplete = header.get('status')?.string === 'success' && !results.get('early_stopping')?.isObject
  if (total !== undefined && (total < count || (isComplete && total > count))) {
    yield differenceNote(
      '/results/total_samples',
      `Inspect counts ${total} samples, but ${count} were imported.`,
    )
    return
  }
  if (completed !== undefined && completed > count) {
    const detail = `Inspect counts ${completed} completed samples, but ${count} were imported.`
    yield differenceNote('/results/completed_samples', detail)
    return
  }
  // Other samples failed. If they have scores, the means of Inspect do not contain them.
  const areScoresComplete = completed === count || completed === count - imported.unscoredScenarios
  if (areScoresComplete) yield* meanNotes(header, imported)
}

function* meanNotes(header: Json, imported: ImportedStatistics): Generator<ImportEvent> {
  const epochs = header.get('eval', 'config', 'epochs')?.number ?? 1
  for (const [index, score] of (header.get('results', 'scores')?.elements ?? []).entries()) {
    const evaluator = evaluatorOf(score)
    if (evaluator === undefined || !['mean', undefined].includes(score.get('reducer')?.string)) continue
    const { count, texts } = imported.scoresOf(evaluator)
    // Inspect first reduces the epochs of a sample: without one of them the mean is another one.
    if (epochs > 1 && count + texts !== imported.scenarios) continue
    for (const metric of MEANS) {
      const value = score.get('metrics', metric)
      const mean = value?.get('value')?.number
      const hasParams = ['params', 'options'].some((member) => (value?.get(member)?.members.size ?? 0) > 0)
      const detail =
        mean === undefined || hasParams
          ? undefined
          : imported.describeMean(evaluator, 'Inspect', metric, mean)
      if (detail !== undefined) yield differenceNote(`/results/scores/${index}/metrics/${metric}`, detail)
    }
  }
}
