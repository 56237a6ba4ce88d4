// Writes answers: into the extra data of their scenarios, and the results that follow from them.
import { Problem } from '../../errors.ts'
import { splitMembers, withMember } from '../../json/member-texts.ts'
import type { Action } from '../../schema/changes.ts'
import {
  type AnswerType,
  type ReviewAnswer,
  readAnswers,
  writeAnswers,
} from '../../schema/reviews/answers.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { inLists } from '../reads/in-list.ts'
import { replaceTexts } from '../scenarios/change.ts'
import { deleteResultsOf } from '../scenarios/delete-results.ts'
import { deleteAtPositions, INSERT_ANSWERS } from '../scenarios/derived-rows.ts'
import { type ResultRow, resultRow } from '../scenarios/result-rows.ts'
import { withResults } from '../scenarios/result-texts.ts'
import { addResults, FIND_SCENARIO_TEXTS } from '../scenarios/results.ts'
import { recordContentChange, type StoredScenario } from '../scenarios/scenarios.ts'
import { computeOutcome } from './outcomes.ts'

/** Scenarios per batch. Small, because one body can be several megabytes. */
const BATCH_SIZE = 50

/** The type of each question, by its evaluator. */
export type AnswerTypes = ReadonlyMap<string, AnswerType>

export interface AnswerEdit {
  evaluation: { key: number; id: string }
  types: AnswerTypes
  /** Returns the new answers of a row, or the same array if nothing changes. */
  edit(answers: ReviewAnswer[], scenario_id: string): ReviewAnswer[]
  action: Extract<Action, `answers.${string}`>
  maxRecordBytes: number
}

type ScenarioWithId = StoredScenario & { id: string }

/** Edits the answers of scenarios, and stores the results that follow. Returns the number of changed answers. */
export async function editAnswers(
  transaction: Transaction,
  scenario_ids: readonly string[],
  options: AnswerEdit,
): Promise<number> {
  const { evaluation, action } = options
  const changed: ChangedRow[] = []
  for (const { placeholders, values } of inLists(scenario_ids, BATCH_SIZE)) {
    const statement = FIND_SCENARIO_TEXTS(placeholders)
    const scenarios = await transaction.all<ScenarioWithId>(statement, evaluation.key, ...values)
    changed.push(...(await editBatch(transaction, scenarios, options)))
  }
  const answers = changed.reduce((sum, { count }) => sum + count, 0)
  if (answers === 0) return 0
  const [first, ...others] = changed
  const element = first && others.length === 0 ? { element: first.scenario_id } : {}
  await recordContentChange(
    transaction,
    evaluation.key,
    { action, ...element, counts: { answers } },
    { bytes: 0 },
  )
  await storeResults(transaction, changed, options)
  return answers
}

interface ChangedRow {
  scenario_id: string
  answers: ReviewAnswer[]
  /** The number of changed answers, and their evaluators. */
  count: number
  evaluators: Set<string>
}

async function editBatch(
  transaction: Transaction,
  scenarios: ScenarioWithId[],
  { evaluation, edit, maxRecordBytes }: AnswerEdit,
): Promise<ChangedRow[]> {
  const rows = scenarios.flatMap(({ id, position, body, extra }) => {
    const previous = readStoredAnswers(id, extra)
    const answers = edit(previous, id)
    const differing = findDifferences(previous, answers)
    if (differing.length === 0) return []
    const members = splitMembers(body)
    const text = withMember(extra ?? '{}', 'answers', writeAnswers(answers))
    const changedExtra = text === '{}' ? null : text
    if (Buffer.byteLength(body) + Buffer.byteLength(text) > maxRecordBytes)
      throw new Problem(
        'content-too-large',
        `With these answers, the scenario '${id}' would be larger than ${maxRecordBytes} bytes. Nothing was stored.`,
      )
    const texts = withResults(members, members.get('results') ?? '[]', changedExtra)
    const evaluators = new Set(differing.map(({ evaluator }) => evaluator))
    const changed = { scenario_id: id, answers, count: differing.length, evaluators }
    return [{ changed, texts: { id, position, extra: changedExtra, ...texts } }]
  })
  if (rows.length === 0) return []
  await replaceTexts(
    transaction,
    evaluation.key,
    rows.map(({ texts }) => texts),
  )
  const positions = rows.map(({ texts }) => texts.position)
  await deleteAtPositions(transaction, 'answer', evaluation.key, positions)
  const derived = rows.flatMap(({ changed: { answers }, texts: { position } }) =>
    answers.length > 0 ? [[evaluation.key, position, JSON.stringify(answers)]] : [],
  )
  if (derived.length > 0) await transaction.runMany([INSERT_ANSWERS, derived])
  return rows.map(({ changed }) => changed)
}

