// After the start: saves the compile cache and returns memory to the operating system, when no requests arrive.
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const CHECK_MS = 1000
/** The share of time that the event loop was busy since the last check. */
const MAX_UTILIZATION = 0.1

/** Waits for an idle second, because both steps block for about 100 ms. Call the result to stop waiting. */
export function cleanUpAfterStart(): () => void {
  let lastUtilization = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(lastUtilization)
    lastUtilization = performance.eventLoopUtilization()
    if (utilization > MAX_UTILIZATION) return
    clearInterval(timer)
    // Node would save it only at a regular exit.
    flushCompileCache()
    releaseMemory()
  }, CHECK_MS).unref()
  return () => clearInterval(timer)
}

/** V8 keeps the memory that loading modules needed. Only this kind of collection returns it: 10 MB. */
function releaseMemory(): void {
  // The flag adds `gc` to contexts that are created later.
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as (options: object) => void
  collectGarbage({ type: 'major', flavor: 'last-resort' })
}
