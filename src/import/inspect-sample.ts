// One sample of Inspect as a scenario.
import { Json } from '../json/value.ts'
import { Draft, type DraftError, type DraftResult } from './draft.ts'
import { filled, without } from './inspect-run.ts'

/** How Inspect writes a score by letters: correct, incorrect, partly correct, no answer. */
const LETTERS = new Map([
  ['C', 1],
  ['I', 0],
  ['P', 0.5],
  ['N', 0],
])
/** Reasons for which there is no score that lie with the evaluator, and not with the answer. */
const EVALUATOR_FAILED = new Set(['grader_failed', 'scoring_failed'])
/** What Inspect calls a score that was read from a log older than names of scores. */
const UNNAMED = '88F74D2C'

const USED = new Set(['id', 'input', 'choices', 'target', 'scores', 'score', 'output', 'error', 'messages'])

/** Says whether a text may be copied once more. */
interface Room {
  takes(text: string): boolean
}

/** Undefined where the sample has no id. `scorer` names a score that has no name. */
export function draftOf(row: Json, scorer: string, room: Room): Draft | undefined {
  const id = row.get('id')
  if (!id?.plain || (id.string === undefined && id.number === undefined)) return undefined
  const epoch = row.get('epoch')?.number
  const isEpoch = epoch !== undefined && Number.isSafeInteger(epoch) && epoch > 0
  const draft = new Draft(isEpoch && epoch > 1 ? `${id.plain}_epoch_${epoch}` : id.plain)
  const used = new Set(USED)
  if (isEpoch) {
    draft.repetition = epoch
    used.add('epoch')
  }
  addInputs(draft, row, used)
  addOutput(draft, row, used)
  addScores(draft, row, scorer, room)
  draft.note = row.get('invalidation', 'reason')?.string
  for (const [name, value] of row.members) if (!used.has(name)) draft.extra(name, filled(keptOf(name, value)))
  draft.extra('messages', filled(row.get('messages')))
  return draft
}

function addInputs(draft: Draft, row: Json, used: Set<string>): void {
  const metadata = row.get('metadata')
  if (metadata?.isObject) used.add('metadata')
  for (const [name, value] of [
    ['input', row.get('input')],
    ['choices', filled(row.get('choices'))],
    ['metadata', metadata?.isObject ? filled(metadata) : undefined],
  ] as const)
    if (value) draft.input(name, value)
  const target = filled(row.get('target'))
  // Inspect writes an empty text where there is no target.
  if (target && target.string !== '') draft.answer('target', target)
}

function addOutput(draft: Draft, row: Json, used: Set<string>): void {
  const output = row.get('output')
  const error = errorOf(row)
  const took = ['total_time', 'working_time'].find((name) => row.get(name)?.number !== undefined)
  if (took) used.add(took)
  draft.output({
    value: error ? undefined : spoken(output),
    error,
    cost: costOf(row.get('model_usage')),
    latency: took ? row.get(took) : output?.get('time'),
  })
  const isPlaced = !error && output?.get('completion')?.string !== undefined
  draft.extra('output', isPlaced ? without(output, 'completion') : filled(output))
  draft.extra(
    'error',
    row.get('error')?.isObject
      ? without(row.get('error'), 'message', 'traceback', 'traceback_ansi')
      : undefined,
  )
}

/** The application failed, or was stopped. The limit that stopped it is kept beside it too. */
function errorOf(row: Json): DraftError | undefined {
  const error = row.get('error')
  if (error) {
    const message = error.isObject ? (error.get('message')?.plain ?? 'The sample failed.') : error.plain
    return { message, stacktrace: error.get('traceback')?.string }
  }
  const limit = row.get('limit')
  if (!limit) return modelError(row.get('output'))
  const [type, amount] = [(limit.get('type') ?? limit).plain, limit.get('limit')?.plain]
  const what = `Stopped at the ${type} limit${amount === undefined ? '' : ` of ${amount}`}`
  const why = (limit.get('reason') ?? row.get('limit_reason'))?.string
  return { message: why === undefined ? `${what}.` : `${what}: ${why}` }
}

/** A model that answered with an error, such as a filter of contents, and with nothing else. */
function modelError(output: Json | undefined): DraftError | undefined {
  const error = output?.get('error')
  return error && error.plain !== '' && !spoken(output)?.plain ? { message: error.plain } : undefined
}

/** What the model said last; without text it may have said something else, such as an image. */
function spoken(output: Json | undefined): Json | undefined {
  const completion = output?.get('completion')
  if (completion?.string) return completion
  const content = output?.get('choices')?.elements[0]?.get('message', 'content')
  return filled(content) ?? (content ? completion : undefined)
}

function costOf(usage: Json | undefined): Json | undefined {
  const costs = Array.from(usage?.members.values() ?? [], (one) => one.get('total_cost')).filter(
    (cost) => cost?.number !== undefined,
  )
  if (costs.length < 2) return costs[0]
  return Json.of(costs.reduce((sum, cost) => sum + (cost?.number ?? 0), 0))
}

/** Without what was dropped inside of it. */
function keptOf(name: string, value: Json): Json {
  if (name !== 'error_retries' || !value.isArray) return value
  return Json.array(value.elements.map((retry) => without(retry, 'events', 'traceback_ansi') ?? retry))
}

function addScores(draft: Draft, row: Json, scorer: string, room: Room): void {
  const scores = row.get('scores')
  const strays: [string, Json][] = []
  for (const [name, score] of scores?.members ?? []) {
    if (score.isObject) addScore(draft, name === UNNAMED ? scorer : name, score, room)
    else strays.push([name, score])
  }
  draft.extra('scores', scores && !scores.isObject ? filled(scores) : filled(Json.object(strays)))
  const single = row.get('score')
  if (single?.isObject) addScore(draft, scorer, single, room)
  else draft.extra('score', single)
}

/** A value with keys is a result for each of them; what else the score says stands beside the first. */
function addScore(draft: Draft, name: string, score: Json, room: Room): void {
  const value = score.get('value')
  const keys = Array.from(value?.members ?? [])
  if (keys.length === 0) draft.result(name, resultOf(score, filled(value), besideOf(score)))
  for (const [index, [key, one]] of keys.entries()) {
    if (!room.takes(`${name}${score.get('explanation')?.text}`)) return
    const beside = index === 0 ? besideOf(score) : []
    draft.result(`${name}.${key}`, resultOf(score, one.isNull ? undefined : one, beside))
  }
}

function resultOf(score: Json, value: Json | undefined, beside: [string, Json][]): DraftResult {
  const said = score.get('explanation')?.string ? score.get('explanation') : undefined
  const code = score.get('reason') ?? score.get('metadata', 'unscored_reason')
  const reason = said ?? code
  if (value === undefined && EVALUATOR_FAILED.has(code?.string ?? ''))
    return { error: { message: reason?.plain ?? '' }, reason, extra: beside }
  const letter = value?.string === undefined ? undefined : LETTERS.get(value.string)
  if (letter === undefined || !value) return { value, reason, extra: beside }
  return { value: letter, reason, extra: [['value', value], ...beside] }
}

/** The word that Inspect gives as a reason keeps a place where it also explains the score. */
function besideOf(score: Json): [string, Json][] {
  const beside: [string, Json][] = []
  const isExplained = Boolean(score.get('explanation')?.string)
  for (const [name, value] of score.members) {
    if (name === 'value' || !filled(value)) continue
    if (name === 'reason') {
      if (isExplained) beside.push(['source_reason', value])
    } else if (name !== 'explanation' || value.string === undefined) beside.push([name, value])
  }
  return beside
}
