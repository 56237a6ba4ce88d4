// Being built.
import type { Shown } from './shown.ts'

export function ColumnsMenu(_: { shown: Shown }) {
  return null
}
