import type { Shown } from './shown.ts'

export function Chips({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
