// Benchmark: import of a 200 MB promptfoo file, compared with a bare loop that only parses the stream.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentReader } from '../../src/json/document.ts'
import type { Benchmark } from '../benchmark.ts'
import { writePromptfoo } from '../promptfoo-file.ts'
import { median } from '../timing.ts'
import { importFile } from '../uploads.ts'

const ROUNDS = 3
const BYTES = 200_000_000

export const promptfooRate: Benchmark = {
  title: 'import of a 200 MB promptfoo file, compared with a bare loop that only parses each result',
  async run({ folder }) {
    const file = join(folder, 'promptfoo.json')
    await writePromptfoo(file, BYTES)
    const [bare, imported]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ms] = await once(fork(import.meta.filename, [file]), 'message')
      bare.push(ms)
      const data = join(folder, 'fresh')
      mkdirSync(data)
      const startTime = performance.now()
      await importFile(data, file)
      imported.push(performance.now() - startTime)
      rmSync(data, { recursive: true })
    }
    const rate = (ms: number) => `${(statSync(file).size / 1000 / ms).toFixed(1)} MB/s`
    const [bareMs, importMs] = [median(bare), median(imported)]
    return [
      `bare loop: ${rate(bareMs)}`,
      `assay import: ${rate(importMs)}, ratio ${(bareMs / importMs).toFixed(3)}`,
    ]
  },
}

async function parse(file: string): Promise<void> {
  const limits = { depth: 128, members: 10_000, record_bytes: 8 * 1024 * 1024 }
  const reader = new DocumentReader({ records: ['results.results'], dropped: ['config.tests'] }, limits)
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }))
    for (const { scanned } of reader.push(chunk)) JSON.parse(scanned?.text ?? '')
  reader.end()
}

if (import.meta.main) {
  const startTime = performance.now()
  await parse(process.argv[2] ?? '')
  process.send?.(performance.now() - startTime)
}
