// Names of groups in reports.
import { parseExactly } from '../../json/exact-values.ts'
import type { Breakdown, BreakdownGroup } from '../../schema/analysis/breakdowns.ts'
import { countOf } from '../output/progress.ts'
import type { FormatName } from '../output/statistics.ts'

/** How a report formats names and values from user data. Values are shortened. */
export interface ReportStyle {
  name: FormatName
  value: FormatName
}

export interface GroupLabel {
  text: string
  /** Whether the text comes from user data. */
  isValue: boolean
}

/** Numbers in the values of groups keep their digits, also those that a double cannot represent. */
export function parseBreakdown(text: string): Breakdown {
  return parseExactly(text) as Breakdown
}

/** Texts are printed without quotes, unless they could be mistaken for another value. */
export function labelOf({ by }: Breakdown, { kind, value, is_cut }: BreakdownGroup): GroupLabel {
  if (kind === 'error') return { text: '(evaluator failed)', isValue: false }
  if (kind === 'missing') return { text: by === 'error' ? '(no error)' : '(no value)', isValue: false }
  if (is_cut) return { text: `${toSingleLine(String(value))}…`, isValue: true }
  const text = typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value)
  return { text: toSingleLine(text), isValue: true }
}

/** The label of all groups that the breakdown does not list. */
export function restLabel({ group_count, groups }: Breakdown): GroupLabel {
  return { text: `(${countOf(group_count - groups.length, 'smaller group')})`, isValue: false }
}

export function formatLabel({ text, isValue }: GroupLabel, { value }: ReportStyle): string {
  return isValue ? value(text) : text
}

function toSingleLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** Whether a text is neither JSON nor similar to a label of a group without a value. */
function isPlain(text: string): boolean {
  if (text.trim() !== text || /^$|^\(/.test(text)) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
