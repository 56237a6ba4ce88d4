import type { Shown } from './shown.ts'

export function Warnings({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
