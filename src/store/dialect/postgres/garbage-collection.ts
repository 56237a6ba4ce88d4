// Frees the buffers of the pg driver in time. Each is referenced by a small object, so that V8 sees little garbage and
// would collect only after tens of megabytes. Node has no function for a minor collection: the V8 flag adds `gc` to
// contexts that are created later. See bench/README.md for the measurements.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void

const COLLECT_EVERY_BYTES = 4 * 1024 * 1024

let bytesSinceCollection = 0

/** Counts bytes that passed through the driver and runs a minor garbage collection every few megabytes. */
export function trackDriverBytes(bytes: number): void {
  bytesSinceCollection += bytes
  if (bytesSinceCollection < COLLECT_EVERY_BYTES) return
  bytesSinceCollection = 0
  collectGarbage({ type: 'minor' })
}
