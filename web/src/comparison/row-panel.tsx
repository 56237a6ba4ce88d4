import type { Shown } from './shown.ts'
import type { OpenRow } from './view.ts'

export function RowPanel({ shown, row }: { shown: Shown; row: OpenRow }) {
  return (
    <p>
      {shown.on} {row.id}
    </p>
  )
}
