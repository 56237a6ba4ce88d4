// Builds a scenario from a DeepEval test case: a single turn or a conversation.
import type { Json } from '../../json/value.ts'
import { type ErrorParts, type OutputParts, ScenarioBuilder } from '../scenario-builder.ts'
import { errorOf, NameNumbers, unusedMembers } from '../values.ts'

const INPUT_MEMBERS = [
  'input',
  'scenario',
  'userDescription',
  'turns',
  'context',
  'retrievalContext',
  'metadata',
  'additionalMetadata',
]
const ANSWER_MEMBERS = ['expectedOutput', 'expectedOutcome', 'expectedTools']
const OUTPUT_MEMBERS = ['actualOutput', 'tokenCost', 'completionTime']
const RESULT_MEMBERS = ['metricsData', 'expectationsData', 'classifications']
const USED_MEMBERS: ReadonlySet<string> = new Set(
  [
    ...INPUT_MEMBERS,
    ...ANSWER_MEMBERS,
    ...OUTPUT_MEMBERS,
    ...RESULT_MEMBERS,
    'name',
    'order',
    'index',
    'comments',
  ].flatMap((name) => [name, toSnakeCase(name)]),
)
/** The other members of a metric go to `extra` under their own names. */
const METRIC_MEMBERS = new Set(['name', 'score', 'label', 'success', 'reason', 'error'])
const SPAN_LISTS = ['baseSpans', 'agentSpans', 'llmSpans', 'retrieverSpans', 'toolSpans']

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
  const names = new NameNumbers()
  const listedMetrics = ['metricsData', 'classifications'].flatMap((name) => field(row, name)?.elements ?? [])
  const metrics = listedMetrics
    .filter(({ isObject }) => isObject)
    .map((data) => ({ evaluator: names.add(data.get('name')?.plain ?? 'metric'), data }))
  const expectations = field(row, 'expectationsData')
  if (expectations?.isObject) metrics.push({ evaluator: names.add('expectations'), data: expectations })
  return metrics
}

/** The verdict of a metric. Undefined if the metric failed, was skipped, or has no threshold. */
export function verdictOf({ data }: Metric): boolean | undefined {
  return errorOf(data.get('error')) || isSkipped(data) ? undefined : data.get('success')?.boolean
}

export function buildScenario(row: Json, id: string, includesTrace: boolean): ScenarioBuilder {
  const builder = new ScenarioBuilder(id)
  for (const name of INPUT_MEMBERS) {
    const value = field(row, name)
    if (value) builder.addInput(name, value)
  }
  for (const name of ANSWER_MEMBERS) {
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
  for (const name of ['order', 'index', 'tokenCost', 'completionTime'])
    builder.addNonNumbers({ [name]: field(row, name) })
  for (const name of RESULT_MEMBERS) {
    const list = field(row, name)
    const elements = list?.isArray ? list.elements : list ? [list] : []
    const isExpected =
      list?.isArray === (name !== 'expectationsData') && elements.every(({ isObject }) => isObject)
    if (!isExpected) builder.addExtra(name, list)
  }
  builder.addUnusedMembers(row, includesTrace ? USED_MEMBERS : new Set([...USED_MEMBERS, 'trace']))
  return builder
}

function outputOf(row: Json): OutputParts {
  const value = field(row, 'actualOutput')
  return {
    value,
    error: value ? undefined : appError(row),
    cost: numberOf(row, 'tokenCost'),
    latency: numberOf(row, 'completionTime'),
  }
}

function numberOf(row: Json, name: string): Json | undefined {
  const value = field(row, name)
  return value?.number === undefined ? undefined : value
}

/**
 * The error of the application. Most test cases have no `error`: then it is the error of a failed root span. If only the
 * trace has failed, it is the error of any failed span. The trace can have the status SUCCESS although a span failed.
 */
function appError(row: Json): ErrorParts | undefined {
  const caseError = row.get('error')
  if (caseError) return { message: caseError.plain }
  const trace = row.get('trace')
  const spans = SPAN_LISTS.flatMap((name) => field(trace, name)?.elements ?? [])
  const failedSpans = spans.filter(isErrored)
  const failedRoot = failedSpans.find((span) => field(span, 'parentUuid') === undefined)
  if (!failedRoot && !isErrored(trace)) return undefined
  const error = failedRoot?.get('error') ?? failedSpans.find((span) => span.get('error'))?.get('error')
  return { message: error?.plain ?? 'The application failed. The trace does not contain the cause.' }
}

function isErrored(span: Json | undefined): boolean {
  return span?.get('status')?.string === 'ERRORED'
}

function addResults(builder: ScenarioBuilder, metric: Metric): void {
  const { evaluator, data } = metric
  const error = errorOf(data.get('error'))
  const verdict = verdictOf(metric)
  const value = isSkipped(data) ? undefined : (data.get('score') ?? data.get('label'))
  const extra = unusedMembers(data, METRIC_MEMBERS)
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

function isSkipped(data: Json): boolean {
  return data.get('skipped')?.boolean === true
}
