// Builds a scenario from a DeepEval test case: a single turn or a conversation.
import type { Json } from '../../json/value.ts'
import { type ErrorParts, type OutputParts, ScenarioBuilder } from '../scenario-builder.ts'

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
    toSnakeCase(name),
  ]),
)
/** The other members of a metric go to `extra` under their own names. */
const METRIC_MEMBERS = new Set(['name', 'score', 'label', 'success', 'reason', 'error'])
const SPANS = ['baseSpans', 'agentSpans', 'llmSpans', 'retrieverSpans', 'toolSpans']

/** A member by its name in a test run. Dumps have the same names in snake_case. */
export function field(json: Json | undefined, name: string): Json | undefined {
  return json?.get(name) ?? json?.get(toSnakeCase(name))
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export interface Metric {
  /** The name, numbered from the second metric of the same name on. */
  evaluator: string
  data: Json
}

/** The metrics of a test case. */
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
    .map((data) => ({ evaluator: named(data.get('name')?.plain ?? 'metric'), data }))
  const expectations = field(row, 'expectationsData')
  if (expectations?.isObject) metrics.push({ evaluator: named('expectations'), data: expectations })
  return metrics
}

/** The verdict of a metric. Undefined if the metric failed, was skipped, or has no threshold. */
export function verdictOf({ data }: Metric): boolean | undefined {
  return errorOf(data) || isSkipped(data) ? undefined : data.get('success')?.boolean
}

export function buildScenario(row: Json, id: string, includesTrace: boolean): ScenarioBuilder {
  const builder = new ScenarioBuilder(id)
  for (const name of INPUTS) {
    const value = field(row, name)
    if (value) builder.addInput(name, value)
  }
  for (const name of ANSWERS) {
    const value = field(row, name)
    if (value) builder.addCorrectAnswer(name, value)
  }
  const output = outputOf(row)
  if (Object.values(output).some((part) => part !== undefined)) builder.addOutput(output)
  const comments = field(row, 'comments')
  builder.note = comments?.string
  for (const metric of metricsOf(row)) addResults(builder, metric)
  // Values of an unexpected type go to `extra`.
  if (comments?.string === undefined) builder.addExtra('comments', comments)
  for (const name of ['order', 'index', 'tokenCost', 'completionTime']) {
    const value = field(row, name)
    if (value?.number === undefined) builder.addExtra(name, value)
  }
  for (const name of LISTS) {
    const list = field(row, name)
    const elements = list?.isArray ? list.elements : list ? [list] : []
    const isExpected =
      list?.isArray === (name !== 'expectationsData') && elements.every(({ isObject }) => isObject)
    if (!isExpected) builder.addExtra(name, list)
  }
  builder.addUnusedMembers(row, includesTrace ? USED : new Set([...USED, 'trace']))
  return builder
}

function outputOf(row: Json): OutputParts {
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
 * A test case has no error field. If the application raised, there is no output, and the outermost span of the trace
 * contains the error. The status of the trace itself can still be SUCCESS.
 */
function appError(row: Json): ErrorParts | undefined {
  const ownError = row.get('error')
  if (ownError) return { message: ownError.plain }
  const trace = row.get('trace')
  const spans = SPANS.flatMap((name) => field(trace, name)?.elements ?? [])
  const failed = spans.filter(isErrored)
  const root = failed.find((span) => field(span, 'parentUuid') === undefined)
  if (!root && !isErrored(trace)) return undefined
  const error = root?.get('error') ?? failed.find((span) => span.get('error'))?.get('error')
  return { message: error?.plain ?? 'The application failed; its trace does not say why.' }
}

function isErrored(span: Json | undefined): boolean {
  return span?.get('status')?.string === 'ERRORED'
}

function addResults(builder: ScenarioBuilder, metric: Metric): void {
  const { evaluator, data } = metric
  const error = errorOf(data)
  const verdict = verdictOf(metric)
  const value = isSkipped(data) ? undefined : (data.get('score') ?? data.get('label'))
  const extra = [...data.members].filter(([name, value]) => !METRIC_MEMBERS.has(name) && !value.isNull)
  // `success` of a metric that failed or was skipped is not a verdict.
  if (verdict === undefined) extra.push(...memberOf(data, 'success'))
  if (isSkipped(data)) extra.push(...memberOf(data, 'score'))
  builder.addResult(evaluator, { value, error, reason: data.get('reason'), extra })
  if (verdict !== undefined) builder.addResult(`${evaluator}.success`, { value: verdict })
}

function memberOf(data: Json, name: string): [string, Json][] {
  const value = data.get(name)
  return value ? [[name, value]] : []
}

function errorOf(data: Json): ErrorParts | undefined {
  const error = data.get('error')
  return error && error.string !== '' && error.boolean !== false ? { message: error.plain } : undefined
}

function isSkipped(data: Json): boolean {
  return data.get('skipped')?.boolean === true
}
