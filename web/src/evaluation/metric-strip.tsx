// Being built.
import type { Shown } from './shown.ts'

export function MetricStrip({ shown }: { shown: Shown }) {
  return <p>{shown.id}</p>
}
