// Rules of the wire that several written things share and no schema can say.
import type { ContentError } from './check.ts'
import { ID_RULES, isId } from './ids.ts'
import { normaliseTime } from './times.ts'
import type { Written } from './written.ts'

export const MAX_REVISION = 2147483647

/** The members among these that are there and cannot be an id. */
export function wrongIds(value: object, ...names: string[]): ContentError[] {
  return names.flatMap((name) => {
    const id = (value as Record<string, unknown>)[name]
    return typeof id !== 'string' || isId(id) ? [] : [{ pointer: `/${name}`, detail: ID_RULES }]
  })
}

export function wrongTime<Name extends 'created_at' | 'expires_at' = 'created_at'>(
  value: { [Time in Name]?: string | null },
  name = 'created_at' as Name,
): ContentError[] {
  const time = value[name]
  if (time == null || normaliseTime(time) !== undefined) return []
  const detail = 'This must be a time of RFC 3339, such as 2026-11-15T09:15:00.123Z.'
  return [{ pointer: `/${name}`, detail }]
}

/** A revision number stands in answers as it was written: in plain digits. */
export function wrongRevision({ value, texts }: Written<{ revision?: number | null }>): ContentError[] {
  if (value.revision == null || /^\d+$/.test(texts.get('revision') ?? '')) return []
  return [{ pointer: '/revision', detail: 'This must be a whole number in plain digits.' }]
}
