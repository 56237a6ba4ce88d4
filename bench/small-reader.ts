// Reads one response repeatedly in another process on core 1, and returns the times.
import { once } from 'node:events'
import { forkOnCore } from './load-generator.ts'
import { timeFullRead } from './timing.ts'

export interface SmallReader {
  /** The milliseconds of each read during the work, including the read that is open at its end. */
  measureDuring(work: () => Promise<void>): Promise<number[]>
  stop(): void
}

export function startReader(url: string, key: string): SmallReader {
  const child = forkOnCore(1, import.meta.filename, [url, key])
  async function takeTimes(): Promise<number[]> {
    const timesPromise = once(child, 'message')
    child.send('take')
    return (await timesPromise)[0]
  }
  return {
    async measureDuring(work) {
      await takeTimes()
      await work()
      return takeTimes()
    },
    stop: () => void child.kill(),
  }
}

if (import.meta.main) {
  const [url = '', key = ''] = process.argv.slice(2)
  let times: number[] = []
  let isRequested = false
  process.on('message', () => {
    isRequested = true
  })
  for (;;) {
    const { status, ms } = await timeFullRead(url, key)
    if (status !== 200) throw new Error(`${url} returned ${status}`)
    times.push(ms)
    // Only between two reads, so that the times include a read that is delayed at the end.
    if (!isRequested) continue
    process.send?.(times)
    times = []
    isRequested = false
  }
}
