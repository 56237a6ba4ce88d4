// Being built.
import type { Shown } from './shown.ts'

export function Head({ shown }: { shown: Shown }) {
  return <p>{shown.id}</p>
}
