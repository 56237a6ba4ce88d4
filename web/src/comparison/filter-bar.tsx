import type { Shown } from './shown.ts'

export function FilterBar({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