function readStoredAnswers(id: string, extra: string | null): ReviewAnswer[] {
  const answers =
    extra === null ? [] : readAnswers({ answers: JSON.parse(splitMembers(extra).get('answers') ?? '[]') })
  if (answers) return answers
  throw new Problem(
    'conflict',
    `The scenario '${id}' has a member extra.answers that is not a list of answers, so no answer can be stored. Replace its extra data first.`,
  )
}

/** The answers that only one of the lists contains. */
function findDifferences(before: readonly ReviewAnswer[], after: readonly ReviewAnswer[]): ReviewAnswer[] {
  const [previous, current] = [before, after].map(
    (list) => new Set(list.map((answer) => JSON.stringify(answer))),
  )
  const added = after.filter((answer) => !previous?.has(JSON.stringify(answer)))
  const replaced = new Set(added.map(identityOf))
  const removed = before.filter(
    (answer) => !current?.has(JSON.stringify(answer)) && !replaced.has(identityOf(answer)),
  )
  return [...added, ...removed]
}

/** A row has one answer per question and reviewer, and one decision per question. */
export function identityOf({
  evaluator,
  by,
  is_decision,
}: Pick<ReviewAnswer, 'evaluator' | 'by' | 'is_decision'>): string {
  return JSON.stringify(is_decision ? [evaluator] : [evaluator, by])
}

async function storeResults(
  transaction: Transaction,
  changed: ChangedRow[],
  { evaluation, types, maxRecordBytes }: AnswerEdit,
): Promise<void> {
  const results: ResultRow[] = []
  const withoutResult = new Map<string, string[]>()
  for (const { scenario_id, answers, evaluators } of changed) {
    for (const evaluator of evaluators) {
      const type = types.get(evaluator)
      if (type === undefined) continue
      const own = answers.filter((answer) => answer.evaluator === evaluator)
      const row = toResultRow(scenario_id, evaluator, type, own)
      if (row) results.push(row)
      else withoutResult.set(evaluator, [...(withoutResult.get(evaluator) ?? []), scenario_id])
    }
  }
  if (results.length > 0) await addResults(transaction, evaluation.key, [results], { maxRecordBytes })
  for (const [evaluator, ids] of withoutResult)
    for (const { placeholders, values } of inLists(ids, BATCH_SIZE)) {
      const statement = FIND_SCENARIO_TEXTS(placeholders)
      const scenarios = await transaction.all<ScenarioWithId>(statement, evaluation.key, ...values)
      await deleteResultsOf(transaction, evaluation, scenarios, evaluator)
    }
}

const RESULT_TYPES = {
  verdict: 'bool',
  number: 'number',
  label: 'text',
  text: 'text',
  preference: 'text',
} as const

/** Undefined if the row has no result. The note is the reason only if it is the only one: texts are never combined. */
function toResultRow(
  scenario_id: string,
  evaluator: string,
  type: AnswerType,
  answers: ReviewAnswer[],
): ResultRow | undefined {
  const { result } = computeOutcome(type, answers)
  if (!result) return undefined
  const { value, deciding } = result
  const notes = deciding.flatMap(({ note }) => note ?? [])
  const content = parsedValue({
    scenario_id,
    evaluator_config: evaluator,
    result: { type: RESULT_TYPES[type], value },
    ...(notes.length === 1 && { reason: notes[0] as string }),
    by: deciding.map(({ by }) => by).join(', '),
  })
  return resultRow(content, { index: 0, line: 1 })
}
