// Builds a scenario from an Inspect sample.
import { Json } from '../../json/value.ts'
import {
  type ErrorParts,
  isRepetition,
  type ResultParts,
  ScenarioBuilder,
  toJsonNumber,
} from '../scenario-builder.ts'
import { undefinedIfEmpty } from '../values.ts'
import { omitMembers } from './run.ts'

/** The letter scores of Inspect: correct, incorrect, partially correct, no answer. */
const LETTER_SCORES = new Map([
  ['C', 1],
  ['I', 0],
  ['P', 0.5],
  ['N', 0],
])
/** Reasons for a missing score that mean that the evaluator failed. */
const EVALUATOR_FAILED = new Set(['grader_failed', 'scoring_failed'])
/** The name that Inspect gives to scores from logs that are older than score names. */
const UNNAMED_SCORE = '88F74D2C'

const USED_MEMBERS = new Set([
  'id',
  'input',
  'choices',
  'target',
  'scores',
  'score',
  'output',
  'error',
  'messages',
])

/** Limits how much text is copied. */
interface CopyLimit {
  reserve(text: string): boolean
}

/** Undefined if the sample has no id. `scorer` is the name for scores without one. */
export function buildScenario(row: Json, scorer: string, copyLimit: CopyLimit): ScenarioBuilder | undefined {
  const id = row.get('id')
  if (!id?.plain || (id.string === undefined && id.number === undefined)) return undefined
  const epoch = row.get('epoch')?.number
  const isEpoch = isRepetition(epoch)
  const builder = new ScenarioBuilder(isEpoch && epoch > 1 ? `${id.plain}_epoch_${epoch}` : id.plain)
  const used = new Set(USED_MEMBERS)
  if (isEpoch) {
    builder.sample = id.plain
    builder.repetition = epoch
    used.add('epoch')
  }
  addInputs(builder, row, used)
  addOutput(builder, row, used)
  addScores(builder, row, scorer, copyLimit)
  builder.note = row.get('invalidation', 'reason')?.string
  for (const [name, value] of row.members)
    if (!used.has(name)) builder.addExtra(name, undefinedIfEmpty(withoutEvents(name, value)))
  builder.addExtra('messages', undefinedIfEmpty(row.get('messages')))
  return builder
}

function addInputs(builder: ScenarioBuilder, row: Json, used: Set<string>): void {
  const metadata = row.get('metadata')
  if (metadata?.isObject) used.add('metadata')
  for (const [name, value] of [
    ['input', row.get('input')],
    ['choices', undefinedIfEmpty(row.get('choices'))],
    ['metadata', metadata?.isObject ? undefinedIfEmpty(metadata) : undefined],
  ] as const)
    if (value) builder.addInput(name, value)
  const target = undefinedIfEmpty(row.get('target'))
  // Inspect writes an empty string if there is no target.
  if (target && target.string !== '') builder.addCorrectAnswer('target', target)
}

function addOutput(builder: ScenarioBuilder, row: Json, used: Set<string>): void {
  const output = row.get('output')
  const error = errorOf(row)
  const duration = ['total_time', 'working_time'].find((name) => row.get(name)?.number !== undefined)
  if (duration) used.add(duration)
  builder.addOutput({
    value: error ? undefined : completionOf(output),
    error,
    cost: costOf(row.get('model_usage')),
    latency: duration ? row.get(duration) : output?.get('time'),
  })
  const isOutputUsed = !error && output?.get('completion')?.string !== undefined
  builder.addExtra('output', isOutputUsed ? omitMembers(output, 'completion') : undefinedIfEmpty(output))
  builder.addExtra(
    'error',
    row.get('error')?.isObject
      ? omitMembers(row.get('error'), 'message', 'traceback', 'traceback_ansi')
      : undefined,
  )
}

/** The application failed or reached a limit. The limit is also stored in `extra`. */
function errorOf(row: Json): ErrorParts | undefined {
  const error = row.get('error')
  if (error) {
    const message = error.isObject ? (error.get('message')?.plain ?? 'The sample failed.') : error.plain
    return { message, stacktrace: error.get('traceback')?.string }
  }
  const limit = row.get('limit')
  if (!limit) return modelError(row.get('output'))
  const [type, amount] = [(limit.get('type') ?? limit).plain, limit.get('limit')?.plain]
  const event = `Stopped at the ${type} limit${amount === undefined ? '' : ` of ${amount}`}`
  const reason = (limit.get('reason') ?? row.get('limit_reason'))?.string
  return { message: reason === undefined ? `${event}.` : `${event}: ${reason}` }
}

