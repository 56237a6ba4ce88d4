// One output item of an OpenAI evaluation, in either of its two forms, as a scenario.
import { Json } from '../json/value.ts'
import { Draft, type DraftError } from './draft.ts'

const USED = new Set([
  'object',
  'run_id',
  'eval_id',
  'data_source_idx',
  'datasource_item_id',
  'item',
  'datasource_item',
  'sample',
  'grades',
  'passes',
  'grader_samples',
  'results',
])
/** What an item is told apart by, the best first. */
const NUMBERS = ['data_source_idx', 'datasource_item_id', 'id']
const OF_RESULT = new Set(['name', 'score', 'passed', 'reason'])
/** Where an answer that was made elsewhere stands among the item's own fields. */
const ANSWER_IN_ITEM = 'sample.output_text'

/** What an item is called in its run. */
export function idOf(row: Json, index: number): string {
  const [number] = NUMBERS.map((name) => row.get(name)).filter(isPlain)
  return number?.plain ?? String(index + 1)
}

export function draftOf(row: Json, index: number): Draft {
  const draft = new Draft(idOf(row, index))
  for (const name of NUMBERS) if (!isPlain(row.get(name))) draft.extra(name, row.get(name))
  const item = row.get('item') ?? row.get('datasource_item')
  const sample = row.get('sample')
  addInputs(draft, item, sample)
  addOutput(draft, sample, item)
  addGrades(draft, row)
  addResults(draft, row.get('results'))
  draft.rest(row, USED)
  if (row.get('eval_id')?.string === undefined) draft.extra('eval_id', row.get('eval_id'))
  return draft
}

function isPlain(value: Json | undefined): value is Json {
  return value !== undefined && !value.isObject && !value.isArray && value.string !== ''
}

/** Names that begin with `expected` are correct answers. */
function addInputs(draft: Draft, item: Json | undefined, sample: Json | undefined): void {
  if (!item?.isObject) {
    if (item) draft.input('item', item)
    return
  }
  for (const [name, value] of item.members) {
    if (name === ANSWER_IN_ITEM && !sample) continue
    if (!name.startsWith('expected')) draft.input(name, value)
    else if (!value.isNull) draft.answer(name, value)
  }
}

/** Without a sample nothing was run: the item was graded as it was. */
function addOutput(draft: Draft, sample: Json | undefined, item: Json | undefined): void {
  if (!sample) {
    const value = item?.get(ANSWER_IN_ITEM)
    if (value) draft.output({ value })
    return
  }
  if (!sample.isObject) {
    draft.extra('sample', sample)
    return
  }
  const messages = (sample.get('outputs') ?? sample.get('output'))?.elements ?? []
  const [message] = messages
  const content = message?.isObject ? message.get('content') : message
  const error = errorOf(sample.get('error'))
  // A message without content calls tools, say: it is the answer as it stands.
  const value = content ?? message
  draft.output({ value: error && value?.string === '' ? undefined : value, error })
  const isAll = messages.length <= 1 && (!message || isOnlyContent(message))
  const kept = [...sample.members].filter(
    ([name, { isNull }]) => !isNull && !(isAll && (name === 'outputs' || name === 'output')),
  )
  if (kept.length > 0) draft.extra('sample', Json.object(kept))
}

function isOnlyContent(message: Json): boolean {
  if (!message.isObject) return true
  return [...message.members].every(
    ([name, value]) =>
      name === 'content' || value.isNull || (name === 'role' && value.string === 'assistant'),
  )
}

/** An error without a code and a message is none. */
function errorOf(error: Json | undefined): DraftError | undefined {
  if (!error || error.boolean === false) return undefined
  const parts = error.isObject ? [error.get('message'), error.get('code')] : [error]
  const message = parts.find((part) => part !== undefined && part.plain !== '')?.plain
  if (message !== undefined) return { message }
  return error.isObject && [...error.members.values()].some(isSomething) ? { message: error.text } : undefined
}

function isSomething({ isNull, text }: Json): boolean {
  return !isNull && text !== '""'
}

/** As a run is downloaded: a number and a verdict for each grader, under its name. */
function addGrades(draft: Draft, row: Json): void {
  const members = (name: string) => row.get(name)?.members ?? new Map<string, Json>()
  const [grades, passes, samples] = [members('grades'), members('passes'), members('grader_samples')]
  for (const name of new Set([...grades.keys(), ...passes.keys()]))
    addResult(draft, name, grades.get(name), passes.get(name), samples.get(name), [
      ['grader_sample', samples.get(name)],
    ])
  const others = [...samples].filter(([name]) => !grades.has(name) && !passes.has(name))
  if (others.length > 0) draft.extra('grader_samples', Json.object(others))
  for (const name of ['grades', 'passes', 'grader_samples'])
    if (!row.get(name)?.isObject) draft.extra(name, row.get(name))
}

/** As the API answers: one object for each grader. */
function addResults(draft: Draft, results: Json | undefined): void {
  if (!results?.isArray) {
    draft.extra('results', results)
    return
  }
  const unknown: Json[] = []
  for (const result of results.elements) {
    const name = result.get('name')?.string
    if (name === undefined) {
      unknown.push(result)
      continue
    }
    const beside = [...result.members].filter(([member, { isNull }]) => !OF_RESULT.has(member) && !isNull)
    const [score, passed] = [result.members.get('score'), result.members.get('passed')]
    addResult(draft, name, score, passed, result.get('sample'), beside, result.get('reason'))
  }
  if (unknown.length > 0) draft.extra('results', Json.array(unknown))
}

/** The number under the grader's name, its verdict beside it. A grader that failed has given neither. */
function addResult(
  draft: Draft,
  name: string,
  score: Json | undefined,
  passed: Json | undefined,
  sample: Json | undefined,
  beside: (readonly [string, Json | undefined])[],
  reason?: Json | undefined,
): void {
  const error = errorOf(sample?.get('error'))
  if (error) {
    const given = [
      ['score', score],
      ['passed', passed],
    ] as const
    draft.result(name, { error, reason, extra: [...given.filter(([, value]) => !value?.isNull), ...beside] })
    return
  }
  if (score || !passed) draft.result(name, { value: score, reason, extra: beside })
  if (passed)
    draft.result(`${name}.passed`, {
      value: passed,
      type: 'bool',
      ...(score ? {} : { reason, extra: beside }),
    })
}
