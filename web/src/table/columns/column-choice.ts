// The chosen columns of a table, their order, and which are pinned. Stored in the URL or as a preference.

import { setPreference, usePreference } from '../../state/preferences.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { useStable } from '../../state/stable-values.ts'

export interface TableColumn {
  /** As in the search params: result.exact_match, input.country, output. */
  key: string
  /** The display name. */
  name: string
  /** The kind of column: result, input, output. */
  kind: string
  isPinned: boolean
}

/** The chosen columns in their order, pinned ones first. All columns if none of the keys is known. */
export function chosenColumns<Column extends TableColumn>(
  all: Column[],
  keys: string[] | undefined,
  pinned?: string[],
): Column[] {
  const known = (keys ?? []).flatMap((key) => all.find((column) => column.key === key) ?? [])
  const chosen = (known.length > 0 ? [...new Set(known)] : all).map((column) =>
    pinned ? { ...column, isPinned: pinned.includes(column.key) } : column,
  )
  return [...chosen.filter((one) => one.isPinned), ...chosen.filter((one) => !one.isPinned)]
}

export interface ColumnChoice<Column extends TableColumn = TableColumn> {
  all: Column[]
  chosen: Column[]
  /** Shows these columns in this order. */
  choose: (keys: string[]) => void
  /** Pins a column to the left, or unpins it. */
  pin: (key: string, isPinned: boolean) => void
}

/** Reads the choice from the search param, or else from the preference for the same set of column names. */
export function useColumnChoice<Column extends TableColumn>(
  all: Column[],
  names: unknown,
  searchParam: string[] | undefined,
): ColumnChoice<Column> {
  const change = useChangeSearchParams()
  const setName = hash(JSON.stringify(names ?? null))
  const preferredKeys = usePreference(`columns.${setName}`)
  const preferredPins = usePreference(`pinned.${setName}`)
  const keys = searchParam ?? (preferredKeys === undefined ? undefined : parseKeys(preferredKeys))
  const chosen = useStable(
    chosenColumns(all, keys, preferredPins === undefined ? undefined : parseKeys(preferredPins)),
  )
  return {
    all,
    chosen,
    choose: (next) => {
      setPreference(`columns.${setName}`, joinKeys(next))
      if (searchParam) change({ cols: joinKeys(next) }, { replace: true })
    },
    pin: (key, isPinned) => {
      const others = chosen.filter((one) => one.isPinned && one.key !== key).map((one) => one.key)
      setPreference(`pinned.${setName}`, joinKeys(isPinned ? [...others, key] : others))
    },
  }
}

function joinKeys(keys: string[]): string {
  return keys.map(encodeURIComponent).join(',')
}

function parseKeys(keys: string): string[] {
  return keys.split(',').map(decodeURIComponent)
}

/** A short hash of a set of columns. */
function hash(text: string): string {
  let bits = 5381
  for (let index = 0; index < text.length; index++)
    bits = (Math.imul(bits, 33) ^ text.charCodeAt(index)) >>> 0
  return bits.toString(36)
}
