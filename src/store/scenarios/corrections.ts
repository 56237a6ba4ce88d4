// Corrects stored scenarios: replaces one by a new record, sets its pin and note, or deletes it.
import { invalidContent } from '../../errors.ts'
import { splitMembers, withMember } from '../../json/member-texts.ts'
import { readAnswers, writeAnswers } from '../../schema/reviews/answers.ts'
import type { ScenarioPatch } from '../../schema/scenarios.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ResourceChange } from '../changes/record.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { deleteScenarios, replaceScenarios } from './change.ts'
import { ColumnWriter } from './columns.ts'
import { joinResults, type ResultText, splitResults } from './result-texts.ts'
import { bodyWithChanges } from './row.ts'
import { recordContentChange, type StoredScenario } from './scenarios.ts'

export type ScenarioWithId = StoredScenario & { id: string }

/** The JSON texts of a scenario and of its extra data. */
export type ScenarioTexts = Pick<StoredScenario, 'body' | 'extra'>

/** Why a record cannot be merged. */
export const MISALIGNED_DETAILS =
  'The stored scenario has results of human evaluators, whose details are added to `extra.results`. This must be an array with at most one element per result.'

/**
 * The texts of a scenario after a record replaces it. Pin, note, results of human evaluators and answers of
 * reviewers are kept, unless the record has its own. Undefined if results must be kept, but `extra.results` of the record is not a list of their details.
 */
export function mergeRecord(
  stored: ScenarioTexts,
  record: ScenarioTexts,
  humanEvaluators: ReadonlySet<string>,
): ScenarioTexts | undefined {
  const storedMembers = splitMembers(stored.body)
  const members = splitMembers(record.body)
  // The id can have been written with other escapes.
  const changes: Record<string, string> = { id: storedMembers.get('id') ?? '""' }
  for (const name of ['is_pinned', 'note'])
    if (members.get(name) === 'null') changes[name] = storedMembers.get(name) ?? 'null'
  const storedResults = storedMembers.get('results') ?? '[]'
  const recordExtra = withStoredAnswers(record.extra, stored.extra, humanEvaluators)
  const humanResults = selectHumanResults(storedResults, stored.extra, humanEvaluators)
  if (humanResults.length === 0) return { body: bodyWithChanges(members, changes), extra: recordExtra }
  const recordResults = members.get('results') ?? '[]'
  const writtenEvaluators = new Set(
    (splitResults(recordResults, null) ?? []).map(({ evaluator }) => evaluator),
  )
  const keptResults = humanResults.filter(({ evaluator }) => !writtenEvaluators.has(evaluator))
  if (keptResults.length === 0) return { body: bodyWithChanges(members, changes), extra: recordExtra }
  const ownResults = splitResults(recordResults, recordExtra)
  if (!ownResults) return undefined
  const { results, extra } = joinResults([...ownResults, ...keptResults], recordExtra)
  const hasDetails = keptResults.some(({ details }) => details !== null)
  const body = bodyWithChanges(members, { ...changes, results })
  return { body, extra: hasDetails ? extra : recordExtra }
}

/** The extra data of a record with the stored answers of reviewers, unless the record has its own. */
function withStoredAnswers(
  extra: string | null,
  storedExtra: string | null,
  humanEvaluators: ReadonlySet<string>,
): string | null {
  const text = storedExtra === null ? undefined : splitMembers(storedExtra).get('answers')
  if (text === undefined || (extra !== null && splitMembers(extra).has('answers'))) return extra
  const answers = readAnswers({ answers: JSON.parse(text) }) ?? []
  const keptAnswers = writeAnswers(answers.filter(({ evaluator }) => humanEvaluators.has(evaluator)))
  return keptAnswers === undefined ? extra : withMember(extra ?? '{}', 'answers', keptAnswers)
}

function selectHumanResults(
  results: string,
  extra: string | null,
  humanEvaluators: ReadonlySet<string>,
): ResultText[] {
  if (humanEvaluators.size === 0) return []
  // Without a list of details, the results have none.
  const texts = splitResults(results, extra) ?? splitResults(results, null) ?? []
  return texts.filter(({ evaluator }) => humanEvaluators.has(evaluator))
}

/**
 * Replaces a scenario by a record with the rules of `mergeRecord`, and returns its texts. If they are equal to the stored
 * ones, nothing changes. Throws invalid-content.
 */
export async function putScenario(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  scenario: ScenarioWithId,
  record: ScenarioTexts,
  humanEvaluators: ReadonlySet<string>,
): Promise<ScenarioTexts> {
  const texts = mergeRecord(scenario, record, humanEvaluators)
  if (!texts) throw invalidContent('/extra/results', MISALIGNED_DETAILS)
  await replaceScenario(transaction, evaluation, scenario, texts, SCENARIO_UPDATED)
  return texts
}

/** Sets or clears the pin and the note, and returns the scenario's texts. */
export async function patchScenario(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  scenario: ScenarioWithId,
  { memberTexts }: ParsedValue<ScenarioPatch>,
): Promise<ScenarioTexts> {
  const body = bodyWithChanges(splitMembers(scenario.body), Object.fromEntries(memberTexts))
  const texts = { body, extra: scenario.extra }
  await replaceScenario(transaction, evaluation, scenario, texts, SCENARIO_UPDATED)
  return texts
}

const SCENARIO_UPDATED = { action: 'scenario.updated', counts: { scenarios: 1 } } as const

/** If the texts are equal to the stored ones, nothing changes. */
export async function replaceScenario(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  scenario: ScenarioWithId,
  { body, extra }: ScenarioTexts,
  change: Omit<ResourceChange, 'element'>,
): Promise<void> {
  if (isSameText({ body, extra }, scenario)) return
  const columns = await ColumnWriter.begin(transaction, evaluation.key)
  const bytes = await replaceScenarios(transaction, evaluation, columns, [{ stored: scenario, body, extra }])
  await columns.finish()
  await recordContentChange(transaction, evaluation.key, { ...change, element: scenario.id }, { bytes })
}

export function isSameText(a: ScenarioTexts, b: ScenarioTexts): boolean {
  return a.body === b.body && a.extra === b.extra
}

export async function deleteScenario(
  transaction: Transaction,
  evaluation: number,
  scenario: ScenarioWithId,
): Promise<void> {
  const columns = await ColumnWriter.begin(transaction, evaluation)
  await deleteScenarios(transaction, evaluation, columns, [scenario])
  await columns.finish()
  const change = { action: 'scenario.deleted', element: scenario.id, counts: { scenarios: 1 } } as const
  const bytes = -Buffer.byteLength(scenario.body)
  await recordContentChange(transaction, evaluation, change, { count: -1, bytes })
}
