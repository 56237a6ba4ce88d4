// Corrections of scenarios in the model: what an upload, a replacement and a deletion change. It shares no code with the
// service.
import { print, Raw, raw, type ScenarioMembers, type ScenarioRecord } from './documents.ts'
import type { Evaluation, Scenario } from './model.ts'
import { storedText } from './model.ts'

export const RULES = ['error', 'replace', 'skip', 'replace_all', 'replace_all'] as const
export type Rule = (typeof RULES)[number]

export interface UploadCounts {
  accepted: number
  unchanged: number
  replaced?: number
  skipped?: number
  deleted?: number
  dropped_notes?: number
  dropped_human_results?: number
  dropped_answers?: number
}

/** The result of adding records: the new list, and what happened to the records. */
export interface UploadResult {
  counts: UploadCounts
  conflictCount: number
  /** Records whose details cannot be merged with those of kept results. */
  invalidCount: number
  isChanged: boolean
  /** Whether all scenarios were replaced. The evaluation then comes after others with the same creation time. */
  isReplaced?: boolean
  scenarios: Scenario[]
  /** Records whose columns were assigned an order. */
  written: ScenarioMembers[]
}

export function appendScenarios(
  evaluation: Evaluation | undefined,
  records: ScenarioRecord[],
  rule: Rule = 'error',
): UploadResult {
  const scenarios = [...(evaluation?.scenarios ?? [])]
  const counts = { accepted: 0, unchanged: 0, replaced: 0, skipped: 0 }
  const written: ScenarioMembers[] = []
  let [conflictCount, invalidCount] = [0, 0]
  for (const { members } of records) {
    const id = (members.id?.value as string | null | undefined) ?? undefined
    const index = id === undefined ? -1 : scenarios.findIndex((scenario) => scenario.id === id)
    const existing = scenarios[index]
    if (!existing) {
      counts.accepted += 1
      scenarios.push({ id, members, writtenText: contentText(members) })
      written.push(members)
    } else if (
      isUnchanged(existing, members, rule) &&
      !(rule === 'replace' && canChangeMarks(existing, members))
    )
      counts.unchanged += 1
    else if (rule === 'skip') counts.skipped += 1
    else if (rule === 'error') conflictCount += 1
    else {
      written.push(members)
      const record = isEqualWithoutExtra(existing, members)
        ? { ...members, ...(existing.members.extra && { extra: existing.members.extra }) }
        : members
      const merged = mergeMembers(existing.members, record, humanNames(evaluation))
      if (!merged) invalidCount += 1
      else if (allText(merged) === allText(existing.members)) counts.unchanged += 1
      else {
        counts.replaced += 1
        scenarios[index] = { ...existing, members: merged }
      }
    }
  }
  const { accepted, unchanged, replaced, skipped } = counts
  return {
    counts: {
      accepted,
      unchanged,
      ...(rule === 'replace' && { replaced }),
      ...(rule === 'skip' && { skipped }),
    },
    conflictCount,
    invalidCount,
    isChanged: accepted + replaced > 0,
    scenarios,
    written,
  }
}

/** Replaces a scenario. Returns undefined if the record cannot be merged. */
export function replaceScenario(
  evaluation: Evaluation,
  scenario: Scenario,
  members: ScenarioMembers,
): { isChanged: boolean } | undefined {
  const merged = mergeMembers(scenario.members, members, humanNames(evaluation))
  if (!merged) return undefined
  const isChanged = allText(merged) !== allText(scenario.members)
  scenario.members = merged
  evaluation.updateColumns([merged])
  return { isChanged }
}

/** Equal to the current content, also without extra data, or to the first one, which `replace` does not compare with. */
function isUnchanged(
  { members: stored, writtenText }: Scenario,
  members: ScenarioMembers,
  rule: Rule,
): boolean {
  const texts = [contentText(stored)]
  if (rule !== 'replace') texts.push(writtenText)
  if (isNull(members.extra)) texts.push(contentText({ ...stored, extra: raw('null') }))
  return texts.includes(contentText(members))
}

/** Pin and note of a record that is equal otherwise. */
function canChangeMarks(existing: Scenario, members: ScenarioMembers): boolean {
  const isEqual = contentText(existing.members) === contentText(members)
  const hasMarks = !isNull(members.is_pinned) || !isNull(members.note)
  return hasMarks && (isEqual || isEqualWithoutExtra(existing, members))
}

