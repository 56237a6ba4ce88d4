import type { Shown } from './shown.ts'

export function Head({ shown }: { shown: Shown }) {
  return <p>{shown.on}</p>
}
