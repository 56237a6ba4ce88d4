import type { Shown } from './shown.ts'

export function Grid({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
