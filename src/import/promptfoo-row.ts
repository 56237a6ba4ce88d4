// One result of promptfoo as a scenario.
import { Json } from '../json/value.ts'
import { Draft, type DraftError } from './draft.ts'

/** Inputs that people give the expected answer in. */
const ANSWERS = ['expected', '__expected', 'ground_truth', 'reference', 'answer']

/** How promptfoo says in words, for want of anything else, that an assertion could not be evaluated. */
const BROKEN =
  /^(Custom function threw error|Python code execution failed|Ruby code execution failed|Webhook error|Moderation API error|Search rubric evaluation failed)\b/

const USED = new Set([
  'id',
  'vars',
  'response',
  'cost',
  'latencyMs',
  'gradingResult',
  'namedScores',
  'success',
  'score',
  'testCase',
])

export function draftOf(row: Json, id: string): Draft {
  const draft = new Draft(id)
  const vars = row.get('vars') ?? row.get('testCase', 'vars')
  for (const [name, value] of vars?.members ?? []) draft.input(name, value)
  addAnswers(draft, row, vars)
  const error = appError(row)
  if (!vars?.isObject) draft.extra('vars', vars)
  const latency = row.get('latencyMs')?.number
  const cost = row.get('cost') ?? row.get('response', 'cost')
  if (latency === undefined) draft.extra('latencyMs', row.get('latencyMs'))
  if (cost?.number === undefined) draft.extra('cost', cost)
  draft.output({
    value: row.get('response', 'output'),
    error,
    cost,
    latency: latency === undefined ? undefined : latency / 1000,
  })
  addResults(draft, row, error !== undefined)
  addMarks(draft, row.get('gradingResult', 'comment')?.string)
  draft.extra('response', without(row.get('response'), 'output', 'error'))
  draft.extra('testCase', without(row.get('testCase'), 'vars'))
  draft.extra('gradingResult', without(row.get('gradingResult'), ...GRADING_USED))
  draft.rest(row, USED)
  return draft
}

/** What went wrong in the application, and not in what was said of its answer. */
function appError(row: Json): DraftError | undefined {
  const failure = row.get('failureReason')?.number
  const response = row.get('response')
  const said = filled(response?.get('error'))
  if (said) return { message: said.plain }
  if (failure === 2)
    return {
      message: filled(row.get('error'))?.plain ?? 'The application failed; the file does not say why.',
    }
  // Files of the first releases do not say why a row failed.
  const isOld = row.get('failureReason') === undefined && response?.get('output') === undefined
  const error = isOld ? filled(row.get('error')) : undefined
  return error && { message: error.plain }
}

function filled(text: Json | undefined): Json | undefined {
  return text?.string === '' || text?.boolean === false ? undefined : text
}

function addAnswers(draft: Draft, row: Json, vars: Json | undefined): void {
  const own = row.get('testCase', 'assert')?.elements
  const graded = row.get('gradingResult', 'componentResults')?.elements.map((one) => one.get('assertion'))
  const answers = (assertion: Json | undefined): void => {
    for (const inner of assertion?.get('assert')?.elements ?? []) answers(inner)
    const value = assertion?.get('value')
    if (value) draft.answer(nameOf(assertion) ?? 'assertion', value)
  }
  for (const assertion of own ?? graded ?? []) answers(assertion)
  for (const name of ANSWERS) {
    const value = vars?.get(name)
    if (value) draft.answer(name, value)
  }
}

/** What an evaluator is called: its metric, else the kind of the assertion. */
function nameOf(assertion: Json | undefined): string | undefined {
  return assertion?.get('metric')?.string ?? assertion?.get('type')?.string
}

const COMPONENT_USED = ['pass', 'reason'] as const
const GRADING_USED = ['pass', 'score', 'reason', 'comment', 'componentResults', 'namedScores'] as const

function addResults(draft: Draft, row: Json, hasFailed: boolean): void {
  const grading = row.get('gradingResult')
  // The name of the verdict over all of them is kept free.
  const names = new Map([['pass', 1]])
  const numbered = (name: string) => {
    const count = (names.get(name) ?? 0) + 1
    names.set(name, count)
    return count === 1 ? name : `${name} #${count}`
  }
  for (const component of grading?.get('componentResults')?.elements ?? []) {
    const name = numbered(nameOf(component.get('assertion')) ?? 'assertion')
    const rest = [...component.members].filter(([member]) => !COMPONENT_USED.includes(member as 'pass'))
    const reason = component.get('reason')
    const error = isBroken(component) ? { message: reason?.plain ?? 'The evaluator failed.' } : undefined
    draft.result(name, {
      value: error ? undefined : component.get('pass'),
      type: 'bool',
      error,
      reason,
      extra: rest,
    })
  }
  const scores = row.get('namedScores') ?? grading?.get('namedScores')
  if (!scores?.isObject) draft.extra('namedScores', scores)
  for (const [name, value] of scores?.members ?? [])
    draft.result(numbered(names.has(name) ? `${name}.score` : name), { value, type: 'number' })
  // Where the application failed nothing was judged: promptfoo counts that as an error, not as a failure.
  const verdict = row.get('success') ?? grading?.get('pass')
  const score = row.get('score') ?? grading?.get('score')
  draft.result('pass', {
    value: hasFailed ? undefined : verdict,
    type: 'bool',
    reason: grading?.get('reason'),
    extra: [
      ['score', score],
      ['success', hasFailed ? verdict : undefined],
    ],
  })
}

function isBroken(component: Json): boolean {
  if (component.get('metadata', 'graderError')?.boolean === true || component.get('error')) return true
  return component.get('pass')?.boolean === false && BROKEN.test(component.get('reason')?.string ?? '')
}

/** A comment that begins with !highlight marks the row. */
function addMarks(draft: Draft, comment: string | undefined): void {
  if (comment === undefined) return
  const isPinned = comment.startsWith('!highlight')
  const note = isPinned ? comment.slice('!highlight'.length).trimStart() : comment
  if (isPinned) draft.is_pinned = true
  if (note !== '') draft.note = note
}

function without(object: Json | undefined, ...names: readonly string[]): Json | undefined {
  if (!object?.isObject) return object
  const rest = [...object.members].filter(([name, value]) => !names.includes(name) && !value.isNull)
  return rest.length === 0 ? undefined : Json.object(rest)
}
