// The chosen columns of a table, their order, their widths, and which are pinned. Stored in the URL or as preferences.

import { setPreference, usePreference } from '../../state/preferences.ts'
import type { Filter } from '../../state/row-params.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { useStable } from '../../state/stable-values.ts'
import { limitWidth } from './column-layout.ts'
import type { Column } from './column-type.ts'

/** The chosen columns in their order, pinned ones first. All columns if none of the keys is known. */
export function chooseColumns<Kind extends string>(
  allColumns: Column<Kind>[],
  keys: string[] | undefined,
  pinnedKeys?: string[],
): Column<Kind>[] {
  const knownColumns = (keys ?? []).flatMap((key) => allColumns.find((column) => column.key === key) ?? [])
  const columns = (knownColumns.length > 0 ? [...new Set(knownColumns)] : allColumns).map((column) =>
    pinnedKeys ? { ...column, isPinned: pinnedKeys.includes(column.key) } : column,
  )
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter(({ isPinned }) => !isPinned)]
}

/** Hides the inputs that a filter makes equal in all rows, unless there is no other column. */
export function useVaryingColumns<Kind extends string>(
  columns: Column<Kind>[],
  filters: readonly Filter[],
): Column<Kind>[] {
  const isEqual = ({ kind, key }: Column<Kind>) =>
    kind === 'input' && filters.some(([name, value]) => name === key && String(value).startsWith('eq.'))
  const varying = columns.filter((column) => !isEqual(column))
  return useStable(varying.length > 0 ? varying : columns)
}

export interface ColumnChoice<Kind extends string = string> {
  allColumns: Column<Kind>[]
  chosenColumns: Column<Kind>[]
  /** Shows these columns in this order. */
  choose: (keys: string[]) => void
  /** Pins a column to the left, or unpins it. */
  pin: (key: string, isPinned: boolean) => void
  /** Sets the width of a column in pixels, or removes it. */
  resize: (key: string, px: number | undefined) => void
}

/** Reads the choice from the search param, or else from the preference for the same `names`. */
export function useColumnChoice<Kind extends string>(
  allColumns: Column<Kind>[],
  names: unknown,
  searchParam: string[] | undefined,
): ColumnChoice<Kind> {
  const changeParams = useChangeSearchParams()
  const namesHash = hash(JSON.stringify(names ?? null))
  const preferredKeys = usePreference(`columns.${namesHash}`)
  const preferredPins = usePreference(`pinned.${namesHash}`)
  const widths = parseWidths(usePreference(`widths.${namesHash}`))
  const keys = searchParam ?? parseKeys(preferredKeys)
  const chosenColumns = useStable(
    chooseColumns(allColumns, keys, parseKeys(preferredPins)).map((column) =>
      widths.has(column.key) ? { ...column, chosenWidth: widths.get(column.key) } : column,
    ),
  )
  return {
    allColumns,
    chosenColumns,
    choose: (newKeys) => {
      setPreference(`columns.${namesHash}`, joinKeys(newKeys))
      if (searchParam) changeParams({ cols: joinKeys(newKeys) }, { replace: true })
    },
    pin: (key, isPinned) => {
      const otherKeys = chosenColumns
        .filter((column) => column.isPinned && column.key !== key)
        .map((column) => column.key)
      setPreference(`pinned.${namesHash}`, joinKeys(isPinned ? [...otherKeys, key] : otherKeys))
    },
    resize: (key, px) => {
      const newWidths = new Map(widths)
      if (px === undefined) newWidths.delete(key)
      else newWidths.set(key, limitWidth(px))
      const text = newWidths.size === 0 ? undefined : JSON.stringify([...newWidths])
      setPreference(`widths.${namesHash}`, text)
    },
  }
}

function joinKeys(keys: string[]): string {
  return keys.map(encodeURIComponent).join(',')
}

function parseKeys(keys: string | undefined): string[] | undefined {
  return keys?.split(',').map(decodeURIComponent)
}

/** Stored as pairs of key and pixels. */
function parseWidths(text: string | undefined): Map<string, number> {
  try {
    return new Map(JSON.parse(text ?? '[]'))
  } catch {
    return new Map()
  }
}

/** A short hash, for the name of a preference. */
function hash(text: string): string {
  let bits = 5381
  for (let index = 0; index < text.length; index++)
    bits = (Math.imul(bits, 33) ^ text.charCodeAt(index)) >>> 0
  return bits.toString(36)
}