/** A model that returned only an error, for example from a content filter. */
function modelError(output: Json | undefined): ErrorParts | undefined {
  const error = output?.get('error')
  return error && error.plain !== '' && !completionOf(output)?.plain ? { message: error.plain } : undefined
}

/** The last output of the model. Without text it can be something else, such as an image. */
function completionOf(output: Json | undefined): Json | undefined {
  const completion = output?.get('completion')
  if (completion?.string) return completion
  const content = output?.get('choices')?.elements[0]?.get('message', 'content')
  return undefinedIfEmpty(content) ?? (content ? completion : undefined)
}

function costOf(usage: Json | undefined): Json | undefined {
  const costs = Array.from(usage?.members.values() ?? [], (model) => model.get('total_cost')).filter(
    (cost) => cost?.number !== undefined,
  )
  if (costs.length < 2) return costs[0]
  return toJsonNumber(costs.reduce((sum, cost) => sum + (cost?.number ?? 0), 0))
}

/** Removes the members of retries that are never imported. */
function withoutEvents(name: string, value: Json): Json {
  if (name !== 'error_retries' || !value.isArray) return value
  return Json.array(value.elements.map((retry) => omitMembers(retry, 'events', 'traceback_ansi') ?? retry))
}

function addScores(builder: ScenarioBuilder, row: Json, scorer: string, copyLimit: CopyLimit): void {
  const scores = row.get('scores')
  const nonObjectScores: [string, Json][] = []
  for (const [name, score] of scores?.members ?? []) {
    if (score.isObject) addScore(builder, name === UNNAMED_SCORE ? scorer : name, score, copyLimit)
    else nonObjectScores.push([name, score])
  }
  builder.addExtra(
    'scores',
    scores && !scores.isObject ? undefinedIfEmpty(scores) : undefinedIfEmpty(Json.object(nonObjectScores)),
  )
  const singleScore = row.get('score')
  if (singleScore?.isObject) addScore(builder, scorer, singleScore, copyLimit)
  else builder.addExtra('score', singleScore)
}

/** A value that is an object becomes one result per key. Further data of the score is stored with the first. */
function addScore(builder: ScenarioBuilder, name: string, score: Json, copyLimit: CopyLimit): void {
  const value = score.get('value')
  const keys = Array.from(value?.members ?? [])
  if (keys.length === 0) builder.addResult(name, resultOf(score, undefinedIfEmpty(value), extraOf(score)))
  for (const [index, [key, keyValue]] of keys.entries()) {
    if (!copyLimit.reserve(`${name}${score.get('explanation')?.text}`)) return
    const extra = index === 0 ? extraOf(score) : []
    builder.addResult(`${name}.${key}`, resultOf(score, keyValue.isNull ? undefined : keyValue, extra))
  }
}

function resultOf(score: Json, value: Json | undefined, extra: [string, Json][]): ResultParts {
  const explanation = score.get('explanation')?.string ? score.get('explanation') : undefined
  const code = score.get('reason') ?? score.get('metadata', 'unscored_reason')
  const reason = explanation ?? code
  if (value === undefined && EVALUATOR_FAILED.has(code?.string ?? ''))
    return { error: { message: reason?.plain ?? '' }, reason, extra }
  const letter = value?.string === undefined ? undefined : LETTER_SCORES.get(value.string)
  if (letter === undefined || !value) return { value, reason, extra }
  return { value: letter, reason, extra: [['value', value], ...extra] }
}

/** The reason code of Inspect is stored separately if the score also has an explanation. */
function extraOf(score: Json): [string, Json][] {
  const extra: [string, Json][] = []
  const isExplained = Boolean(score.get('explanation')?.string)
  for (const [name, value] of score.members) {
    if (name === 'value' || !undefinedIfEmpty(value)) continue
    if (name === 'reason') {
      if (isExplained) extra.push(['source_reason', value])
    } else if (name !== 'explanation' || value.string === undefined) extra.push([name, value])
  }
  return extra
}
