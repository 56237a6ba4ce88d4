// The columns of the table: which there are, which are shown, in which order, and which stay at the left.
import type { EvaluationSummary } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import { useLast, useStable } from '../grid/stable.ts'
import { setPreference, usePreference } from '../preferences.ts'
import type { Row } from './cells.ts'
import type { Shown } from './shown.ts'

/** The names of columns, each in the order in which they first appear. */
export type Names = EvaluationSummary['columns']

export interface Column {
  /** As the address has it: result.exact_match, input.country, output. */
  key: string
  kind: 'result' | 'input' | 'output' | 'expected' | 'latency' | 'cost'
  /** Of the evaluator, the input or the expected answer; else what it is. */
  name: string
  isPinned: boolean
  /** Whether the API can sort by it. */
  isSortable: boolean
}

/** Every column of an evaluation, evaluators first. One expected answer needs no name. */
export function allColumns({ evaluators, inputs, expected }: Names): Column[] {
  const answers =
    expected.length < 2
      ? [plain('expected')]
      : expected.map((name) => ({ ...plain('expected'), key: `expected.${name}`, name }))
  return [
    ...evaluators.map(
      (name): Column => ({
        key: `result.${name}`,
        kind: 'result',
        name,
        isPinned: true,
        isSortable: true,
      }),
    ),
    ...inputs.map((name): Column => ({ ...plain('input'), key: `input.${name}`, name })),
    plain('output'),
    ...answers,
    { ...plain('latency'), isSortable: true },
    { ...plain('cost'), isSortable: true },
  ]
}

function plain(kind: Column['kind']): Column {
  return { key: kind, kind, name: kind, isPinned: false, isSortable: false }
}

/** Those that are chosen, in the order that was chosen, with the pinned ones in front. All, where none of them is known. */
export function chosenColumns(all: Column[], keys: string[] | undefined, pinned?: string[]): Column[] {
  const found = (keys ?? []).flatMap((key) => all.find((column) => column.key === key) ?? [])
  const chosen = (found.length > 0 ? [...new Set(found)] : all).map((column) =>
    pinned ? { ...column, isPinned: pinned.includes(column.key) } : column,
  )
  return [...chosen.filter((one) => one.isPinned), ...chosen.filter((one) => !one.isPinned)]
}

export interface ColumnChoice {
  all: Column[]
  chosen: Column[]
  /** Shows these, in this order. */
  choose: (keys: string[]) => void
  /** Keeps a column at the left, or lets it go. */
  pin: (key: string, isPinned: boolean) => void
}

/** Those that some rows have: good enough until all names are known. */
export function namesIn(rows: Row[]): Names {
  const distinct = (names: string[]) => [...new Set(names)]
  return {
    evaluators: distinct(rows.flatMap(({ results }) => results.map((one) => one.evaluator_config))),
    inputs: distinct(rows.flatMap(({ inputs }) => inputs.map((one) => one.name))),
    expected: distinct(rows.flatMap((row) => (row.correct_answers ?? []).map((one) => one.key))),
  }
}

/** What is chosen in the address, else in this browser for evaluations with the same columns. */
export function useColumns({ summary, view }: Shown, first?: Names): ColumnChoice {
  const names = useStable(useLast(summary)?.columns ?? first)
  const change = useChangeSearch()
  const set = digest(JSON.stringify(names ?? null))
  const preferredKeys = usePreference(`columns.${set}`)
  const preferredPins = usePreference(`pinned.${set}`)
  const keys = view.columns ?? (preferredKeys === undefined ? undefined : list(preferredKeys))
  const all = names ? allColumns(names) : []
  const chosen = useStable(
    chosenColumns(all, keys, preferredPins === undefined ? undefined : list(preferredPins)),
  )
  return {
    all,
    chosen,
    choose: (next) => {
      setPreference(`columns.${set}`, text(next))
      if (view.columns) change({ cols: text(next) }, { replace: true })
    },
    pin: (key, isPinned) => {
      const others = chosen.filter((one) => one.isPinned && one.key !== key).map((one) => one.key)
      setPreference(`pinned.${set}`, text(isPinned ? [...others, key] : others))
    },
  }
}

function text(keys: string[]): string {
  return keys.map(encodeURIComponent).join(',')
}

function list(keys: string): string[] {
  return keys.split(',').map(decodeURIComponent)
}

/** A short name for a set of columns. */
function digest(words: string): string {
  let bits = 5381
  for (let index = 0; index < words.length; index++)
    bits = (Math.imul(bits, 33) ^ words.charCodeAt(index)) >>> 0
  return bits.toString(36)
}