function isEqualWithoutExtra({ members: stored }: Scenario, members: ScenarioMembers): boolean {
  if (!isNull(members.extra) || isNull(stored.extra)) return false
  return contentText({ ...stored, extra: raw('null') }) === contentText(members)
}

/** Two records with the same text are repeats. An absent member has its default value. */
function contentText({ id, inputs, outputs, correct_answers, results, extra }: ScenarioMembers): string {
  const lists = [inputs, outputs, results].map((list) => print(list ?? []))
  const others = [id, correct_answers, extra].map((member) => (member ? print(member) : 'null'))
  return JSON.stringify([...lists, ...others])
}

export function allText(members: ScenarioMembers): string {
  const marks = [members.is_pinned, members.note].map((mark) => mark?.compact ?? 'null')
  return JSON.stringify([contentText(members), ...marks])
}

export const isNull = (member: Raw | undefined) => member === undefined || member.compact === 'null'

type ResultMembers = NonNullable<ScenarioMembers['results']>[number]

export const evaluatorOf = ({ evaluator_config }: ResultMembers) =>
  storedText(evaluator_config.value as string)

/** Only the first declaration of a name counts. */
export function humanNames(evaluation: Evaluation | undefined): Set<string> {
  const declared = (JSON.parse(evaluation?.columns.evaluators ?? 'null') ?? []) as {
    name: string
    kind?: string
  }[]
  const isFirst = ({ name }: { name: string }, index: number) =>
    declared.findIndex((other) => other.name === name) === index
  return new Set(
    declared
      .filter(isFirst)
      .filter(({ kind }) => kind === 'human')
      .map(({ name }) => storedText(name)),
  )
}

export function mergeMembers(
  stored: ScenarioMembers,
  { id: _, ...record }: ScenarioMembers,
  human: Set<string>,
): ScenarioMembers | undefined {
  const merged: ScenarioMembers = { ...record }
  if (stored.id) merged.id = stored.id
  for (const name of ['is_pinned', 'note'] as const) {
    const value = isNull(record[name]) ? stored[name] : record[name]
    if (value) merged[name] = value
  }
  const own = record.results ?? []
  const ownNames = own.map(evaluatorOf)
  const storedDetails = detailsOf(stored) ?? []
  const kept = (stored.results ?? [])
    .map((result, index) => ({ result, details: storedDetails[index] }))
    .filter(({ result }) => human.has(evaluatorOf(result)) && !ownNames.includes(evaluatorOf(result)))
  if (kept.length === 0) return merged
  const ownDetails = detailsOf(record)
  if (!ownDetails) return undefined
  merged.results = [...own, ...kept.map(({ result }) => result)]
  if (kept.every(({ details }) => details === undefined)) return merged
  const all = [...own.map((_, index) => ownDetails[index]), ...kept.map(({ details }) => details)]
  const length = all.findLastIndex((details) => details !== undefined) + 1
  const texts = all.slice(0, length).map((details) => details ?? '{}')
  merged.extra = withDetails(record.extra, `[${texts.join()}]`)
  return merged
}

/** The texts of the details. Undefined if `extra.results` is not a list of them. */
function detailsOf({ extra, results = [] }: ScenarioMembers): (string | undefined)[] | undefined {
  const { results: details = null } = (extra?.value ?? {}) as { results?: unknown }
  if (details === null) return []
  if (!Array.isArray(details) || details.length > results.length) return undefined
  // Generated details have only texts, so they can be printed again. An empty object stands for no details.
  return details.map((element) => JSON.stringify(element)).map((text) => (text === '{}' ? undefined : text))
}

function withDetails(extra: Raw | undefined, list: string): Raw {
  const text = isNull(extra) ? '{}' : (extra?.compact ?? '{}')
  const compact = /"results":(null|\[.*?\])/.test(text)
    ? text.replace(/"results":(null|\[.*?\])/, () => `"results":${list}`)
    : `${text.slice(0, -1)}${text === '{}' ? '' : ','}"results":${list}}`
  return new Raw({ loose: compact, compact })
}
