// Which columns a table has, in which order, and which stay at the left: as the address or this browser has it.
import { useChangeSearch } from '../change-search.ts'
import { setPreference, usePreference } from '../preferences.ts'
import { useStable } from './stable.ts'

export interface GridColumn {
  /** As the address has it: result.exact_match, input.country, output. */
  key: string
  /** What people call it. */
  name: string
  /** What it is, in a word. */
  kind: string
  isPinned: boolean
}

/** Those that are chosen, in the order that was chosen, with the pinned ones in front. All, where none of them is known. */
export function chosenColumns<Column extends GridColumn>(
  all: Column[],
  keys: string[] | undefined,
  pinned?: string[],
): Column[] {
  const found = (keys ?? []).flatMap((key) => all.find((column) => column.key === key) ?? [])
  const chosen = (found.length > 0 ? [...new Set(found)] : all).map((column) =>
    pinned ? { ...column, isPinned: pinned.includes(column.key) } : column,
  )
  return [...chosen.filter((one) => one.isPinned), ...chosen.filter((one) => !one.isPinned)]
}

export interface ColumnChoice<Column extends GridColumn = GridColumn> {
  all: Column[]
  chosen: Column[]
  /** Shows these, in this order. */
  choose: (keys: string[]) => void
  /** Keeps a column at the left, or lets it go. */
  pin: (key: string, isPinned: boolean) => void
}

/** What is chosen in the address (`said`), else in this browser for the same names of columns. */
export function useColumnChoice<Column extends GridColumn>(
  all: Column[],
  names: unknown,
  said: string[] | undefined,
): ColumnChoice<Column> {
  const change = useChangeSearch()
  const set = digest(JSON.stringify(names ?? null))
  const preferredKeys = usePreference(`columns.${set}`)
  const preferredPins = usePreference(`pinned.${set}`)
  const keys = said ?? (preferredKeys === undefined ? undefined : list(preferredKeys))
  const chosen = useStable(
    chosenColumns(all, keys, preferredPins === undefined ? undefined : list(preferredPins)),
  )
  return {
    all,
    chosen,
    choose: (next) => {
      setPreference(`columns.${set}`, text(next))
      if (said) change({ cols: text(next) }, { replace: true })
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
