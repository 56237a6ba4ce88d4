// The roles of table columns: what the user can choose, and the text of the choice for the service.
import type { ImportColumn } from 'assay-client'

export type Role = ImportColumn['role']
export type ColumnChoice = Pick<ImportColumn, 'role' | 'key' | 'type' | 'provider'>

/** The roles in the order of the menu. */
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  input: 'Input',
  output: 'Output',
  expected: 'Expected answer',
  score: 'Score',
  reason: 'Reason',
  id: 'Row id',
  latency: 'Latency',
  cost: 'Cost',
  error: 'Error',
  note: 'Note',
  is_pinned: 'Pinned',
  repetition: 'Repetition',
  provider: 'Model',
  extra: 'Extra data',
}
export const ROLES = Object.keys(ROLE_LABELS) as Role[]

/** The types of values. The first one is the default. */
export const TYPE_LABELS: Readonly<Partial<Record<Role, Readonly<Record<string, string>>>>> = {
  score: {
    '': 'As written',
    bool: 'True or false',
    number: 'Number',
    percent: 'Percent',
    rating: 'Rating, such as 4/5',
    text: 'Text',
  },
  latency: { s: 'Seconds', ms: 'Milliseconds', us: 'Microseconds', min: 'Minutes' },
  cost: { usd: 'US dollars', cents: 'Cents' },
  repetition: { '1-based': 'Counted from 1', '0-based': 'Counted from 0' },
}

export const ORIGIN_LABELS: Readonly<Record<ImportColumn['origin'], string>> = {
  option: 'confirmed',
  name: 'by name',
  values: 'by values',
  preset: 'by format',
  default: 'not recognized',
}

const KEYED_ROLES: readonly Role[] = ['input', 'expected', 'score', 'reason']

/** Names such as `output` and `score.exact` mean only one thing. The columns of a known tool do, too. */
export function needsReview(columns: ImportColumn[]): boolean {
  if (columns.length === 0 || columns.some(({ origin }) => origin === 'preset')) return false
  const isExplicit = ({ name, role, origin }: ImportColumn) =>
    origin === 'name' && (name === role || name.startsWith(`${role}.`))
  return !columns.every(isExplicit) || columns.every(({ role }) => role !== 'output')
}

/** The choice for a column with another role. `scores` are the evaluators of the table. */
export function choiceFor(column: ImportColumn, role: Role, scores: string[]): ColumnChoice {
  const { provider } = column
  if (role === column.role) return { role, key: column.key, type: column.type, provider }
  const type = Object.keys(TYPE_LABELS[role] ?? {})[0] || null
  const key = role === 'reason' ? evaluatorFor(column.name, scores) : keyOf(column.name, role)
  return { role, key, type, provider }
}

function keyOf(name: string, role: Role): string | null {
  if (!KEYED_ROLES.includes(role)) return null
  return name.startsWith(`${role}.`) ? name.slice(role.length + 1) : name
}

/** The evaluator of a reason: the longest name that the column begins with, such as judge for judge_comment. */
export function evaluatorFor(name: string, scores: string[]): string {
  const matches = scores.filter((score) => name.toLowerCase().startsWith(score.toLowerCase()))
  return matches.sort((a, b) => b.length - a.length)[0] ?? scores[0] ?? name
}

export function isSameChoice(one: ColumnChoice, other: ColumnChoice): boolean {
  return (
    one.role === other.role &&
    one.key === other.key &&
    one.type === other.type &&
    one.provider === other.provider
  )
}

/** Why the table cannot be imported with these roles. */
export function findProblem(columns: ImportColumn[], choices: ColumnChoice[]): string | undefined {
  const outputs = columns.filter((_, index) => choices[index]?.role === 'output')
  if (outputs.length === 0) return 'Choose the column with the output.'
  const ofModels = Map.groupBy(outputs, ({ provider }) => provider)
  const isShared = ofModels.has(null) && ofModels.size > 1
  const equal = isShared ? outputs : [...ofModels.values()].find(({ length }) => length > 1)
  if (!equal) return undefined
  return `Only one column can contain the output${ofModels.size > 1 ? ' of a model' : ''}. Change one of ${equal.map(({ name }) => name).join(', ')}.`
}

/** URLs are limited to 8 kB. */
const MAX_MAP_LENGTH = 6000

/** The parameter `map`. Lists changed columns first, and the others as long as they fit. */
export function mapOf(columns: ImportColumn[], choices: ColumnChoice[]): string {
  const changed: string[] = []
  const unchanged: string[] = []
  for (const [index, column] of columns.entries()) {
    const choice = choices[index] ?? column
    ;(isSameChoice(choice, column) ? unchanged : changed).push(mapEntry(column.name, choice))
  }
  const entries = [...changed]
  let length = encodeURIComponent(changed.join()).length
  for (const entry of unchanged) {
    length += encodeURIComponent(`,${entry}`).length
    if (length > MAX_MAP_LENGTH) break
    entries.push(entry)
  }
  return entries.join()
}

function mapEntry(name: string, { role, key, type, provider }: ColumnChoice): string {
  const keyText = key === null || key === keyOf(name, role) ? '' : `.${quote(key)}`
  const providerText = provider === null ? '' : `/${quote(provider)}`
  return `${quote(name)}=${role}${providerText}${keyText}${type === null ? '' : `:${type}`}`
}

function quote(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}
