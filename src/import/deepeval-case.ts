// One test case of DeepEval, a question and its answer or a whole conversation, as a scenario.
import type { Json } from '../json/value.ts'
import { Draft, type DraftError, type DraftOutput } from './draft.ts'

const INPUTS = [
  'input',
  'scenario',
  'userDescription',
  'turns',
  'context',
  'retrievalContext',
  'metadata',
  'additionalMetadata',
]
const ANSWERS = ['expectedOutput', 'expectedOutcome', 'expectedTools']
const OUTPUT = ['actualOutput', 'tokenCost', 'completionTime']
const LISTS = ['metricsData', 'expectationsData', 'classifications']
const USED: ReadonlySet<string> = new Set(
  [...INPUTS, ...ANSWERS, ...OUTPUT, ...LISTS, 'name', 'order', 'index', 'comments'].flatMap((name) => [
    name,
    inSnakeCase(name),
  ]),
)
/** The rest of what a metric says is kept under its own names. */
const OF_METRIC = new Set(['name', 'score', 'label', 'success', 'reason', 'error'])
const SPANS = ['baseSpans', 'agentSpans', 'llmSpans', 'retrieverSpans', 'toolSpans']

/** A member by the name that a test run has for it; dumps have the same in snake_case. */
export function field(json: Json | undefined, name: string): Json | undefined {
  return json?.get(name) ?? json?.get(inSnakeCase(name))
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export interface Metric {
  /** Numbered from the second of the same name on. */
  evaluator: string
  says: Json
}

/** What the evaluators said of a test case. */
export function metricsOf(row: Json): Metric[] {
  const counts = new Map<string, number>()
  const named = (name: string): string => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} #${count}`
  }
  const listed = ['metricsData', 'classifications'].flatMap((name) => field(row, name)?.elements ?? [])
  const metrics = listed
    .filter(({ isObject }) => isObject)
    .map((says) => ({ evaluator: named(says.get('name')?.plain ?? 'metric'), says }))
  const expectations = field(row, 'expectationsData')
  if (expectations?.isObject) metrics.push({ evaluator: named('expectations'), says: expectations })
  return metrics
}

/** The verdict of a metric; undefined where it has none: it failed, was skipped, or has no threshold. */
export function verdictOf({ says }: Metric): boolean | undefined {
  return errorOf(says) || isSkipped(says) ? undefined : says.get('success')?.boolean
}

export function draftOf(row: Json, id: string, keepsTrace: boolean): Draft {
  const draft = new Draft(id)
  for (const name of INPUTS) {
    const value = field(row, name)
    if (value) draft.input(name, value)
  }
  for (const name of ANSWERS) {
    const value = field(row, name)
    if (value) draft.answer(name, value)
  }
  const output = outputOf(row)
  if (Object.values(output).some((part) => part !== undefined)) draft.output(output)
  const comments = field(row, 'comments')
  draft.note = comments?.string
  for (const metric of metricsOf(row)) addResults(draft, metric)
  // What is not as it should be has no other place.
  if (comments?.string === undefined) draft.extra('comments', comments)
  for (const name of ['order', 'index', 'tokenCost', 'completionTime']) {
    const value = field(row, name)
    if (value?.number === undefined) draft.extra(name, value)
  }
  for (const name of LISTS) {
    const list = field(row, name)
    const elements = list?.isArray ? list.elements : list ? [list] : []
    const fits = list?.isArray === (name !== 'expectationsData') && elements.every(({ isObject }) => isObject)
    if (!fits) draft.extra(name, list)
  }
  draft.rest(row, keepsTrace ? USED : new Set([...USED, 'trace']))
  return draft
}

function outputOf(row: Json): DraftOutput {
  const value = field(row, 'actualOutput')
  return {
    value,
    error: value ? undefined : appError(row),
    cost: numeric(field(row, 'tokenCost')),
    latency: numeric(field(row, 'completionTime')),
  }
}

function numeric(value: Json | undefined): Json | undefined {
  return value?.number === undefined ? undefined : value
}

/**
 * A test case has no place for it, but where the application raised there is no output, and the outermost
 * span of the trace says why. The status of the trace itself may be SUCCESS all the same.
 */
function appError(row: Json): DraftError | undefined {
  const own = row.get('error')
  if (own) return { message: own.plain }
  const trace = row.get('trace')
  const spans = SPANS.flatMap((name) => field(trace, name)?.elements ?? [])
  const failed = spans.filter(isErrored)
  const root = failed.find((span) => field(span, 'parentUuid') === undefined)
  if (!root && !isErrored(trace)) return undefined
  const said = root?.get('error') ?? failed.find((span) => span.get('error'))?.get('error')
  return { message: said?.plain ?? 'The application failed; its trace does not say why.' }
}

function isErrored(traced: Json | undefined): boolean {
  return traced?.get('status')?.string === 'ERRORED'
}

function addResults(draft: Draft, metric: Metric): void {
  const { evaluator, says } = metric
  const error = errorOf(says)
  const verdict = verdictOf(metric)
  const value = isSkipped(says) ? undefined : (says.get('score') ?? says.get('label'))
  const beside = [...says.members].filter(([name, said]) => !OF_METRIC.has(name) && !said.isNull)
  // Of a metric that failed or was skipped it says nothing, and is no verdict.
  if (verdict === undefined) beside.push(...kept(says, 'success'))
  if (isSkipped(says)) beside.push(...kept(says, 'score'))
  draft.result(evaluator, { value, error, reason: says.get('reason'), extra: beside })
  if (verdict !== undefined) draft.result(`${evaluator}.success`, { value: verdict })
}

function kept(says: Json, name: string): [string, Json][] {
  const value = says.get(name)
  return value ? [[name, value]] : []
}

function errorOf(says: Json): DraftError | undefined {
  const error = says.get('error')
  return error && error.string !== '' && error.boolean !== false ? { message: error.plain } : undefined
}

function isSkipped(says: Json): boolean {
  return says.get('skipped')?.boolean === true
}
