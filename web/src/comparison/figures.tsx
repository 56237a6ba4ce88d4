import type { Shown } from './shown.ts'

export function Figures({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
