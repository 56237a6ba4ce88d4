// Runs test files one after the other in one process, so that modules, the browser and the templates of stores are loaded
// once for many files. Several of these processes share a queue: each one claims the next file that no other has claimed.
import { relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { sizes } from '../sizes.ts'
import { FileQueue } from './file-queue.ts'
import { testOptions } from './options.ts'
import { exitAfter, runCleanups } from './process-end.ts'
import { ROOT } from './test-run.ts'

// A failure that depends on generated values occurs in each run with this seed, or in none.
fc.configureGlobal({ seed: testOptions.seed })
const queue = FileQueue.open(process.argv[2] ?? '')
for (const file of queue.claimed()) {
  await test(relative(ROOT, file), { timeout: sizes.file_minutes * 60_000 }, async () => {
    await import(pathToFileURL(file).href)
  })
}
await runCleanups()
exitAfter(1)
