// Being built.
import type { Shown } from './shown.ts'

export function ErrorGroups({ shown }: { shown: Shown }) {
  return <p>{shown.id}</p>
}
