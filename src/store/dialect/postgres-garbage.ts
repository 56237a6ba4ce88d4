// What the driver leaves behind. It reads and writes through buffers that it never gives back itself; each is
// kept by an object of a few bytes, so that the collector sees no reason to come by until there are tens of
// megabytes of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

const OFTEN_BYTES = 4 * 1024 * 1024

let passed = 0

/** Told of what went through the driver, has the youngest objects collected every few megabytes. */
export function notePassed(bytes: number): void {
  passed += bytes
  if (passed < OFTEN_BYTES) return
  passed = 0
  collect({ type: 'minor' })
}
