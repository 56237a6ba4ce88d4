// What a test process releases at its end, after all of its files.
import { after } from 'node:test'
import { sizes } from '../sizes.ts'
import { TEST_PROCESS } from './file-queue.ts'

const cleanups: (() => Promise<void>)[] = []

/** Runs a function at the end of this process. Use `after` for what belongs to one test, suite or file. */
export function afterAllFiles(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup)
}

export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup()
}

/** A failed setup can leave a server open, which would keep the process running forever. */
export function exitAfter(minutes: number): void {
  setTimeout(() => {
    process.stderr.write(`Test process ${process.pid} has not ended within ${minutes} minutes.\n`)
    process.exit(1)
  }, minutes * 60_000).unref()
}

// Other processes run only one test file, which imports this one before its first test.
if (process.argv[1] !== TEST_PROCESS) {
  after(runCleanups)
  exitAfter(sizes.file_minutes)
}
