// Uploads of all scenarios in the model: which scenarios match, and what is kept of them. It shares no code with the service.
import {
  allText,
  appendScenarios,
  evaluatorOf,
  humanNames,
  isNull,
  mergeMembers,
  type UploadResult,
} from './corrections.ts'
import { type Raw, raw, type ScenarioMembers, type ScenarioRecord } from './documents.ts'
import type { Evaluation, Scenario } from './model.ts'

const NO_CHANGES = {
  replaced: 0,
  deleted: 0,
  dropped_notes: 0,
  dropped_human_results: 0,
  dropped_answers: 0,
}

export function replaceAllScenarios(
  evaluation: Evaluation | undefined,
  records: ScenarioRecord[],
): UploadResult {
  const added = appendScenarios(undefined, records, 'error')
  const old = evaluation?.scenarios ?? []
  if (old.length === 0) return { ...added, counts: { ...added.counts, ...NO_CHANGES } }
  const matches = matchScenarios(old, added.scenarios)
  const human = humanNames(evaluation)
  const counts = { accepted: 0, unchanged: added.counts.unchanged, ...NO_CHANGES }
  const [kept, order] = [new Set<Scenario>(), [] as number[]]
  const scenarios: Scenario[] = []
  let invalidCount = 0
  for (const scenario of added.scenarios) {
    const stored = matches.get(scenario)
    if (!stored) {
      counts.accepted += 1
      scenarios.push(scenario)
      continue
    }
    const { members } = scenario
    const keepsResults = outputsKey(members) === outputsKey(stored.members)
    const merged = mergeMembers(stored.members, members, keepsResults ? human : new Set())
    if (!merged) {
      invalidCount += 1
      continue
    }
    kept.add(stored)
    order.push(old.indexOf(stored))
    const written = namesOf(members)
    if (!keepsResults)
      counts.dropped_human_results += [...namesOf(stored.members)].filter(
        (name) => human.has(name) && !written.has(name),
      ).length
    // The same id can have been written with other escapes.
    const hasSameId =
      stored.members.id?.compact === members.id?.compact || !(isGiven(stored) || isGiven(scenario))
    const isSame = hasSameId && allText(merged) === allText(stored.members)
    counts[isSame ? 'unchanged' : 'replaced'] += 1
    const { id: _, ...others } = merged
    const { id } = members
    scenarios.push({
      ...scenario,
      members: {
        ...others,
        // `false` is no pin, so it is not kept.
        ...(!isSame &&
          others.is_pinned?.compact === 'false' && { is_pinned: members.is_pinned ?? raw('null') }),
        ...(id && { id }),
      },
    })
  }
  for (const { members } of old.filter((stored) => !kept.has(stored))) {
    counts.deleted += 1
    counts.dropped_notes += Number(members.is_pinned?.compact === 'true') + Number(!isNull(members.note))
    counts.dropped_human_results += [...namesOf(members)].filter((name) => human.has(name)).length
  }
  const isInOrder = order.every((index, number) => number === 0 || index > (order[number - 1] as number))
  const isChanged = counts.accepted + counts.replaced + counts.deleted > 0 || !isInOrder
  return {
    ...added,
    counts,
    invalidCount,
    isChanged,
    isReplaced: isChanged,
    scenarios: isChanged ? scenarios : old,
    written: isChanged ? added.written : [],
  }
}

const isGiven = ({ members }: Scenario) => !isNull(members.id)
const namesOf = ({ results = [] }: ScenarioMembers) => new Set(results.map(evaluatorOf))

/** The old scenario that each new one matches. */
function matchScenarios(old: Scenario[], added: Scenario[]): Map<Scenario, Scenario> {
  const matches = new Map<Scenario, Scenario>()
  const rest = new Set(old)
  const match = (scenario: Scenario, isMatch: (stored: Scenario) => boolean) => {
    const stored = [...rest].find(isMatch)
    if (!stored) return
    matches.set(scenario, stored)
    rest.delete(stored)
  }
  for (const scenario of added.filter(isGiven))
    match(scenario, (stored) => isGiven(stored) && stored.id === scenario.id)
  for (const scenario of added) {
    const inputs = inputsKey(scenario.members)
    if (!matches.has(scenario) && inputs !== undefined)
      match(scenario, (stored) => inputsKey(stored.members) === inputs)
  }
  return matches
}

function inputsKey({ inputs = [] }: ScenarioMembers): string | undefined {
  if (inputs.length === 0) return undefined
  const pairs = inputs.map(({ name, value }) => [name.value as string, canonical(value)])
  return JSON.stringify(pairs.toSorted(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b))))
}

function outputsKey({ outputs = [] }: ScenarioMembers): string {
  const values = outputs.map(({ result: { value, error } }) => {
    const message = error === undefined || !('message' in error) ? '' : (error.message as Raw).value
    return [value === undefined ? '' : canonical(value as Raw), message]
  })
  return JSON.stringify(values)
}

/** The same text for equal values: numbers by their decimal value, members of objects by name. */
function canonical(value: Raw): string {
  const parsed = JSON.parse(value.compact, (_name, member, context?: { source?: string }) =>
    typeof member === 'number' ? new ExactDecimal(context?.source ?? '') : member,
  )
  return canonicalText(parsed)
}

class ExactDecimal {
  readonly text: string

  constructor(source: string) {
    const [, sign, digits = '', decimals = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(source) ?? []
    const all = `${digits}${decimals}`.replace(/^0+/, '')
    const significant = all.replace(/0+$/, '')
    const scale = BigInt(exponent) - BigInt(decimals.length) + BigInt(all.length - significant.length)
    this.text = significant === '' ? '0' : `${sign}${significant}e${scale}`
  }
}

function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'))
  if (value instanceof ExactDecimal) return value.text
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`
}
